// The coach: the exact value of each choice, the cost of mistakes, and how often the best was chosen. Off by default.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { decimal, isZero, less, lowest, sum, times } from "../exact.js";
import { choose, settings } from "../settings.js";
import { money } from "../money.js";
import { short } from "../parts/card.js";
import { called, say } from "../words/words.js";
import { wantsCard } from "./acts.js";

const KEPT = "coach-tally";
const NOTHING = { decisions: 0, best: 0, cost: "0" };
const kept = () => ({ ...NOTHING, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") });

// The name that a choice has among the values: "bet", "exchange 4d", "bet discard Kd".
export function choiceOf(offer, card) {
  if (offer.do === "exchange") return card ? `exchange ${card}` : null;
  if (wantsCard(offer)) return card ? `${offer.do} discard ${card}` : null;
  return offer.antes ? `bet ${offer.antes}` : offer.do;
}

const told = (choice) => {
  const [what, ...rest] = choice.split(" ");
  if (/^\d+$/.test(rest[0] ?? "")) return say("act.bet.antes", { antes: rest[0] });
  const cards = rest.filter((one) => one !== "discard").map(short).join(" ");
  return cards ? say(`act.${what}.card`, { card: cards }) : called("act", what);
};

// What the house says of the choices of this box, asked for while there is something to decide and the coach is on.
export function useCoach(id, box, offers, phase) {
  const [on, setOn] = useState(settings.coach === "on");
  const [values, setValues] = useState(null);
  const [tally, setTally] = useState(kept);
  const [last, setLast] = useState(null);
  const open = phase === "deciding" && offers.some((one) => one.letter) && !offers.some((one) => one.do === "look");
  const asked = open ? offers.map((one) => `${one.do}${(one.cards ?? []).join()}`).join("/") : "";
  useEffect(() => {
    setValues(null);
    if (!on || !open) return undefined;
    let there = true;
    get(`/api/tables/${id}/coach/${box}`).then((found) => there && setValues(found), () => {});
    return () => (there = false);
  }, [on, id, box, asked]);
  const turn = () => {
    choose("coach", on ? "" : "on");
    setOn(!on);
    setLast(null);
  };
  // A decision was taken: what it cost against the best, in antes.
  const judge = (offer, card) => {
    const worth = values?.values[choiceOf(offer, card)];
    if (worth === undefined) return;
    const cost = less(values.values[values.best], worth);
    const next = { decisions: tally.decisions + 1, best: tally.best + (isZero(cost) ? 1 : 0), cost: lowest(sum(tally.cost, cost)) };
    localStorage.setItem(KEPT, JSON.stringify(next));
    setTally(next);
    setLast({ choice: choiceOf(offer, card), best: values.best, cost, ante: values.ante });
  };
  const clear = () => {
    localStorage.removeItem(KEPT);
    setTally(NOTHING);
    setLast(null);
  };
  return { on, turn, values, tally, last, judge, clear };
}

const chips = (worth, ante, posted) => {
  const units = decimal(times(times(worth, ante), String(10 ** posted.decimals)), 0);
  return money(Number(units.replace("−", "-")), posted, { signed: true });
};

export function Coach({ coach, posted, playing }) {
  const { on, turn, values, tally, last, clear } = coach;
  if (!playing) return null;
  return html`<section class="part coach"><h2>${say("coach")} <button type="button" class="switch" role="switch" aria-checked=${on} onClick=${turn}>${say(on ? "coach.on" : "coach.off")}</button></h2>
    ${on && values && html`<table><thead><tr><th scope="col">${say("coach.choice")}</th><th scope="col">${say("coach.antes")}</th><th scope="col">${say("coach.money")}</th></tr></thead>
      <tbody>${Object.entries(values.values).map(([choice, worth]) => html`<tr key=${choice} class=${choice === values.best ? "best" : ""} data-choice=${choice} data-worth=${worth}>
        <th scope="row">${told(choice)}${choice === values.best && html` <small>${say("coach.best")}</small>`}${values.forfeits?.[choice.split(" ")[0]] && html` <small lang="en">${values.forfeits[choice.split(" ")[0]].what}</small>`}</th>
        <td><b class="figure" title=${lowest(worth)}>${decimal(worth, 6)}</b></td><td>${chips(worth, values.ante, posted)}</td></tr>`)}</tbody></table>`}
    ${on && !values && html`<p>${say("coach.waits")}</p>`}
    ${last && html`<p role="status" class=${isZero(last.cost) ? "good" : "due"} data-cost=${lowest(last.cost)}>${isZero(last.cost) ? say("coach.right")
      : say("coach.mistake", { choice: told(last.choice), best: told(last.best), antes: decimal(last.cost, 6), money: chips(last.cost, last.ante, posted).replace("+", "") })}</p>`}
    ${tally.decisions > 0 && html`<p data-tally=${`${tally.best}/${tally.decisions}`}>${say("coach.tally", { best: tally.best, count: tally.decisions, cost: decimal(tally.cost, 6) })}
      <button type="button" class="plain-button small" onClick=${clear}>${say("coach.clear")}</button></p>`}
  </section>`;
}

// The trainer: decide, then see the exact value of every choice. A hand that was played wrong is repeated with other
// suits until it is right, and families with more mistakes come more often. The record stays on this device.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { decimal, isZero, lowest, sum } from "../exact.js";
import { local } from "../numbers.js";
import { Card } from "../parts/card.js";
import { say, called } from "../words/words.js";
import { did } from "./deal.js";
import { counted } from "./state.js";

const EMPTY = { dealt: 0, right: 0, cost: "0", wrong: [], families: {} };
const COMES_AGAIN = 3;
const PLACES = ["out", "change", "on", "more"];

const kept = (key) => {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch {
    return EMPTY;
  }
};

// Which hand is next: one that went wrong and is due, else any family, the more likely the more often it went wrong.
function next(record) {
  const due = record.wrong.find((one) => one.at <= record.dealt);
  if (due) return { like: due.cards };
  const weights = Object.entries(record.families).map(([name, [dealt, wrong]]) => [name, (wrong + 1) / (dealt + 2)]);
  if (!weights.length) return {};
  let at = Math.random() * weights.reduce((all, [, weight]) => all + weight, 0);
  return { family: weights.find(([, weight]) => (at -= weight) <= 0)?.[0] ?? weights[0][0] };
}

const order = (choices) =>
  [...choices].sort((left, right) => PLACES.indexOf(left.place) - PLACES.indexOf(right.place) || left.choice.localeCompare(right.choice));

export function Trainer({ book, text }) {
  const key = `trainer/${book}?${text}`;
  const [record, setRecord] = useState(() => kept(key));
  const [hand, setHand] = useState(null);
  const [taken, setTaken] = useState(null);
  const [again, setAgain] = useState("");
  const [wrong, setWrong] = useState("");
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    setRecord(kept(key));
    setHand(null);
    setTaken(null);
    setBegun(false);
  }, [key]);
  const on = useRef(null);
  useEffect(() => void (taken && on.current?.focus()), [taken]);
  const deal = async () => {
    setBegun(true);
    const wanted = next(record);
    try {
      const found = await counted(`/api/lab/trainer/${book}?${new URLSearchParams([...new URLSearchParams(text), ...Object.entries(wanted)])}`);
      setHand(found);
      setAgain(wanted.like ?? "");
      setTaken(null);
      setWrong("");
    } catch (failed) {
      setWrong(failed.message);
    }
  };
  const take = (choice) => {
    if (taken) return;
    const { costs } = hand.choices.find((one) => one.choice === choice);
    const right = isZero(costs);
    const cards = [...hand.cards, ...(hand.up ? [hand.up] : [])].join(" ");
    const [many, errors] = record.families[hand.family] ?? [0, 0];
    const rest = record.wrong.filter((one) => one.cards !== again);
    const families = Object.fromEntries(hand.families.map((one) => [one, record.families[one] ?? [0, 0]]));
    const after = {
      dealt: record.dealt + 1,
      right: record.right + (right ? 1 : 0),
      cost: lowest(sum(record.cost, costs)),
      wrong: right ? rest : [...rest, { cards, at: record.dealt + 1 + COMES_AGAIN }],
      families: { ...families, [hand.family]: [many + 1, errors + (right ? 0 : 1)] },
    };
    setTaken(choice);
    setRecord(after);
    localStorage.setItem(key, JSON.stringify(after));
  };
  const forget = () => {
    localStorage.removeItem(key);
    setRecord(EMPTY);
  };
  const lost = taken && hand.choices.find((one) => one.choice === taken).costs;
  return html`<section class="wide trainer"><div class="head"><h2>${say("lab.trainer")}</h2><span class="note">${say("lab.trainer.note")}</span></div>
    ${wrong && html`<p class="refusal" role="alert" lang="en">${wrong}</p>`}
    ${!hand ? html`<p><button type="button" class="act" aria-disabled=${begun && !wrong} onClick=${deal}>${say("lab.trainer.begin")}</button></p>` : html`
      <div class="train"><div class="train-cards" data-family=${hand.family}>
          ${hand.up && html`<div><p class="note">${say("lab.trainer.up")}</p><div class="hand"><${Card} name=${hand.up} /></div></div>`}
          <div><p class="note">${say("own.cards")}${again ? `, ${say("lab.trainer.again")}` : ""}</p><div class="hand">${hand.cards.map((one) => html`<${Card} key=${one} name=${one} />`)}</div></div></div>
        <ul class="train-choices">${order(hand.choices).map((one, place) => html`<li key=${one.choice}><button type="button" class=${`train-choice ${taken && isZero(one.costs) ? "best" : ""} ${taken === one.choice ? "taken" : ""}`}
            data-choice=${one.choice} data-key=${place + 1} aria-disabled=${Boolean(taken)} onClick=${() => take(one.choice)}><b>${did(one.choice)}</b>
            <span>${taken ? html`<span data-worth=${one.worth} title=${one.worth}>${decimal(one.worth, 6)}</span>` : " "}</span><kbd aria-hidden="true">${place + 1}</kbd></button></li>`)}</ul></div>
      <p class="train-verdict" role="status">${taken ? html`<b class=${isZero(lost) ? "good" : "bad"}>${isZero(lost) ? say("lab.trainer.right") : say("lab.trainer.wrong", { antes: decimal(lost, 6) })}</b>
        ${!isZero(lost) ? ` ${say("lab.trainer.best", { choice: did(hand.best) })}` : ""}` : " "}</p>
      <p><button type="button" class="act" data-key="Enter" ref=${on} aria-disabled=${!taken} onClick=${() => taken && deal()}>${say("lab.trainer.next")} <kbd aria-hidden="true">⏎</kbd></button></p>`}
    <dl class="record"><div><dt>${say("lab.trainer.dealt")}</dt><dd data-dealt=${record.dealt}>${record.dealt}</dd></div>
      <div><dt>${say("lab.trainer.accuracy")}</dt><dd>${record.dealt ? `${local(((100 * record.right) / record.dealt).toFixed(1))} %` : "–"}</dd></div>
      <div><dt>${say("lab.trainer.cost")}</dt><dd title=${record.cost}>${decimal(record.cost, 4)}</dd></div>
      <div><dt>${say("lab.trainer.waiting")}</dt><dd data-waiting=${record.wrong.length}>${record.wrong.length}</dd></div></dl>
    ${Object.values(record.families).some(([, errors]) => errors) && html`<ul class="families">${Object.entries(record.families).filter(([, [, errors]]) => errors).map(([name, [many, errors]]) => html`<li key=${name}>${called("family", name)}: ${say("lab.trainer.errors", { errors, of: many })}</li>`)}</ul>`}
    ${record.dealt > 0 && html`<p><button type="button" class="plain-button" onClick=${forget}>${say("lab.trainer.forget")}</button></p>`}
  </section>`;
}

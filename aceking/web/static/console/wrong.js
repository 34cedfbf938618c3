// Reports a mishap: which one, its boxes and cards, what the book would decide, and the button to report it.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { post } from "../client.js";
import { minor, money, shown } from "../money.js";
import { Clause } from "../parts/clause.js";
import { numberOf } from "../parts/deck.js";
import { Told } from "../words/told.js";
import { called, say } from "../words/words.js";
import { CardKeys, useCards } from "./keys.js";

const KEYS = "123456789";

export function Mishaps({ mishaps, chosen, choose, open }) {
  const now = mishaps.filter((one) => one.then);
  const other = mishaps.filter((one) => !one.then);
  const row = (one, place) => html`<li key=${one.mishap} class=${chosen?.mishap === one.mishap ? "chosen" : ""}>
    <button type="button" data-mishap=${one.mishap} aria-pressed=${chosen?.mishap === one.mishap} onClick=${() => choose(one)}>
      ${place < KEYS.length && html`<kbd aria-hidden="true">${KEYS[place]}</kbd>`}<span>${called("mishap", one.mishap)}</span></button>
    <${Clause} id=${one.clause} from=${called("mishap", one.mishap)} open=${open} /></li>`;
  return html`<section class="wrong" aria-labelledby="wrong-title"><h2 id="wrong-title">${say("wrong")} <kbd aria-hidden="true">!</kbd></h2>
    <p>${say("wrong.hint")}</p>
    ${now.length > 0 && html`<h3>${say("wrong.now")}</h3><ul>${now.map(row)}</ul>`}
    ${other.length > 0 && html`<h3>${say("wrong.other")}</h3><ul>${other.map((one, place) => row(one, place + now.length))}</ul>`}
  </section>`;
}

export function Report({ table, mishap, rail, busy, said, act, open, close, on, version }) {
  const { posted } = rail;
  const [boxes, setBoxes] = useState([]);
  const [facts, setFacts] = useState([]);
  const [count, setCount] = useState("");
  const [trial, setTrial] = useState(null);
  const entry = useCards(mishap.cards ? 52 : 0, { on });
  const report = { do: "report", mishap: mishap.mishap };
  if (boxes.length) report.boxes = boxes;
  if (facts.length) report.facts = facts;
  if (entry.cards.length) report.cards = entry.cards.map(numberOf);
  if (/^\d{1,3}$/.test(count)) report.count = Number(count);
  const wanted = JSON.stringify(report);
  useEffect(() => {
    let there = true;
    post(`/api/tables/${table}/trial`, { report }).then((told) => there && setTrial(told), (failed) => there && setTrial({ refused: failed.message }));
    return () => (there = false);
  }, [wanted, version]);
  const turn = (many, set, one) => set(many.includes(one) ? many.filter((other) => other !== one) : [...many, one].sort());
  const toggle = (name, pressed, click) => html`<button type="button" class="toggle" aria-pressed=${pressed} onClick=${click}>${name}</button>`;
  const taken = Object.keys({ ...rail.seats, ...Object.fromEntries((rail.common.boxes ?? []).map((one) => [one.box, one.player])) }).map(Number).sort((left, right) => left - right);
  const send = () => act("report", { ask: "act", act: report }).then((reply) => reply && !reply.refused && close(true));
  return html`<section class="report" aria-labelledby="report-title">
    <h2 id="report-title" tabindex="-1">${called("mishap", mishap.mishap)}</h2>
    ${taken.length > 0 && html`<div class="ask" role="group" aria-label=${say("wrong.which")}><span>${say("wrong.which")}</span><div>${taken.map((one) => toggle(one, boxes.includes(one), () => turn(boxes, setBoxes, one)))}</div></div>`}
    ${(mishap.facts ?? []).length > 0 && html`<div class="ask" role="group" aria-label=${say("wrong.facts")}><span>${say("wrong.facts")}</span><div>${mishap.facts.map((one) => toggle(called("fact", one), facts.includes(one), () => turn(facts, setFacts, one)))}</div></div>`}
    ${mishap.count && html`<label class="ask">${say("wrong.count")}<input inputmode="numeric" maxlength="3" value=${count} onInput=${(event) => setCount(event.target.value)} /></label>`}
    ${mishap.cards && html`<details open=${entry.cards.length > 0}><summary>${say("wrong.cards")}</summary><${CardKeys} entry=${entry} /></details>`}
    ${trial && html`<${Verdict} trial=${trial} posted=${posted} open=${open} />`}
    <div class="row-buttons">
      <button type="button" class="act big" data-key="Enter" data-act="report" aria-disabled=${!trial || Boolean(trial.refused) || busy.has("report")}
        onClick=${(event) => event.detail < 2 && trial && !trial.refused && send()}>${say("wrong.report")} <kbd aria-hidden="true">⏎</kbd></button>
      <button type="button" class="plain-button" data-act="never-mind" onClick=${() => close(false)}>${say("wrong.never-mind")} <kbd aria-hidden="true">Esc</kbd></button></div>
    ${said("report")}
  </section>`;
}

// What the book would decide: the ruling and its clause, what goes back, or who is asked.
function Verdict({ trial, posted, open }) {
  if (trial.refused) return html`<div class="verdict"><p class="lead">${say("wrong.refused")} <${Clause} id=${trial.clause} from=${say("wrong.refused")} open=${open} /></p><h3><${Told} text=${trial.refused} said=${trial.said} /></h3></div>`;
  const back = trial.back ?? [];
  const sum = back.reduce((all, one) => all + minor(one.amount, posted.decimals), 0);
  return html`<div class="verdict" role="status">
    ${(trial.rulings ?? []).map((one) => html`<p class="lead">${say("wrong.decides")} <${Clause} id=${one.clause} from=${called("remedy", one.then)} open=${open} /></p>
      <h3>${called("remedy", one.then)}${one.why && html` <small>${say("wrong.why", { why: "" })}<span lang="en">${one.why}</span></small>`}</h3>`)}
    ${trial.void_round && html`<p><b>${say("wrong.void-round")}</b></p>`}
    ${(trial.void_boxes ?? []).map((box) => html`<p><b>${say("wrong.void", { box })}</b></p>`)}
    ${(trial.asks ?? []).map((one) => html`<p class="lead">${say(one.unregulated ? "wrong.silent" : "wrong.asks", { of: called("actor", one.of) })} <${Clause} id=${one.clause} from=${say("question")} open=${open} /></p><${Claim} one=${one} />`)}
    ${back.length > 0 && html`<table><tbody>${back.map((one) => html`<tr><th scope="row">${say("wrong.back", { wager: called("wager", one.wager), box: one.box, player: one.player })}
        <${Clause} id=${one.clause} from=${called("wager", one.wager)} open=${open} /></th><td>${shown(one.amount, posted)}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row">${say("wrong.returned")}</th><td><b data-returned=${sum}>${money(sum, posted)}</b></td></tr></tfoot></table>`}
  </div>`;
}

// Record and claim side by side, where they differ.
export function Claim({ one }) {
  if (!one.record) return one.what ? html`<p><${Told} text=${one.what} /></p>` : null;
  return html`<div class="differ"><p>${say("wrong.differ")}</p><dl><div><dt>${say("wrong.claim")}</dt><dd><${Told} text=${one.what} /></dd></div>
    <div><dt>${say("wrong.record")}</dt><dd><${Told} text=${one.record} /></dd></div></dl></div>`;
}

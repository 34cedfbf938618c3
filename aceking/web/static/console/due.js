// The next act by the book: who does it, what is still to enter, and the button that it is done.
import { html, useState } from "../vendor/preact-htm.js";
import { typed } from "../money.js";
import { Clause } from "../parts/clause.js";
import { numberOf } from "../parts/deck.js";
import { called, say } from "../words/words.js";
import { CardKeys, useCards } from "./keys.js";

// What is due is another thing as soon as a card more lies on the table.
export const known = (due, dealt = 0) => JSON.stringify([due.act, due.to, dealt]);

// A place that cards fall to, in words.
const placed = (to) => (to.startsWith("box ") ? say("console.box", { box: to.slice(4) }) : called("place", to));

export function Where({ due }) {
  const told = [due.box && say("console.box", { box: due.box }), due.to && say("console.to", { to: placed(due.to) }), due.up && say("console.up"), due.player && say("console.for-player", { player: due.player })];
  return html`<span>${told.filter(Boolean).join(", ")}</span>`;
}

export const wishOf = (due, told, table) =>
  due.meter ? { ask: "meter", meter: due.meter, act: due.act } : { ask: "act", table, act: { ...due.act, ...told }, role: due.role, player: due.player };

// `on`: whether keys are read for the cards of this act.
export function Due({ due, table, posted, out, busy, said, open, act, on, read }) {
  const fields = due.fields ?? [];
  const wants = fields.find((one) => one.kind === "card" || one.kind === "cards");
  const entry = useCards(due.mine && wants ? wants.many ?? 1 : 0, { out, on });
  const [texts, setTexts] = useState({});
  const told = {};
  for (const one of fields) {
    const text = (texts[one.name] ?? "").trim();
    if (one.kind === "card" && entry.cards.length === 1) told[one.name] = numberOf(entry.cards[0]);
    else if (one.kind === "cards" && entry.cards.length === one.many) told[one.name] = entry.cards.map(numberOf);
    else if (one.kind === "count" && /^\d{1,4}$/.test(text)) told[one.name] = Number(text);
    else if (one.kind === "money" && typed(text, posted.decimals) !== null) told[one.name] = typed(text, posted.decimals);
  }
  const ready = fields.every((one) => one.name in told);
  const left = wants ? (wants.many ?? 1) - entry.cards.length : 0;
  const submit = (event) => {
    event.preventDefault();
    if (ready && !busy.has("due")) act("due", wishOf(due, told, table));
  };
  return html`<form class="due-act" onSubmit=${submit} data-due=${due.do}>
    <p class="lead"><span>${say("console.next")}</span> <${Clause} id=${due.clause} from=${called("do", due.do)} open=${open} />
      <span class="side-note">${say("console.left")}</span></p>
    <h2 tabindex="-1">${called("do", due.do)} <small><${Where} due=${due} /></small></h2>
    ${read > 0 && due.to && html`<p>${say("console.read")}</p>`}
    ${!due.mine
      ? html`<p class="tag">${say("console.waits", { who: called("who", due.by) })}</p>`
      : html`${wants && html`<${CardKeys} entry=${entry} out=${out} />`}
        ${fields.filter((one) => one.kind === "count" || one.kind === "money").map((one) => html`<label key=${one.name}>
          ${say(one.kind === "money" ? "console.meter" : "console.count")}
          <input name=${one.name} inputmode="decimal" autocomplete="off" maxlength="12" value=${texts[one.name] ?? ""}
            onInput=${(event) => setTexts({ ...texts, [one.name]: event.target.value })} /></label>`)}
        <button type="submit" class="act big" data-key="Enter" data-act="due" aria-disabled=${!ready || busy.has("due")}>
          ${left > 0 ? say("console.cards.left", { count: left }) : say("console.confirm")} <kbd aria-hidden="true">⏎</kbd></button>`}
    ${said("due")}
  </form>`;
}

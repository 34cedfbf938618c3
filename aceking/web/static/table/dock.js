// The dock: the clock, and the one action that is due now.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { minor, money, shown, typed } from "../money.js";
import { decimal } from "../exact.js";
import { Chip, VALUES, chipUnit } from "../parts/chip.js";
import { Clause } from "../parts/clause.js";
import { called, say } from "../words/words.js";
import { choiceOf } from "./coach.js";
import { actOf, hotkeyOf, isHarmless, keyOf, verb, wantsCard } from "./acts.js";

const SIGNS = { Enter: "⏎", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

export function Button({ id, name, hotkey, price, meaning, busy, fresh, closed, onAct, kind = "choice", said, clause, best }) {
  const early = useRef({}); // whether the pointer, or the key, was pressed before this choice could be taken
  const press = () => { early.current.pointer = fresh; };
  const key = (event) => {
    const takes = event.key === "Enter" || event.key === " ";
    if (takes && event.repeat) event.preventDefault(); // a key that is held takes nothing
    else early.current.key = takes && fresh;
  };
  const click = (event) => {
    if (event.detail > 1 || closed || busy || fresh) return; // the second click of a double click is no second request
    if (event.detail ? early.current.pointer : early.current.key) return; // the press began on what stood here before
    onAct();
  };
  return html`<div class="wrap"><button type="button" class=${`${kind} ${closed ? "closed" : ""} ${fresh ? "fresh" : ""} ${best ? "best" : ""}`} data-key=${hotkey} data-act=${id}
      aria-disabled=${Boolean(closed || busy || fresh)} aria-keyshortcuts=${hotkey} onPointerDown=${press} onKeyDown=${key} onBlur=${() => { early.current = {}; }} onClick=${click}>
    <b>${name}</b>${price && html`<span class="price">${price}</span>`}
    ${meaning !== undefined && html`<small>${closed || meaning}</small>`}
    ${hotkey && html`<kbd aria-hidden="true">${SIGNS[hotkey] ?? hotkey}</kbd>`}
  </button>${clause}${said(id)}</div>`;
}

// Chips onto the ante, or onto the spot of a side wager (`onto`), from where `leave` leads back.
export function Chips({ offer, posted, has, pending, setPending, place, busy, fresh, said, last, again, onto, leave }) {
  const group = useRef(null);
  useEffect(() => void (onto && group.current.focus()), [onto]);
  const least = minor(offer.least, posted.decimals);
  const unit = chipUnit(least, posted.decimals);
  const most = Math.min(offer.most ? minor(offer.most, posted.decimals) : Infinity, has);
  const low = pending < least;
  const id = keyOf(offer);
  const lies = { amount: money(pending, posted, { chips: true }), wager: onto };
  return html`<div class="chips" role="group" aria-label=${onto ? say("chips.onto", { wager: onto }) : say("chips")} tabindex="-1" ref=${group}>
      ${VALUES.map((value, place) => {
        const over = pending + value * unit > most;
        const label = say(over ? "chip.over" : "chip.add", { value: money(value * unit, posted, { chips: true }) });
        return html`<button type="button" class="chip-button" data-key=${place + 1} aria-disabled=${over}
          onClick=${() => !over && setPending(pending + value * unit)}><${Chip} value=${value} unit=${unit} decimals=${posted.decimals} /><span class="hidden">${label}</span>
          ${over && html`<small aria-hidden="true">${say("over")}</small>`}</button>`;
      })}
    </div>
    <div class="beside">
      ${last && last.ante + sidesOf(last) <= has && html`<${Button} id="again" kind="second" hotkey="S" said=${said} busy=${busy.has(id)} fresh=${fresh} onAct=${again}
        name=${say(sidesOf(last) ? "again.side" : "again", { amount: money(last.ante, posted, { chips: true }), side: money(sidesOf(last), posted, { chips: true }) })} />`}
      ${leave && html`<${Button} id="leave" kind="second" name=${say("replay.back")} hotkey="Escape" onAct=${leave} said=${() => null} />`}
      <${Button} id="clear" kind="second" name=${say("clear")} hotkey="0" onAct=${() => setPending(0)} closed=${!pending && " "} said=${() => null} />
      <${Button} id=${id} kind="first" hotkey="Enter" busy=${busy.has(id)} fresh=${fresh} said=${said}
        closed=${low ? say("ante.least", { amount: money(least, posted, { chips: true }) }) : ""}
        name=${low ? say("ante.least", { amount: money(least, posted, { chips: true }) }) : say(onto ? "side.place" : "ante.place", lies)}
        onAct=${() => place(offer, pending)} />
    </div>`;
}

// What lay beside the ante, all side wagers together.
const sidesOf = (last) => Object.values(last.sides).reduce((all, one) => all + one, 0);

export function BuyIn({ posted, purse, ask, busy, said, chips, compact }) {
  const [text, setText] = useState("");
  const units = typed(text, posted.decimals);
  const go = (event) => {
    event.preventDefault();
    if (units) ask("buy-in", { ask: "buy-in", amount: units }).then((reply) => reply && !reply.refused && setText(""));
  };
  const out = () => ask("cash-out", { ask: "cash-out", amount: chips });
  return html`<form class="buy-in" onSubmit=${go}>
    <label>${say("buy-in.how-much", { currency: posted.currency })}
      <input inputmode="decimal" maxlength="14" value=${text} onInput=${(event) => setText(event.target.value)}
        placeholder=${(20 * minor(posted.ante_min, posted.decimals)) / 10 ** posted.decimals} /></label>
    <button type="submit" class="plain-button" aria-disabled=${!units || busy.has("buy-in")}>${say("buy-in")}</button>
    ${!compact && chips > 0 && html`<button type="button" class="plain-button" aria-disabled=${busy.has("cash-out")}
      onClick=${(event) => event.detail < 2 && out()}>${say("cash-out", { amount: money(chips, posted) })}</button>`}
    ${purse !== undefined && html`<small>${say("purse.has", { amount: shown(purse, posted) })}</small>`}
    ${said("buy-in")}${said("cash-out")}
  </form>`;
}

// What an offer costs: all that is lost where the hand is given up, else the chips that are staked with it.
const priceOf = (offer, posted) => {
  if (offer.loses) return `−${shown(offer.loses, posted, { chips: true })}`;
  if (offer.do === "side-bet") return shown((offer.amount ?? offer.least).replace("-", ""), posted, { chips: true });
  return offer.amount && !offer.amount.startsWith("-") ? shown(offer.amount, posted, { chips: true }) : "";
};

export function Choices({ offers, posted, phase, card, act, busy, fresh, said, governs, open, coach }) {
  return html`<div class="choices" data-count=${offers.length}>${offers.map((offer) => {
    const id = keyOf(offer);
    const price = priceOf(offer, posted);
    const needs = wantsCard(offer) && !card ? say(`card.first.${offer.do}`) : "";
    const hotkey = offer.go_on !== undefined ? (offer.go_on ? "G" : "T") : offer.antes ? String(offer.antes) : hotkeyOf(offer);
    const name = verb(offer, wantsCard(offer) ? card : null);
    const worth = coach.on ? coach.values?.values[choiceOf(offer, card)] : undefined;
    const meaning = offer.antes ? say("meaning.bet.antes", { count: offer.antes }) : called("meaning", offer.go_on !== undefined ? `${offer.do}.${offer.go_on}` : offer.do);
    return html`<${Button} key=${id} id=${id} name=${name} hotkey=${hotkey} price=${price} closed=${needs} best=${worth !== undefined && choiceOf(offer, card) === coach.values.best}
      meaning=${worth === undefined ? meaning : `${decimal(worth, 6)} ${say("coach.antes")}`} busy=${busy.has(id)} fresh=${fresh && !isHarmless(offer)} said=${said}
      clause=${html`<${Clause} id=${governs?.[offer.do]} from=${name} open=${open} />`}
      onAct=${() => act(offer, actOf(offer, { card, phase, decimals: posted.decimals }))} />`;
  })}</div>`;
}

// The boxes as the dealer sees them, the first on the left. The dealer enters the acts of players here.
import { html, useState } from "../vendor/preact-htm.js";
import { minor, money, shown, typed } from "../money.js";
import { numberOf } from "../parts/deck.js";
import { SmallCard } from "../parts/card.js";
import { hotkeyOf, keyOf, verb } from "../table/acts.js";
import { Button } from "../table/dock.js";
import { called, say } from "../words/words.js";
import { CardKeys, useCards } from "./keys.js";

export function Boxes({ rail, chosen, choose, entries }) {
  const { posted, common } = rail;
  return html`<ol class="dealer-boxes" style=${{ "--n": posted.boxes }} aria-label=${say("console.boxes")}>
    ${Array.from({ length: posted.boxes }, (_, place) => place + 1).map((number) => {
      const box = (common.boxes ?? []).find((one) => one.box === number);
      const player = rail.seats[number] ?? box?.player;
      const owes = entries.some((one) => one.offer.box === number && one.offer.do !== "ante" && one.offer.do !== "side-bet");
      const sides = (box?.sides ?? []).filter((one) => one.stake !== "0");
      const state = box?.out ? called("out", box.out) : box?.net !== undefined ? shown(box.net, posted, { chips: true, signed: true })
        : box?.choice ? called("choice", box.choice) : owes ? say("deciding") : "";
      return html`<li key=${number}><button type="button" aria-pressed=${chosen === number} class=${`${player ? "" : "open"} ${owes ? "awaited" : ""}`}
          data-box=${number} onClick=${() => choose(chosen === number ? null : number)}>
        <span class="head"><b>${player ?? say("console.open-box")}</b><i>${number}</i></span>
        ${player && html`<span class="row2"><span>${say("wager.ante")}</span><b>${box && box.ante !== "0" ? shown(box.ante, posted, { chips: true }) : "–"}</b></span>
          <span class="row2"><span>${say("wager.bet")}</span><b>${box && box.bet && box.bet !== "0" ? shown(box.bet, posted, { chips: true }) : "–"}</b></span>
          ${box?.fee && box.fee !== "0" && html`<span class="row2"><span>${say("wager.exchange")}</span><b>${shown(box.fee, posted, { chips: true })}</b></span>`}
          ${sides.map((side) => html`<span class="row2" key=${side.wager}><span>${called("wager", side.wager)}</span><b>${shown(side.stake, posted, { chips: true })}</b></span>`)}
          ${(box?.cards ?? []).length > 0 && html`<span class="small-hand">${box.cards.map((name, place) => html`<${SmallCard} key=${place} name=${name} />`)}</span>`}
          <em>${state}</em>`}
      </button></li>`;
    })}</ol>`;
}

// What may be entered for one box: bets with their amounts, looks, decisions; the cards that an act names. For cards
// that are given away the next of the deck come: they are entered too before the exchange is on the record.
export function Entries({ number, rail, entries, busy, said, act, send, on, close }) {
  const { posted, common } = rail;
  const player = rail.seats[number];
  const all = entries.filter((one) => one.offer.box === number);
  const [given, setGiven] = useState(null); // the exchange that waits for its new cards
  const entry = useCards(Math.max(0, ...all.filter((one) => one.card).map((one) => one.offer.count ?? 1)), { on: on && !given });
  // Of an exchange of several cards that one is shown which takes as many as are entered.
  const own = all.filter((one) => one.offer.do !== "exchange" || (one.offer.count ?? 1) === Math.max(1, entry.cards.length));
  const several = all.some((one) => one.offer.count);
  const enter = ({ offer, player: who, card }, { amount, taken } = {}) => {
    const told = { do: offer.do, box: number, ...(taken && { take: taken }) };
    if (offer.wager) told.wager = offer.wager;
    if (offer.least) told.amount = amount;
    else if (offer.do === "ante" || offer.do === "side-bet" || (offer.do === "bet" && (common.phase !== "deciding" || offer.antes))) told.amount = minor(offer.amount, posted.decimals);
    if (card) told[{ exchange: "give", discard: "card" }[offer.do] ?? "discard"] = offer.do === "exchange" ? entry.cards.map(numberOf) : numberOf(entry.cards[0]);
    if (offer.do === "choose") Object.assign(told, { question: offer.question, go_on: offer.go_on });
    if (offer.do === "buy-dealer-card") told.buys = offer.go_on;
    return act(`entry/${keyOf(offer)}`, { ask: "act", act: told, player: who });
  };
  if (!player) return html`<${Seat} number=${number} busy=${busy} said=${said} send=${send} />`;
  if (given) {
    return html`<${Taken} one=${given} gave=${entry.cards} on=${on} busy=${busy} said=${said} leave=${() => setGiven(null)} enter=${(taken) => enter(given, { taken })} />`;
  }
  return html`<section class="entries" aria-labelledby="entries-title">
    <h2 id="entries-title">${say("console.entry", { box: number, player })} <small>${say("console.chips", { amount: shown(rail.chips[player] ?? "0", posted) })}</small>
      <button type="button" class="plain-button" onClick=${close}>${say("close")} <kbd aria-hidden="true">Esc</kbd></button></h2>
    ${own.filter((one) => one.offer.least).map((one) => html`<${Stake} key=${keyOf(one.offer)} one=${one} posted=${posted} said=${said} enter=${enter} />`)}
    ${entry.many > 0 && html`<p>${say(several ? "console.cards-of" : "console.card-of")}</p><${CardKeys} entry=${entry} />`}
    <div class="choices">${own.filter((one) => !one.offer.least).map((one) => {
      const needs = one.card && !entry.cards.length;
      return html`<${Button} key=${keyOf(one.offer)} id=${`entry/${keyOf(one.offer)}`} kind="plain-button" name=${verb(one.offer, one.card ? entry.cards.join(" ") : null)}
        price=${one.offer.amount ? shown(one.offer.amount, posted, { chips: true }) : ""} closed=${needs ? say("console.card-first") : ""} meaning=${needs ? "" : undefined}
        busy=${busy.has(`entry/${keyOf(one.offer)}`)} said=${said} hotkey=${one.offer.do === "exchange" ? hotkeyOf(one.offer) : undefined} onAct=${() => (one.offer.do === "exchange" ? setGiven(one) : enter(one))} />`;
    })}</div>
    ${own.length === 0 && html`<p>${say("console.no-entry")}</p>`}
    <${Cash} number=${number} player=${player} posted=${posted} busy=${busy} said=${said} send=${send} />
  </section>`;
}

// The cards that come for those that were given away, in their order.
function Taken({ one, gave, on, busy, said, leave, enter }) {
  const entry = useCards(gave.length, { out: gave, on });
  const left = gave.length - entry.cards.length;
  const id = `entry/${keyOf(one.offer)}`;
  return html`<section class="entries" aria-labelledby="entries-title"><h2 id="entries-title">${verb(one.offer, gave.join(" "))}
      <button type="button" class="plain-button" onClick=${leave}>${say("replay.back")}</button></h2>
    <p>${say("console.taken", { count: gave.length })}</p><${CardKeys} entry=${entry} out=${gave} />
    <button type="button" class="act big" data-key="Enter" data-act=${id} aria-disabled=${left > 0 || busy.has(id)}
      onClick=${(event) => event.detail < 2 && left === 0 && !busy.has(id) && enter(entry.cards.map(numberOf))}>
      ${left > 0 ? say("console.cards.left", { count: left }) : say("console.confirm")} <kbd aria-hidden="true">⏎</kbd></button>${said(id)}</section>`;
}

// A stake within limits: the ante, or a side wager that the book has by name.
function Stake({ one, posted, said, enter }) {
  const { offer } = one;
  const [text, setText] = useState("");
  const amount = typed(text, posted.decimals);
  const place = (event) => {
    event.preventDefault();
    if (amount !== null) enter(one, { amount });
  };
  return html`<form class="one-line" onSubmit=${place}><label>${called("wager", offer.wager ?? offer.do)}
      <input inputmode="decimal" autocomplete="off" value=${text} maxlength="12" placeholder=${offer.least} onInput=${(event) => setText(event.target.value)} data-stake=${offer.wager ?? offer.do} /></label>
    <button type="submit" class="act" aria-disabled=${amount === null}>${say("console.enter")}</button>${said(`entry/${keyOf(offer)}`)}</form>`;
}

function Seat({ number, busy, said, send }) {
  const [name, setName] = useState("");
  const go = (event) => {
    event.preventDefault();
    if (name.trim()) send("seat", { ask: "sit", box: number, player: name.trim() }).then((reply) => reply && !reply.refused && setName(""));
  };
  return html`<section class="entries" aria-labelledby="entries-title"><h2 id="entries-title">${say("console.seat")} <small>${say("console.box", { box: number })}</small></h2>
    <form class="one-line" onSubmit=${go}><label>${say("console.seat.name")}<input name="seat" autocomplete="off" maxlength="40" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
    <button type="submit" class="act" aria-disabled=${!name.trim() || busy.has("seat")}>${say("sit")}</button>${said("seat")}</form></section>`;
}

function Cash({ number, player, posted, busy, said, send }) {
  const [text, setText] = useState("");
  const units = typed(text, posted.decimals);
  const go = (event) => {
    event.preventDefault();
    if (units) send("cash", { ask: "buy-in", amount: units, player }).then((reply) => reply && !reply.refused && setText(""));
  };
  return html`<form class="one-line" onSubmit=${go}><label>${say("console.cash")}<input name="cash" inputmode="decimal" autocomplete="off" maxlength="14" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <button type="submit" class="plain-button" aria-disabled=${!units || busy.has("cash")}>${say("console.take-cash")}${units ? ` ${money(units, posted, { chips: true })}` : ""}</button>
    <button type="button" class="plain-button" aria-disabled=${busy.has("leave")} onClick=${(event) => event.detail < 2 && send("leave", { ask: "rise", box: number, player })}>${say("console.leave", { box: number })}</button>
    ${said("cash")}${said("leave")}</form>`;
}

// The felt: the dealer's cards, the print of the cloth, the boxes from last to first, and the player's own cards.
import { html } from "../vendor/preact-htm.js";
import { minor, shown } from "../money.js";
import { Card, Place, SmallCard, named } from "../parts/card.js";
import { Stack } from "../parts/chip.js";
import { Clause } from "../parts/clause.js";
import { heldWords } from "../words/hands.js";
import { called, say } from "../words/words.js";
import { factWords } from "./panel.js";
import { SideSpots } from "./sides.js";

const places = (count) => Array.from({ length: count }, (_, place) => html`<${Place} key=${place} />`);

export function DealerRow({ common, printed, open }) {
  const community = Boolean(printed.community);
  const cards = (community ? common.community : common.dealer) ?? [];
  const size = community ? printed.community : printed.cards;
  const told = community
    ? say("community", { count: printed.community })
    : common.dealer_words
      ? say("dealer.has", { words: heldWords(common.dealer_words) ?? common.dealer_words })
      : common.up ? say("dealer.shows", { card: named(common.up) }) : say("dealer");
  const fact = (printed.facts ?? []).find((one) => one.what.startsWith("qualifies"));
  return html`<section class="dealer" aria-label=${told}>
    <p class="told"><b>${told}</b>
      ${common.round ? html`<span>${say("round", { number: common.round })}</span>` : null}
      ${common.dealer_qualifies !== undefined && fact
        ? html`<span>${say(common.dealer_qualifies ? "qualifies.yes" : "qualifies.no")}
            <${Clause} id=${fact.clause} from=${told} open=${open} /></span>`
        : html`<span>${common.phase ? called("phase", common.phase) : say("table.closed")}</span>`}</p>
    <div class="hand">${cards.length
      ? cards.map((name, place) => html`<${Card} key=${`${common.round}-${place}-${name}`} name=${name} at=${place} />`)
      : places(size)}
      ${common.bought ? html`<${Card} key=${`${common.round}-bought`} name=${common.bought} at=${0} mark=${say("wager.bought")} />` : null}</div>
  </section>`;
}

export function Words({ printed }) {
  const told = (printed.facts ?? []).map(factWords);
  return html`<p class="cloth-words">${told.map((one, place) => html`${place > 0 && html`<i aria-hidden="true"> · </i>`}<span>${one}</span>`)}</p>`;
}

export function Boxes({ rail, printed, me, mine, active, choose, sit, busy, said, pending, hands }) {
  const count = rail.posted.boxes;
  const numbers = Array.from({ length: count }, (_, place) => count - place);
  const middle = (count - 1) / 2;
  return html`<ol class="boxes-row" style=${{ "--n": count }} data-narrow=${count > 12} aria-label=${say("boxes")} tabindex=${me.role === "player" ? null : 0}>
    ${numbers.map((number, place) => {
      const dip = middle ? 1 - ((place - middle) / middle) ** 2 : 0;
      return html`<li key=${number} style=${{ "--dip": dip.toFixed(3) }}>
        <${Box} number=${number} rail=${rail} printed=${printed} me=${me} mine=${mine.includes(number)}
          active=${active === number} choose=${choose} sit=${sit} busy=${busy} said=${said}
          pending=${active === number ? pending : 0} hands=${active === number ? hands : null} /></li>`;
    })}</ol>`;
}

function Spot({ what, amount, posted, label, dashed }) {
  const units = amount ? minor(amount, posted.decimals) : 0;
  return html`<span class="spot ${what} ${units ? "" : "empty"} ${dashed ? "dashed" : ""}">
    ${units ? html`<${Stack} units=${units} posted=${posted} />
      <span class="sum"><span class="hidden">${label} </span>${shown(amount, posted, { chips: true })}</span>` : html`<em>${label}</em>`}</span>`;
}

function Light({ side, printed, posted }) {
  if (!printed.side) return null;
  const on = side && side.stake !== "0";
  const kind = printed.side.wager === "bonus" ? "diamond" : "light";
  const state = !on ? "off" : !side.lit ? "dark" : "lit";
  return html`<span class="side ${kind} ${on ? "on" : "off"} ${state}"><i aria-hidden="true"></i>
    <span>${on ? say(`side.${kind}.on`, { stake: shown(side.stake, posted, { chips: true }) }) : say(`side.${kind}.off`)}</span></span>`;
}

function Box({ number, rail, printed, me, mine, active, choose, sit, busy, said, pending, hands }) {
  const { posted, common } = rail;
  const box = (common.boxes ?? []).find((one) => one.box === number);
  const player = rail.seats[number] ?? box?.player;
  if (!player) {
    return html`<div class="box open">
      <span class="spot ante empty"><em>${say("wager.ante")}</em></span>
      ${me.role === "player" && rail.posted.mode === "electronic"
        ? html`<button type="button" class="sit" aria-disabled=${busy.has(`sit/${number}`)}
            onClick=${(event) => event.detail < 2 && sit(number)}>
            ${say("sit")} <span class="hidden">${say("sit.at")}</span> <b>${number}</b></button>`
        : html`<p class="who"><span>${say("box", { box: number })}</span></p>`}
      ${said(`sit/${number}`)}
    </div>`;
  }
  const away = (rail.away ?? []).includes(player);
  const owes = common.phase === "deciding" && box && !box.choice && !box.out;
  const state = box?.out ? called("out", box.out)
    : box?.net !== undefined && box?.net !== null ? say("net", { amount: shown(box.net, posted, { chips: true, signed: true }) })
    : box?.choice ? called("choice", box.choice)
    : away ? say("away") : owes ? say("deciding") : (rail.ready ?? []).includes(player) ? say("ready") : say("box", { box: number });
  const ante = box?.ante && box.ante !== "0" ? box.ante : null;
  const cards = box?.cards ?? [];
  const inside = html`
      <${Light} side=${box?.sides?.find((one) => one.wager === printed.side?.wager)} printed=${printed} posted=${posted} />
      <${Spot} what="ante" amount=${ante ?? (pending ? String(pending / 10 ** posted.decimals) : null)} posted=${posted}
        label=${say("wager.ante")} dashed=${!ante && pending} />
      <${Spot} what="bet" amount=${box?.bet !== "0" ? box?.bet : null} posted=${posted} label=${say("wager.bet")} dashed=${mine && owes} />
      ${printed.exchange && html`<${Spot} what="exchange" amount=${box?.fee !== "0" ? box?.fee : null} posted=${posted} label=${say("wager.exchange")} />`}
      <${SideSpots} printed=${printed} box=${box} posted=${posted} hands=${hands} />
      ${cards.length > 0 && !active && html`<span class="small-hand">${cards.map((name, place) => html`<${SmallCard} key=${place} name=${name} />`)}</span>`}
      <span class="who"><b>${mine ? say("you") : player}</b><span>${state}</span></span>`;
  const kind = `box ${mine ? "mine" : "other"} ${active ? "active" : ""} ${owes ? "awaited" : ""} ${box?.gave_up ? "folded" : ""}`;
  return mine && !active
    ? html`<button type="button" class=${kind} onClick=${() => choose(number)}><span class="hidden">${say("box.play", { box: number })}</span>${inside}</button>`
    : html`<div class=${kind}>${inside}</div>`;
}

// One's own cards: what one has looked at, else their backs.
export function OwnHand({ box, own, printed, pickable, picked, pick, round, words, unseen, seated }) {
  const cards = own?.cards?.length ? own.cards : box?.cards ?? [];
  const gone = own?.discard?.split(" ") ?? [];
  const chosen = (name) => (picked ?? "").split(" ").includes(name);
  const marks = (name) => (gone.includes(name) ? say("aside") : pickable && chosen(name) ? say("picked") : null);
  return html`<section class="own" aria-label=${say("own.cards")}>
    <p class="words" lang=${words.lang}>${unseen ? say("own.unseen") : words.text}</p>
    <div class="hand">${cards.length
      ? cards.map((name, place) => html`<${Card} key=${`${round}-${place}-${name}`} name=${name} at=${place + 5} mark=${marks(name)}
          aside=${gone.includes(name)} picked=${pickable && chosen(name)} number=${place + 1}
          onPick=${pickable && !gone.includes(name) ? () => pick(name) : undefined} />`)
      : seated ? places(printed.cards) : null}</div>
  </section>`;
}

// Enters cards by keys, first rank, then suit, or by the card keyboard on the page.
import { html, useLayoutEffect, useState } from "../vendor/preact-htm.js";
import { Card, named, short } from "../parts/card.js";
import { ROWS, rankOf, suitOf } from "../parts/deck.js";
import { say } from "../words/words.js";

const writing = (event) => event.target.closest?.("input, select, textarea, .sheet, .wrong");

// `many`: how many are wanted; `out`: cards that lie face up already; `on`: whether keys are read.
export function useCards(many, { out = [], on = true } = {}) {
  const [cards, setCards] = useState([]);
  const [rank, setRank] = useState(null);
  const add = (name) => {
    setRank(null);
    setCards((before) => (before.length < many && !before.includes(name) && !out.includes(name) ? [...before, name] : before));
  };
  const back = () => (rank ? setRank(null) : setCards((before) => before.slice(0, -1)));
  // Before anything is drawn: the place of a card is enough to type it.
  useLayoutEffect(() => {
    if (!on || !many) return undefined;
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || writing(event)) return;
      const suit = rank && suitOf(event.key);
      if (event.key === "Backspace") back();
      else if (suit) add(rank + suit);
      else if (rankOf(event.key) && cards.length < many) setRank(rankOf(event.key));
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [on, many, rank, cards, out.join()]);
  return { cards, rank, add, back, many };
}

export function CardKeys({ entry, out = [] }) {
  const { cards, rank, add, back, many } = entry;
  const left = many - cards.length;
  return html`<div class="card-keys">
    <div class="entered" role="status" aria-label=${say("console.entered")}>
      ${cards.map((name, place) => html`<${Card} key=${name} name=${name} at=${place} />`)}
      ${left > 0 && html`<span class="card place now" aria-hidden="true">${rank === "T" ? "10" : rank ?? ""}_</span>`}
      <p>${say("console.type", { keys: "4 S" })}</p></div>
    <div class="keyboard">${ROWS.map((row) => html`<div>${row.map((name) => {
      const gone = cards.includes(name) || out.includes(name);
      return html`<button type="button" data-card=${name} data-suit=${name[1]} aria-disabled=${gone || left === 0} class=${gone ? "gone" : ""}
        onClick=${() => !gone && left > 0 && add(name)}><span aria-hidden="true">${short(name)}</span><span class="hidden">${named(name)}</span></button>`;
    })}</div>`)}</div>
    <button type="button" class="plain-button" aria-disabled=${!cards.length && !rank} onClick=${back}>${say("console.back")} <kbd aria-hidden="true">⌫</kbd></button>
  </div>`;
}

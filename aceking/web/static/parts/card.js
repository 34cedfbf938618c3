// A card: face, back or empty place, with its full name for screen readers.
import { html } from "../vendor/preact-htm.js";
import { called, say } from "../words/words.js";
import { settings } from "../settings.js";

const base = new URL("../cards/", import.meta.url).pathname;
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const named = (name) =>
  say("card", { rank: called("rank", name[0]), suit: called("suit", name[1]) });

export const short = (name) => `${name[0] === "T" ? "10" : name[0]}${SIGNS[name[1]]}`;

export const face = (name) =>
  `${base}${settings.deck === "four" && "cd".includes(name[1]) ? "four/" : ""}${name}.svg`;

// `at`: when its turn in the deal is; `mark`: words under it; `onPick`: it may be picked.
export function Card({ name, at = 0, mark, picked, aside, onPick, number }) {
  const label = name ? named(name) : say("card.back");
  const picture = html`<img src=${name ? face(name) : `${base}back.svg`} alt=${label} draggable=${false} />`;
  const kind = `card ${name ? "up" : "down"} ${picked ? "picked" : ""} ${aside ? "aside" : ""}`;
  const style = { "--at": at };
  if (!onPick) return html`<span class=${kind} style=${style}>${picture}${mark && html`<small>${mark}</small>`}</span>`;
  return html`<button type="button" class=${kind} style=${style} aria-pressed=${Boolean(picked)} data-key=${number}
      onClick=${onPick}>
    ${picture}${number && html`<kbd aria-hidden="true">${number}</kbd>`}${mark && html`<small>${mark}</small>`}</button>`;
}

export const Place = () => html`<span class="card place" aria-hidden="true"></span>`;

// Under 44 pixels a picture says nothing: rank and suit as text.
export function SmallCard({ name }) {
  if (!name) return html`<span class="small-card down"><span class="hidden">${say("card.back")}</span></span>`;
  return html`<span class="small-card" data-suit=${name[1]}><span aria-hidden="true">${short(name)}</span>
    <span class="hidden">${named(name)}</span></span>`;
}

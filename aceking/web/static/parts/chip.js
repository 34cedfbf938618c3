// A chip: its value is shown by number, colour and marks on its edge.
import { minor } from "../money.js";
import { POINT, grouped } from "../numbers.js";
import { html } from "../vendor/preact-htm.js";

export const VALUES = [1, 5, 25, 100, 500];
const MARKS = { 1: 4, 5: 6, 25: 8, 100: 10, 500: 12 };

// What the smallest chip is worth, in minor units: one of the currency, or ten times more or less where bets begin much
// higher or below it.
export function chipUnit(least, decimals) {
  let unit = 10 ** decimals;
  while (unit > least && unit > 1) unit /= 10;
  while (least > 100 * unit) unit *= 10;
  return unit;
}

export const tableUnit = (posted) => chipUnit(minor(posted.ante_min, posted.decimals), posted.decimals);

function figure(units, decimals) {
  const size = 10 ** decimals;
  if (units % size) return (units / size).toFixed(decimals).replace(/0+$/, "").replace(/^0/, "").replace(".", POINT);
  return units / size < 10000 ? grouped(units / size) : `${grouped(units / size / 1000)}k`;
}

export function Chip({ value, unit, decimals }) {
  const text = figure(value * unit, decimals);
  const turns = Array.from({ length: MARKS[value] }, (_, place) => (360 / MARKS[value]) * place);
  return html`<svg class="chip" data-value=${value} viewBox="-32 -32 64 64" aria-hidden="true">
    <circle class="body" r="31" />
    ${turns.map((one) => html`<rect class="mark" x="-4" y="-31" width="8" height="8" transform="rotate(${one})" />`)}
    <circle class="ring" r="21" /><text y="7" text-anchor="middle" data-digits=${text.length}>${text}</text></svg>`;
}

// The chips of an amount in units of the smallest, largest first, six at the most: the sum stands beside them.
export function stackOf(units) {
  const found = [];
  let rest = units;
  for (const value of [...VALUES].reverse()) {
    for (; rest >= value && found.length < 6; rest -= value) found.push(value);
  }
  return found.length ? found : [1];
}

export function Stack({ units, posted }) {
  const unit = tableUnit(posted);
  const values = stackOf(Math.floor(units / unit));
  return html`<span class="stack" aria-hidden="true">
    ${values.map((value, place) => html`<span style=${{ "--up": place }}><${Chip} value=${value} unit=${unit} decimals=${posted.decimals} /></span>`)}</span>`;
}

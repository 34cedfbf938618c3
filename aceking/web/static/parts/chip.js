// A chip: its value by figure, by colour and by the number of marks on its edge.
import { html } from "../vendor/preact-htm.js";

export const VALUES = [1, 5, 25, 100, 500];
const MARKS = { 1: 4, 5: 6, 25: 8, 100: 10, 500: 12 };

export function Chip({ value }) {
  const turns = Array.from({ length: MARKS[value] }, (_, place) => (360 / MARKS[value]) * place);
  return html`<svg class="chip" data-value=${value} viewBox="-32 -32 64 64" aria-hidden="true">
    <circle class="body" r="31" />
    ${turns.map((one) => html`<rect class="mark" x="-4" y="-31" width="8" height="8" transform="rotate(${one})" />`)}
    <circle class="ring" r="21" /><text y="7" text-anchor="middle">${value}</text></svg>`;
}

// The chips of an amount in whole units, largest first, six at the most: the sum stands beside them.
export function stackOf(units) {
  const found = [];
  let rest = units;
  for (const value of [...VALUES].reverse()) {
    for (; rest >= value && found.length < 6; rest -= value) found.push(value);
  }
  return found.length ? found : [1];
}

export function Stack({ units }) {
  const values = stackOf(units);
  return html`<span class="stack" aria-hidden="true">
    ${values.map((value, place) => html`<span style=${{ "--up": place }}><${Chip} value=${value} /></span>`)}</span>`;
}

// Common parts of plots. A plot is drawn in the width of its place, so that its text keeps the normal size.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { local } from "../numbers.js";

const HEIGHT = 220;
export const LEFT = 48;
export const RIGHT = 20;
export const TOP = 26;
export const BOTTOM = 36;

export function Picture({ label, draw, height = HEIGHT }) {
  const frame = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([one]) => setWidth(Math.floor(one.contentRect.width)));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  return html`<div class="picture" ref=${frame} style=${{ height: `${height}px` }}>
    ${width > 0 && html`<svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>${draw(width, height)}</svg>`}</div>`;
}

// Round numbers between two, four or five of them.
export function ticks(low, high) {
  const rough = (high - low) / 4 || 1;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * size).find((one) => one >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(Number(at.toPrecision(12)));
  return { found, places: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

const shownTick = (value, places) => `${value < 0 ? "−" : ""}${local(Math.abs(value).toFixed(places))}`;

export function scale(low, high, from, to) {
  return (value) => from + ((value - low) / (high - low || 1)) * (to - from);
}

export function Grid({ marks, y, width, left = LEFT, shown = shownTick }) {
  return marks.found.map((one) => html`<g key=${one}><line class=${one === 0 ? "axis" : "grid"} x1=${left} x2=${width - RIGHT} y1=${y(one)} y2=${y(one)} />
    <text x=${left - 8} y=${y(one) + 4} text-anchor="end">${shown(one, marks.places)}</text></g>`);
}

// The strategy chart: marks and hatching show the best choice, the tint shows how much it matters.
import { html, useState } from "../vendor/preact-htm.js";
import { decimal, near, percent, times } from "../exact.js";
import { called, say } from "../words/words.js";
import { useCounted } from "./state.js";

// How a decision is drawn. One that is not listed is written out.
const LOOKS = {
  bet: ["+", "filled"], fold: ["−", "hatched"], exchange: ["⇄", "dotted"], declare: ["!", "ringed"],
  "bet, lay aside the lowest": ["↓", "filled"], "bet, lay aside the middle": ["→", "dotted"], "bet, lay aside the highest": ["↑", "crossed"],
  "stay, lay aside the lowest": ["↓", "hatched"], "stay, lay aside the middle": ["→", "hatched"], "stay, lay aside the highest": ["↑", "hatched"],
};
const look = (name) => LOOKS[name] ?? [name, "hatched"];
const rank = (text) => text.replaceAll("T", "10");
const most = (best) => Object.entries(best).sort((left, right) => near(right[1]) - near(left[1]))[0];

// Hundredths of an ante; below one of them a decimal more.
function hundredths(margin) {
  const size = near(margin) * 100;
  return decimal(times(margin, "100"), size < 0.95 ? 1 : 0);
}

function Cell({ cell, pick, picked }) {
  if (cell.margin === undefined) return html`<td class="none"></td>`;
  const [name, share] = most(cell.best);
  const [mark, kind] = look(name);
  const parted = near(share) < 1;
  const words = `${Object.entries(cell.best).map(([one, part]) => (parted ? `${called("decision", one)} ${percent(part, 0)}` : called("decision", one))).join(", ")}`;
  const weight = Math.min(0.62, 0.12 + near(cell.margin) * 0.6);
  return html`<td class=${`${kind} ${parted ? "parted" : ""} ${picked ? "picked-cell" : ""}`} style=${{ "--weight": weight }} title=${words} onClick=${pick}>
    <span aria-hidden="true">${mark}${hundredths(cell.margin)}</span><span class="hidden">${words}, ${hundredths(cell.margin)}</span></td>`;
}

export function Chart({ book, text, dealer, parts }) {
  const [whole, setWhole] = useState(false);
  const more = new URLSearchParams(text);
  if (whole) more.set("whole", "true");
  const { found, busy, wrong, of } = useCounted(`/api/lab/chart/${book}?${more}`, { wait: 700 });
  const [picked, pick] = useState(null);
  const here = found && of?.startsWith(`/api/lab/chart/${book}?`) ? found : null;
  const names = here ? [...new Set(here.rows.flatMap((row) => row.cells.flatMap((cell) => Object.keys(cell.best ?? {}))))] : [];
  const cell = picked && here?.rows[picked[0]]?.cells[picked[1]];
  return html`<section class="wide"><div class="head"><h2>${say(dealer ? "lab.chart" : "lab.chart.three")}</h2><span class="note">${say("lab.chart.note")}</span></div>
    ${wrong && html`<p class="refusal" lang="en">${wrong}</p>`}
    <p class="note" role="status">${busy || !here ? say("lab.counting") : html`<span lang="en">${here.says}</span>`}</p>
    ${names.length > 0 && html`<ul class="legend">${names.map((name) => html`<li key=${name}><i class=${look(name)[1]}>${look(name)[0]}</i> ${called("decision", name)}</li>`)}</ul>`}
    ${here && here.rows.length > 0 && html`<div class="chart-frame" role="region" tabindex="0" aria-label=${say("lab.chart.scroll")} aria-busy=${busy}>
      <table class="chart"><thead><tr><th scope="col" class="corner">${say(dealer ? "lab.chart.corner" : "lab.chart.corner.three")}</th>${here.columns.map((one) => html`<th key=${one} scope="col">${rank(one)}</th>`)}</tr></thead>
        <tbody>${here.rows.map((row, down) => html`<tr key=${row.name}><th scope="row" lang="en">${rank(row.name)}</th>
          ${row.cells.map((one, across) => html`<${Cell} key=${across} cell=${one} picked=${picked?.[0] === down && picked?.[1] === across} pick=${() => pick([down, across])} />`)}</tr>`)}</tbody></table></div>`}
    <p class="note picked-words" role="status">${cell?.margin !== undefined && cell ? html`<span lang="en">${rank(here.rows[picked[0]].name)}</span> · ${rank(here.columns[picked[1]])}:
      ${Object.entries(cell.best).map(([one, part]) => `${called("decision", one)} ${percent(part, 2)}`).join(", ")}; ${say("lab.chart.costs", { antes: decimal(cell.margin, 6) })}` : " "}</p>
    ${parts && html`<label class="tick"><input type="checkbox" checked=${whole} onChange=${(event) => setWhole(event.target.checked)} /> ${say("lab.chart.whole")}</label>`}
  </section>`;
}

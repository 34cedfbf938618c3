// The big display of a meter: its value, PENDING, the awards, and the last hits.
import { html, useEffect } from "../vendor/preact-htm.js";
import { minor, money, shown, sign } from "../money.js";
import { useFloor } from "./lobby.js";
import { useOnce } from "../table/state.js";
import { counted, times } from "../exact.js";
import { POINT } from "../numbers.js";
import { called, language, say } from "../words/words.js";
import "../words/staff.js";

export function MeterPage({ id }) {
  const { floor, here } = useFloor();
  const meter = floor?.meters.find((one) => one.id === id);
  useEffect(() => void (document.title = `${say("meter.of", { name: id })} · AceKing`), []);
  if (!floor) return html`<main class="meter-display"><p role="status">${say("wait")}</p></main>`;
  if (!meter) return html`<main class="meter-display"><h1>${say("meters.unknown", { meter: id })}</h1><p><a href="/">${say("lobby")}</a></p></main>`;
  // What the same tables feed besides.
  const others = floor.meters.filter((one) => one !== meter && one.phase === "open" && (one.tables ?? []).some((table) => (meter.tables ?? []).includes(table)));
  return html`<${Display} meter=${meter} others=${others} currencies=${floor.currencies} here=${here} />`;
}

function Display({ meter, others, currencies, here }) {
  const of = ({ currency }) => ({ currency, decimals: currencies[currency] });
  const how = of(meter);
  const text = shown(meter.value, how).slice(sign(meter.currency).length);
  const [whole, part] = text.split(POINT);
  const pending = meter.pending ?? [];
  const tables = meter.tables ?? [];
  return html`<main class="meter-display" data-value=${meter.value}>
    <header><h1>${say("meter.of", { name: meter.id })}</h1><p>${tables.join("  ")}</p></header>
    <div class="now"><p class="value" style=${{ "--digits": whole.length }}><span class="hidden">${shown(meter.value, how)}</span><span aria-hidden="true"><sup>${sign(meter.currency)}</sup>${whole}${part && html`<sup>${POINT}${part}</sup>`}</span></p>
      ${pending.map((one) => html`<div class="pending" role="status"><b>${say("meters.pending", { table: one.table })}</b><span>${shown(one.amount, how)}</span><small>${say("box", { box: one.seat })}</small></div>`)}</div>
    ${others.length > 0 && html`<ul class="others" aria-label=${say("meters.others")}>${others.map((one) => html`<li key=${one.id} data-other=${one.id}><a href="/meter/${one.id}">${say("meter.of", { name: one.id })}</a>
      <b>${shown(one.value, of(one))}</b>${one.must_hit_by && html` <small>${say("meter.must-hit", { amount: shown(one.must_hit_by, of(one)) })}</small>`}</li>`)}</ul>`}
    ${meter.must_hit_by && html`<${MustHit} meter=${meter} how=${how} />`}
    ${tables.length > 0 && !meter.must_hit_by && html`<${Awards} table=${tables[0]} value=${meter.value} how=${how} />`}
    <footer><ul>${[...(meter.hits ?? [])].reverse().slice(0, 3).map((one) => html`<li>${new Date(one.at).toLocaleDateString(language())} ${called("hand", one.hand.replaceAll("_", " "))}, ${one.table}: <b>${shown(one.amount, how)}</b></li>`)}</ul>
      <p>${!here ? say("lost") : meter.phase === "open" ? "" : called("meter", meter.phase)}</p><p>AceKing</p></footer>
  </main>`;
}

// No hand wins this one: by when it is won, and what the house has committed to.
function MustHit({ meter, how }) {
  return html`<dl><div><dt>${say("meters.must-hit")}</dt><dd>${shown(meter.must_hit_by, how)}</dd></div>
    <div><dt>${say("meters.left")}</dt><dd>${money(minor(meter.must_hit_by, how.decimals) - minor(meter.value, how.decimals), how)}</dd></div>
    ${meter.commitment && html`<div><dt>${say("meter.sealed")}</dt><dd><code>${meter.commitment}</code></dd></div>`}</dl>`;
}

// What each hand wins: a share of the meter in money as it stands, or the amount.
function Awards({ table, value, how }) {
  const printed = useOnce(`/api/tables/${table}/printed`);
  const rows = printed?.pays?.find((one) => one.wager === "progressive")?.rows ?? [];
  const worth = (row) => row.amount ? shown(row.amount, how, { chips: true }) : row.share ? shown(counted(times(value, `${row.share}/100`), how.decimals), how) : say("unposted");
  return html`<dl>${rows.map((row) => html`<div><dt>${called("hand", row.hand)}</dt><dd>${worth(row)}</dd></div>`)}</dl>`;
}

// The report of a gaming day, to read and to print.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Blank, grouped, mayRead, useReader } from "../audit/reader.js";
import { get } from "../client.js";
import { shown } from "../money.js";
import { local } from "../numbers.js";
import { Header } from "../parts/header.js";
import { say } from "../words/words.js";
import "../words/staff.js";

const COUNTS = ["rounds", "voids", "hands"];
const MONEY = ["drop", "handle", "win", "main_win", "expected_win", "interval_low", "interval_high", "side_handle", "side_win", "from_meter"];
const SHARES = ["hold_of_drop", "hold_of_handle"];

export function DayPage({ day }) {
  const me = useReader();
  const [report, setReport] = useState(null);
  const [signed, setSigned] = useState(null);
  const [failed, setFailed] = useState("");
  useEffect(() => void (document.title = `${say("audit.day.of", { day })} · AceKing`), []);
  useEffect(() => {
    if (!me || !mayRead(me)) return;
    get(`/api/days/${day}`).then(setReport, (wrong) => setFailed(wrong.message));
    get("/api/days").then((days) => setSigned(days.find((one) => one.day === day)), () => {});
  }, [me]);
  if (!me || !mayRead(me) || !report) return html`<${Blank} me=${me} failed=${failed} title=${say("audit.day.of", { day })} />`;
  const rows = [...COUNTS, ...MONEY.slice(0, 3), ...SHARES, ...MONEY.slice(3)];
  const busy = report.tables.filter((row) => row.rounds || row.voids || Number(row.drop));
  const idle = report.tables.filter((row) => !busy.includes(row)).map((row) => row.table);
  const cell = (row, key) => {
    if (row[key] === "") return html`<small>${say(SHARES.includes(key) ? "audit.row.nothing" : "returns.uncounted")}</small>`;
    return MONEY.includes(key) ? shown(row[key], { currency: row.currency, decimals: report.currencies[row.currency] }) : local(String(row[key]).replace("-", "−"));
  };
  return html`<${Header} me=${me}><h1>${say("audit.day.of", { day })}</h1><a href="/audit">${say("audit")}</a><//>
    <main class="day" data-day=${day}><div class="top-line"><h2>${say("audit.day.title", { day })}</h2><button type="button" class="plain-button" onClick=${() => window.print()}>${say("win.print")}</button></div>
      <div class="scroll" role="region" tabindex="0" aria-label=${say("audit.day.tables")}><table class="list ledger"><caption>${say("audit.day.tables")}</caption>
        <thead><tr><td></td>${busy.map((row) => html`<th scope="col" key=${row.table}>${row.table}<small lang="en">${row.book}</small></th>`)}</tr></thead>
        <tbody>${rows.map((key) => html`<tr key=${key} data-row=${key}><th scope="row">${say(`audit.row.${key}`)}</th>${busy.map((row) => html`<td key=${row.table} class="figure">${cell(row, key)}</td>`)}</tr>`)}</tbody></table></div>
      ${idle.length > 0 && html`<p class="hint">${say("audit.day.idle", { tables: idle.join(", ") })}</p>`}
      ${report.meters.length > 0 && html`<table class="list"><caption>${say("audit.day.meters")}</caption><thead><tr><th scope="col">${say("audit.meter")}</th><th scope="col">${say("audit.liability")}</th></tr></thead>
        <tbody>${report.meters.map((row) => html`<tr key=${row.meter}><th scope="row">${row.meter}</th><td class="figure">${shown(row.liability, { currency: row.currency, decimals: report.currencies[row.currency] })}</td></tr>`)}</tbody></table>`}
      ${signed?.root && html`<dl class="signed"><div><dt>${say("audit.day.upto")}</dt><dd>${signed.upto}</dd></div><div><dt>${say("audit.day.root")}</dt><dd class="hash">${grouped(signed.root)}</dd></div><div><dt>${say("audit.day.signature")}</dt><dd class="hash">${grouped(signed.signature)}</dd></div><div><dt>${say("audit.day.key")}</dt><dd class="hash">${grouped(signed.public)}</dd></div></dl>`}
      <p class="hint">${say("audit.day.expected")}</p></main>`;
}

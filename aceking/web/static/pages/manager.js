// The game manager's page of a meter: its balance, settings and awards, and requests that need two people.
import { html, useCallback, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Live, get } from "../client.js";
import { Since } from "../console/since.js";
import { shown, typed } from "../money.js";
import { POINT, grouped } from "../numbers.js";
import { MeterAmount } from "../parts/amount.js";
import { Header } from "../parts/header.js";
import { useAsking } from "../table/state.js";
import { Told } from "../words/told.js";
import { called, language, say } from "../words/words.js";
import "../words/staff.js";

const SEES = ["floorperson", "supervisor", "executive", "manager", "auditor"];
// An exact amount with its thousands apart and all the decimals that it has, at the least those of its currency.
export function exactly(text, decimals) {
  const [whole, part = ""] = text.replace("-", "").split(".");
  const tail = part.padEnd(decimals, "0");
  return `${text.startsWith("-") ? "−" : ""}${grouped(Number(whole))}${tail && `${POINT}${tail}`}`;
}

const EDIT = ["reset", "rate", "hidden_rate", "limit", "executive_from"];

export function useMeter(id) {
  const [record, setRecord] = useState(null);
  const [missing, setMissing] = useState(false);
  const [me, setMe] = useState(null);
  const live = useRef(null);
  useEffect(() => {
    const one = new Live({
      onFloor: () => SEES.includes(one.me.role) && get(`/api/meters/${id}`).then(setRecord, (failed) => setMissing(failed.code === "unknown")),
      onState: (open) => open && setMe(one.me),
      onSessionOver: () => location.assign(`/login?next=${encodeURIComponent(location.pathname)}`),
    });
    live.current = one;
    one.watchFloor();
    return () => one.close();
  }, []);
  return { record, me, missing, ask: useCallback((wish) => live.current.ask(wish), []) };
}

// What a page of a meter says before there is anything to show.
export function Nothing({ me, missing, id }) {
  const closed = me && !SEES.includes(me.role);
  return html`<${Header} me=${me} /><main class="lobby">${closed
    ? html`<h1>${say("meter.of", { name: id })}</h1><p>${say("console.not-yours")} <a href="/login?next=${encodeURIComponent(location.pathname)}">${say("log-in")}</a></p>`
    : missing ? html`<h1>${say("meters.unknown", { meter: id })}</h1>` : html`<p role="status">${say("wait")}</p>`}</main>`;
}

export function ManagerPage({ id }) {
  const { record, me, missing, ask } = useMeter(id);
  useEffect(() => void (document.title = `${say("meter.of", { name: id })} · AceKing`), []);
  if (!record || !me) return html`<${Nothing} me=${me} missing=${missing} id=${id} />`;
  return html`<${Record} record=${record} me=${me} ask=${ask} id=${id} />`;
}

function Record({ record, me, ask, id }) {
  const asking = useAsking(ask);
  const { view, decimals } = record;
  const how = { currency: view.currency, decimals };
  const said = (key) => asking.refused?.key === key && html`<p class="refusal" role="alert"><${Told} text=${asking.refused.reason} said=${asking.refused.said} /> (${asking.refused.clause})</p>`;
  const acts = me.role !== "auditor";
  const column = (title, rows) => html`<div><table><thead><tr><th scope="col">${title}</th><td>${view.currency}</td></tr></thead>
    <tbody>${Object.entries(rows).map(([key, value]) => html`<tr><th scope="row">${called("meters.part", key)}</th><td>${exactly(value, decimals)}</td></tr>`)}</tbody>
    <tfoot><tr><th scope="row">${say("meters.sum")}</th><td>${exactly(record.total, decimals)}</td></tr></tfoot></table></div>`;
  return html`<div class="manager"><${Header} me=${me}><h1>${say("meter.of", { name: id })} <small>${(view.tables ?? []).join(", ")}</small></h1>${me.role === "auditor" ? html`<a href="/audit">${say("go.audit")}</a>` : html`<a href="/pit">${say("go.pit")}</a>`}<//>
    <main><section class="sums"><div class="top-line"><div><h2>${record.difference === "0" || /^0[.]0*$/.test(record.difference) ? say("meters.somewhere", { meter: id }) : say("meters.differs", { amount: record.difference })}</h2>
        <p>${say("meters.counted", { count: record.events, difference: record.difference })}</p></div><p class="shows"><small>${say("meters.now")}</small><${MeterAmount} value=${view.value} currency=${view.currency} decimals=${decimals} /></p></div>
      <div class="identity" data-difference=${record.difference}>${column(say("meters.came"), record.came)}<span aria-hidden="true">=</span>${column(say("meters.lies"), record.lies)}</div>
      <${Since} id=${id} events=${record.events} how=${how} now=${Date.now()} />
      <h3>${say("meters.awards")}</h3>
      <div class="scroll" role="region" tabindex="0" aria-label=${say("meters.awards")}><table class="list"><thead><tr><th scope="col">${say("meters.when")}</th><th scope="col">${say("meters.where")}</th><th scope="col">${say("meters.hand")}</th><th scope="col">${say("meters.award")}</th><th scope="col">${say("meters.people")}</th><th scope="col">${say("meters.step")}</th><td></td></tr></thead>
        <tbody>${(record.awards ?? []).map((one) => html`<tr key=${one.id} data-award=${one.id}><td>${new Date(one.recognised).toLocaleString(language())}</td><td>${one.table}, ${say("box", { box: one.seat })}</td><td>${called("hand", one.hand)}</td>
          <td>${shown(one.amount, how)}</td><td>${[one.dealer, one.verifier ?? say("meters.waits"), one.signer ?? say("meters.waits")].join(", ")}</td><td>${called("meters.at", one.step)}</td><td><a href="/win/${id}/${one.id}">${say("meters.page")}<span class="hidden"> ${one.id}</span></a></td></tr>`)}</tbody></table>
        ${(record.awards ?? []).length === 0 && html`<p class="quiet">${say("meters.awards.none")}</p>`}</div></section>
      <aside class="sets"><${Settings} record=${record} acts=${acts} asking=${asking} said=${said} id=${id} />
        ${acts && html`<${Adjust} how=${how} asking=${asking} said=${said} id=${id} />
          <section><h3 class="state">${called("meter", view.phase)}</h3><button type="button" class="plain-button" data-act="phase" aria-disabled=${asking.busy.has("phase")}
            onClick=${(event) => event.detail < 2 && asking.send("phase", { ask: "meter", meter: id, act: { do: view.phase === "open" ? "close" : "open" } })}>${say(view.phase === "open" ? "meters.close" : "meters.open")}</button>${said("phase")}
            <p><a href="/meter/${id}">${say("meters.display")}</a></p></section>`}</aside></main></div>`;
}

function Settings({ record, acts, asking, said, id }) {
  const { settings, view, decimals } = record;
  const [form, setForm] = useState({});
  const size = 10 ** decimals;
  const money = ["reset", "limit", "executive_from"];
  const now = (key) => (settings[key] === undefined ? "" : money.includes(key) ? String(settings[key] / size) : settings[key]);
  const changed = EDIT.filter((key) => form[key] !== undefined && form[key] !== now(key));
  const means = (key) => (!money.includes(key) ? form[key] : form[key] === "" ? null : typed(form[key], decimals));
  const ready = changed.length > 0 && changed.every((key) => form[key] === "" || means(key) !== null);
  const change = (event) => {
    event.preventDefault();
    if (!ready) return;
    const told = Object.fromEntries(changed.map((key) => [key, means(key)]));
    asking.send("configure", { ask: "meter", meter: id, act: { do: "configure", ...settings, ...told } }).then((reply) => reply && !reply.refused && setForm({}));
  };
  return html`<section><h3>${say("meters.settings")} <small>${view.phase === "open" ? say("meters.settings.closed") : ""}</small></h3>
    <form onSubmit=${change}>${EDIT.map((key) => html`<label key=${key}>${called("meters.set", key)}<input name=${key} value=${form[key] ?? now(key)} readonly=${!acts} onInput=${(event) => setForm({ ...form, [key]: event.target.value })} /></label>`)}
      ${acts && html`<button type="submit" class="plain-button" aria-disabled=${!ready || asking.busy.has("configure")}>${say("meters.ask-change")}</button><p class="quiet">${say("meters.two")}</p>`}${said("configure")}</form></section>`;
}

function Adjust({ how, asking, said, id }) {
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const units = typed(amount, how.decimals, { below: true });
  const valid = units && reason.trim();
  const go = (event) => {
    event.preventDefault();
    if (!valid) return;
    asking.send("adjust", { ask: "meter", meter: id, act: { do: "adjust", amount: units, reason: reason.trim() } }).then((reply) => {
      if (!reply || reply.refused) return;
      setAmount("");
      setReason("");
      setAsked(true);
    });
  };
  return html`<section><h3>${say("meters.adjust")}</h3><form onSubmit=${go}><label>${say("meters.adjust.amount", { currency: how.currency })}<input name="amount" inputmode="decimal" value=${amount} onInput=${(event) => (setAsked(false), setAmount(event.target.value))} /></label>
    <label>${say("pit.reason")}<input name="reason" maxlength="200" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
    <button type="submit" class="plain-button" aria-disabled=${!valid || asking.busy.has("adjust")}>${say("meters.adjust.ask")}</button>${asked && html`<p class="good" role="status">${say("meters.asked")}</p>`}<p class="quiet">${say("meters.two")}</p>${said("adjust")}</form></section>`;
}

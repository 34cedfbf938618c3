// The audit: find rounds by table, time, player, amount or hand; list the gaming days with their reports.
import { html, useCallback, useEffect, useState } from "../vendor/preact-htm.js";
import { Blank, grouped, mayRead, moment, useReader } from "../audit/reader.js";
import { get, post, requestId } from "../client.js";
import { shown } from "../money.js";
import { SmallCard } from "../parts/card.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { called, say } from "../words/words.js";
import "../words/staff.js";

const HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "pair", "high_card"];
const WHOSE = ["any", "player", "winner", "dealer"];
const FIELDS = ["table", "since", "until", "player", "stake_from", "stake_to", "net_from", "net_to", "hand", "whose", "cards", "void"];

// What is looked for stands in the address, so that it can be kept, sent and gone back to.
const fromAddress = () => Object.fromEntries([...new URLSearchParams(location.search)].filter(([key]) => FIELDS.includes(key)));

function question(sought) {
  const asked = Object.entries(sought).filter(([key, value]) => value && !(key === "whose" && value === "any"));
  return asked.map(([key, value]) => [key, key === "since" || key === "until" ? String(new Date(value).getTime()) : value.trim().replace("−", "-")]);
}

export function AuditPage() {
  const me = useReader();
  const [house, setHouse] = useState(null);
  useEffect(() => void (document.title = `${say("audit")} · AceKing`), []);
  useEffect(() => void get("/api/house").then(setHouse, () => {}), []);
  if (!me || !mayRead(me) || !house) return html`<${Blank} me=${me} title=${say("audit")} />`;
  return html`<${Header} me=${me}><h1>${say("audit")} <small>${house.name}</small></h1><//>
    <main class="audit"><${Search} house=${house} /><${Days} me=${me} /></main>`;
}

function Search({ house }) {
  const [sought, setSought] = useState(fromAddress);
  const [form, setForm] = useState(fromAddress);
  const [found, setFound] = useState(null);
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const load = useCallback(async (asked, before) => {
    setBusy(true);
    const more = before ? [["before", before.rounds.at(-1).id]] : [];
    await get(`/api/audit/rounds?${new URLSearchParams([...question(asked), ...more])}`).then(
      (told) => (setRefused(""), setFound(before ? { ...told, rounds: [...before.rounds, ...told.rounds] } : told)),
      (failed) => setRefused(failed.message),
    );
    setBusy(false);
  }, []);
  useEffect(() => void load(sought), [sought]);
  useEffect(() => {
    const back = () => (setForm(fromAddress()), setSought(fromAddress()));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const go = (wanted) => {
    const plain = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
    history.pushState(null, "", `/audit${Object.keys(plain).length ? `?${new URLSearchParams(plain)}` : ""}`);
    setForm(plain);
    setSought(plain);
  };
  const field = (key, how = {}) => html`<label>${say(`audit.by.${key}`)}<input name=${key} autocomplete="off" maxlength="40" value=${form[key] ?? ""} ...${how}
    onInput=${(event) => setForm({ ...form, [key]: event.target.value })} /></label>`;
  const choice = (key, options) => html`<label>${say(`audit.by.${key}`)}<select name=${key} value=${form[key] ?? ""} onChange=${(event) => setForm({ ...form, [key]: event.target.value })}>
    ${options.map(([value, words]) => html`<option value=${value} selected=${value === (form[key] ?? "")}>${words}</option>`)}</select></label>`;
  const any = ["", say("audit.any")];
  const amount = { inputmode: "decimal", maxlength: 15 };
  return html`<section class="search" aria-labelledby="search-title"><h2 id="search-title">${say("audit.find")}</h2>
    <form onSubmit=${(event) => (event.preventDefault(), go(form))}>
      ${choice("table", [any, ...house.tables.map((one) => [one.id, one.posted.name])])}${field("player")}
      ${field("since", { type: "datetime-local" })}${field("until", { type: "datetime-local" })}
      <div class="pair">${field("stake_from", amount)}${field("stake_to", amount)}</div>
      <div class="pair">${field("net_from", amount)}${field("net_to", amount)}</div><p class="hint">${say("audit.by.net.hint")}</p>
      <div class="pair">${choice("hand", [any, ...HANDS.map((one) => [one, called("hand", one.replaceAll("_", " "))])])}${choice("whose", WHOSE.map((one) => [one === "any" ? "" : one, say(`audit.whose.${one}`)]))}</div>
      ${field("cards", { maxlength: 60, placeholder: "As Kd" })}
      ${choice("void", [any, ["true", say("audit.void.yes")], ["false", say("audit.void.no")]])}
      ${refused && html`<p class="refusal" role="alert" lang="en">${refused}</p>`}
      <div class="ends"><button type="submit" class="act" aria-disabled=${busy}>${say("audit.go")}</button>
        <button type="button" class="plain-button" onClick=${() => go({})}>${say("audit.clear")}</button></div>
    </form></section>
    <section class="found" aria-labelledby="found-title"><h2 id="found-title">${say("audit.rounds")} <small>${say("audit.newest")}</small></h2>
      ${found && found.upto < found.entries && html`<p class="due" role="status">${say("audit.behind", { upto: found.upto, entries: found.entries })}</p>`}
      <p class="hidden" role="status">${found && say("audit.count", { count: found.rounds.length })}</p>
      ${found && found.rounds.length === 0 && html`<p class="nothing">${say("audit.none")}</p>`}
      ${found && found.rounds.length > 0 && html`<ol>${found.rounds.map((one) => html`<${Row} key=${one.id} one=${one} house=${house} />`)}</ol>`}
      ${found?.more && html`<button type="button" class="plain-button" data-act="older" aria-disabled=${busy} onClick=${() => !busy && load(sought, found)}>${say("audit.older")}</button>`}
    </section>`;
}

function Row({ one, house }) {
  const posted = house.tables.find((table) => table.id === one.table)?.posted ?? { name: one.table, currency: "", decimals: 2, book: one.table };
  const hands = one.hands ?? [];
  const bank = hands.find((hand) => hand.box === 0);
  return html`<li data-round=${`${one.table}/${one.round}`} data-cloth=${cloth(posted.book)}><i aria-hidden="true"></i>
    <a href="/audit/${one.table}/${one.round}"><b>${posted.name}</b> ${say("round", { number: one.round })}${one.void && html` <span class="tag">${say("void")}</span>`}</a>
    <time datetime=${new Date(one.ended).toISOString()}>${moment(one.ended)}</time>
    <ul>${hands.filter((hand) => hand.box > 0).map((hand) => html`<li key=${hand.box}><span class="holder"><small>${hand.box}</small> ${hand.player}</span>
      <span class="cards">${(hand.cards ?? []).map((name) => html`<${SmallCard} name=${name} />`)}</span><span>${hand.hand ? called("hand", hand.hand.replaceAll("_", " ")) : ""}</span>
      <span class="figure">${shown(hand.stake ?? "0", posted)}</span><b class="figure">${shown(hand.net ?? "0", posted, { signed: true })}</b></li>`)}
      ${bank && html`<li class="bank"><span class="holder">${say(bank.hand ? "dealer" : "community.short")}</span><span class="cards">${(bank.cards ?? []).map((name) => html`<${SmallCard} name=${name} />`)}</span><span>${bank.hand ? called("hand", bank.hand.replaceAll("_", " ")) : ""}</span></li>`}</ul></li>`;
}

function Days({ me }) {
  const [days, setDays] = useState(null);
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10));
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const load = () => get("/api/days").then((told) => setDays([...told].reverse()), () => setDays([]));
  useEffect(() => void load(), []);
  const close = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const reply = await post("/api/ask", { id: requestId(), wish: { ask: "close-day", day } }).catch((failed) => ({ refused: { reason: failed.message, clause: failed.code } }));
    setRefused(reply.refused ? `${reply.refused.reason} (${reply.refused.clause})` : "");
    await load();
    setBusy(false);
  };
  const form = (one, as, words) => html`<a href="/api/days/${one.day}?as=${as}" download=${`${one.day}-${as}`}>${words}</a>`;
  return html`<section class="days" aria-labelledby="days-title"><h2 id="days-title">${say("audit.days")}</h2>
    ${days && days.length === 0 && html`<p class="nothing">${say("audit.days.none")}</p>`}
    ${days && days.length > 0 && html`<div class="scroll" role="region" tabindex="0" aria-label=${say("audit.days.list")}><table class="list"><thead><tr><th scope="col">${say("audit.day")}</th><th scope="col">${say("audit.day.by")}</th><th scope="col">${say("audit.day.upto")}</th><th scope="col">${say("audit.day.root")}</th><th scope="col">${say("audit.day.forms")}</th></tr></thead>
      <tbody>${days.map((one) => html`<tr key=${one.day} data-day=${one.day}><th scope="row"><a href="/audit/day/${one.day}">${one.day}</a></th><td>${one.by}</td><td class="figure">${one.upto ?? "–"}</td><td class="hash">${one.root ? grouped(one.root.slice(0, 16)) : say("audit.day.unsigned")}</td>
        <td>${form(one, "tables.csv", say("audit.day.tables"))} · ${form(one, "meters.csv", say("audit.day.meters"))} · ${form(one, "json", "JSON")}</td></tr>`)}</tbody></table></div>`}
    ${["auditor", "executive"].includes(me.role) && html`<form class="one-line" onSubmit=${close}><label>${say("audit.day.close")}<input type="date" name="day" required value=${day} onInput=${(event) => setDay(event.target.value)} /></label>
      <button type="submit" class="plain-button" aria-disabled=${busy || !day}>${say("audit.day.close.go")}</button><p class="hint">${say("audit.day.close.hint")}</p>${refused && html`<p class="refusal" role="alert" lang="en">${refused}</p>`}</form>`}
    ${me.role === "auditor" && html`<p><a class="plain-button" href="/api/audit/file" download>${say("audit.file.whole")}</a> <small>${say("audit.file.hint")}</small></p>`}
  </section>`;
}

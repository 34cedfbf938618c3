// The pit: every table at a glance, what stops one, and what waits for a supervisor or executive.
import { html, useCallback, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Live, get } from "../client.js";
import { Due, Where, known, wishOf } from "../console/due.js";
import { CardKeys, useCards } from "../console/keys.js";
import { Claim } from "../console/wrong.js";
import { minor, money, shown, typed } from "../money.js";
import { MeterAmount } from "../parts/amount.js";
import { Clause, ClauseSheet } from "../parts/clause.js";
import { numberOf } from "../parts/deck.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { useAsking } from "../table/state.js";
import { Told } from "../words/told.js";
import { called, language, say } from "../words/words.js";
import "../words/staff.js";

const PIT = ["floorperson", "supervisor", "executive", "manager"];

// The floor of those who run it, asked for again whenever something moves; many moves at once are one question.
function usePit() {
  const [pit, setPit] = useState(null);
  const [here, setHere] = useState(true);
  const [me, setMe] = useState(null);
  const live = useRef(null);
  const asked = useRef({ on: false, again: false });
  const load = useCallback(async () => {
    if (asked.current.on) return void (asked.current.again = true);
    asked.current.on = true;
    await get("/api/pit").then(setPit, () => {});
    asked.current.on = false;
    if (asked.current.again) {
      asked.current.again = false;
      load();
    }
  }, []);
  useEffect(() => {
    const one = new Live({
      onFloor: () => PIT.includes(one.me.role) && load(),
      onState: (open) => {
        setHere(open);
        if (open) setMe(one.me);
      },
      onSessionOver: () => location.assign(`/login?next=${encodeURIComponent(location.pathname)}`),
    });
    live.current = one;
    one.watchFloor();
    return () => one.close();
  }, []);
  const ask = useCallback((wish) => live.current.ask(wish), []);
  return { pit, here, me, ask };
}

export function PitPage() {
  const { pit, here, me, ask } = usePit();
  useEffect(() => void (document.title = `${say("pit")} · AceKing`), []);
  if (me && !PIT.includes(me.role)) {
    return html`<${Header} me=${me} /><main class="lobby"><h1>${say("pit")}</h1><p>${say("console.not-yours")} <a href="/login?next=/pit">${say("log-in")}</a></p></main>`;
  }
  if (!pit || !me) return html`<${Header} me=${me} /><main class="lobby"><p role="status">${say("wait")}</p></main>`;
  return html`<${Floor} pit=${pit} here=${here} me=${me} ask=${ask} />`;
}

const COLUMNS = ["pit.table", "pit.game", "pit.limits", "pit.step", "pit.boxes", "pit.stub", "pit.deck", "pit.due"];

// What holds a table: a question that play waits for, or in a round an act of the pit that is due. No round waits for what is due on a meter.
const inRound = (one) => one.phase && one.phase !== "done" && one.phase !== "void";
const holding = (one) => (one.questions ?? []).filter(({ asked }) => !asked.record);
const duePeople = (one) => (one.due && (one.posted.mode === "electronic" || !["dealer", "player", "device"].includes(one.due.by)) ? one.due : null);

function Floor({ pit, here, me, ask }) {
  const asking = useAsking(ask);
  const [clause, setClause] = useState(null);
  const [chosen, choose] = useState(null);
  const held = pit.tables.flatMap((one) => [
    ...holding(one).map(({ asked }) => ({ table: one.posted.name, what: called("mishap", asked.mishap) })),
    ...(inRound(one) && duePeople(one) && !one.due.meter ? [{ table: one.posted.name, what: called("do", one.due.do) }] : []),
  ]);
  const said = (table) => (key) => asking.refused?.key === key && html`<p class="refusal" role="alert"><${Told} text=${asking.refused.reason} said=${asking.refused.said} />
    <${Clause} id=${asking.refused.clause} from=${say("refused")} open=${(one) => setClause({ ...one, table })} /></p>`;
  const table = pit.tables.find((one) => one.id === chosen);
  const shared = { asking, said, me, open: (id) => (one) => setClause({ ...one, table: id }) };
  const taken = pit.tables.reduce((all, one) => all + Object.keys(one.seats ?? {}).length, 0);
  const boxes = pit.tables.reduce((all, one) => all + one.posted.boxes, 0);
  const rounds = pit.tables.reduce((all, one) => all + (one.round ?? 0), 0);
  return html`<div class="pit-page">
    <${Header} me=${me}><h1>${say("pit")} <small>${say("pit.tables", { count: pit.tables.length })}</small></h1><//>
    ${!here && html`<p class="lost" role="status">${say("lost")}</p>`}
    <main class="pit">
      <section class="glance" aria-labelledby="pit-title">
        <h2 id="pit-title">${held.length ? say("pit.hold", { count: held.length }) : say("pit.quiet")}</h2>
        <p role="status">${held.length ? `${held.map((one) => say("pit.holds", one)).join(", ")}. ${say("pit.all-runs")}` : say("pit.quiet.hint")}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=${say("lobby")}><table><thead><tr>${COLUMNS.map((one) => html`<th scope="col">${say(one)}</th>`)}</tr></thead>
          <tbody>${pit.tables.map((one) => html`<${Row} key=${one.id} one=${one} at=${pit.at} chosen=${chosen === one.id} choose=${choose} />`)}</tbody></table></div>
        <dl class="totals"><div><dt>${say("pit.totals.boxes", { of: boxes })}</dt><dd>${taken}</dd></div><div><dt>${say("pit.totals.rounds")}</dt><dd>${rounds}</dd></div>
          ${(pit.meters ?? []).map((one) => html`<div key=${one.id}><dt>${say("pit.totals.meter", { name: one.id })}</dt><dd><a href="/meters/${one.id}"><${MeterAmount} value=${one.value} currency=${one.currency} decimals=${pit.currencies[one.currency]} /></a></dd></div>`)}</dl>
        <${NewTable} asking=${asking} said=${said("")} />
      </section>
      <section class="waits" aria-labelledby="waits-title">
        ${table && html`<${Manage} key=${table.id} one=${table} close=${() => choose(null)} ...${shared} />`}
        <${Waiting} pit=${pit} ...${shared} />
      </section>
    </main>
    ${clause && html`<${ClauseSheet} key=${clause.table} table=${clause.table} asked=${clause} close=${() => setClause(null)} />`}
  </div>`;
}

const clockTime = (at) => new Date(at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });

function Row({ one, at, chosen, choose }) {
  const { posted } = one;
  const seats = one.seats ?? {};
  const held = holding(one).length > 0;
  const due = duePeople(one);
  const minutes = one.deck_since === undefined || one.deck_since === null ? null : Math.max(0, Math.floor((at - one.deck_since) / 60000));
  const whole = one.deck_until ? one.deck_until - one.deck_since : 0;
  const share = whole ? Math.min(1, (at - one.deck_since) / whole) : 0;
  const step = held ? html`<b class="bad">${say("pit.held")}</b>` : one.void ? html`<b class="due">${say("pit.void-round")}</b>` : one.closing ? html`<b class="due">${say("pit.closing")}</b>`
    : one.phase && one.phase !== "done" ? called("phase", one.phase) : one.open || one.round ? say("pit.between") : say("pit.not-open");
  return html`<tr class=${chosen ? "chosen" : ""} data-table=${one.id}>
    <th scope="row" data-cloth=${cloth(posted.book)}><button type="button" aria-pressed=${chosen} onClick=${() => choose(chosen ? null : one.id)}><i aria-hidden="true"></i>${posted.name}</button></th>
    <td><span lang="en">${posted.title}</span><small>${(one.dealers ?? []).join(", ") || say(posted.mode === "live" ? "pit.nobody" : "pit.electronic")}${one.round ? `, ${say("round", { number: one.round })}` : ""}</small></td>
    <td>${say("limits", { low: shown(posted.ante_min, posted, { chips: true }), high: shown(posted.ante_max, posted, { chips: true }) })}</td>
    <td>${step}${one.violations ? html`<small>${say("pit.breaches", { count: one.violations })}</small>` : null}</td>
    <td class="boxes"><span aria-hidden="true">${Array.from({ length: posted.boxes }, (_, place) => html`<i class=${seats[place + 1] ? "taken" : ""}></i>`)}</span>
      <span class="hidden">${say("boxes.open", { count: posted.boxes - Object.keys(seats).length, of: posted.boxes })}</span></td>
    <td>${one.stub_in === undefined || one.stub_in === null ? "–" : one.stub_in <= 0 ? html`<b class="due">${say("pit.stub.now")}</b>` : say("pit.stub.in", { count: one.stub_in })}</td>
    <td>${minutes === null ? "–" : html`${say("pit.deck.hours", { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, "0") })}${whole ? html`<i class="bar ${share > 0.9 ? "late" : ""}" aria-hidden="true"><i style=${{ transform: `scaleX(${share})` }}></i></i>` : null}`}</td>
    <td>${held ? html`<span class="tag bad-tag">${say("pit.question")}</span>` : due ? html`<span class="tag">${called("do", due.do)}</span>` : share > 0.9 ? html`<span class="tag">${say("pit.deck.until", { time: clockTime(one.deck_until) })}</span>` : null}</td>
  </tr>`;
}

function Waiting({ pit, asking, said, me, open }) {
  const questions = pit.tables.flatMap((one) => (one.questions ?? []).map((found) => ({ one, found })));
  const due = pit.tables.filter(duePeople).sort((one, other) => Number(Boolean(other.due.mine)) - Number(Boolean(one.due.mine)));
  const waiting = pit.waiting ?? [];
  const count = questions.length + due.length + waiting.length;
  return html`<h2 id="waits-title">${say("pit.waiting")} <small>${count}</small></h2>
    ${count === 0 && html`<p class="quiet">${say("pit.waiting.none")}</p>`}
    ${questions.map(({ one, found }) => html`<${Question} key=${`${one.id}/${found.asked.question}`} one=${one} found=${found} asking=${asking} said=${said(one.id)} open=${open(one.id)} />`)}
    ${due.map((one) => html`<${DueCard} key=${one.id} one=${one} asking=${asking} said=${said(one.id)} open=${open(one.id)} />`)}
    ${waiting.map((one) => html`<${Approval} key=${one.number} one=${one} pit=${pit} me=${me} asking=${asking} said=${said("")} />`)}`;
}

// A question of the book: the answers that would be taken, and the reason that goes with each.
function Question({ one, found, asking, said, open }) {
  const { asked, answers = [], mine } = found;
  const [reason, setReason] = useState("");
  const key = `rule/${one.id}/${asked.question}`;
  const ready = reason.trim().length > 0;
  const [corrects, setCorrects] = useState(false);
  const rule = (then, told = {}) => asking.send(key, { ask: "act", table: one.id, act: { do: "rule", question: asked.question, then, reason: reason.trim(), ...told } });
  // Who says that the record was wrong says what it should have.
  const answer = (then) => (then === "correct-record" ? setCorrects(true) : rule(then));
  return html`<article class=${`approval ${mine ? "mine" : "closed"}`} data-question=${asked.question}>
    <h3>${say("pit.ruling", { table: one.posted.name, mishap: called("mishap", asked.mishap) })} <span class="tag bad-tag">${say(asked.record ? "wrong.differ" : "pit.held")}</span></h3>
    <p>${asked.unregulated ? say("wrong.silent") : say("wrong.asks", { of: called("actor", asked.of) })} <${Clause} id=${asked.clause} from=${called("mishap", asked.mishap)} open=${open} /></p>
    <${Claim} one=${asked} />
    ${mine && answers.length > 0
      ? html`<label>${say("pit.reason")}<input maxlength="200" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
        <div class="answers">${answers.map((then) => html`<button type="button" class="plain-button" data-then=${then} aria-disabled=${!ready || asking.busy.has(key)} title=${ready ? "" : say("pit.reason.needed")}
          onClick=${(event) => event.detail < 2 && ready && answer(then)}>${called("remedy", then)}</button>`)}</div>
        ${corrects && html`<${Correction} one=${one} busy=${!ready || asking.busy.has(key)} give=${(says) => rule("correct-record", { corrects: [says], cards: [] })} />`}`
      : html`<p class="quiet">${say("pit.not-you", { who: called("who", asked.of) })}</p>`}
    ${said(key)}</article>`;
}

// What the record should say: the cards of a place, entered by keys; a look; or a light.
function Correction({ one, busy, give }) {
  const [what, setWhat] = useState("hand");
  const [place, setPlace] = useState("");
  const [was, setWas] = useState("");
  const entry = useCards(what === "hand" ? 12 : 0, {});
  const boxes = Object.keys(one.seats ?? {}).map(Number);
  const to = place === "dealer" || place === "community" ? [place] : ["box", Number(place)];
  const ready = !busy && place && (what === "hand" ? entry.cards.length : was);
  const says = () => (what === "hand" ? { what, place: to, cards: entry.cards.map(numberOf) } : { what, box: Number(place), [what === "look" ? "seen" : "lit"]: was === "yes" });
  const turn = (event) => {
    setWhat(event.target.value);
    setPlace("");
    setWas("");
  };
  const option = (value, words, chosen) => html`<option value=${value} selected=${value === chosen}>${words}</option>`;
  return html`<div class="correction"><label>${say("pit.correct.what")}<select name="what" value=${what} onChange=${turn}>${["hand", "look", "light"].map((kind) => option(kind, say(`pit.correct.${kind}`), what))}</select></label>
    <label>${say("pit.correct.where")}<select name="where" value=${place} onChange=${(event) => setPlace(event.target.value)}>${option("", "", place)}
      ${boxes.map((box) => option(String(box), say("box", { box }), place))}${what === "hand" && html`${option("dealer", called("place", "dealer"), place)}${option("community", called("place", "community"), place)}`}</select></label>
    ${what === "hand"
      ? html`<p>${say("pit.correct.cards")}</p><${CardKeys} entry=${entry} />`
      : html`<label>${say(`pit.correct.${what}.was`)}<select name="was" value=${was} onChange=${(event) => setWas(event.target.value)}>${option("", "", was)}${option("yes", say(`pit.correct.${what}.yes`), was)}${option("no", say(`pit.correct.${what}.no`), was)}</select></label>`}
    <button type="button" class="act" aria-disabled=${!ready} onClick=${(event) => event.detail < 2 && ready && give(says())}>${say("pit.correct")}</button></div>`;
}

function DueCard({ one, asking, said, open }) {
  const { due } = one;
  const key = `due/${one.id}`;
  const plain = !(due.fields ?? []).length;
  return html`<article class=${`approval ${due.mine ? "mine" : "closed"}`} data-due-at=${one.id}>
    <h3>${say("pit.at", { what: called("do", due.do), table: one.posted.name })} <small><${Where} due=${due} /></small></h3>
    <p><${Clause} id=${due.clause} from=${called("do", due.do)} open=${open} /></p>
    ${!due.mine ? html`<p class="quiet">${say("pit.not-you", { who: called("who", due.by) })}</p>`
      : plain ? html`<button type="button" class="act" data-act=${key} aria-disabled=${asking.busy.has(key)}
          onClick=${(event) => event.detail < 2 && asking.send(key, wishOf(due, {}, one.id))}>${called("do", due.do)}</button>`
      : html`<${Due} key=${known(due)} due=${due} table=${one.id} posted=${one.posted} out=${[]} busy=${asking.busy} said=${() => null} open=${open} on=${false} read=${0} act=${(_, wish) => asking.send(key, wish)} />`}
    ${said(key)}</article>`;
}

// What one person asked for and another confirms.
function Approval({ one, pit, me, asking, said }) {
  const [reason, setReason] = useState("");
  const { what } = one;
  const own = one.by === me.name;
  const may = !own && one.of.includes(me.role);
  const key = `approve/${one.number}`;
  const table = pit.tables.find((other) => other.id === what.table);
  const amount = what.amount === undefined ? "" : money(Math.abs(what.amount), table?.posted ?? { currency: what.currency ?? "", decimals: pit.currencies[what.currency] ?? 2 });
  const title = what.ask === "fill" ? say(what.amount < 0 ? "pit.credit" : "pit.fill", { table: table?.posted.name ?? what.table, amount })
    : what.ask === "float" ? say("pit.float", { amount }) : say("pit.meter", { meter: what.meter, what: what.act.do.replaceAll("-", " ") });
  const answer = (given) => asking.send(key, { ask: "approve", number: one.number, given, reason: reason.trim() });
  return html`<article class=${`approval ${may ? "mine" : "closed"}`} data-waiting=${one.number}>
    <h3>${title} <span class="tag plain-tag">${say("pit.second")}</span></h3>
    <p>${own ? say("pit.mine-asked") : say("pit.asked-by", { by: one.by })}</p>
    ${may || own
      ? html`<label>${say("pit.reason")}<input maxlength="200" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
        <div class="answers">${may && html`<button type="button" class="act" aria-disabled=${asking.busy.has(key)} onClick=${(event) => event.detail < 2 && answer(true)}>${say("pit.agree")}</button>`}
          <button type="button" class="plain-button" aria-disabled=${!reason.trim() || asking.busy.has(key)} onClick=${(event) => event.detail < 2 && reason.trim() && answer(false)}>${say(own ? "pit.take-back" : "pit.decline")}</button></div>`
      : html`<p class="quiet">${say("pit.not-you", { who: one.of.map((role) => called("who", role)).join(", ") })}</p>`}
    ${said(key)}</article>`;
}

// One table: its money, a fill, its dealer, and its close.
function Manage({ one, asking, said, close }) {
  const { posted } = one;
  const [text, setText] = useState("");
  const [dealer, setDealer] = useState("");
  const tell = said(one.id);
  const units = typed(text, posted.decimals, { below: true });
  const cleared = (set) => (reply) => reply && !reply.refused && set("");
  const fill = (event) => {
    event.preventDefault();
    if (units) asking.send("fill", { ask: "fill", table: one.id, amount: units }).then(cleared(setText));
  };
  const assign = (event) => {
    event.preventDefault();
    asking.send("assign", { ask: "assign", table: one.id, role: "dealer", persons: dealer.trim() ? [dealer.trim()] : [] }).then(cleared(setDealer));
  };
  const money3 = [["pit.tray", one.tray], ["pit.drop", one.drop], ["pit.won", one.won]];
  return html`<article class="approval manage" data-manage=${one.id}><h3>${say("pit.manage", { table: posted.name })} <button type="button" class="plain-button" onClick=${close}>${say("close")}</button></h3>
    <dl class="money">${money3.map(([key, value]) => html`<div><dt>${say(key)}</dt><dd>${money(minor(value ?? "0", posted.decimals), posted)}</dd></div>`)}</dl>
    <p><a href="/dealer/${one.id}">${say("pit.console")}</a> · <a href="/table/${one.id}">${say("pit.look")}</a></p>
    <form class="one-line" onSubmit=${fill}><label>${say("pit.fill.amount", { currency: posted.currency })}<input name="fill" inputmode="decimal" maxlength="15" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
      <button type="submit" class="plain-button" aria-disabled=${!units || asking.busy.has("fill")}>${say("pit.ask-fill")}</button><small>${say("pit.fill.hint")}</small>${tell("fill")}</form>
    <form class="one-line" onSubmit=${assign}><label>${say("pit.assign.who")}<input name="dealer" maxlength="40" autocomplete="off" value=${dealer} onInput=${(event) => setDealer(event.target.value)} /></label>
      <button type="submit" class="plain-button" aria-disabled=${asking.busy.has("assign")}>${say("pit.assign")}</button>${tell("assign")}</form>
    <p><button type="button" class="plain-button" data-act="close-table" aria-disabled=${asking.busy.has("close")} onClick=${(event) => event.detail < 2 && asking.send("close", { ask: "close-table", table: one.id, back: Boolean(one.closing) })}>
      ${say(one.closing ? "pit.reopen" : "pit.close")}</button> <small>${say("pit.close.hint")}</small></p>${tell("close")}
  </article>`;
}

const BLANK = { table: "", name: "", book: "", mode: "live", least: "10", most: "100" };

function NewTable({ asking, said }) {
  const [form, setForm] = useState(BLANK);
  const [books, setBooks] = useState([]);
  const set = (key) => (event) => setForm({ ...form, [key]: event.target.value });
  const book = books.find((one) => one.id === form.book);
  const [least, most] = [form.least, form.most].map((text) => book && typed(text, book.decimals));
  const ready = /^[a-z0-9][a-z0-9._-]{0,39}$/.test(form.table) && form.name.trim() && least && most;
  const put = (event) => {
    event.preventDefault();
    if (!ready) return;
    const wish = { ask: "set-table", table: form.table, name: form.name.trim(), book: form.book, mode: form.mode, ante_min: least, ante_max: most };
    asking.send("new", wish).then((reply) => reply && !reply.refused && setForm(BLANK));
  };
  const load = (event) => event.target.open && !books.length && get("/api/books").then(setBooks, () => {});
  const field = (key, words, how) => html`<label>${say(words)}<input name=${key} autocomplete="off" maxlength="40" value=${form[key]} onInput=${set(key)} ...${how} /></label>`;
  return html`<details class="new-table" onToggle=${load}><summary>${say("pit.new")}</summary><form onSubmit=${put}>
    ${field("table", "pit.new.id")}${field("name", "pit.new.name")}
    <label>${say("pit.new.book")}<select value=${form.book} onChange=${set("book")}><option value=""></option>${books.map((one) => html`<option value=${one.id}>${one.title}, ${one.house} (${one.currency})</option>`)}</select></label>
    <label>${say("pit.new.mode")}<select value=${form.mode} onChange=${set("mode")}><option value="live">${say("pit.new.live")}</option><option value="electronic">${say("pit.new.electronic")}</option></select></label>
    ${field("least", "pit.new.least", { inputmode: "decimal" })}${field("most", "pit.new.most", { inputmode: "decimal" })}
    <button type="submit" class="act" aria-disabled=${!ready || asking.busy.has("new")}>${say("pit.new.put")}</button>${said("new")}</form></details>`;
}

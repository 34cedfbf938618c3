// One round for the auditor: act by act with clauses, the table after each, and checks of its entries and shuffle.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { checkChain } from "../audit/chain.js";
import { Blank, clockTime, grouped, mayRead, moment, useReader } from "../audit/reader.js";
import { get } from "../client.js";
import { minor, money, shown } from "../money.js";
import { Card, SmallCard } from "../parts/card.js";
import { brief } from "../parts/clause.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { canCheck, check } from "../shuffle.js";
import { held } from "../words/hands.js";
import { Told, toldText } from "../words/told.js";
import { called, say } from "../words/words.js";
import "../words/staff.js";

export function AuditedPage({ table, number }) {
  const me = useReader();
  const [round, setRound] = useState(null);
  const [clauses, setClauses] = useState({});
  const [failed, setFailed] = useState("");
  const title = `${table}, ${say("round", { number })}`;
  useEffect(() => void (document.title = `${title} · AceKing`), []);
  useEffect(() => {
    if (!me || !mayRead(me)) return;
    get(`/api/audit/rounds/${table}/${number}`).then(setRound, (wrong) => setFailed(wrong.message));
    get(`/api/tables/${table}/clauses`).then(setClauses, () => {});
  }, [me]);
  if (!me || !mayRead(me) || !round) return html`<${Blank} me=${me} failed=${failed} title=${title} />`;
  return html`<${Audited} round=${round} me=${me} clauses=${clauses} />`;
}

// A sentence without the clauses that stand beside it.
function bare(act) {
  const ids = [...(act.clauses ?? [])].sort((left, right) => right.length - left.length);
  const short = ids.reduce((told, id) => told.replaceAll(` (${id})`, "").split(`. ${id}`)[0], act.told);
  return /[.?!]$/.test(short) ? short : `${short}.`;
}

function Audited({ round, me, clauses }) {
  const [step, setStep] = useState(0);
  const { acts, states } = round;
  const act = acts[step];
  const chain = useChain(round, me);
  const shuffle = useShuffle(round);
  const list = useRef(null);
  const words = useRef(null);
  const go = useCallback((to) => setStep(Math.max(0, Math.min(acts.length - 1, to))), []);
  useEffect(() => {
    const keys = (event) => {
      if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) {
        event.preventDefault();
        setStep((now) => Math.max(0, Math.min(acts.length - 1, now + by)));
      }
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  // The list follows inside itself; the page stays where the reader has it.
  useEffect(() => {
    const frame = list.current.parentElement;
    const row = list.current.querySelector('[aria-current="step"]').parentElement;
    if (row.offsetTop < frame.scrollTop || row.offsetTop + row.offsetHeight > frame.scrollTop + frame.clientHeight) frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
  }, [step]);
  const phases = useMemo(() => acts.map((one) => states[one.state].common.phase), [round]);
  const holds = chain?.holds && (shuffle === null || shuffle.holds);
  const toClause = (place) => (go(place), setTimeout(() => words.current?.focus()));
  return html`<div class="audited" data-cloth=${cloth(round.book)}>
    <${Header} me=${me} book=${cloth(round.book)}><h1>${say("round", { number: round.round })} <small>${round.table}, <span lang="en">${round.title}</span></small></h1>
      ${chain && html`<span class=${chain.holds === false || shuffle?.holds === false ? "bad" : "good"}>${chain.holds === false || shuffle?.holds === false ? say("audit.fails") : holds ? `✓ ${say("audit.verified")}` : ""}</span>`}<a href="/audit">${say("audit")}</a><//>
    <main>
      <section class="acts" aria-labelledby="acts-title"><h2 id="acts-title">${say("audit.acts", { count: acts.length })} <small>${moment(round.began)}</small></h2>
        <ol ref=${list}>${acts.map((one, place) => html`<li key=${place} class=${place > step ? "after" : ""}>${(place === 0 || phases[place] !== phases[place - 1]) && html`<h3>${called("phase", phases[place] ?? "betting")}</h3>`}
          <div class=${place === step ? "now" : chain?.act === place ? "wrong-act" : ""}><button type="button" data-step=${place} aria-current=${place === step ? "step" : null} onClick=${() => go(place)}><span>${place + 1}</span><time>${clockTime(one.at)}</time><span><${Told} brief text=${bare(one)} said=${one.said} /></span></button>
            ${(one.clauses ?? []).length > 0 && html`<button type="button" class="clause" onClick=${() => toClause(place)}><span class="hidden">${say("clause.open")}</span>§ <em>${brief(one.clauses[0])}</em></button>`}</div></li>`)}</ol></section>
      <${Felt} round=${round} step=${step} act=${act} />
      <aside class="proof"><section aria-labelledby="words-title"><h2 id="words-title" tabindex="-1" ref=${words}>${say("audit.clauses", { act: step + 1 })}</h2>
          ${(act.clauses ?? []).length === 0 && html`<p class="quiet">${say("audit.clauses.none")}</p>`}
          ${(act.clauses ?? []).map((id) => html`<figure key=${id}><blockquote lang="en">${clauses[id]?.says ?? say("wait")}</blockquote><figcaption>§ ${id}${clauses[id] ? `, ${called("topic", clauses[id].topic)}` : ""}</figcaption></figure>`)}</section>
        <${Chain} chain=${chain} round=${round} act=${act} me=${me} /><${Shuffle} round=${round} shuffle=${shuffle} />
        <section class="take"><h2>${say("audit.take")}</h2>${me.role === "auditor" && html`<p><a class="plain-button" href="/api/audit/file?upto=${round.last}" download>${say("audit.file")}</a></p>
          <p class="hint">${say("audit.file.verify")} <code>aceking verify aceking-${round.last}.db --round ${round.table}/${round.round}</code></p>`}
          <p><button type="button" class="plain-button" onClick=${() => window.print()}>${say("audit.print")}</button></p></section></aside>
    </main>
    <footer class="stepper"><button type="button" class="plain-button" aria-disabled=${step === 0} onClick=${() => go(step - 1)}>‹ ${say("replay.back")}</button>
      <button type="button" class="plain-button" data-act="next" aria-disabled=${step === acts.length - 1} onClick=${() => go(step + 1)}>${say("replay.on")} ›</button>
      <input type="range" min="1" max=${acts.length} value=${step + 1} aria-label=${say("audit.step")} aria-valuetext=${`${step + 1}: ${toldText({ brief: true, text: bare(act), said: act.said })}`} onInput=${(event) => go(Number(event.target.value) - 1)} />
      <b data-at=${step + 1}>${say("replay.step", { step: step + 1, of: acts.length })}</b></footer></div>`;
}

const LIES = ["layout", "tray", "meter"];

// The accounts of a table since the round began, the players taken together.
function sums(state, decimals) {
  const all = Object.entries(state.own.accounts ?? {}).map(([who, text]) => [who, minor(text, decimals)]);
  const players = all.filter(([who]) => !LIES.includes(who)).reduce((sum, [, units]) => sum + units, 0);
  const of = Object.fromEntries(all);
  return { players, layout: of.layout ?? 0, tray: of.tray ?? 0, meter: of.meter ?? 0, sum: all.reduce((sum, [, units]) => sum + units, 0) };
}

function Felt({ round, step, act }) {
  const state = round.states[act.state];
  const { common, own } = state;
  const before = step > 0 ? sums(round.states[round.acts[step - 1].state], round.decimals) : null;
  const now = sums(state, round.decimals);
  const seen = new Map((own.boxes ?? []).map((one) => [one.box, one]));
  const bank = own.dealer ?? [];
  const shared = own.community ?? [];
  const cards = (many, open) => html`<div class="hand">${many.map((name, place) => html`<span key=${name} class=${open?.[place] ? "" : "veiled"}><${Card} name=${name} mark=${open?.[place] ? null : say("audit.down")} /></span>`)}</div>`;
  return html`<section class="lay" aria-live="polite" aria-labelledby="act-title">
    <div class="said"><h2 id="act-title"><${Told} brief text=${bare(act)} said=${act.said} /></h2><small>${say("audit.act", { act: step + 1, time: clockTime(act.at), entry: act.entry, by: act.by })}</small></div>
    ${bank.length > 0 && html`<div class="bank">${cards(bank, common.dealer)}<p><b>${say("dealer")}</b> <span lang=${held(common.dealer_words).lang}>${held(common.dealer_words).text ?? ""}</span></p></div>`}
    ${shared.length > 0 && html`<div class="bank">${cards(shared, common.community)}<p><b>${say("community.short")}</b></p></div>`}
    <div class="scroll" role="region" tabindex="0" aria-label=${say("audit.boxes")}><table><thead><tr><th scope="col">${say("audit.box")}</th><th scope="col">${say("audit.cards")}</th><th scope="col">${called("wager", "ante")}</th><th scope="col">${called("wager", "bet")}</th><th scope="col">${called("wager", "side")}</th><th scope="col">${say("audit.state")}</th></tr></thead>
      <tbody>${(common.boxes ?? []).filter((box) => box.player).map((box) => {
        const mine = seen.get(box.box) ?? {};
        const sides = (box.sides ?? []).map((side) => `${called("wager", side.wager)} ${shown(side.stake, round, { chips: true })}${side.lit ? "" : `, ${say("audit.dark")}`}`).join(", ");
        const became = box.net ?? null;
        return html`<tr key=${box.box} data-box=${box.box}><th scope="row">${box.box} <b>${box.player}</b></th>
          <td>${(mine.cards ?? []).map((name) => html`<${SmallCard} key=${name} name=${name} />`)}${mine.words && html`<small lang=${held(mine.words).lang}>${held(mine.words).text}</small>`}</td>
          <td class="figure">${shown(box.ante ?? "0", round, { chips: true })}</td><td class="figure">${box.bet && box.bet !== "0" ? shown(box.bet, round, { chips: true }) : "–"}</td><td>${sides || "–"}</td>
          <td>${box.out ? say(`out.${box.out}`) : box.choice ? say(`choice.${box.choice}`) : say("audit.waiting")}${became !== null && html` <b>${shown(became, round, { signed: true })}</b>`}</td></tr>`;
      })}</tbody></table></div>
    <dl class="sums">${Object.entries(now).map(([key, units]) => html`<div key=${key}><dt>${say(`audit.sum.${key}`)}</dt><dd>${money(units, round, { signed: true })}</dd><dd class="moved">${key === "sum" ? say("audit.sum.always") : before && before[key] !== units ? money(units - before[key], round, { signed: true }) : say("audit.sum.rests")}</dd></div>`)}</dl>
  </section>`;
}

// The entries are asked for once and hashed here.
function useChain(round, me) {
  const [chain, setChain] = useState(null);
  useEffect(() => {
    if (me.role !== "auditor") return;
    if (!canCheck()) return void setChain({ closed: "shuffle.no-crypto" });
    get(`/api/audit/rounds/${round.table}/${round.round}/chain`)
      .then(async (entries) => setChain({ entries, ...(await checkChain(round, entries)) }))
      .catch((failed) => setChain({ holds: false, told: failed.message }));
  }, []);
  return chain;
}

function useShuffle(round) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (round.commitment && canCheck()) check(round, "").then(setFound);
  }, []);
  return found;
}

function Chain({ chain, round, act, me }) {
  const place = chain?.entries?.findIndex((one) => one.seq === act.entry) ?? -1;
  const near = place < 0 ? [] : chain.entries.slice(Math.max(0, place - 1), place + 2);
  const told = !chain ? null : chain.told ? html`<p class="bad" role="alert" lang="en" data-chain="false">${chain.told}</p>`
    : chain.closed ? html`<p class="due">${say(chain.closed)}</p>`
    : chain.holds ? html`<p class="good" data-chain="true">✓ ${say("audit.chain.holds", { count: chain.count })}</p>`
    : html`<p class="bad" role="alert" data-chain="false" data-entry=${chain.entry}>${say(`audit.chain.${chain.what}`, { entry: chain.entry, act: chain.act + 1 })}</p>`;
  return html`<section class="chain"><h2>${say("audit.chain")}</h2>${me.role !== "auditor" ? html`<p class="quiet">${say("audit.chain.auditor")}</p>` : (told ?? html`<p role="status">${say("wait")}</p>`)}
    ${near.length > 0 && html`<dl class="hash">${near.map((one) => html`<div key=${one.seq} class=${one.seq === act.entry ? "now" : ""}><dt>${one.seq}</dt><dd>${grouped(one.hash.slice(0, 32))}</dd></div>`)}</dl><p class="hint">${say("audit.chain.how")}</p>`}</section>`;
}

function Shuffle({ round, shuffle }) {
  const told = !round.commitment ? html`<p class="quiet">${say("audit.shuffle.none")}</p>`
    : !canCheck() ? html`<p class="due">${say("shuffle.no-crypto")}</p>`
    : !shuffle ? html`<p role="status">${say("wait")}</p>`
    : !shuffle.opened ? html`<p>${say("shuffle.sealed", { round: round.round })}</p>`
    : html`<p class=${shuffle.holds ? "good" : "bad"} data-checked=${shuffle.holds}>${shuffle.holds ? `✓ ${say("shuffle.holds-record", { round: round.round })}` : say(shuffle.committed ? "shuffle.dealt-wrong" : "shuffle.seed-wrong", { round: round.round })}</p>`;
  return html`<section class="shuffled"><h2>${say("shuffle")}</h2>${told}
    ${round.commitment && html`<dl class="hash"><div><dt>${say("audit.shuffle.hash")}</dt><dd>${grouped(round.commitment.slice(0, 32))}</dd></div>${round.seed && html`<div><dt>${say("audit.shuffle.seed")}</dt><dd>${grouped(round.seed.slice(0, 32))}</dd></div>`}</dl>
      <p class="hint">${say("shuffle.told", { words: (round.words ?? []).join(", ") || say("none"), cut: round.cut ?? 0 })}</p>`}</section>`;
}

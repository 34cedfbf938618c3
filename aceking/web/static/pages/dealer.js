// The dealer's console: past acts, the next act, the boxes, and mishaps.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { Boxes, Entries } from "../console/boxes.js";
import { Due, known } from "../console/due.js";
import { Claim, Mishaps, Report } from "../console/wrong.js";
import { DealerRow } from "../table/felt.js";
import { Clause, ClauseSheet } from "../parts/clause.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { useAsking, useKeys, useOnce, useTable } from "../table/state.js";
import { Told } from "../words/told.js";
import { called, say } from "../words/words.js";
import "../words/staff.js";

const RUN = ["dealer", "floorperson", "supervisor", "executive", "manager"];

export function DealerPage({ id }) {
  const table = useTable(id);
  const printed = useOnce(`/api/tables/${id}/printed`);
  const told = useConsole(id, table);
  const page = (inside) => html`<${Header} me=${table.me} /><main class="lobby">${inside}</main>`;
  if (table.missing) return page(html`<h1>${say("table.unknown", { table: id })}</h1><p><a href="/">${say("lobby")}</a></p>`);
  if (table.here && table.view && !RUN.includes(table.me.role)) {
    return page(html`<h1>${say("console")}</h1><p>${say("console.not-yours")} <a href="/login?next=${encodeURIComponent(location.pathname)}">${say("log-in")}</a></p>`);
  }
  if (!table.view || !printed || !told) return page(html`<p role="status">${say("wait")}</p>`);
  return html`<${Console} id=${id} table=${table} printed=${printed} told=${told} />`;
}

// What the house says of the table to those who run it, asked for again whenever the table or its meter moves.
function useConsole(id, table) {
  const [told, setTold] = useState(null);
  const version = table.view?.rail.version;
  const runs = RUN.includes(table.me.role);
  const meter = JSON.stringify(table.floor?.meters.find((one) => one.id === table.view?.rail.posted.meter));
  useEffect(() => {
    if (!runs || version === undefined) return undefined;
    let there = true;
    get(`/api/tables/${id}/console`).then((found) => there && setTold(found), () => {});
    return () => (there = false);
  }, [version, runs, table.here, meter]);
  return told;
}

function Console({ id, table, printed, told }) {
  const { view, me, here } = table;
  const { rail } = view;
  const { posted, common } = rail;
  const asking = useAsking(table.ask, view);
  const [clause, open] = useState(null);
  const [chosen, choose] = useState(null);
  const [mishap, setMishap] = useState(null);
  const [reported, setReported] = useState(false);
  useKeys();
  useEffect(() => void (document.title = `${posted.name} · ${say("console")} · AceKing`), []);
  const mishaps = told.mishaps ?? [];
  const entries = told.entries ?? [];
  const ofBox = entries.filter((one) => one.offer.box === chosen).length; // what is half entered for a box stays when another moves
  const behind = told.version < rail.version; // the table has moved, and what is due now is still being asked for
  useEffect(() => {
    const press = (event) => {
      const writing = event.target.closest?.("input, select, textarea, .sheet");
      if (event.ctrlKey || event.metaKey || event.altKey || (writing && (event.key !== "Escape" || writing.matches(".sheet")))) return;
      const number = "123456789".indexOf(event.key);
      if (event.key === "Escape" && (mishap || chosen)) {
        setMishap(null);
        choose(null);
      } else if (event.key === "!") document.querySelector("[data-mishap]")?.focus();
      else if (number >= 0 && event.target.closest?.(".wrong")) document.querySelectorAll("[data-mishap]")[number]?.click();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [mishap, chosen]);
  useEffect(() => {
    if (mishap) document.getElementById("report-title")?.focus();
  }, [mishap?.mishap]);
  const said = (key) => asking.refused?.key === key && html`<p class="refusal" role="alert"><${Told} text=${asking.refused.reason} said=${asking.refused.said} />
    <${Clause} id=${asking.refused.clause} from=${say("refused")} open=${open} /></p>`;
  const shared = { busy: asking.busy, said, open, act: asking.send, send: asking.send };
  const faceUp = [...(common.dealer ?? []), ...(common.community ?? []), ...(common.boxes ?? []).flatMap((one) => one.cards ?? [])].filter(Boolean);
  const dealt = [common.dealer, common.community, common.burn, ...(common.boxes ?? []).map((one) => one.cards)].reduce((all, one) => all + (one?.length ?? 0), 0);
  const questions = common.questions ?? [];
  const done = (was) => {
    setMishap(null);
    setReported(was);
  };
  return html`<div class="console" data-cloth=${cloth(posted.book)}>
    <${Header} me=${me} book=${cloth(posted.book)}><h1>${posted.name} <small lang="en">${posted.title}, ${posted.house}</small></h1>
      <span class="limits">${common.round ? say("round", { number: common.round }) : ""} ${common.phase ? called("phase", common.phase) : ""}</span><//>
    ${!here && html`<p class="lost" role="status">${say("lost")}</p>`}
    <main aria-busy=${behind}>
      <section class="next" aria-label=${say("console.next")}>
        ${questions.map((one) => html`<div class="held" key=${one.question}>${!one.record && html`<p class="tag bad-tag">${say("console.held")}</p>`}
          <p>${called("mishap", one.mishap)} <${Clause} id=${one.clause} from=${say("question")} open=${open} /> ${say("question.of", { of: called("actor", one.of) })}</p><${Claim} one=${one} /></div>`)}
        ${reported && html`<p class="good" role="status">${say("wrong.reported")}</p>`}
        ${mishap
          ? html`<${Report} key=${mishap.mishap} table=${id} mishap=${mishap} rail=${rail} close=${done} on=${true} version=${rail.version} ...${shared} />`
          : html`${chosen && html`<${Entries} key=${`${chosen}/${common.round}/${common.phase}/${ofBox}`} number=${chosen} rail=${rail} entries=${entries} on=${true} close=${() => choose(null)} ...${shared} />`}
            ${told.due
              ? html`<${Due} key=${known(told.due, dealt)} due=${told.due} table=${id} posted=${posted} out=${faceUp} on=${!chosen} read=${told.read ?? 0} ...${shared} />`
              : html`<p class="idle">${say(entries.length ? "console.players" : "console.idle")}</p>`}`}
      </section>
      <section class="lies"><${DealerRow} common=${common} printed=${printed} open=${open} />
        <${Boxes} rail=${rail} chosen=${chosen} choose=${(one) => (setMishap(null), choose(one))} entries=${entries} /></section>
      <section class="steps" aria-labelledby="steps-title"><h2 id="steps-title">${say("console.steps")}</h2>
        <ol>${(told.steps ?? []).map((one, place) => html`<li key=${place}><span aria-hidden="true">✓</span><span>${called("do", one.act)}
            ${(one.boxes ?? []).length > 0 && html` <small>${say("console.box", { box: one.boxes.join(", ") })}</small>`}${(one.times ?? 1) > 1 && html` <small>${say("console.times", { count: one.times })}</small>`}</span>
          <${Clause} id=${one.clause} from=${called("do", one.act)} open=${open} /></li>`)}</ol>
        ${(told.steps ?? []).length === 0 && html`<p>${say("console.steps.none")}</p>`}</section>
      <${Mishaps} mishaps=${mishaps} chosen=${mishap} choose=${(one) => (setReported(false), choose(null), setMishap(one))} open=${open} />
    </main>
    ${clause && html`<${ClauseSheet} table=${id} asked=${clause} close=${() => open(null)} />`}
  </div>`;
}

// The lab: any book with any line changed, priced over every deal while the slider moves. No log-in.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { decimal, percent, times } from "../exact.js";
import { ClauseSheet } from "../parts/clause.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { useKeys, useOnce } from "../table/state.js";
import { say } from "../words/words.js";
import { Chart } from "../lab/chart.js";
import { Choices, Pays, rowName } from "../lab/controls.js";
import { Deal } from "../lab/deal.js";
import { Edge, Moved } from "../lab/figures.js";
import { Meter } from "../lab/meter.js";
import { Curve, Outcomes } from "../lab/plots.js";
import { counted, query, saved, useCounted, useMoves } from "../lab/state.js";
import { Trainer } from "../lab/trainer.js";

const FIRST = "section10";

export function Lab({ first }) {
  const shelf = useOnce("/api/lab/books");
  const me = useOnce("/api/me");
  useEffect(() => void (document.title = `${say("lab")} · AceKing`), []);
  useKeys();
  if (!shelf) return html`<${Header} me=${me}><h1>${say("lab")}</h1><//><main class="lobby"><p role="status">${say("wait")}</p></main>`;
  if (first && !shelf.some((one) => one.book === first)) {
    return html`<${Header} me=${me}><h1>${say("lab")}</h1><//><main class="lobby"><p>${say("lab.unknown", { book: first })}</p><p><a href="/lab">${say("lab")}</a></p></main>`;
  }
  return html`<${Bench} shelf=${shelf} me=${me} first=${first ?? (shelf.find((one) => one.book === FIRST) ?? shelf[0]).book} />`;
}

// What every book costs as it is, one after the other.
function useEdges(shelf) {
  const [edges, setEdges] = useState({});
  useEffect(() => {
    let there = true;
    (async () => {
      for (const { book } of shelf) {
        const found = await counted(`/api/lab/price/${book}`, () => there).catch(() => null);
        if (!there) return;
        if (found) setEdges((before) => ({ ...before, [book]: found.own.figures.house_edge }));
      }
    })();
    return () => (there = false);
  }, []);
  return edges;
}

function Bench({ shelf, me, first }) {
  const moves = useMoves(first);
  const { book, move } = moves;
  const bench = useOnce(`/api/lab/books/${book}`);
  const edges = useEdges(shelf);
  const [at, setAt] = useState({ meter: null, ante: "10" });
  const [clause, setClause] = useState(null);
  const text = query(moves);
  const priced = useCounted(`/api/lab/price/${book}?${query(moves, { meter: at.meter, ante: at.ante })}`);
  const price = priced.found?.book === book ? priced.found : null;
  const laid = bench?.book.book === book ? bench : null;
  const choose = (one) => {
    setAt({ meter: null, ante: at.ante });
    setClause(null);
    moves.choose(one);
  };
  const row = moves.last ?? Object.keys(moves.pays).at(-1) ?? "full_house";
  const curve = useCounted(`/api/lab/curve/${book}?${query(moves, { row })}`, { wait: 250 });
  const open = (asked) => setClause({ book, ...asked });
  useEffect(() => {
    // On a phone the shelf is a strip that scrolls: the book that lies open is seen.
    const strip = document.querySelector(".shelf ul");
    const mine = strip?.querySelector('[aria-current="true"]')?.parentElement;
    if (mine) strip.scrollLeft = mine.offsetLeft - 40;
  }, [book]);
  const told = price && say("lab.voice", { edge: percent(price.now.figures.house_edge), change: price.what_if ? say("lab.what-if") : say("lab.as-it-is") });
  return html`<div class="lab-page" data-cloth=${cloth(book)}>
    <${Header} me=${me} book=${cloth(book)}><h1>${say("lab")} <small>${say("lab.exact")}</small></h1><//>
    <nav class="shelf" aria-label=${say("lab.books")}><div class="head"><h2>${say("lab.books")}</h2><span class="note">${say("lab.keeps")}</span></div>
      <ul>${shelf.map((one) => html`<li key=${one.book}><button type="button" class="shelf-book" data-cloth=${cloth(one.book)} data-book=${one.book} aria-current=${one.book === book} onClick=${() => choose(one.book)}>
        <i aria-hidden="true"></i><span lang="en"><b>${one.title}</b><small>${one.house}, ${one.version}</small></span><span class="num">${edges[one.book] ? decimal(times(edges[one.book], "100"), 4) : "…"}</span></button></li>`)}</ul></nav>
    <main class="lab" aria-busy=${priced.busy}>
      <p class="hidden" role="status" aria-live="polite">${told ?? ""}</p>
      ${priced.wrong && html`<p class="refusal" role="alert" lang="en">${priced.wrong}</p>`}
      ${!price || !laid ? html`<p role="status" class="first-count">${say("lab.counting")}</p>` : html`
        <div class="two open-book"><div><${Edge} book=${laid.book} price=${price} busy=${priced.busy} /></div>
          <div class="after"><${Moved} price=${price} repeat=${price.repeat} open=${open} back=${moves.back} /><${Sheet} book=${book} text=${text} /></div>
          <div class="bench"><${Pays} bench=${laid} pays=${moves.pays} move=${move} open=${open} /><${Choices} bench=${laid} options=${moves.options} qualifier=${moves.qualifier} move=${move} open=${open} /></div></div>
        <div class="two ruled"><section><div class="head"><h2>${say("lab.curve", { row: rowName(laid, row) })}</h2><span class="note">%</span></div>
            ${curve.found && curve.of?.includes(`/curve/${book}?`) ? html`<${Curve} curve=${curve.found} name=${rowName(laid, curve.found.row)} />` : html`<p class="note picture-wait" role="status">${curve.wrong || say("lab.counting")}</p>`}</section>
          <section><div class="head"><h2>${say("lab.ends")}</h2><span class="note">%</span></div><${Outcomes} figures=${price.now.figures} /></section></div>
        <${Meter} bench=${laid} price=${price} options=${moves.options} move=${move} meter=${at.meter} ante=${at.ante} set=${(part) => setAt((before) => ({ ...before, ...part }))} open=${open} />
        <${Chart} book=${book} text=${text} dealer=${laid.dealer} parts=${laid.dealer && !laid.exchange} />`}
      <${Deal} moves=${moves} open=${open} />
      <${Trainer} book=${book} text=${text} />
    </main>
    ${clause && html`<${ClauseSheet} path=${`/api/lab/books/${clause.book}/clauses`} asked=${clause} close=${() => setClause(null)} />`}
  </div>`;
}

function Sheet({ book, text }) {
  const [state, setState] = useState("");
  const there = useRef(true);
  useEffect(() => () => void (there.current = false), []);
  const load = (form) => async () => {
    if (state === "busy") return;
    setState("busy");
    const more = new URLSearchParams(text);
    more.set("form", form);
    const wrong = await saved(`/api/lab/sheet/${book}?${more}`, () => there.current).then(() => "", (failed) => failed.message);
    if (there.current) setState(wrong);
  };
  return html`<section class="sheet-part" aria-label=${say("lab.sheet")}><button type="button" class="plain-button" data-sheet="html" aria-disabled=${state === "busy"} onClick=${load("html")}>${say("lab.sheet")}</button>
    <button type="button" class="plain-button" data-sheet="json" aria-disabled=${state === "busy"} onClick=${load("json")}>${say("lab.sheet.json")}</button>
    <p class="note" role="status">${state === "busy" ? say("lab.sheet.wait") : state ? html`<span class="bad" lang="en">${state}</span>` : say("lab.sheet.note")}</p></section>`;
}

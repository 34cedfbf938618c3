// The lobby: every table with its rule book and the exact return of each bet.
import { html, useEffect, useMemo, useState } from "../vendor/preact-htm.js";
import { HouseError, Live, get } from "../client.js";
import { less, lowest, percent, sum, times } from "../exact.js";
import { shown } from "../money.js";
import { MeterAmount } from "../parts/amount.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { called, say } from "../words/words.js";

export function useFloor() {
  const [floor, setFloor] = useState(null);
  const [here, setHere] = useState(true);
  const [me, setMe] = useState(null);
  useEffect(() => {
    const live = new Live({
      onFloor: setFloor,
      onState: (open) => {
        setHere(open);
        if (open) setMe(live.me);
      },
      onSessionOver: () => location.reload(),
    });
    live.watchFloor();
    return () => live.close();
  }, []);
  return { floor, here, me };
}

// The return of a side bet where the meter stands now.
export function sideReturn(side, meter) {
  if (side.open) return null;
  if (side.slope === undefined || side.slope === "0") return less("1", side.house_edge);
  return meter ? sum("1", side.constant, times(side.slope, meter)) : null;
}

function useReturns(tables) {
  const [returns, setReturns] = useState({});
  const ids = tables.map((one) => one.id).join(" ");
  useEffect(() => {
    // One after the other: what is counted for one table of a book is known for the next.
    let there = true;
    (async () => {
      for (const { id } of tables) {
        // What the house does not count is null; what it did not answer is left open.
        const found = await get(`/api/tables/${id}/returns`).catch((wrong) => (wrong instanceof HouseError ? null : undefined));
        if (!there) return;
        if (found !== undefined) setReturns((before) => ({ ...before, [id]: found }));
      }
    })();
    return () => (there = false);
  }, [ids]);
  return returns;
}

function byBook(tables) {
  const found = new Map();
  for (const one of tables) found.set(one.posted.title, [...(found.get(one.posted.title) ?? []), one]);
  return [...found.values()];
}

export function Lobby() {
  const { floor, here, me } = useFloor();
  const tables = floor?.tables ?? [];
  const returns = useReturns(tables);
  const books = useMemo(() => byBook(tables), [floor]);
  useEffect(() => void (document.title = `${say("lobby")} · AceKing`), []);
  const purse = Object.entries(floor?.purse ?? {});
  const reads = ["auditor", "supervisor", "executive", "manager"].includes(me?.role);
  const runs = ["floorperson", "supervisor", "executive", "manager"].includes(me?.role);
  return html`<${Header} me=${me}>
      ${runs && html`<a href="/pit">${say("go.pit")}</a>`}
      ${reads && html`<a href="/audit">${say("go.audit")}</a>`}
      ${purse.length > 0 && html`<span class="purse">${say("purse")}
        ${purse.map(([currency, value]) => html` <b>${shown(value, { currency, decimals: floor.currencies[currency] })}</b>`)}</span>`}
    <//>
    <main class="lobby">
      ${!here && html`<p class="lost" role="status">${say("lost")}</p>`}
      <div class="title">
        <div><h1>${floor ? say("lobby.title", { count: tables.length }) : say("wait")}</h1>
          <p>${say("lobby.exact")} <a href="/lab">${say("lobby.lab")}</a></p></div>
        <ul class="meters">${(floor?.meters ?? []).map((one) => html`<li key=${one.id}>
          <small>${say("meter.of", { name: one.id })}${one.phase !== "open" ? `, ${called("meter", one.phase)}` : ""}</small>
          <a href="/meter/${one.id}"><${MeterAmount} value=${one.value} currency=${one.currency} decimals=${floor.currencies[one.currency]} /></a>
          ${one.must_hit_by && html`<small>${say("meter.must-hit", { amount: shown(one.must_hit_by, { currency: one.currency, decimals: floor.currencies[one.currency] }) })}</small>`}</li>`)}</ul>
      </div>
      ${floor && tables.length === 0 && html`<p class="nothing">${say("lobby.empty")}</p>`}
      ${books.map((many) => html`<${Book} key=${many[0].posted.title} tables=${many} returns=${returns} me=${me} />`)}
    </main>`;
}

function Book({ tables, returns, me }) {
  const { posted } = tables[0];
  const heading = `book-${tables[0].id}`;
  return html`<section class="book" data-cloth=${cloth(posted.book)} aria-labelledby=${heading}>
    <div class="spine"><h2 id=${heading} lang="en">${posted.title}</h2>
      <p lang="en">${posted.version}, ${posted.house}</p></div>
    <ul>${tables.map((one) => html`<${Row} key=${one.id} one=${one} returns=${returns[one.id]} me=${me} />`)}</ul>
  </section>`;
}

function Row({ one, returns, me }) {
  const { posted } = one;
  const seats = one.seats ?? {};
  const taken = Object.keys(seats).length;
  const mine = Object.values(seats).includes(me?.name);
  const state = one.open === false ? say("table.closing") : posted.mode === "live" ? say("table.live") : "";
  return html`<li class="row">
    <h3>${posted.name}${state && html` <small>${state}</small>`}</h3>
    <p><span class="what">${say("ante")}</span>
      ${say("limits", { low: shown(posted.ante_min, posted, { chips: true }), high: shown(posted.ante_max, posted, { chips: true }) })}</p>
    <p class="boxes"><span class="what">${say("boxes")}</span><span aria-hidden="true">
      ${Array.from({ length: posted.boxes }, (_, place) => html`<i class=${seats[place + 1] ? "taken" : ""}></i>`)}</span>
      ${say("boxes.open", { count: posted.boxes - taken, of: posted.boxes })}</p>
    <p class="figure"><span class="what">${say("meter")}</span>
      ${one.meter ? html`<b>${shown(one.meter, posted)}</b>` : html`<span>${say("meter.none")}</span>`}
      ${Object.entries(one.must_hit ?? {}).map(([name, value]) => html`<small key=${name}>${name} ${shown(value, posted)}</small>`)}</p>
    <${Figure} what=${say("returns.main")} value=${returns && less("1", returns.main_exact)}
      of=${say("returns.ante")} waits=${returns === null ? say("returns.uncounted") : "…"} />
    <${Sides} returns=${returns} posted=${posted} meter=${one.meter} />
    <a class="plain-button" href=${me?.role === "dealer" ? `/dealer/${one.id}` : `/table/${one.id}`}>${mine ? say("go.back") : say(me?.role === "dealer" ? "go.deal" : "go")}
      <span class="hidden">${posted.name}</span></a>
  </li>`;
}

function Figure({ what, value, of, waits = "…" }) {
  return html`<p class="figure"><span class="what">${what}</span>
    ${value ? html`<b title=${lowest(value)}>${percent(value)}</b> <small>${of}</small>` : html`<span>${waits}</span>`}</p>`;
}

function Sides({ returns, posted, meter }) {
  const sides = Object.entries(returns?.sides ?? {});
  const none = returns === null ? say("returns.uncounted") : returns ? say("returns.no-side") : "…";
  if (!sides.length) return html`<p class="figure"><span class="what">${say("returns.side")}</span><span>${none}</span></p>`;
  return html`<div class="sides">${sides.map(([name, side]) => {
    const value = sideReturn(side, meter);
    const of = say("returns.of", { wager: called("wager", name) });
    if (value) return html`<${Figure} key=${name} what=${say("returns.side")} value=${value} of=${of} />`;
    return html`<p class="figure" key=${name}><span class="what">${say("returns.side")}</span><span>${say(side.open ? "returns.unposted" : "returns.no-meter")}</span> <small>${of}</small></p>`;
  })}</div>`;
}

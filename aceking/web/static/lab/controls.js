// The controls of the lab: sliders for pays, options, the qualifier, awards, with what the book allows.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Clause } from "../parts/clause.js";
import { called, say } from "../words/words.js";
import { asked, atStep, shownOdds, steps, typed } from "./odds.js";

const hand = (row) => `${called("hand", row.hand)}${row.three ? `, ${say("hand.three")}` : ""}`;

function Pay({ row, odds, set }) {
  const moved = odds !== row.odds;
  const [text, setText] = useState(shownOdds(odds));
  useEffect(() => setText(shownOdds(odds)), [odds]);
  const write = () => {
    const found = typed(text);
    if (found === null) setText(shownOdds(odds));
    else if (found !== odds) set(found);
  };
  const high = Math.max(steps(String(row.high), row.step), steps(odds, row.step));
  const least = row.least && steps(row.least, row.step) / high;
  const name = hand(row);
  const told = `${shownOdds(odds)}${moved ? `, ${say("lab.book-has", { odds: shownOdds(row.odds) })}` : ""}`;
  return html`<li class=${`pay ${moved ? "moved" : ""}`}>
    <span class="name">${name}</span>
    <span class=${`slide ${least ? "bounded" : ""}`} style=${{ "--at": steps(odds, row.step) / high, "--least-share": least || 0 }}>
      <input type="range" min="0" max=${high} step="1" value=${steps(odds, row.step)} data-row=${row.row}
        aria-label=${name} aria-valuetext=${told} onInput=${(event) => set(atStep(event.target.value, row.step))} /></span>
    <input class="odds" size="9" maxlength="14" value=${text} aria-label=${say("lab.odds-of", { hand: name })}
      onInput=${(event) => setText(event.target.value)} onBlur=${write} onKeyDown=${(event) => event.key === "Enter" && write()} />
  </li>`;
}

export function Pays({ bench, pays, move, open }) {
  const set = (row) => (odds) => move((before) => {
    const next = { ...before.pays };
    if (odds === row.odds) delete next[row.row];
    else next[row.row] = asked(odds);
    return { pays: next, last: row.row };
  });
  const now = (row) => (pays[row.row] ? typed(pays[row.row]) ?? row.odds : row.odds);
  return bench.pays.map(({ table, rows }, place) => {
    const moved = rows.filter((row) => now(row) !== row.odds).length;
    const body = html`<ul class="pays-list">${rows.map((row) => html`<${Pay} key=${row.row} row=${row} odds=${now(row)} set=${set(row)} />`)}</ul>`;
    const note = rows[0].fixed ? say("lab.fixed") : say("lab.least");
    const head = html`<h2>${say(`lab.pays.${table}`)}</h2><span class="note">${note} <${Clause} id=${rows[0].clause} from=${say(`lab.pays.${table}`)} open=${open} /></span>`;
    if (place === 0) return html`<section class="bench-part" key=${table}><div class="head">${head}</div>${body}</section>`;
    return html`<details class="bench-part" key=${table} open=${moved > 0}><summary><b>${say(`lab.pays.${table}`)}</b>
      <span>${say("lab.moved-of", { count: moved, of: rows.length })}</span></summary><div class="head quiet"><span class="note">${note}
      <${Clause} id=${rows[0].clause} from=${say(`lab.pays.${table}`)} open=${open} /></span></div>${body}</details>`;
  });
}

// A text that is sent when it is finished.
function Written({ value, label, set, ...more }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const write = () => text.trim() !== value && set(text.trim());
  return html`<input value=${text} aria-label=${label} onInput=${(event) => setText(event.target.value)} onBlur=${write}
    onKeyDown=${(event) => event.key === "Enter" && write()} ...${more} />`;
}

export function Choices({ bench, options, qualifier, move, open }) {
  const set = (one) => (value) => move((before) => {
    const next = { ...before.options };
    if (value === one.own || value === "") delete next[one.option];
    else next[one.option] = value;
    return { options: next };
  });
  if (!bench.options.length && !bench.qualifier) return null;
  return html`<section class="bench-part"><div class="head"><h2>${say("lab.options")}</h2><span class="note">${say("lab.options.note")}</span></div>
    <ul class="choices-list">
      ${bench.qualifier && html`<li class=${qualifier ? "moved" : ""}><span class="name">${say("lab.qualifier")} <${Clause} id=${bench.qualifier.clause} from=${say("lab.qualifier")} open=${open} /></span>
        <select aria-label=${say("lab.qualifier")} onChange=${(event) => move({ qualifier: event.target.value === bench.qualifier.own ? null : event.target.value })}>
          ${[...new Set([...bench.qualifier.hands, ...(qualifier ? [qualifier] : [])])].map((one) => html`<option value=${one} selected=${one === (qualifier ?? bench.qualifier.own)}>
            ${one.replaceAll("T", "10").replaceAll(" ", "-")}${one === bench.qualifier.own ? ` (${say("lab.the-book")})` : ""}</option>`)}</select></li>`}
      ${bench.options.map((one) => {
        const now = options[one.option] ?? one.own;
        const label = called("option", one.option);
        return html`<li key=${one.option} class=${now !== one.own ? "moved" : ""}><span class="name">${label} <${Clause} id=${one.clause} from=${label} open=${open} /></span>
          ${one.kind === "choice"
            ? html`<select aria-label=${label} data-option=${one.option} onChange=${(event) => set(one)(event.target.value)}>${one.values.map((value) => html`<option value=${value} selected=${value === now}>
                ${called("value", value)}${value === one.own ? ` (${say("lab.the-book")})` : ""}</option>`)}</select>`
            : html`<${Written} value=${now} label=${label} set=${set(one)} maxlength="15" data-option=${one.option} />`}</li>`;
      })}
    </ul></section>`;
}

// What the progressive pays. Where a book leaves it to a sign, there is no figure until all is posted.
export function Awards({ bench, options, move, open }) {
  const { awards } = bench;
  if (!awards) return null;
  let given = {};
  try {
    given = awards.option && options[awards.option] ? JSON.parse(options[awards.option]) : {};
  } catch {
    given = {};
  }
  const put = (rows) => move((before) => {
    const next = { ...before.options };
    if (Object.keys(rows).length) next[awards.option] = JSON.stringify(rows);
    else delete next[awards.option];
    return { options: next };
  });
  const set = (row) => (value) => {
    const { [row.row]: _, ...rest } = given;
    put(value === "" || value === row.award ? rest : { ...rest, [row.row]: value });
  };
  const unposted = awards.rows.filter((row) => row.award === undefined && !given[row.row]);
  const example = () => put({ ...given, ...Object.fromEntries(unposted.map((row) => [row.row, row.example])) });
  return html`<div class="awards"><div class="head"><h3>${say("lab.awards")}</h3><span class="note">${awards.option ? say("lab.awards.note") : say("lab.awards.fixed")}
      <${Clause} id=${awards.clause} from=${say("lab.awards")} open=${open} /></span></div>
    <ul class="choices-list">${awards.rows.map((row) => html`<li key=${row.row} class=${given[row.row] ? "moved" : ""}><span class="name">${called("hand", row.hand)}</span>
      ${awards.option
        ? html`<${Written} value=${given[row.row] ?? row.award ?? ""} label=${say("lab.award-of", { hand: called("hand", row.hand) })} set=${set(row)} maxlength="15" placeholder=${say("unposted")} data-award=${row.row} />`
        : html`<b>${row.award}</b>`}</li>`)}</ul>
    ${unposted.length > 0 && html`<button type="button" class="plain-button" onClick=${example}>${say("lab.awards.example")}</button>`}</div>`;
}

export const rowName = (bench, id) => {
  for (const { table, rows } of bench.pays) {
    const row = rows.find((one) => one.row === id);
    if (row) return table === "bet" ? hand(row) : `${hand(row)} (${say(`lab.pays.${table}`)})`;
  }
  return id;
};

// The clause of a fact, with its text one click away.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { called, say } from "../words/words.js";

// Inside one book the part that all its clauses begin with is left out, and which of its sentences it is; across books
// all of it stays (`full`), as on the sheet.
export const brief = (id) => id.replace(/^[A-Z]+-?\d*(?=\()|^[A-Z]+-/, "").replace(/#.*/, "");

export function Clause({ id, from, open, full }) {
  if (!id) return null;
  const click = (event) => {
    event.stopPropagation();
    open({ id, from, back: event.currentTarget });
  };
  return html`<button type="button" class="clause" onClick=${click}>
    <span class="hidden">${say("clause.open")}</span>§ <em>${full ? id : brief(id)}</em></button>`;
}

const kept = new Map();
const clausesAt = (path) => {
  if (!kept.has(path)) kept.set(path, get(path).catch((failed) => (kept.delete(path), failed)));
  return kept.get(path);
};

// The words come from the table, or from where the page says.
export function ClauseSheet({ table, path = `/api/tables/${table}/clauses`, asked, close }) {
  const [words, setWords] = useState(null);
  const heading = useRef(null);
  useEffect(() => {
    let there = true;
    clausesAt(path).then((found) => there && setWords(found instanceof Error ? {} : found));
    heading.current?.focus();
    return () => (there = false);
  }, [asked]);
  const leave = () => {
    close();
    asked.back?.focus?.();
  };
  const keys = (event) => event.key === "Escape" && (event.stopPropagation(), leave());
  const one = words?.[asked.id];
  return html`<aside class="sheet" aria-labelledby="clause-title" onKeyDown=${keys}>
    <h2 id="clause-title" tabindex="-1" ref=${heading}>§ ${asked.id}</h2>
    ${asked.from && html`<p class="from">${say("clause.from", { from: asked.from })}</p>`}
    <blockquote lang="en">${one ? one.says : words ? say("clause.none") : say("wait")}</blockquote>
    ${one && html`<p class="from">${called("topic", one.topic)}</p>`}
    <button type="button" class="plain-button" onClick=${leave}>${say("close")} <kbd aria-hidden="true">Esc</kbd></button>
  </aside>`;
}

// A clause beside the fact that it is the reason of, and its words one click away.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { called, say } from "../words/words.js";

// Inside one book the part that all its clauses begin with is left out.
export const brief = (id) => id.replace(/^[A-Z]+-?\d*(?=\()|^[A-Z]+-/, "");

export function Clause({ id, from, open }) {
  if (!id) return null;
  const click = (event) => {
    event.stopPropagation();
    open({ id, from, back: event.currentTarget });
  };
  return html`<button type="button" class="clause" onClick=${click}>
    <span class="hidden">${say("clause.open")}</span>§ <em>${brief(id)}</em></button>`;
}

const kept = new Map();
const clausesOf = (table) => {
  if (!kept.has(table)) kept.set(table, get(`/api/tables/${table}/clauses`).catch((failed) => (kept.delete(table), failed)));
  return kept.get(table);
};

export function ClauseSheet({ table, asked, close }) {
  const [words, setWords] = useState(null);
  const heading = useRef(null);
  useEffect(() => {
    let there = true;
    clausesOf(table).then((found) => there && setWords(found instanceof Error ? {} : found));
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

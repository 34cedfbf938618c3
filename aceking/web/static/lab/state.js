// The changes to a book, stored in the address of the page, and the answers of the house for them.
import { useCallback, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";

const AGAIN = 1500;
const split = (text) => {
  const at = text.indexOf("=");
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, ""];
};

export const NOTHING = { pays: {}, options: {}, qualifier: null };

export function moves() {
  const found = new URLSearchParams(location.search);
  return {
    pays: Object.fromEntries(found.getAll("pays").map(split)),
    options: Object.fromEntries(found.getAll("option").map(split)),
    qualifier: found.get("qualifier"),
  };
}

export function query({ pays, options, qualifier }, more = {}) {
  const found = new URLSearchParams();
  for (const [row, odds] of Object.entries(pays).sort()) found.append("pays", `${row}=${odds}`);
  for (const [name, value] of Object.entries(options).sort()) found.append("option", `${name}=${value}`);
  if (qualifier) found.append("qualifier", qualifier);
  for (const [name, value] of Object.entries(more)) if (value !== undefined && value !== "" && value !== null) found.append(name, value);
  return found.toString();
}

// The moves of one book; another book begins as it is.
export function useMoves(first) {
  const [state, setState] = useState(() => ({ book: first, ...moves() }));
  const move = (part) => setState((before) => {
    const next = { ...before, ...(typeof part === "function" ? part(before) : part) };
    const text = query(next);
    history.replaceState(null, "", `/lab/${next.book}${text && `?${text}`}`);
    return next;
  });
  return { ...state, move, choose: (book) => move({ book, last: null, ...NOTHING }), back: () => move(NOTHING) };
}

const later = () => new Promise((done) => setTimeout(done, AGAIN));

// An answer, asked for again as long as the house says to, unless nobody waits for it any more.
export async function counted(path, there = () => true) {
  for (;;) {
    try {
      return await get(path);
    } catch (failed) {
      if (failed.code !== "too-many" || !there()) throw failed;
      await later();
    }
  }
}

// One question at a time, the newest last: a slider may ask faster than can be counted. What was found stays until
// there is something newer. Told to ask again, it asks again.
export function useCounted(path, { wait = 0 } = {}) {
  const [state, setState] = useState({ found: null, of: null, busy: false, wrong: "" });
  const here = useRef({ asking: false, wanted: null, there: true, timer: 0 });
  const ask = useCallback(async () => {
    const my = here.current;
    if (my.asking || !my.wanted) return;
    my.asking = true;
    const wanted = my.wanted;
    let next = {};
    try {
      next = { found: await get(wanted), of: wanted, wrong: "" };
    } catch (failed) {
      if (failed.code === "too-many") {
        next = { wrong: "" };
        await later();
      } else next = { wrong: failed.message, of: wanted };
    }
    my.asking = false;
    if (!my.there) return;
    const more = my.wanted !== wanted || (!next.of && my.wanted === wanted);
    setState((before) => ({ ...before, ...next, busy: more }));
    if (more) ask();
  }, []);
  useEffect(() => {
    const my = here.current;
    clearTimeout(my.timer);
    my.wanted = path;
    if (!path) return;
    setState((before) => ({ ...before, busy: before.of !== path }));
    my.timer = setTimeout(ask, wait);
  }, [path]);
  useEffect(() => () => void (here.current.there = false), []);
  return state;
}

// A file of the house, asked for until it is there.
export async function saved(path, there) {
  for (;;) {
    const response = await fetch(path);
    if (response.status === 429 && there()) {
      await later();
      continue;
    }
    if (!response.ok) throw new Error((await response.json()).reason);
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition"))[1];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    return name;
  }
}

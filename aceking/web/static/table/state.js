// The state of the table page: the newest view, the person, open requests, and past rounds.
import { useCallback, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { HouseError, Live, get } from "../client.js";
import { canCheck, check } from "../shuffle.js";

const HISTORY = 20;

export function useTable(id) {
  const [view, setView] = useState(null);
  const [floor, setFloor] = useState(null);
  const [here, setHere] = useState(true);
  const [me, setMe] = useState({ name: null, role: null });
  const [missing, setMissing] = useState(false);
  const live = useRef(null);
  useEffect(() => {
    const one = new Live({
      table: id,
      onTable: (told) =>
        setView((before) => (before && before.rail.version > told.rail.version ? before : told)),
      onFloor: setFloor,
      onState: (open) => {
        setHere(open);
        if (open) setMe(one.me);
      },
      onSessionOver: () => location.assign(`/login?next=${encodeURIComponent(location.pathname)}`),
    });
    live.current = one;
    get(`/api/tables/${id}`).then(() => one.watch(id), (failed) => failed.code === "unknown" && setMissing(true));
    one.watchFloor();
    return () => one.close();
  }, []);
  const now = useCallback(() => live.current?.now() ?? Date.now(), []);
  const ask = useCallback((wish) => live.current.ask(wish.meter ? wish : { table: id, ...wish }), []);
  return { view, floor, here, me, missing, now, ask };
}

export function useOnce(path) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    // What the house does not have is false; what it did not answer is left open.
    get(path).then(setFound, (wrong) => wrong instanceof HouseError && setFound(false));
  }, [path]);
  return found;
}

// What was asked and is not answered, and the last refusal with the place where it was asked.
export function useAsking(ask, view) {
  const [busy, setBusy] = useState(new Set());
  const [refused, setRefused] = useState(null);
  const under = useRef(new Set());
  const send = useCallback(async (key, wish) => {
    if (under.current.has(key)) return null; // a second click is the same request
    under.current.add(key);
    setBusy(new Set(under.current));
    setRefused(null);
    const reply = await ask(wish);
    under.current.delete(key);
    setBusy(new Set(under.current));
    if (reply.refused) setRefused({ key, ...reply.refused });
    return reply;
  }, []);
  const turn = `${view?.rail.common.round}/${view?.rail.common.phase}`;
  useEffect(() => setRefused(null), [turn]); // the moment it was said in is over
  return { send, busy, refused };
}

// The rounds that are over, newest first, each with the check of its shuffle.
export function useHistory(id, view) {
  const [rounds, setRounds] = useState([]);
  const seen = useRef(new Map()); // the commitments that this page saw before the cards were dealt
  const common = view?.rail.common;
  const seal = view?.rail.seal?.commitment;
  if (common?.round && common.phase === "betting" && seal && !seen.current.has(common.round)) {
    seen.current.set(common.round, seal);
  }
  const load = useCallback(async (number) => {
    const told = await get(`/api/tables/${id}/rounds/${number}`);
    const checked = canCheck() ? await check(told, seen.current.get(number)) : null;
    setRounds((before) =>
      [{ ...told, checked, witnessed: seen.current.has(number) }, ...before.filter((one) => one.round !== number)]
        .sort((left, right) => right.round - left.round)
        .slice(0, HISTORY),
    );
  }, []);
  const last = !common?.round ? 0 : common.phase === "done" || common.phase === "void" ? common.round : common.round - 1;
  useEffect(() => {
    if (last > 0) load(last).catch(() => {});
  }, [last]);
  const earlier = useCallback(async () => {
    const first = rounds.length ? rounds[rounds.length - 1].round : last + 1;
    const wanted = Array.from({ length: 5 }, (_, back) => first - 1 - back).filter((one) => one > 0);
    await Promise.allSettled(wanted.map(load));
  }, [rounds, last]);
  return { rounds, earlier, last };
}

const FRESH_MS = 500;

// True for half a second after what is offered has changed: a press that was meant for what stood there is not taken.
export function useFresh(offered) {
  const [known, know] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => know(offered), FRESH_MS);
    return () => {
      clearTimeout(timer);
      know(null); // what comes back is fresh again
    };
  }, [offered]);
  return known !== offered;
}

// Keys that are printed on controls: each presses its control, unless somebody is writing.
export function useKeys() {
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.target.closest?.("input, select, textarea, .sheet")) return;
      const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
      if (key === "Enter" && event.target.closest?.("button, a, summary")) return;
      const found = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (!found) return;
      event.preventDefault();
      if (!found.matches(".chip-button")) found.focus(); // chips come several in a row, and then Enter
      found.click();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

// Checks the entries of a round as the house describes it (docs/explanation/house.md):
//   hash = SHA-256(hash before + body); before the first entry the hash is 32 zero bytes
// and that every act on the page is in the body of the entry that it names.
import { bytes, hex, joined, sha256 } from "../shuffle.js";

const text = new TextEncoder();
const plain = (event) => JSON.stringify(event);

// The first fault: its entry, the act that tells of it, and what it is; or none.
export async function checkChain(round, entries) {
  const at = (seq) => round.acts.findIndex((act) => act.entry === seq);
  const held = new Map();
  let last = null;
  for (const one of entries) {
    const own = hex(await sha256(joined(bytes(one.before), text.encode(one.body))));
    if (own !== one.hash) return { holds: false, entry: one.seq, act: at(one.seq), what: "hash" };
    if (last && last.seq + 1 === one.seq && last.hash !== one.before) return { holds: false, entry: one.seq, act: at(one.seq), what: "follows" };
    const parts = JSON.parse(one.body).parts ?? [];
    held.set(one.seq, new Set(parts.filter((part) => part.stream === `table/${round.table}`).flatMap((part) => part.events.map(plain))));
    last = one;
  }
  const lost = round.acts.findIndex((act) => !held.get(act.entry)?.has(plain(act.event)));
  if (lost >= 0) return { holds: false, entry: round.acts[lost].entry, act: lost, what: "told" };
  return { holds: true, count: entries.length };
}

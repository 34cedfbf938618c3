// Checks a shuffle as the house describes it (aceking/house/chance.py):
//   commitment = SHA-256("aceking seed" + seed)
//   key        = SHA-256("aceking deck" + seed + each word, its length before it in four bytes, the low byte first)
//   stream     = ChaCha20(key, nonce 0), read as 32-bit numbers, the low byte first
//   order      = Fisher-Yates from the last place down, each place by rejection; then the cut
const text = new TextEncoder();

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (one) => parseInt(one, 16));
export const hex = (many) => Array.from(many, (one) => one.toString(16).padStart(2, "0")).join("");

export function joined(...many) {
  const all = new Uint8Array(many.reduce((length, one) => length + one.length, 0));
  let at = 0;
  for (const one of many) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

// Where a page comes over plain HTTP from another machine the browser has no SubtleCrypto.
export const canCheck = () => globalThis.crypto?.subtle !== undefined;

export const sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

export const commitment = async (seed) => hex(await sha256(joined(text.encode("aceking seed"), bytes(seed))));

function key(seed, words) {
  const told = words.flatMap((word) => {
    const one = text.encode(word);
    return [new Uint8Array(new Uint32Array([one.length]).buffer), one];
  });
  return sha256(joined(text.encode("aceking deck"), bytes(seed), ...told));
}

const turn = (value, by) => (value << by) | (value >>> (32 - by));

function quarter(x, a, b, c, d) {
  x[a] += x[b]; x[d] = turn(x[d] ^ x[a], 16);
  x[c] += x[d]; x[b] = turn(x[b] ^ x[c], 12);
  x[a] += x[b]; x[d] = turn(x[d] ^ x[a], 8);
  x[c] += x[d]; x[b] = turn(x[b] ^ x[c], 7);
}

// One block of ChaCha20 as sixteen numbers.
function block(words, counter) {
  const start = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...words, counter, 0, 0, 0);
  const x = start.slice();
  for (let round = 0; round < 10; round++) {
    quarter(x, 0, 4, 8, 12); quarter(x, 1, 5, 9, 13); quarter(x, 2, 6, 10, 14); quarter(x, 3, 7, 11, 15);
    quarter(x, 0, 5, 10, 15); quarter(x, 1, 6, 11, 12); quarter(x, 2, 7, 8, 13); quarter(x, 3, 4, 9, 14);
  }
  return x.map((value, place) => value + start[place]);
}

function* numbers(key) {
  const view = new DataView(key.buffer);
  const words = Array.from({ length: 8 }, (_, place) => view.getUint32(place * 4, true));
  for (let counter = 0; ; counter++) yield* block(words, counter);
}

function below(stream, most) {
  const whole = 2 ** 32 - (2 ** 32 % most);
  for (;;) {
    const number = stream.next().value;
    if (number < whole) return number % most;
  }
}

// The order of a deck of this size from the top, before it is cut.
export async function order(seed, words, size) {
  const stream = numbers(await key(seed, words));
  const cards = Array.from({ length: size }, (_, card) => card);
  for (let last = size - 1; last > 0; last--) {
    const place = below(stream, last + 1);
    [cards[last], cards[place]] = [cards[place], cards[last]];
  }
  return cards;
}

// Whether a round was dealt as it was committed to. `seen` is the commitment that this page saw before the cards.
export async function check(round, seen) {
  if (!round.seed) return { opened: false };
  const own = await commitment(round.seed);
  const committed = own === round.commitment && (!seen || own === seen);
  const lies = await order(round.seed, round.words ?? [], round.deck);
  const cut = (round.cut ?? 0) % round.deck;
  const cards = [...lies.slice(cut), ...lies.slice(0, cut)];
  const dealt = (round.sequence ?? []).every((card, place) => cards[place] === card);
  return { opened: true, committed, dealt, holds: committed && dealt };
}

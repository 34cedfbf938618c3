// Translates sentences of the house: refusals, and rounds act by act. A sentence comes as a template with values; the
// English template is its key in the catalogue. A sentence without a translation stays English and is marked so.
import { html } from "../vendor/preact-htm.js";
import { POINT, local } from "../numbers.js";
import { short } from "../parts/card.js";
import { heldWords } from "./hands.js";
import { called, language, more } from "./words.js";

const SOURCES = { de: () => Promise.all([import("./told-de.js"), import("./staff-de.js")]) };
const [told, staff] = (await SOURCES[language()]?.()) ?? [];
const sentences = told?.default ?? {};
if (staff) more({ [language()]: staff.default });

const english = (text) => html`<span lang="en">${text}</span>`;
const id = (text) => text.replaceAll(" ", "-");
const many = (group) => (text) => text.split(/ or (?:the )?/).map((one) => called(group, id(one))).join(", ");
const cards = (text) => text.split(" ").map((one) => (/^[2-9TJQKA][cdhs]$/.test(one) ? short(one) : one)).join(" ");
const hand = (text) => heldWords(text) ?? called("hand", text);
const sentence = (text) => spoken({ words: text }) ?? english(text);

// What stands in a place, where it is a word of the house.
const PLACES = {
  whose: (text) => text.replace(/^box/, "Box"), by: (text) => (text.startsWith("the ") ? called("actor", text.slice(4)) : text),
  amount: local, stake: local, pays: local, off: local, nets: (text) => text.replaceAll(/(\d)\.(?=\d)/g, `$1${POINT}`), cards, taken: cards, up: cards, hand, held: hand, wager: (text) => called("wager", text), side: (text) => called("wager", text),
  phase: (text) => called("phase", text), before: (text) => called("phase", text), act: (text) => called("do", text), choice: (text) => called("act", text),
  mishap: many("mishap"), remedy: many("remedy"), remedies: many("remedy"), of: many("actor"), role: many("actor"), roles: many("actor"),
  says: english, why: english, call: english, closes: english, title: english, course: english, option: english, chosen: english, what: sentence, record: sentence, done: sentence, still: sentence,
};

const plain = (one) => (typeof one === "string" ? one : one.words.replace(/\{(\w+)\}/g, (_, place) => plain(one.values?.[place] ?? "")));
// Where only places and signs are, every language is the same.
const bare = (words) => !/\p{L}/u.test(words.replace(/\{\w+\}/g, ""));
const filled = (place, one) => (typeof one === "object" ? spoken(one) ?? english(plain(one)) : PLACES[place]?.(one) ?? one);

function spoken({ words, values = {} }, brief) {
  const text = sentences[words] ?? (bare(words) ? words : null);
  return text?.replace(brief ? " ({clause})" : "", "").split(/\{(\w+)\}/).map((part, at) => (at % 2 ? filled(part, values[part] ?? "") : part)) ?? null;
}

// `said`: how it was made, where it has places; `brief`: without its clauses, which stand beside it.
const WITHOUT = { cite: "", says: "" };
export function Told({ text, said, brief }) {
  if (language() === "en") return text;
  const made = said ?? { words: text };
  return spoken(brief ? { ...made, values: { ...made.values, ...WITHOUT } } : made, brief) ?? english(text);
}

// The same as a text, for what can only have one.
const flat = (one) => (Array.isArray(one) ? one.map(flat).join("") : typeof one === "string" ? one : flat(one?.props?.children ?? ""));
export const toldText = (props) => flat(Told(props)).trim();

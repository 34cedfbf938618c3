// Hands in words. The engine names them in a few fixed forms, and the catalogue has the same forms.
import { called, english, language, say } from "./words.js";

const RANKS = [..."23456789TJQKA"];
const GROUPS = { one: "rank", next: "rank", many: "ranks", more: "ranks" };
const NAMED = { rank: (rank) => called("rank", rank), ranks: (rank) => called("ranks", rank) };
const rankOf = (place, word) => RANKS.find((rank) => english[`${GROUPS[place]}.${rank}`] === word.toLowerCase());

const FORMS = Object.entries(english).filter(([key]) => key.startsWith("held.")).map(([key, text]) => {
  const places = [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
  return { form: key.slice(5), places, pattern: new RegExp(`^${text.replace(/\{\w+\}/g, "(\\w+)")}$`, "i") };
});

// The same in the reader's language; null where the catalogue has no such form.
export function heldWords(text) {
  if (!text || language() === "en") return text;
  for (const { form, places, pattern } of FORMS) {
    const ranks = pattern.exec(text)?.slice(1).map((word, at) => rankOf(places[at], word));
    if (ranks?.every(Boolean)) return say(`held.${form}`, Object.fromEntries(ranks.map((rank, at) => [places[at], NAMED[GROUPS[places[at]]](rank)])));
  }
  return null;
}

// For where words stand on the page: what has no words here is English, and says so.
export const held = (text) => ({ text: heldWords(text) ?? text, lang: heldWords(text) === null ? "en" : null });

// A row of a pay table: a hand by its name, or the weakest that it pays.
const OR_BETTER = " or better";
export const rowWords = (text) => (text.endsWith(OR_BETTER) ? say("hand.or-better", { hand: heldWords(text.slice(0, -OR_BETTER.length)) ?? text.slice(0, -OR_BETTER.length) }) : called("hand", text));

// One catalogue of words for all pages. A missing word is a fault of the language file.
import { settings } from "../settings.js";
import en from "./en.js";
import de from "./de.js";

export const LANGUAGES = { en: "English", de: "Deutsch" };
const CATALOGUES = { en, de };
export const english = en; // what the house itself says is found in it

export function language() {
  const wanted = [settings.language, ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find((one) => one in CATALOGUES) || "en";
}

const catalogue = { ...CATALOGUES[language()] };
document.documentElement.lang = language();

// say("box", {box: 3}) is "Box 3". `key.one` stands where the number is one.
export function say(key, values = {}) {
  const text = (values.count === 1 && catalogue[`${key}.one`]) || catalogue[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// Words for something that the house names, such as a wager; its own name where the catalogue has none.
export function called(group, name) {
  return catalogue[`${group}.${name}`] ?? name.replaceAll("-", " ").replaceAll("_", " ");
}

// Words of pages that only some people have.
export const more = (catalogues) => void Object.assign(catalogue, catalogues[language()]);

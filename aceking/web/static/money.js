// Amounts come as decimal texts; here they are integers of minor units.
import { POINT, grouped } from "./numbers.js";

const SIGNS = { USD: "$", EUR: "€", SGD: "S$", GBP: "£" };
const THIN = "\u2009";

export function minor(text, decimals) {
  const below = text.startsWith("-");
  const [whole, part = ""] = text.replace("-", "").split(".");
  const units = Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, "0") || 0);
  return below ? -units : units;
}

// What a person has typed, with a point or a comma before the smaller coins; null where that is no amount. Where a sign
// stands between thousands it is none: 1.000 could be one or a thousand.
export function typed(text, decimals, { below = false } = {}) {
  const [whole, part] = text.trim().replace(",", ".").split(/[.](.*)/s);
  const fits = (below ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(whole) && (part === undefined || (/^\d+$/.test(part) && part.length <= decimals));
  return fits ? minor(part === undefined ? whole : `${whole}.${part}`, decimals) : null;
}

const sign = (currency) => SIGNS[currency] ?? `${currency}${THIN}`;

// `chips`: whole amounts without decimals; `signed`: with a plus.
export function money(units, { currency, decimals }, { chips = false, signed = false } = {}) {
  const size = 10 ** decimals;
  const whole = Math.floor(Math.abs(units) / size);
  const part = Math.abs(units) % size;
  const tail = decimals && (part || !chips) ? `${POINT}${String(part).padStart(decimals, "0")}` : "";
  const before = units < 0 ? "−" : signed && units > 0 ? "+" : "";
  return `${before}${sign(currency)}${grouped(whole)}${tail}`;
}

export const shown = (text, posted, how) => money(minor(text, posted.decimals), posted, how);
export { sign };

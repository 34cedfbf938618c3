// Exact fractions, written as the house writes them: "19/6497400".
import { local } from "./numbers.js";

const parts = (text) => {
  const [above, below = "1"] = String(text).split("/");
  if (above.includes(".")) {
    const [whole, part] = above.split(".");
    return [BigInt(whole + part), BigInt(below) * 10n ** BigInt(part.length)];
  }
  return [BigInt(above), BigInt(below)];
};

export function sum(...texts) {
  return texts.map(parts).reduce(([a, b], [c, d]) => [a * d + c * b, b * d], [0n, 1n]).join("/");
}

export const less = (left, right) => sum(left, times("-1", right));

export function times(left, right) {
  const [[a, b], [c, d]] = [parts(left), parts(right)];
  return `${a * c}/${b * d}`;
}

// A share as percent with four decimals, rounded half up; the fraction itself is the exact figure.
export function percent(text, places = 4, { signed = false } = {}) {
  const shown = decimal(times(text, "100"), places);
  return `${signed && parts(text)[0] > 0n ? "+" : ""}${shown} %`;
}

// For the place of a mark in a picture, and for nothing else.
export function near(text) {
  const [above, below] = parts(text);
  return Number((above * 10n ** 12n) / below) / 1e12;
}

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

export function lowest(text) {
  const [above, below] = parts(text);
  const common = gcd(above < 0n ? -above : above, below) || 1n;
  return below / common === 1n ? String(above / common) : `${above / common}/${below / common}`;
}

// So many decimals, rounded half up, to be counted with; and to be read.
export function counted(text, places) {
  const [above, below] = parts(text);
  const scale = 10n ** BigInt(places);
  const size = above < 0n ? -above : above;
  const units = (size * 2n * scale + below) / (2n * below);
  const tail = places ? `.${String(units % scale).padStart(places, "0")}` : "";
  return `${above < 0n && units > 0n ? "−" : ""}${units / scale}${tail}`;
}

export const decimal = (text, places) => local(counted(text, places));

export const isZero = (text) => parts(text)[0] === 0n;

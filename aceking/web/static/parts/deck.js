// The cards of a deck by name, and by the number that the house uses.
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

export const numberOf = (name) => RANKS.indexOf(name[0]) * SUITS.length + SUITS.indexOf(name[1]);

// As a keyboard shows them: the suits under each other, the ace first.
export const ROWS = [..."shdc"].map((suit) => [...RANKS].reverse().map((rank) => rank + suit));

// What a key means while a card is entered: ten is T, 0 or 1.
export const rankOf = (key) => {
  const one = key.toUpperCase();
  return one === "0" || one === "1" ? "T" : one.length === 1 && RANKS.includes(one) ? one : null;
};
export const suitOf = (key) => (key.length === 1 && SUITS.includes(key.toLowerCase()) ? key.toLowerCase() : null);

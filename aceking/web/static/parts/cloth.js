// The colour of the cloth, computed from the id of a book, so that a book has the same colour everywhere.
const CLOTHS = ["green", "plum", "blue", "wine", "ochre", "slate"];

export function cloth(book) {
  const sum = [...book].reduce((all, one) => (all * 3 + one.codePointAt(0)) % 7919, 137);
  return CLOTHS[sum % CLOTHS.length];
}

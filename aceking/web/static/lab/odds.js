// Converts odds between the steps of a slider and the text that the house reads.
import { lowest, near, times } from "../exact.js";
import { say } from "../words/words.js";

// "3/2" as it is asked for: "3 to 2".
export function asked(odds) {
  const [above, below = "1"] = lowest(odds).split("/");
  return below === "1" ? above : `${above} to ${below}`;
}

// "3 to 2", as somebody may have typed it, as a fraction; null where it is none.
export function typed(text) {
  const found = /^\s*(\d{1,6})(?:\s*(?:to|zu|:|\/)\s*(\d{1,4}))?\s*$/i.exec(text);
  return found && found[2] !== "0" && !/^0+$/.test(found[2] ?? "1") ? lowest(`${BigInt(found[1])}/${BigInt(found[2] ?? "1")}`) : null;
}

export function shownOdds(odds) {
  const [above, below = "1"] = lowest(odds).split("/");
  return above === "0" ? say("lab.push") : `${above}${say("odds.to")}${below}`;
}

export const steps = (odds, step) => Math.round(near(odds) / near(step));
export const atStep = (index, step) => lowest(times(String(index), step));

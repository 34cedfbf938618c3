// Numbers as the reader's language writes them. What is counted with has a point and nothing between the thousands.
import { say } from "./words/words.js";

export const POINT = say("number.point");
const THOUSANDS = say("number.thousands");

// A number that is counted with, to be read.
export const local = (text) => text.replace(".", POINT);

// A whole number with its thousands apart.
export const grouped = (whole) => whole.toLocaleString("en-US").replaceAll(",", THOUSANDS);

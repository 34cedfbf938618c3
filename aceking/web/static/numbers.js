// Formats numbers in the language of the reader. Numbers to calculate with have a point and no separators.
import { say } from "./words/words.js";

export const POINT = say("number.point");
const THOUSANDS = say("number.thousands");

// A number that is counted with, to be read.
export const local = (text) => text.replace(".", POINT);

// A whole number with its thousands apart.
export const grouped = (whole) => whole.toLocaleString("en-US").replaceAll(",", THOUSANDS);

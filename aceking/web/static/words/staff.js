// Words that only those who run tables need: a page of theirs loads them, and nobody else.
import { more } from "./words.js";
import de from "./staff-de.js";
import en from "./staff-en.js";

more({ en, de });

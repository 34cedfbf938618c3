// Words for the pages of staff, loaded by those pages only.
import { more } from "./words.js";
import de from "./staff-de.js";
import en from "./staff-en.js";

more({ en, de });

// Settings of the reader, stored on this device.
const NAMES = ["theme", "deck", "language", "sound", "coach"];

export const settings = Object.fromEntries(NAMES.map((name) => [name, localStorage.getItem(name) || ""]));

export function choose(name, value) {
  settings[name] = value;
  if (value) localStorage.setItem(name, value);
  else localStorage.removeItem(name);
  if (name === "theme") {
    if (value) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
  }
}

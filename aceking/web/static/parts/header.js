// The header of every page: logo, place, and the settings of this device.
import { html, useState } from "../vendor/preact-htm.js";
import { post } from "../client.js";
import { choose, settings } from "../settings.js";
import { LANGUAGES, language, say } from "../words/words.js";

export function Header({ book, me, children }) {
  return html`<header class="top" data-cloth=${book}>
    <a class="mark" href="/"><i aria-hidden="true"></i>AceKing</a>
    <div class="where">${children}</div>
    <${Settings} me=${me} />
  </header>`;
}

function Choice({ name, label, options }) {
  const [value, setValue] = useState(name === "language" ? language() : settings[name]);
  const change = (event) => {
    choose(name, event.target.value);
    setValue(event.target.value);
    if (name === "deck" || name === "language") location.reload();
  };
  return html`<label>${label}<select value=${value} onChange=${change}>
    ${Object.entries(options).map(([key, words]) => html`<option value=${key} selected=${key === value}>${words}</option>`)}
  </select></label>`;
}

function Settings({ me }) {
  const leave = async () => {
    await post("/api/logout");
    location.assign("/");
  };
  const keys = (event) => {
    if (event.key === "Escape" && event.currentTarget.open) {
      event.currentTarget.open = false;
      event.currentTarget.querySelector("summary").focus();
    }
  };
  return html`<details class="settings" onKeyDown=${keys}>
    <summary>${me?.name ?? say("settings")}</summary>
    <div>
      <${Choice} name="theme" label=${say("theme")}
        options=${{ "": say("theme.system"), light: say("theme.light"), dark: say("theme.dark") }} />
      <${Choice} name="deck" label=${say("deck")} options=${{ "": say("deck.two"), four: say("deck.four") }} />
      <${Choice} name="sound" label=${say("sound")} options=${{ "": say("sound.off"), on: say("sound.on") }} />
      <${Choice} name="language" label=${say("language")} options=${LANGUAGES} />
      ${me?.name
        ? html`<button type="button" class="plain-button" onClick=${leave}>${say("log-out")}</button>`
        : html`<a class="plain-button" href="/login">${say("log-in")}</a>`}
    </div>
  </details>`;
}

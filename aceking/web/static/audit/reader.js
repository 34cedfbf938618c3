// The person who reads records, and the message for a person who may not.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { Header } from "../parts/header.js";
import { language, say } from "../words/words.js";

const MAY = ["auditor", "executive", "manager", "supervisor"];

export function useReader() {
  const [me, setMe] = useState(null);
  useEffect(() => {
    get("/api/me").then(setMe, () => location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`));
  }, []);
  return me;
}

export const mayRead = (me) => MAY.includes(me.role);

// What a page of the audit says before there is anything to show, or where there is nothing.
export function Blank({ me, failed, title }) {
  const closed = me && !mayRead(me);
  return html`<${Header} me=${me}>${me && html`<a href="/audit">${say("audit")}</a>`}<//><main class="lobby"><h1>${title}</h1>${closed
    ? html`<p>${say("audit.not-yours")} <a href="/login?next=${encodeURIComponent(location.pathname)}">${say("log-in")}</a></p>`
    : failed ? html`<p class="refusal" role="alert" lang="en">${failed}</p>` : html`<p role="status">${say("wait")}</p>`}</main>`;
}

export const moment = (at) => new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
export const clockTime = (at) => new Date(at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
export const grouped = (hash) => (hash.match(/.{4}/g) ?? []).join(" ");

// The win page of an award: one sheet to print, for the file and for the player.
import { html, useEffect } from "../vendor/preact-htm.js";
import { shown, sign } from "../money.js";
import { Card } from "../parts/card.js";
import { Header } from "../parts/header.js";
import { called, language, say } from "../words/words.js";
import { Nothing, exactly, useMeter } from "./manager.js";

export function WinPage({ id, award }) {
  const { record, me, missing } = useMeter(id);
  useEffect(() => void (document.title = `${say("win")} ${award} · AceKing`), []);
  const one = record?.awards?.find((found) => found.id === award);
  if (!record || !me || !one) return html`<${Nothing} me=${me} missing=${missing || (record && !one)} id=${`${id}/${award}`} />`;
  const how = { currency: record.view.currency, decimals: record.decimals };
  const time = (at) => (at ? new Date(at).toLocaleString(language()) : "–");
  const people = [["meters.dealer", one.dealer, one.recognised], ["meters.verifier", one.verifier, one.verified_at], ["meters.signer", one.signer, one.signed_at], ["meters.payer", one.payer, one.paid_at]];
  return html`<${Header} me=${me} /><main class="win" data-step=${one.step}>
    <header><h1>${say("win")}</h1><p>${say("win.number", { number: one.id })}</p></header>
    ${one.step === "undone" && html`<p class="refusal">${say("win.undone")}</p>`}
    <p class="amount">${shown(one.amount, how)}</p>
    <p>${say("win.where", { table: one.table, box: one.seat, round: one.round })} <b>${called("hand", one.hand)}</b>, ${called("meters.at", one.step)}.</p>
    ${one.cards && html`<div class="hand">${one.cards.split(" ").filter(Boolean).map((name, place) => html`<${Card} key=${name} name=${name} at=${place} />`)}</div>`}
    <h2>${say("win.people")}</h2><table><tbody>${people.map(([key, name, at]) => html`<tr><th scope="row">${say(key)}</th><td>${name ?? "–"}</td><td>${time(at)}</td></tr>`)}</tbody></table>
    <h2>${say("win.money")}</h2><table><tbody><tr><th scope="row">${say("win.from-meter")}</th><td>${shown(one.from_meter, how)}</td></tr>
      ${Object.entries(one.came).map(([key, value]) => html`<tr><th scope="row">${called("win.came", key)}</th><td>${sign(record.view.currency)}${exactly(value, record.decimals)}</td></tr>`)}</tbody></table>
    ${one.trigger && html`<h2>${say("win.trigger")}</h2><table class="trigger"><tbody><tr><th scope="row">${say("win.trigger.at")}</th><td>${shown(one.trigger.trigger, how)}</td></tr>
      <tr><th scope="row">${say("win.trigger.from")}</th><td>${say("limits", { low: shown(one.trigger.least, how), high: shown(one.trigger.most, how) })}, ${time(one.trigger.drawn)}</td></tr>
      <tr><th scope="row">${say("meter.sealed")}</th><td><code>${one.trigger.commitment}</code></td></tr><tr><th scope="row">${say("win.trigger.seed")}</th><td><code>${one.trigger.seed}</code></td></tr></tbody></table>`}
    <div class="signatures"><div>${say("win.player")}</div><div>${say("win.house")}</div><div>${say("win.cage")}</div></div>
    <footer><p>${say("win.clause", { clause: one.clause })}</p><button type="button" class="plain-button" onClick=${() => window.print()}>${say("win.print")}</button></footer></main>`;
}

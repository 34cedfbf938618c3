// The panel: meter, money line by line, returns and pays of each bet, the shuffle, and past rounds.
import { html, useState } from "../vendor/preact-htm.js";
import { less, lowest, percent } from "../exact.js";
import { minor, money, shown } from "../money.js";
import { MeterAmount } from "../parts/amount.js";
import { SmallCard } from "../parts/card.js";
import { Clause } from "../parts/clause.js";
import { sideReturn } from "../pages/lobby.js";
import { held, heldWords, rowWords } from "../words/hands.js";
import { Told } from "../words/told.js";
import { called, language, say } from "../words/words.js";

const grouped = (hash) => (hash.match(/.{4}/g) ?? []).join(" ");

export function Meter({ meter, posted }) {
  const pending = meter.pending ?? [];
  return html`<section class="part" data-meter=${meter.id}><h2>${say("meter.of", { name: meter.id })} <small>${called("meter", meter.phase)}</small></h2>
    <p><${MeterAmount} value=${meter.value} currency=${meter.currency} decimals=${posted.decimals} /></p>
    ${pending.map((one) => html`<p class="due">${say("meter.pending", { amount: shown(one.amount, posted), table: one.table, box: one.seat })}</p>`)}
    ${meter.must_hit_by && html`<${MustHit} meter=${meter} posted=${posted} />`}
  </section>`;
}

// No hand wins this one: by when it is won at the latest, how far that is, and what the house has committed to.
function MustHit({ meter, posted }) {
  const left = minor(meter.must_hit_by, posted.decimals) - minor(meter.value, posted.decimals);
  const last = meter.hits?.at(-1);
  return html`<p><b data-must-hit=${meter.must_hit_by}>${say("meter.must-hit", { amount: shown(meter.must_hit_by, posted) })}</b>, ${say("meter.must-hit.left", { amount: money(left, posted) })}</p>
    <p>${say("meter.must-hit.how")}</p>
    ${last && html`<p>${say("meter.last-hit", { amount: shown(last.amount, posted), table: last.table, when: new Date(last.at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }) })}</p>`}
    ${meter.commitment && html`<details><summary>${say("meter.sealed")}</summary><p class="hash">${grouped(meter.commitment)}</p></details>`}`;
}

export function Lines({ title, box, posted, open, round, past, chips }) {
  return html`<section class="part lines" aria-label=${past ? `${say("history")}: ${say("lines.round", { round, box: box.box })}` : say("lines.of", { box: box.box })}>
    <h2>${title} <small>${say("lines.round", { round, box: box.box })}</small></h2>
    <table><thead><tr><th scope="col">${say("lines.wager")}</th><th scope="col">${say("lines.stake")}</th>
      <th scope="col">${say("lines.result")}</th><th scope="col">${say("lines.moves")}</th></tr></thead>
    <tbody>${box.lines.map((line, place) => {
      const wager = line.envy_of ? say("lines.envy", { wager: called("wager", line.wager), box: line.envy_of }) : called("wager", line.wager);
      return html`<tr key=${place}><th scope="row">${wager} <${Clause} id=${line.clause} from=${wager} open=${open} /></th>
        <td>${shown(line.stake, posted)}</td><td>${called("outcome", line.outcome)}</td>
        <td><b>${shown(line.net, posted, { signed: true })}</b></td></tr>`;
    })}</tbody>
    <tfoot><tr><th scope="row" colspan="3">${say("lines.net")}</th><td><b data-net=${box.net}>${shown(box.net, posted, { signed: true })}</b></td></tr>
      ${chips !== undefined && html`<tr class="quiet"><th scope="row" colspan="3">${say("chips.now")}</th><td>${money(chips, posted)}</td></tr>`}</tfoot>
    </table></section>`;
}

export function Costs({ returns, printed, meter, posted }) {
  if (returns === null) return null;
  if (!returns) return html`<section class="part" data-returns="none"><h2>${say("returns")}</h2><p>${say("returns.not-priced")}</p></section>`;
  const rows = [[say("returns.both"), less("1", returns.main_exact), say("returns.ante")]];
  for (const [name, side] of Object.entries(returns.sides ?? {})) {
    rows.push([called("wager", name), sideReturn(side, meter?.value), say("returns.of", { wager: called("wager", name) }), side.open]);
  }
  const unpriced = (printed.sides ?? []).filter((one) => !(one.wager in (returns.sides ?? {})));
  for (const { wager } of unpriced) rows.push([called("wager", wager), null, "", false, say("returns.uncounted")]);
  return html`<section class="part"><h2>${say("returns")} <small>${say("exact")}</small></h2>
    <table><tbody>${rows.map(([name, value, of, unposted, why]) => html`<tr><th scope="row">${name}</th>
      <td><b class="figure" title=${value ? lowest(value) : ""}>${value ? percent(value) : "–"}</b></td>
      <td>${why ? why : value ? of : say(unposted ? "returns.unposted" : "returns.no-meter")}</td></tr>`)}</tbody></table></section>`;
}

function pays(row, posted) {
  if (row.odds) return row.odds === "push" ? called("outcome", "push") : say("odds", { odds: row.odds.replace(" to ", say("odds.to")) });
  if (row.amount) return shown(row.amount, posted, { chips: true });
  return row.share ? say("share", { share: row.share }) : say("unposted");
}

export function Pays({ printed, posted, open }) {
  return html`<section class="part pays"><h2>${say("pays")}</h2>
    ${(printed.pays ?? []).map((one) => {
      const wager = one.envy ? say("pays.envy", { wager: called("wager", one.wager) }) : called("wager", one.wager);
      return html`<details key=${wager} open=${one.wager === "bet"}>
      <summary>${wager}</summary>
      <p class="from">${say("clause.by")} <${Clause} id=${one.clause} from=${wager} open=${open} /></p>
      <table><tbody>${one.rows.map((row) => html`<tr><th scope="row">${rowWords(row.hand)}${row.three ? ` ${say("hand.three")}` : ""}</th>
        <td>${pays(row, posted)}</td></tr>`)}</tbody></table></details>`;
    })}
  </section>`;
}

// What the book prints on the cloth, in words.
export const factWords = (one) => say(`fact.${one.what}`, { value: (heldWords(one.value) ?? called("hand", one.value)).replace(" to ", say("odds.to")), count: Number(one.value) || 0 });

export function Rules({ printed, open }) {
  return html`<section class="part"><h2>${say("rules")}</h2><ul class="rules">${(printed.facts ?? []).map((one) => html`<li>
    ${factWords(one)} <${Clause} id=${one.clause} from=${say("rules")} open=${open} /></li>`)}</ul></section>`;
}

export function Shuffle({ seal, last, phase, word, ask, busy, said, may }) {
  const [text, setText] = useState("");
  const add = (event) => {
    event.preventDefault();
    if (text) ask("word", { ask: "add-word", word: text }).then((reply) => reply && !reply.refused && setText(""));
  };
  return html`<section class="part shuffle"><h2>${say("shuffle")}</h2>
    ${seal
      ? html`<p>${say("shuffle.committed")}</p><p class="hash">${grouped(seal.commitment)}</p>`
      : html`<p>${say("shuffle.none")}</p>`}
    ${Object.entries(seal?.words ?? {}).map(([player, one]) => html`<p>${say("shuffle.word-of", { player, word: one })}</p>`)}
    ${may && phase === "betting" && !word && html`<form class="word" onSubmit=${add}>
      <label>${say("shuffle.word")}<input maxlength="64" value=${text} onInput=${(event) => setText(event.target.value)} autocomplete="off" /></label>
      <button type="submit" class="plain-button" aria-disabled=${!text || busy.has("word")}>${say("shuffle.add")}</button>${said("word")}</form>`}
    ${last && html`<${Checked} round=${last} />`}
  </section>`;
}

function Checked({ round }) {
  const { checked } = round;
  if (!checked) return html`<p class="due">${say("shuffle.no-crypto")}</p>`;
  if (!checked.opened) return html`<p>${say("shuffle.sealed", { round: round.round })}</p>`;
  const told = checked.holds ? (round.witnessed ? "shuffle.holds" : "shuffle.holds-record") : checked.committed ? "shuffle.dealt-wrong" : "shuffle.seed-wrong";
  return html`<p class=${checked.holds ? "good" : "bad"} data-checked=${checked.holds}>${say(told, { round: round.round })}</p>
    <details><summary>${say("shuffle.how")}</summary>
      <p>${say("shuffle.seed")}</p><p class="hash">${grouped(round.seed)}</p>
      <p>${say("shuffle.told", { words: (round.words ?? []).join(", ") || say("none"), cut: round.cut ?? 0 })}</p></details>`;
}

export function History({ rounds, earlier, last, me, posted, open, replay }) {
  const more = (rounds.length ? rounds[rounds.length - 1].round : last + 1) > 1;
  return html`<section class="part history"><h2>${say("history")}</h2>
    ${rounds.length === 0 && html`<p>${say("history.none")}</p>`}
    ${rounds.map((one) => html`<${Past} key=${one.round} one=${one} me=${me} posted=${posted} open=${open} replay=${replay} />`)}
    ${more && html`<button type="button" class="plain-button" onClick=${earlier}>${say("history.earlier")}</button>`}
  </section>`;
}

// Round by round, and in a round step by step.
function Past({ one, me, posted, open, replay }) {
  const [step, setStep] = useState(0);
  const mine = (one.common.boxes ?? []).filter((box) => box.player === me.name);
  const net = mine.length ? mine.map((box) => box.net).filter(Boolean) : [];
  const total = net.length ? net.map((text) => shown(text, posted, { chips: true, signed: true })).join(", ") : "";
  const upto = Math.min(step, one.sentences.length - 1);
  return html`<details><summary>${say("round", { number: one.round })}
      <span>${one.void ? say("void") : total}</span>
      ${one.checked?.holds && html`<span class="good">${say("shuffle.ok")}</span>`}</summary>
    ${(one.common.dealer ?? []).length > 0 && html`<p>${say("dealer")}: ${one.common.dealer.map((name) => html`<${SmallCard} name=${name} />`)} <span lang=${held(one.common.dealer_words).lang}>${held(one.common.dealer_words).text}</span></p>`}
    ${(one.common.community ?? []).length > 0 && html`<p>${say("community.short")}: ${one.common.community.map((name) => html`<${SmallCard} name=${name} />`)}</p>`}
    ${mine.filter((box) => box.lines).map((box) => html`<${Lines} past key=${box.box} title=${say("lines")} box=${box} posted=${posted} open=${open} round=${one.round} />`)}
    <p><button type="button" class="plain-button" data-replay=${one.round} onClick=${() => replay(one)}>${say("replay.felt")}</button></p>
    <div class="replay"><button type="button" class="plain-button" aria-disabled=${upto === 0} onClick=${() => setStep(Math.max(0, upto - 1))}>${say("replay.back")}</button>
      <span>${say("replay.step", { step: upto + 1, of: one.sentences.length })}</span>
      <button type="button" class="plain-button" aria-disabled=${upto === one.sentences.length - 1} onClick=${() => setStep(upto + 1)}>${say("replay.on")}</button></div>
    <ol class="story">${one.sentences.slice(0, upto + 1).map((text, place) => html`<li key=${place} class=${place === upto ? "now" : ""}><${Told} text=${text} said=${one.said?.[place]} /></li>`)}</ol>
  </details>`;
}

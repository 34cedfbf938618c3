// One deal under every book: the same cards, settled by each, line by line with its clause.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { shown } from "../money.js";
import { SmallCard, short } from "../parts/card.js";
import { Clause } from "../parts/clause.js";
import { cloth } from "../parts/cloth.js";
import { held } from "../words/hands.js";
import { called, say } from "../words/words.js";
import { counted, query } from "./state.js";

const FIRST = { player: "Qs Js Ts 9s 8s", dealer: "Ah Kd 9c 5s 2d", more: "4h" };

// "exchange 4d, bet": what was done, in words.
export function did(text) {
  return text.split(", ").map((one) => {
    const [act, what, card] = one.split(" ");
    if (/^\d+$/.test(what ?? "")) return `${called("decision", act)} ${what}×`;
    if (what === "discard") return say(`act.${act}.card`, { card: short(card) });
    return what ? say(`act.${act}.card`, { card: short(what) }) : called("decision", act);
  }).join(", ");
}

function Lines({ one, open }) {
  if (one.says) return html`<p class="due"><span lang="en">${one.says}</span> ${one.clause && html`<${Clause} full id=${one.clause} from=${one.title} open=${(asked) => open({ ...asked, book: one.book })} />`}</p>`;
  return html`<ul class="deal-lines">${one.lines.map((line) => html`<li key=${line.wager}><span>${called("wager", line.wager)}</span>${" "}<b>${shown(line.moves, one, { signed: true })}</b> <${Clause} full id=${line.clause} from=${called("wager", line.wager)} open=${(asked) => open({ ...asked, book: one.book })} /></li>`)}</ul>`;
}

export function Deal({ moves, open }) {
  const [cards, setCards] = useState(FIRST);
  const [typed, setTyped] = useState(FIRST);
  const [how, setHow] = useState("bet");
  const [ante, setAnte] = useState("10");
  const [side, setSide] = useState(false);
  const [found, setFound] = useState(null);
  const [wrong, setWrong] = useState("");
  const text = query(moves, { book: moves.book, how, ante, side: side ? "true" : "", ...cards });
  useEffect(() => {
    let there = true;
    const timer = setTimeout(() => counted(`/api/lab/deal?${text}`, () => there).then((told) => {
      if (!there) return;
      setFound(told);
      setWrong("");
      const dealt = { player: told.player.join(" "), dealer: told.dealer.join(" "), more: told.more };
      setTyped(dealt);
    }).catch((failed) => there && setWrong(failed.message)), 150);
    return () => {
      there = false;
      clearTimeout(timer);
    };
  }, [text]);
  const lay = (event) => {
    event.preventDefault();
    setCards({ ...typed });
  };
  const again = async () => {
    const told = await counted("/api/lab/deal").catch((failed) => setWrong(failed.message));
    if (told) setCards({ player: told.player.join(" "), dealer: told.dealer.join(" "), more: told.more });
  };
  const field = (name) => html`<label>${say(`lab.deal.${name}`)}<input value=${typed[name]} maxlength="20" spellcheck=${false} data-cards=${name}
    onInput=${(event) => setTyped((before) => ({ ...before, [name]: event.target.value }))} /></label>`;
  return html`<section class="wide deal"><div class="head"><h2>${say("lab.deal")}</h2><span class="note">${say("lab.deal.note")}</span></div>
    <form class="deal-form" onSubmit=${lay}>${field("player")}${field("dealer")}${field("more")}
      <label>${say("lab.deal.how")}<select onChange=${(event) => setHow(event.target.value)}>${["bet", "fold", "best"].map((one) => html`<option value=${one} selected=${one === how}>${called("lab.deal.how", one)}</option>`)}</select></label>
      <label>${say("ante")}<select onChange=${(event) => setAnte(event.target.value)}>${["5", "10", "25", "100"].map((one) => html`<option value=${one} selected=${one === ante}>${one}</option>`)}</select></label>
      <label class="tick"><input type="checkbox" checked=${side} onChange=${(event) => setSide(event.target.checked)} /> ${say("lab.deal.side")}</label>
      <button type="submit" class="plain-button">${say("lab.deal.lay")}</button><button type="button" class="plain-button" onClick=${again}>${say("lab.deal.again")}</button></form>
    ${wrong && html`<p class="refusal" role="alert" lang="en">${wrong}</p>`}
    ${found && html`<p class="dealt"><span>${say("lab.deal.player")} ${found.player.map((one) => html`<${SmallCard} key=${one} name=${one} />`)}</span>
      <span>${say("lab.deal.dealer")} ${found.dealer.map((one) => html`<${SmallCard} key=${one} name=${one} />`)}</span><span>${say("lab.deal.more")} <${SmallCard} name=${found.more} /></span></p>
      <div class="chart-frame" role="region" tabindex="0" aria-label=${say("lab.deal")}><table class="under"><thead><tr><th scope="col">${say("lab.book")}</th><th scope="col">${say("lab.deal.did")}</th><th scope="col">${say("lab.deal.lines")}</th><th scope="col">${say("lines.net")}</th></tr></thead>
        <tbody>${found.under.map((one) => html`<tr key=${`${one.book}${one.what_if}`} data-under=${one.what_if ? "what-if" : one.book}><th scope="row"><i class="book-mark" data-cloth=${cloth(one.book)}></i><span lang="en"><b>${one.title}</b> <small>${one.version}</small></span>${one.what_if ? html` <em class="due">${say("lab.what-if")}</em>` : null}</th>
          <td>${did(one.did)}${one.hand && html`<small lang=${held(one.hand).lang}>${held(one.hand).text}</small>`}</td><td><${Lines} one=${one} open=${open} /></td>
          <td class="net">${one.net !== undefined ? html`<b data-net=${one.net}>${shown(one.net, one, { signed: true })}</b>` : "–"}</td></tr>`)}</tbody></table></div>`}
  </section>`;
}

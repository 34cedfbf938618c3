// The progressive: the meter on a slider, its awards, and the edge at that meter, exactly.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { near, percent } from "../exact.js";
import { typed } from "../money.js";
import { say } from "../words/words.js";
import { Awards } from "./controls.js";
import { amount, evenAt } from "./figures.js";
import { MeterLine } from "./plots.js";

const ANTES = ["5", "10", "25", "100"];
const STEPS = 200;

export function Meter({ bench, price, options, move, meter, ante, set, open }) {
  const { book } = bench;
  const side = price.now.progressive;
  const even = side?.break_even;
  // A step is a whole amount: the length of the line, which ends at twice the meter where the side bet is even, in two hundred.
  const end = even ? near(side.line.at(-1).meter) : STEPS;
  const step = Math.max(1, Math.round(end / STEPS));
  const [text, setText] = useState(meter ?? "");
  useEffect(() => {
    if (even && meter === null) set({ meter: String(Math.round(end / 4 / step) * step) });
  }, [even, meter]);
  useEffect(() => setText(meter ?? ""), [meter]);
  if (!bench.awards) return null;
  const write = () => (typed(text, book.decimals) === null ? setText(meter ?? "") : set({ meter: text.trim().replace(",", ".") }));
  const at = side?.at;
  const name = say("lab.meter");
  return html`<section class="wide"><div class="head"><h2>${name}</h2><span class="note">${say("lab.meter.note")}</span></div>
    <div class="two"><div>
      ${side?.open && html`<p class="due" lang="en">${side.open}.</p>`}
      ${side?.house_edge && html`<p>${say("lab.meter.flat", { edge: percent(side.house_edge) })}</p>`}
      ${even && html`<ul class="pays-list"><li class="pay meter-slide"><span class="name">${name}</span>
          <span class="slide" style=${{ "--at": Math.min(1, near(meter ?? "0") / (step * STEPS)) }}>
            <input type="range" min="0" max=${STEPS} step="1" value=${Math.round(near(meter ?? "0") / step)} data-meter aria-label=${name}
              aria-valuetext=${amount(meter ?? "0", book)} onInput=${(event) => set({ meter: String(Number(event.target.value) * step) })} /></span>
          <input class="odds" size="11" maxlength="12" value=${text} inputmode="decimal" aria-label=${say("lab.meter.amount")}
            onInput=${(event) => setText(event.target.value)} onBlur=${write} onKeyDown=${(event) => event.key === "Enter" && write()} /></li>
          <li class="pay"><span class="name">${say("ante")}</span><span></span><select aria-label=${say("ante")} onChange=${(event) => set({ ante: event.target.value })}>
            ${ANTES.map((one) => html`<option value=${one} selected=${one === ante}>${amount(one, { ...book, decimals: 0 })}</option>`)}</select></li></ul>
        <table class="ledger"><thead><tr><td></td><th scope="col">${say("lab.now")}</th><th scope="col">${say("lab.by-the-book")}</th></tr></thead><tbody>
          <tr><th scope="row">${say("lab.meter.side")}</th><td title=${at?.side_edge}><span data-side-edge=${at?.side_edge}>${at ? percent(at.side_edge) : "…"}</span></td><td>${price.own.progressive?.at ? percent(price.own.progressive.at.side_edge) : "–"}</td></tr>
          <tr><th scope="row">${say("lab.meter.whole")}</th><td title=${at?.whole_edge}>${at ? percent(at.whole_edge) : "…"}</td><td>${price.own.progressive?.at ? percent(price.own.progressive.at.whole_edge) : "–"}</td></tr>
          <tr><th scope="row">${say("lab.break-even")}</th><td title=${even}>${evenAt(even, book)}</td><td>${price.own.progressive?.break_even ? evenAt(price.own.progressive.break_even, book) : "–"}</td></tr>
          ${side.whole_even.map((one, place) => html`<tr key=${one.ante}><th scope="row">${say("lab.whole-even", { ante: amount(one.ante, { ...book, decimals: 0 }) })}</th><td title=${one.meter}>${evenAt(one.meter, book)}</td>
            <td>${price.own.progressive?.whole_even?.[place] ? evenAt(price.own.progressive.whole_even[place].meter, book) : "–"}</td></tr>`)}
        </tbody></table>`}
      </div><div>${even ? html`<${MeterLine} side=${side} book=${book} />` : null}
      <${Awards} bench=${bench} options=${options} move=${move} open=${open} /></div></div></section>`;
}


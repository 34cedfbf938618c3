// The figures of the changed book, with those of the book itself beside them.
import { html } from "../vendor/preact-htm.js";
import { decimal, less, lowest, near, percent } from "../exact.js";
import { sign } from "../money.js";
import { Clause } from "../parts/clause.js";
import { grouped, local } from "../numbers.js";
import { called, say } from "../words/words.js";

export const amount = (text, { currency, decimals }) => {
  const shown = decimal(text, decimals).replace(/\d+/, (whole) => grouped(BigInt(whole)));
  return shown.startsWith("−") ? `−${sign(currency)}${shown.slice(1)}` : `${sign(currency)}${shown}`;
};

// A meter at which something is even; one that is not above nothing is passed by every meter.
export const evenAt = (text, book) => (near(text) > 0 ? amount(text, book) : say("lab.any-meter"));

const shares = (figures) => Object.entries(figures.decisions).map(([name, share]) => `${called("decision", name)} ${percent(share, 2)}`).join(", ");

function Row({ name, now, own, exact }) {
  return html`<tr><th scope="row">${name}</th><td title=${exact}>${now}</td><td>${own}</td></tr>`;
}

// A line may end at the stroke, not within a number.
function Fraction({ text, now }) {
  const [over, under] = text.split("/");
  return html`<span class="fraction" data-exact=${now}>${over}${under && html`/<wbr />${under}`}</span>`;
}

export function Edge({ book, price, busy }) {
  const { now, own } = price;
  const [whole] = percent(now.figures.house_edge).split(" ");
  const change = less(now.figures.house_edge, own.figures.house_edge);
  const even = (side) => (side?.break_even ? evenAt(side.break_even, book) : say("lab.no-even"));
  return html`<section class="edge-part" aria-busy=${busy} aria-labelledby="edge-title">
    <div class="head"><h2 id="edge-title">${say("lab.edge")}</h2><span class="note">${price.what_if ? say("lab.what-if") : say("lab.as-it-is")}</span></div>
    <p class="edge" data-edge=${now.figures.house_edge}>${whole}<small>%</small></p>
    <table class="ledger"><thead><tr><td></td><th scope="col">${say("lab.now")}</th><th scope="col">${say("lab.by-the-book")}</th></tr></thead><tbody>
      <${Row} name=${say("lab.edge.short")} now=${percent(now.figures.house_edge)} own=${percent(own.figures.house_edge)} />
      <${Row} name=${say("lab.change")} now=${html`<b>${percent(change, 4, { signed: true })}</b>`} own=${say("none")} exact=${lowest(change)} />
      <${Row} name=${say("lab.exactly")} now=${html`<${Fraction} text=${now.figures.house_edge} now />`} own=${html`<${Fraction} text=${own.figures.house_edge} />`} />
      <${Row} name=${say("lab.risk")} now=${html`<span data-risk=${now.figures.element_of_risk}>${percent(now.figures.element_of_risk)}</span>`} own=${percent(own.figures.element_of_risk)} exact=${now.figures.element_of_risk} />
      <${Row} name=${say("lab.deviation")} now=${local(now.figures.standard_deviation.toFixed(4))} own=${local(own.figures.standard_deviation.toFixed(4))} />
      ${now.progressive && html`<${Row} name=${say("lab.break-even")} now=${html`<span data-even=${now.progressive.break_even ?? ""}>${even(now.progressive)}</span>`} own=${even(own.progressive)} exact=${now.progressive.break_even} />`}
      ${now.bonus && html`<${Row} name=${say("lab.bonus")} now=${now.bonus.house_edge ? percent(now.bonus.house_edge) : say("returns.uncounted")} own=${own.bonus?.house_edge ? percent(own.bonus.house_edge) : say("returns.uncounted")} exact=${now.bonus.house_edge} />`}
    </tbody></table>
    <p class="note">${shares(now.figures)}</p>
  </section>`;
}

// A row of pays by the name of its hand; what else the book calls it is English.
function MovedName({ name }) {
  const plain = name.replaceAll("_", " ");
  const words = called("hand", plain);
  return html`<span lang=${words === plain ? "en" : null}>${words}</span>`;
}

// Every line that is moved, with what the book says, and whether it allows that.
export function Moved({ price, open, back, repeat }) {
  return html`<section class="moved-part" aria-label=${say("lab.moved")}>
    ${price.what_if
      ? html`<p class="what-if"><b>${say("lab.what-if.long")}</b></p><ul>${price.moved.map((one) => html`<li key=${one.name}>
          <${MovedName} name=${one.name} /> <b>${one.value.replace(" to ", say("odds.to"))}</b>, ${say("lab.book-has", { odds: one.own.replace(" to ", say("odds.to")) })}
          <${Clause} id=${one.clause} from=${one.name} open=${open} />
          ${!one.allowed && html` <span class="due">${say("lab.not-allowed")}</span>`}${!one.priced && html` <span class="due">${say("lab.not-priced")}</span>`}</li>`)}</ul>
        <button type="button" class="plain-button" onClick=${back}>${say("lab.back")}</button>`
      : html`<p class="note">${say("lab.nothing-moved")}</p>`}
    <p class="repeat"><span class="hidden">${say("lab.repeat")}</span><code>${repeat}</code></p></section>`;
}


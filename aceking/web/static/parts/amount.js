// The amount of a meter: the sign and the cents small, the digits under each other.
import { html } from "../vendor/preact-htm.js";
import { minor, money, sign } from "../money.js";

export function MeterAmount({ value, currency, decimals = 2 }) {
  const text = money(minor(value, decimals), { currency, decimals });
  const bare = text.slice(sign(currency).length);
  const [whole, part] = bare.split(".");
  return html`<span class="meter"><span class="hidden">${text}</span><span aria-hidden="true">
    <small>${sign(currency)}</small>${whole}${part && html`<small>.${part}</small>`}</span></span>`;
}

// The amount of a meter: small sign and cents, digits of equal width.
import { html } from "../vendor/preact-htm.js";
import { minor, money, sign } from "../money.js";
import { POINT } from "../numbers.js";

export function MeterAmount({ value, currency, decimals }) {
  const text = money(minor(value, decimals), { currency, decimals });
  const bare = text.slice(sign(currency).length);
  const [whole, part] = bare.split(POINT);
  return html`<span class="meter"><span class="hidden">${text}</span><span aria-hidden="true">
    <small>${sign(currency)}</small>${whole}${part && html`<small>${POINT}${part}</small>`}</span></span>`;
}

// Named side wagers: a spot on the felt for each, and the action of a click on it.
import { html } from "../vendor/preact-htm.js";
import { minor, money, shown } from "../money.js";
import { Chip, stackOf, tableUnit } from "../parts/chip.js";
import { called, say } from "../words/words.js";
import { keyOf } from "./acts.js";

export const isNamed = (offer) => offer.do === "side-bet" && Boolean(offer.wager);
// Where the book has limits instead of one stake, chips are to be clicked onto the spot first.
export const wantsChips = (offer) => isNamed(offer) && offer.amount === undefined;

// How much room they take in a box: on a desk up to three under each other, more in two columns; on a phone a line for each.
export const room = (printed) => {
  const count = printed.sides?.length ?? 0;
  return { "--sides": count, "--side-rows": count > 3 ? Math.ceil(count / 2) : count };
};

const initials = (wager) => called("wager", wager).split(" ").map((word) => word[0]).join("").toUpperCase();

// What may be staked, or what a click takes back.
export const stakeOf = (offer, posted) => {
  const how = { chips: true };
  return wantsChips(offer) ? say("limits", { low: shown(offer.least, posted, how), high: shown(offer.most, posted, how) })
    : shown(offer.amount.replace("-", ""), posted, how);
};

export const sideWords = (offer, posted) =>
  say(offer.amount?.startsWith("-") ? "side.off" : "side.on", { wager: called("wager", offer.wager), amount: stakeOf(offer, posted) });

export function SideSpots({ printed, box, posted, hands }) {
  const spots = printed.sides ?? [];
  if (!spots.length) return null;
  return html`<span class="side-spots" data-many=${spots.length > 3}>${spots.map((spot) => {
    const offer = hands?.offers.find((one) => isNamed(one) && one.wager === spot.wager);
    const aimed = hands?.aim === spot.wager;
    const lies = minor(box?.sides?.find((one) => one.wager === spot.wager)?.stake ?? "0", posted.decimals);
    return html`<${SideSpot} key=${spot.wager} spot=${spot} units=${lies || (aimed ? hands.laid : 0)} posted=${posted} offer=${offer} lies=${lies > 0} aimed=${aimed}
      busy=${offer && hands.busy.has(keyOf(offer))} onPress=${() => hands.press(offer)} />`;
  })}</span>`;
}

function SideSpot({ spot, units, posted, offer, lies, aimed, busy, onPress }) {
  const name = called("wager", spot.wager);
  const unit = tableUnit(posted);
  const inside = html`${units > 0 && html`<${Chip} value=${stackOf(Math.floor(units / unit))[0]} unit=${unit} decimals=${posted.decimals} />`}
    <em title=${name}><span class="whole">${name}</span><span class="short" aria-hidden="true">${initials(spot.wager)}</span></em>
    ${units > 0 && html`<b>${money(units, posted, { chips: true })}</b>`}`;
  const kind = `side-spot ${lies ? "on" : units ? "laid" : "empty"} ${aimed ? "aimed" : ""}`;
  if (!offer) return html`<span class=${kind} data-side=${spot.wager}>${inside}</span>`;
  return html`<button type="button" class=${kind} data-side=${spot.wager} aria-pressed=${lies || aimed} aria-disabled=${busy} title=${sideWords(offer, posted)}
    onClick=${(event) => event.detail < 2 && !busy && onPress()}>${inside}</button>`;
}

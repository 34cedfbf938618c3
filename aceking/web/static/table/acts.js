// Turns an offer of the house into a request. The offer says what is allowed and what it costs.
import { minor } from "../money.js";
import { short } from "../parts/card.js";
import { called, say } from "../words/words.js";

const KEYS = { look: "L", discard: "A", claim: "C", "side-bet": "J" };

// A choice of the player has its letter from the house, the same as at the terminal.
export const hotkeyOf = (offer) => offer.letter?.toUpperCase() ?? KEYS[offer.do];

// An offer is known by what it is, not by its place in the list.
export const keyOf = (offer) =>
  [offer.do, ...(offer.wager ? [offer.wager] : []), offer.box, offer.question, offer.go_on, offer.amount?.startsWith("-") ? "back" : offer.antes ?? offer.count ?? ""].join("/");

// What costs nothing and gives nothing up: a look, a notice, a stake taken back, chips that are still to be placed.
export const isHarmless = (offer) => ["look", "claim"].includes(offer.do) || Boolean(offer.least || offer.amount?.startsWith("-"));

export const wantsCard = (offer) => (offer.cards ?? []).length > 0;

export function actOf(offer, { card, amount, phase, decimals }) {
  const act = { do: offer.do, box: offer.box };
  switch (offer.do) {
    case "ante":
      return { ...act, amount: offer.amount ? minor(offer.amount, decimals) : amount };
    case "side-bet":
      return { ...act, ...(offer.wager && { wager: offer.wager }), amount: offer.amount ? minor(offer.amount, decimals) : amount };
    case "bet":
      // An amount is named only where the box has not been asked yet, and where the player chooses it.
      if (phase !== "deciding" || offer.antes) return { ...act, amount: minor(offer.amount, decimals) };
      return wantsCard(offer) ? { ...act, discard: card } : act;
    case "stay":
      return wantsCard(offer) ? { ...act, discard: card } : act;
    case "exchange":
      return { ...act, give: card };
    case "buy-dealer-card":
      return { ...act, buys: offer.go_on };
    case "discard":
      return { ...act, card };
    case "choose":
      return { ...act, question: offer.question, go_on: offer.go_on };
    default:
      return act;
  }
}

// The verb on the choice, with the card that goes with it.
export function verb(offer, card) {
  if (offer.do === "choose") return say(offer.go_on ? "act.go-on" : "act.take-back");
  if (offer.do === "buy-dealer-card") return say(offer.go_on ? "act.buy-dealer-card" : "act.leave-dealer");
  if (offer.wager) return called("wager", offer.wager);
  if (offer.amount?.startsWith("-")) return say(`act.${offer.do}.back`);
  if (offer.antes) return say("act.bet.antes", { antes: offer.antes });
  if (card) return say(`act.${offer.do}.card`, { card: card.split(" ").map(short).join(" ") });
  return say(`act.${offer.do}`);
}

// From an offer of the house to what is asked of it. What may be done and what it costs is in the offer.
import { minor } from "../money.js";
import { short } from "../parts/card.js";
import { called, say } from "../words/words.js";

export const KEYS = {
  look: "L", bet: "B", fold: "F", exchange: "E", stay: "S", declare: "D", discard: "A", claim: "C", "side-bet": "J",
};

// An offer is known by what it is, not by its place in the list.
export const keyOf = (offer) =>
  [offer.do, ...(offer.wager ? [offer.wager] : []), offer.box, offer.question, offer.go_on, offer.amount?.startsWith("-") ? "back" : offer.antes ?? offer.count ?? ""].join("/");

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

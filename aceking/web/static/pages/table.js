// The player's table.
import { html, useEffect, useMemo, useState } from "../vendor/preact-htm.js";
import { minor, money, shown } from "../money.js";
import { named } from "../parts/card.js";
import { numberOf } from "../parts/deck.js";
import { Clause, ClauseSheet } from "../parts/clause.js";
import { Clock } from "../parts/clock.js";
import { cloth } from "../parts/cloth.js";
import { Header } from "../parts/header.js";
import { sound } from "../parts/sound.js";
import { actOf, isHarmless, keyOf } from "../table/acts.js";
import { Coach, useCoach } from "../table/coach.js";
import { Button, BuyIn, Chips, Choices } from "../table/dock.js";
import { Boxes, DealerRow, OwnHand, Words } from "../table/felt.js";
import { isNamed, room, sideWords, wantsChips } from "../table/sides.js";
import { Costs, History, Lines, Meter, Pays, Rules, Shuffle } from "../table/panel.js";
import { useAsking, useFresh, useHistory, useKeys, useOnce, useTable } from "../table/state.js";
import { held, heldWords } from "../words/hands.js";
import { Told } from "../words/told.js";
import { called, say } from "../words/words.js";

const WHOLE = { "close-bets": "bet_seconds", decision: "decide_seconds", "next-round": "pause_seconds" };

export function TablePage({ id }) {
  const table = useTable(id);
  const printed = useOnce(`/api/tables/${id}/printed`);
  if (table.missing) {
    return html`<${Header} me=${table.me} /><main class="lobby"><h1>${say("table.unknown", { table: id })}</h1><p><a href="/">${say("lobby")}</a></p></main>`;
  }
  if (!table.view || !printed) return html`<${Header} me=${table.me} /><main class="lobby"><p role="status">${say("wait")}</p></main>`;
  return html`<${Seat} id=${id} table=${table} printed=${printed} />`;
}

function Seat({ id, table, printed }) {
  const { view, floor, here, me, now } = table;
  const { rail, own } = view;
  const { posted, common } = rail;
  const returns = useOnce(`/api/tables/${id}/returns`);
  const asking = useAsking(table.ask, view);
  const history = useHistory(id, view);
  const [clause, setClause] = useState(null);
  const [chosen, choose] = useState(null);
  const [card, pick] = useState(null);
  const [pending, setPending] = useState(0);
  const [staked, setStaked] = useState(null);
  const [aim, setAim] = useState(null); // the side wager that chips are clicked onto
  const [laid, setLaid] = useState(0);
  const [past, setPast] = useState(null);
  const [voice, announce] = useState("");
  useKeys();

  const mine = Object.entries(rail.seats).filter(([, player]) => player === me.name).map(([box]) => Number(box));
  const may = (own.may ?? []).filter((offer) => mine.includes(offer.box));
  const asked = may.find((offer) => offer.letter || ["discard", "look", "choose", "buy-dealer-card"].includes(offer.do));
  const active = mine.includes(chosen) ? chosen : common.phase !== "betting" && asked ? asked.box : mine[0] ?? null;
  // Where several cards may be given, the exchange that is shown is that of as many as are picked.
  const several = may.some((offer) => offer.box === active && offer.count);
  const picks = card ? card.split(" ") : [];
  const offers = may.filter((offer) => offer.box === active && (!several || offer.do !== "exchange" || (offer.count ?? 1) === Math.max(1, picks.length)));
  const toggle = (name) => {
    const others = several ? picks.filter((one) => one !== name) : [];
    const now = picks.includes(name) ? others : [...others, name];
    pick(now.sort((one, other) => numberOf(one) - numberOf(other)).join(" ") || null);
  };
  const box = (common.boxes ?? []).find((one) => one.box === active);
  const ownBox = (own.boxes ?? []).find((one) => one.box === active);
  const chips = minor(rail.chips[me.name] ?? "0", posted.decimals);
  const meter = floor?.meters.find((one) => one.id === posted.meter);
  const mustHit = floor?.tables.find((one) => one.id === id)?.must_hit ?? {};
  const meters = (floor?.meters ?? []).filter((one) => one === meter || one.id in mustHit);
  const pickable = offers.some((offer) => (offer.cards ?? []).length > 0);

  useEffect(() => void (document.title = `${posted.name} · AceKing`), []);
  useEffect(() => {
    pick(null);
    if (common.phase === "betting") setPending(staked?.ante ?? 0);
  }, [common.round, active]);
  useEffect(() => setAim(null), [common.round, common.phase, active]);
  const coach = useCoach(id, active, offers, common.phase);
  const dealtOut = (common.boxes ?? []).reduce((all, one) => all + (one.cards?.length ?? 0), common.dealer?.length ?? 0);
  const stakes = (common.boxes ?? []).map((one) => [one.ante, one.bet, ...(one.sides ?? []).map((side) => side.stake)].join("/")).join();
  useEffect(() => void (dealtOut && sound("card")), [dealtOut]);
  useEffect(() => void (stakes && sound("chip")), [stakes]);
  useEffect(() => void (asked && common.phase === "deciding" && sound("turn")), [Boolean(asked), common.phase]);
  useEffect(() => announce(spoken(view, printed, me, box, ownBox)), [common.round, common.phase, common.turn, ownBox?.words]);

  useEffect(() => {
    // On a phone the boxes are a strip that scrolls: one's own is in its middle.
    const row = document.querySelector(".boxes-row");
    const mine = row?.querySelector(".box.active")?.parentElement;
    if (mine) row.scrollLeft = mine.offsetLeft - (row.clientWidth - mine.offsetWidth) / 2;
  }, [active]);

  const open = setClause;
  const said = (key) => asking.refused?.key === key && html`<p class="refusal" role="alert">
    <${Told} text=${asking.refused.reason} said=${asking.refused.said} /> <${Clause} id=${asking.refused.clause} from=${say("refused")} open=${open} /></p>`;
  const send = (key, wish) => asking.send(key, wish);
  const expects = common.round ? { round: common.round, phase: common.phase } : undefined;
  const act = async (offer, does) => {
    const reply = await send(keyOf(offer), { ask: "play", act: does, expects });
    if (!reply || reply.refused) return reply;
    coach.judge(offer, card);
    if (offer.do === "side-bet") setStaked((before) => before && { ...before, sides: { ...before.sides, [offer.wager ?? ""]: Math.max(0, does.amount) } });
    return reply;
  };
  const place = async (offer, amount) => {
    const reply = await act(offer, actOf(offer, { amount, phase: common.phase, decimals: posted.decimals }));
    if (reply && !reply.refused) setStaked({ ante: amount, sides: {} });
    return reply;
  };
  // The stakes of the last round once more: the ante, and beside it the side wagers that there were.
  const again = async (offer) => {
    const { ante, sides } = staked;
    const reply = await place(offer, ante);
    if (!reply || reply.refused) return;
    for (const [wager, amount] of Object.entries(sides).filter(([, one]) => one > 0)) {
      const side = { do: "side-bet", box: offer.box, ...(wager && { wager }) };
      await act(side, { ...side, amount });
    }
  };
  // A click on the spot of a side wager: its one stake or the way back at once, else the chips for it.
  const press = (offer) => {
    if (!wantsChips(offer)) return act(offer, actOf(offer, { phase: common.phase, decimals: posted.decimals }));
    setLaid(0);
    return setAim(offer.wager);
  };
  const lay = async (offer, amount) => {
    const reply = await act(offer, actOf(offer, { amount, phase: common.phase, decimals: posted.decimals }));
    if (reply && !reply.refused) setAim(null);
  };
  const sit = (number) => send(`sit/${number}`, { ask: "sit", box: number });

  const dock = { view, printed, me, mine, active, offers, box, chips, card, pending, setPending, place, act, send, asking, said, open, floor, staked, again, coach, sides: { aim, setAim, laid, setLaid, lay, press } };
  // A past round lies on the felt as it lay then, act by act.
  const lying = past ? past.one.frames[past.step] : common;
  const then = past && (lying.boxes ?? []).find((one) => one.player === me.name);
  const result = (common.boxes ?? []).filter((one) => one.player === me.name && one.net !== undefined && one.lines);
  const words = !box?.cards?.length ? "" : ownBox?.words ?? box.words ?? "";
  return html`<div class="table-page" data-cloth=${cloth(posted.book)}>
    <${Header} me=${me} book=${cloth(posted.book)}>
      <h1>${posted.name} <small lang="en">${posted.title}, ${posted.house}</small></h1>
      <span class="limits">${say("limits", { low: shown(posted.ante_min, posted, { chips: true }), high: shown(posted.ante_max, posted, { chips: true }) })}</span>
      ${mine.length > 0 && html`<span class="purse">${say("chips")} <b data-chips=${chips}>${money(chips, posted)}</b></span>`}
    <//>
    ${!here && html`<p class="lost" role="status">${say("lost")}</p>`}
    <main class=${`felt ${past ? "past" : ""} ${printed.sides?.length ? "with-sides" : ""}`} style=${room(printed)}>
      <${DealerRow} common=${lying} printed=${printed} open=${open} />
      <${Words} printed=${printed} />
      <${Boxes} rail=${past ? { ...rail, common: lying, seats: {}, ready: [], away: [] } : rail} printed=${printed} me=${past ? { name: me.name } : me} mine=${mine} active=${active} choose=${choose} sit=${sit}
        busy=${asking.busy} said=${said} pending=${common.phase === "betting" && !box?.player ? pending : 0} hands=${past ? null : { offers, aim, laid, press, busy: asking.busy }} />
      <${OwnHand} box=${past ? then : box} own=${past ? null : ownBox} printed=${printed} pickable=${pickable && !past} picked=${card} pick=${toggle}
        round=${lying.round} words=${held(past ? then?.words ?? "" : words)} unseen=${!past && !words && box?.cards?.length > 0 && !ownBox} seated=${mine.length > 0} />
      <div class="dock"><${Clock} clock=${rail.clock} whole=${rail.clock ? posted[WHOLE[rail.clock.what]] : 0} now=${now} announce=${announce} />
        ${past ? html`<${Replay} past=${past} go=${(step) => setPast({ ...past, step })} end=${() => setPast(null)} />` : html`<${Dock} ...${dock} />`}</div>
      <p class="hidden" role="status" aria-live="polite" data-voice>${voice}</p>
    </main>
    <div class="panel" role="region" aria-label=${say("panel")} tabindex="0">
      ${(common.questions ?? []).map((one) => html`<section class="part due" role="alert"><h2>${say("question")}</h2><p>${called("mishap", one.mishap)}${one.what && html`: <${Told} text=${one.what} />`}
        <${Clause} id=${one.clause} from=${say("question")} open=${open} /></p><p>${say("question.of", { of: called("actor", one.of) })}</p></section>`)}
      ${meters.map((one) => html`<${Meter} key=${one.id} meter=${one} posted=${posted} />`)}
      ${result.map((one) => html`<${Lines} key=${one.box} title=${say("lines")} box=${one} posted=${posted} open=${open} round=${common.round} chips=${chips} />`)}
      <${Coach} coach=${coach} posted=${posted} playing=${mine.length > 0} />
      <${Costs} returns=${returns} printed=${printed} meter=${meter} posted=${posted} />
      ${mine.length > 0 && html`<section class="part"><details><summary><b>${say("chips.yours")}</b><span>${money(chips, posted)}</span></summary>
        <${BuyIn} posted=${posted} purse=${floor?.purse?.[posted.currency]} ask=${send} busy=${asking.busy} said=${said} chips=${chips} />
        ${mine.map((number) => html`<p class="leave" key=${number}><button type="button" class="plain-button" aria-disabled=${asking.busy.has(`rise/${number}`)}
          onClick=${(event) => event.detail < 2 && send(`rise/${number}`, { ask: "rise", box: number })}>${say("rise", { box: number })}</button></p>${said(`rise/${number}`)}`)}</details></section>`}
      <${Shuffle} seal=${rail.seal} last=${history.rounds[0]} phase=${common.phase} word=${rail.seal?.words?.[me.name]} ask=${send}
        busy=${asking.busy} said=${said} may=${mine.length > 0} />
      <${Rules} printed=${printed} open=${open} />
      <${Pays} printed=${printed} posted=${posted} open=${open} />
      <${History} ...${history} me=${me} posted=${posted} open=${open} replay=${(one) => setPast({ one, step: 0 })} />
    </div>
    ${clause && html`<${ClauseSheet} table=${id} asked=${clause} close=${() => setClause(null)} />`}
  </div>`;
}


function Replay({ past, go, end }) {
  const { one, step } = past;
  const most = one.frames.length - 1;
  const back = step === 0;
  const over = step === most;
  return html`<div class="on-felt" role="group" aria-label=${say("replay.now", { round: one.round, step: step + 1, of: most + 1 })}>
    <p class="say"><b>${say("replay.now", { round: one.round, step: step + 1, of: most + 1 })}</b><small role="status"><${Told} text=${one.sentences[step]} said=${one.said?.[step]} /></small></p>
    <div class="beside"><${Button} id="replay-back" kind="second" hotkey="ArrowLeft" name=${say("replay.back")} closed=${back && " "} said=${() => null} onAct=${() => go(step - 1)} />
      <${Button} id="replay-on" kind="second" hotkey="ArrowRight" name=${say("replay.on")} closed=${over && " "} said=${() => null} onAct=${() => go(step + 1)} />
      <${Button} id="replay-end" kind="first" hotkey="Escape" name=${say("replay.end")} said=${() => null} onAct=${end} /></div></div>`;
}

function Dock({ view, printed, me, mine, active, offers, box, chips, card, pending, setPending, place, act, send, asking, said, open, floor, staked, again, coach, sides }) {
  const { rail } = view;
  const { posted, common } = rail;
  const next = useMemo(() => encodeURIComponent(location.pathname), []);
  const ante = offers.find((offer) => offer.do === "ante" && offer.least);
  const onto = offers.find((offer) => wantsChips(offer) && offer.wager === sides.aim);
  // What stands in the dock: while bets are open one form after another, then the choices, however many cards are picked.
  const stands = common.phase === "betting" ? [ante ? "ante" : onto?.wager ?? "staked"] : offers.map((offer) => (offer.do === "exchange" ? offer.do : keyOf(offer)));
  const fresh = useFresh([common.round, active, ...stands].join());
  if (!me.name) return html`<p class="say"><a class="plain-button" href="/login?next=${next}">${say("log-in.to-play")}</a></p>`;
  if (me.role !== "player" || posted.mode !== "electronic") return html`<p class="say">${say("watching")}</p>`;
  if (!mine.length) return html`<p class="say">${say("sit.hint")}</p>`;
  if (common.phase === "betting") {
    if (ante && chips < minor(ante.least, posted.decimals)) {
      return html`<${BuyIn} compact posted=${posted} purse=${floor?.purse?.[posted.currency]} ask=${send} busy=${asking.busy} said=${said} chips=${chips} />`;
    }
    if (ante) return html`<${Chips} offer=${ante} posted=${posted} has=${chips} pending=${pending} setPending=${setPending} place=${place} busy=${asking.busy} fresh=${fresh} said=${said} last=${staked} again=${() => again(ante)} />`;
    if (onto) return html`<${Chips} offer=${onto} onto=${called("wager", onto.wager)} leave=${() => sides.setAim(null)} posted=${posted} has=${chips} pending=${sides.laid} setPending=${sides.setLaid} place=${sides.lay} busy=${asking.busy} said=${said} />`;
    return html`<${Staked} rail=${rail} me=${me} printed=${printed} offers=${offers} box=${box} act=${act} press=${sides.press} send=${send} asking=${asking} fresh=${fresh} said=${said} />`;
  }
  if (offers.length) {
    return html`<${Choices} offers=${offers} posted=${posted} phase=${common.phase} card=${card} act=${act} busy=${asking.busy} fresh=${fresh} said=${said} governs=${printed.governs} open=${open} coach=${coach} />`;
  }
  if (box?.net !== undefined) {
    return html`<p class="say result"><b data-result=${box.net}>${shown(box.net, posted, { signed: true })}</b><small>${say("result.lines", { count: box.lines?.length ?? 0 })}</small></p>`;
  }
  return html`<p class="say">${waiting(common, box, active)}</p>`;
}

// The ante lies: the side bets, a way back, and the word that one is ready.
function Staked({ rail, me, printed, offers, box, act, press, send, asking, fresh, said }) {
  const { posted } = rail;
  const ready = (rail.ready ?? []).includes(me.name);
  const does = (offer) => act(offer, actOf(offer, { phase: rail.common.phase, decimals: posted.decimals }));
  const side = offers.find((offer) => offer.do === "side-bet" && !offer.wager);
  const named = offers.filter(isNamed);
  const blind = offers.find((offer) => offer.do === "bet");
  const back = offers.find((offer) => offer.do === "ante");
  const button = (offer, hotkey, name, go = does) => offer && html`<${Button} key=${keyOf(offer)} id=${keyOf(offer)} kind="second" hotkey=${hotkey} name=${name}
    busy=${asking.busy.has(keyOf(offer))} fresh=${fresh && !isHarmless(offer)} said=${said} onAct=${() => go(offer)} />`;
  const amount = (offer) => shown(offer.amount.replace("-", ""), posted, { chips: true });
  const off = side?.amount.startsWith("-");
  return html`<p class="say"><b>${say("ante.lies", { amount: shown(box?.ante ?? "0", posted, { chips: true }) })}</b></p>
    <div class="beside">
      ${side && button(side, "J", say(off ? "side.off" : "side.on", { wager: called("wager", printed.side.wager), amount: amount(side) }))}
      ${named.map((offer) => button(offer, String(printed.sides.findIndex((one) => one.wager === offer.wager) + 1), sideWords(offer, posted), press))}
      ${blind && button(blind, "B", say(blind.amount.startsWith("-") ? "blind.off" : "blind.on", { amount: amount(blind) }))}
      ${button(back, "T", say("ante.back"))}
      ${ready ? html`<p class="say">${say("ready.said")}</p>`
        : html`<${Button} id="ready" kind="first" hotkey="R" name=${say("ready.say")} busy=${asking.busy.has("ready")} fresh=${fresh} said=${said} onAct=${() => send("ready", { ask: "ready" })} />`}
    </div>`;
}

function waiting(common, box, active) {
  if (common.suspended) return say("suspended");
  if (common.phase === "deciding" && common.turn?.startsWith("box ") && common.turn !== `box ${active}`) return say("turn.box", { box: common.turn.slice(4) });
  if (common.phase === "deciding") return say(box ? "turn.others" : "turn.not-in");
  if (!common.phase || common.phase === "done") return say("turn.next");
  return say("turn.house");
}

// What a listener is told when something has changed.
function spoken(view, printed, me, box, own) {
  const { common, posted } = view.rail;
  const parts = [];
  if (common.phase === "betting") parts.push(say("voice.betting", { round: common.round }));
  if (common.phase === "deciding" && box && !box.choice) {
    if (common.up) parts.push(say("voice.shows", { card: named(common.up) }));
    if (own?.words) parts.push(say("voice.hand", { words: heldWords(own.words) ?? own.words }));
    parts.push(common.turn === "players" || common.turn === `box ${box.box}` ? say("voice.you") : say("turn.box", { box: (common.turn ?? "").slice(4) }));
  }
  if (common.dealer_words) parts.push(say("dealer.has", { words: heldWords(common.dealer_words) ?? common.dealer_words }));
  if (box?.net !== undefined) parts.push(say("voice.net", { amount: shown(box.net, posted, { signed: true }) }));
  return parts.join(". ");
}

// The history of a meter: a line with its steps, and the same as a table.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { get } from "../client.js";
import { minor, money, sign } from "../money.js";
import { BOTTOM, Grid, Picture, RIGHT, TOP, scale, ticks } from "../parts/plot.js";
import { called, language, say } from "../words/words.js";

const LEFT = 76;
const LABELS = 4;

// Asked for again when the meter has moved; what is not read to its end yet is asked for until it is.
function useHistory(id, events) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    let there = true;
    const load = () => get(`/api/meters/${id}/history`).then((told) => {
      if (!there) return;
      setFound(told);
      if (!told.whole) load();
    }, () => {});
    load();
    return () => (there = false);
  }, [id, events]);
  return found;
}

export function Since({ id, events, how, now }) {
  const found = useHistory(id, events);
  if (!found || found.points.length === 0) return html`<div class="since"><h3>${say("meters.since")}</h3><div class="picture-wait"></div></div>`;
  const points = found.points.map((one) => ({ ...one, units: minor(one.value, how.decimals), from: minor(one.before ?? one.value, how.decimals) }));
  const steps = points.filter((one) => one.step);
  const size = 10 ** how.decimals;
  const most = Math.max(...points.map((one) => Math.max(one.units, one.from))) / size;
  const least = Math.min(...points.map((one) => one.units)) / size;
  const low = most - least < most / 10 ? least - (most - least) * 0.2 - most / 1000 : 0;
  const high = most + (most - low) * 0.12;
  const marks = ticks(low, high);
  const first = points[0].at;
  const last = Math.max(now, points.at(-1).at);
  const shownMoney = (one) => `${sign(how.currency)}${one.toLocaleString(language(), { maximumFractionDigits: how.decimals })}`;
  const day = last - first < 2 * 86400000;
  const time = (at) => (day ? new Date(at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : new Date(at).toLocaleDateString(language(), { day: "numeric", month: "short" }));
  const moved = (one) => money(one.units - one.from, how, { signed: true });
  const said = steps.filter((one) => one.step === "award").slice(-LABELS);
  const draw = (width, height) => {
    const x = scale(first, last, LEFT, width - RIGHT);
    const y = scale(low, high, height - BOTTOM, TOP);
    // It stays where it is until it steps: contributions are small steps up.
    const path = points.flatMap((one, place) => (one.step && place > 0 ? [[one.at, one.from], [one.at, one.units]] : [[one.at, one.units]]));
    path.push([last, points.at(-1).units]);
    return html`<${Grid} marks=${marks} y=${y} width=${width} left=${LEFT} shown=${shownMoney} />
      <polyline class="line" points=${path.map(([at, units]) => `${x(at).toFixed(1)},${y(units / size).toFixed(1)}`).join(" ")} />
      ${steps.filter((one) => one.step !== "configured").map((one) => html`<circle key=${`${one.at}/${one.units}`} class=${one.step === "award" ? "award" : "hollow"} cx=${x(one.at)} cy=${y(one.from / size)} r="4"><title>${called("meters.step", one.step)} ${moved(one)}</title></circle>`)}
      ${said.map((one) => html`<text class="strong" key=${one.id} x=${Math.min(x(one.at), width - RIGHT)} y=${y(one.from / size) - 10} text-anchor=${x(one.at) > width / 2 ? "end" : "start"}>${called("meters.step", one.step)} ${moved(one)}</text>`)}
      <text x=${LEFT} y=${height - 12}>${time(first)}</text><text x=${width - RIGHT} y=${height - 12} text-anchor="end">${time(last)}</text>`;
  };
  const label = say("meters.since.label", { from: money(points[0].units, how), to: money(points.at(-1).units, how), count: steps.filter((one) => one.step === "award").length });
  return html`<div class="since" data-points=${points.length} data-last=${points.at(-1).value}><h3>${say("meters.since")} <small>${say("meters.since.hint")}</small></h3>
    <${Picture} label=${label} draw=${draw} />
    <details><summary>${say("meters.since.table")}</summary><div class="scroll" role="region" tabindex="0" aria-label=${say("meters.since.table")}><table class="list"><thead><tr><th scope="col">${say("meters.when")}</th><th scope="col">${say("meters.since.what")}</th><th scope="col">${say("meters.since.before")}</th><th scope="col">${say("meters.since.moved")}</th><th scope="col">${say("meters.since.after")}</th></tr></thead>
      <tbody>${[...steps].reverse().map((one, place) => html`<tr key=${place} data-step=${one.step}><td>${new Date(one.at).toLocaleString(language())}</td><td>${called("meters.step", one.step)}</td><td>${money(one.from, how)}</td><td>${moved(one)}</td><td>${money(one.units, how)}</td></tr>`)}</tbody></table></div></details></div>`;
}

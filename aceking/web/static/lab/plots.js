// The plots of the lab. The figures are exact; only the positions of marks are rounded.
import { grouped, local } from "../numbers.js";
import { html } from "../vendor/preact-htm.js";
import { decimal, near, percent } from "../exact.js";
import { BOTTOM, Grid, LEFT, Picture, RIGHT, TOP, scale, ticks } from "../parts/plot.js";
import { say } from "../words/words.js";
import { amount } from "./figures.js";
import { shownOdds } from "./odds.js";

export function Curve({ curve, name }) {
  const points = curve.points.map((one) => ({ ...one, at: near(one.odds), edge: 100 * near(one.house_edge) }));
  const edges = points.map((one) => one.edge);
  const pad = (Math.max(...edges) - Math.min(...edges)) * 0.12 || 0.1;
  const marks = ticks(Math.min(...edges) - pad, Math.max(...edges) + pad);
  const label = `${say("lab.curve", { row: name })}: ${points.map((one) => `${shownOdds(one.odds)} ${percent(one.house_edge)}`).join(", ")}`;
  const draw = (width, height) => {
    const x = scale(points[0].at, points.at(-1).at, LEFT + 22, width - RIGHT - 24);
    const y = scale(Math.min(...edges) - pad, Math.max(...edges) + pad, height - BOTTOM, TOP);
    const now = points.find((one) => one.now);
    return html`<${Grid} marks=${marks} y=${y} width=${width} />
      <polyline class="line" points=${points.map((one) => `${x(one.at)},${y(one.edge)}`).join(" ")} />
      ${points.map((one) => html`<circle key=${one.odds} class=${one.allowed ? "allowed" : "hollow"} cx=${x(one.at)} cy=${y(one.edge)} r=${one.now ? 6 : 4} />
        <text class=${one.now ? "strong" : ""} x=${x(one.at)} y=${height - 12} text-anchor="middle">${shownOdds(one.odds).replace(/ \S+ 1$/, "")}</text>
        ${one.own && html`<line class="own" x1=${x(one.at)} x2=${x(one.at)} y1=${y(one.edge) + 10} y2=${height - BOTTOM} />`}`)}
      ${now && html`<text class="strong" x=${Math.min(x(now.at) + 10, width - RIGHT - 60)} y=${y(now.edge) - 12}>${percent(now.house_edge)}</text>`}`;
  };
  return html`<${Picture} label=${label} draw=${draw} />
    <p class="note">${points.some((one) => !one.allowed) ? say("lab.curve.hollow") : say("lab.curve.allowed")}</p>`;
}

export function Outcomes({ figures }) {
  const bars = figures.outcomes.map((one) => ({ net: one.net, share: `${one.deals}/${figures.deals}`, at: (100 * one.deals) / figures.deals }));
  const high = Math.max(...bars.map((one) => one.at));
  const marks = ticks(0, high);
  const shown = (net) => `${near(net) > 0 ? "+" : ""}${decimal(net, net.includes("/") ? 1 : 0)}`;
  const label = `${say("lab.ends")}: ${bars.map((one) => `${shown(one.net)} ${percent(one.share, 2)}`).join(", ")}`;
  const draw = (width, height) => {
    const y = scale(0, high, height - BOTTOM, TOP);
    const step = (width - LEFT - RIGHT) / bars.length;
    const every = Math.ceil(34 / step);
    return html`<${Grid} marks=${marks} y=${y} width=${width} />
      ${bars.map((one, place) => {
        const middle = LEFT + step * (place + 0.5);
        const wide = Math.min(28, step * 0.7);
        return html`<g key=${one.net}><rect class=${near(one.net) > 0 ? "won" : "lost-bar"} x=${middle - wide / 2} width=${wide} y=${Math.min(y(one.at), height - BOTTOM - 1.5)} height=${Math.max(1.5, height - BOTTOM - y(one.at))}><title>${shown(one.net)}: ${percent(one.share, 6)}</title></rect>
          ${one.at >= (step < 30 ? 4 : 1) && html`<text class="strong" x=${middle} y=${y(one.at) - 6} text-anchor="middle">${local(one.at.toFixed(1))}</text>`}
          ${(place % every === 0 || one.at >= 5) && html`<text x=${middle} y=${height - 12} text-anchor="middle">${shown(one.net)}</text>`}</g>`;
      })}`;
  };
  return html`<${Picture} label=${label} draw=${draw} />
    <p class="note">${say("lab.ends.of", { deals: grouped(figures.deals) })}</p>`;
}

// Edge against meter: the side bet of its stake, the whole game of the ante.
export function MeterLine({ side, book }) {
  const lines = ["side_edge", "whole_edge"];
  const points = side.line.map((one) => ({ at: near(one.meter), side_edge: 100 * near(one.side_edge), whole_edge: 100 * near(one.whole_edge) }));
  const all = points.flatMap((one) => lines.map((line) => one[line]));
  const marks = ticks(Math.min(...all), Math.max(...all));
  const even = near(side.break_even);
  const label = even > 0 ? say("lab.meter.label", { meter: amount(side.break_even, book) }) : say("lab.meter.ahead");
  const draw = (width, height) => {
    const x = scale(0, points.at(-1).at, LEFT, width - RIGHT);
    const y = scale(Math.min(...all), Math.max(...all), height - BOTTOM, TOP);
    const at = side.at;
    return html`<${Grid} marks=${marks} y=${y} width=${width} />
      ${lines.map((line) => html`<polyline key=${line} class=${`line ${line === "whole_edge" ? "dashed" : ""}`} points=${points.map((one) => `${x(one.at)},${y(one[line])}`).join(" ")} />`)}
      ${even > 0 && html`<line class="own" x1=${x(even)} x2=${x(even)} y1=${y(0)} y2=${height - BOTTOM} />
        <text x=${x(even)} y=${height - 12} text-anchor="middle">${amount(decimal(side.break_even, 0), { ...book, decimals: 0 })}</text>`}
      <text x=${LEFT} y=${height - 12} text-anchor="middle">0</text>
      ${at && html`${lines.map((line) => html`<circle key=${line} class="allowed" cx=${x(near(at.meter))} cy=${y(100 * near(at[line]))} r="6" />`)}`}`;
  };
  return html`<${Picture} label=${label} draw=${draw} /><p class="note legend"><span><i class="full"></i> ${say("lab.meter.side")}</span><span><i class="dashed"></i> ${say("lab.meter.whole")}</span></p>`;
}


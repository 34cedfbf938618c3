// The clock of the house: seconds, a bar, and an announcement at ten and five seconds.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { called, say } from "../words/words.js";

export function Clock({ clock, whole, now, announce }) {
  const left = () => (clock ? Math.max(0, Math.ceil((clock.ends - now()) / 1000)) : 0);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (!clock) return undefined;
    const timer = setInterval(() => setSeconds(left()), 200);
    return () => clearInterval(timer);
  }, [clock?.ends, clock?.what]);
  useEffect(() => {
    if (clock?.what === "decision" && (seconds === 10 || seconds === 5)) announce(say("clock.left", { count: seconds }));
  }, [seconds]);
  if (!clock) return html`<div class="clock"></div>`;
  const share = whole ? Math.min(1, seconds / whole) : 0;
  return html`<div class="clock ${seconds <= 5 ? "late" : ""}" role="timer" aria-label=${called("clock", clock.what)}>
    <span><b>${seconds}</b> ${called("clock", clock.what)}</span>
    <i><i style=${{ transform: `scaleX(${share})` }}></i></i></div>`;
}

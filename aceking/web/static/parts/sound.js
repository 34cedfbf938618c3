// Small generated sounds, off by default.
import { settings } from "../settings.js";

let audio = null;
// How long, how high, and how it falls off.
const SOUNDS = { card: [0.05, 900, "triangle"], chip: [0.07, 2100, "square"], turn: [0.25, 520, "sine"] };

export function sound(name) {
  if (settings.sound !== "on") return;
  const [seconds, pitch, shape] = SOUNDS[name];
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.type = shape;
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.05, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + seconds);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + seconds);
  document.documentElement.dataset.sound = name;
}

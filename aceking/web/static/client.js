// The client of the house: HTTP requests, and one live connection that reconnects by itself.
export class HouseError extends Error {
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}

const cookie = (name) =>
  document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

async function answer(response) {
  if (response.status === 204) return null;
  const told = await response.json().catch(() => ({ code: "fault", reason: response.statusText }));
  if (!response.ok) throw new HouseError(told.code, told.reason);
  return told;
}

export const get = async (path) => answer(await fetch(path, { headers: { Accept: "application/json" } }));

export async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken") };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body ?? {}) }));
}

// randomUUID is only there over TLS and on this machine; random bytes are everywhere.
export function requestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

const SESSION_OVER = 4401;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const PING_EVERY = 10000;
const SILENT_FOR = 25000;

// What is watched is watched again after a break; what was asked and not answered is asked again under its own id, so
// that it is done once whichever way it was lost.
export class Live {
  constructor({ table, onTable, onFloor, onState, onSessionOver }) {
    this.table = table;
    this.hear = { table: onTable, floor: onFloor };
    this.onState = onState ?? (() => {});
    this.onSessionOver = onSessionOver ?? (() => {});
    this.tables = new Set();
    this.floor = false;
    this.asked = new Map();
    this.wait = FIRST_WAIT;
    this.ahead = 0;
    this.closed = false;
    this.connect();
    addEventListener("online", () => this.again());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    setInterval(() => this.check(), PING_EVERY);
  }

  connect() {
    if (this.closed) return;
    // A house of several processes serves who comes for a table by the one that has it.
    const query = this.table === undefined ? "" : `?table=${encodeURIComponent(this.table)}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live${query}`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (event) => this.message(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  message(told) {
    this.heard = Date.now();
    if (told.is === "welcome") this.welcome(told);
    else if (told.is === "answer") this.settle(told.id, told.reply);
    else if (told.is === "sorry" && told.id) this.settle(told.id, { refused: { reason: told.reason, clause: told.code } });
    else this.hear[told.is]?.(told);
  }

  welcome(told) {
    this.wait = FIRST_WAIT;
    this.ahead = told.at - Date.now();
    this.me = { name: told.name, role: told.role };
    this.open = true;
    for (const table of this.tables) this.send({ is: "watch", table });
    if (this.floor) this.send({ is: "watch-floor" });
    for (const [id, { wish }] of this.asked) this.send({ is: "ask", id, wish });
    this.onState(true);
  }

  lost(code) {
    this.open = false;
    if (code === SESSION_OVER) return this.onSessionOver();
    this.onState(false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  again() {
    if (this.open || this.closed) return;
    clearTimeout(this.timer);
    this.connect();
  }

  check() {
    if (!this.open) return;
    if (Date.now() - this.heard > SILENT_FOR) this.socket.close();
    else this.send({ is: "ping" });
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  watch(table) {
    this.tables.add(table);
    if (this.open) this.send({ is: "watch", table });
  }

  watchFloor() {
    this.floor = true;
    if (this.open) this.send({ is: "watch-floor" });
  }

  // The house's answer; it waits for the connection where there is none.
  ask(wish) {
    const id = requestId();
    return new Promise((done) => {
      this.asked.set(id, { wish, done });
      if (this.open) this.send({ is: "ask", id, wish });
    });
  }

  settle(id, reply) {
    this.asked.get(id)?.done(reply);
    this.asked.delete(id);
  }

  close() {
    this.closed = true;
    this.socket.close();
  }

  // The time of the house.
  now() {
    return Date.now() + this.ahead;
  }
}

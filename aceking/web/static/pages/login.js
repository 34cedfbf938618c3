// Name and password; then back to the page that was asked for.
import { html, useState } from "../vendor/preact-htm.js";
import { post } from "../client.js";
import { Header } from "../parts/header.js";
import { say } from "../words/words.js";

const REASONS = { "log-in": "log-in.wrong", "too-many": "log-in.locked" };

function next() {
  const wanted = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(wanted) ? wanted : "/";
}

export function LogIn() {
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setWrong("");
    const form = new FormData(event.target);
    try {
      await post("/api/login", { name: form.get("name"), password: form.get("password") });
      location.assign(next());
    } catch (failed) {
      setWrong(REASONS[failed.code] ? say(REASONS[failed.code]) : failed.message);
      setBusy(false);
    }
  };
  return html`<${Header} />
    <main class="log-in"><form onSubmit=${submit}>
      <h1>${say("log-in")}</h1>
      <p>${say("log-in.hint")}</p>
      <label>${say("name")}<input name="name" autocomplete="username" required maxlength="40" autofocus /></label>
      <label>${say("password")}<input name="password" type="password" autocomplete="current-password" required /></label>
      <p class="refusal" role="alert">${wrong}</p>
      <button type="submit" class="act" aria-disabled=${busy}>${say("log-in")}</button>
      <p><a href="/">${say("log-in.look")}</a></p>
    </form></main>`;
}

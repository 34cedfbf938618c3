// The shell looks at the address and shows the page.
import { h, render } from "./vendor/preact-htm.js";

const root = document.getElementById("app");
const table = location.pathname.match(/^\/table\/([a-z0-9._-]+)$/)?.[1];
const lab = location.pathname.match(/^\/lab(?:\/([a-z0-9._-]+))?$/);
const show = (page, props) => {
  root.replaceChildren();
  render(h(page, props), root);
};

if (location.pathname === "/login") import("./pages/login.js").then(({ LogIn }) => show(LogIn));
else if (lab) import("./pages/lab.js").then(({ Lab }) => show(Lab, { first: lab[1] }));
else if (table) import("./pages/table.js").then(({ TablePage }) => show(TablePage, { id: table }));
else import("./pages/lobby.js").then(({ Lobby }) => show(Lobby));

// Shows the page that the address names.
import { h, render } from "./vendor/preact-htm.js";

const root = document.getElementById("app");
const table = location.pathname.match(/^\/table\/([a-z0-9._-]+)$/)?.[1];
const lab = location.pathname.match(/^\/lab(?:\/([a-z0-9._-]+))?$/);
const dealt = location.pathname.match(/^\/dealer\/([a-z0-9._-]+)$/)?.[1];
const [, meter] = location.pathname.match(/^\/meter\/([a-z0-9._-]+)$/) ?? [];
const [, managed] = location.pathname.match(/^\/meters\/([a-z0-9._-]+)$/) ?? [];
const [, won, award] = location.pathname.match(/^\/win\/([a-z0-9._-]+)\/(.+)$/) ?? [];
const audited = location.pathname.match(/^\/audit\/([a-z0-9._-]+)\/(\d+)$/);
const [, day] = location.pathname.match(/^\/audit\/day\/(\d{4}-\d\d-\d\d)$/) ?? [];
const show = (page, props) => {
  root.replaceChildren();
  render(h(page, props), root);
};

if (location.pathname === "/login") import("./pages/login.js").then(({ LogIn }) => show(LogIn));
else if (lab) import("./pages/lab.js").then(({ Lab }) => show(Lab, { first: lab[1] }));
else if (table) import("./pages/table.js").then(({ TablePage }) => show(TablePage, { id: table }));
else if (dealt) import("./pages/dealer.js").then(({ DealerPage }) => show(DealerPage, { id: dealt }));
else if (audited) import("./pages/audited.js").then(({ AuditedPage }) => show(AuditedPage, { table: audited[1], number: Number(audited[2]) }));
else if (day) import("./pages/day.js").then(({ DayPage }) => show(DayPage, { day }));
else if (location.pathname === "/audit") import("./pages/audit.js").then(({ AuditPage }) => show(AuditPage));
else if (location.pathname === "/pit") import("./pages/pit.js").then(({ PitPage }) => show(PitPage));
else if (meter) import("./pages/meter.js").then(({ MeterPage }) => show(MeterPage, { id: meter }));
else if (managed) import("./pages/manager.js").then(({ ManagerPage }) => show(ManagerPage, { id: managed }));
else if (award) import("./pages/win.js").then(({ WinPage }) => show(WinPage, { id: won, award: decodeURIComponent(award) }));
else import("./pages/lobby.js").then(({ Lobby }) => show(Lobby));

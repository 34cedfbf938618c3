// Sets the theme before the page is drawn: the chosen one, or that of the system.
{
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}

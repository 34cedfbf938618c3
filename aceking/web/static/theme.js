// Before anything is drawn: the theme that was chosen here, else the one of the system.
{
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}

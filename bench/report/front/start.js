// Everything is there: the first look, and what the address asks for.
list();
for (const one of document.querySelectorAll("[data-chart]")) one.replaceChildren(chartOf(data.charts[one.dataset.chart]));
if (problems.length) choose({});
readAddress();
addEventListener("hashchange", readAddress);
for (const link of document.querySelectorAll("a.open")) {
  link.addEventListener("click", () => { chosen.rung = ""; });
}

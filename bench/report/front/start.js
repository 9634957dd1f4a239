// Everything is there: the first look, and what the address asks for.
list();
for (const place of document.querySelectorAll("[data-chart]")) place.replaceChildren(chartOf(data.charts[place.dataset.chart]));
if (problems.length) choose({});
readAddress();
addEventListener("hashchange", readAddress);

// Everything is there: the first look, and what the address asks for.
list();
if (problems.length) choose(chosen.problem);
// One machine stands beside the map; the others are a tab away.
const tabs = [...document.querySelectorAll(".tabs button")];
for (const tab of tabs) {
  tab.addEventListener("click", () => tabs.forEach(one => {
    one.setAttribute("aria-selected", one === tab);
    byId(one.getAttribute("aria-controls")).hidden = one !== tab;
  }));
}
const goTo = id => { // a figure may lie in what is folded, a machine behind a tab
  const section = Object.keys(data.sections).find(one => data.sections[one].figures.some(figure => figure.id === id));
  if (section) byId(`group-${section}`).open = true;
  tabs.find(tab => tab.getAttribute("aria-controls") === id)?.click();
  setTimeout(() => byId(id)?.scrollIntoView());
};
const readAddress = () => {
  const [kind, ...rest] = location.hash.slice(1).split("/").map(decoded);
  if (kind.startsWith("table=")) return openTable(kind.slice(6));
  if (kind !== "pick" || !problems.length) return goTo(kind);
  chosen.rung = rest[AXES.length] ?? "";
  choose(rest);
  byId(chosen.rung ? "rung" : "explore").scrollIntoView();
};
readAddress();
addEventListener("hashchange", readAddress);

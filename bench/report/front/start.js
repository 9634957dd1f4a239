// Everything is there: the first look, and what the address asks for.
list();
// One machine stands beside the map; the others are a tab away.
const tabs = [...document.querySelectorAll(".tabs button")];
for (const tab of tabs) {
  tab.addEventListener("click", () => tabs.forEach(one => {
    one.setAttribute("aria-selected", one === tab);
    byId(one.getAttribute("aria-controls")).hidden = one !== tab;
  }));
}
for (const button of document.querySelectorAll(".fold")) { // rungs near their base
  const some = [...button.closest("article").querySelectorAll("tr.small")], told = button.textContent;
  const fold = on => {
    some.forEach(row => { row.hidden = on; });
    button.setAttribute("aria-pressed", !on);
    button.textContent = on ? told : told.replace("Show", "Hide");
  };
  button.addEventListener("click", () => fold(!some[0].hidden));
  fold(true);
}
if (problems.length) choose({});
readAddress();
addEventListener("hashchange", readAddress);

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
if (problems.length) choose({});
readAddress();
addEventListener("hashchange", readAddress);

"use strict";
// Tables sort by the head that is pressed, numbers before text.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0], column = head.cellIndex;
    const upwards = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
    const key = row => { const cell = row.cells[column]; return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent; };
    const order = (a, b) => typeof a === typeof b ? (typeof a === "number" ? a - b : a.localeCompare(b)) : typeof a === "number" ? -1 : 1;
    [...body.rows].sort((a, b) => (upwards ? 1 : -1) * order(key(a), key(b))).forEach(row => body.append(row));
  });
}
// A filter leaves the tables whose title has all words, or else the rows that have them.
for (const input of document.querySelectorAll("input.filter")) {
  input.addEventListener("input", () => {
    const plain = text => text.normalize("NFKC").replaceAll("^", "").toLowerCase(); // 2^28 finds 2²⁸
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const has = (text, all) => all.every(word => text.includes(word));
    for (const table of input.closest("section").querySelectorAll("table")) {
      const frame = table.closest("details") || table.closest(".scroll");
      const title = plain(table.caption.textContent);
      const rest = words.filter(word => !title.includes(word));
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        row.hidden = !has(plain(row.textContent), rest);
        shown += !row.hidden;
      }
      frame.hidden = shown === 0;
    }
  });
}
// Where a number comes from: its records file by number, and the line in it.
const files = JSON.parse(document.getElementById("files").textContent), from = document.getElementById("from");
const tell = cell => {
  const places = cell.dataset.from.split(" ").map(place => place.split(":"));
  const shown = places.slice(0, 6).map(([file, line]) => `${files[file - 1]} line ${line}`);
  from.textContent = `${cell.textContent} comes from ${shown.join(", ")}${places.length > 6 ? ` and ${places.length - 6} more` : ""}`;
};
document.addEventListener("click", event => {
  const cell = event.target.closest("td[data-from]");
  if (cell) tell(cell); else from.textContent = "";
});

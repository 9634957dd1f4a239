// Tables out of the data: sorted by the head that is pressed, found by words, each at its own address.
const MOST = 300; // rows of a table that are shown at once
const sortBy = (head, table) => {
  const column = head.cellIndex, body = table.tBodies[0], upwards = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
  const key = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = (a, b) => isNaN(a) - isNaN(b) || (isNaN(a) ? a.localeCompare(b) : a - b); // numbers before words
  [...body.rows].sort((a, b) => (upwards ? 1 : -1) * order(key(a), key(b))).forEach(row => body.append(row));
};
const cellOf = ([text, value, from, state], words) =>
  el("td", {class: state || (value === null && text.length > 24 ? "text" : words), "data-value": value, "data-from": from || null,
    style: value !== null && state === "shade" ? `--part:${value}` : null}, text.replaceAll(" ± ", "\u00a0±\u00a0"));
const tableOf = table => {
  const frame = el("div", {class: "table numbers", id: `${table.id}-table`}), rows = table.rows.slice(0, MOST);
  const ofColumn = table.heads.map((_, column) => // columns of words are left-aligned
    rows.every(row => row[column][1] === null) && rows.some(row => /^\p{L}/u.test(row[column][0])) ? "words" : null);
  const heads = table.heads.map((head, column) => el("th", {scope: "col", class: ofColumn[column]},
    el("button", {type: "button", click: event => sortBy(event.target.closest("th"), grid)}, head)));
  const grid = el("table", {}, el("caption", {}, el("span", {}, table.title, linkTo(`table=${table.id}`))),
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, rows.map(row => el("tr", {}, row.map((cell, column) => cellOf(cell, ofColumn[column]))))));
  const left = table.rows.length - rows.length;
  frame.append(el("div", {class: "scroll"}, grid),
    el("p", {class: "note"}, left ? `${left} more rows: another word finds fewer. ` : null, coded(table.note)));
  reach(frame);
  return frame;
};

// All tables and figures: heads alone, until one is opened or words are looked for.
const listed = byId("listed"), wanted = byId("wanted"), count = byId("count");
const item = (table, rows, open) => {
  const frame = el("details", {id: `item-${table.id}`}, el("summary", {}, table.title,
    rows.length < table.rows.length ? el("span", {class: "note"}, ` ${rows.length} of ${table.rows.length} rows`) : null));
  frame.addEventListener("toggle", () => {
    if (frame.open && !frame.querySelector("table")) frame.append(tableOf({...table, rows}));
  });
  frame.open = open;
  return frame;
};
const searched = table => table.searched ||= {
  title: plain(`${data.sections[table.section].title} ${table.title} ${table.heads.join(" ")}`),
  rows: table.rows.map(row => plain(row.map(([text]) => text).join(" ")))};
const several = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const found = words => data.tables.map(table => {
  const {title, rows} = searched(table), rest = words.filter(word => !title.includes(word));
  return [table, table.rows.filter((_, place) => rest.every(word => rows[place].includes(word)))];
}).filter(([table, rows]) => rows.length);
const list = () => {
  const words = plain(wanted.value).split(/\s+/).filter(Boolean), tables = found(words);
  const sections = Map.groupBy(tables, ([table]) => table.section), rows = tables.reduce((sum, [, some]) => sum + some.length, 0);
  listed.replaceChildren(...[...sections].map(([section, some]) => {
    const {title, text, figures} = data.sections[section], parts = [several(some.length, "table")];
    if (figures.length) parts.push(several(figures.length, "figure"));
    const drawn = el("div", {class: "figures"});
    const draw = () => { // when they are asked for
      if (!drawn.firstChild) drawn.append(...figures.map(one => chartOf(one.id, one.title, one.spec)));
    };
    return el("details", {open: words.length > 0, class: "group", id: `group-${section}`, toggle: words.length ? null : draw},
      el("summary", {}, `${title}: ${parts.join(", ")}`), el("p", {class: "note"}, text), drawn,
      some.map(([table, rows]) => item(table, rows, words.length > 0 && tables.length <= 3)));
  }));
  count.textContent = tables.length ? (words.length ? `${rows} rows of ${tables.length} tables` : `${tables.length} tables`)
    : `Nothing found for “${wanted.value}”. Words are looked for in titles, heads and rows.`;
};
const openTable = id => {
  wanted.value = "";
  list();
  const place = byId(`item-${id}`);
  if (!place) return;
  place.closest(".group").open = place.open = true;
  setTimeout(() => place.scrollIntoView()); // when the table is there
};
wanted.addEventListener("input", list);
for (const place of document.querySelectorAll("[data-table]")) { // those that stand in the page itself
  place.append(tableOf(data.tables.find(table => table.id === place.dataset.table)));
}
document.querySelectorAll(".numbers").forEach(reach);

// Tables out of the data: sorted by the head that is pressed, found by words, each at its own address.
const sortBy = (head, table) => {
  const column = head.cellIndex, body = table.tBodies[0], upwards = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
  const keyOf = cell => "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  const key = row => keyOf(row.cells[column]);
  const order = (a, b) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return typeof a === "number" ? a - b : a.localeCompare(b);
  };
  [...body.rows].sort((a, b) => (upwards ? 1 : -1) * order(key(a), key(b))).forEach(row => body.append(row));
};
const cellOf = (table, cell) => {
  const value = valueOf(cell), text = textOf(cell);
  const long = value === null && text.length > 24 ? "text" : "";
  return el("td", {class: (typeof cell === "string" ? "" : cell[3]) || long || null, "data-value": value,
    "data-from": fromOf(table, cell), style: value !== null && cell[3] === "shade" ? `--part:${value}` : null},
  text.replaceAll(" ± ", "\u00a0±\u00a0"));
};
const tableOf = (table, rows = table.rows) => {
  const frame = el("div", {class: "table numbers", id: `${table.id}-table`});
  const heads = table.heads.map(head => el("th", {scope: "col"},
    el("button", {type: "button", click: event => sortBy(event.target.closest("th"), grid)}, head)));
  const grid = el("table", {}, el("caption", {}, el("span", {}, table.title, linkTo(table.address || `table=${table.id}`))),
  el("thead", {}, el("tr", {}, heads)),
  el("tbody", {}, rows.map(row => el("tr", {}, row.map(cell => cellOf(table, cell))))));
  frame.append(el("div", {class: "scroll"}, grid));
  if (table.note) frame.append(el("p", {class: "note"}, coded(table.note)));
  reach(frame);
  return frame;
};

// All tables: heads alone, until one is opened or words are looked for.
const listed = byId("listed"), wanted = byId("wanted"), count = byId("count");
const item = (table, rows, open) => {
  const frame = el("details", {id: `item-${table.id}`}, el("summary", {}, table.title,
    rows.length < table.rows.length ? el("span", {class: "note"}, ` ${rows.length} of ${table.rows.length} rows`) : null));
  const show = () => { if (frame.open && !frame.querySelector("table")) frame.append(tableOf(table, rows)); };
  frame.addEventListener("toggle", show);
  if (open) { frame.open = true; show(); }
  return frame;
};
const searched = table => table.searched ||= {
  title: plain(`${data.sections[table.section][0]} ${table.title} ${table.heads.join(" ")} ${table.about?.type || ""}`),
  rows: table.rows.map(row => plain(row.map(textOf).join(" ")))};
const list = () => {
  const words = plain(wanted.value).split(/\s+/).filter(Boolean), groups = new Map();
  let tables = 0, found = 0;
  for (const table of data.tables) {
    const {title, rows} = searched(table), rest = words.filter(word => !title.includes(word));
    const left = rest.length ? table.rows.filter((_, place) => rest.every(word => rows[place].includes(word))) : table.rows;
    if (!left.length && table.rows.length || rest.length && !left.length) continue;
    if (!groups.has(table.section)) groups.set(table.section, []);
    groups.get(table.section).push([table, left]);
    tables += 1;
    found += left.length;
  }
  const few = words.length > 0 && tables <= 3;
  listed.replaceChildren(...[...groups].map(([section, some]) => el("details", {open: words.length > 0, class: "group"},
    el("summary", {}, `${data.sections[section][0]}: ${some.length} table${some.length === 1 ? "" : "s"}`),
    el("p", {class: "note"}, data.sections[section][1]),
    some.slice(0, 60).map(([table, rows]) => item(table, rows, few)),
    some.length > 60 ? el("p", {class: "note"}, `${some.length - 60} more: another word finds fewer.`) : null)));
  count.textContent = tables ? (words.length ? `${found} rows of ${tables} tables` : `${tables} tables`)
    : `Nothing found for “${wanted.value}”. Words are looked for in titles, heads and rows.`;
};
const openTable = id => {
  const table = data.tables.find(one => one.id === id);
  if (!table) return false;
  wanted.value = "";
  list();
  const group = [...listed.children].find(one => one.querySelector(`#item-${CSS.escape(id)}`));
  const place = group?.querySelector(`#item-${CSS.escape(id)}`) || item(table, table.rows, false);
  if (!group) listed.prepend(place); else group.open = true;
  if (!place.querySelector("table")) place.append(tableOf(table));
  place.open = true;
  place.scrollIntoView();
  return true;
};
wanted.addEventListener("input", list);
for (const place of document.querySelectorAll("[data-table]")) { // those that stand in the page itself
  place.append(tableOf(data.tables.find(table => table.id === place.dataset.table)));
}
document.querySelectorAll(".numbers").forEach(reach);
for (const holder of document.querySelectorAll("details[data-drawn]")) { // drawn when they are asked for
  holder.addEventListener("toggle", () => {
    if (holder.querySelector(".figures")) return;
    holder.append(el("div", {class: "figures"}, data.drawings[holder.id].map(({id, title, spec}) => chartOf(id, title, spec))));
  });
}

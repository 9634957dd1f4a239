// A rung, opened: why it is there, who reads what, its numbers, its samples, what the hardware did, its source.
const rungFrame = byId("rung");
const openRung = name => {
  chosen.rung = chosen.rung === name ? "" : name;
  writeAddress();
  show();
  if (chosen.rung) rungFrame.scrollIntoView({block: "nearest"});
};
document.addEventListener("keydown", ({key}) => {
  const open = chosen.rung && [...bars.querySelectorAll("th button")].find(one => one.matches("[aria-pressed=true]"));
  if (key !== "Escape" || !open) return;
  open.focus();
  openRung(chosen.rung);
});

// What the hardware counted on this device.
const evidenceOf = rung => data.tables.filter(table => table.section === "evidence"
  && table.title.includes(` on ${chosen.device}:`)).map(table => {
  const rows = table.rows.filter(row => textOf(row[0]).split("_")[0] === rung);
  return rows.length ? el("details", {}, el("summary", {}, table.title),
    tableOf({...table, id: `${table.id}-of-rung`, address: `table=${table.id}`}, rows)) : null;
});
// Its line in the ladder of each backend.
const linesOf = rows => {
  const {table} = rows[0], places = [];
  const moved = (row, cell) => typeof cell === "string" ? cell
    : [cell[0], cell[1], cell[2] < 0 ? -1 : places.push(row.table.places[cell[2]]) - 1, cell[3]];
  const lines = rows.map(row => [row.backend, ...row.cells.slice(1).map(cell => moved(row, cell))]);
  const title = `${labelOf("device", chosen.device)}: ${problemOf(table)}`;
  return tableOf({id: "rung-numbers", address: `${addressNow()}/numbers`, title, note: table.note, places,
    heads: ["backend", ...table.heads.slice(1)], rows: lines});
};
const expectedOf = told => el("p", {class: "note"}, `Expected before it was measured: ${told[0]} times ${told[1]} at ` +
  `${told[2]} on the H200. ${told[3]}`);

// As an image, in which no script runs.
const patternOf = rung => data.patterns[rung] ? el("img", {class: "pattern", alt: `${rung}: which thread reads and adds what`,
  src: `data:image/svg+xml,${encodeURIComponent(data.patterns[rung])}`}) : null;

const showRung = () => {
  const rows = rowsNow().filter(row => nameOf(row) === chosen.rung);
  rungFrame.hidden = !rows.length;
  if (!rows.length) return rungFrame.replaceChildren();
  const {rung} = rows[0].point, byModel = new Map(rows.map(row => [modelOf(row.backend), row]).reverse());
  const sources = [...byModel.keys()].reverse().map(model => sourceOf(model, rung, byModel.get(model).point.run)).filter(Boolean);
  refill(rungFrame,
    el("h3", {}, shortName(chosen.rung), " ",
      el("button", {type: "button", class: "close", click: () => openRung(chosen.rung)}, "close")),
    sources.length ? el("p", {class: "why"}, sources[0].why) : null,
    data.told[rung] ? expectedOf(data.told[rung]) : null, patternOf(rung),
    linesOf(rows), evidenceOf(rung), samplesOf(rows), diffsOf(sources), sidesOf(sources),
    sources.length ? el("p", {class: "note"}, [...new Set(sources.map(source => source.said))].join(" ")) : null);
};

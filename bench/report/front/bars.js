// The rungs of what is picked, of every backend, as bars in a table.
const bars = byId("bars");

// A row of a ladder: its table, its cells, and what is drawn of it.
const rowsOf = table => table.points.map((point, place) => {
  const cells = table.rows[place], at = head => valueOf(cells[table.heads.indexOf(head)]);
  const values = {time: at("time"), gbs: at("GB/s"), ceiling: at("% of ceiling"), part: at("vs native")};
  return {table, cells, backend: table.about.backend, point: {...point, ...values}};
});
const rowsNow = () => ladders.filter(({about}) => sameProblem(about)).flatMap(rowsOf);
const nameOf = row => textOf(row.cells[0]);
const shortName = name => name.replace(/^library_/, "").replaceAll("_", " ");
const cellAt = (row, head) => {
  const place = row.table.heads.indexOf(head);
  return place < 0 ? "" : row.cells[place];
};
const partText = row => textOf(row.cells.at(-1)); // vs native
const textNow = row => chosen.measure === "part" ? partText(row) : textOf(cellAt(row, MEASURES[chosen.measure].head));
const placeOf = row => fromOf(row.table, cellAt(row, "time"));
const problemOf = ({title, about}) => title.slice(title.indexOf(about.device) + about.device.length + 2);

// The ends of a value's interval: between processes, or of one process's samples.
const endsOf = (row, value, measure = MEASURES[chosen.measure]) => {
  const {low, high, time} = row.point;
  if (measure === MEASURES.part || !low || !high) return null;
  return measure.slow ? [value * low / time, value * high / time] : [value * time / high, value * time / low];
};

// Where values lie along a track, in percent of it.
const scaleOf = values => {
  const most = Math.max(...values, chosen.measure === "part" ? 1 : 0);
  const top = chosen.measure === "ceiling" ? Math.max(100, most) : most * 1.1;
  return value => Math.min(100, 100 * value / top);
};
const barOf = (row, at) => {
  const value = MEASURES[chosen.measure].of(row.point);
  if (!value) return null;
  const from = chosen.measure === "part" ? at(1) : 0, [begin, end] = [Math.min(from, at(value)), Math.max(from, at(value))];
  const ends = endsOf(row, value)?.map(at), color = styleOf(row.backend);
  return [el("i", {class: "bar", style: `left:${begin}%;width:${Math.max(0.3, end - begin)}%;background:${color}`}),
    ends && el("i", {class: `whisker${row.point.processes > 1 ? "" : " samples"}`,
      style: `left:${ends[0]}%;width:${ends[1] - ends[0]}%`})];
};
const numberOf = row => {
  const text = textNow(row), said = `${nameOf(row)}, ${row.backend}`;
  const [time, gbs, tuning] = ["time", "GB/s", "tuning"].map(head => textOf(cellAt(row, head)));
  const whole = `${said}: ${[time, `${gbs} GB/s`, tuning].filter(Boolean).join(", ")}`;
  const says = `${said}: ${text} ${MEASURES[chosen.measure].words}`;
  return el("td", text ? {"data-from": placeOf(row), "data-says": says, title: whole} : {}, text);
};
// Its speed as a part of CUB's in the default mode, on the same problem; nothing where CUB was not measured.
const cubAmong = rows => rows.find(({point}) => point.rung === "library_cub");
const ofCub = (row, cub) => cub && row.point.time && row !== cub ? `${Math.round(100 * cub.point.time / row.point.time)} %` : "";
const lineOf = (row, place, count, at, cub) => {
  const open = () => el("button", {type: "button", "aria-pressed": nameOf(row) === chosen.rung, click: () => openRung(nameOf(row))},
    shortName(nameOf(row)));
  return el("tr", {class: place ? null : "first"},
    place ? null : el("th", {scope: "row", rowspan: count, class: count < 2 ? "one" : null}, open()),
    el("td", {class: "backend"}, el("i", {style: `background:${styleOf(row.backend)}`}), row.backend),
    el("td", {class: "track"}, barOf(row, at)), numberOf(row),
    el("td", {class: "more"}, textOf(cellAt(row, "step"))),
    chosen.measure === "part" ? null : el("td", {class: "more"}, partText(row)),
    cub ? el("td", {class: "more"}, ofCub(row, cub)) : null);
};
const switches = all => {
  const backends = [...new Set(all.map(row => row.backend))].map(backend => el("button", {type: "button",
    "aria-pressed": !chosen.off.has(backend), click: () => {
      if (!chosen.off.delete(backend)) chosen.off.add(backend);
      show();
    }}, el("i", {style: `background:${styleOf(backend)}`}), backend));
  return el("div", {class: "legend"}, backends);
};
const drawBars = all => {
  const {words, of} = MEASURES[chosen.measure], parts = chosen.measure === "part";
  // The native model stands beside nothing.
  const known = parts && all.some(row => row.point.part) ? all.filter(row => row.point.part) : all;
  const rows = known.filter(row => !chosen.off.has(row.backend)), at = scaleOf(rows.map(row => of(row.point)).filter(Boolean));
  const groups = new Map(rows.map(row => [nameOf(row), []]));
  for (const row of rows) groups.get(nameOf(row)).push(row);
  const cub = cubAmong(all);
  const lines = [...groups.values()].flatMap(some => some.map((row, place) => lineOf(row, place, some.length, at, cub)));
  const title = all.length ? `${labelOf("device", chosen.device)}: ${problemOf(all[0].table)}, ${words} ` : "";
  const head = (text, more = {}) => el("th", {scope: "col", ...more}, text);
  const frame = el("div", {class: "table numbers", id: "picked"});
  frame.append(switches(all), el("table", {class: "bars"},
    el("caption", {}, title, linkTo(addressNow())),
    el("thead", {}, el("tr", {}, head("rung"), head("backend"), head(words, {colspan: 2}), head("step", {class: "more"}),
      parts ? null : head("vs native", {class: "more"}), cub ? head(`of CUB ${cub.point.cub || ""}`, {class: "more"}) : null)),
    el("tbody", {}, lines)), el("p", {class: "note"}, noteOf(rows)));
  reach(frame);
  bars.replaceChildren(frame);
};
// What the tables of these rows say, each sentence once.
const noteOf = rows => {
  const said = rows.flatMap(({table}) => table.note.split(/(?<=\.) /));
  return coded(["Press a rung to open it. A line on a bar is the 95 % interval between processes; where one measured, it goes from " +
    "the 5th to the 95th percentile of its samples, in grey.", ...new Set(said)].join(" "));
};

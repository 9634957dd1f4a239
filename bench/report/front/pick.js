// The ladder of one machine on one problem, as it is picked: bars of all rungs, and their bandwidth over sizes.
const ladder = data.tables.find(({id}) => id === "ladder");
const AXES = ["machine", "type", "operation", "elements", "data", "cache", "scope"]; // its first columns
const column = Object.fromEntries(ladder?.heads.map((head, place) => [head, place]) ?? []);
const textAt = (row, head) => row[column[head]][0], valueAt = (row, head) => row[column[head]][1];
const linesAt = (row, head) => row[column[head]][2] || null;
const problemOf = row => AXES.map(axis => textAt(row, axis));
const problems = [...new Map((ladder?.rows ?? []).map(row => [problemOf(row).join("/"), problemOf(row)])).values()];
const chosen = {problem: data.first ?? problems[0], rung: ""};
const pick = byId("pick"), bars = byId("bars");

const nameOf = row => textAt(row, "rung").split(",")[0]; // without CUB's version
const shortName = name => name.replace(/^library_/, "").replaceAll("_", " ");
const rungOf = row => /^[rc]\d\d/.exec(nameOf(row))?.[0] ?? shortName(nameOf(row));
const rowsOf = problem => ladder.rows.filter(row => AXES.every((axis, place) => textAt(row, axis) === problem[place]));
const titleOf = ([machine, type, operation, elements, kind, cache, scope]) =>
  `${machine}: ${type} ${operation}, n = ${elements}, ${cache}, ${scope} scope${kind === "exact" ? "" : `, ${kind} data`}`;

// What was asked for is kept as far as it was measured: first what was changed last, then the axes in their order.
const choose = (wish, last = -1) => {
  const worth = problem => AXES.reduce((sum, _, place) =>
    sum + (problem[place] === wish[place] ? (place === last ? 1000 : 2 ** (AXES.length - place)) : 0), 0);
  chosen.problem = problems.reduce((one, other) => worth(other) > worth(one) ? other : one);
  if (last >= 0) writeAddress();
  show();
};
const fillPicker = () => pick.replaceChildren(...AXES.map((axis, place) => {
  const there = problems.filter(([machine]) => place === 0 || machine === chosen.problem[0]);
  const values = [...new Set(there.map(problem => problem[place]))];
  const changed = () => choose(chosen.problem.with(place, values[select.selectedIndex]), place);
  const select = el("select", {name: axis, change: changed},
    values.map(value => el("option", {selected: value === chosen.problem[place]}, value)));
  return el("label", {hidden: values.length < 2 && place > 0}, axis, select);
}));

// Bars are linear, from 0 to the ceiling; without one, to the fastest. A line on a bar is the interval between processes.
const drawn = row => valueAt(row, "% of ceiling") ? 100 * valueAt(row, "% of ceiling") : null;
const barsOf = rows => {
  const known = rows.some(drawn), of = row => known ? drawn(row) : valueAt(row, "GB/s");
  const top = Math.max(100 * known, ...rows.map(of));
  return row => {
    const value = 100 * of(row) / top, half = value * (valueAt(row, "±") ?? 0);
    return value ? [el("i", {class: "bar", style: `width:${value}%;background:${styleOf(textAt(row, "backend"))}`}),
      half ? el("i", {class: "whisker", style: `left:${value - half}%;width:${2 * half}%`}) : null] : null;
  };
};
const lineOf = (row, place, count, bar, cub) => {
  const name = nameOf(row), backend = textAt(row, "backend"), time = valueAt(row, "time");
  const open = () => el("button", {type: "button", "aria-pressed": name === chosen.rung, click: () => openRung(name)},
    shortName(name));
  const number = (head, more = {}) => el("td", {"data-from": linesAt(row, head), ...more,
    "data-says": `${name}, ${backend}: ${textAt(row, head)} ${head}`}, textAt(row, head));
  return el("tr", {class: place ? null : "first"},
    place ? null : el("th", {scope: "row", rowspan: count}, open()),
    el("td", {class: "backend"}, el("i", {style: `background:${styleOf(backend)}`}), backend),
    el("td", {class: "track"}, bar(row)),
    number("% of ceiling", {title: `${textAt(row, "time")}, ${textAt(row, "tuning")}`}), number("GB/s", {class: "more"}),
    number("step", {class: "more"}), number("vs native", {class: "more"}),
    cub ? el("td", {class: "more"}, time ? `${Math.round(100 * valueAt(cub, "time") / time)} %` : "") : null);
};
const drawBars = rows => {
  const groups = Map.groupBy(rows, nameOf), cub = rows.find(row => nameOf(row) === "library_cub"), bar = barsOf(rows);
  const heads = ["rung", "backend", "", "% of ceiling", "GB/s", "step", "vs native",
    ...cub ? ["% of CUB"] : []];
  const lines = [...groups.values()].flatMap(some => some.map((row, place) => lineOf(row, place, some.length, bar, cub)));
  const frame = el("div", {class: "table numbers", id: "picked"}, el("table", {class: "bars"},
    el("caption", {}, titleOf(chosen.problem), linkTo(addressNow())),
    el("thead", {}, el("tr", {}, heads.map((head, place) => el("th", {scope: "col", class: place > 3 ? "more" : null}, head)))),
    el("tbody", {}, lines)),
  el("p", {class: "note"}, "Press a rung to open it. A line on a bar is the 95 % interval between processes. ",
    cub ? `% of CUB: of ${textAt(cub, "rung").split(", ")[1]}, in its default mode. ` : null, coded(ladder.note)));
  reach(frame);
  bars.replaceChildren(frame);
};

// Over sizes: the native model's steps that tell the story, each other model's best rung, the rung that is open, the ceiling.
const TOLD = ["r04", "r07", "r11", "r20", "r30", "cub", "c00", "c05", "c07", "c13", "std reduce"];
const lineName = row => `${textAt(row, "backend")} ${rungOf(row)}`;
const linesOf = rows => {
  const native = textAt(rows[0], "backend"), rungs = rows.filter(row => valueAt(row, "time") && /^[rc]\d/.test(rungOf(row)));
  const slowestFirst = rungs.sort((a, b) => valueAt(b, "time") - valueAt(a, "time"));
  const best = new Map(slowestFirst.map(row => [textAt(row, "backend"), lineName(row)]));
  const told = rows.filter(row => nameOf(row) === chosen.rung || textAt(row, "backend") === native && TOLD.includes(rungOf(row)));
  return new Set([...told.map(lineName), ...best.values()]);
};
const overSizes = rows => {
  const size = AXES.indexOf("elements"), wanted = linesOf(rows);
  const alike = ladder.rows.filter(row => valueAt(row, "GB/s")
    && AXES.every((axis, place) => place === size || textAt(row, axis) === chosen.problem[place]));
  const points = alike.filter(row => wanted.has(lineName(row))).map(row => {
    const y = valueAt(row, "GB/s"), half = y * valueAt(row, "±");
    return {line: lineName(row), x: valueAt(row, "elements"), y, ...half ? {low: y - half, high: y + half} : {}, dots: true,
      text: `${textAt(row, "elements")}: ${textAt(row, "GB/s")} GB/s`, from: linesAt(row, "GB/s")};
  });
  const ceiling = new Map(alike.filter(drawn).map(row =>
    [valueAt(row, "elements"), valueAt(row, "GB/s") / valueAt(row, "% of ceiling")]));
  for (const [x, y] of ceiling) points.push({line: "read ceiling", x, y, text: `${digits3(y)} GB/s`});
  points.sort((a, b) => a.x - b.x);
  byId("sizes-chart").replaceChildren(new Set(points.map(({x}) => x)).size < 2
    ? el("p", {class: "note"}, "One size was measured of this.")
    : chartOf(`${addressNow()}/sizes`, `Over sizes: ${chosen.problem[0]}, GB/s`, lineSpec(points),
      "Open a rung to see its lines."));
};

// What is drawn anew has the focus where it was: on a select of the picker, or on a rung's name.
const placeOfFocus = () => {
  const {activeElement: here} = document, frame = here?.closest("#pick, #bars, #rung");
  return frame ? [`#${frame.id} ${here.localName}`, [...frame.querySelectorAll(here.localName)].indexOf(here)] : null;
};
const show = () => {
  const focused = placeOfFocus(), rows = rowsOf(chosen.problem);
  fillPicker();
  drawBars(rows);
  overSizes(rows);
  showRung(rows.filter(row => nameOf(row) === chosen.rung));
  if (focused) document.querySelectorAll(focused[0])[focused[1]]?.focus({preventScroll: true});
};

// All that is picked: #pick/NVIDIA%20H200/f32/sum/2%C2%B2%E2%81%B8/exact/cold/kernel/r10_complete_unroll
const addressNow = () => ["pick", ...chosen.problem, chosen.rung].map(encodeURIComponent).join("/");
const writeAddress = () => history.replaceState(null, "", `#${addressNow()}`);
const openRung = name => {
  chosen.rung = chosen.rung === name ? "" : name;
  writeAddress();
  show();
  if (chosen.rung) byId("rung").scrollIntoView({block: "nearest"});
};
document.addEventListener("keydown", ({key}) => {
  const open = bars?.querySelector("button[aria-pressed=true]");
  if (key !== "Escape" || !open) return;
  open.focus();
  openRung(chosen.rung);
});

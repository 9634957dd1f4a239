// One picker in place of a hundred ladders: the rungs of one problem, of every backend, as bars; and their course over sizes.
const AXES = ["device", "type", "op", "n", "scope", "cache", "data"];
const HEADS = {device: "machine", type: "type", op: "operation", n: "elements", scope: "scope", cache: "cache", data: "data"};
const MEASURES = {ceiling: {words: "% of the ceiling", head: "% of ceiling", of: point => point.ceiling && 100 * point.ceiling},
  gbs: {words: "GB/s", head: "GB/s", of: point => point.gbs, log: 10},
  time: {words: "time", head: "time", of: point => point.time && 1e6 * point.time, unit: "µs", log: 10, slow: true},
  part: {words: "speed beside native", of: point => point.part?.[1], log: 10}};
const ladders = data.tables.filter(table => table.about);
const problems = [...new Map(ladders.map(table => [JSON.stringify(AXES.map(axis => table.about[axis])), table.about])).values()];
const chosen = {...(data.first[0] || problems[0] || {}), measure: "ceiling", rung: "", trials: ladders.every(table => table.about.trials), off: new Set()};

const labelOf = (axis, value) => data.labels[axis]?.[value] ?? String(value);
const sameProblem = (about, other = chosen) => AXES.every(axis => about[axis] === other[axis]);
// What was asked for is kept as far as it was measured: what was changed last first, then the axes in their order.
const choose = (changes, last = "") => {
  const wish = {...chosen, ...changes};
  const worth = about => AXES.reduce((sum, axis, place) => sum + (about[axis] === wish[axis] ? (axis === last ? 1000 : 2 ** (7 - place)) : 0), 0);
  const best = problems.reduce((one, other) => worth(other) > worth(one) ? other : one, problems[0]);
  for (const axis of AXES) chosen[axis] = best[axis];
  if (last) writeAddress();
  show();
};
const pick = byId("pick");
const fillPicker = () => {
  pick.replaceChildren(...AXES.map(axis => {
    const before = AXES.slice(0, AXES.indexOf(axis));
    const values = [...new Set(problems.filter(about => axis === "device" || before[0] && about.device === chosen.device).map(about => about[axis]))];
    if (typeof values[0] === "number") values.sort((a, b) => a - b);
    const select = el("select", {change: () => choose({[axis]: values[select.selectedIndex]}, axis), name: axis},
      values.map(value => el("option", {selected: value === chosen[axis]}, labelOf(axis, value))));
    return el("label", {hidden: values.length < 2 && axis !== "device"}, HEADS[axis], select);
  }), el("label", {}, "shown as", el("select", {name: "measure", change: event => {
    chosen.measure = Object.keys(MEASURES)[event.target.selectedIndex];
    writeAddress();
    show();
  }}, Object.entries(MEASURES).map(([name, one]) => el("option", {selected: name === chosen.measure}, one.words)))));
};

const rowsNow = () => ladders.filter(table => sameProblem(table.about) && (chosen.trials || !table.about.trials)).flatMap(table =>
  table.points.map((point, place) => ({table, point, cells: table.rows[place], backend: table.about.backend})));
const nameOf = row => textOf(row.cells[0]);
const cellAt = (row, head) => { const place = row.table.heads.indexOf(head); return place < 0 ? "" : row.cells[place]; };
// Half of the interval on each side, as parts of the value.
const endsOf = (row, measure, value) => {
  const {point} = row;
  if (measure === "part") return point.part?.length > 2 ? [point.part[2], point.part[3]] : null;
  if (!point.low || !point.high) return null;
  return MEASURES[measure].slow ? [value * point.low / point.time, value * point.high / point.time]
    : [value * point.time / point.high, value * point.time / point.low];
};
const textNow = (row, measure) => measure === "part" ? row.point.part?.[0] ?? "" : textOf(cellAt(row, MEASURES[measure].head));
const placeOf = row => fromOf(row.table, cellAt(row, "time"));

const bars = byId("bars");
const drawBars = all => {
  const parts = chosen.measure === "part", measure = MEASURES[chosen.measure];
  const rows = parts && all.some(row => row.point.part) ? all.filter(row => row.point.part) : all; // native is beside itself nowhere
  const known = rows.filter(row => measure.of(row.point) && !chosen.off.has(row.backend));
  const values = known.map(row => measure.of(row.point)), most = Math.max(...values, chosen.measure === "part" ? 1 : 0);
  const least = Math.max(Math.min(...values), most / 1e5) / 1.5;
  const top = chosen.measure === "ceiling" ? Math.max(100, most) : measure.log ? most * 1.1 : most;
  const at = value => Math.max(0, Math.min(100, measure.log ? 100 * Math.log(value / least) / Math.log(top / least) : 100 * value / top));
  const groups = new Map();
  for (const row of rows) if (!chosen.off.has(row.backend)) groups.set(nameOf(row), [...(groups.get(nameOf(row)) || []), row]);
  const lines = [...groups].flatMap(([name, some]) => some.map((row, place) => {
    const value = measure.of(row.point), from = chosen.measure === "part" ? at(1) : 0, ends = value && endsOf(row, chosen.measure, value);
    const [begin, end] = value ? [Math.min(from, at(value)), Math.max(from, at(value))] : [0, 0];
    const text = textNow(row, chosen.measure), step = cellAt(row, "step"), other = row.point.other;
    return el("tr", {class: place ? null : "first"},
      place ? null : el("th", {scope: "row", rowspan: some.length, class: some.length < 2 ? "one" : null}, el("button", {type: "button", "aria-pressed": name === chosen.rung,
        click: () => openRung(name)}, name.replace(/^library_/, "").replaceAll("_", " "))),
      el("td", {class: "backend"}, el("i", {style: `background:${styleOf(row.backend).color}`}), row.backend),
      el("td", {class: "track"}, value ? [
        el("i", {class: "bar", style: `left:${begin}%;width:${Math.max(0.3, end - begin)}%;background:${styleOf(row.backend).color}`}),
        ends && el("i", {class: row.point.processes > 1 ? "whisker" : "whisker samples", style: `left:${at(ends[0])}%;width:${at(ends[1]) - at(ends[0])}%`})] : null),
      el("td", {"data-from": text ? placeOf(row) : null, "data-says": `${name}, ${row.backend}: ${text} ${measure.words}`,
        "data-tip": text ? `${name}, ${row.backend}: ${textOf(cellAt(row, "time"))}, ${textOf(cellAt(row, "GB/s"))} GB/s, ${textOf(cellAt(row, "tuning"))}` : null},
      text, chosen.measure === "ceiling" && row.point.ceiling > data.over ? "!" : "", other.length ? el("span", {class: "apart", title: `Another run: ${other.map(one => one.join(" in ")).join("; ")}`}, " ‡") : null),
      el("td", {class: "more"}, textOf(step)),
      parts ? null : el("td", {class: "more"}, row.point.part?.[0] ?? ""));
  }));
  const frame = el("div", {class: "table numbers", id: "picked"}), first = rows[0];
  const backends = [...new Set(all.map(row => row.backend))];
  const heads = ["rung", "backend", measure.words, "step", "beside native"];
  const title = first ? `${labelOf("device", chosen.device)}: ${problemOf(first.table)}` : "";
  frame.append(el("div", {class: "legend"}, backends.map(backend => el("button", {type: "button", "aria-pressed": !chosen.off.has(backend), click: () => {
    if (!chosen.off.delete(backend)) chosen.off.add(backend);
    show();
  }}, el("i", {style: `background:${styleOf(backend).color}`}), backend)),
  ladders.some(table => sameProblem(table.about) && table.about.trials) ? el("button", {type: "button", "aria-pressed": chosen.trials,
    click: () => { chosen.trials = !chosen.trials; show(); }}, "trials") : null),
  el("table", {class: "bars"}, el("caption", {}, `${title}, ${measure.words} `, toolsOf(addressNow(), () => frame, () => [heads,
    ...rows.map(row => [nameOf(row), row.backend, measure.of(row.point) ?? "", textOf(cellAt(row, "step")), row.point.part?.[0] ?? ""])])),
  el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "rung"), el("th", {scope: "col"}, "backend"),
    el("th", {scope: "col", colspan: 2}, measure.words), el("th", {scope: "col", class: "more"}, "step"), parts ? null : el("th", {scope: "col", class: "more"}, "beside native"))),
  el("tbody", {}, lines)),
  el("p", {class: "note"}, noteNow(rows)));
  reach(frame);
  bars.replaceChildren(frame);
};
const problemOf = table => table.title.slice(table.title.indexOf(table.about.device) + table.about.device.length + 2).replace(/, trials$/, "");
const noteNow = rows => [
  "Press a rung to open it.",
  rows.some(row => row.point.processes > 1) ? "A line on a bar is the 95 % interval between processes." : "",
  rows.some(row => row.point.processes === 1) ? "A grey line goes from the 5th to the 95th percentile of one process's samples; how far the next process would differ is not known." : "",
  "step: times as fast as the nearest measured rung that it changes. beside native: the speed as a part of the native model's in the same rung, or of its fastest, which is named.",
  MEASURES[chosen.measure].log ? "The scale is logarithmic." : "",
  rows.some(row => row.point.other.length) ? "‡ another run is more than 5 % away: open the rung." : "",
  chosen.measure === "ceiling" && rows.some(row => row.point.ceiling > data.over) ? "! above the ceiling: no read-only sweep of that process was as fast, or the input was in cache." : "",
  rows.some(row => /\*$/.test(textNow(row, "time")) || /\*$/.test(row.point.part?.[0] ?? "")) ? "* from another process than the others." : ""].filter(Boolean).join(" ");

const overSizes = rows => {
  const measure = MEASURES[chosen.measure], same = AXES.filter(axis => axis !== "n"), all = new Map();
  for (const table of ladders) {
    if (table.about.trials || !same.every(axis => table.about[axis] === chosen[axis])) continue;
    table.points.forEach((point, place) => {
      const value = measure.of(point), row = {table, point, cells: table.rows[place], backend: table.about.backend};
      if (!value) return;
      const key = `${row.backend} ${nameOf(row)}`, ends = point.processes > 1 ? endsOf(row, chosen.measure, value) : null;
      if (!all.has(key)) all.set(key, {row, points: []});
      all.get(key).points.push({x: table.about.n, y: value, low: ends?.[0], high: ends?.[1], from: placeOf(row),
        text: `${labelOf("n", table.about.n)}: ${textNow(row, chosen.measure)}${measure.unit || measure.log ? "" : " %"}`});
    });
  }
  const best = new Map(); // of each backend the fastest rung and library of what is picked
  for (const row of [...rows].sort((a, b) => a.point.time - b.point.time)) {
    const key = `${row.backend} ${row.point.sort}`;
    if (row.point.sort !== "variant" && !best.has(key)) best.set(key, `${row.backend} ${nameOf(row)}`);
  }
  const shown = new Set([...best.values()]), dashes = ["", "6 3", "2 3", "8 3 2 3"];
  const lines = [...all].map(([key, {row, points}], place) => ({name: `${row.backend} ${nameOf(row).replace(/^library_/, "").split("_").slice(0, nameOf(row).startsWith("library") ? 9 : 1).join(" ")}`,
    color: styleOf(row.backend).color, mark: styleOf(row.backend).mark, dash: row.point.sort === "rung" ? (nameOf(row) === chosen.rung ? "2 2" : "") : dashes[1 + place % 3],
    on: shown.has(key) || nameOf(row) === chosen.rung, points: points.sort((a, b) => a.x - b.x)}));
  const sizes = new Set(lines.flatMap(line => line.points.map(point => point.x)));
  const place = byId("sizes-chart");
  if (sizes.size < 2) return place.replaceChildren(el("p", {class: "note"}, "One size was measured of this."));
  lines.sort((a, b) => (b.on || false) - (a.on || false));
  place.replaceChildren(chartOf({id: `${addressNow()}/sizes`, title: `Over sizes: ${labelOf("device", chosen.device)}, ${measure.words}`,
    x: {label: "elements", log: 2}, y: {label: measure.words + (measure.unit ? `, ${measure.unit}` : ""), log: measure.log, low: measure.log ? undefined : 0},
    lines, bounds: chosen.measure === "part" ? [{y: 1, name: "native"}] : [],
    note: "Drawn are the fastest rung and library of each backend at the size picked, and the rung that is open. Press a name to see or hide its line."}));
};

const show = () => {
  if (!problems.length) return;
  fillPicker();
  const rows = rowsNow();
  drawBars(rows);
  overSizes(rows);
  showRung();
};

// The address says all that is picked: #pick/NVIDIA%20H200/f32/sum/268435456/kernel/cold/exact/ceiling/r10_complete_unroll
const addressNow = () => ["pick", ...AXES.map(axis => chosen[axis]), chosen.measure, chosen.rung].map(encodeURIComponent).join("/");
const writeAddress = () => history.replaceState(null, "", `#${addressNow()}`);
const readAddress = () => {
  const [kind, ...rest] = location.hash.slice(1).split("/").map(one => { try { return decodeURIComponent(one); } catch { return one; } });
  if (kind.startsWith("table=")) return openTable(kind.slice(6));
  if (kind !== "pick") { // a figure may lie in what is folded
    const holder = [...document.querySelectorAll("details[data-drawn]")].find(one => one.querySelector("template")?.content.getElementById(kind));
    if (holder) holder.open = true;
    return setTimeout(() => byId(kind)?.scrollIntoView());
  }
  const wish = Object.fromEntries(AXES.map((axis, place) => [axis, axis === "n" ? Number(rest[place]) : rest[place]]));
  if (MEASURES[rest[7]]) chosen.measure = rest[7];
  chosen.rung = rest[8] || "";
  choose(wish);
  byId(chosen.rung ? "rung" : "explore").scrollIntoView();
};

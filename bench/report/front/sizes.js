// What is picked, over all sizes that were measured: the steps that tell the story, the rung that is open, and the read ceiling.
const TOLD = ["r04", "r07", "r11", "r20", "r30", "library_cub", "c00", "c05", "c07", "c13", "library_std_reduce"];

// The keys of the lines: those steps of the native model, the best rung of the others, and what is open.
const keyOf = row => `${row.backend} ${row.point.sort === "rung" ? row.point.rung : shortName(nameOf(row))}`;
const keysOf = rows => {
  const native = rows[0]?.backend, best = new Map();
  for (const row of [...rows].sort((a, b) => a.point.time - b.point.time)) {
    if (row.backend === native ? TOLD.includes(row.point.rung) : row.point.sort === "rung" && !best.has(row.backend)) {
      best.set(row.backend === native ? keyOf(row) : row.backend, keyOf(row));
    }
  }
  return new Set([...best.values(), ...rows.filter(row => nameOf(row) === chosen.rung).map(keyOf)].sort());
};
// The bandwidth of the best read-only sweep of as many bytes in the same process, by size.
const ceilingOf = rows => {
  const found = new Map();
  for (const {point, table} of rows) {
    if (point.ceiling && !found.has(table.about.n)) found.set(table.about.n, point.gbs / point.ceiling);
  }
  return [...found].map(([x, y]) => ({line: "read ceiling", x, y, text: `${labelOf("n", x)}: ${digits3(y)} GB/s`}));
};
const overSizes = rows => {
  const name = chosen.measure === "ceiling" ? "gbs" : chosen.measure, measure = MEASURES[name], place = byId("sizes-chart");
  const alike = ladders.filter(({about}) => AXES.every(axis => axis === "n" || about[axis] === chosen[axis]));
  const every = alike.flatMap(rowsOf).filter(row => measure.of(row.point)), keys = keysOf(rows);
  const points = every.filter(row => keys.has(keyOf(row))).map(row => {
    const {n} = row.table.about, y = measure.of(row.point);
    const [low, high] = row.point.processes > 1 && endsOf(row, y, measure) || [];
    const text = `${labelOf("n", n)}: ${textOf(cellAt(row, measure.head)) || partText(row)} ${measure.words}`;
    return {line: keyOf(row), x: n, y, low, high, text, from: placeOf(row), dots: true};
  });
  if (new Set(points.map(point => point.x)).size < 2) {
    return place.replaceChildren(el("p", {class: "note"}, "One size was measured of this."));
  }
  const all = [...points, ...(name === "gbs" ? ceilingOf(every) : [])].sort((a, b) => a.x - b.x);
  const lines = [...new Set(all.map(point => point.line))].map((line, at) => line === "read ceiling"
    ? {color: "currentColor", dash: [2, 2]} : {color: data.colors[at % data.colors.length], dash: at < data.colors.length ? [1, 0] : [6, 3]});
  place.replaceChildren(chartOf(`${addressNow()}/sizes`, `Over sizes: ${labelOf("device", chosen.device)}, ${measure.words}`,
    lineSpec(lines, all, measure), "Open a rung to see its lines."));
};

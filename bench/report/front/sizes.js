// What is picked, over all sizes that were measured: a line for each rung of each backend, and the read ceiling.
const TOLD = ["r04", "r07", "r11", "r20", "r30", "library_cub", "c00", "c05", "c07", "c13", "library_std_reduce"]; // at first
const chartMeasure = () => chosen.measure === "ceiling" ? MEASURES.gbs : MEASURES[chosen.measure];
const shortLine = row => `${row.backend} ${row.point.sort === "rung" ? row.point.rung : shortName(nameOf(row))}`;
const lineKey = row => `${row.backend} ${nameOf(row)}`;

// The steps that tell the ladder's story on the native model, and the best rung of the others.
const firstShown = rows => {
  const native = rows[0]?.backend, best = new Map();
  for (const row of [...rows].sort((a, b) => a.point.time - b.point.time)) {
    if (row.backend === native ? TOLD.includes(row.point.rung) : row.point.sort === "rung" && !best.has(row.backend)) {
      best.set(row.backend === native ? lineKey(row) : row.backend, lineKey(row));
    }
  }
  return new Set(best.values());
};
// The bandwidth of the best read-only sweep of as many bytes in the same process, by size.
const ceilingOf = rows => {
  const found = new Map();
  for (const {point, table} of rows) {
    if (point.ceiling && !found.has(table.about.n)) found.set(table.about.n, point.gbs / point.ceiling);
  }
  return {name: "read ceiling", color: "var(--ink)", mark: "circle", dash: "2 3", on: true, end: "ceiling",
    points: [...found].map(([x, y]) => ({x, y, text: `${labelOf("n", x)}: ${digits3(y)} GB/s`}))};
};
const overSizes = rows => {
  const measure = chartMeasure(), shown = firstShown(rows), lines = new Map(), dashes = ["6 3", "2 3", "8 3 2 3"];
  const alike = ladders.filter(({about}) => !about.trials && AXES.every(axis => axis === "n" || about[axis] === chosen[axis]));
  const every = alike.flatMap(rowsOf);
  for (const row of every) {
    const value = measure.of(row.point), {n} = row.table.about, key = lineKey(row), open = nameOf(row) === chosen.rung;
    if (!value) continue;
    if (!lines.has(key)) {
      const dash = row.point.sort === "rung" ? (open ? "2 2" : "") : dashes[lines.size % dashes.length];
      lines.set(key, {name: shortLine(row), ...styleOf(row.backend), dash, on: shown.has(key) || open, points: [],
        end: row.backend === rows[0]?.backend ? shortName(row.point.rung) : modelOf(row.backend)});
    }
    const [low, high] = row.point.processes > 1 && endsOf(row, value, measure) || [];
    const text = `${labelOf("n", n)}: ${textOf(cellAt(row, measure.head)) || partText(row)} ${measure.words}`;
    lines.get(key).points.push({x: n, y: value, low, high, text, from: placeOf(row)});
  }
  if (measure === MEASURES.gbs) lines.set("ceiling", ceilingOf(every));
  for (const line of lines.values()) line.points.sort((a, b) => a.x - b.x);
  const place = byId("sizes-chart"), sizes = new Set([...lines.values()].flatMap(line => line.points.map(point => point.x)));
  if (sizes.size < 2) return place.replaceChildren(el("p", {class: "note"}, "One size was measured of this."));
  place.replaceChildren(chartOf({
    id: `${addressNow()}/sizes`, title: `Over sizes: ${labelOf("device", chosen.device)}, ${measure.words}`,
    x: {label: "elements", log: 2},
    y: {label: measure.words + (measure.unit ? `, ${measure.unit}` : ""), log: measure.log, low: measure.log ? undefined : 0},
    lines: [...lines.values()].sort((a, b) => b.on - a.on), bounds: chosen.measure === "part" ? [{y: 1, name: "native"}] : [],
    note: "Press a name to see or hide its line."}));
};

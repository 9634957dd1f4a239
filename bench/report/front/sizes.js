// What is picked, over all sizes that were measured: a line for each rung of each backend.
const shortLine = row => `${row.backend} ${row.point.sort === "rung" ? row.point.rung : shortName(nameOf(row))}`;
const lineKey = row => `${row.backend} ${nameOf(row)}`;

// The fastest rung and library of each backend at the size that is picked.
const fastestOf = rows => {
  const best = new Map();
  for (const row of [...rows].sort((a, b) => a.point.time - b.point.time)) {
    const kind = `${row.backend} ${row.point.sort}`;
    if (row.point.sort !== "variant" && !best.has(kind)) best.set(kind, lineKey(row));
  }
  return new Set(best.values());
};
const overSizes = rows => {
  const measure = MEASURES[chosen.measure], shown = fastestOf(rows), lines = new Map(), dashes = ["6 3", "2 3", "8 3 2 3"];
  const alike = ladders.filter(({about}) => !about.trials && AXES.every(axis => axis === "n" || about[axis] === chosen[axis]));
  for (const row of alike.flatMap(rowsOf)) {
    const value = measure.of(row.point), {n} = row.table.about, key = lineKey(row), open = nameOf(row) === chosen.rung;
    if (!value) continue;
    if (!lines.has(key)) {
      const dash = row.point.sort === "rung" ? (open ? "2 2" : "") : dashes[lines.size % dashes.length];
      lines.set(key, {name: shortLine(row), ...styleOf(row.backend), dash, on: shown.has(key) || open, points: []});
    }
    const [low, high] = row.point.processes > 1 && endsOf(row, value) || [];
    const text = `${labelOf("n", n)}: ${textNow(row)}${measure.log ? "" : " %"}`;
    lines.get(key).points.push({x: n, y: value, low, high, text, from: placeOf(row)});
  }
  for (const line of lines.values()) line.points.sort((a, b) => a.x - b.x);
  const place = byId("sizes-chart"), sizes = new Set([...lines.values()].flatMap(line => line.points.map(point => point.x)));
  if (sizes.size < 2) return place.replaceChildren(el("p", {class: "note"}, "One size was measured of this."));
  place.replaceChildren(chartOf({
    id: `${addressNow()}/sizes`, title: `Over sizes: ${labelOf("device", chosen.device)}, ${measure.words}`,
    x: {label: "elements", log: 2},
    y: {label: measure.words + (measure.unit ? `, ${measure.unit}` : ""), log: measure.log, low: measure.log ? undefined : 0},
    lines: [...lines.values()].sort((a, b) => b.on - a.on), bounds: chosen.measure === "part" ? [{y: 1, name: "native"}] : [],
    note: "Drawn are the fastest rung and library of each backend at the size picked, and the rung that is open. Press a name to " +
      "see or hide its line."}));
};

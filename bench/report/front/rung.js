// A rung, opened: its numbers, the distribution of its samples, what the hardware did, its source beside its base and the others.
const rungFrame = byId("rung");
const openRung = name => {
  chosen.rung = chosen.rung === name ? "" : name;
  writeAddress();
  show();
  if (chosen.rung) rungFrame.scrollIntoView({block: "nearest"});
};
const show3 = part => `${Number(part.toPrecision(3))}`;

// Quantiles of each process's samples: the first in tenths of a nanosecond, each other as what it is above the one before.
const strips = rows => {
  const lines = rows.flatMap(row => row.point.q.map((steps, process) => {
    let at = 0;
    const times = steps.map(step => (at += step) / 1e4); // µs
    return {row, process, times, values: times.map(time => time / row.point.time / 1e4)}; // % of the backend's time
  }));
  if (!lines.length) return null;
  const low = Math.min(...lines.map(line => line.values[0])), high = Math.max(...lines.map(line => line.values.at(-2)));
  const [width, left, step] = [560, 118, innerWidth < 640 ? 22 : 15], height = 44 + lines.length * step;
  const wide = high > low ? high - low : high / 10, atX = value => left + (width - left - 16) * Math.min(1.02, (value - low) / wide * 0.98 + 0.01);
  const frame = el("figure", {class: "chart numbers"});
  frame.append(el("figcaption", {}, "How the samples lie, % of each backend's time ", toolsOf(`${addressNow()}/samples`, () => frame, () => [
    ["backend", "process", ...lines[0].times.map((_, place) => `${5 * place} %, µs`)],
    ...lines.map(line => [line.row.backend, line.process + 1, ...line.times])])),
  draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Samples: ${lines.map(line =>
    `${line.row.backend}, process ${line.process + 1}: median ${show3(line.times[10])} µs`).join("; ")}`},
  ticksOf({low, high: low + wide}).map(at => [draw("path", {class: "grid", d: `M${atX(at)} 6V${height - 26}`}),
    draw("text", {x: atX(at), y: height - 12, "text-anchor": "middle"}, `${Number(at.toPrecision(5))} %`)]).flat(),
  lines.map((line, place) => { // a violin: as wide as the samples are dense between two quantiles
    const y = 14 + place * step, {values} = line, dense = values.slice(1).map((value, at) => 1 / Math.max(value - values[at], wide / 400));
    const most = Math.max(...dense), half = at => 1 + 5 * Math.sqrt(dense[at] / most);
    const {times} = line, edge = sign => values.slice(1).map((value, at) => `${atX(values[at]).toFixed(1)} ${(y + sign * half(at)).toFixed(1)}L${atX(value).toFixed(1)} ${(y + sign * half(at)).toFixed(1)}`);
    return [line.process ? null : draw("text", {x: 2, y: y + 4}, line.row.backend),
      draw("path", {fill: styleOf(line.row.backend).color, "fill-opacity": 0.75, d: `M${edge(-1).join("L")}L${edge(1).reverse().map(one => one.split("L").reverse().join("L")).join("L")}Z`}),
      draw("path", {class: "mark", d: `M${atX(values[10])} ${y - 6}v12`, stroke: "currentColor", "stroke-width": 2,
        "data-from": placeOf(line.row), "data-tip": `${line.row.backend}, process ${line.process + 1}: median ${show3(times[10])} µs, from ${show3(times[1])} (5 %) to ${show3(times[19])} (95 %)`})];
  }).flat()),
  el("p", {class: "note"}, "Each shape is one process: wide where its samples are dense, the line its median; where the lines of one backend do not meet, its processes differ. What lies beyond the 95th percentile may be cut off."));
  reach(frame);
  return frame;
};

// What the hardware was busy with, as parts of what it can do.
const lights = rows => {
  const found = data.light.filter(one => one.device === chosen.device && rows.some(row => row.point.rung === one.rung && row.backend === one.backend));
  if (!found.length) return null;
  const frame = el("div", {class: "table numbers"});
  frame.append(el("table", {class: "bars"}, el("caption", {}, "How busy the hardware was, % of what it can do ", toolsOf(`${addressNow()}/busy`, () => frame,
    () => [["backend", "what", "%"], ...found.flatMap(one => one.bars.map(bar => [one.backend, bar[0], bar[2]]))])),
  el("tbody", {}, found.flatMap(one => one.bars.map((bar, place) => el("tr", {class: place ? null : "first"},
    place ? null : el("th", {scope: "row", rowspan: one.bars.length}, `${one.backend}, n = ${one.n}`),
    el("td", {class: "text"}, bar[0]),
    el("td", {class: "track"}, el("i", {class: "bar", style: `left:0;width:${Math.min(100, bar[2])}%;background:${styleOf(one.backend).color}`})),
    el("td", {"data-from": bar[3]}, bar[1])))))),
  el("p", {class: "note"}, "Counted in a profiled run, whose times are not used; DRAM: the bytes that it counted by the time of the timed run."));
  reach(frame);
  return frame;
};

// Lines that two texts have in common, in their order (the longest common subsequence).
const common = (a, b) => {
  const best = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  }
  const found = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (best[i + 1][j] >= best[i][j + 1]) i += 1; else j += 1;
  }
  return found;
};
const codeOf = source => { // without the comment at the head: that stands above
  const lines = source.text.trimEnd().split("\n"), first = lines.findIndex(line => line && !line.startsWith("//"));
  return lines.slice(first);
};
const alike = (line, rung) => line.replaceAll(rung, "rung").trim();
const diffOf = (base, source) => {
  const [a, b] = [base, source].map(codeOf), pairs = common(a.map(line => alike(line, base.rung)), b.map(line => alike(line, source.rung)));
  const out = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [a.length, b.length]]) {
    while (i < x) out.push(["-", a[i++]]);
    while (j < y) out.push(["+", b[j++]]);
    if (y < b.length) { out.push([" ", b[y]]); i = x + 1; j = y + 1; }
  }
  const near = out.map((_, place) => out.slice(Math.max(0, place - 2), place + 3).some(([mark]) => mark !== " "));
  return el("pre", {class: "code"}, out.flatMap(([mark, line], place) => near[place] ? [el(mark === "-" ? "del" : mark === "+" ? "ins" : "span", {}, `${mark} ${line}\n`)]
    : near[place - 1] ? [el("span", {class: "note"}, "  …\n")] : []));
};
const sideBySide = sources => {
  const first = codeOf(sources[0]), native = new Set(first.map(line => alike(line, sources[0].rung)));
  return el("div", {class: "sides"}, sources.map((source, place) => {
    const lines = codeOf(source), same = new Set(place ? common(first.map(line => alike(line, sources[0].rung)), lines.map(line => alike(line, source.rung))).map(pair => pair[1]) : lines.keys());
    const marked = place ? lines.length - same.size : 0;
    return el("div", {}, el("h4", {}, linkOf(source), place ? ` ${marked} lines are not ${sources[0].model}'s` : ""),
      el("pre", {class: "code"}, lines.map((line, at) => el(same.has(at) || !line.trim() ? "span" : "mark", {}, line + "\n"))));
  }));
};
const linkOf = source => {
  const name = source.path.split("/").slice(-1)[0];
  return source.url ? el("a", {href: source.url, rel: "noreferrer"}, name) : el("code", {title: source.said}, `${source.model}: ${name}`);
};
const sourceOf = (model, rung, run) => {
  const key = data.sources.of[`${model} ${rung} ${run}`];
  return key === undefined ? null : {...data.sources.files[key], model, rung};
};

// What a compiler made of it for GPUs that it was never run on.
const staticOf = rung => {
  const table = data.tables.find(one => one.id === "static"), rows = table?.rows.filter(row => textOf(row[0]) === rung) || [];
  return rows.length ? el("details", {}, el("summary", {}, `${table.title}, ${rung}`),
    tableOf({...table, id: "static-of-rung", title: `${table.title}: ${rung}`}, rows)) : null;
};

const showRung = () => {
  const rows = rowsNow().filter(row => nameOf(row) === chosen.rung);
  rungFrame.hidden = !rows.length;
  if (!rows.length) return rungFrame.replaceChildren();
  const {point} = rows[0], seen = new Set();
  const sources = rows.map(row => sourceOf(modelOf(row.backend), row.point.rung, row.point.run))
    .filter(source => source && !seen.has(source.model) && seen.add(source.model));
  const why = sources[0] && sources[0].text.split("\n").filter((line, place, all) => all.slice(0, place + 1).every(one => one.startsWith("//")))
    .map(line => line.replace(/^\/\/ ?/, "")).join(" ");
  const heads = rows[0].table.heads, ladder = {id: "rung-numbers", title: `${labelOf("device", chosen.device)}: ${problemOf(rows[0].table)}`,
    heads: ["backend", ...heads.slice(1), "beside native", "its interval"], places: [], note: rows[0].table.note,
    rows: rows.map(row => [row.backend, ...row.cells.slice(1).map(cell => typeof cell === "string" ? cell
      : [cell[0], cell[1], ladderPlace(row.table, cell), cell[3]]), row.point.part?.[0] ?? "", row.point.part?.[4] ?? ""])};
  ladder.places = placesNow.splice(0);
  const base = point.base, diffs = sources.map(source => [source, base && sourceOf(source.model, base, rows.find(row => modelOf(row.backend) === source.model).point.run)]).filter(([, other]) => other);
  const told = data.told[point.rung];
  refill(rungFrame,
    el("h3", {}, chosen.rung.replaceAll("_", " "), " ", el("button", {type: "button", class: "close", click: () => openRung(chosen.rung)}, "close")),
    why ? el("p", {class: "why"}, why) : null,
    told ? el("p", {class: "note"}, `Expected before it was measured: ${told[0]} times ${told[1]} at ${power(told[2])} on the H200. ${told[3]}`) : null,
    tableOf(ladder),
    staticOf(point.rung),
    rows.some(row => row.point.other.length) ? el("p", {class: "note"}, `‡ Other runs: ${rows.flatMap(row => row.point.other.map(one => `${row.backend} ${one[0]} in ${one[1]}`)).join("; ")}.`) : null,
    el("div", {class: "pair"}, strips(rows), lights(rows)),
    diffs.length ? el("details", {open: true}, el("summary", {}, `What changed against ${base}, line by line`), el("div", {class: "sides"},
      diffs.map(([source, other]) => el("div", {}, el("h4", {}, linkOf(other), " → ", linkOf(source)), diffOf(other, source))))) : null,
    sources.length > 1 ? el("details", {open: true}, el("summary", {}, `${sources.map(source => source.model).join(", ")} side by side: what is not in the first is marked`), sideBySide(sources))
      : sources.length ? el("details", {}, el("summary", {}, "Its source"), sideBySide(sources)) : null,
    sources.length ? el("p", {class: "note"}, [...new Set(sources.map(source => source.said))].join(" ")) : null);
};
const placesNow = [];
const ladderPlace = (table, cell) => cell[2] < 0 ? -1 : placesNow.push(table.places[cell[2]]) - 1;

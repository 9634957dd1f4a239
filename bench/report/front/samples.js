// How the samples of a rung lie, and how busy the hardware was.
const digits3 = value => `${Number(value.toPrecision(3))}`;

// Quantiles of each process's samples, in µs: the least in tenths of a nanosecond, each other as what it is above the one before.
const processesOf = row => row.point.q.map(([least, ...steps], process) => {
  let at = data.fine;
  const times = [least, ...steps.map(step => least * (at += step) / data.fine)].map(tenths => tenths / 1e4);
  return {row, process, times, values: times.map(time => time / row.point.time / 1e4)}; // % of the backend's time
});
// A violin: as wide as the samples are dense between two quantiles.
const violinOf = (values, y, least, atX) => {
  const dense = values.slice(1).map((value, at) => 1 / Math.max(value - values[at], least)), most = Math.max(...dense);
  const corners = sign => dense.flatMap((one, at) => [values[at], values[at + 1]].map(
    value => `${atX(value).toFixed(1)} ${(y + sign * (1 + 5 * Math.sqrt(one / most))).toFixed(1)}`));
  return `M${corners(-1).join("L")}L${corners(1).reverse().join("L")}Z`;
};
const samplesOf = rows => {
  const lines = rows.flatMap(processesOf);
  if (!lines.length) return null;
  const low = Math.min(...lines.map(({values}) => values[0])), high = Math.max(...lines.map(({values}) => values.at(-2)));
  const wide = high > low ? high - low : high / 10, [width, left, step] = [560, 118, innerWidth < 640 ? 22 : 15];
  const height = 44 + lines.length * step, end = height - 26;
  const atX = value => left + (width - left - 16) * Math.min(1.02, (value - low) / wide * 0.98 + 0.01);
  const grid = ticksOf({low, high: low + wide}).flatMap(at => [draw("path", {class: "grid", d: `M${atX(at)} 6V${end}`}),
    draw("text", {x: atX(at), y: height - 12, "text-anchor": "middle"}, `${Number(at.toPrecision(5))} %`)]);
  const said = ({row, process, times}) => `${row.backend}, process ${process + 1}: median ${digits3(times[5])} µs, from ` +
    `${digits3(times[1])} (10 %) to ${digits3(times[9])} (90 %)`;
  const drawn = lines.flatMap((line, place) => {
    const y = 14 + place * step, {row, values} = line;
    return [line.process ? null : draw("text", {x: 2, y: y + 4}, row.backend),
      draw("path", {fill: styleOf(row.backend).color, "fill-opacity": 0.75, d: violinOf(values, y, wide / 400, atX)}),
      draw("path", {class: "mark", d: `M${atX(values[5])} ${y - 6}v12`, stroke: "currentColor", "stroke-width": 2,
        "data-from": placeOf(row), "data-tip": said(line)})];
  });
  const numbers = () => [["backend", "process", ...lines[0].times.map((_, place) => `${10 * place} %, µs`)],
    ...lines.map(({row, process, times}) => [row.backend, process + 1, ...times])];
  const frame = el("figure", {class: "chart numbers"});
  frame.append(
    el("figcaption", {}, "How the samples lie, % of each backend's time ",
      toolsOf(`${addressNow()}/samples`, numbers)),
    draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": lines.map(said).join("; ").slice(0, 1500)},
      grid, drawn),
    el("p", {class: "note"}, "Each shape is one process: wide where its samples are dense, the line its median; where the lines " +
      "of one backend do not meet, its processes differ. What lies beyond the 90th percentile may be cut off."));
  reach(frame);
  return frame;
};

// What the hardware was busy with, as parts of what it can do.
const busyOf = rows => {
  const there = one => one.device === chosen.device && rows.some(row => row.point.rung === one.rung && row.backend === one.backend);
  const found = data.light.filter(there);
  if (!found.length) return null;
  const numbers = () => [["backend", "what", "%"],
    ...found.flatMap(one => one.bars.map(([words, , value]) => [one.backend, words, value]))];
  const bar = (one, value) => el("i", {class: "bar",
    style: `left:0;width:${Math.min(100, value)}%;background:${styleOf(one.backend).color}`});
  const lines = found.flatMap(one => one.bars.map(([words, text, value, from], place) => el("tr", {class: place ? null : "first"},
    place ? null : el("th", {scope: "row", rowspan: one.bars.length}, `${one.backend}, n = ${one.n}`),
    el("td", {class: "text"}, words),
    el("td", {class: "track"}, bar(one, value)),
    el("td", {"data-from": from}, text))));
  const frame = el("div", {class: "table numbers"});
  frame.append(el("table", {class: "bars"},
    el("caption", {}, "How busy the hardware was, % of what it can do ", toolsOf(`${addressNow()}/busy`, numbers)),
    el("tbody", {}, lines)),
  el("p", {class: "note"}, "Counted in a profiled run, whose times are not used; DRAM: the bytes that it counted by the time of " +
    "the timed run."));
  reach(frame);
  return frame;
};

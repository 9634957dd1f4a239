// How the samples of a rung lie, and how busy the hardware was.
const digits3 = value => `${Number(value.toPrecision(3))}`;

// Quantiles of each process's samples, in µs: the first in tenths of a nanosecond, each other as what it is above the one before.
const processesOf = row => row.point.q.map(([first, ...steps], process) => {
  let at = data.fine;
  const times = [first, ...steps.map(step => first * (at += step) / data.fine)].map(tenths => tenths / 1e4);
  const [low, lower, x, upper, high] = times.map(time => time / row.point.time / 1e4); // % of the backend's time
  return {line: `${row.backend}, process ${process + 1}`, backend: row.backend, low, lower, x, upper, high, from: placeOf(row),
    text: `median ${digits3(times[2])} µs, from ${digits3(times[0])} (10 %) to ${digits3(times[4])} (90 %)`};
});
const samplesOf = rows => {
  const processes = rows.flatMap(processesOf);
  if (!processes.length) return null;
  const spec = structuredClone(data.charts.samples);
  spec.data.values = processes;
  spec.encoding.color.scale.range = [...new Set(processes.map(one => one.backend))].map(backend => styleOf(backend));
  return chartOf(`${addressNow()}/samples`, "How the samples lie, % of each backend's time", spec, processes,
    "A row is one process: its median, the middle half of its samples as a bar, and a line from the 10th to the 90th percentile. " +
    "Where the medians of one backend lie apart, its processes differ.");
};

// What the hardware was busy with, as parts of what it can do.
const busyOf = rows => {
  const there = one => one.device === chosen.device && rows.some(row => row.point.rung === one.rung && row.backend === one.backend);
  const found = data.light.filter(there);
  if (!found.length) return null;
  const numbers = () => [["backend", "what", "%"],
    ...found.flatMap(one => one.bars.map(([words, , value]) => [one.backend, words, value]))];
  const bar = (one, value) => el("i", {class: "bar",
    style: `left:0;width:${Math.min(100, value)}%;background:${styleOf(one.backend)}`});
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

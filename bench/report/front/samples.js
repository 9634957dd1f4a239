// How the samples of a rung lie, and how busy the hardware was.
const digits3 = value => `${Number(value.toPrecision(3))}`;

// Tenths of each process's samples, in µs: the least in tenths of a nanosecond, each other as what it is above the one before.
const tenthsOf = row => row.point.q.flatMap(([least, ...steps], process) => {
  let at = data.fine;
  const times = [least, ...steps.map(step => least * (at += step) / data.fine)].map(tenths => tenths / 1e4);
  const line = `${row.backend}, process ${process + 1}`;
  return times.map((time, place) => ({line, backend: row.backend, tenth: place, x: time / row.point.time / 1e4,
    text: `${digits3(time)} µs, ${10 * place} % are faster; median ${digits3(times[5])} µs`, from: placeOf(row)}));
});
const samplesOf = rows => {
  const tenths = rows.flatMap(tenthsOf);
  if (!tenths.length) return null;
  const spec = structuredClone(data.charts.samples);
  spec.data.values = tenths;
  spec.encoding.color.scale.range = [...new Set(tenths.map(one => one.backend))].map(backend => styleOf(backend));
  return chartOf(`${addressNow()}/samples`, "How the samples lie, % of each backend's time", spec, tenths,
    "A row is one process: a tick for the least and for each tenth of its samples, the black one its median; the slowest tenth is " +
    "left out. Where the medians of one backend lie apart, its processes differ.");
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

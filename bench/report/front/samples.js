// How the samples of a rung lie.
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
  return chartOf(`${addressNow()}/samples`, "How the samples lie, % of each backend's time", spec,
    "A row is one process: its median, the middle half of its samples as a bar, and a line from the 10th to the 90th percentile. " +
    "Where the medians of one backend lie apart, its processes differ.");
};

// How the samples of a rung lie.
const digits3 = value => `${Number(value.toPrecision(3))}`;

// Quantiles of each process's samples, in % of the backend's time.
const processesOf = row => row.point.q.map((parts, process) => {
  const [low, lower, x, upper, high] = parts.map(part => 100 * part);
  const [least, middle, most] = [low, x, high].map(percent => digits3(1e4 * percent * row.point.time));
  return {line: `${row.backend}, process ${process + 1}`, backend: row.backend, low, lower, x, upper, high, from: placeOf(row),
    text: `median ${middle} µs, from ${least} (10 %) to ${most} (90 %)`};
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

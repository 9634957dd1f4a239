// A rung, opened: why it is there, who reads what, its numbers, its samples, what the hardware did, its source.
const evidenceOf = name => { // what the hardware counted on GPUs of this model
  const model = chosen.problem[0].split(" #")[0];
  const tables = data.tables.filter(({section, title}) => section === "evidence" && title.includes(` on ${model}:`));
  return tables.map(table => {
    const rows = table.rows.filter(([[text]]) => text === name);
    return rows.length ? el("details", {}, el("summary", {}, table.title),
      tableOf({...table, id: `${table.id}-of-rung`, rows})) : null;
  });
};
const expectedOf = ([factor, against, n, because]) => el("p", {class: "note"},
  `Expected before it was measured: ${factor} times ${against} at ${n} on the H200. ${because}`);
// As an image, in which no script runs.
const patternOf = rung => data.patterns[rung] ? el("img", {class: "pattern", alt: `${rung}: which thread reads and adds what`,
  src: `data:image/svg+xml,${encodeURIComponent(data.patterns[rung])}`}) : null;

// Quantiles of each process's samples, in % of the backend's time.
const samplesOf = rows => {
  const processes = rows.flatMap(row => data.samples[ladder.rows.indexOf(row)].map((parts, process) => {
    const [low, lower, x, upper, high] = parts.map(part => 100 * part), backend = textAt(row, "backend");
    const [least, middle, most] = [low, x, high].map(percent => digits3(1e4 * percent * valueAt(row, "time")));
    return {line: `${backend}, process ${process + 1}`, backend, low, lower, x, upper, high, from: linesAt(row, "time"),
      text: `median ${middle} µs, from ${least} (10 %) to ${most} (90 %)`};
  }));
  if (!processes.length) return null;
  const spec = structuredClone(data.charts.samples);
  spec.data.values = processes;
  spec.encoding.color.scale.range = [...new Set(processes.map(one => styleOf(one.backend)))];
  return chartOf(`${addressNow()}/samples`, "How the samples lie, % of each backend's time", spec,
    "A row is one process: its median, the middle half of its samples as a bar, and a line from the 10th to the 90th percentile. " +
    "Where the medians of one backend lie apart, its processes differ.");
};

// What changed against its base, and the models side by side with their differences marked.
const linkOf = ({model, path, url}) => {
  const name = `${model}: ${path.split("/").at(-1)}`;
  return url ? el("a", {href: url, rel: "noreferrer"}, name) : el("code", {}, name);
};
const MARKED = {"-": "del", "+": "ins"};
const diffOf = ({changes, ...source}) => el("div", {}, el("h4", {}, linkOf(source)),
  el("pre", {class: "code"}, changes.map(line => el(MARKED[line[0]] ?? "span", {}, `${line}\n`))));
const sideOf = ({code, foreign, ...source}) => el("div", {},
  el("h4", {}, linkOf(source), foreign.length ? `, ${foreign.length} lines of its own` : ""),
  el("pre", {class: "code"}, code.map((line, place) => el(foreign.includes(place) ? "mark" : "span", {}, `${line}\n`))));
const sourcesOf = sources => {
  const changed = sources.filter(({changes}) => changes.length), models = sources.map(({model}) => model).join(", ");
  return sources.length ? [
    changed.length ? el("details", {open: true}, el("summary", {}, `What changed against ${changed[0].base}, line by line`),
      el("div", {class: "sides"}, changed.map(diffOf))) : null,
    el("details", {open: sources.length > 1},
      el("summary", {}, `Its source: ${models}. Lines that the first one lacks are marked.`),
      el("div", {class: "sides"}, sources.map(sideOf))),
    el("p", {class: "note"}, [...new Set(sources.map(({said}) => said))].join(" "))] : null;
};

const showRung = rows => {
  const frame = byId("rung"), [first] = rows;
  frame.hidden = !first;
  if (!first) return frame.replaceChildren();
  const rung = rungOf(first), models = [...new Set(rows.map(row => modelOf(textAt(row, "backend"))))];
  const sources = models.map(model => data.sources[rung]?.[model]).filter(Boolean);
  const shown = row => [row[column.backend], ...row.slice(column.tuning)]; // the title says the rest
  const table = {...ladder, id: "rung-numbers", heads: shown(ladder.heads), rows: rows.map(shown),
    title: titleOf(chosen.problem), note: ""};
  refill(frame,
    el("h3", {}, shortName(chosen.rung), " ",
      el("button", {type: "button", class: "close", click: () => openRung(chosen.rung)}, "close")),
    sources.length ? el("p", {class: "why"}, sources[0].why) : null, data.told[rung] ? expectedOf(data.told[rung]) : null,
    patternOf(rung), tableOf(table), evidenceOf(nameOf(first)), samplesOf(rows), sourcesOf(sources));
};

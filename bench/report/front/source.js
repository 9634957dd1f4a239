// The source of a rung: what changed against its base, and the models side by side with their differences marked.

// Lines that two texts have in common, in their order (the longest common subsequence): pairs of their places.
const common = (a, b) => {
  const best = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
};
const sourceOf = (model, rung, run) => {
  const place = data.sources.of[`${model} ${rung} ${run}`];
  return place === undefined ? null : {...data.sources.files[place], model, rung};
};
const isComment = line => line.startsWith("//");
// The comment at a file's head says why; the code is what follows.
const headOf = source => {
  const lines = source.text.split("\n"), end = lines.findIndex(line => !isComment(line));
  return lines.slice(0, end).map(line => line.replace(/^\/\/ ?/, "")).join(" ");
};
const codeOf = source => {
  const lines = source.text.trimEnd().split("\n");
  return lines.slice(lines.findIndex(line => line && !isComment(line)));
};
const compared = source => codeOf(source).map(line => line.replaceAll(source.rung, "rung").trim()); // without its own name
const linkOf = source => {
  const name = `${source.model}: ${source.path.split("/").at(-1)}`;
  return source.url ? el("a", {href: source.url, rel: "noreferrer"}, name) : el("code", {title: source.said}, name);
};

const MARKED = {"-": "del", "+": "ins", " ": "span"};
const diffOf = (base, source) => {
  const [a, b] = [codeOf(base), codeOf(source)], out = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...common(compared(base), compared(source)), [a.length, b.length]]) {
    while (i < x) out.push(["-", a[i++]]);
    while (j < y) out.push(["+", b[j++]]);
    if (y < b.length) out.push([" ", b[y]]);
    [i, j] = [x + 1, y + 1];
  }
  const near = out.map((_, place) => out.slice(Math.max(0, place - 2), place + 3).some(([mark]) => mark !== " "));
  return el("pre", {class: "code"}, out.map(([mark, line], place) => {
    if (near[place]) return el(MARKED[mark], {}, `${mark} ${line}\n`);
    return near[place - 1] ? el("span", {class: "note"}, "  …\n") : null;
  }));
};
const diffsOf = (base, sources, runOf) => {
  const found = sources.map(source => [sourceOf(source.model, base, runOf(source)), source]).filter(([before]) => before);
  return found.length ? el("details", {open: true}, el("summary", {}, `What changed against ${base}, line by line`),
    el("div", {class: "sides"}, found.map(([before, source]) => el("div", {},
      el("h4", {}, linkOf(before), " → ", linkOf(source)), diffOf(before, source))))) : null;
};

const sideOf = (source, first) => {
  const lines = codeOf(source), own = source === first;
  const same = new Set(own ? lines.keys() : common(compared(first), compared(source)).map(([, place]) => place));
  return el("div", {}, el("h4", {}, linkOf(source), own ? "" : `, ${lines.length - same.size} lines are not ${first.model}'s`),
    el("pre", {class: "code"}, lines.map((line, place) => el(same.has(place) || !line.trim() ? "span" : "mark", {}, line + "\n"))));
};
const sidesOf = sources => {
  if (!sources.length) return null;
  const several = sources.length > 1, models = sources.map(source => source.model).join(", ");
  return el("details", {open: several},
    el("summary", {}, several ? `${models} side by side: what is not in the first is marked` : "Its source"),
    el("div", {class: "sides"}, sources.map(source => sideOf(source, sources[0]))));
};

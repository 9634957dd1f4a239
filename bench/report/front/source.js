// The source of a rung: what changed against its base, and the models side by side with their differences marked.
const sourceOf = (model, rung, run) => {
  const {files, of, changes, foreign} = data.sources, [place, base, native] = of[`${model} ${rung} ${run}`] || [];
  return place === undefined ? null : {...files[place], base: files[base], changes: changes[`${base} ${place}`],
    foreign: foreign[`${native} ${place}`]};
};
const linkOf = source => {
  const name = `${source.model}: ${source.path.split("/").at(-1)}`;
  return source.url ? el("a", {href: source.url, rel: "noreferrer"}, name) : el("code", {title: source.said}, name);
};
const MARKED = {"-": "del", "+": "ins", " ": "span"};
const diffsOf = sources => {
  const found = sources.filter(source => source.base);
  return found.length ? el("details", {open: true}, el("summary", {}, `What changed against ${found[0].base.rung}, line by line`),
    el("div", {class: "sides"}, found.map(source => el("div", {}, el("h4", {}, linkOf(source.base), " → ", linkOf(source)),
      el("pre", {class: "code"}, source.changes.map(line => el(MARKED[line[0]], {}, `${line}\n`))))))) : null;
};
const sideOf = (source, first) => {
  const own = source === first, marked = new Set(own ? [] : source.foreign);
  return el("div", {}, el("h4", {}, linkOf(source), own ? "" : `, ${marked.size} lines are not ${first.model}'s`),
    el("pre", {class: "code"}, source.code.map((line, place) => el(marked.has(place) ? "mark" : "span", {}, line + "\n"))));
};
const sidesOf = sources => {
  if (!sources.length) return null;
  const several = sources.length > 1, models = sources.map(source => source.model).join(", ");
  return el("details", {open: several},
    el("summary", {}, several ? `${models} side by side: what is not in the first is marked` : "Its source"),
    el("div", {class: "sides"}, sources.map(source => sideOf(source, sources[0]))));
};

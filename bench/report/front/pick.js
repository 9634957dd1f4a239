// One picker in place of a hundred ladders, and the address of what it shows.
const AXES = ["device", "type", "op", "n", "scope", "cache", "data"];
const HEADS = {device: "machine", type: "type", op: "operation", n: "elements", scope: "scope", cache: "cache", data: "data"};
// What is shown of each rung: `head` names its cell in a ladder, `of` makes the number that is drawn.
const MEASURES = {
  ceiling: {words: "% of the ceiling", head: "% of ceiling", of: point => point.ceiling && 100 * point.ceiling},
  gbs: {words: "GB/s", head: "GB/s", of: point => point.gbs, log: 10},
  time: {words: "time", head: "time", of: point => point.time && 1e6 * point.time, unit: "µs", log: 10, slow: true},
  part: {words: "speed vs native", of: point => point.part, log: 10}};
const ladders = data.tables.filter(table => table.about);
const problems = [...new Map(ladders.map(({about}) => [JSON.stringify(AXES.map(axis => about[axis])), about])).values()];
const chosen = {...(data.first || problems[0] || {}), measure: "ceiling", rung: "",
  off: new Set()};
const pick = byId("pick");

const labelOf = (axis, value) => data.labels[axis]?.[value] ?? String(value);
const sameProblem = about => AXES.every(axis => about[axis] === chosen[axis]);

// What was asked for is kept as far as it was measured: first what was changed last, then the axes in their order.
const choose = (changes, last = "") => {
  const wish = {...chosen, ...changes};
  const weight = (axis, place) => axis === last ? 1000 : 2 ** (AXES.length - place);
  const worth = about => AXES.reduce((sum, axis, place) => sum + (about[axis] === wish[axis] ? weight(axis, place) : 0), 0);
  const best = problems.reduce((one, other) => worth(other) > worth(one) ? other : one, problems[0]);
  for (const axis of AXES) chosen[axis] = best[axis];
  if (!rowsNow().some(row => MEASURES[chosen.measure].of(row.point))) chosen.measure = "gbs"; // as where no ceiling is known
  if (last) writeAddress();
  show();
};
const measured = axis => {
  const there = problems.filter(about => axis === "device" || about.device === chosen.device);
  const values = [...new Set(there.map(about => about[axis]))];
  return typeof values[0] === "number" ? values.sort((a, b) => a - b) : values;
};
const fillPicker = () => {
  const axes = AXES.map(axis => {
    const values = measured(axis);
    const select = el("select", {name: axis, change: () => choose({[axis]: values[select.selectedIndex]}, axis)},
      values.map(value => el("option", {selected: value === chosen[axis]}, labelOf(axis, value))));
    return el("label", {hidden: values.length < 2 && axis !== "device"}, HEADS[axis], select);
  });
  const measure = el("select", {name: "measure", change: () => {
    chosen.measure = Object.keys(MEASURES)[measure.selectedIndex];
    writeAddress();
    show();
  }}, Object.entries(MEASURES).map(([name, {words}]) => el("option", {selected: name === chosen.measure}, words)));
  pick.replaceChildren(...axes, el("label", {}, "shown as", measure));
};

// What is drawn anew has the focus where it was: on a select of the picker, a switch or a rung's name.
const placeOfFocus = () => {
  const {activeElement: here} = document, frame = here?.closest("#pick, #bars, #rung");
  return frame ? [`#${frame.id} ${here.localName}`, [...frame.querySelectorAll(here.localName)].indexOf(here)] : null;
};
const show = () => {
  const focused = placeOfFocus();
  fillPicker();
  const rows = rowsNow();
  drawBars(rows);
  overSizes(rows);
  showRung();
  if (focused) document.querySelectorAll(focused[0])[focused[1]]?.focus({preventScroll: true});
};

// All that is picked: #pick/NVIDIA%20H200/f32/sum/268435456/kernel/cold/exact/ceiling/r10_complete_unroll
const addressNow = () => ["pick", ...AXES.map(axis => chosen[axis]), chosen.measure, chosen.rung].map(encodeURIComponent).join("/");
const writeAddress = () => history.replaceState(null, "", `#${addressNow()}`);
const goTo = id => { // a figure may lie in what is folded
  const folded = [...document.querySelectorAll("details[data-drawn]")];
  const holder = folded.find(one => data.drawings[one.id].some(figure => figure.id === id));
  if (holder) holder.open = true;
  tabs.find(tab => tab.getAttribute("aria-controls") === id)?.click();
  setTimeout(() => byId(id)?.scrollIntoView());
};
const readAddress = () => {
  const [kind, ...rest] = location.hash.slice(1).split("/").map(decoded);
  if (kind.startsWith("table=")) return openTable(kind.slice(6));
  if (kind !== "pick" || !problems.length) return goTo(kind);
  const [measure, rung] = rest.slice(AXES.length);
  if (MEASURES[measure]) chosen.measure = measure;
  chosen.rung = rung || "";
  choose(Object.fromEntries(AXES.map((axis, place) => [axis, axis === "n" ? Number(rest[place]) : rest[place]])));
  byId(chosen.rung ? "rung" : "explore").scrollIntoView();
};

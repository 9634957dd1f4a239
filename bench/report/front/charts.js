// Charts as SVG: points with values under the pointer and by keyboard, lines that a press of their name switches off.
const MARKS = { // around 0, 0
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", square: "M-3.5-3.5h7v7h-7z", triangle: "M0-4.6L4.4 3.4h-8.8z",
  diamond: "M0-5l4.2 5l-4.2 5l-4.2-5z", down: "M0 4.6L4.4-3.4h-8.8z", star: "M-4-4L4 4M4-4L-4 4",
  cross: "M-4-1.4h2.6V-4h2.8v2.6H4v2.8H1.4V4h-2.8V1.4H-4z"};
const markOf = (line, more) => draw("path", {d: MARKS[line.mark || "circle"], "stroke-width": 2,
  stroke: line.mark === "star" ? "currentColor" : "none", ...more});
const raised = n => String(n).replace(/\d/g, digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
const power = n => Number.isInteger(Math.log2(n)) && n >= 16 ? `2${raised(Math.log2(n))}` : `${Number(n.toPrecision(3))}`;

// Where an axis has its lines: {low, high, log: 0, 2 or 10, ticks}.
const ticksOf = ({log, low, high, ticks}) => {
  if (ticks) return ticks;
  const found = [];
  if (log === 2) {
    const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high)), step = Math.max(1, Math.ceil((last - first) / 7));
    for (let at = first; at <= last; at += step) found.push(2 ** at);
  } else if (log) {
    const wide = Math.log10(high / low), parts = wide > 3 ? [1] : wide > 0.8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
    for (let at = Math.floor(Math.log10(low)); at <= Math.log10(high); at += 1) found.push(...parts.map(part => part * 10 ** at));
  } else {
    const rough = (high - low) / 5, unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find(one => one * unit >= rough) * unit;
    for (let at = Math.ceil(low / step) * step; at <= high + 1e-9 * step; at += step) found.push(Number(at.toPrecision(12)));
  }
  return found.filter(at => at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9));
};
// An axis with its ends, where it leaves them open, from what lies on it.
const spanned = (axis, values) => {
  const low = axis.low ?? Math.min(...values), high = axis.high ?? Math.max(...values);
  if (axis.log) return {...axis, low: axis.low ?? low / 1.15, high: axis.high ?? high * 1.15};
  return {...axis, low, high: axis.high ?? (high > low ? high + (high - low) * 0.05 : low + 1)};
};
const partOf = ({log, low, high}, value) => {
  const part = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.max(-0.02, Math.min(1.02, part));
};
const nameOfTick = (axis, value) => axis.log === 2 ? power(value) : `${Number(value.toPrecision(3))}`;

const pointsOf = (line, atX, atY) => line.points.flatMap(point => {
  const x = atX(point.x).toFixed(1), y = atY(point.y).toFixed(1), says = `${line.name}: ${point.text}`;
  return [point.low === undefined || point.low === null ? null
    : draw("path", {class: "whisker", d: `M${x} ${atY(point.low)}V${atY(point.high)}`}),
  markOf(line, {class: "mark", transform: `translate(${x} ${y})`, "data-tip": says, "data-says": says, "data-from": point.from}),
  point.label ? draw("text", {x: Number(x) + 7, y: Number(y) - 6}, point.label) : null];
});
const lineThrough = (line, atX, atY) => line.points.length < 2 ? null : draw("path", {class: "line", "stroke-dasharray": line.dash || null,
  d: "M" + line.points.map(({x, y}) => `${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`).join("L")});
const svgOf = (chart, lines) => {
  const right = lines.some(line => line.end) ? 66 : 14;
  const [width, height, left, top] = [560, 320, 58, 12], bottom = height - 46, end = width - right;
  const points = lines.flatMap(line => line.points);
  const x = spanned(chart.x, points.length ? points.map(point => point.x) : [1, 2]);
  const y = spanned(chart.y, points.length ? points.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]) : [1, 2]);
  const atX = value => left + (end - left) * partOf(x, value), atY = value => bottom - (bottom - top) * partOf(y, value);
  const text = (at, down, words, anchor = "middle", more = {}) => draw("text", {x: at, y: down, "text-anchor": anchor, ...more}, words);
  const middle = (bottom + top) / 2;
  const said = lines.map(line => `${line.name}: ${line.points.map(point => point.text).join("; ")}`).join(". ");
  return draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${chart.title}. ${said}`.slice(0, 1500)},
    ticksOf(x).flatMap(at => [draw("path", {class: "grid", d: `M${atX(at)} ${top}V${bottom}`}),
      text(atX(at), bottom + 16, nameOfTick(x, at))]),
    ticksOf(y).flatMap(at => [draw("path", {class: "grid", d: `M${left} ${atY(at)}H${end}`}),
      text(left - 6, atY(at) + 4, nameOfTick(y, at), "end")]),
    text((left + end) / 2, height - 8, chart.x.label), text(14, middle, chart.y.label, "middle", {transform: `rotate(-90 14 ${middle})`}),
    (chart.bounds || []).flatMap(bound => [draw("path", {class: "bound", d: `M${left} ${atY(bound.y)}H${end}`}),
      text(end, atY(bound.y) - 4, bound.name, "end")]),
    lines.map(line => draw("g", {color: line.color}, lineThrough(line, atX, atY), pointsOf(line, atX, atY))),
    namesAtEnds(lines, end + 6, atY));
};
// Names right of the lines, none on another.
const namesAtEnds = (lines, x, atY) => {
  let last = -Infinity;
  return lines.filter(line => line.end && line.points.length).map(line => [atY(line.points.at(-1).y), line])
    .sort(([a], [b]) => a - b).map(([y, line]) => {
      last = Math.max(y + 4, last + 12);
      return draw("text", {x, y: last, style: `fill:${line.color}`}, line.end);
    });
};

// chart: {id, title, x: {label, log, low, high, ticks}, y: the same, lines: [{name, color, mark, dash, on, end, points: [{x, y, low, high,
// text, from, label}]}], bounds: [{y, name}], note}
const chartOf = chart => {
  const frame = el("figure", {class: "chart numbers", id: chart.id}), picture = el("div");
  const on = new Set(chart.lines.filter(line => line.on !== false));
  const redraw = () => {
    picture.replaceChildren(svgOf(chart, chart.lines.filter(line => on.has(line))));
    reach(frame);
  };
  const sample = line => draw("svg", {viewBox: "-9 -6 18 12", width: 18, height: 12, color: line.color, "aria-hidden": "true"},
    draw("path", {d: "M-9 0H9", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": line.dash || null}),
    markOf(line, {fill: "currentColor"}));
  const names = chart.lines.map(line => el("button", {type: "button", "aria-pressed": on.has(line), click: event => {
    if (!on.delete(line)) on.add(line);
    event.currentTarget.setAttribute("aria-pressed", on.has(line));
    redraw();
  }}, sample(line), line.name));
  const numbers = () => [["line", chart.x.label, chart.y.label, "text"],
    ...chart.lines.flatMap(line => line.points.map(point => [line.name, point.x, point.y, point.text]))];
  frame.append(...[el("figcaption", {}, `${chart.title} `, toolsOf(chart.id, numbers)), picture,
    el("div", {class: "legend"}, names), chart.note && el("p", {class: "note"}, chart.note)].filter(Boolean));
  redraw();
  return frame;
};

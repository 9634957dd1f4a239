// Charts as SVG: points with values under the pointer and by keyboard, lines that a press of their name switches off.
const ticksOf = ({log, low, high, ticks}) => {
  if (ticks) return ticks;
  const found = [];
  if (log === 2) {
    const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high)), step = Math.max(1, Math.ceil((last - first) / 7));
    for (let power = first; power <= last; power += step) found.push(2 ** power);
  } else if (log) {
    const wide = Math.log10(high / low), parts = wide > 3 ? [1] : wide > 0.8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const part of parts) found.push(part * 10 ** power);
    }
  } else {
    const rough = (high - low) / 5, unit = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find(one => one * unit >= rough) * unit;
    for (let at = Math.ceil(low / step) * step; at <= high + 1e-9 * step; at += step) found.push(Number(at.toPrecision(12)));
  }
  return found.filter(at => at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9));
};
const MARKS = { // around 0, 0
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", square: "M-3.5-3.5h7v7h-7z", triangle: "M0-4.6L4.4 3.4h-8.8z", diamond: "M0-5l4.2 5l-4.2 5l-4.2-5z",
  down: "M0 4.6L4.4-3.4h-8.8z", cross: "M-4-1.4h2.6V-4h2.8v2.6H4v2.8H1.4V4h-2.8V1.4H-4z", star: "M-4-4L4 4M4-4L-4 4"};
const power = n => Number.isInteger(Math.log2(n)) && n >= 16 ? "2" + String(Math.log2(n)).replace(/\d/g, d => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]) : `${Number(n.toPrecision(3))}`;

// chart: {id, title, x: {label, log, low, high, names}, y: the same, lines: [{name, color, mark, dash, on, points: [{x, y, low,
// high, text, from}]}], bounds: [{y, name}]}
const chartOf = chart => {
  const frame = el("figure", {class: "chart numbers", id: chart.id}), names = el("div", {class: "legend"}), picture = el("div");
  const on = new Set(chart.lines.filter(line => line.on !== false).map(line => line.name));
  const redraw = () => {
    const shown = chart.lines.filter(line => on.has(line.name));
    picture.replaceChildren(svgOf(chart, shown));
    reach(frame);
  };
  names.append(...chart.lines.map(line => el("button", {type: "button", "aria-pressed": on.has(line.name), click: event => {
    if (!on.delete(line.name)) on.add(line.name);
    event.currentTarget.setAttribute("aria-pressed", on.has(line.name));
    redraw();
  }}, draw("svg", {viewBox: "-9 -6 18 12", width: 18, height: 12, "aria-hidden": "true"},
    draw("path", {d: "M-9 0H9", stroke: line.color, "stroke-width": 2, "stroke-dasharray": line.dash || null}),
    draw("path", {d: MARKS[line.mark || "circle"], fill: line.color, stroke: line.mark === "star" ? line.color : "none"})), line.name)));
  frame.append(el("figcaption", {}, chart.title + " ", toolsOf(chart.id, () => frame, () => [["line", chart.x.label, chart.y.label, "text"],
    ...chart.lines.flatMap(line => line.points.map(point => [line.name, point.x, point.y, point.text]))])), picture, names);
  if (chart.strip) {
    frame.append(el("table", {class: "strip"}, el("tbody", {}, chart.strip.map(([name, color, texts]) => el("tr", {},
      el("th", {scope: "row"}, el("i", {style: `background:${color}`}), name), texts.map(text => el("td", {}, text)))))));
  }
  if (chart.note) frame.append(el("p", {class: "note"}, chart.note));
  redraw();
  return frame;
};
const svgOf = (chart, lines) => {
  const [width, height, left, right, top, bottom] = [560, chart.height || 320, 58, 14, 12, 46];
  const points = lines.flatMap(line => line.points), values = points.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const ends = (axis, some) => {
    const low = axis.low ?? Math.min(...some), high = axis.high ?? Math.max(...some);
    if (axis.log) return {...axis, low: axis.low ?? low / 1.15, high: axis.high ?? high * 1.15};
    return {...axis, low, high: high > low ? axis.high ?? high + (high - low) * 0.05 : low + 1};
  };
  const x = ends(chart.x, points.length ? points.map(point => point.x) : [1, 2]), y = ends(chart.y, values.length ? values : [1, 2]);
  const part = (axis, value) => axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
  const clip = value => Math.max(-0.02, Math.min(1.02, value));
  const atX = value => left + (width - left - right) * clip(part(x, value)), atY = value => height - bottom - (height - top - bottom) * clip(part(y, value));
  const name = (axis, value) => axis.names?.[value] ?? (axis.log === 2 ? power(value) : `${Number(value.toPrecision(3))}`);
  const said = `${chart.title}. ${lines.map(line => `${line.name}: ${line.points.map(point => point.text).join("; ")}`).join(". ")}`;
  return draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said.slice(0, 1500)},
    ticksOf(x).map(at => [draw("path", {class: "grid", d: `M${atX(at)} ${top}V${height - bottom}`}),
      draw("text", {x: atX(at), y: height - bottom + 16, "text-anchor": "middle"}, name(x, at))]).flat(),
    ticksOf(y).map(at => [draw("path", {class: "grid", d: `M${left} ${atY(at)}H${width - right}`}),
      draw("text", {x: left - 6, y: atY(at) + 4, "text-anchor": "end"}, name(y, at))]).flat(),
    draw("text", {x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle"}, chart.x.label),
    draw("text", {x: 14, y: (height - bottom + top) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(height - bottom + top) / 2})`}, chart.y.label),
    (chart.bounds || []).map(bound => [draw("path", {class: "bound", d: `M${left} ${atY(bound.y)}H${width - right}`}),
      draw("text", {x: width - right, y: atY(bound.y) - 4, "text-anchor": "end"}, bound.name)]).flat(),
    lines.map(line => draw("g", {color: line.color},
      line.points.length > 1 && line.joined !== false ? draw("path", {class: "line", "stroke-dasharray": line.dash || null,
        d: "M" + line.points.map(point => `${atX(point.x).toFixed(1)} ${atY(point.y).toFixed(1)}`).join("L")}) : null,
      line.points.map(point => [point.low !== undefined && point.low !== null ? draw("path", {class: "whisker",
        d: `M${atX(point.x)} ${atY(point.low)}V${atY(point.high)}`}) : null,
      draw("path", {class: "mark", d: MARKS[point.mark || line.mark || "circle"], stroke: (point.mark || line.mark) === "star" ? "currentColor" : "none", "stroke-width": 2,
        transform: `translate(${atX(point.x).toFixed(1)} ${atY(point.y).toFixed(1)})`, "data-tip": `${line.name}: ${point.text}`,
        "data-says": `${line.name}: ${point.text}`, "data-from": point.from || null}),
      point.label ? draw("text", {class: "label", x: atX(point.x) + 7, y: atY(point.y) - 6}, point.label) : null]).flat())));
};

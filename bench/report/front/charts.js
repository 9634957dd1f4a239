// Charts are Vega's: a press on what has been measured shows the lines that it comes from.
const embed = (place, spec, name) => vegaEmbed(place, spec, {renderer: "svg", ast: true, downloadFileName: name,
  actions: {export: true, source: false, compiled: false, editor: false}}).then(({view}) => {
  view.addEventListener("click", (_, item) => {
    if (item?.datum?.from) tell(`${item.datum.line}: ${item.datum.text}`, item.datum.from);
  });
});
// A chart below its title.
const chartOf = (id, title, spec, note = "") => {
  const picture = el("div");
  embed(picture, spec, title);
  return el("figure", {id, class: spec.vconcat ? "chart wide" : "chart"}, el("figcaption", {}, title, linkTo(id)), picture,
    el("p", {class: "note"}, note));
};
// Lines of data.charts.lines; lines: [{name, color, dash}], rows: [{line, x, y, low, high, text, from}]
const lineSpec = (lines, rows, {words, unit, log}) => {
  const spec = structuredClone(data.charts.lines), {encoding} = spec;
  spec.data.values = rows;
  spec.layer = spec.layer.filter(({mark}) => mark.type !== "rule" || rows.some(row => row.low)); // the ends of intervals
  encoding.color.scale.range = lines.map(line => line.color);
  encoding.strokeDash.scale.range = lines.map(line => line.dash);
  encoding.y.title = words + (unit ? `, ${unit}` : "");
  encoding.y.scale = log ? {type: "log", base: log, nice: false} : {zero: true};
  return spec;
};

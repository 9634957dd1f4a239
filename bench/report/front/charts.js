// Charts are Vega's: a press on what has been measured shows the lines that it comes from.
const digits3 = value => `${Number(value.toPrecision(3))}`;
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
// Lines of bandwidth over sizes. points: [{line, x, y, low, high, text, from}]
const lineSpec = points => {
  const spec = structuredClone(data.charts.lines), {color, strokeDash} = spec.encoding, many = data.colors.length;
  const lines = [...new Set(points.map(({line}) => line))], measured = lines.filter(line => line !== "read ceiling");
  const styles = lines.map(line => [line, measured.indexOf(line)]);
  spec.data.values = points;
  spec.layer = spec.layer.filter(({mark}) => mark.type !== "rule" || points.some(({low}) => low)); // the ends of intervals
  color.scale.range = styles.map(([, place]) => place < 0 ? "currentColor" : data.colors[place % many]);
  strokeDash.scale.range = styles.map(([, place]) => place < 0 ? [2, 2] : place < many ? [1, 0] : [6, 3]);
  return spec;
};

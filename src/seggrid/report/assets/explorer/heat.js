// The heat map.

function heatMap(points, now, width) {
  const { x, row, y, facet } = now;
  const xs = distinct(points, x);
  const ys = distinct(points, row);
  const panelsAcross = facet === NONE ? { width: width - 110 } : multiples(width, distinct(points, facet).length, 280, 24, 90);
  const roomy = panelsAcross.width / xs.length > 40;
  const gains = isGain(y);
  const values = points.map((point) => point[y]);
  const most = Math.max(...values.map(Math.abs));
  // The text is dark on bright shades, those at the bright end of the panel's range, and white on others.
  const panelOf = (point) => (apart(facet) ? point[facet] : "");
  for (const group of Map.groupBy(points, panelOf).values()) {
    const of = group.map((point) => point[y]);
    const [least, top] = [Math.min(...of), Math.max(...of)];
    const place = (value) => (value - least) / (top - least || 1);
    for (const point of group) {
      const shade = lowerIsBetter(y) ? 1 - place(point[y]) : place(point[y]);
      point.bright = gains ? Math.abs(point[y]) < 0.6 * most : shade > 0.55;
    }
  }
  const encoding = {
    x: { field: x, type: "ordinal", sort: xs, title: AXES[x], axis: { ...labeled(x, xs), labelAngle: 0, grid: false, ticks: false, domain: false } },
    y: { field: row, type: "ordinal", sort: ys, title: AXES[row], axis: { ...labeled(row, ys), grid: false } },
  };
  /** @type {object[]} */
  const layer = [
    {
      mark: { type: "rect", cornerRadius: 2, stroke: css("--paper"), strokeWidth: 1.5 },
      encoding: {
        ...encoding,
        color: {
          field: y,
          type: "quantitative",
          title: METRICS[y],
          scale: gains ? { scheme: "blueorange", domain: [-most, most], reverse: true } : { scheme: "viridis", zero: false, nice: false, reverse: lowerIsBetter(y) },
          legend: { gradientLength: Math.min(220, width - 60), gradientThickness: 10, format: tickFormat(values) },
        },
      },
    },
  ];
  if (roomy) {
    layer.push({
      mark: { type: "text", fontSize: 11 },
      encoding: {
        ...encoding,
        text: { field: y, type: "quantitative", format: Number.isInteger(values[0]) && !isScore(y) ? ",.0f" : ".3f" },
        color: { condition: { test: "datum.bright", value: "#111" }, value: "#fff" },
      },
    });
  }
  const height = Math.max(120, Math.min(420, ys.length * 34));
  const spec = { data: { values: points }, layer };
  const drawnIn = panels(spec, points, now, width, height, false);
  if (facet === NONE) drawnIn.width = panelsAcross.width;
  else {
    drawnIn.columns = panelsAcross.columns;
    drawnIn.spec.width = panelsAcross.width;
    drawnIn.spec.height = height;
  }
  return drawnIn;
}

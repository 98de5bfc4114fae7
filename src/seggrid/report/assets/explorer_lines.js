// Lines and points over an axis or a metric, with the words' score dashed.

function lines(points, cells, now, width) {
  const { x, y, color, facet, mark, intervals } = now;
  const onAxis = x in AXES;
  const xs = onAxis ? distinct(points, x) : [];
  const scale = onAxis ? axisScale(x, xs) : { type: "quantitative", scale: { zero: false, padding: 12 }, axis: { format: tickFormat(x) } };
  const encoding = {
    x: {
      field: x,
      title: nameOf(x),
      ...scale,
      ...(onAxis && !isNumeric(x) ? { axis: { ...labeled(x, xs), labelAngle: xs.length > 8 ? -40 : 0, grid: false } } : {}),
    },
    y: { field: y, type: "quantitative", title: METRICS[y], scale: { zero: false, padding: 8 }, axis: { format: tickFormat(y) } },
  };
  if (color !== NONE) {
    const values = distinct(points, color);
    encoding.color = {
      field: color,
      type: "ordinal",
      scale: colorScale(values),
      title: AXES[color],
      legend: { labelExpr: labelExpression(color, values), columns: Math.max(2, Math.floor(width / 130)), symbolType: "circle" },
    };
  } else encoding.color = { value: css("--c1") };

  const layer = [];
  const drawnCells = [{ filter: "!datum.words" }];
  const baselines = baselineRules(cells, points, now);
  if (baselines.length) {
    layer.push({
      transform: [{ filter: "datum.words" }],
      mark: { type: "rule", strokeDash: [5, 4], strokeWidth: 1.4, color: css("--muted") },
      encoding: { y: { field: y, type: "quantitative" }, opacity: { condition: { test: "datum.absent", value: 0 }, value: 1 } },
    });
  }
  if (intervals === "yes") layer.push({ transform: drawnCells, mark: { type: "rule", strokeWidth: 1.5, opacity: 0.45 }, encoding: { ...encoding, y: { ...encoding.y, field: "low" }, y2: { field: "high" } } });
  if (mark === "lines") {
    // Where every cell is drawn, a line joins the cells that differ in x alone.
    const detail = now.show === "all" ? [{ field: "series", type: "nominal" }] : [];
    layer.push({ transform: drawnCells, mark: { type: "line", strokeWidth: now.show === "all" ? 1 : 2, opacity: now.show === "all" ? 0.5 : 1 }, encoding: { ...encoding, detail } });
  }
  layer.push({ transform: drawnCells, mark: { type: "point", filled: true, size: points.length > 300 ? 22 : 44, opacity: points.length > 300 ? 0.7 : 1 }, encoding });
  if (baselines.length) {
    // Their names, readable on whatever line is behind them.
    for (const halo of [{ stroke: css("--paper"), strokeWidth: 4, strokeJoin: "round" }, {}]) {
      layer.push({
        transform: [{ filter: "datum.words" }],
        mark: { type: "text", align: "right", baseline: "bottom", dy: -2, x: "width", fontSize: 11, color: css("--muted"), ...halo },
        encoding: { y: { field: y, type: "quantitative" }, text: { field: "name", type: "nominal" } },
      });
    }
  }
  const values = points.map((point) => ({ ...point, series: series(CELLS[point.row], x) }));
  return panels({ data: { values: [...values, ...baselines] }, layer }, points, now, width, 380);
}

const series = (cell, x) => VARIED.filter((axis) => axis !== x && axis !== "experiment").map((axis) => cell[axis]).join("\0");

// The words' score, dashed, in each panel that has points.
function baselineRules(cells, points, { x, y, facet }) {
  if (!(x in AXES) || isGain(y) || x === "segmenter" || x === "sides") return [];
  const panels = new Set(points.map((point) => point[facet]));
  const found = new Map();
  for (const cell of cells) {
    const words = wordsOf(cell);
    if (!words || typeof words[y] !== "number") continue;
    for (const value of facet === NONE ? [null] : valuesOf(cell, facet)) {
      if (facet !== NONE && !panels.has(value)) continue;
      const rule = { row: words.i, words: true, name: `${describe(words)}, ${words.aligner}`, [y]: words[y] };
      if (facet !== NONE) rule[facet] = value;
      found.set(`${words.i} ${value}`, rule);
    }
  }
  const rules = [...found.values()];
  if (!rules.length) return [];
  // A layer without data in one panel has no scale: where a panel has no words, nothing is seen of the rule.
  const without = [...Map.groupBy(points, (point) => point[facet])].filter(([value]) => !rules.some((rule) => rule[facet] === value));
  return [...rules, ...without.map(([, [point]]) => ({ row: point.row, words: true, absent: true, name: "", [facet]: point[facet], [y]: point[y] }))];
}

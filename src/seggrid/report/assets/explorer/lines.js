// Lines and points over an axis or a metric; a dashed line shows the score of words.

function lines(points, cells, now, width) {
  const { x, y, color, facet, mark, intervals } = now;
  const onAxis = x in AXES;
  const xs = onAxis ? distinct(points, x) : [];
  const scale = onAxis ? axisScale(x, xs) : { type: "quantitative", scale: scoreScale(x), axis: { format: tickFormat(points.map((point) => point[x])) } };
  const encoding = {
    x: {
      field: x,
      title: nameOf(x),
      ...scale,
      ...(onAxis && !isNumeric(x) ? { axis: { ...labeled(x, xs), labelAngle: xs.length > 8 ? -40 : 0, grid: false } } : {}),
    },
    y: { field: y, type: "quantitative", title: METRICS[y], scale: scoreScale(y), axis: { format: tickFormat(points.map((point) => point[y])) } },
  };
  const shape = {};
  if (color !== NONE) {
    const values = distinct(points, color);
    const longest = Math.max(...values.map((value) => valueLabel(color, value).length));
    encoding.color = {
      field: color,
      type: values.length > PALETTE.length ? "ordinal" : "nominal",
      scale: colorScale(values),
      title: AXES[color],
      legend: { labelExpr: labelExpression(color, values), columns: Math.max(1, Math.floor(width / (45 + 7 * longest))), symbolType: "circle" },
    };
    if (values.length <= PALETTE.length) {
      delete encoding.color.legend.symbolType;
      shape.shape = { ...encoding.color, scale: { domain: values, range: SHAPES.slice(0, values.length) } };
    }
  } else encoding.color = { value: css("--c1") };

  const layer = [];
  const drawnCells = [{ filter: "!datum.words" }];
  const baselines = apartLabels(baselineRules(cells, points, now), points, now, panelHeight(now, layout(points, now, width).width));
  if (baselines.length) {
    layer.push({
      transform: [{ filter: "datum.words" }],
      mark: { type: "rule", strokeDash: [5, 4], strokeWidth: 1.4, color: css("--muted") },
      encoding: { y: { field: y, type: "quantitative" }, opacity: { condition: { test: "datum.absent", value: 0 }, value: 1 } },
    });
    const atEnd = (first, last) => ({ expr: `datum.end === "first" ? ${first} : ${last}` });
    layer.push({
      transform: [{ filter: "datum.words" }],
      mark: { type: "text", align: atEnd("'left'", "'right'"), x: atEnd(0, layout(points, now, width).width), baseline: "bottom", dy: { expr: "-2 - datum.raised" }, fontSize: 11, color: css("--muted") },
      encoding: { y: { field: y, type: "quantitative" }, text: { field: "name", type: "nominal" } },
    });
  }
  if (intervals === "yes") layer.push({ transform: drawnCells, mark: { type: "rule", strokeWidth: 1.5, opacity: 0.45 }, encoding: { ...encoding, y: { ...encoding.y, field: "low" }, y2: { field: "high" } } });
  if (mark === "lines") {
    // If every cell is shown, a line joins the cells that differ only in x.
    const detail = now.show === "all" ? [{ field: "series", type: "nominal" }] : [];
    layer.push({ transform: drawnCells, mark: { type: "line", strokeWidth: now.show === "all" ? 1 : 2, opacity: now.show === "all" ? 0.5 : 1 }, encoding: { ...encoding, detail } });
  }
  layer.push({ transform: drawnCells, mark: { type: "point", filled: true, size: points.length > 300 ? 22 : 44, opacity: points.length > 300 ? 0.7 : 1 }, encoding: { ...encoding, ...shape } });
  const values = points.map((point) => ({ ...point, series: series(CELLS[point.row], x) }));
  return panels({ data: { values: [...values, ...baselines] }, layer }, points, now, width, HIGHEST);
}

// The end of a panel, first or last value of x, where the points leave more room for a label at a score.
function roomierEnd(points, xs, { x, y }, value) {
  const room = (at) => Math.min(...points.filter((point) => point[x] === at).map((point) => Math.abs(point[y] - value)));
  const present = xs.filter((at) => points.some((point) => point[x] === at));
  // A panel may have no point at an end at all.
  if (present[0] !== xs[0]) return "first";
  if (present.at(-1) !== xs.at(-1)) return "last";
  return room(xs[0]) > room(xs.at(-1)) ? "first" : "last";
}

// The height of a line of a label, in pixels.
const LABEL = 13;

// Raise the labels of dashed lines, by pixels, as far as they would overlap others at the same end of a panel.
function apartLabels(rules, points, { y, facet }, height) {
  const panelOf = (row) => (facet === NONE ? null : row[facet]);
  for (const panel of new Set(rules.map(panelOf))) {
    const shown = [...points, ...rules].filter((row) => !apart(facet) || panelOf(row) === panel).map((row) => row[y]);
    const low = Math.min(...shown);
    const perPixel = (Math.max(...shown) - low || 1) / height;
    for (const end of ["first", "last"]) {
      let free = -Infinity;
      const labels = rules.filter((row) => panelOf(row) === panel && row.end === end);
      for (const rule of labels.sort((a, b) => a[y] - b[y])) {
        const at = (rule[y] - low) / perPixel;
        rule.raised = Math.max(0, free - at);
        free = at + rule.raised + LABEL;
      }
    }
  }
  return rules;
}

// The dashed line of the words' score in each panel that has points.
function baselineRules(cells, points, now) {
  const { x, y, facet } = now;
  if (!(x in AXES) || isGain(y) || x === "segmenter" || x === "sides") return [];
  const xs = distinct(points, x);
  const panels = Map.groupBy(points, (point) => point[facet]);
  const found = new Map();
  for (const cell of cells) {
    const words = wordsOf(cell);
    if (!words || typeof words[y] !== "number") continue;
    for (const value of facet === NONE ? [null] : valuesOf(cell, facet)) {
      const key = `${words.i} ${value}`;
      if (found.has(key) || (facet !== NONE && !panels.has(value))) continue;
      const end = roomierEnd(panels.get(value ?? undefined), xs, now, words[y]);
      const rule = { row: words.i, words: true, end, name: `${describe(words)}, ${words.aligner}`, [y]: words[y] };
      if (facet !== NONE) rule[facet] = value;
      found.set(key, rule);
    }
  }
  const rules = [...found.values()];
  if (!rules.length) return [];
  // In Vega, a layer without data in a panel has no scale there: a panel without words gets an invisible rule.
  const without = [...panels].filter(([value]) => !rules.some((rule) => rule[facet] === value));
  return [...rules, ...without.map(([, [point]]) => ({ row: point.row, words: true, absent: true, raised: 0, name: "", [facet]: point[facet], [y]: point[y] }))];
}

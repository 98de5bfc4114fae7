// Any axis or metric on x, any metric on y, color, small multiples, filters; or a heat map.

const NONE = "none";
const MARKS = { lines: "Lines", points: "Points", heat: "Heat map" };
const SHOWN = { best: "best of each", mean: "mean of each", all: "every cell" };

// Views to start from, where the axes that they need vary.
const PRESETS = [
  ["Over merges", { x: "merges", y: "f1", color: "dropout", mark: "lines", show: "best" }, ["merges"]],
  ["Dropout × merges", { x: "merges", row: "dropout", y: "f1", mark: "heat", show: "best" }, ["merges", "dropout"]],
  ["Thresholds", { x: "aggregate", y: "f1", color: "dropout", mark: "lines", show: "best" }, ["aggregate"]],
  ["Samples", { x: "samples", y: "f1", color: "dropout", mark: "lines", show: "best" }, ["samples"]],
  ["Precision and recall", { x: "recall", y: "precision", color: "aggregate", mark: "points", show: "all" }, []],
  ["Segmenters", { x: "segmenter", y: "f1", color: "segmenter", mark: "points", show: "all" }, ["segmenter"]],
];

function explorerDefaults() {
  const x = VARIED.includes("merges") ? "merges" : (VARIED[0] ?? "recall");
  const spare = (axis) => VARIED.includes(axis) && axis !== x;
  return {
    x,
    y: "f1",
    row: ["dropout", "aggregate", "samples", "spaces", ...VARIED].find(spare) ?? x,
    color: ["dropout", "segmenter", "aligner", ...VARIED].find(spare) ?? NONE,
    facet: ["setting", "pair", "aligner"].find(spare) ?? NONE,
    mark: "lines",
    show: "best",
    intervals: "",
  };
}

function explorer() {
  const defaults = explorerDefaults();
  const metrics = Object.entries(METRICS).filter(([metric]) => CELLS.some((cell) => typeof cell[metric] === "number"));
  const axes = VARIED.map((axis) => [axis, AXES[axis]]);
  const names = (options) => options.map(([name]) => name);
  const possible = {
    x: names([...axes, ...metrics]),
    y: names(metrics),
    row: names(axes),
    color: [NONE, ...names(axes)],
    facet: [NONE, ...names(axes)],
    mark: Object.keys(MARKS),
    show: Object.keys(SHOWN),
    intervals: ["yes", ""],
  };
  // What the address says, where it can be; an address may come from another report, or from anyone.
  function state() {
    const now = {};
    for (const [name, value] of Object.entries(defaults)) {
      now[name] = possible[name].includes(chosen(name)) ? chosen(name) : value;
    }
    // A heat map has an axis across.
    if (now.mark === "heat" && !(now.x in AXES)) now.x = defaults.x;
    return now;
  }
  const set = (values) => {
    const changed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === defaults[name] ? null : value]));
    choose("explorer", changed);
    update();
  };
  const allowed = (axis) => chosen(`only.${axis}`)?.split("~");
  const kept = () =>
    SCORED.filter((cell) =>
      VARIED.every((axis) => {
        const only = allowed(axis);
        return !only || valuesOf(cell, axis).some((value) => only.includes(String(value)));
      }),
    );

  const presets = PRESETS.filter(([, , needed]) => needed.every((axis) => VARIED.includes(axis)));
  const differs = (view, now) => Object.entries(view).some(([name, value]) => now[name] !== value);

  function controls() {
    const now = state();
    const heat = now.mark === "heat";
    const pick = (name, label, options) => select(label, options, now[name], (value) => set({ [name]: value }));
    replace(
      $("presets"),
      presets.map(([name, view]) =>
        h("button", { type: "button", "aria-pressed": String(!differs(view, now)), onclick: () => set({ color: defaults.color, ...view }) }, name),
      ),
    );
    replace(
      $("encodings"),
      pick("mark", "Drawn as", Object.entries(MARKS)),
      pick("y", heat ? "Shade" : "Up", metrics),
      pick("x", "Across", heat ? axes : [...axes, ...metrics]),
      heat ? pick("row", "Down", axes) : pick("color", "Color", [[NONE, "one color"], ...axes]),
      pick("facet", "Panels", [[NONE, "one panel"], ...axes]),
      pick("show", "Show", Object.entries(SHOWN)),
      !heat && h("label", { class: "field check" }, h("input", { type: "checkbox", checked: now.intervals === "yes", onchange: (event) => set({ intervals: event.target.checked ? "yes" : "" }) }), "95% intervals"),
    );
    const open = document.querySelector("#filters details[open]")?.dataset.axis;
    const focused = document.activeElement?.closest("#filters input")?.value;
    replace($("filters"), VARIED.map((axis) => filter(axis, axis === open)), reset());
    if (open && focused !== undefined) {
      [...document.querySelectorAll(`#filters details[open] input`)].find((input) => input.value === focused)?.focus();
    }
  }

  function filter(axis, open) {
    const values = distinct(CELLS, axis);
    const only = allowed(axis);
    const toggle = () => {
      const on = [...menu.querySelectorAll("input:checked")].map((input) => input.value);
      const all = on.length === 0 || on.length === values.length;
      choose("explorer", { [`only.${axis}`]: all ? null : on.join("~") });
      update();
    };
    const menu = h(
      "div",
      { class: "menu" },
      values.map((value) =>
        h("label", null, h("input", { type: "checkbox", value: String(value), checked: only?.includes(String(value)), onchange: toggle }), valueLabel(axis, value)),
      ),
    );
    const labels = only?.map((text) => valueLabel(axis, values.find((value) => String(value) === text) ?? text));
    return h(
      "details",
      { class: only ? "filter active" : "filter", "data-axis": axis, open },
      h("summary", { class: "box" }, `${AXES[axis]}: ${labels ? labels.join(", ") : "all"}`),
      menu,
    );
  }

  function reset() {
    if (!VARIED.some(allowed)) return null;
    const none = Object.fromEntries(VARIED.map((axis) => [`only.${axis}`, null]));
    return h("button", { type: "button", class: "quiet", onclick: () => (choose("explorer", none), update()) }, "Clear filters");
  }

  function update() {
    controls();
    const cells = kept();
    const now = state();
    const points = collapse(cells, now);
    replace(
      $("shown"),
      `${whole(cells.length)} of ${plural(SCORED.length, "cell")}` +
        (now.show === "all" ? "" : `, drawn as ${plural(points.length, "point")}, the ${SHOWN[now.show]}`) +
        ".",
    );
    redraw($("plot"));
    refill();
  }

  const make = (width) => {
    const now = state();
    const cells = kept();
    const points = collapse(cells, now);
    if (!points.length) return null;
    return now.mark === "heat" ? heatMap(points, now, width) : lines(points, cells, now, width);
  };
  chart($("plot"), "The chosen view of the grid", make, {
    tip: (value) => (value.count > 1 ? meanCard(value, state()) : CELLS[value.row] && cellCard(CELLS[value.row])),
    empty: "No cell passes these filters, or none has both values.",
  });
  const refill = unfold($("plot-table"), () => cellTable(kept(), state().y));

  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll(".filter[open]")) if (!open.contains(event.target)) open.open = false;
  });
  $("filters").addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && event.target.closest(".filter");
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });
  address.listeners.push(update);
  update();
}

// The points to draw: each cell, or one for all cells that share x, color (or row) and panel.
function collapse(cells, { x, y, row, color, facet, mark, show }) {
  const keys = [x, mark === "heat" ? row : color, facet].filter((axis) => axis !== NONE && axis in AXES);
  const groups = new Map();
  for (const cell of cells) {
    if (typeof cell[y] !== "number" || (!(x in AXES) && typeof cell[x] !== "number")) continue;
    for (const values of combinations(cell, keys)) {
      const key = show === "all" ? `${cell.i} ${values.join("\0")}` : values.join("\0");
      if (!groups.has(key)) groups.set(key, { values, cells: [] });
      groups.get(key).cells.push(cell);
    }
  }
  return [...groups.values()].map(({ values, cells: of }) => {
    const best = bestOf(of, y);
    const mean = (metric) => of.reduce((sum, cell) => sum + cell[metric], 0) / of.length;
    const point = Object.fromEntries(keys.map((axis, k) => [axis, values[k]]));
    point.row = best.i;
    point.count = show === "mean" ? of.length : 1;
    point[y] = show === "mean" ? mean(y) : best[y];
    if (!(x in AXES)) point[x] = show === "mean" ? mean(x) : best[x];
    if (show !== "mean" && typeof best[`${y}_low`] === "number") {
      point.low = best[`${y}_low`];
      point.high = best[`${y}_high`];
    }
    return point;
  });
}

function combinations(cell, keys) {
  return keys.reduce((found, axis) => found.flatMap((values) => valuesOf(cell, axis).map((value) => [...values, value])), [[]]);
}

function meanCard(point, { y }) {
  return h("div", { class: "card" }, h("strong", null, `${METRICS[y]} ${formatMetric(y, point[y])}`), h("p", null, `mean of ${plural(point.count, "cell")}`));
}

const nameOf = (field) => AXES[field] ?? METRICS[field];
const labeled = (axis, values) => ({ labelExpr: labelExpression(axis, values) });

// Vega names values by an expression: an object literal of the labels, looked up by value.
function labelExpression(axis, values) {
  const labels = Object.fromEntries(values.map((value) => [String(value), valueLabel(axis, value)]));
  return `${JSON.stringify(labels)}[datum.value]`;
}

// Whether panels are of pairs, each with its own range of scores.
const apart = (facet) => facet === "pair" || facet === "setting";

function panels(spec, points, { facet }, width, height, sharedColor = true) {
  if (facet === NONE) return { ...spec, width: width - 66, height };
  const values = distinct(points, facet);
  const { columns, width: each } = multiples(width, values.length, 240, apart(facet) ? 76 : 24);
  const { data, ...inner } = spec;
  return {
    data,
    facet: { field: facet, type: "nominal", sort: values, header: { labelExpr: labelExpression(facet, values) } },
    columns,
    spacing: 24,
    spec: { ...inner, width: each, height: Math.min(height, Math.max(220, each * 0.75)) },
    // Scores of different pairs are not comparable, so each pair has its own range.
    resolve: { scale: apart(facet) ? { y: "independent", color: sharedColor ? "shared" : "independent" } : {} },
  };
}

function lines(points, cells, now, width) {
  const { x, y, color, facet, mark, intervals } = now;
  const onAxis = x in AXES;
  const xs = onAxis ? distinct(points, x) : [];
  const scale = onAxis ? axisScale(x, xs) : { type: "quantitative", scale: { zero: false, padding: 12 } };
  const encoding = {
    x: {
      field: x,
      title: nameOf(x),
      ...scale,
      ...(onAxis && !isNumeric(x) ? { axis: { ...labeled(x, xs), labelAngle: xs.length > 8 ? -40 : 0, grid: false } } : {}),
    },
    y: { field: y, type: "quantitative", title: METRICS[y], scale: { zero: false, padding: 8 } },
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
  const baselines = baselineRules(cells, now);
  if (baselines.length) {
    layer.push({
      transform: [{ filter: "datum.words" }],
      mark: { type: "rule", strokeDash: [5, 4], strokeWidth: 1.4, color: css("--muted") },
      encoding: { y: { field: y, type: "quantitative" } },
    });
    layer.push({
      transform: [{ filter: "datum.words" }],
      mark: { type: "text", align: "right", baseline: "bottom", dy: -2, x: "width", fontSize: 11, color: css("--muted") },
      encoding: { y: { field: y, type: "quantitative" }, text: { field: "name", type: "nominal" } },
    });
  }
  if (intervals === "yes") layer.push({ transform: drawnCells, mark: { type: "rule", strokeWidth: 1.5, opacity: 0.45 }, encoding: { ...encoding, y: { ...encoding.y, field: "low" }, y2: { field: "high" } } });
  if (mark === "lines") {
    // Where every cell is drawn, a line joins the cells that differ in x alone.
    const detail = now.show === "all" ? [{ field: "series", type: "nominal" }] : [];
    layer.push({ transform: drawnCells, mark: { type: "line", strokeWidth: now.show === "all" ? 1 : 2, opacity: now.show === "all" ? 0.5 : 1 }, encoding: { ...encoding, detail } });
  }
  layer.push({ transform: drawnCells, mark: { type: "point", filled: true, size: points.length > 300 ? 22 : 44, opacity: points.length > 300 ? 0.7 : 1 }, encoding });
  const values = points.map((point) => ({ ...point, series: series(CELLS[point.row], x) }));
  return panels({ data: { values: [...values, ...baselines] }, layer }, points, now, width, 380);
}

const series = (cell, x) => VARIED.filter((axis) => axis !== x && axis !== "experiment").map((axis) => cell[axis]).join("\0");

// The words' score, dashed, under each panel's own settings.
function baselineRules(cells, { x, y, facet }) {
  if (!(x in AXES) || isGain(y) || x === "segmenter" || x === "sides") return [];
  const found = new Map();
  for (const cell of cells) {
    const words = wordsOf(cell);
    if (!words || typeof words[y] !== "number") continue;
    for (const value of facet === NONE ? [null] : valuesOf(cell, facet)) {
      const rule = { row: words.i, words: true, name: `words, ${words.aligner}`, [y]: words[y] };
      if (facet !== NONE) rule[facet] = value;
      found.set(`${words.i} ${value}`, rule);
    }
  }
  return [...found.values()];
}

function heatMap(points, now, width) {
  const { x, row, y, facet } = now;
  const xs = distinct(points, x);
  const ys = distinct(points, row);
  const panelsAcross = facet === NONE ? { width: width - 110 } : multiples(width, distinct(points, facet).length, 280, 24, 90);
  const roomy = panelsAcross.width / xs.length > 40;
  const gains = isGain(y);
  const values = points.map((point) => point[y]);
  const most = Math.max(...values.map(Math.abs));
  // Which text can be read on a shade: dark on the bright end of its panel's range.
  const panelOf = (point) => (apart(facet) ? point[facet] : "");
  for (const group of Object.values(Object.groupBy(points, panelOf))) {
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
          legend: { gradientLength: Math.min(220, width - 60), gradientThickness: 10, format: ".2f" },
        },
      },
    },
  ];
  if (roomy) {
    layer.push({
      mark: { type: "text", fontSize: 11 },
      encoding: {
        ...encoding,
        text: { field: y, type: "quantitative", format: y === "links" ? ",.0f" : ".3f" },
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

function cellTable(cells, metric) {
  const sign = lowerIsBetter(metric) ? 1 : -1;
  const sorted = cells.filter((cell) => typeof cell[metric] === "number").sort((a, b) => sign * (a[metric] - b[metric]));
  const number = (name) => [METRICS[name], (cell) => (typeof cell[name] === "number" ? formatMetric(name, cell[name]) : "–"), "number"];
  const columns = [
    ["Pair", (cell) => cell.pair],
    ["Aligner", (cell) => cell.aligner],
    ["Cell", describe],
    ...["f1", "precision", "recall", "aer", "delta_f1_words"].map(number),
  ];
  const saved = ["cell", ...Object.keys(AXES), ...Object.keys(METRICS)].filter((column) => column in (cells[0] ?? {}));
  return [
    h("button", { type: "button", onclick: () => download("cells.csv", csv([saved, ...sorted.map((cell) => saved.map((c) => cell[c]))])) }, `Save ${plural(sorted.length, "cell")} as CSV`),
    table(sorted, columns, { limit: 100 }),
  ];
}

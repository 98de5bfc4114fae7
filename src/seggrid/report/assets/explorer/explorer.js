// The explorer: plots any axis or metric against any metric, with color, panels and filters; or a heat map.

const MARKS = { lines: "Lines", points: "Points", heat: "Heat map" };
const SHOWN = { best: "best of each", mean: "mean of each", all: "every cell" };

// Axes for panels, which separate scores that are not comparable; the first one that varies is used. Views
// whose color does not show `spaces` have panels by spaces, too.
const PANELS = ["setting", "pair", "aligner"];
const PANELS_BY_SPACES = ["spaced", "spaces", ...PANELS];

// Presets: name, view, the axes and measures that it needs, and its axes for panels.
/** @type {[string, Partial<View>, string[], string[]][]} */
const PRESETS = [
  ["Over merges", { x: "merges", y: "f1", color: "family", mark: "lines", show: "best" }, ["merges"], PANELS],
  ["Over vocabulary sizes", { x: "vocabulary", y: "f1", color: "family", mark: "lines", show: "best" }, ["vocabulary"], PANELS],
  ["Dropout × merges", { x: "merges", row: "dropout", y: "f1", mark: "heat", show: "best" }, ["merges", "dropout"], PANELS_BY_SPACES],
  ["Thresholds", { x: "aggregate", y: "f1", color: "dropout", mark: "lines", show: "best" }, ["aggregate"], PANELS_BY_SPACES],
  ["Samples", { x: "samples", y: "f1", color: "dropout", mark: "lines", show: "best" }, ["samples"], PANELS_BY_SPACES],
  ["Precision and recall", { x: "recall", y: "precision", color: "aggregate", mark: "points", show: "all" }, [], PANELS],
  ["Segmenters", { x: "segmenter", y: "f1", color: "segmenter", mark: "points", show: "all" }, ["segmenter"], PANELS],
  ["Tokens per word", { x: "fertility_target", y: "f1", color: "family", mark: "points", show: "all" }, ["fertility_target"], PANELS],
];

/** @returns {View} */
function explorerDefaults() {
  const x = ["merges", "vocabulary", ...SINGLE].find((axis) => SINGLE.includes(axis)) ?? "recall";
  const spare = (axis) => VARIED.includes(axis) && axis !== x;
  return {
    x,
    y: "f1",
    row: ["dropout", "aggregate", "samples", "spaces", ...SINGLE].find(spare) ?? x,
    color: ["family", "dropout", "segmenter", "aligner", ...SINGLE].find(spare) ?? NONE,
    facet: PANELS.find(spare) ?? NONE,
    mark: "lines",
    show: "best",
    intervals: "",
  };
}

function explorer() {
  const defaults = explorerDefaults();
  const metrics = Object.entries(METRICS).filter(([metric]) => CELLS.some((cell) => typeof cell[metric] === "number"));
  const axes = SINGLE.map((axis) => [axis, AXES[axis]]);
  const facets = VARIED.map((axis) => [axis, AXES[axis]]);
  const names = (options) => options.map(([name]) => name);
  /** @type {Record<string, string[]>} */
  const possible = {
    x: names([...axes, ...metrics]),
    y: names(metrics),
    row: names(axes),
    color: [NONE, ...names(axes)],
    facet: [NONE, ...names(facets)],
    mark: Object.keys(MARKS),
    show: Object.keys(SHOWN),
    intervals: ["yes", ""],
  };
  // The choices in the address, as far as they are valid here: an address may come from another report.
  function state() {
    const now = { ...defaults };
    for (const [name, value] of Object.entries(defaults)) {
      now[name] = possible[name].includes(chosen(name)) ? chosen(name) : value;
    }
    // A heat map needs an axis on x.
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
      SINGLE.every((axis) => {
        const only = allowed(axis);
        return !only || valuesOf(cell, axis).some((value) => only.includes(String(value)));
      }),
    );

  const there = [...VARIED, ...names(metrics)];
  const presets = PRESETS.filter(([, , needed]) => needed.every((name) => there.includes(name))).map(([name, view, , panels]) => {
    const color = view.color && VARIED.includes(view.color) ? view.color : defaults.color;
    const facet = panels.find((axis) => VARIED.includes(axis) && axis !== view.x) ?? NONE;
    return /** @type {[string, Partial<View>]} */ ([name, { ...view, color, facet }]);
  });
  const differs = (view, now) => Object.entries(view).some(([name, value]) => now[name] !== value);

  function controls() {
    const now = state();
    const heat = now.mark === "heat";
    const pick = (name, label, options) => select(label, options, now[name], (value) => set({ [name]: value }));
    replace(
      $("presets"),
      presets.map(([name, view]) =>
        h("button", { type: "button", "aria-pressed": String(!differs(view, now)), onclick: () => set(view) }, name),
      ),
    );
    replace(
      $("encodings"),
      pick("mark", "Chart", Object.entries(MARKS)),
      pick("y", heat ? "Shade" : "Vertical", metrics),
      pick("x", "Horizontal", heat ? axes : [...axes, ...metrics]),
      heat ? pick("row", "Rows", axes) : pick("color", "Color", [[NONE, "one color"], ...axes]),
      pick("facet", "Panels", [[NONE, "one panel"], ...facets]),
      pick("show", "Show", Object.entries(SHOWN)),
      !heat && h("label", { class: "field check" }, h("input", { type: "checkbox", checked: now.intervals === "yes", onchange: (event) => set({ intervals: event.target.checked ? "yes" : "" }) }), "95% intervals"),
    );
    const open = one("#filters details[open]")?.dataset.axis;
    const focused = /** @type {HTMLInputElement | null | undefined} */ (document.activeElement?.closest("#filters input"))?.value;
    replace($("filters"), SINGLE.map((axis) => filter(axis, axis === open)), reset());
    if (open && focused !== undefined) {
      inputs($("filters"), "details[open] input").find((input) => input.value === focused)?.focus();
    }
  }

  function filter(axis, open) {
    const values = distinct(CELLS, axis);
    const only = allowed(axis);
    const toggle = () => {
      const on = inputs(menu, "input:checked").map((input) => input.value);
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
    if (!SINGLE.some(allowed)) return null;
    const none = Object.fromEntries(SINGLE.map((axis) => [`only.${axis}`, null]));
    return h("button", { type: "button", class: "quiet", onclick: () => (choose("explorer", none), update()) }, "Clear filters");
  }

  function update() {
    controls();
    const now = state();
    const all = kept();
    const cells = placed(all, now);
    const { points, over } = collapse(cells, now);
    const left = all.length - cells.length;
    const across = over.length ? ` over ${listed(over.map((axis) => AXES[axis].toLowerCase()))}` : "";
    replace(
      $("shown"),
      `${whole(cells.length)} of ${plural(SCORED.length, "cell")}` +
        (now.show === "all" ? "" : `, drawn as ${plural(points.length, "point")}, the ${SHOWN[now.show]}${across}`) +
        (left ? `; ${plural(left, "cell")} left out whose sides differ in what is drawn` : "") +
        ".",
    );
    redraw($("plot"));
    refill();
  }

  const make = (width) => {
    const now = state();
    const cells = placed(kept(), now);
    const { points } = collapse(cells, now);
    if (!points.length) return null;
    return now.mark === "heat" ? heatMap(points, now, width) : lines(points, cells, now, width);
  };
  chart($("plot"), "The selected view of the grid", make, {
    tip: (value) => (value.count > 1 ? meanCard(value, state()) : CELLS[value.row] && cellCard(CELLS[value.row])),
    cell: (value) => (value.count > 1 ? undefined : CELLS[value.row]),
    empty: "No cell matches these filters, or none has both values.",
  });
  const refill = unfold($("plot-table"), () => cellTable(kept(), state().y));

  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll(".filter[open]")) {
      if (!open.contains(/** @type {Node} */ (event.target))) open.removeAttribute("open");
    }
  });
  $("filters").addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && /** @type {Element} */ (event.target).closest(".filter");
    if (open) {
      open.removeAttribute("open");
      open.querySelector("summary")?.focus();
    }
  });
  address.listeners.push(update);
  update();
}

function meanCard(point, { y }) {
  return h("div", { class: "card" }, h("strong", null, `${METRICS[y]} ${formatMetric(y, point[y])}`), h("p", null, `mean of ${plural(point.count, "cell")}`));
}

function cellTable(cells, metric) {
  const sign = lowerIsBetter(metric) ? 1 : -1;
  const sorted = cells.filter((cell) => typeof cell[metric] === "number").sort((a, b) => sign * (a[metric] - b[metric]));
  const columns = [
    textual("Pair", (cell) => cell.pair),
    textual("Aligner", (cell) => cell.aligner),
    textual("Cell", describe),
    ...["f1", "precision", "recall", "aer", "delta_f1_words"].map((name) => numeric(METRICS[name], (cell) => cell[name], (value) => formatMetric(name, value))),
  ];
  const saved = ["cell", ...Object.keys(REPORT.labels.axes), ...Object.keys(METRICS)].filter((column) => column in (cells[0] ?? {}));
  return [
    tableButtons("cells", ["scores", "unscored"], () => [saved, ...sorted.map((cell) => saved.map((column) => cell[column]))]),
    table(sorted, columns, { limit: 100, cell: (cell) => cell }),
  ];
}

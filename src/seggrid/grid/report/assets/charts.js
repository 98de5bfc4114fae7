// Charts: specifications from Python, given to Vega-Lite. A chart is drawn when it comes into view, or when
// the browser has nothing else to do.

/** @typedef {{ spec: any, rows: Row[], width?: number, view?: any, turn: number, seen: boolean }} Drawn */
/** @type {Map<HTMLElement, Drawn>} */
const drawn = new Map();

// The specification in the width of its place: in one column, or with as many panels in a row as fit.
/** @param {any} spec @param {number} width */
function fitted(spec, width) {
  const { panels, least } = spec.usermeta;
  if (!spec.facet) return { ...spec, autosize: { type: "fit-x", contains: "padding" }, width };
  const columns = Math.max(1, Math.min(panels, Math.floor(width / least)));
  const each = Math.max(120, Math.floor((width - 34 * (columns - 1)) / columns) - 64);
  // A name that is longer than its panel is wide is broken where its parts are joined.
  const parts = `regexp('(.{1,${Math.floor(each / 7.5)}}(?:_|, |$))', 'g')`;
  const header = { labelExpr: `split(trim(replace(datum.label, ${parts}, '$1 \\n')), ' \\n')` };
  return { ...spec, columns, facet: { ...spec.facet, header }, spec: { ...spec.spec, width: each } };
}

/** @param {HTMLElement} element */
async function draw(element) {
  const chart = /** @type {Drawn} */ (drawn.get(element));
  const width = element.clientWidth;
  if (!width) return;
  chart.width = width;
  const turn = (chart.turn += 1);
  // Labels may need more room than was reserved. Then the chart is drawn once more, narrower by the excess.
  for (let room = width, trial = 0; trial < 2; trial += 1) {
    const inner = h("div");
    const spec = { ...fitted(chart.spec, room), data: { values: chart.rows } };
    const view = await embed(inner, spec, width);
    if (chart.turn !== turn) {
      view.finalize();
      return;
    }
    chart.view?.finalize();
    chart.view = view;
    const drawing = /** @type {SVGSVGElement} */ (inner.querySelector("svg"));
    // Its marks are hundreds; the figure has a name, and its table.
    drawing.setAttribute("aria-hidden", "true");
    replace(
      element,
      inner,
      figureButtons(element.getAttribute("aria-label") ?? "", drawing, () => chartRows(view)),
    );
    const excess = Math.ceil(drawing.getBoundingClientRect().width - width);
    if (excess <= 0) break;
    room = Math.max(width / 2, width - excess);
  }
  element.dataset.drawn = String(turn);
}

/** @param {HTMLElement} element @param {any} spec @param {number} width */
async function embed(element, spec, width) {
  const config = structuredClone(REPORT.config);
  config.font = getComputedStyle(document.body).fontFamily;
  config.legend.columns = Math.max(1, Math.floor(width / 290));
  config.axisY.labelLimit = Math.floor(Math.max(width * 0.38, Math.min(width * 0.5, 220)));
  config.header.labelLimit = spec.spec?.width ?? width;
  if (spec.params) replace($("parameters")); // the selects of the drawing before
  const { view } = await vegaEmbed(
    element,
    { $schema: "https://vega.github.io/schema/vega-lite/v6.json", ...spec },
    {
      ast: true, // expressions are interpreted, not compiled: the page's policy forbids eval
      actions: false,
      logLevel: 1, // errors alone: a panel that a filter has just emptied has no extent
      defaultStyle: false,
      renderer: "svg",
      config,
      tooltip: (_handler, event, _item, value) => showTip(event, value && card(value)),
    },
  );
  view.addEventListener("click", (_event, item) => openCell(cellOf(item?.datum)));
  return view;
}

// The cell that a mark stands for.
/** @param {any} datum @returns {Row | undefined} */
const cellOf = (datum) =>
  CELLS[datum?.cell in CELLS ? datum.cell : typeof datum?.cell === "string" ? datum.i : -1];

function card(datum) {
  const cell = cellOf(datum);
  if (cell) return cellCard(cell);
  const shown = Object.entries(datum).filter(
    ([name, value]) => !["style", "panel", "at"].includes(name) && value !== null && value !== "",
  );
  if (!shown.length) return null;
  const said = (value) =>
    typeof value === "number" && !Number.isInteger(value) ? score(value) : String(value);
  return h(
    "div",
    { class: "card" },
    h(
      "dl",
      null,
      shown.map(([name, value]) => [h("dt", null, name), h("dd", null, said(value))]),
    ),
  );
}

// What a chart draws, as rows with headings.
/** @param {any} view */
function chartRows(view) {
  const found = new Set();
  const collect = (item) => {
    if (item.datum && item.mark?.role === "mark" && !Array.isArray(item.datum)) found.add(item.datum);
    for (const child of item.items ?? []) collect(child);
  };
  collect(view.scenegraph().root);
  const values = [...found].filter((value) => "panel" in value);
  const columns = [...new Set(values.flatMap(Object.keys))].filter(
    (name) => name !== "i" && values.some((value) => typeof value[name] !== "object"),
  );
  return [columns, ...values.map((value) => columns.map((column) => value[column]))];
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) show(/** @type {HTMLElement} */ (target));
    }
  },
  { rootMargin: "300px" },
);

/** @param {HTMLElement} element */
function show(element) {
  seen.unobserve(element);
  const chart = /** @type {Drawn} */ (drawn.get(element));
  chart.seen = true;
  return draw(element);
}

/** @param {HTMLElement} element @param {any} spec @param {Row[]} rows */
function chart(element, spec, rows) {
  element.setAttribute("role", "figure");
  drawn.set(element, { spec, rows, turn: 0, seen: false });
  seen.observe(element);
}

function redrawAll() {
  for (const [element, { seen }] of drawn) if (seen) draw(element);
}

let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const [element, { width, seen }] of drawn) if (seen && element.clientWidth !== width) draw(element);
  }, 150);
});

// Draw the charts that are out of sight while the browser is idle: printing does not wait for a drawing.
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
async function drawNext() {
  const next = [...drawn].find(([element, { seen }]) => !seen && element.clientWidth);
  if (!next) return;
  await show(next[0]);
  whenIdle(drawNext);
}

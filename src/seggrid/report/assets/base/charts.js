// Vega-Lite charts in the colors of the page; a chart is drawn when it comes into view, or when the browser has nothing else to do.

// A color of page.css. The browser resolves it, so that a chart on the screen has another one than the same on paper.
const css = (name) => `var(${name})`;

// Nine colors that are told apart with the common kinds of color blindness too, where each has a shape of its own.
const PALETTE = ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7", "--c8", "--c9"];
const SHAPES = ["circle", "triangle-up", "square", "diamond", "triangle-down", "cross", "triangle-right", "M0,-.6L.35,-.95L.95,-.35L.6,0L.95,.35L.35,.95L0,.6L-.35,.95L-.95,.35L-.6,0L-.95,-.35L-.35,-.95Z", "triangle-left"];

function chartConfig() {
  const ink = css("--ink");
  const muted = css("--muted");
  const line = css("--line");
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: "transparent",
    font,
    axis: {
      labelColor: muted,
      titleColor: ink,
      titleFontWeight: 500,
      titleFontSize: 12,
      labelFontSize: 11,
      gridColor: line,
      domainColor: line,
      tickColor: line,
      titlePadding: 8,
      labelPadding: 5,
    },
    axisY: { domain: false, ticks: false },
    header: { labelColor: ink, titleColor: ink, labelFontSize: 12, labelFontWeight: 600, title: null, labelPadding: 6 },
    legend: {
      labelColor: ink,
      titleColor: muted,
      titleFontWeight: 500,
      labelFontSize: 12,
      titleFontSize: 12,
      orient: "top",
      symbolStrokeWidth: 2,
      symbolOpacity: 1,
      labelLimit: 220,
      columnPadding: 14,
      titleLimit: 200,
      padding: 0,
      offset: 10,
    },
    range: { category: PALETTE.map(css) },
    view: { stroke: null },
    mark: { tooltip: { content: "data" } },
    line: { strokeWidth: 2, tooltip: null },
    point: { filled: true, size: 42, opacity: 1 },
    text: { color: ink, font },
  };
}

const drawn = new Map();

async function draw(element) {
  const chart = drawn.get(element);
  const width = element.clientWidth;
  if (!width) return;
  chart.width = width;
  const turn = (chart.turn = (chart.turn ?? 0) + 1);
  // Labels may need more room than was reserved. Then the chart is drawn once more, narrower by the excess.
  for (let room = width, trial = 0; trial < 2; trial += 1) {
    const spec = chart.make(room);
    chart.view?.finalize();
    chart.view = null;
    const inner = spec ? h("div") : h("p", { class: "note" }, chart.empty);
    const view = spec && (await embed(inner, spec, chart));
    if (chart.turn !== turn) {
      view?.finalize();
      return;
    }
    chart.view = view;
    replace(element, inner);
    if (spec) element.append(figureButtons(chart.label, inner.querySelector("svg"), () => chartRows(spec, chart)));
    const excess = Math.ceil((inner.querySelector("svg")?.getBoundingClientRect().width ?? 0) - width);
    if (excess <= 0) break;
    room = Math.max(width / 2, width - excess);
  }
  element.dataset.drawn = String(turn);
}

async function embed(element, spec, chart) {
  const { view } = await vegaEmbed(element, { $schema: "https://vega.github.io/schema/vega-lite/v6.json", ...spec }, {
    ast: true, // expressions are interpreted, not compiled: the page's policy forbids eval
    actions: false,
    defaultStyle: false,
    renderer: "svg",
    config: chartConfig(),
    tooltip: (_handler, event, _item, value) => showTip(event, value && chart.tip(value)),
  });
  view.addEventListener("click", (_event, item) => item?.datum && openCell(chart.cell(item.datum)));
  return view;
}

// What a chart draws, as rows with headings: the fields of its encodings, and the names of cells.
function chartRows(spec, chart) {
  const fields = new Set();
  const collect = (part) => {
    if (!part || typeof part !== "object") return;
    if (typeof part.field === "string") fields.add(part.field);
    for (const [name, value] of Object.entries(part)) if (name !== "data" && name !== "detail") collect(value);
  };
  collect(spec);
  const values = spec.data.values.filter((value) => !value.absent);
  const columns = [...fields].filter((field) => values.some((value) => field in value));
  const cells = values.map((value) => chart.cell(value)?.cell ?? "");
  const known = cells.some(Boolean);
  return [[...(known ? ["cell"] : []), ...columns], ...values.map((value, k) => [...(known ? [cells[k]] : []), ...columns.map((column) => value[column])])];
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      drawn.get(entry.target).seen = true;
      draw(entry.target);
    }
  },
  { rootMargin: "300px" },
);

// make(width) returns a Vega-Lite specification, or null if there is nothing to show.
// A card is shown beside a mark; a click on a mark opens the alignments of its cell.
function chart(element, label, make, { tip = (_value) => null, cell = (_value) => /** @type {Row | undefined} */ (undefined), empty = "Nothing to show." } = {}) {
  element.setAttribute("role", "figure");
  element.setAttribute("aria-label", label);
  drawn.set(element, { label, make, tip, cell, empty, seen: false });
  seen.observe(element);
}

function redraw(element) {
  if (drawn.get(element)?.seen) draw(element);
}

function redrawAll() {
  for (const element of drawn.keys()) redraw(element);
}

let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const [element, { width }] of drawn) if (element.clientWidth !== width) redraw(element);
  }, 150);
});
// Draw the charts that are out of sight while the browser is idle: printing does not wait for a drawing.
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
async function drawNext() {
  const next = [...drawn].find(([, chart]) => !chart.seen);
  if (!next) return;
  next[1].seen = true;
  await draw(next[0]);
  whenIdle(drawNext);
}
addEventListener("load", () => whenIdle(drawNext));

// How many columns of small multiples fit, and the width of each.
function multiples(width, count, least = 240, gap = 20, margin = 52) {
  const columns = Math.max(1, Math.min(count, Math.floor((width - margin + gap) / (least + gap))));
  return { columns, width: Math.floor((width - margin - (columns - 1) * gap) / columns) - 8 };
}

// A scale for an axis of the grid: logarithmic if its largest value is at least ten times the smallest; 0
// then gets a place below the smallest positive value.
function axisScale(axis, values) {
  if (!isNumeric(axis)) return { type: "ordinal", scale: { domain: values }, sort: values };
  const positive = values.filter((value) => value > 0);
  const least = Math.min(...positive);
  const tenfold = Math.min(...values) >= 0 && Math.max(...values) / least >= 10;
  const log = positive.length === values.length ? { type: "log" } : { type: "symlog", constant: least };
  return {
    type: "quantitative",
    scale: { ...(tenfold ? log : { zero: false }), nice: false, padding: 12 },
    axis: { values, labelExpr: "format(datum.value, ',')", labelOverlap: true, grid: false },
  };
}

// The scale of a metric. Shares end at a tick, and so neither below 0 nor above 1; others get some room.
const scoreScale = (metric) => (["precision", "recall", "f1", "aer"].includes(metric) ? { zero: false, nice: true } : { zero: false, padding: 8 });

/**
 * The number format of a metric's ticks. Vega's default rounds to whole numbers if all values are the same.
 * @param {number[]} values
 */
function tickFormat(values) {
  if (Math.max(...values.map(Math.abs)) >= 20) return ",.0f";
  return Math.max(...values) - Math.min(...values) >= 0.05 ? ".2f" : ".3f";
}

function colorScale(values) {
  if (values.length <= PALETTE.length) return { domain: values, range: PALETTE.map(css) };
  const extent = isDark() ? [0.3, 1] : [0.05, 0.85];
  return { domain: values, scheme: { name: "viridis", extent, count: Math.max(values.length, 3) } };
}

// The embedded tables, the axes of the grid, and the labels of cells and values.

/** @typedef {{ i: number, [column: string]: any }} Row */

/**
 * The data that `seggrid.report.page` embeds.
 * @type {{
 *   labels: { metrics: Record<string, string>, measures: Record<string, string>, axes: Record<string, string>, values: Record<string, Record<string, string>>, stages: string[] },
 *   languages: Record<string, { source: string, target: string }>,
 *   about: Record<string, any>,
 *   tables: Record<string, Record<string, any[] | { texts: string[], at: number[] }>>,
 *   columns: Record<string, Record<string, { unit: string, meaning: string }>>,
 *   latex: Record<string, { of: string, text: string }>,
 *   viewer: Record<string, { cells: string[], data: string }>,
 *   order?: string,
 * }}
 */
const REPORT = JSON.parse($("data").textContent ?? "");

// The value of an object's own property: a name from the address might be "constructor".
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * The rows of a table.
 * @param {string} name
 * @returns {Row[]}
 */
function rows(name) {
  const columns = Object.entries(REPORT.tables[name] ?? {});
  if (!columns.length) return [];
  const [, first] = columns[0];
  const count = (Array.isArray(first) ? first : first.at).length;
  const result = Array.from({ length: count }, (_, i) => /** @type {Row} */ ({ i }));
  for (const [column, values] of columns) {
    if (Array.isArray(values)) values.forEach((value, i) => (result[i][column] = value));
    else values.at.forEach((at, i) => (result[i][column] = values.texts[at]));
  }
  return result;
}

const CELLS = rows("scores");
const CELL = new Map(CELLS.map((cell) => [cell.cell, cell]));
const SCORED = CELLS.filter((cell) => typeof cell.f1 === "number");
const PUBLISHED = rows("published");

const METRICS = { ...REPORT.labels.metrics, ...REPORT.labels.measures };
const isScore = (metric) => metric in REPORT.labels.metrics;
const lowerIsBetter = (metric) => metric === "aer" || metric.endsWith("_sd");
const isGain = (metric) => metric.startsWith("delta_");
const formatMetric = (metric, value) =>
  Number.isInteger(value) && !isScore(metric) ? whole(value) : isGain(metric) ? gain(value) : score(value);

// Scores of different pairs or aligners are not comparable, and tokens across spaces differ in kind from
// tokens within words: if these axes vary, there can be a panel for each combination of them.
/** @type {[string, string[]][]} */
const COMBINED = [
  ["setting", ["pair", "aligner"]],
  ["spaced", ["pair", "aligner", "spaces"]],
];

/** @type {Record<string, string>} */
const AXES = { ...REPORT.labels.axes, family: "Segmentation" };

// The values of an axis for a cell: a list, since a cell can belong to several experiments.
function valuesOf(cell, axis) {
  const value = cell[axis];
  if (value === null || value === undefined || value === "") return [];
  return axis === "experiment" ? value.split(";") : [value];
}

// The order of values: numbers and fractions by size, texts as in the table.
/** @type {Record<string, number>} */
const AGGREGATES = { none: -2, union: -1, intersection: 2 };

/** @param {string | number} value */
function size(value) {
  if (typeof value === "number") return value;
  const [above, below = "1"] = value.split("/");
  return value === "" ? NaN : Number(above) / Number(below);
}

// Thresholds on probabilities come after those on votes.
/** @param {string | number} value */
function aggregateRank(value) {
  const text = String(value);
  if (text.startsWith("posterior-")) return 3 + size(text.slice("posterior-".length));
  return AGGREGATES[text] ?? size(value);
}

/** @param {string} axis */
function compareValues(axis) {
  /** @param {string | number} value */
  const rank = (value) => (axis === "aggregate" ? aggregateRank(value) : size(value));
  return (/** @type {string | number} */ a, /** @type {string | number} */ b) => rank(a) - rank(b) || 0;
}

function distinct(cells, axis) {
  const values = new Set(cells.flatMap((cell) => valuesOf(cell, axis)));
  return [...values].sort(compareValues(axis));
}

/** @param {string} axis */
const varies = (axis) => distinct(CELLS, axis).length > 1;

for (const [name, axes] of COMBINED) {
  const varied = axes.filter(varies);
  // Leave out a combination that equals a single axis or the combination before it.
  if (varied.length < 2 || (name === "spaced" && !varies("spaces"))) continue;
  AXES[name] = varied.map((axis, place) => (place ? AXES[axis].toLowerCase() : AXES[axis])).join(", ");
  for (const cell of CELLS) {
    cell[name] = varied.flatMap((axis) => valuesOf(cell, axis).map((value) => valueLabel(axis, value))).join(", ");
  }
}
const VARIED = Object.keys(AXES).filter(varies);
// Axes that are not combinations.
const SINGLE = VARIED.filter((axis) => !COMBINED.some(([name]) => name === axis));
const isNumeric = (axis) => CELLS.some((cell) => typeof cell[axis] === "number");

/**
 * The label of a value.
 * @param {string} axis
 * @param {string | number} value
 */
function valueLabel(axis, value) {
  return own(own(REPORT.labels.values, axis), value) ?? (typeof value === "number" && Number.isInteger(value) ? whole(value) : String(value));
}

const describe = (cell) => cell.name;

// A cell's description with its aligner, from its name in a table of results.
function nameOfCell(name) {
  const cell = CELL.get(name);
  return cell ? `${cell.aligner}: ${describe(cell)}` : name;
}

// The description of a setting, which is a cell's name without the pair.
/** @type {Map<string, Row>} */
const SETTINGS = new Map(CELLS.map((cell) => [cell.cell.slice(cell.cell.indexOf("/") + 1), cell]));
const nameOfSetting = (name) => nameOfCell(SETTINGS.get(name)?.cell ?? name);

// The cells that the alignment viewer has.
const VIEWED = new Set(Object.values(REPORT.viewer).flatMap(({ cells }) => cells));
/** @param {Row | undefined} cell */
const inViewer = (cell) => Boolean(cell && VIEWED.has(cell.cell));

// The cells that a cell is compared with, if they have scores: the best words under the same aligner, and the
// same cell without dropout and knockout.
/** @returns {Row | undefined} */
const scoredAt = (row) => (typeof CELLS[row]?.f1 === "number" ? CELLS[row] : undefined);
const wordsOf = (cell) => scoredAt(cell.words);
const plainOf = (cell) => scoredAt(cell.plain);

// The first of the cells with the best value of a metric; for measures, which have no best value, that with the best F1.
/** @param {Row[]} cells @param {string} y */
function bestOf(cells, y) {
  const metric = isScore(y) ? y : "f1";
  const sign = lowerIsBetter(metric) ? -1 : 1;
  return cells.reduce((best, cell) => (sign * cell[metric] > sign * best[metric] ? cell : best));
}

// The gain in F1 over words or over the plain cell; null if the cell is itself that cell.
/** @param {Row} cell @param {"words" | "plain"} partner */
function gainOver(cell, partner) {
  const value = cell[`delta_f1_${partner}`];
  return typeof value === "number" && typeof cell[partner] === "number" ? value : null;
}

// The card shown when hovering over a cell.
function cellCard(cell) {
  const line = (metric) => {
    const value = cell[metric];
    if (typeof value !== "number") return null;
    const low = cell[`${metric}_low`];
    const interval = typeof low === "number" ? ` [${score(low)}, ${score(cell[`${metric}_high`])}]` : "";
    return [h("dt", null, METRICS[metric]), h("dd", null, formatMetric(metric, value), h("small", null, interval))];
  };
  const tested = (kind) => {
    const p = cell[`p_${kind}_holm`];
    const value = gainOver(cell, kind);
    if (value === null) return null;
    return [
      h("dt", null, kind === "words" ? "over words" : "over plain"),
      h("dd", null, gain(value), h("small", null, typeof p === "number" ? ` ${pValue(p)}` : "")),
    ];
  };
  return h(
    "div",
    { class: "card" },
    h("strong", null, describe(cell)),
    h("p", null, `${cell.pair} · ${cell.aligner}`),
    cell.remark && h("p", null, cell.remark),
    VIEWED.size > 0 && h("p", null, inViewer(cell) ? "Click: its alignments." : `Its alignments are not on this page, which has those of ${plural(VIEWED.size, "cell")}.`),
    h("dl", null, ["f1", "precision", "recall", "aer"].map(line), tested("words"), tested("plain"), ["f1_sd", "f1_samples_sd"].map(line)),
  );
}

// The embedded tables, the grid's axes, and how a cell is named.

const REPORT = JSON.parse($("data").textContent);

function rows(name) {
  const columns = Object.entries(REPORT.tables[name] ?? {});
  if (!columns.length) return [];
  const [, first] = columns[0];
  const count = (Array.isArray(first) ? first : first.at).length;
  const result = Array.from({ length: count }, (_, i) => ({ i }));
  for (const [column, values] of columns) {
    if (Array.isArray(values)) values.forEach((value, i) => (result[i][column] = value));
    else values.at.forEach((at, i) => (result[i][column] = values.texts[at]));
  }
  return result;
}

const CELLS = rows("scores");
// Scores of unlike pairs and aligners are not comparable: where both vary, panels are for each of both.
for (const cell of CELLS) cell.setting = `${cell.pair}, ${cell.aligner}`;
const CELL = new Map(CELLS.map((cell) => [cell.cell, cell]));
const SCORED = CELLS.filter((cell) => typeof cell.f1 === "number");
const PUBLISHED = rows("published");

const METRICS = {
  f1: "F1",
  precision: "Precision",
  recall: "Recall",
  aer: "AER",
  delta_f1_words: "F1 gain over words",
  delta_f1_plain: "F1 gain over plain",
  f1_sd: "F1 spread over replicates",
  f1_samples_sd: "F1 spread over samples",
  links: "Links",
};
const lowerIsBetter = (metric) => metric === "aer" || metric.endsWith("_sd");
const isGain = (metric) => metric.startsWith("delta_");
const formatMetric = (metric, value) =>
  metric === "links" ? whole(value) : isGain(metric) ? gain(value) : score(value);

const AXES = {
  pair: "Pair",
  aligner: "Aligner",
  setting: "Pair and aligner",
  segmenter: "Segmenter",
  sides: "Sides",
  spaces: "Spaces",
  merges: "Merges",
  dropout: "Dropout",
  samples: "Samples",
  aggregate: "Aggregation",
  dropout_kind: "Dropout kind",
  knockout: "Knockout",
  scoring: "Scoring",
  application: "Application",
  case: "Case",
  symmetrization: "Symmetrization",
  replicates: "Replicates",
  experiment: "Experiment",
};

// What a column of the table says about a cell: a list, for a cell can be in two experiments.
function valuesOf(cell, axis) {
  const value = cell[axis];
  if (value === null || value === undefined || value === "") return [];
  return axis === "experiment" ? value.split(";") : [value];
}

const AGGREGATES = { none: -2, union: -1, intersection: 2 };

function compareValues(axis) {
  if (axis === "aggregate") {
    const rank = (value) => AGGREGATES[value] ?? Number(value);
    return (a, b) => rank(a) - rank(b);
  }
  return (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : 0);
}

function distinct(cells, axis) {
  const values = new Set(cells.flatMap((cell) => valuesOf(cell, axis)));
  return [...values].sort(compareValues(axis));
}

const varies = (axis) => distinct(CELLS, axis).length > 1;
const VARIED = Object.keys(AXES).filter((axis) => (axis === "setting" ? varies("pair") && varies("aligner") : varies(axis)));
const isNumeric = (axis) => CELLS.some((cell) => typeof cell[axis] === "number");

const SEGMENTERS = {
  bpe: "BPE",
  words: "words",
  wordpiece: "WordPiece",
  unigram: "Unigram",
  wordmap: "Wordmap",
};

function valueLabel(axis, value) {
  if (axis === "segmenter") return SEGMENTERS[value] ?? value;
  if (axis === "aggregate" && value === "none") return "single";
  if (axis === "spaces") return value === "yes" ? "kept" : "merged";
  return typeof value === "number" && Number.isInteger(value) ? whole(value) : String(value);
}

const describe = (cell) => cell.name;

const sameSetting = (a, b) =>
  a.pair === b.pair && a.aligner === b.aligner && a.symmetrization === b.symmetrization;
const wordsOf = (cell) => SCORED.find((other) => other.sides === "none" && sameSetting(cell, other));

// What hovering over a cell shows.
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
    const value = cell[`delta_f1_${kind}`];
    if (typeof value !== "number") return null;
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
    h("dl", null, ["f1", "precision", "recall", "aer"].map(line), tested("words"), tested("plain"), ["f1_sd", "f1_samples_sd"].map(line)),
  );
}

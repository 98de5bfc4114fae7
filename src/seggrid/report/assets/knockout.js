// Pruned models: how well their tokens meet morphemes, and what pruning did to the alignments.

const MORPHOLOGY = rows("morphology");
const CURVES = rows("curves");
const HISTOGRAMS = rows("histograms");

const isPruned = (cell) => cell.knockout && cell.knockout !== "none";

// The same cell with its models as they were learned.
const unpruned = (() => {
  const key = (cell) => {
    const bare = (spec) => spec.split("+").filter((part) => !part.startsWith("knockout=")).join("+");
    return [cell.pair, bare(cell.source), bare(cell.target), cell.aligner, cell.symmetrization, cell.samples, cell.aggregate].join("\0");
  };
  const plain = new Map(SCORED.filter((cell) => !isPruned(cell)).map((cell) => [key(cell), cell]));
  return (cell) => plain.get(key(cell));
})();

function prunedPairs() {
  return SCORED.filter(isPruned)
    .map((cell) => ({ cell, before: unpruned(cell) }))
    .filter(({ before }) => before);
}

const hasKnockout = () => MORPHOLOGY.length + CURVES.length + HISTOGRAMS.length > 0 || prunedPairs().length > 0;

function knockout() {
  const body = $("knockout-body");
  const part = (title, note, ...content) =>
    build(body, null, [h("h3", null, title), note && h("p", { class: "note" }, note), content]);
  const figure = (label, make, tip) => {
    const element = h("div", { class: "chart" });
    requestAnimationFrame(() => chart(element, label, make, { tip }));
    return element;
  };

  if (MORPHOLOGY.length) part("Boundaries against morphemes", "Percentages; where a published figure is known it stands in brackets.", ...morphologyTables());
  const sweep = curves(["blame", "blame-tokens"], "Blame threshold");
  if (sweep) part("Blame threshold", "Merges are pruned whose share of morpheme boundaries crossed is at least the threshold. Dashed: the model as learned.", figure("Scores over blame thresholds", sweep, curveCard));
  const shares = curves(["random", "latest"], "Share of merges pruned");
  if (shares) part("Pruning at random, or the latest merges", null, figure("Scores over the share pruned at random or last", shares, curveCard));
  for (const [kind, title, axis] of [
    ["position", "Where the pruned types stood", "Position in the vocabulary"],
    ["change", "Change in tokens per word", "Tokens after minus before"],
  ]) {
    const bars = HISTOGRAMS.filter((row) => row.figure === kind);
    if (bars.length) part(title, null, figure(title, (width) => histogram(bars, axis, width)));
  }
  const pairs = prunedPairs();
  if (pairs.length) {
    part("Alignments with and without pruning", "F1 of each pruned cell against the same cell with its models as learned.", figure("F1 with and without pruning", (width) => pruning(pairs, width), ({ row }) => CELLS[row] && cellCard(CELLS[row])));
  }
}

// Which model and which reference a row is of: the columns of text that say nothing else.
const IDENTITY = Object.entries(REPORT.tables.morphology ?? REPORT.tables.histograms ?? {})
  .filter(([name, values]) => !Array.isArray(values) && !["knockout", "evaluation", "boundaries", "unit", "figure"].includes(name))
  .map(([name]) => name);
const settingOf = (row) => IDENTITY.map((name) => row[name]).filter(Boolean).join(", ");

// The rows that the paper's own tables have, and the others folded away.
function morphologyTables() {
  const main = MORPHOLOGY.filter(
    (row) => typeof row.published_f1 === "number" || ["none", "blame-0.5", "ideal"].includes(row.knockout),
  );
  const all = h("details", { class: "more" }, h("summary", null, `All ${plural(MORPHOLOGY.length, "row")}`), h("div"));
  unfold(all, () => morphologyTable(MORPHOLOGY));
  return main.length && main.length < MORPHOLOGY.length ? [morphologyTable(main), all] : [morphologyTable(MORPHOLOGY)];
}

function morphologyTable(shown) {
  const percent = (row, metric) => {
    const value = row[metric];
    if (typeof value !== "number") return "–";
    const known = row[`published_${metric}`];
    return [(100 * value).toFixed(1), typeof known === "number" && h("small", null, ` (${(100 * known).toFixed(1)})`)];
  };
  const number = (name, format) => (row) => (typeof row[name] === "number" ? format(row[name]) : "–");
  const several = new Set(MORPHOLOGY.map(settingOf)).size > 1;
  return table(shown, [
    ...(several ? [["Model", settingOf]] : []),
    ["Pruned by", (row) => row.knockout + (row.dropout ? `, dropout ${row.dropout}` : "")],
    ["Evaluated on", (row) => row.evaluation],
    ["Boundaries", (row) => `${row.boundaries}, ${row.unit}`],
    ["Types", number("vocabulary", whole), "number"],
    ...["precision", "recall", "f1"].map((metric) => [METRICS[metric], (row) => percent(row, metric), "number"]),
    ["Tokens a word", number("tokens_per_word", (value) => value.toFixed(2)), "number"],
  ], { limit: 200 });
}

const curveCard = ({ row }) =>
  CURVES[row] &&
  h(
    "div",
    { class: "card" },
    h("strong", null, CURVES[row].knockout),
    h("p", null, CURVES[row].setting),
    h(
      "dl",
      null,
      ["precision", "recall", "f1"].map((metric) => [h("dt", null, METRICS[metric]), h("dd", null, score(CURVES[row][metric]))]),
      typeof CURVES[row].pruned === "number" && [h("dt", null, "merges pruned"), h("dd", null, `${(100 * CURVES[row].pruned).toFixed(1)}%`)],
    ),
  );

// Precision, recall and F1 over the amount of some methods, a panel for each method and model.
function curves(methods, title) {
  const all = CURVES.filter((row) => methods.includes(row.method) && typeof row.amount === "number");
  // One or two amounts make no curve: the table has them.
  const points = Object.values(Object.groupBy(all, (row) => `${row.setting}\0${row.method}`))
    .filter((rows) => new Set(rows.map((row) => row.amount)).size >= 3)
    .flat();
  if (!points.length) return null;
  const long = (row, amount, panel, base) =>
    ["precision", "recall", "f1"].map((metric) => ({ row: row.i, panel, amount, metric: METRICS[metric], value: row[metric], base }));
  const values = points.flatMap((row) => {
    const panel = [row.setting, row.method].filter(Boolean).join(", ");
    const learned = CURVES.find((other) => other.knockout === "none" && other.setting === row.setting);
    return [...long(row, row.amount, panel, false), ...(learned ? long(learned, row.amount, panel, true) : [])];
  });
  const panels = [...new Set(values.map((value) => value.panel))];
  const scale = { domain: ["Precision", "Recall", "F1"], range: [css("--c2"), css("--c3"), css("--c1")] };
  return (width) => {
    const { columns, width: each } = multiples(width, panels.length, 280, 24);
    const encoding = {
      x: { field: "amount", type: "quantitative", title, scale: { zero: false, nice: false, padding: 8 }, axis: { tickCount: 6, grid: false } },
      y: { field: "value", type: "quantitative", title: null, scale: { zero: false } },
      color: { field: "metric", type: "nominal", scale, title: null, legend: { symbolType: "circle" } },
    };
    return {
      data: { values },
      facet: { field: "panel", type: "nominal", sort: panels },
      columns,
      spec: {
        width: Math.min(each, 520),
        height: 240,
        layer: [
          { transform: [{ filter: "datum.base" }], mark: { type: "line", strokeDash: [5, 4], strokeWidth: 1.2 }, encoding },
          { transform: [{ filter: "!datum.base" }], mark: { type: "line", point: { size: 30 } }, encoding },
        ],
      },
    };
  };
}

function histogram(bars, title, width) {
  const values = bars.map((row) => ({ ...row, panel: [settingOf(row), row.knockout].filter(Boolean).join(", ") }));
  const panels = [...new Set(values.map((value) => value.panel))];
  const { columns, width: each } = multiples(width, panels.length, 280, 24);
  return {
    data: { values },
    facet: { field: "panel", type: "nominal", sort: panels },
    columns,
    spec: {
      width: Math.min(each, 520),
      height: 200,
      mark: { type: "bar", color: css("--c1"), binSpacing: 1 },
      encoding: {
        x: { field: "low", type: "quantitative", bin: { binned: true }, title },
        x2: { field: "high" },
        y: { field: "count", type: "quantitative", title: "Count" },
      },
    },
  };
}

function pruning(pairs, width) {
  const values = pairs.flatMap(({ cell, before }) => {
    const name = `${cell.pair}, ${cell.aligner}: ${describe(cell)}`;
    return [
      { row: before.i, name, f1: before.f1, of: "as learned" },
      { row: cell.i, name, f1: cell.f1, of: "pruned" },
    ];
  });
  const names = [...new Set(values.map((value) => value.name))];
  const narrow = width < 560;
  const y = { field: "name", type: "nominal", sort: names, title: null, axis: { labelLimit: narrow ? 150 : 380 } };
  const scale = { domain: ["as learned", "pruned"], range: [css("--c7"), css("--c1")] };
  return {
    width: width - (narrow ? 170 : 400),
    height: { step: 22 },
    data: { values },
    layer: [
      { mark: { type: "line", color: css("--line"), strokeWidth: 2 }, encoding: { x: { field: "f1", type: "quantitative" }, y, detail: { field: "name" } } },
      {
        mark: { type: "point", size: 50 },
        encoding: {
          x: { field: "f1", type: "quantitative", title: "F1", scale: { zero: false, padding: 10 } },
          y,
          color: { field: "of", type: "nominal", scale, title: null, legend: { symbolType: "circle" } },
        },
      },
    ],
  };
}

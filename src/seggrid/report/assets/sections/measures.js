// Rank correlations of measures of the segmentations with scores.

const CORRELATIONS = rows("correlations");

// The columns before the measure say which cells are ranked together; beside the pair and the aligner, they are
// named only where the grid varies them.
const COLUMNS = Object.keys(REPORT.tables.correlations ?? {});
const GROUP = COLUMNS.slice(0, COLUMNS.indexOf("measure")).filter(
  (axis) => ["pair", "aligner"].includes(axis) || new Set(CORRELATIONS.map((row) => row[axis])).size > 1,
);
const groupOf = (row) => GROUP.map((axis) => row[axis]).filter((value) => value || value === 0).join(", ");

function measures() {
  const shown = CORRELATIONS.filter((row) => row.score === "f1" && typeof row.spearman === "number");
  const known = Object.keys(REPORT.labels.measures).map((name) => METRICS[name]);
  const values = shown.map((row) => ({
    row: row.i,
    panel: groupOf(row),
    measure: METRICS[row.measure] ?? row.measure,
    value: row.spearman,
    low: row.spearman_low,
    high: row.spearman_high,
    others: row.spearman_others,
  }));
  const y = { field: "measure", type: "nominal", sort: known, title: null, axis: { labelLimit: 170 } };
  const scale = { domain: [-1, 1] };
  const several = CORRELATIONS.some((row) => typeof row.spearman_others === "number");
  if (several) $("measures-others").hidden = false;
  chart(
    $("measures-chart"),
    "Rank correlation of measures with F1",
    (width) =>
      inPanels(values, width - 190, {
        height: { step: 18 },
        layer: [
          { mark: { type: "rule", color: css("--muted"), strokeWidth: 2 }, encoding: { x: { field: "low", type: "quantitative", scale, title: "Spearman's rank correlation with F1" }, x2: { field: "high" }, y } },
          { mark: { type: "point", filled: true, size: 45, color: css("--c1") }, encoding: { x: { field: "value", type: "quantitative", scale }, y } },
          ...(several ? [{ mark: { type: "point", filled: false, shape: "diamond", size: 50, strokeWidth: 1.6, color: css("--c2") }, encoding: { x: { field: "others", type: "quantitative", scale }, y } }] : []),
        ],
      }),
    { tip: ({ row }) => CORRELATIONS[row] && correlationCard(CORRELATIONS[row]) },
  );
  unfold($("measures-table"), () =>
    table(CORRELATIONS, [
      textual("Cells of", groupOf),
      textual("Measure", (row) => METRICS[row.measure] ?? row.measure),
      textual("With", (row) => METRICS[row.score]),
      resultColumn("correlations", "cells"),
      resultColumn("correlations", "spearman", "Correlation"),
      ...(several ? [resultColumn("correlations", "spearman_others", "On the other pairs")] : []),
    ], { name: "correlations" }),
  );
}

const correlationCard = (row) =>
  h(
    "div",
    { class: "card" },
    h("strong", null, METRICS[row.measure] ?? row.measure),
    h("p", null, `${groupOf(row)}: ${plural(row.cells, "cell")}`),
    `${score(row.spearman)} (${score(row.spearman_low)} to ${score(row.spearman_high)})`,
    typeof row.spearman_others === "number" && `; mean of the other pairs ${score(row.spearman_others)}`,
  );

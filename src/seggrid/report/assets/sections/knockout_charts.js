// Curves over the amount of pruning, histograms, and F1 with and without pruning.

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

// Precision, recall and F1 over the amount of pruning by some methods, with a panel for each method and model.
function curves(methods, title) {
  const all = CURVES.filter((row) => methods.includes(row.method) && typeof row.amount === "number");
  // Fewer than three amounts make no curve; the table shows them.
  const points = [...Map.groupBy(all, (row) => `${row.setting}\0${row.method}`).values()]
    .filter((rows) => new Set(rows.map((row) => row.amount)).size >= 3)
    .flat();
  if (!points.length) return null;
  const long = (row, amount, panel, base) =>
    ["precision", "recall", "f1"].map((metric) => ({ row: row.i, panel, amount, metric: METRICS[metric], value: row[metric], base }));
  const learned = new Map(CURVES.filter((row) => row.knockout === "none").map((row) => [row.setting, row]));
  const values = points.flatMap((row) => {
    const panel = [row.setting, row.method].filter(Boolean).join(", ");
    const base = learned.get(row.setting);
    return [...long(row, row.amount, panel, false), ...(base ? long(base, row.amount, panel, true) : [])];
  });
  return (width) => {
    const scale = { domain: ["Precision", "Recall", "F1"], range: [css("--c2"), css("--c3"), css("--c1")] };
    const encoding = {
      x: { field: "amount", type: "quantitative", title, scale: { zero: false, nice: false, padding: 8 }, axis: { tickCount: 6, grid: false } },
      y: { field: "value", type: "quantitative", title: null, scale: { zero: false }, axis: { format: tickFormat(values.map(({ value }) => value)) } },
      color: { field: "metric", type: "nominal", scale, title: null, legend: { symbolType: "circle" } },
    };
    const base = { transform: [{ filter: "datum.base" }], mark: { type: "line", strokeDash: [5, 4], strokeWidth: 1.2 }, encoding };
    const drawn = { transform: [{ filter: "!datum.base" }], mark: { type: "line", point: { size: 30 } }, encoding };
    return inPanels(values, width, { height: 240, layer: learned.size ? [base, drawn] : [drawn] });
  };
}

// One panel for each value of `panel`.
function inPanels(values, width, spec) {
  const panels = [...new Set(values.map((value) => value.panel))];
  const { columns, width: each } = multiples(width, panels.length, 280, 24);
  return {
    data: { values },
    facet: { field: "panel", type: "nominal", sort: panels },
    columns,
    spec: { width: Math.min(each, 520), ...spec },
  };
}

function histogram(bars, title, width) {
  const values = bars.map((row) => ({ ...row, panel: [settingOf(row), row.knockout].filter(Boolean).join(", ") }));
  return inPanels(values, width, {
    height: 200,
    mark: { type: "bar", color: css("--c1"), binSpacing: 1 },
    encoding: {
      x: { field: "low", type: "quantitative", bin: { binned: true }, title },
      x2: { field: "high" },
      y: { field: "count", type: "quantitative", title: "Count" },
    },
  });
}

function pruning(pairs, width) {
  const values = pairs.flatMap(({ cell, before }) => {
    const name = `${cell.pair}, ${cell.aligner}: ${describe(cell)}`;
    return [
      { row: before.i, name, f1: before.f1, of: "unpruned" },
      { row: cell.i, name, f1: cell.f1, of: "pruned" },
    ];
  });
  const names = [...new Set(values.map((value) => value.name))];
  const narrow = width < 560;
  const y = { field: "name", type: "nominal", sort: names, title: null, axis: { labelLimit: narrow ? 150 : 380 } };
  const scale = { domain: ["unpruned", "pruned"], range: [css("--muted"), css("--c1")] };
  return {
    width: width - (narrow ? 170 : 400),
    height: { step: 22 },
    data: { values },
    layer: [
      { mark: { type: "line", color: css("--line"), strokeWidth: 2 }, encoding: { x: { field: "f1", type: "quantitative" }, y, detail: { field: "name" } } },
      {
        mark: { type: "point", size: 50 },
        encoding: {
          x: { field: "f1", type: "quantitative", title: "F1", scale: scoreScale("f1"), axis: { format: tickFormat(values.map(({ f1 }) => f1)) } },
          y,
          color: { field: "of", type: "nominal", scale, title: null, legend: { symbolType: "circle" } },
        },
      },
    ],
  };
}

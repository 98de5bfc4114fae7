// The published figures compared with ours.

const FOUR = ["f1", "precision", "recall", "aer"];

function published() {
  const metric = () => (FOUR.includes(chosen("published.metric")) ? chosen("published.metric") : "f1");
  const both = () =>
    PUBLISHED.filter((row) => typeof row[`published_${metric()}`] === "number" && typeof row[metric()] === "number");
  // This table need not repeat the axes; take them from the cell.
  for (const row of PUBLISHED) row.merges ??= CELL.get(row.cell)?.merges ?? null;
  const tables = [...new Set(PUBLISHED.map((row) => row.table))];
  if (!PUBLISHED.some((row) => FOUR.some((name) => typeof row[name] === "number"))) {
    const none = `None of the ${plural(PUBLISHED.length, "published row")} is of a cell with scores in this grid.`;
    replace($("published"), h("h2", { id: "published-title" }, "Published and ours"), h("p", { class: "note" }, none));
    return;
  }

  function update() {
    replace(
      $("published-controls"),
      select("Metric", FOUR.map((name) => [name, METRICS[name]]), metric(), (value) => {
        choose("published", { "published.metric": value === "f1" ? null : value });
        update();
      }),
    );
    const differences = both().map((row) => Math.abs(row[`delta_${metric()}`]));
    const within = (limit) => differences.filter((d) => d <= limit).length;
    replace(
      $("published-summary"),
      `${METRICS[metric()]}: of ${plural(differences.length, "published figure")}, ` +
        `${whole(within(0.002))} within 0.002, ${whole(within(0.02))} within 0.02 of ours.` +
        standIns(),
    );
    redraw($("published-lines"));
    redraw($("published-differences"));
    refill();
  }

  const cellOf = ({ row }) => CELL.get(PUBLISHED[row]?.cell);
  const tip = (value) => {
    const row = PUBLISHED[value.row];
    const cell = row && CELL.get(row.cell);
    return (
      row &&
      h(
        "div",
        { class: "card" },
        h("strong", null, row.table),
        h("p", null, cell ? `${describe(cell)} · ${cell.aligner}` : row.cell, row.stand_in && ` (for ${row.aligner})`),
        h("dl", null, FOUR.filter((name) => typeof row[name] === "number").map((name) => [
          h("dt", null, METRICS[name]),
          h("dd", null, `${score(row[name])} (published ${score(row[`published_${name}`])})`),
        ])),
      )
    );
  };
  chart($("published-lines"), "Published figures and ours over merges, by table", (width) => publishedLines(both(), metric(), tables, width), { tip, cell: cellOf });
  chart($("published-differences"), "Differences between our figures and the published ones", (width) => differences(both(), metric(), tables, width), { tip, cell: cellOf });
  const refill = unfold($("published-table"), () =>
    table(
      PUBLISHED,
      [
        textual("Table", (row) => row.table),
        numeric("Merges", (row) => row.merges, whole),
        ...(PUBLISHED.some((row) => row.stand_in) ? [textual("Stand-in", (row) => (row.stand_in ? `${row.stand_in} for ${row.aligner}` : ""))] : []),
        ...FOUR.flatMap((name) => [
          numeric(`${METRICS[name]}, published`, (row) => row[`published_${name}`], score),
          numeric(METRICS[name], (row) => row[name], score),
          numeric("Difference", (row) => row[`delta_${name}`], gain),
        ]),
      ],
      { cell: (row) => CELL.get(row.cell), name: "published" },
    ),
  );
  address.listeners.push(update);
  update();
}

// Which published rows are compared with cells of another aligner.
function standIns() {
  const found = PUBLISHED.filter((row) => row.stand_in);
  const kinds = Map.groupBy(found, (row) => `${row.stand_in} stands in for ${row.aligner}`);
  return [...kinds].map(([kind, rows]) => ` In ${plural(rows.length, "row")}, ${kind}.`).join("");
}

function publishedLines(found, metric, tables, width) {
  const values = found
    .filter((row) => typeof row.merges === "number")
    .flatMap((row) => [
      { row: row.i, table: row.table, merges: row.merges, of: "ours", value: row[metric] },
      { row: row.i, table: row.table, merges: row.merges, of: "published", value: row[`published_${metric}`] },
    ]);
  if (!values.length) return null;
  const present = tables.filter((name) => values.some((value) => value.table === name));
  const { columns, width: each } = multiples(width, Math.max(present.length, 2), width < 560 ? 120 : 200, 22);
  const scale = { domain: ["ours", "published"], range: [css("--c1"), css("--c2")] };
  const encoding = {
    x: { field: "merges", title: "Merges", ...axisScale("merges", distinct(values, "merges")) },
    y: { field: "value", type: "quantitative", title: METRICS[metric], scale: scoreScale(metric), axis: { format: tickFormat(values.map(({ value }) => value)) } },
    color: { field: "of", type: "nominal", scale, title: null, legend: { symbolType: "circle" } },
  };
  const drawnAs = (of, line, point) => ({
    transform: [{ filter: `datum.of === "${of}"` }],
    layer: [
      { mark: { type: "line", strokeWidth: 1.5, ...line }, encoding },
      { mark: { type: "point", size: 30, ...point }, encoding },
    ],
  });
  return {
    data: { values },
    facet: { field: "table", type: "nominal", sort: present, header: { labelExpr: inLines(present, each), labelFontSize: 11 } },
    columns,
    spacing: 22,
    spec: {
      width: each,
      height: Math.round(each * 0.62),
      layer: [
        drawnAs("published", { strokeDash: [4, 3] }, { shape: "diamond", size: 44 }),
        drawnAs("ours", {}, { shape: "circle" }),
      ],
    },
  };
}

// The name of a table, broken into lines at underscores and spaces to fit its panel.
function inLines(names, width) {
  const most = Math.floor(width / 7);
  const labels = Object.fromEntries(
    names.map((name) => {
      const lines = [""];
      for (const part of name.match(/[^_ ]*[_ ]*/g) ?? []) {
        if (lines.at(-1) && (lines.at(-1) + part).length > most) lines.push("");
        lines[lines.length - 1] += part;
      }
      return [name, lines];
    }),
  );
  return `${JSON.stringify(labels)}[datum.value]`;
}

function differences(found, metric, tables, width) {
  const values = found.map((row) => ({ row: row.i, table: row.table, delta: row[`delta_${metric}`] }));
  if (!values.length) return null;
  const present = tables.filter((name) => values.some((value) => value.table === name));
  const narrow = width < 560;
  return {
    width: width - (narrow ? 150 : 290),
    height: { step: 21 },
    data: { values },
    layer: [
      { data: { values: [{ low: -0.02, high: 0.02 }] }, mark: { type: "rect", color: css("--raised") }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
      { data: { values: [{ zero: 0 }] }, mark: { type: "rule", color: css("--muted") }, encoding: { x: { field: "zero", type: "quantitative" } } },
      {
        mark: { type: "point", size: 40, opacity: 0.8, color: css("--c1") },
        encoding: {
          x: { field: "delta", type: "quantitative", title: `Difference in ${METRICS[metric]} (band: ±0.02)`, axis: { format: "+.3~f" } },
          y: { field: "table", type: "nominal", sort: present, title: null, axis: { labelLimit: narrow ? 130 : 260, grid: true } },
        },
      },
    ],
  };
}

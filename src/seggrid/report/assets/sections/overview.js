// The overview: what was run, the best cells, all cells at a glance.

function overview() {
  const pairs = distinct(CELLS, "pair");
  const aligners = distinct(CELLS, "aligner");
  const unscored = CELLS.filter((cell) => cell.status === "no gold");
  const missing = CELLS.filter((cell) => typeof cell.f1 !== "number" && cell.status !== "no gold");
  replace(
    $("lead"),
    `${plural(SCORED.length, "cell")} of the grid: ${plural(pairs.length, "language pair")}, ` +
      `${plural(aligners.length, "aligner")}, ${plural(distinct(CELLS, "segmenter").length, "segmenter")}.`,
  );
  const notices = [missing.length && missingNotice(missing), unscored.length && unscoredNotice(unscored)];
  if (notices.some(Boolean)) replace($("missing"), notices.filter(Boolean));
  replace($("facts"), facts(pairs).map(([name, value]) => h("div", { class: value.length > 40 ? "wide" : null }, h("dt", null, name), h("dd", null, value))));
  replace($("verdict"), rows("verdict").map(verdictOf));
  fillTables("overview");
  if (REPORT.tables.ranks) ranks();
  else $("ranks-chart").remove();
  if (SCORED.length) replace($("best"), bestCells(pairs, aligners));
  if (SCORED.length > 1) glance();
  else for (const id of ["glance-title", "glance"]) $(id).remove();
}

// The verdict on a pair: what to use, then how sure that is.
/** @param {Row} row */
function verdictOf(row) {
  const { verdict, cell } = row;
  const end = verdict.indexOf(". ") + 1;
  const known = CELL.get(cell);
  const open = inViewer(known) && h("button", { type: "button", class: "quiet", onclick: () => openCell(known) }, "its alignments");
  return h("div", null, h("p", null, h("strong", null, verdict.slice(0, end)), verdict.slice(end)), open);
}

function missingNotice(missing) {
  return h(
    "div",
    { class: "notice" },
    h("strong", null, `${plural(missing.length, "cell")} could not be computed.`),
    " Their jobs failed; see the logs.",
    h("ul", null, missing.slice(0, 8).map((cell) => h("li", null, `${cell.pair}, ${cell.aligner}: ${describe(cell)}`, cell.reason && h("small", null, ` (${cell.reason})`)))),
    missing.length > 8 && `and ${plural(missing.length - 8, "more", "more")}.`,
  );
}

function unscoredNotice(unscored) {
  const pairs = distinct(unscored, "pair");
  return h(
    "div",
    { class: "notice" },
    h("strong", null, `${plural(unscored.length, "cell")} without scores.`),
    ` ${pairs.join(", ")}: no gold. These cells have links and measures (results/scores.csv).`,
  );
}

function facts(pairs) {
  const result = [["Pairs, gold sentences", pairs.map((pair) => `${pair} (${goldOf(pair)})`).join(", ")]];
  const experiments = distinct(CELLS, "experiment");
  if (experiments.length) result.push(["Experiments", experiments.join(", ")]);
  const jobs = rows("cost");
  if (jobs.length) {
    const sum = (column) => jobs.reduce((total, job) => total + (job[column] ?? 0), 0);
    result.push(["Time in jobs", `${duration(sum("seconds"))} (CPU ${duration(sum("cpu_seconds"))})`]);
  }
  const flat = (value) =>
    value && typeof value === "object"
      ? Object.entries(value).map(([name, of]) => `${name} ${of}`).join(", ")
      : String(value);
  for (const [name, value] of Object.entries(REPORT.about)) {
    if (name === "record") result.push(["Settings and inputs", h("a", { href: value }, value)]);
    else if (name !== "title") result.push([name[0].toUpperCase() + name.slice(1), flat(value)]);
  }
  return result;
}

// The number of gold sentences of a pair; a cell that could not be computed does not say it.
function goldOf(pair) {
  const cells = CELLS.filter((cell) => cell.pair === pair);
  if (cells.some((cell) => cell.status === "no gold")) return "no gold";
  const scored = cells.find((cell) => typeof cell.gold_sentences === "number");
  return scored ? whole(scored.gold_sentences) : "–";
}

function bestCells(pairs, aligners) {
  const found = pairs.flatMap((pair) =>
    aligners.map((aligner) => {
      const cells = SCORED.filter((cell) => cell.pair === pair && cell.aligner === aligner);
      const best = cells.length > 0 && bestOf(cells, "f1");
      return best ? [{ best, words: wordsOf(best), plain: plainOf(best) }] : [];
    }),
  ).flat();
  const values = found.flatMap(({ best, words, plain }) => [best.f1_low ?? best.f1, best.f1_high ?? best.f1, words?.f1 ?? best.f1, plain?.f1 ?? best.f1]);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = 0.06 * (high - low || 0.1);
  const at = (value) => `${(100 * (value - low + pad)) / (high - low + 2 * pad)}%`;
  const f1 = numeric("F1", ({ best }) => best.f1, score);
  const ends = ({ best }) => typeof best.f1_low === "number" && h("small", null, ` [${score(best.f1_low)}, ${score(best.f1_high)}]`);
  const columns = [
    textual("Pair", ({ best }) => best.pair),
    textual("Aligner", ({ best }) => best.aligner),
    textual("Best cell", ({ best }) => describe(best)),
    { ...f1, show: (row) => [h("b", null, f1.show(row)), ends(row)] },
    { ...f1, heading: `from ${(low - pad).toFixed(2)} to ${(high + pad).toFixed(2)}`, show: ({ best, words, plain }) => intervalDots(best, words, plain, at) },
    gainColumn("words", "over words"),
    gainColumn("plain", "over plain"),
  ];
  return [
    table(found, columns, { stacked: true, cell: ({ best }) => best, name: "best cells", papers: ["best"] }),
    h(
      "div",
      { class: "key" },
      h("span", null, sample(dot(9)), "best cell, 95% interval"),
      found.some(({ words }) => words) && h("span", null, sample(tick(9)), "best words"),
      found.some(({ plain }) => plain) && h("span", null, sample(ring(9)), "the same without dropout and knockout"),
    ),
  ];
}

const dot = (x) => s("circle", { cx: x, cy: 15, r: 4.5, fill: "var(--c1)" });
const ring = (x) => s("circle", { cx: x, cy: 15, r: 4.5, fill: "var(--paper)", stroke: "var(--muted)", "stroke-width": 1.6 });
const tick = (x) => s("line", { x1: x, x2: x, y1: 7, y2: 23, stroke: "var(--c2)", "stroke-width": 2.5 });
const sample = (mark) => s("svg", { viewBox: "0 6 18 18", "aria-hidden": "true" }, mark);

function intervalDots(best, words, plain, at) {
  const label = `F1 ${score(best.f1)}` + (words ? `, words ${score(words.f1)}` : "");
  return s(
    "svg",
    { role: "img", "aria-label": label },
    s("line", { x1: "0", x2: "100%", y1: 15, y2: 15, stroke: "var(--line)" }),
    typeof best.f1_low === "number" &&
      s("line", { x1: at(best.f1_low), x2: at(best.f1_high), y1: 15, y2: 15, stroke: "var(--c1)", "stroke-width": 3, opacity: 0.55 }),
    plain && ring(at(plain.f1)),
    words && tick(at(words.f1)),
    dot(at(best.f1)),
  );
}

// The gain of a best cell over a cell that it is compared with, and its p-value.
function gainColumn(kind, heading) {
  const column = numeric(heading, ({ best }) => gainOver(best, kind), gain);
  const tested = (p) => typeof p === "number" && h("small", null, ` ${pValue(p)}`);
  return { ...column, show: (row) => [column.show(row), column.value(row) !== null && tested(row.best[`p_${kind}_holm`])] };
}

// Mean ranks of settings over pairs, with half the critical difference on each side.
const MOST_RANKS = 30;
function ranks() {
  const all = rows("ranks");
  const half = all[0].critical_difference / 2;
  const best = all[0].mean_rank;
  const values = all.slice(0, MOST_RANKS).map((row) => ({ ...row, row: row.i, setting: nameOfSetting(row.setting), low: Math.max(1, row.mean_rank - half), high: Math.min(all.length, row.mean_rank + half) }));
  const make = (width) => {
    const labels = Math.min(width < 560 ? 150 : 430, 12 + 6 * Math.max(...values.map(({ setting }) => setting.length)));
    const y = { field: "setting", type: "nominal", sort: values.map(({ setting }) => setting), title: null, axis: { labelLimit: labels, minExtent: labels, grid: false } };
    const x = (field) => ({ field, type: "quantitative", title: `Mean rank over ${all[0].pairs} pairs; critical difference ${(2 * half).toFixed(2)}, ${pValue(all[0].p)}`, scale: { zero: false, nice: false, domain: [1, Math.max(...values.map(({ high }) => high))] } });
    const color = { condition: { test: 'datum.told_apart === "yes"', value: css("--muted") }, value: css("--c1") };
    return {
      width: width - labels - 30,
      height: { step: 17 },
      data: { values },
      layer: [
        { data: { values: [{ end: best + half }] }, mark: { type: "rule", strokeDash: [5, 4], color: css("--muted") }, encoding: { x: { field: "end", type: "quantitative" } } },
        { mark: { type: "rule", strokeWidth: 3, opacity: 0.55 }, encoding: { x: x("low"), x2: { field: "high" }, y, color } },
        { mark: { type: "point", filled: true, size: 50 }, encoding: { x: x("mean_rank"), y, color } },
      ],
    };
  };
  const tip = ({ row }) => all[row] && h("div", { class: "card" }, h("strong", null, nameOfSetting(all[row].setting)), `mean rank ${all[row].mean_rank.toFixed(2)}, mean F1 ${score(all[row].mean_f1)}`);
  chart($("ranks-chart"), "Critical difference of settings across pairs", make, { tip });
}

function glance() {
  const values = SCORED.map((cell) => ({ row: cell.i, f1: cell.f1, family: cell.family, of: `${cell.pair} · ${cell.aligner}` }));
  const families = [...new Set(values.map((v) => v.family))];
  const groups = [...new Set(values.map((v) => v.of))];
  const make = (width) => {
    if (!values.length) return null;
    const longest = Math.max(...families.map((family) => family.length));
    const labels = Math.min(width < 560 ? 170 : 210, 12 + 7 * longest);
    return {
      width: width - labels - 20,
      height: { step: 17 },
      data: { values },
      mark: { type: "tick", thickness: 1.6, size: 12, opacity: 0.75 },
      encoding: {
        x: { field: "f1", type: "quantitative", scale: scoreScale("f1"), title: "F1", axis: { tickCount: 6, format: tickFormat(values.map((value) => value.f1)) } },
        y: { field: "family", type: "nominal", sort: families, title: null, axis: { labelLimit: labels, minExtent: labels, grid: false } },
        row: { field: "of", type: "nominal", sort: groups, spacing: 14, header: { labelOrient: "top", labelAnchor: "start" } },
        color: { field: "family", type: "nominal", scale: colorScale(families), legend: null },
      },
      // Each group only shows the families that it has.
      resolve: { scale: { y: "independent" } },
    };
  };
  chart($("glance"), "F1 of every cell, by pair and aligner", make, { tip: ({ row }) => CELLS[row] && cellCard(CELLS[row]), cell: ({ row }) => CELLS[row] });
}

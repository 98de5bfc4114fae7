// Pruned models: how well their tokens match morphemes, and the effect of pruning on alignment.

const MORPHOLOGY = rows("morphology");
const CURVES = rows("curves");
const HISTOGRAMS = rows("histograms");

const isPruned = (cell) => cell.knockout && cell.knockout !== "none";

// Pruned cells with the same cell without pruning; without dropout, which the plain cell does not have.
function prunedPairs() {
  return SCORED.flatMap((cell) => {
    const before = isPruned(cell) && !cell.dropout && plainOf(cell);
    return before ? [{ cell, before }] : [];
  });
}

const hasKnockout = () => MORPHOLOGY.length + CURVES.length + HISTOGRAMS.length > 0 || prunedPairs().length > 0;

function knockout() {
  const body = $("knockout-body");
  const part = (title, note, ...content) =>
    build(body, null, [h("h3", null, title), note && h("p", { class: "note" }, note), content]);
  const figure = (label, make, tip, cell) => {
    const element = h("div", { class: "chart" });
    requestAnimationFrame(() => chart(element, label, make, { tip, cell }));
    return element;
  };

  if (MORPHOLOGY.length) part("Morpheme boundaries", "Percentages; published ones in parentheses.", ...morphologyTables());
  const sweep = curves(["blame", "blame-tokens"], "Blame threshold");
  if (sweep) part("Blame threshold", "Merges whose blame ratio is at least the threshold are pruned. Dashed: the unpruned model.", figure("Scores over blame thresholds", sweep, curveCard));
  const shares = curves(["random", "latest", "leaves"], "Share of merges pruned");
  if (shares) part("Pruning merges at random, the latest ones, or the latest leaves", "Leaves are types that no merge uses. Dashed: the unpruned model.", figure("Scores over the share of merges pruned at random, latest first, or of leaves", shares, curveCard));
  for (const [kind, title, axis] of [
    ["position", "Positions of the pruned types", "Position in the vocabulary"],
    ["change", "Change in tokens per word", "Tokens after minus before"],
    ["morphemes", "Morphemes per word", "Morphemes"],
    ["stepping_stones", "Stepping stones per type: types that are part of one merge only, and a token of no word", "Stepping stones"],
  ]) {
    const bars = HISTOGRAMS.filter((row) => row.figure === kind);
    if (bars.length) part(title, null, figure(title, (width) => histogram(bars, axis, width)));
  }
  const pairs = prunedPairs();
  if (pairs.length) {
    part("Alignments with and without pruning", "F1 of each pruned cell without dropout, and of the same cell without pruning.", figure("F1 with and without pruning", (width) => pruning(pairs, width), ({ row }) => CELLS[row] && cellCard(CELLS[row]), ({ row }) => CELLS[row]));
  }
}

// The columns that name the model and the reference of a row.
const IDENTITY = ["tokenizer", "reference"];
const settingOf = (row) => IDENTITY.map((name) => row[name]).filter(Boolean).join(", ");

// The rows that the paper's tables have; all rows are in a folded table below.
function morphologyTables() {
  const main = MORPHOLOGY.filter(
    (row) => typeof row.published_f1 === "number" || ["none", "blame-0.5", "ideal"].includes(row.knockout),
  );
  const all = h("details", { class: "more" }, h("summary", null, `All ${plural(MORPHOLOGY.length, "row")}`), h("div"));
  unfold(all, () => morphologyTable(MORPHOLOGY));
  return main.length && main.length < MORPHOLOGY.length ? [morphologyTable(main), all] : [morphologyTable(MORPHOLOGY)];
}

function morphologyTable(shown) {
  const percent = (value) => (100 * value).toFixed(1);
  const scored = (metric) => {
    const column = numeric(METRICS[metric], (row) => row[metric], percent);
    const known = (row) => row[`published_${metric}`];
    return { ...column, show: (row) => [column.show(row), typeof known(row) === "number" && h("small", null, ` (${percent(known(row))})`)] };
  };
  const several = new Set(MORPHOLOGY.map(settingOf)).size > 1;
  return table(shown, [
    ...(several ? [textual("Model", settingOf)] : []),
    textual("Knockout", (row) => row.knockout + (row.dropout ? `, dropout ${row.dropout} (${row.dropout_kind})` : "")),
    textual("Evaluated on", (row) => row.evaluation),
    textual("Boundaries", (row) => `${row.boundaries}, ${row.unit}`),
    numeric("Types", (row) => row.vocabulary, whole),
    ...["precision", "recall", "f1"].map(scored),
    numeric("Tokens per word", (row) => row.tokens_per_word, (value) => value.toFixed(2)),
  ], { limit: 200, name: "morphology" });
}

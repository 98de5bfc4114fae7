// The sections that are tables of results: claims, votes, language models.

/**
 * The tables of a section, in order. Columns are names or [name, heading]; those in `varying` are left out
 * if all rows have the same value.
 * @type {Record<string, { name: string, title?: string, note?: string, columns: (string | [string, string])[], varying?: string[], stacked?: boolean, limit?: number }[]>}
 */
const RESULT_TABLES = {
  overview: [
    {
      name: "effects",
      title: "What each axis does",
      note: "Mean difference in F1 between cells that differ in this axis alone. In parentheses, 95% bootstrap intervals over sentences.",
      varying: ["pair"],
      columns: ["pair", "axis", "value", ["reference", "Compared with"], ["delta_f1", "Difference in F1"], "cells", ["over", "Mean over"], ["fixed", "Held fixed"]],
    },
    {
      name: "selection",
      title: "Settings chosen apart from the scored sentences",
      note: "F1 and AER of a choice among the cells of a family, on sentences that had no part in the choice; and how much higher F1 of the best cell is on the sentences that it was chosen by.",
      varying: ["pair"],
      columns: ["pair", "family", "cells", ["best", "Best cell"], "f1", "aer", ["best_f1", "F1 of the best cell"], "optimism"],
      stacked: true,
    },
    {
      name: "ranks",
      title: "Settings across pairs",
      note: "Rank 1 is the highest F1 of a pair. A setting is told apart from the best if their mean ranks differ by more than Nemenyi's critical difference, and p of Friedman's test is at most 0.05. In the figure, two settings differ if their bars do not overlap; those that begin right of the dashed line are worse than the best.",
      limit: 30,
      columns: ["setting", ["mean_f1", "Mean F1"], "mean_rank", ["told_apart", "Told apart from the best"]],
    },
  ],
  claims: [
    { name: "claims", stacked: true, columns: ["claim", ["whose", "Made by"], ["source", "Section"], "verdict", "intervals", "evidence"] },
  ],
  ensembles: [
    {
      name: "ensembles",
      columns: ["ensemble", "pair", "members", "precision", "recall", "f1", "aer", "best_member", ["best_aer", "Its AER"], ["delta_aer", "Difference in AER"], ["p", "p (F1)"]],
    },
  ],
  "language-models": [
    {
      name: "language_model",
      varying: ["continues", "pair", "side", "size"],
      columns: [
        ...["model", "continues", "pair", "side", "size"],
        ["vocabulary", "Types"],
        ...["steps", "tokens_per_word"],
        ["cut", "Sentences in pieces"],
        ["pppl", "PPPL"],
        ...["bits_per_character", "bits_per_word"],
      ],
    },
    {
      name: "language_model_comparisons",
      title: "Comparisons",
      columns: ["model", ["other", "Compared with"], "relation", ["pppl_ratio", "Ratio of PPPL"], ["delta_bits_per_character", "Difference in bits per character"], "verdict"],
    },
    {
      name: "language_model_probes",
      title: "Zero-shot probes",
      note: "Share of multiple-choice items answered rightly; intervals over items.",
      columns: ["probe", "model", "items", "chance", "accuracy", ["unknown", "Items with unknown tokens"], "verdict"],
    },
    {
      name: "language_model_tasks",
      title: "Fine-tuned models",
      note:
        "Accuracy of labels, or F1 of whole entities, on test sentences: mean over seeds, intervals over sentences. Silver " +
        "labels are a tagger's, with its mistakes. The baseline is the most frequent label of the word, or of all.",
      columns: ["task", "labels", "model", "seeds", "tested", ["unknown", "Unknown tokens"], "baseline", "measure", "score", ["score_sd", "Standard deviation over seeds"], "verdict"],
    },
  ],
};

const hasTables = (section) => RESULT_TABLES[section].some(({ name }) => REPORT.tables[name]);

// Fill a section with its tables; the element has the id `SECTION-tables`, each table `table-NAME`.
function fillTables(section) {
  const shown = RESULT_TABLES[section].filter(({ name }) => REPORT.tables[name]);
  replace(
    $(`${section}-tables`),
    shown.map(({ name, title, note, ...how }) =>
      h("div", { id: `table-${name}` }, title && h("h3", null, title), note && h("p", { class: "note" }, note), resultTable(name, how)),
    ),
  );
}

function resultTable(name, { columns, varying = /** @type {string[]} */ ([]), stacked = false, limit = Infinity }) {
  const all = rows(name);
  const varies = (column) => new Set(all.map((row) => row[column])).size > 1;
  const named = columns.map((column) => (Array.isArray(column) ? column : [column]));
  const kept = named.filter(([column]) => column in REPORT.tables[name] && (!varying.includes(column) || varies(column)));
  return table(all, kept.map(([column, heading]) => resultColumn(name, column, heading)), { stacked, limit, name, cell: (row) => CELL.get(row.cell ?? row.best ?? row.best_member) });
}

function ensembles() {
  fillTables("ensembles");
  const votes = rows("votes");
  const columns = ["member", "f1", "aer", "weight"].map((column) => resultColumn("votes", column));
  build($("ensembles-tables"), null, rows("ensembles").map((row) => {
    const members = votes.filter((vote) => vote.ensemble === row.ensemble && vote.pair === row.pair);
    members.sort((a, b) => b.weight - a.weight);
    return h(
      "details",
      { class: "more" },
      h("summary", null, `Members of ${row.ensemble}, ${row.pair}`),
      table(members, columns, { cell: (vote) => CELL.get(vote.member) }),
    );
  }));
}

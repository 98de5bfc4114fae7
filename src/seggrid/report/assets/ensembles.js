// Votes across cells: the scores of each ensemble and of its best member, and the weight of each member.

const ENSEMBLES = rows("ensembles");
const VOTES = rows("votes");

function ensembles() {
  const interval = (name, number) => (row) => [
    number(row[name]),
    typeof row[`${name}_low`] === "number" &&
      h("small", null, ` (${number(row[`${name}_low`])} to ${number(row[`${name}_high`])})`),
  ];
  const cellName = (name) => {
    const cell = CELL.get(name);
    return cell ? `${cell.aligner}: ${describe(cell)}` : name;
  };
  replace(
    $("ensembles-table"),
    table(ENSEMBLES, [
      ["Ensemble", (row) => row.ensemble],
      ["Pair", (row) => row.pair],
      ["Members", (row) => whole(row.members), "number"],
      ["Precision", (row) => score(row.precision), "number"],
      ["Recall", (row) => score(row.recall), "number"],
      ["F1", (row) => score(row.f1), "number"],
      ["AER", interval("aer", score), "number"],
      ["Best member, its AER", (row) => (row.best_member ? [cellName(row.best_member), `: ${score(row.best_aer)}`] : "no gold")],
      ["Difference in AER", interval("delta_aer", gain), "number"],
      ["p (F1)", (row) => (typeof row.p === "number" ? pValue(row.p) : "–"), "number"],
    ]),
  );
  replace(
    $("ensembles-votes"),
    ENSEMBLES.map((row) => {
      const members = VOTES.filter((vote) => vote.ensemble === row.ensemble && vote.pair === row.pair);
      members.sort((a, b) => b.weight - a.weight);
      return h(
        "details",
        { class: "more" },
        h("summary", null, `Members of ${row.ensemble}, ${row.pair}`),
        table(members, [
          ["Member", (vote) => cellName(vote.member)],
          ["F1", (vote) => score(vote.f1), "number"],
          ["AER", (vote) => score(vote.aer), "number"],
          ["Weight", interval("weight", score), "number"],
        ]),
      );
    }),
  );
}

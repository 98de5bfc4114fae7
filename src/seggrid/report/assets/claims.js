// The published claims and their verdicts on this grid.

function claims() {
  const kinds = { holds: "holds", "holds in part": "part", fails: "fails" };
  replace(
    $("claims-table"),
    table(rows("claims"), [
      ["Claim", (row) => row.claim],
      ["Made by", (row) => row.whose],
      ["Section", (row) => row.source],
      ["Verdict", (row) => h("span", { class: `verdict ${kinds[row.verdict] ?? "other"}` }, row.verdict)],
      ["Intervals", (row) => row.intervals],
      ["Evidence", (row) => row.evidence],
    ], { stacked: true }),
  );
}

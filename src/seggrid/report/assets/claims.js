// The claims of a study, and what its grid says of each.

function claims() {
  const kinds = { holds: "holds", "holds in part": "part", fails: "fails" };
  replace(
    $("claims-table"),
    table(rows("claims"), [
      ["Claim", (row) => row.claim],
      ["Whose", (row) => row.whose],
      ["Where", (row) => row.source],
      ["Verdict", (row) => h("span", { class: `verdict ${kinds[row.verdict] ?? "other"}` }, row.verdict)],
      ["Intervals", (row) => row.intervals],
      ["Evidence", (row) => row.evidence],
    ], { stacked: true }),
  );
}

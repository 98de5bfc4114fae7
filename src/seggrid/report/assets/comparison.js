// The tables of a comparison of two runs.

// The number that a field begins with, as in "0.7000 → 0.7100"; null for other text.
/** @param {string} field */
function numberIn(field) {
  const found = /^[+-]?\d[\d,]*(\.\d+)?(e-?\d+)?(?= |$)/.exec(field);
  return found && Number(found[0].replaceAll(",", ""));
}

// A name, which may be broken after the parts of a path.
/** @param {string} field */
const breakable = (field) => field.split(/(?<=[/+])/).map((part) => [part, h("wbr")]);

const { sections, notes } = REPORT.comparison ?? { sections: [], notes: [] };
replace(
  $("sections"),
  notes.map((note) => h("p", { class: "notice" }, note)),
  sections.map(({ title, columns, rows }) => {
    const shown = columns.map((heading, place) => {
      const show = (row) => breakable(row[place] || "–");
      const number = !["first", "second"].includes(heading) && place > 0 && rows.every((row) => !row[place] || numberIn(row[place]) !== null);
      return { heading, number, show, value: (row) => (number ? numberIn(row[place]) : row[place]) };
    });
    return [h("h3", null, sentenceCase(title)), table(rows, shown, { stacked: true, name: title })];
  }),
);

// Tables. A click on a heading sorts the rows, a click on a row opens its cell in the alignment viewer.

// The rows in the order of a column: texts alphabetically, numbers from the largest. Missing values are last.
/** @param {Row[]} rows @param {string} column @param {boolean} reverse */
function sortedRows(rows, column, reverse) {
  const missing = (row) => row[column] === null || row[column] === "";
  const number = rows.some((row) => typeof row[column] === "number");
  const sign = (number ? -1 : 1) * (reverse ? -1 : 1);
  const compare = (a, b) => (number ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  return [...rows].sort(
    (a, b) =>
      Number(missing(a)) - Number(missing(b)) || (missing(a) ? 0 : sign * compare(a[column], b[column])),
  );
}

const MOST_ROWS = 100;
const VERDICTS = {
  holds: "holds",
  better: "holds",
  "above chance": "holds",
  "above baseline": "holds",
  "holds in part": "part",
  fails: "fails",
  worse: "fails",
  "below chance": "fails",
  "below baseline": "fails",
};

/**
 * @param {string} column
 * @param {any} value
 * @param {boolean} counts whether all numbers of the column are integers
 */
function shownValue(column, value, counts) {
  if (column === "Verdict") return h("span", { class: `judged ${own(VERDICTS, value) ?? "other"}` }, value);
  if (value === null) return "–";
  if (typeof value !== "number") return value;
  if (/^p\b/i.test(column)) return pValue(value);
  if (/^(over|difference)|difference$|^Best against/i.test(column)) return gain(value);
  if (counts) return whole(value);
  return /seconds|\(s\)|MB/i.test(column)
    ? value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    : score(value);
}

/**
 * Fill the place of a table. Columns `from` and `to` are shown as the interval of the column before them, the
 * signatures of its scores below it.
 * @param {string} name
 */
function table(name) {
  const { columns, cells, latex, said } = REPORT.tables[name];
  const rows = rowsOf(columns);
  const headings = Object.keys(columns);
  const shown = headings.filter((heading) => !["from", "to", "Signature"].includes(heading));
  const isNumber = (heading) => rows.some((row) => typeof row[heading] === "number");
  const counts = new Set(
    shown.filter(
      (heading) =>
        !/F1|AER|Optimism/.test(heading) &&
        rows.every((row) => row[heading] === null || Number.isInteger(row[heading])),
    ),
  );
  const interval = (row, heading) => {
    if (headings[headings.indexOf(heading) + 1] !== "from" || row.from === null) return null;
    return h(
      "small",
      null,
      ` (${shownValue(heading, row.from, false)} to ${shownValue(heading, row.to, false)})`,
    );
  };
  const body = h("tbody");
  const heads = shown.map((heading) =>
    h(
      "th",
      { class: isNumber(heading) && "number", scope: "col" },
      h(
        "button",
        { type: "button", class: "sort", onclick: () => sort(heading), ...says(own(said, heading)) },
        heading,
      ),
    ),
  );
  /** @type {{ column: string | null, reverse: boolean }} */
  let order = { column: null, reverse: false };
  // The order of a column, the reverse, and again the order of the table.
  function sort(column) {
    if (order.column !== column) order = { column, reverse: false };
    else if (!order.reverse) order = { column, reverse: true };
    else order = { column: null, reverse: false };
    fill();
  }
  function tableRow(row) {
    const cell = CELLS[cells?.[row.i] ?? -1];
    const open = () => openCell(cell);
    const opens = inViewer(cell) && {
      class: "opens",
      tabindex: "0",
      title: "Show its alignments",
      onclick: open,
      onkeydown: (event) => event.key === "Enter" && event.target === event.currentTarget && open(),
    };
    return h(
      "tr",
      opens || null,
      shown.map((heading) =>
        h(
          "td",
          { class: isNumber(heading) && "number", "data-heading": heading },
          shownValue(heading, row[heading], counts.has(heading)),
          interval(row, heading),
        ),
      ),
    );
  }
  function fill() {
    const ordered = order.column === null ? rows : sortedRows(rows, order.column, order.reverse);
    replace(body, ordered.slice(0, MOST_ROWS).map(tableRow));
    heads.forEach((head, place) => {
      if (shown[place] !== order.column) head.removeAttribute("aria-sort");
      else
        head.setAttribute("aria-sort", isNumber(shown[place]) === order.reverse ? "ascending" : "descending");
    });
  }
  fill();
  const saved = {
    CSV: () => saveCsv(name, [headings, ...rows.map((row) => headings.map((heading) => row[heading]))]),
  };
  if (latex)
    saved.LaTeX = async () =>
      download(`${name}.tex`, new Blob([await inflate(latex)], { type: "text/x-tex" }));
  const signed = [...new Set(rows.map((row) => row.Signature))].filter(Boolean);
  const place = $(`table-${name}`);
  replace(
    place,
    h(
      "div",
      { class: "scroll stacked", tabindex: "0", role: "region", "aria-label": `Table: ${name}` },
      h("table", null, h("thead", null, h("tr", null, heads)), body),
    ),
    rows.length > MOST_ROWS &&
      h(
        "p",
        { class: "note" },
        `The first ${MOST_ROWS} of ${whole(rows.length)}; sorting and saving take all.`,
      ),
    build(saveButtons(name, saved), null, [
      Object.keys(said).length > 0 && h("a", { href: "#all-terms" }, "What the columns mean"),
    ]),
    signed.length > 0 &&
      h(
        "details",
        { class: "more" },
        h("summary", null, "Signatures of the scores"),
        signed.map((text) => h("p", { class: "note" }, text)),
      ),
  );
}

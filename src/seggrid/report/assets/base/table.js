// Tables. A click on a heading sorts the rows, a click on a row opens its cell in the alignment viewer.

/**
 * @typedef {{ heading: string, value: (row: any) => any, show: (row: any) => any, number?: boolean, note?: string }} Column
 */

/**
 * A column of text: by its value it is sorted, and its content is shown, which is text or a node.
 * @returns {Column}
 */
const textual = (heading, value, show = value) => ({ heading, value, show });

/**
 * A column of numbers; a dash stands for a missing one.
 * @returns {Column}
 */
const numeric = (heading, value, format) => ({
  heading,
  value,
  number: true,
  show: (row) => (typeof value(row) === "number" ? format(value(row)) : "–"),
});

// The rows in the order of a column: texts alphabetically, numbers from the largest. Missing values are last.
/** @param {any[]} rows @param {{ value: (row: any) => any, number?: boolean }} column @param {boolean} reverse */
function sortedRows(rows, { value, number }, reverse) {
  const missing = (row) => value(row) === null || value(row) === undefined || value(row) === "";
  const sign = (number ? -1 : 1) * (reverse ? -1 : 1);
  const compare = (a, b) => (number ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  return [...rows].sort((a, b) => Number(missing(a)) - Number(missing(b)) || (missing(a) ? 0 : sign * compare(value(a), value(b))));
}

/**
 * A table of rows. In a narrow window it scrolls sideways or, if `stacked`, shows each row as a paragraph.
 * @param {any[]} rows
 * @param {Column[]} columns
 * @param {{ limit?: number, stacked?: boolean, cell?: (row: any) => any, name?: string, papers?: string[] }} [options] `cell`
 *   gives the cell whose alignments a click on a row opens. A table with a `name` can be saved as CSV, and
 *   as LaTeX, if there are `papers` (names of tables for papers); else those of the table of results with its name.
 */
function table(rows, columns, { limit = Infinity, stacked = false, cell = () => undefined, name, papers } = {}) {
  const body = h("tbody");
  const headings = columns.map(({ heading, number, note }, place) =>
    h("th", { class: number && "number", scope: "col", title: note }, h("button", { type: "button", class: "sort", onclick: () => sort(place) }, heading)),
  );
  /** @type {{ place: number | null, reverse: boolean }} */
  let order = { place: null, reverse: false };
  // The order of a column, the reverse, and again the order of the table.
  function sort(place) {
    if (order.place !== place) order = { place, reverse: false };
    else if (!order.reverse) order = { place, reverse: true };
    else order = { place: null, reverse: false };
    fill();
  }
  function fill() {
    const ordered = order.place === null ? rows : sortedRows(rows, columns[order.place], order.reverse);
    replace(body, ordered.slice(0, limit).map((row) => {
      const opens = inViewer(cell(row));
      const open = () => openCell(cell(row));
      const attributes = opens ? { class: "opens", tabindex: "0", title: "Show its alignments", onclick: open, onkeydown: (event) => event.key === "Enter" && event.target === event.currentTarget && open() } : VIEWED.size && cell(row) ? { title: "Its alignments are not on this page" } : null;
      return h("tr", attributes, columns.map(({ heading, show, number }) => h("td", { class: number && "number", "data-heading": heading }, show(row))));
    }));
    headings.forEach((heading, place) => {
      if (place !== order.place) heading.removeAttribute("aria-sort");
      else heading.setAttribute("aria-sort", Boolean(columns[place].number) === order.reverse ? "ascending" : "descending");
    });
  }
  fill();
  return h(
    "div",
    { class: stacked ? "stacked" : "scroll", tabindex: stacked ? null : "0" },
    h("table", { class: columns.length > 6 && "wide" }, h("thead", null, h("tr", null, headings)), body),
    rows.length > limit && h("p", { class: "note" }, `The first ${whole(limit)} of ${whole(rows.length)}.`),
    name && tableButtons(name, papers, () => [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ value }) => value(row)))]),
  );
}

// The buttons of a table; see `table`.
/** @param {string} name @param {string[] | undefined} papers @param {() => any[][]} content */
function tableButtons(name, papers, content) {
  const known = Object.entries(REPORT.latex).filter(([paper, { of }]) => papers?.includes(paper) ?? of === name);
  const latex = known.map(([paper, { text }]) => [known.length > 1 ? `LaTeX (${paper})` : "LaTeX", () => download(`${paper}.tex`, new Blob([text], { type: "text/x-tex" }))]);
  return saveButtons(name, { CSV: () => saveCsv(fileName(name), content()), ...Object.fromEntries(latex) });
}

// Fill a <details> with a table when it is opened; the returned function updates the table if it is open.
function unfold(details, make) {
  const fill = () => details.open && replace(details.querySelector("div"), make());
  details.addEventListener("toggle", fill);
  return fill;
}

const fraction = (value) => signed(value.toFixed(Math.abs(value) >= 100 ? 1 : 3));
/** @type {Record<string, (value: number) => string>} */
const FORMATS = { count: whole, share: score, difference: gain, p: pValue, s: (value) => duration(value), MB: memory };

const GOOD = { holds: "holds", better: "holds", "above chance": "holds", "holds in part": "part", fails: "fails", worse: "fails", "below chance": "fails" };
const verdict = (name) => h("span", { class: `verdict ${own(GOOD, name) ?? "other"}` }, name);

// The content of some columns of text.
const SHOWN_AS = { verdict, best: (name) => nameOfCell(name), setting: (name) => nameOfSetting(name), member: (name) => nameOfCell(name), best_member: (name) => (name ? nameOfCell(name) : "no gold") };

/**
 * A column of a table of results, by its unit in the registry: numbers have a format and their interval.
 * @param {string} name the table
 * @param {string} column
 * @param {string} [heading] instead of the column's name
 * @returns {Column}
 */
function resultColumn(name, column, heading) {
  const { unit, meaning } = REPORT.columns[name][column];
  const title = heading ?? METRICS[column] ?? sentenceCase(column);
  const value = (row) => row[column];
  if (unit === "name" || unit === "text") return { ...textual(title, value, (row) => (own(SHOWN_AS, column) ?? String)(row[column] ?? "")), note: meaning };
  const format = FORMATS[unit] ?? fraction;
  const shown = numeric(title, value, format);
  const show = (row) => [shown.show(row), interval(row, column, format)];
  return { ...shown, show, note: meaning };
}

// An interval, if the row has one.
function interval(row, column, format) {
  const [low, high] = [row[`${column}_low`], row[`${column}_high`]];
  return typeof low === "number" && h("small", null, ` (${format(low)} to ${format(high)})`);
}

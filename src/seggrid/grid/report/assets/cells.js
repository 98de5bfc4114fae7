// The embedded data, and the labels and cards of cells.

/** @typedef {{ i: number, [column: string]: any }} Row */
/** @typedef {Record<string, any[] | { texts: string[], at: number[] }>} Columns */

/**
 * The data that `seggrid.grid.report.page` embeds.
 * @type {{
 *   cells: Columns,
 *   labels: Record<string, string>,
 *   meanings: Record<string, string>,
 *   languages: Record<string, { source: string, target: string }>,
 *   charts: Record<string, { spec: any, rows: Columns }>,
 *   views: string | null,
 *   config: any,
 *   tables: Record<string, { columns: Columns, cells: (number | null)[] | null, latex: string | null,
 *     said: Record<string, string> }>,
 *   viewer: Record<string, { cells: string[], data: string }>,
 *   order?: string,
 * }}
 */
const REPORT = JSON.parse($("data").textContent ?? "");

// What `seggrid.grid.report.html.deflated` has packed.
/** @param {string} text */
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// The value of an object's own property: a name from the address might be "constructor".
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * The rows of a table that is embedded by columns.
 * @param {Columns} table
 * @returns {Row[]}
 */
function rowsOf(table) {
  const columns = Object.entries(table);
  if (!columns.length) return [];
  const [, first] = columns[0];
  const count = (Array.isArray(first) ? first : first.at).length;
  const rows = Array.from({ length: count }, (_, i) => /** @type {Row} */ ({ i }));
  for (const [column, values] of columns) {
    if (Array.isArray(values)) values.forEach((value, i) => (rows[i][column] = value));
    else values.at.forEach((at, i) => (rows[i][column] = values.texts[at]));
  }
  return rows;
}

const CELLS = rowsOf(REPORT.cells);
const CELL = new Map(CELLS.map((cell) => [cell.cell, cell]));

// A cell's description with its aligner, from its name.
function nameOfCell(name) {
  const cell = CELL.get(name);
  return cell ? `${cell.aligner}: ${cell.name}` : name;
}

// The cells that the alignment viewer has.
const VIEWED = new Set(Object.values(REPORT.viewer).flatMap(({ cells }) => cells));
/** @param {Row | undefined} cell */
const inViewer = (cell) => Boolean(cell && VIEWED.has(cell.cell));

// The card that is shown beside the mark of a cell.
/** @param {Row} cell */
function cellCard(cell) {
  const term = (name, value, more) => [h("dt", null, name), h("dd", null, value, h("small", null, more))];
  const line = (metric) => {
    if (typeof cell[metric] !== "number") return null;
    const [low, high] = [cell[`${metric}_low`], cell[`${metric}_high`]];
    return term(
      REPORT.labels[metric],
      score(cell[metric]),
      typeof low === "number" ? ` [${score(low)}, ${score(high)}]` : "",
    );
  };
  const over = (partner) => {
    const [value, p] = [cell[`delta_f1_${partner}`], cell[`p_${partner}_holm`]];
    // A cell is not compared with itself.
    if (typeof value !== "number" || typeof cell[partner] !== "number") return null;
    return term(`over ${partner}`, gain(value), typeof p === "number" ? ` ${pValue(p)}` : "");
  };
  const elsewhere = `Its alignments are not on this page, which has those of ${plural(VIEWED.size, "cell")}.`;
  return h(
    "div",
    { class: "card" },
    h("strong", null, cell.name),
    h("p", null, `${cell.pair} · ${cell.aligner}`),
    cell.remark && h("p", null, cell.remark),
    VIEWED.size > 0 && h("p", null, inViewer(cell) ? "Click: its alignments." : elsewhere),
    h(
      "dl",
      null,
      ["f1", "precision", "recall", "aer"].map(line),
      over("words"),
      over("plain"),
      ["f1_sd", "f1_samples_sd"].map(line),
    ),
    cell.signature && h("code", null, cell.signature),
  );
}

// From cells to the points of a view: every cell, or the best cell or the mean at each point.

/** @typedef {{ x: string, y: string, row: string, color: string, facet: string, mark: string, show: string, intervals: string }} View */

/**
 * The points to draw: one for each cell, or one for all cells that share x, color (or row) and panel. Also the
 * axes in which cells behind the same point differ.
 * @param {Row[]} cells
 * @param {View} view
 * @returns {{ points: Row[], over: string[] }}
 */
function collapse(cells, { x, y, row, color, facet, mark, show }) {
  const keys = [x, mark === "heat" ? row : color, facet].filter((axis) => axis !== NONE && axis in AXES);
  const groups = new Map();
  for (const cell of cells) {
    if (typeof cell[y] !== "number" || (!(x in AXES) && typeof cell[x] !== "number")) continue;
    for (const values of combinations(cell, keys)) {
      const key = show === "all" ? `${cell.i} ${values.join("\0")}` : values.join("\0");
      if (!groups.has(key)) groups.set(key, { values, cells: [] });
      groups.get(key).cells.push(cell);
    }
  }
  const together = show === "all" ? [] : [...groups.values()].map((group) => group.cells);
  const over = Object.keys(REPORT.labels.axes).filter(
    (axis) => axis !== "experiment" && together.some((of) => distinct(of, axis).length > 1),
  );
  const points = [...groups.values()].map(({ values, cells: of }) => {
    const best = bestOf(of, y);
    const mean = (metric) => of.reduce((sum, cell) => sum + cell[metric], 0) / of.length;
    const point = /** @type {Row} */ (Object.fromEntries(keys.map((axis, k) => [axis, values[k]])));
    point.row = best.i;
    point.count = show === "mean" ? of.length : 1;
    point[y] = show === "mean" ? mean(y) : best[y];
    if (!(x in AXES)) point[x] = show === "mean" ? mean(x) : best[x];
    if (show !== "mean" && typeof best[`${y}_low`] === "number") {
      point.low = best[`${y}_low`];
      point.high = best[`${y}_high`];
    }
    return point;
  });
  return { points, over };
}

// The value of an axis of a segmentation on one side, from its name as in paths.
const ofSide = (spec, axis) => (spec ?? "").split("+").find((part) => part.startsWith(`${axis}=`));

// A cell whose sides differ in an axis has the value of the source there: it has no place on that axis.
function alike(cell, axis) {
  const [one, other] = [ofSide(cell.source, axis), ofSide(cell.target, axis)];
  return one === undefined || other === undefined || one === other;
}

/**
 * The cells that have a place in a view: all of them as points, those of alike sides in lines and heat maps.
 * @param {Row[]} cells
 * @param {View} view
 */
function placed(cells, { x, row, mark }) {
  const along = { lines: [x], heat: [x, row] }[mark] ?? [];
  return cells.filter((cell) => along.every((axis) => alike(cell, axis)));
}

// What the cells of a line have in common: all axes but x, on both sides.
function series(cell, x) {
  const left = (spec) => (spec ?? "").split("+").filter((part) => !part.startsWith(`${x}=`)).join("+");
  const values = VARIED.filter((axis) => axis !== x && axis !== "experiment").map((axis) => cell[axis]);
  return [...values, left(cell.source), left(cell.target)].join("\0");
}

function combinations(cell, keys) {
  return keys.reduce((found, axis) => found.flatMap((values) => valuesOf(cell, axis).map((value) => [...values, value])), [[]]);
}

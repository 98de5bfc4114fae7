// A sentence pair as a matrix: gold links as shaded squares, links of cells as marks.

// The mark of a link: a disc if right, a diamond if wrong, a ring if missed. With two cells, the left half
// of a mark is A's and the right half B's.
function glyph(kind, x, y, r, half) {
  const color = `var(--${kind})`;
  const sweep = half === 0 ? 0 : 1;
  const side = half === 0 ? -r : r;
  if (kind === "wrong") {
    const d = r * 1.18;
    const path =
      half === null
        ? `M${x} ${y - d}L${x + d} ${y}L${x} ${y + d}L${x - d} ${y}Z`
        : `M${x} ${y - d}L${x + (side / r) * d} ${y}L${x} ${y + d}Z`;
    return s("path", { d: path, fill: color });
  }
  const disc =
    half === null
      ? `M${x} ${y - r}A${r} ${r} 0 1 1 ${x} ${y + r}A${r} ${r} 0 1 1 ${x} ${y - r}Z`
      : `M${x} ${y - r}A${r} ${r} 0 0 ${sweep} ${x} ${y + r}${kind === "missed" ? "" : "Z"}`;
  return kind === "missed"
    ? s("path", { d: disc, fill: "none", stroke: color, "stroke-width": 1.8 })
    : s("path", { d: disc, fill: color });
}

const shorten = (word) => ([...word].length > 20 ? `${[...word].slice(0, 19).join("")}…` : word);

const LEAN = 0.9; // angle of the column labels, in radians
const NARROWEST = 14; // pixels of a column whose label stands upright

const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** @param {string} word */
function labelWidth(word) {
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(shorten(word)).width;
}

function matrix(pair, at, judged) {
  const source = pair.source[at];
  const target = pair.target[at];
  const room = $("viewer").clientWidth - 24;
  const left = Math.max(...source.map(labelWidth)) + 10;
  // Where leaning labels leave too little room, on a telephone, they stand upright, and columns are narrower.
  const leaning = left + 40 + 17 * target.length <= room;
  const lean = leaning ? LEAN : Math.PI / 2;
  const top = Math.max(...target.map(labelWidth)) * Math.sin(lean) + 14;
  const reach = target.map((word) => labelWidth(word) * Math.cos(lean) + (leaning ? 12 : 0));
  const fits = Math.floor((room - left - (leaning ? 40 : 2)) / target.length);
  const size = Math.max(leaning ? 17 : NARROWEST, Math.min(28, fits));
  const width = left + size * target.length;
  // The slanted labels of the last columns extend beyond the matrix.
  const overhang = Math.max(0, ...reach.map((length, j) => length - size * (target.length - j - 0.5)));
  const height = top + size * source.length;
  const x = (j) => left + j * size;
  const y = (i) => top + i * size;
  const grid = [];
  for (let i = 0; i <= source.length; i += 1)
    grid.push(s("line", { x1: left, x2: width, y1: y(i), y2: y(i) }));
  for (let j = 0; j <= target.length; j += 1)
    grid.push(s("line", { x1: x(j), x2: x(j), y1: top, y2: height }));
  const square = (link, name) => {
    const [i, j] = link.split("-").map(Number);
    return s("rect", { x: x(j), y: y(i), width: size, height: size, fill: `var(--${name})` });
  };
  const marks = judged.map((kinds, which) =>
    [...kinds].map(([link, kind]) => {
      const [i, j] = link.split("-").map(Number);
      return glyph(kind, x(j) + size / 2, y(i) + size / 2, size * 0.31, judged.length > 1 ? which : null);
    }),
  );
  const label = { fill: "var(--ink)", "font-size": 12 };
  const rowLabels = source.map((word, i) =>
    s("text", { ...label, x: left - 6, y: y(i) + size / 2 + 4, "text-anchor": "end" }, shorten(word)),
  );
  const columnLabels = target.map((word, j) => {
    const px = x(j) + size / 2 + 3;
    return s(
      "text",
      { ...label, x: px, y: top - 6, transform: `rotate(${(-lean * 180) / Math.PI} ${px} ${top - 6})` },
      shorten(word),
    );
  });
  const across = s("rect", { x: left, width: width - left, height: size, fill: "var(--accent)", opacity: 0 });
  const down = s("rect", { y: top, height: height - top, width: size, fill: "var(--accent)", opacity: 0 });
  const svg = s(
    "svg",
    {
      width: width + overhang,
      height: height + 2,
      role: "img",
      "aria-label": describeMatrix(pair, at, judged),
    },
    [...(pair.possible[at] ?? [])]
      .filter((link) => !pair.sure[at].has(link))
      .map((link) => square(link, "possible")),
    [...(pair.sure[at] ?? [])].map((link) => square(link, "sure")),
    s("g", { stroke: "var(--line)" }, grid),
    across,
    down,
    marks,
    rowLabels,
    columnLabels,
  );
  const box = h(
    "div",
    { class: "matrix", tabindex: "0" },
    width > room && h("p", { class: "note" }, "Wider than the screen: move it sideways."),
    svg,
  );

  function light(i, j) {
    for (const node of box.querySelectorAll(".lit")) node.classList.remove("lit");
    for (const node of document.querySelectorAll(".group.lit")) node.classList.remove("lit");
    across.setAttribute("opacity", i === null ? 0 : 0.09);
    down.setAttribute("opacity", i === null ? 0 : 0.09);
    if (i === null) return;
    across.setAttribute("y", y(i));
    down.setAttribute("x", x(j));
    rowLabels[i].classList.add("lit");
    columnLabels[j].classList.add("lit");
    for (const [side, index] of [
      ["source", i],
      ["target", j],
    ]) {
      for (const group of document.querySelectorAll(`.group[data-side="${side}"]`)) {
        const [from, to] = ["data-from", "data-to"].map((name) => Number(group.getAttribute(name)));
        if (from <= index && index < to) group.classList.add("lit");
      }
    }
  }
  svg.addEventListener("pointermove", (event) => {
    const area = svg.getBoundingClientRect();
    const j = Math.floor((event.clientX - area.left - left) / size);
    const i = Math.floor((event.clientY - area.top - top) / size);
    const inside = i >= 0 && j >= 0 && i < source.length && j < target.length;
    light(inside ? i : null, inside ? j : null);
    showTip(event, inside && linkCard(pair, at, judged, i, j));
  });
  svg.addEventListener("pointerleave", (event) => {
    light(null, null);
    showTip(event, null);
  });
  return box;
}

function linkCard(pair, at, judged, i, j) {
  const link = `${i}-${j}`;
  const gold =
    pair.sure[at] === null
      ? null
      : pair.sure[at].has(link)
        ? "sure"
        : pair.possible[at].has(link)
          ? "possible"
          : "none";
  return h(
    "div",
    { class: "card" },
    h("strong", null, h("bdi", null, pair.source[at][i]), " – ", h("bdi", null, pair.target[at][j])),
    gold && h("p", null, `gold: ${gold}`),
    judged.map((kinds, which) =>
      h(
        "div",
        null,
        `${judged.length > 1 ? `${which ? "B" : "A"}: ` : ""}${KINDS[kinds.get(link)] ?? "no link"}`,
      ),
    ),
  );
}

// The matrix as text, for screen readers.
function describeMatrix(pair, at, judged) {
  const part = (kinds) =>
    kindsOf(pair, at)
      .map((kind) => {
        const found = [...kinds]
          .filter(([, of]) => of === kind)
          .map(([link]) => {
            const [i, j] = link.split("-").map(Number);
            return `${pair.source[at][i]}–${pair.target[at][j]}`;
          });
        return `${KINDS[kind]}: ${found.join(", ") || "none"}`;
      })
      .join("; ");
  return judged
    .map((kinds, which) => `${judged.length > 1 ? (which ? "B. " : "A. ") : ""}${part(kinds)}`)
    .join(". ");
}

// The links of a sentence and those missed, as rows with headings.
function linkRows(pair, at, cells, judged) {
  const rows = judged.flatMap((kinds, which) =>
    [...kinds].map(([link, kind]) => {
      const [i, j] = link.split("-").map(Number);
      return [cells[which].cell, pair.names[at], i, j, pair.source[at][i], pair.target[at][j], KINDS[kind]];
    }),
  );
  return [["cell", "sentence", "source", "target", "source_word", "target_word", "link"], ...rows];
}

// A sentence pair as two rows of words, with an arc for each link: one panel for each cell.

const BETWEEN = 120; // from one row of words to the other, in pixels
const DASHES = { wrong: "6 3", missed: "1 4" };

function arcs(pair, at, judged) {
  const rows = [pair.source[at], pair.target[at]];
  const widths = rows.map((words) => words.map((word) => labelWidth(word) + 14));
  const needed = widths.map((row) => row.reduce((sum, width) => sum + width, 0));
  const width = Math.max(...needed);
  const left = judged.length > 1 ? 24 : 4;
  // The shorter row is spread, so that arcs are as steep as they can be.
  const places = widths.map((row, side) => {
    let end = left;
    return row.map((own) => {
      const begin = end;
      end += own * (width / needed[side]);
      return (begin + end) / 2;
    });
  });
  const panel = BETWEEN + 52;
  const drawn = judged.map((kinds, which) => {
    const top = which * panel + 22;
    const bottom = top + BETWEEN;
    const label = (side, y) => rows[side].map((word, k) => s("text", { x: places[side][k], y, fill: "var(--ink)", "font-size": 12, "text-anchor": "middle" }, shorten(word)));
    const links = [...kinds].map(([link, kind]) => {
      const [i, j] = link.split("-").map(Number);
      const [x, y] = [places[0][i], places[1][j]];
      const path = `M${x} ${top}C${x} ${top + BETWEEN * 0.45} ${y} ${bottom - BETWEEN * 0.45} ${y} ${bottom}`;
      return s(
        "g",
        { onpointermove: (event) => showTip(event, linkCard(pair, at, judged, i, j)), onpointerleave: (event) => showTip(event, null) },
        s("path", { d: path, class: "arc", fill: "none", stroke: `var(--${kind})`, "stroke-width": 1.8, "stroke-dasharray": DASHES[kind] ?? "none" }),
        glyph(kind, (x + y) / 2, (top + bottom) / 2, 4.5, null),
      );
    });
    const name = judged.length > 1 && s("text", { x: 4, y: (top + bottom) / 2 + 4, fill: "var(--ink)", "font-size": 12, "font-weight": 700 }, which ? "B" : "A");
    return s("g", null, links, label(0, top - 6), label(1, bottom + 15), name);
  });
  const svg = s(
    "svg",
    { width: left + width + 4, height: panel * judged.length, role: "img", "aria-label": describeMatrix(pair, at, judged) },
    drawn,
  );
  return h("div", { class: "matrix", tabindex: "0" }, svg);
}

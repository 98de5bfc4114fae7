// The alignment viewer: gold and one or two cells' links as a matrix, tokens under their words.

const ORDERS = { text: "as in the text", worst: "A's worst first", differ: "where A and B differ most" };
const KINDS = { right: "right (sure)", allowed: "right (possible)", wrong: "wrong", missed: "missed" };

const inflated = new Map();

// The sentences, gold and links of a pair, unpacked when they are first looked at.
function viewerPair(name) {
  if (!inflated.has(name)) inflated.set(name, inflate(REPORT.viewer[name]).then(unpack));
  return inflated.get(name);
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function unpack(data) {
  const words = (lines) => lines.map((line) => line.split(" "));
  const links = (lines) => lines.map((line) => new Set(line ? line.split(" ") : []));
  return {
    source: words(data.source),
    target: words(data.target),
    sure: links(data.sure),
    possible: links(data.possible),
    tokens: data.tokens,
    cells: data.cells.map((cell) => ({ ...cell, links: links(cell.links), key: shortName(cell.cell) })),
  };
}

// Every link that is in the gold or was made, and what it is: a map from "i-j" to a kind.
function judge(pair, cell, at) {
  const kinds = new Map();
  for (const link of cell.links[at]) {
    kinds.set(link, pair.sure[at].has(link) ? "right" : pair.possible[at].has(link) ? "allowed" : "wrong");
  }
  for (const link of pair.sure[at]) if (!kinds.has(link)) kinds.set(link, "missed");
  return kinds;
}

function tally(kinds) {
  const counts = { right: 0, allowed: 0, wrong: 0, missed: 0 };
  for (const kind of kinds.values()) counts[kind] += 1;
  return counts;
}

function differing(a, b, at) {
  let count = 0;
  for (const link of a.links[at]) if (!b.links[at].has(link)) count += 1;
  for (const link of b.links[at]) if (!a.links[at].has(link)) count += 1;
  return count;
}

function sentenceOrder(pair, a, b, order) {
  const all = pair.source.map((_, at) => at);
  const errors = (at) => {
    const { wrong, missed } = tally(judge(pair, a, at));
    return wrong + missed;
  };
  const weight = order === "worst" ? errors : order === "differ" && b ? (at) => differing(a, b, at) : null;
  if (!weight) return all;
  const weights = all.map(weight);
  return all.sort((x, y) => weights[y] - weights[x] || x - y);
}

function alignments() {
  const names = Object.keys(REPORT.viewer);
  const box = $("viewer");
  let shown = null;

  async function update() {
    const name = names.includes(chosen("pair")) ? chosen("pair") : names[0];
    let pair;
    try {
      pair = await viewerPair(name);
    } catch (error) {
      replace(box, h("p", { class: "notice" }, `The sentences cannot be unpacked by this browser (${error}).`));
      return;
    }
    const find = (key) => pair.cells.find((cell) => cell.key === key);
    const a = find(chosen("a")) ?? pair.cells[0];
    const b = chosen("b") === NONE ? null : (find(chosen("b")) ?? pair.cells.find((cell) => cell !== a) ?? null);
    const order = orderChosen();
    const ordered = sentenceOrder(pair, a, b, order);
    const number = Number(chosen("sentence", ordered[0] + 1)) - 1;
    const place = Math.max(0, ordered.indexOf(number));
    shown = { pair, a, b, ordered, place, name };
    controls(name, order);
    sentence();
  }

  const orderChosen = () => (Object.hasOwn(ORDERS, chosen("order")) ? chosen("order") : "text");
  const set = (values) => {
    choose("alignments", values);
    update();
  };

  function step(by) {
    const place = shown.place + by;
    if (place < 0 || place >= shown.ordered.length) return;
    shown.place = place;
    choose("alignments", { sentence: String(shown.ordered[place] + 1) });
    controls(shown.name, orderChosen());
    sentence();
  }

  function controls(name, order) {
    const { pair, a, b, ordered, place } = shown;
    const label = (cell) => {
      const row = CELL.get(cell.cell);
      return row ? `${describe(row)} · ${row.aligner} (F1 ${score(row.f1)})` : cell.cell;
    };
    const options = pair.cells.map((cell) => [cell.key, label(cell)]);
    const orders = Object.entries(ORDERS).filter(([key]) => key !== "differ" || b);
    const focused = document.activeElement?.id;
    replace(
      $("viewer-controls"),
      names.length > 1 && select("Pair", names.map((n) => [n, n]), name, (value) => set({ pair: value, a: null, b: null, sentence: null })),
      select("Cell A", options, a.key, (value) => set({ a: value })),
      select("Cell B", [[NONE, "no second cell"], ...options.filter(([key]) => key !== a.key)], b?.key ?? NONE, (value) => set({ b: value })),
      select("Order", orders, order, (value) => set({ order: value === "text" ? null : value, sentence: null })),
      h(
        "div",
        { class: "stepper" },
        h("button", { type: "button", id: "previous", "aria-label": "Previous sentence", disabled: place === 0, onclick: () => step(-1) }, "←"),
        h(
          "label",
          { class: "field" },
          h("span", null, `Sentence of ${whole(ordered.length)}`),
          h("input", { type: "number", id: "sentence", min: 1, max: ordered.length, value: ordered[place] + 1, onchange: (event) => set({ sentence: event.target.value }) }),
        ),
        h("button", { type: "button", id: "next", "aria-label": "Next sentence", disabled: place === ordered.length - 1, onclick: () => step(1) }, "→"),
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  function sentence() {
    const { pair, a, b, ordered, place, name } = shown;
    const at = ordered[place];
    const judged = [a, b].filter(Boolean).map((cell) => judge(pair, cell, at));
    const [source, target] = name.split("-").length === 2 ? name.split("-") : ["source", "target"];
    replace(
      box,
      gloss(pair, "source", source, at, a, b),
      gloss(pair, "target", target, at, a, b),
      tallies(judged, b ? differing(a, b, at) : null),
      matrix(pair, at, judged),
    );
    box.dataset.sentence = String(at + 1);
  }

  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  });
  address.listeners.push(update);
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    update();
  }, { rootMargin: "300px" });
  near.observe($("alignments"));
}

// Groups of successive words that no token leaves: [[words, tokens], ...], see `grouped_tokens`.
const groupsOf = (line) =>
  line.split("\t").map((group) => {
    const [count, ...tokens] = group.split(" ");
    return [Number(count), tokens];
  });

// Both cells' groups over common boundaries: [{from, to, tokens: [of A, of B]}].
function blocks(lines) {
  const ends = lines.map((groups) => {
    let end = 0;
    return new Set(groups.map(([count]) => (end += count)));
  });
  const result = [];
  const last = Math.max(...ends[0]);
  let from = 0;
  for (let end = 1; end <= last; end += 1) {
    if (!ends.every((set) => set.has(end))) continue;
    result.push({ from, to: end, tokens: lines.map(() => []) });
    from = end;
  }
  lines.forEach((groups, which) => {
    let start = 0;
    let block = 0;
    for (const [count, tokens] of groups) {
      while (block < result.length - 1 && start >= result[block].to) block += 1;
      result[block].tokens[which].push(...tokens);
      start += count;
    }
  });
  return result;
}

function gloss(pair, side, language, at, a, b) {
  const words = pair[side][at];
  const numbers = [...new Set([a, b].filter(Boolean).map((cell) => cell[side]))];
  const found = blocks(numbers.map((number) => groupsOf(pair.tokens[number][at])));
  return h(
    "div",
    { class: "gloss" },
    h("div", { class: "language" }, language),
    h(
      "div",
      { class: "words", dir: "auto" },
      found.map(({ from, to, tokens }) =>
        h(
          "div",
          { class: "group", "data-side": side, "data-from": from, "data-to": to },
          h("div", { class: "word", dir: "auto" }, words.slice(from, to).join(" ")),
          tokens.map((pieces, which) => h("div", { class: which ? "pieces b" : "pieces", dir: "auto" }, pieces.map((piece) => h("span", null, piece)))),
        ),
      ),
    ),
  );
}

function tallies(judged, difference) {
  const lines = judged.map((kinds, which) => {
    const counts = tally(kinds);
    return h(
      "div",
      { class: "key" },
      judged.length > 1 && h("strong", { class: which ? "name b" : "name" }, which ? "B" : "A"),
      Object.entries(KINDS).map(([kind, label]) =>
        h("span", null, s("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, glyph(kind, 9, 9, 6.5, judged.length > 1 ? which : null)), `${counts[kind]} ${label}`),
      ),
    );
  });
  const gold = h(
    "div",
    { class: "key" },
    "Gold:",
    ["sure", "possible"].map((name) => h("span", null, s("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, s("rect", { x: 1, y: 1, width: 16, height: 16, fill: `var(--${name})`, stroke: "var(--line)" })), name)),
  );
  return h("div", { class: "tallies" }, lines, gold, difference !== null && h("div", null, `${plural(difference, "link")} in one of A and B only.`));
}

// A link's mark: a disc when right, a diamond when wrong, a ring when missed; of two cells, A's is
// the left half and B's the right.
function glyph(kind, x, y, r, half) {
  const color = `var(--${kind === "missed" ? "c5" : kind})`;
  const sweep = half === 0 ? 0 : 1;
  const side = half === 0 ? -r : r;
  if (kind === "wrong") {
    const d = r * 1.18;
    const path = half === null ? `M${x} ${y - d}L${x + d} ${y}L${x} ${y + d}L${x - d} ${y}Z` : `M${x} ${y - d}L${x + (side / r) * d} ${y}L${x} ${y + d}Z`;
    return s("path", { d: path, fill: color });
  }
  const disc = half === null
    ? `M${x} ${y - r}A${r} ${r} 0 1 1 ${x} ${y + r}A${r} ${r} 0 1 1 ${x} ${y - r}Z`
    : `M${x} ${y - r}A${r} ${r} 0 0 ${sweep} ${x} ${y + r}${kind === "missed" ? "" : "Z"}`;
  return kind === "missed"
    ? s("path", { d: disc, fill: "none", stroke: color, "stroke-width": 1.8 })
    : s("path", { d: disc, fill: color });
}

const shorten = (word) => ([...word].length > 20 ? `${[...word].slice(0, 19).join("")}…` : word);

const LEAN = 0.9; // of the column labels, in radians

function labelWidth(word) {
  labelWidth.context ??= document.createElement("canvas").getContext("2d");
  labelWidth.context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return labelWidth.context.measureText(shorten(word)).width;
}

function matrix(pair, at, judged) {
  const source = pair.source[at];
  const target = pair.target[at];
  const room = $("viewer").clientWidth - 24;
  const left = Math.max(...source.map(labelWidth)) + 10;
  const top = Math.max(...target.map(labelWidth)) * Math.sin(LEAN) + 14;
  const reach = target.map((word) => labelWidth(word) * Math.cos(LEAN) + 12);
  const size = Math.max(17, Math.min(28, Math.floor((room - left - 40) / target.length)));
  const width = left + size * target.length;
  // Labels of the last columns lean out over the matrix.
  const overhang = Math.max(0, ...reach.map((length, j) => length - size * (target.length - j - 0.5)));
  const height = top + size * source.length;
  const x = (j) => left + j * size;
  const y = (i) => top + i * size;
  const grid = [];
  for (let i = 0; i <= source.length; i += 1) grid.push(s("line", { x1: left, x2: width, y1: y(i), y2: y(i) }));
  for (let j = 0; j <= target.length; j += 1) grid.push(s("line", { x1: x(j), x2: x(j), y1: top, y2: height }));
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
  const rowLabels = source.map((word, i) => s("text", { x: left - 6, y: y(i) + size / 2 + 4, "text-anchor": "end" }, shorten(word)));
  const columnLabels = target.map((word, j) => {
    const px = x(j) + size / 2 + 3;
    return s("text", { x: px, y: top - 6, transform: `rotate(${(-LEAN * 180) / Math.PI} ${px} ${top - 6})` }, shorten(word));
  });
  const across = s("rect", { x: left, width: width - left, height: size, fill: "var(--accent)", opacity: 0 });
  const down = s("rect", { y: top, height: height - top, width: size, fill: "var(--accent)", opacity: 0 });
  const svg = s(
    "svg",
    { width: width + overhang, height: height + 2, role: "img", "aria-label": describeMatrix(source, target, judged) },
    [...pair.possible[at]].filter((link) => !pair.sure[at].has(link)).map((link) => square(link, "possible")),
    [...pair.sure[at]].map((link) => square(link, "sure")),
    s("g", { stroke: "var(--line)" }, grid),
    across,
    down,
    marks,
    rowLabels,
    columnLabels,
  );
  const box = h("div", { class: "matrix", tabindex: "0" }, svg);

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
    for (const [side, index] of [["source", i], ["target", j]]) {
      for (const group of document.querySelectorAll(`.group[data-side="${side}"]`)) {
        if (Number(group.dataset.from) <= index && index < Number(group.dataset.to)) group.classList.add("lit");
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
  const gold = pair.sure[at].has(link) ? "sure" : pair.possible[at].has(link) ? "possible" : "none";
  return h(
    "div",
    { class: "card" },
    h("strong", null, h("bdi", null, pair.source[at][i]), " – ", h("bdi", null, pair.target[at][j])),
    h("p", null, `gold: ${gold}`),
    judged.map((kinds, which) => h("div", null, `${judged.length > 1 ? `${which ? "B" : "A"}: ` : ""}${KINDS[kinds.get(link)] ?? "no link"}`)),
  );
}

// The same in words, for those who cannot see it.
function describeMatrix(source, target, judged) {
  const part = (kinds) =>
    Object.keys(KINDS).map((kind) => {
      const found = [...kinds].filter(([, of]) => of === kind).map(([link]) => {
        const [i, j] = link.split("-").map(Number);
        return `${source[i]}–${target[j]}`;
      });
      return `${KINDS[kind]}: ${found.join(", ") || "none"}`;
    }).join("; ");
  return judged.map((kinds, which) => `${judged.length > 1 ? (which ? "B. " : "A. ") : ""}${part(kinds)}`).join(". ");
}

// The data of the alignment viewer: unpack sentences, gold and links, judge links, order sentences.

const inflated = new Map();

// The sentences, gold and links of a pair, unpacked on first use.
function viewerPair(name) {
  if (!inflated.has(name)) inflated.set(name, inflate(REPORT.viewer[name].data).then(unpack));
  return inflated.get(name);
}

function unpack(data) {
  const words = (lines) => lines.map((line) => line.split(" "));
  // There is no gold of a sentence whose line is null.
  const links = (lines) => lines.map((line) => (line === null ? null : new Set(line ? line.split(" ") : [])));
  return {
    source: words(data.source),
    target: words(data.target),
    sure: links(data.sure),
    possible: links(data.possible),
    names: data.names,
    of: data.of ?? 0,
    telling: data.telling,
    tokens: data.tokens,
    cells: data.cells.map((cell) => ({ ...cell, links: links(cell.links), key: shortName(cell.cell) })),
  };
}

// A map from each link "i-j" of the cell or of the sure gold to its kind: right, allowed, wrong or missed; or
// found, if the sentence has no gold.
function judge(pair, cell, at) {
  const kinds = new Map();
  const [sure, possible] = [pair.sure[at], pair.possible[at]];
  for (const link of cell.links[at]) {
    kinds.set(
      link,
      sure === null ? "found" : sure.has(link) ? "right" : possible.has(link) ? "allowed" : "wrong",
    );
  }
  for (const link of sure ?? []) if (!kinds.has(link)) kinds.set(link, "missed");
  return kinds;
}

function tally(kinds) {
  const counts = { right: 0, allowed: 0, wrong: 0, missed: 0, found: 0 };
  for (const kind of kinds.values()) counts[kind] += 1;
  return counts;
}

function differing(a, b, at) {
  let count = 0;
  for (const link of a.links[at]) if (!b.links[at].has(link)) count += 1;
  for (const link of b.links[at]) if (!a.links[at].has(link)) count += 1;
  return count;
}

// Whether a sentence has a text on one of its sides, in any case and Unicode form.
function searchFor(pair, text) {
  const plain = (part) => part.normalize("NFKC").toLowerCase();
  const wanted = plain(text);
  return (at) => [pair.source, pair.target].some((side) => plain(side[at].join(" ")).includes(wanted));
}

function sentenceOrder(pair, a, b, order, find) {
  const numbers = pair.source.map((_, at) => at);
  const all = find ? numbers.filter(searchFor(pair, find)) : numbers;
  const errors = (at) => {
    if (pair.sure[at] === null) return -1;
    const { wrong, missed } = tally(judge(pair, a, at));
    return wrong + missed;
  };
  const weight = order === "worst" ? errors : order === "differ" && b ? (at) => differing(a, b, at) : null;
  if (!weight) return all;
  const weights = all.map(weight);
  return all.sort((x, y) => weights[y] - weights[x] || x - y);
}

// The kinds of links that a sentence can have.
const kindsOf = (pair, at) =>
  Object.keys(KINDS).filter((kind) => (kind === "found") === (pair.sure[at] === null));

// Groups of adjacent words such that no token crosses a group's boundary: [[number of words, tokens], ...],
// see `grouped_tokens`.
const groupsOf = (line) =>
  line.split("\t").map((group) => {
    const [count, ...tokens] = group.split(" ");
    return [Number(count), tokens];
  });

// The groups of two cells, merged at their common boundaries: [{from, to, tokens: [of A, of B]}].
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

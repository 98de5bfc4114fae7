// Tests of the page's computations without a browser: node --test.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const assets = new URL("../../src/seggrid/report/assets/", import.meta.url);

// The page's scripts share one scope; expressions are evaluated inside of it.
function load(data, ...names) {
  const document = { getElementById: () => ({ textContent: JSON.stringify(data) }) };
  const context = vm.createContext({ document, console, TextEncoder, BigInt, URLSearchParams });
  const code = names.map((name) => readFileSync(new URL(name, assets), "utf-8")).join("\n");
  vm.runInContext(code, context);
  // Values are passed as JSON, so that they have the prototypes of this scope.
  return (expression) => {
    const text = vm.runInContext(`JSON.stringify(${expression})`, context);
    return text === undefined ? undefined : JSON.parse(text);
  };
}

const texts = (...values) => {
  const distinct = [...new Set(values)];
  return { texts: distinct, at: values.map((value) => distinct.indexOf(value)) };
};

// Words, two cells of BPE within words, one of them with two thresholds, and one cell across spaces.
const DATA = {
  labels: {
    metrics: { f1: "F1", aer: "AER" },
    measures: { tokens_source: "Tokens, source" },
    stages: [],
    axes: { pair: "Pair", aligner: "Aligner", spaces: "Spaces", merges: "Merges", aggregate: "Aggregate", experiment: "Experiment" },
    values: { spaces: { yes: "within words", no: "across spaces" } },
  },
  languages: {},
  about: {},
  viewer: {},
  tables: {
    scores: {
      cell: texts("w", "a", "b", "c", "d"),
      pair: texts("p", "p", "p", "p", "p"),
      aligner: texts("x", "x", "x", "x", "y"),
      spaces: texts("", "yes", "yes", "no", "yes"),
      merges: [null, 100, 100, 100, 100],
      aggregate: texts("none", "1/3", "0.5", "posterior-0.4", "union"),
      experiment: texts("", "one;two", "one", "two", "two"),
      family: texts("words", "BPE", "BPE", "BPE across spaces", "BPE"),
      f1: [0.5, 0.6, 0.7, 0.9, null],
      aer: [0.5, 0.4, 0.3, 0.1, null],
      tokens_source: [10, 30, 20, 5, 30],
      words: [null, 0, 0, 0, 4],
      plain: [null, null, null, null, 1],
    },
  },
};

// A line goes through cells whose sides differ in nothing but x; x itself is one value.
const SPECS = (sizes) => sizes.map((size) => `bpe+merges=${size}+dropout=0.1`);

const page = load(DATA, "base/numbers.js", "base/dom.js", "base/cells.js", "base/table.js", "explorer/points.js", "explorer/panels.js", "explorer/lines.js");
const view = { x: "merges", y: "f1", row: "merges", color: "none", facet: "none", mark: "lines", show: "best", intervals: "" };
const collapsed = (cells, changed) => page(`collapse(${cells}, ${JSON.stringify({ ...view, ...changed })})`);

test("numbers are formatted", () => {
  assert.equal(page("whole(-1234567)"), "−1,234,567");
  assert.equal(page("score(1)"), "1.000");
  assert.equal(page("score(null)"), "–");
  assert.equal(page("gain(0.0123)"), "+0.012");
  assert.equal(page("gain(-0.5)"), "−0.500");
  assert.deepEqual(page("[0.0005, 0.02, 0.2].map(pValue)"), ["p ≤ 0.001", "p ≤ 0.05", "p = 0.200"]);
  assert.deepEqual(page("[0.25, 59, 61, 3600].map(duration)"), ["250 ms", "59.0 s", "1 min 1 s", "1 h 0 min"]);
  assert.deepEqual(page('[[], ["a"], ["a", "b", "c"]].map(listed)'), ["", "a", "a, b and c"]);
});

test("rows are made from columns", () => {
  assert.equal(page("CELLS.length"), 5);
  assert.equal(page("CELLS[2].aggregate"), "0.5");
  assert.equal(page("SCORED.length"), 4);
});

test("values are sorted by size, fractions too", () => {
  assert.deepEqual(page('distinct(CELLS, "aggregate")'), ["none", "union", "1/3", "0.5", "posterior-0.4"]);
  assert.deepEqual(page('distinct(CELLS, "experiment")'), ["one", "two"]);
});

test("a value has its label, never an inherited property", () => {
  assert.equal(page('valueLabel("spaces", "no")'), "across spaces");
  assert.equal(page('valueLabel("spaces", "constructor")'), "constructor");
  assert.equal(page('valueLabel("constructor", "name")'), "name");
  assert.equal(page('valueLabel("merges", 1000)'), "1,000");
});

test("a cell is compared with the cells that the table names, if they have scores", () => {
  assert.equal(page("wordsOf(CELLS[1]).cell"), "w");
  assert.equal(page("wordsOf(CELLS[0])"), undefined);
  assert.equal(page("wordsOf(CELLS[4])"), undefined);
  assert.equal(page("plainOf(CELLS[4]).cell"), "a");
});

test("the best cell of each point names the axes that it is the best over", () => {
  const { points, over } = collapsed("SCORED", {});
  assert.deepEqual(points.map(({ row }) => row), [3], "words have no merges");
  assert.deepEqual(over, ["spaces", "aggregate"]);
  assert.deepEqual(collapsed("SCORED", { color: "family" }).points.map(({ row }) => row), [2, 3]);
  assert.deepEqual(collapsed("SCORED", { show: "all" }).over, []);
});

test("the mean is over all cells of a point, and the lowest AER is best", () => {
  const mean = collapsed("SCORED.slice(1, 3)", { show: "mean" }).points;
  assert.equal(mean.length, 1);
  assert.ok(Math.abs(mean[0].f1 - 0.65) < 1e-12);
  assert.equal(mean[0].count, 2);
  assert.deepEqual(collapsed("SCORED.slice(1, 3)", { y: "aer" }).points.map(({ row }) => row), [2]);
});

test("for measures the cell with the best F1 is shown", () => {
  const [point] = collapsed("SCORED.slice(1, 3)", { y: "tokens_source" }).points;
  assert.deepEqual([point.row, point.tokens_source], [2, 20]);
  assert.equal(page('formatMetric("tokens_source", 12345)'), "12,345");
});

test("panels can combine pair, aligner and spaces", () => {
  assert.deepEqual(page("VARIED.includes('spaced')"), true);
  assert.equal(page("CELLS[3].spaced"), "x, across spaces");
  assert.equal(page("AXES.spaced"), "Aligner, spaces");
});

test("rows are sorted by numbers from the largest, missing ones last", () => {
  const sorted = (values, number, reverse) =>
    page(`sortedRows(${JSON.stringify(values)}, { value: (row) => row, number: ${number} }, ${reverse})`);
  assert.deepEqual(sorted([2, null, 10, 1], true, false), [10, 2, 1, null]);
  assert.deepEqual(sorted([2, null, 10, 1], true, true), [1, 2, 10, null]);
  assert.deepEqual(sorted(["b10", "", "b9", "a"], false, false), ["a", "b9", "b10", ""]);
});

const viewer = load(DATA, "base/numbers.js", "base/dom.js", "base/cells.js", "viewer/data.js");
const PAIR = `({
  source: [["a", "b"], ["c"]], target: [["A", "B"], ["C"]],
  sure: [new Set(["0-0"]), new Set(["0-0"])], possible: [new Set(["1-1"]), new Set()],
})`;

test("links are judged against sure and possible gold", () => {
  const judged = `judge(${PAIR}, { links: [new Set(["1-1", "0-1"])] }, 0)`;
  assert.deepEqual(viewer(`[...${judged}]`), [["1-1", "allowed"], ["0-1", "wrong"], ["0-0", "missed"]]);
  assert.deepEqual(viewer(`tally(${judged})`), { right: 0, allowed: 1, wrong: 1, missed: 1, found: 0 });
});

test("sentences are sorted by errors, or by differences between cells", () => {
  const a = '{ links: [new Set(["0-0"]), new Set(["0-0"])] }';
  const b = '{ links: [new Set(["0-0"]), new Set()] }';
  assert.deepEqual(viewer(`sentenceOrder(${PAIR}, ${a}, ${b}, "differ")`), [1, 0]);
  assert.deepEqual(viewer(`sentenceOrder(${PAIR}, ${b}, null, "worst")`), [1, 0]);
  assert.deepEqual(viewer(`sentenceOrder(${PAIR}, ${a}, null, "text")`), [0, 1]);
});

test("tokens of two cells are grouped by the words that both keep together", () => {
  const lines = ["1 the\t1 ca ke", "2 the▁cake"].map((line) => `groupsOf(${JSON.stringify(line)})`);
  assert.deepEqual(viewer(`blocks([${lines}])`), [{ from: 0, to: 2, tokens: [["the", "ca", "ke"], ["the▁cake"]] }]);
  assert.deepEqual(viewer(`blocks([${lines[0]}])`).length, 2);
});

test("lines leave out cells whose sides differ in x, and join those that differ in it alone", () => {
  const [small, large] = SPECS([100, 200]);
  const cell = (source, target) => JSON.stringify({ source, target });
  const lines = JSON.stringify({ ...view, mark: "lines" });
  const placed = (...cells) => page(`placed([${cells}], ${lines})`).length;
  assert.equal(placed(cell(small, small), cell(small, large), cell(small, "words"), cell("characters", large)), 3);
  assert.equal(page(`placed([${cell(small, large)}], ${JSON.stringify({ ...view, mark: "points" })})`).length, 1);
  const same = (one, other) => page(`series(${one}, "merges") === series(${other}, "merges")`);
  assert.ok(same(cell(small, small), cell(large, large)));
  assert.ok(!same(cell(small, small), cell(large, `${large}+knockout=blame-0.5`)));
});

test("a p-value says on which side of a level it is", () => {
  assert.equal(page("pValue(0.0504)"), "p = 0.050");
  assert.equal(page("pValue(0.05)"), "p ≤ 0.05");
  assert.equal(page("pValue(0.253)"), "p = 0.253");
});

test("labels of dashed lines are raised from one another, at each end of a panel", () => {
  const rule = (f1, end) => ({ f1, end, words: true });
  const rules = [rule(0.5, "first"), rule(0.501, "first"), rule(0.5, "last"), rule(0.502, "first"), rule(0.7, "first")];
  const raised = page(`apartLabels(${JSON.stringify(rules)}, [{ f1: 0.4 }, { f1: 0.8 }], ${JSON.stringify(view)}, 400)`).map((row) => Math.round(row.raised));
  assert.deepEqual(raised, [0, 12, 0, 24, 0]);
});

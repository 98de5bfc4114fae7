// Tests of the page's computations without a browser: node --test.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const assets = new URL("../../../src/seggrid/grid/report/assets/", import.meta.url);

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

const DATA = {
  labels: { f1: "F1" },
  languages: {},
  charts: {},
  views: null,
  config: {},
  tables: {},
  viewer: {},
  cells: {
    cell: texts("w", "a", "b"),
    aligner: texts("x", "x", "x"),
    aggregate: texts("none", "1/3", "0.5"),
    name: texts("words", "BPE 100", "BPE 200"),
    f1: [0.5, 0.6, null],
  },
};

const page = load(DATA, "dom.js", "cells.js", "table.js");

test("numbers are formatted", () => {
  assert.equal(page("whole(-1234567)"), "−1,234,567");
  assert.equal(page("score(1)"), "1.000");
  assert.equal(page("score(null)"), "–");
  assert.equal(page("gain(0.0123)"), "+0.012");
  assert.equal(page("gain(-0.5)"), "−0.500");
  assert.equal(page("gain(-0.0004)"), "0.000");
  assert.deepEqual(page("[0.0005, 0.05, 0.0504, 0.253].map(pValue)"), ["p ≤ 0.001", "p ≤ 0.05", "p = 0.050", "p = 0.253"]);
});

test("rows are made from columns", () => {
  assert.equal(page("CELLS.length"), 3);
  assert.equal(page("CELLS[2].aggregate"), "0.5");
  assert.equal(page('nameOfCell("a")'), "x: BPE 100");
  assert.equal(page('own({}, "constructor")'), undefined);
});

test("numbers of a table are shown by its heading", () => {
  assert.equal(page('shownValue("F1", 1)'), "1.000");
  assert.equal(page('shownValue("Cells", 1200, true)'), "1,200");
  assert.equal(page('shownValue("With F1", -1, false)'), "−1.000");
  assert.equal(page('shownValue("p (words)", 0.0004)'), "p ≤ 0.001");
  assert.equal(page('shownValue("over words", 0.01)'), "+0.010");
  assert.equal(page('shownValue("F1", null)'), "–");
});

test("rows are sorted by numbers from the largest, missing ones last", () => {
  const sorted = (values, reverse) =>
    page(`sortedRows(${JSON.stringify(values.map((x) => ({ x })))}, "x", ${reverse}).map((row) => row.x)`);
  assert.deepEqual(sorted([2, null, 10, 1], false), [10, 2, 1, null]);
  assert.deepEqual(sorted([2, null, 10, 1], true), [1, 2, 10, null]);
  assert.deepEqual(sorted(["b10", "", "b9", "a"], false), ["a", "b9", "b10", ""]);
});

const viewer = load(DATA, "dom.js", "cells.js", "viewer/data.js");
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

// The words of a sentence with their tokens below, and the number of links of each kind.

function gloss(pair, side, language, at, a, b) {
  const words = pair[side][at];
  // Words that are aligned whole have no tokens of their own: there is one block for each.
  const numbers = [...new Set([a, b].filter(Boolean).map((cell) => cell[side]))].filter(
    (number) => number !== null,
  );
  const whole = words.map((_, k) => ({ from: k, to: k + 1, tokens: [] }));
  const found = numbers.length ? blocks(numbers.map((number) => groupsOf(pair.tokens[number][at]))) : whole;
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
          tokens.map((pieces, which) =>
            h(
              "div",
              { class: which ? "pieces b" : "pieces", dir: "auto" },
              pieces.map((piece) => h("span", null, piece)),
            ),
          ),
        ),
      ),
    ),
  );
}

function tallies(judged, shown, difference) {
  const lines = judged.map((kinds, which) => {
    const counts = tally(kinds);
    return h(
      "div",
      { class: "key" },
      judged.length > 1 && h("strong", { class: which ? "name b" : "name" }, which ? "B" : "A"),
      shown.map((kind) =>
        h(
          "span",
          null,
          s(
            "svg",
            { viewBox: "0 0 18 18", "aria-hidden": "true" },
            glyph(kind, 9, 9, 6.5, judged.length > 1 ? which : null),
          ),
          `${counts[kind]} ${KINDS[kind]}`,
        ),
      ),
    );
  });
  const gold =
    !shown.includes("found") &&
    h(
      "div",
      { class: "key" },
      "Gold:",
      ["sure", "possible"].map((name) =>
        h(
          "span",
          null,
          s(
            "svg",
            { viewBox: "0 0 18 18", "aria-hidden": "true" },
            s("rect", { x: 1, y: 1, width: 16, height: 16, fill: `var(--${name})`, stroke: "var(--line)" }),
          ),
          name,
        ),
      ),
    );
  return h(
    "div",
    { class: "tallies" },
    lines,
    gold,
    difference !== null && h("div", null, `${plural(difference, "link")} in one of A and B only.`),
  );
}

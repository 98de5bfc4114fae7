// The alignment viewer: the gold links and those of one or two cells as a matrix, and tokens below their
// words.

const ORDERS = {
  text: "as in the text",
  worst: "most errors of A first",
  differ: "most differences of A and B first",
};
const RULE =
  "Three sentences chosen by a rule: one that A, the best cell, gets right (or more of it) and B, its words, " +
  "most wrong; one the other way round; and one in which even the cell that does best has most errors for " +
  "its gold links.";
const RULE_WITHOUT_GOLD =
  "Two sentences chosen by a rule: the one in which A, the cell that agrees most with all others, and B, " +
  "the words that do, have the fewest links in common; and the one in which all cells have.";
const KINDS = {
  right: "right (sure)",
  allowed: "right (possible)",
  wrong: "wrong",
  missed: "missed",
  found: "linked",
};

// What the page has of the sentences that the scores are of.
function firstOf(pair) {
  const shown = pair.source.length;
  return pair.of > shown
    ? `The page has the first ${whole(shown)} of ${whole(pair.of)} sentences; scores are of all. `
    : "";
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
      replace(box, h("p", { class: "notice" }, `This browser cannot unpack the sentences (${error}).`));
      return;
    }
    const find = (key) => pair.cells.find((cell) => cell.key === key);
    const a = find(chosen("a")) ?? pair.cells[0];
    const b =
      chosen("b") === NONE ? null : (find(chosen("b")) ?? pair.cells.find((cell) => cell !== a) ?? null);
    const order = orderChosen();
    const ordered = sentenceOrder(pair, a, b, order, chosen("find", ""));
    const plain = !["a", "b", "order", "find"].some((key) => chosen(key));
    const opening = plain ? Object.values(pair.telling)[0] : undefined;
    const place = Math.max(0, ordered.indexOf(sentenceChosen(pair.source.length, opening) - 1));
    shown = { pair, a, b, ordered, place, name };
    controls(name, order);
    sentence();
  }

  // The number of the sentence in the address; if there is none, that of the first telling one, or NaN.
  // Another number than one of a sentence is replaced there by the nearest, and what is no number is taken
  // out.
  function sentenceChosen(count, opening) {
    const given = chosen("sentence");
    const number = Math.min(count, Math.max(1, Math.round(Number(given ?? NaN))));
    const known = given === "" || Number.isNaN(number) ? undefined : String(number);
    if (given !== known) choose(address.section, { sentence: known });
    return Number(known ?? (opening === undefined ? NaN : opening + 1));
  }

  const first = REPORT.order ?? "text";
  const orderChosen = () => (Object.hasOwn(ORDERS, chosen("order")) ? chosen("order") : first);
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
      if (!row) return cell.cell;
      const known = [
        ["F1", row.f1],
        ["agreement", row.agreement],
      ].find(([, value]) => typeof value === "number");
      return `${row.aligner}: ${row.name}` + (known ? ` (${known[0]} ${score(known[1])})` : "");
    };
    const options = pair.cells.map((cell) => [cell.key, label(cell)]);
    const hasGold = pair.sure.some((links) => links !== null);
    const orders = Object.entries(ORDERS).filter(
      ([key]) => (key !== "differ" || b) && (key !== "worst" || hasGold),
    );
    const total = pair.source.length;
    const what = CELLS.length ? "Cell" : "Links";
    const focused = document.activeElement?.id;
    const told = Object.entries(pair.telling);
    replace(
      $("viewer-controls"),
      told.length > 0 &&
        h(
          "div",
          { class: "presets", role: "group", "aria-label": "Telling sentences" },
          told.map(([what, at]) => {
            const here = a === pair.cells[0] && b === (pair.cells[1] ?? null) && ordered[place] === at;
            const show = () => set({ a: null, b: null, order: null, find: null, sentence: String(at + 1) });
            return h("button", { type: "button", "aria-pressed": String(here), onclick: show }, what);
          }),
          h("p", { class: "note" }, hasGold ? RULE : RULE_WITHOUT_GOLD),
        ),
      names.length > 1 &&
        select(
          "Pair",
          names.map((n) => [n, n]),
          name,
          (value) => set({ pair: value, a: null, b: null, sentence: null }),
        ),
      select(`${what} A`, options, a.key, (value) => set({ a: value })),
      options.length > 1 &&
        select(
          `${what} B`,
          [[NONE, "no others"], ...options.filter(([key]) => key !== a.key)],
          b?.key ?? NONE,
          (value) => set({ b: value }),
        ),
      select("Order", orders, order, (value) =>
        set({ order: value === first ? null : value, sentence: null }),
      ),
      h(
        "label",
        { class: "field" },
        h("span", null, "With the words"),
        h("input", {
          type: "search",
          id: "find",
          value: chosen("find", ""),
          onchange: (event) => set({ find: event.target.value || null, sentence: null }),
        }),
      ),
      h(
        "div",
        { class: "stepper" },
        h(
          "button",
          {
            type: "button",
            id: "previous",
            "aria-label": "Previous sentence",
            disabled: place === 0,
            onclick: () => step(-1),
          },
          "←",
        ),
        h(
          "label",
          { class: "field" },
          h(
            "span",
            null,
            ordered.length < total
              ? `Sentence, ${whole(ordered.length)} of ${whole(total)}`
              : `Sentence of ${whole(total)}`,
          ),
          h("input", {
            type: "number",
            id: "sentence",
            min: 1,
            max: total,
            value: ordered.length ? ordered[place] + 1 : "",
            onchange: (event) => set({ sentence: event.target.value }),
          }),
        ),
        h(
          "button",
          {
            type: "button",
            id: "next",
            "aria-label": "Next sentence",
            disabled: place >= ordered.length - 1,
            onclick: () => step(1),
          },
          "→",
        ),
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  function sentence() {
    const { pair, a, b, ordered, place, name } = shown;
    if (!ordered.length) {
      replace(
        box,
        h("p", { class: "notice" }, "No sentence has these words: ", h("bdi", null, chosen("find", ""))),
      );
      delete box.dataset.sentence;
      return;
    }
    const at = ordered[place];
    const judged = [a, b].filter(Boolean).map((cell) => judge(pair, cell, at));
    const { source, target } = own(REPORT.languages, name) ?? { source: "source", target: "target" };
    replace(
      box,
      gloss(pair, "source", source, at, a, b),
      gloss(pair, "target", target, at, a, b),
      h(
        "p",
        { class: "note" },
        firstOf(pair),
        `Sentence ${pair.names[at]} of the text`,
        h(
          "span",
          { class: "paper" },
          [a, b].filter(Boolean).map((cell, which) => `; ${which ? "B" : "A"}: ${nameOfCell(cell.cell)}`),
        ),
      ),
      tallies(judged, kindsOf(pair, at), b ? differing(a, b, at) : null),
      matrix(pair, at, judged),
    );
    const drawing = /** @type {SVGSVGElement} */ (box.querySelector(".matrix svg"));
    build(box, null, [
      figureButtons(`alignment ${name} ${pair.names[at]}`, drawing, () =>
        linkRows(pair, at, [a, b].filter(Boolean), judged),
      ),
    ]);
    box.dataset.sentence = String(at + 1);
  }

  // The keys work wherever nothing else uses them, as long as the viewer can be seen.
  document.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const target = /** @type {Element} */ (event.target);
    const free = target === document.body || target.closest("tr, a, button") || box.contains(target);
    const { top, bottom } = $("alignments").getBoundingClientRect();
    if (
      !by ||
      !shown ||
      !free ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      bottom < 0 ||
      top > innerHeight
    )
      return;
    step(by);
    event.preventDefault();
  });
  address.listeners.push(update);
  update();
}

// Language models of segmented texts: their scores, and comparisons with the models that they continue.

const LANGUAGE_MODELS = rows("language_model");
const MODEL_COMPARISONS = rows("language_model_comparisons");
const MODEL_PROBES = rows("language_model_probes");
const MODEL_TASKS = rows("language_model_tasks");

function languageModels() {
  const digits = (name, places) => (row) => {
    const [value, low, high] = ["", "_low", "_high"].map((end) => row[name + end]);
    if (typeof value !== "number") return "–";
    const text = (number) => signed(number.toFixed(places));
    return [text(value), typeof low === "number" && h("small", null, ` (${text(low)} to ${text(high)})`)];
  };
  const count = (name) => (row) => (typeof row[name] === "number" ? whole(row[name]) : "–");
  const several = (name) => new Set(LANGUAGE_MODELS.map((row) => row[name])).size > 1;
  const text = (name, heading) => (several(name) ? [[heading, (row) => row[name] || "–"]] : []);
  replace(
    $("language-models-table"),
    table(LANGUAGE_MODELS, [
      ["Model", (row) => row.model],
      ...text("continues", "Continues"),
      ...text("pair", "Pair"),
      ...text("side", "Side"),
      ...text("size", "Size"),
      ["Types", count("vocabulary"), "number"],
      ["Steps", count("steps"), "number"],
      ["Tokens per word", digits("tokens_per_word", 2), "number"],
      ["Sentences in pieces", digits("cut", 3), "number"],
      ["PPPL", digits("pppl", 2), "number"],
      ["Bits per character", digits("bits_per_character", 3), "number"],
      ["Bits per word", digits("bits_per_word", 2), "number"],
    ]),
  );
  modelComparisons(digits);
  modelProbes(digits, count);
  modelTasks(digits, count);
}

function modelComparisons(digits) {
  if (!MODEL_COMPARISONS.length) return;
  const kinds = { better: "holds", worse: "fails" };
  replace(
    $("language-models-comparisons"),
    h("h3", null, "Comparisons"),
    table(MODEL_COMPARISONS, [
      ["Model", (row) => row.model],
      ["Compared with", (row) => row.other + (row.relation === "continues" ? ", which it continues" : "")],
      ["Ratio of PPPL", digits("pppl_ratio", 3), "number"],
      ["Difference in bits per character", digits("delta_bits_per_character", 3), "number"],
      ["Verdict", (row) => h("span", { class: `verdict ${kinds[row.verdict] ?? "other"}` }, row.verdict)],
    ]),
  );
}

function modelProbes(digits, count) {
  if (!MODEL_PROBES.length) return;
  const kinds = { "above chance": "holds", "below chance": "fails" };
  replace(
    $("language-models-probes"),
    h("h3", null, "Zero-shot probes"),
    h("p", { class: "note" }, "Share of multiple-choice items answered rightly; intervals over items."),
    table(MODEL_PROBES, [
      ["Probe", (row) => row.probe],
      ["Model", (row) => row.model],
      ["Items", count("items"), "number"],
      ["Chance", digits("chance", 3), "number"],
      ["Accuracy", digits("accuracy", 3), "number"],
      ["Items with unknown tokens", digits("unknown", 3), "number"],
      ["Verdict", (row) => h("span", { class: `verdict ${kinds[row.verdict] ?? "other"}` }, row.verdict)],
    ]),
  );
}

function modelTasks(digits, count) {
  if (!MODEL_TASKS.length) return;
  replace(
    $("language-models-tasks"),
    h("h3", null, "Fine-tuned models"),
    h(
      "p",
      { class: "note" },
      "Accuracy of labels, or F1 of whole entities, on test sentences: mean over seeds, intervals over sentences. Silver ",
      "labels are a tagger's, with its mistakes. The baseline is the most frequent label of the word, or of all.",
    ),
    table(MODEL_TASKS, [
      ["Task", (row) => row.task],
      ["Labels", (row) => row.labels],
      ["Model", (row) => row.model],
      ["Seeds", count("seeds"), "number"],
      ["Tested", count("tested"), "number"],
      ["Unknown tokens", digits("unknown", 3), "number"],
      ["Baseline", digits("baseline", 3), "number"],
      ["Measure", (row) => row.measure],
      ["Score", digits("score", 3), "number"],
      ["Standard deviation over seeds", digits("score_sd", 4), "number"],
    ]),
  );
}

"""Charts of pruned tokenizers, as BPE-knockout draws them, and tables for readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from seggrid.grid.report.charts.chart import BARS, LINES, Chart, curve, joined
from seggrid.grid.report.labels import METRICS
from seggrid.grid.report.theme import FIRST, METRIC_LOOKS, PLAIN
from seggrid.grid.study import table_named

IDENTITY = ["tokenizer", "reference"]
"""The columns of both tables that name the tokenizer and the reference of a row."""

_SWEPT = ("threshold", "selection")
"""Values of `figure` in `results/knockout.csv` that are drawn as curves."""

_HISTOGRAMS = {
    "position": (
        "knockout-positions",
        "Positions of the pruned types",
        "Position in the vocabulary",
    ),
    "change": (
        "knockout-tokens",
        "Change in tokens per word",
        "Tokens of a word, after minus before",
    ),
    "morphemes": ("morphemes-per-word", "Morphemes per word", "Morphemes of a word"),
    "stepping_stones": (
        "stepping-stones",
        "Stepping stones: types that are part of one merge only, and a token of no word",
        "Stepping stones of a type",
    ),
}
"""By value of `figure`: the name of the chart, its title, and the label of x."""

_SCORES = {metric: METRICS[metric] for metric in ("precision", "recall", "f1")}
_AMOUNTS = ("random", "latest", "leaves")


def of_pruning(morphology: pd.DataFrame | None, knockout: pd.DataFrame | None) -> Iterator[Chart]:
    """Boundary scores over the amount of pruning, histograms, and the share of leaves (BPE-knockout, Figures
    2 to 6 and 10)."""
    rows = curves(morphology, knockout)
    yield _sweep("knockout-threshold", rows, ("blame", "blame-tokens"), "Blame threshold")
    pruned = {"pruned": "share of merges pruned"}
    yield _sweep("knockout-pruned", rows, ("blame",), "Blame threshold", pruned)
    yield _sweep("knockout-random-latest", rows, _AMOUNTS, "Share of merges pruned")
    if knockout is None:
        return
    for kind, (name, title, x) in _HISTOGRAMS.items():
        bars = knockout[knockout["figure"] == kind].rename(columns={"count": "y"})
        names = bars[[*IDENTITY, "knockout"]].astype(str).to_numpy()
        panel = [", ".join(row) for row in names]  # there may be none
        bars = bars[["low", "high", "y"]].assign(panel=panel)
        yield Chart(name, title, BARS, bars, x, "Count")
    yield _leaves(knockout)


def curves(morphology: pd.DataFrame | None, knockout: pd.DataFrame | None) -> pd.DataFrame:
    """The rows to draw over the amount of pruning, from one of the tables or both.

    From `results/morphology.csv`, these are the rows for boundaries between morphemes, over word types, on
    the full data and without dropout. A row that is also in `results/knockout.csv` is taken once. The columns
    are setting (tokenizer and reference), knockout, method and amount (parts of the name in `knockout`;
    missing for `none`), precision, recall, f1, pruned.
    """
    parts = []
    if knockout is not None and len(knockout):
        parts.append(knockout[knockout["figure"].isin(_SWEPT)])
    if morphology is not None and len(morphology):
        full = morphology[
            (morphology["boundaries"] == "morphemes")
            & (morphology["unit"] == "types")
            & (morphology["evaluation"] == "full")
        ]
        parts.append(full[full["dropout"] == 0] if "dropout" in full else full)
    tables = [
        part.assign(setting=part[IDENTITY].agg(", ".join, axis=1)) for part in parts if len(part)
    ]
    columns = ["setting", "knockout", *_SCORES, "pruned"]
    if not tables:
        return pd.DataFrame(columns=[*columns, "method", "amount"])
    table = pd.concat(tables, ignore_index=True).reindex(columns=columns)
    table = table.drop_duplicates(["setting", "knockout"], ignore_index=True)
    method = table["knockout"].str.extract(r"^([a-z]+)-([\d.]+)(-tokens)?$")
    return table.assign(
        method=method[0].str.cat(method[2].fillna("")), amount=pd.to_numeric(method[1])
    )


def _sweep(
    name: str,
    rows: pd.DataFrame,
    methods: tuple[str, ...],
    x: str,
    measures: Mapping[str, str] = _SCORES,
) -> Chart:
    """Measures over the amount of pruning by some methods, each in a panel; dashed: before pruning."""
    parts = []
    for method in methods:
        for setting, group in rows[rows["method"] == method].groupby("setting", sort=False):
            if group["amount"].nunique() < 3:
                continue
            group = group.sort_values("amount")
            panel = f"{setting}, {method}" if setting else method
            before = rows[(rows["setting"] == setting) & (rows["knockout"] == "none")]
            for measure, label in measures.items():
                parts.append(curve(panel, label, group["amount"], group[measure]))
                for value in before[measure].dropna():
                    ends = group["amount"].iloc[[0, -1]]
                    parts.append(curve(panel, label, ends, [value] * 2, "dashed"))
    looks = METRIC_LOOKS if measures is _SCORES else dict.fromkeys(measures.values(), PLAIN)
    title = f"{'Boundary scores' if measures is _SCORES else 'Merges pruned'} over {x.lower()}"
    return Chart(name, title, LINES, joined(parts), x, looks=looks, dashed="as learned")


def _leaves(knockout: pd.DataFrame) -> Chart:
    """The share of leaves among the latest merges, over the number of latest merges (BPE-knockout, Figure 3).

    The dashed line is the share among all merges, which is expected from a random choice.
    """
    parts = []
    for key, group in knockout[knockout["figure"] == "leaves"].groupby(IDENTITY, sort=False):
        panel, group = ", ".join(map(str, key)), group.sort_values("pruned")
        all_merges = [group["leaves"].iloc[-1]] * len(group)
        parts.append(curve(panel, "latest merges", group["pruned"], group["leaves"]))
        parts.append(curve(panel, "latest merges", group["pruned"], all_merges, "dashed"))
    x, y = "Share of merges taken", "Share that makes leaves"
    title = "Leaves, types that no merge uses, among the latest merges"
    return Chart(
        "leaves", title, LINES, joined(parts), x, y, {"latest merges": FIRST}, "all merges"
    )


def with_values(table: pd.DataFrame) -> pd.DataFrame:
    """Boundary scores with the columns that have values."""
    return table.dropna(axis=1, how="all")


def _main_columns() -> list[str]:
    """The main columns of the boundary scores."""
    columns = table_named("morphology").shown[0].columns
    return [name for name, _ in columns if not name.startswith("published_")]


def relative_to_learned(morphology: pd.DataFrame) -> pd.DataFrame:
    """Each row compared with the tokenizer as learned, on the same reference, boundaries and unit
    (BPE-knockout, Table 11).

    The tokenizer as learned is the row `none` without dropout, on the full data. The ideal segmentation has
    no row. Metrics have differences in percentage points, `{metric}_points`, and ratios, `{metric}_ratio`.
    """
    morphology = morphology[[name for name in _main_columns() if name in morphology]]
    metrics = ["precision", "recall", "f1"]
    keys = [*IDENTITY, "boundaries", "unit"]
    dropout = morphology.get("dropout", 0)
    learned = (morphology["knockout"] == "none") & (morphology["evaluation"] == "full")
    base = morphology[learned & (dropout == 0)].set_index(keys)[metrics].add_suffix("_learned")
    rows = morphology[morphology["knockout"] != "ideal"]
    joined = rows.join(base, on=keys)
    first = [name for name in rows if name not in (*metrics, "tokens_per_word")]
    table = rows[first].copy()
    for metric in metrics:
        own, learned_one = joined[metric], joined[f"{metric}_learned"]
        table[f"{metric}_points"] = 100 * (own - learned_one)
        table[f"{metric}_ratio"] = own / learned_one.where(learned_one > 0)
    return table

"""Write the table of an export: the file of links of each cell, and its scores."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.files import atomic_write
from seggrid.base.lines import stream_lines
from seggrid.corpus.gold import read_gold
from seggrid.corpus.pair import lines_kept_of
from seggrid.corpus.text import Text
from seggrid.data.links import Links
from seggrid.grid.axes import path
from seggrid.score.counts import read_group_counts
from seggrid.score.metrics import F1, METRICS, compute_metrics, count_hits
from seggrid.workflow.jobs.script import timed


def main(
    cells: Path,
    experiments: list[str],
    named: list[str],
    votes: list[tuple],
    files: str,
    layouts: dict,
    output: Path,
) -> None:
    """Score the links of an export: of the cells of some experiments or with some names, and of ensembles,
    each given by name, pair and scores. `*` in `files` stands for a name; the layouts are those of pairs in
    which some lines are no sentence pairs."""
    with cells.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    chosen = [
        row
        for row in rows
        if row["cell"] in named or {*row["experiment"].split(";")} & {*experiments}
    ]
    kept = {
        pair: lines_kept_of(
            *([Text.from_text(text) for text in own.get(side, [])] for side in ("texts", "others"))
        )
        for pair, own in layouts.items()
    }
    with timed("scoring"):
        table = []
        for row in chosen:
            found = outcome(row["cell"], row["pair"], files, kept[row["pair"]])
            table.append(found | ({} if found["f1"] == "" else {"f1_of_cell": f1_of(row)}))
        for name, pair, scores in votes:
            with open(scores, encoding="utf-8", newline="") as file:
                (voted,) = csv.DictReader(file)
            found = outcome(name, pair, files, kept[pair])
            if voted["gold_used"] != "none":
                # Weights must not be scored on the gold that chose them, so the F1 of the table is
                # cross-validated.
                found |= dict.fromkeys(METRICS, "")
            table.append(found | {"f1_of_cell": voted["f1"]})
    with atomic_write(output) as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def f1_of(row: Mapping[str, str]) -> float:
    """The F1 of a cell whose pair has gold."""
    scored = read_group_counts(row["file"])
    counts = scored.counts[scored.aggregates.index(row["aggregate"]), 0].sum(axis=0)
    sure = len(read_gold(path("gold", pair=row["pair"])).sure.pairs)
    return float(compute_metrics(counts, sure)[F1])


def outcome(name: str, pair: str, files: str, kept: NDArray[np.bool_] | None) -> dict[str, Any]:
    """A row of the table, without the F1 of the cell; without gold, its metrics are empty."""
    file = files.replace("*", name)
    gold = read_gold(path("gold", pair=pair))
    lines = gold.sentences if kept is None else np.flatnonzero(kept)[gold.sentences]
    wanted, of_gold, count, links = set(lines.tolist()), [], 0, 0
    for number, line in enumerate(stream_lines(file)):
        count += 1
        links += line.count("-")
        if number in wanted:
            of_gold.append(line)
    found = {"cell": name, "file": file, "lines": count, "links": links}
    sure = len(gold.sure.pairs)
    metrics = dict.fromkeys((*METRICS, "f1_of_cell"), "")
    if sure:
        written = Links.from_lines(of_gold)
        counts = count_hits(written, gold.sure, gold.possible).sum(axis=0)
        metrics |= dict(zip(METRICS, compute_metrics(counts, sure), strict=True))
    return found | metrics

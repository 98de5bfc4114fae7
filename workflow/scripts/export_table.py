"""Write the table of an export: the file of links of each cell, and its scores."""

import argparse
import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.files import atomic_write
from seggrid.base.lines import stream_lines
from seggrid.corpus.gold import read_gold
from seggrid.data.links import Links
from seggrid.grid.axes import path
from seggrid.score.metrics import F1, METRICS, compute_metrics, count_hits
from seggrid.score.score_file import read_group_counts
from seggrid.workflow.jobs.layout import read_layout
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, read, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=Path, required=True, help="the table of all cells")
    parser.add_argument(
        "--chosen", type=json.loads, required=True, help="experiments, and names of cells, as JSON"
    )
    parser.add_argument(
        "--votes",
        type=json.loads,
        default=[],
        help="name, pair and scores of each ensemble, as JSON",
    )
    parser.add_argument("--files", required=True, help="their links, * standing for a cell's name")
    parser.add_argument(
        "--layouts", type=json.loads, required=True, help="arguments of each pair's layout, as JSON"
    )
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with arguments.cells.open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file, delimiter="\t") if chosen(row, arguments.chosen)
        ]
    kept = {pair: read_layout(options) for pair, options in arguments.layouts.items()}
    with timed("scoring"):
        table = []
        for row in rows:
            found = outcome(row["cell"], row["pair"], arguments.files, kept[row["pair"]])
            table.append(found | ({} if found["f1"] == "" else {"f1_of_cell": f1_of(row)}))
        for name, pair, scores in arguments.votes:
            with open(scores, encoding="utf-8", newline="") as file:
                (voted,) = csv.DictReader(file)
            found = outcome(name, pair, arguments.files, kept[pair])
            if voted["gold_used"] != "none":
                # Weights must not be scored on the gold that chose them, so the F1 of the table is
                # cross-validated.
                found |= dict.fromkeys(METRICS, "")
            table.append(found | {"f1_of_cell": voted["f1"]})
    with atomic_write(arguments.output) as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def chosen(row: Mapping[str, str], choice: Mapping[str, Sequence[str]]) -> bool:
    """Whether a cell is exported."""
    experiments = row["experiment"].split(";")
    return row["cell"] in choice["cells"] or bool({*experiments} & {*choice["experiments"]})


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


if __name__ == "__main__":
    run(main)

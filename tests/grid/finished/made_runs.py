"""Small folders of results, made by hand."""

import csv
import json
from pathlib import Path

import numpy as np

from seggrid.align import AXES
from seggrid.grid.run.output_digests import digest_of
from seggrid.score.counts import PairCounts, write_counts
from seggrid.score.metrics import METRICS, compute_metrics
from seggrid.segment.measures import MEASURES
from seggrid.text.sides import SIDES

SENTENCES = 12
WORDS, SMALL, LARGE = "p/words", "p/bpe+merges=10", "p/bpe+merges=20"
MERGES = {WORDS: "", SMALL: "10", LARGE: "20"}


def counts_of(seed: int, replicates: int = 1) -> np.ndarray:
    """Links, sure hits and possible hits of a cell, shape (replicates, sentences, 3)."""
    draw = np.random.default_rng(seed)
    hits = draw.integers(2, 6, (replicates, SENTENCES))
    return np.stack([hits + draw.integers(0, 4, hits.shape), hits, hits], axis=-1)


def write_csv(file: Path, rows: list[dict]) -> None:
    """Write rows with the same columns."""
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def make_run(
    folder: Path, cells: dict[str, int], record: dict | None = None, sure: int = 7
) -> Path:
    """Write scores.csv, counts.npz and run.json.

    Args:
        folder: the folder.
        cells: the seed of the counts of each cell; a cell with an odd seed has two replicates.
        record: what run.json says beside the tables' digests; None for no record.
        sure: sure links of each sentence.
    """
    folder.mkdir(parents=True)
    gold = np.full(SENTENCES, sure)
    counts = {cell: counts_of(seed, 1 + seed % 2) for cell, seed in cells.items()}
    scores = {
        cell: compute_metrics(own.sum(axis=1), gold.sum()).mean(axis=0)
        for cell, own in counts.items()
    }
    rows = [
        {
            "cell": cell,
            "pair": "p",
            "sentences": "all",
            "merges": MERGES[cell],
            "sides": "both" if MERGES[cell] else "none",
            "aligner": "gibbs",
            **dict.fromkeys(AXES, ""),
            "symmetrization": "union",
            "aggregate": "none",
            **{f"{measure}_{side}": cells[cell] for measure in MEASURES for side in SIDES},
            "replicates": len(counts[cell]),
            "source": cell,
            "target": cell,
            "experiment": "+".join(cells),
            "status": "ok",
            **dict(zip(METRICS, map(float, values), strict=True)),
            "delta_f1_words": float(values[2] - scores[WORDS][2]) if WORDS in cells else "",
            "words_cell": WORDS if WORDS in cells else "",
            "plain_cell": "",
            "equal_cell": "",
        }
        for cell, values in scores.items()
    ]
    write_csv(folder / "scores.csv", rows)
    write_counts(
        folder / "counts.npz",
        {
            "p": PairCounts(
                np.array(list(cells)),
                np.array([len(own) for own in counts.values()]),
                gold,
                np.concatenate(list(counts.values())),
            )
        },
    )
    if record is not None:
        tables = {name: digest_of(folder / name) for name in ("scores.csv", "counts.npz")}
        parts = {"settings": {}, "inputs": {}, "machine": {}, "versions": {}, "finished": True}
        (folder / "run.json").write_text(json.dumps({**parts, **record, "tables": tables}))
    return folder

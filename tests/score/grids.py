"""Grids without a run: gold and tokens, counts of cells that are equally good, or not, and their scores."""

import numpy as np
import pandas as pd

from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics
from seggrid.text.gold import Gold
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

SURE = Links.from_lines(["0-0 1-1", "0-0"])
GOLD = Gold(np.array([0, 2]), SURE, SURE)
TOKENS = (
    Segmentation.from_words([["a", "b"], ["c"]]),
    Segmentation.from_words([["x", "ü y"], ["z"]]),
)
"""The tokens of both sides of the sentences with gold."""


def counts_of(random, quality, *, sentences, replicates=1, pair="p", alike=0.7):
    """Counts of cells that find each sure link at a rate of their own; `alike` is the share of sentences in
    which a cell finds the links that most others find."""
    sure = random.integers(4, 40, sentences)
    ease = random.beta(6, 4, sentences) - 0.6
    base = random.random(sentences)
    cells = []
    for rate in np.repeat(quality, replicates):
        own = np.where(random.random(sentences) < alike, base, random.random(sentences))
        hits = np.round(sure * np.clip(rate + ease / 2 + (own - 0.5) / 3, 0, 1)).astype(int)
        others = random.binomial(sure, 0.4)
        possible = random.binomial(others, 0.25)
        cells.append(np.stack([hits + others, hits, hits + possible], axis=1))
    names = np.array([f"{pair}/c{number}" for number in range(len(quality))])
    return PairCounts(
        names, np.full(len(quality), replicates), sure, np.array(cells, dtype=np.int32)
    )


def scores_of(counts, words=3):
    """The table of scores of the cells of `counts_of`, by pair; the first ones are words."""
    tables = []
    for pair, own in counts.items():
        sums = own.counts.sum(axis=1).reshape(len(own.cells), -1, 3)
        of_words = np.arange(len(own.cells)) < words
        table = pd.DataFrame(
            {
                "cell": own.cells,
                "pair": pair,
                "sides": np.where(of_words, "none", "both"),
                "segmenter": np.where(of_words, "words", "bpe"),
                "merges": np.where(of_words, np.nan, np.arange(len(own.cells))),
                "words_cell": own.cells[0],
                "f1": compute_metrics(sums, own.sure.sum())[..., F1].mean(axis=1),
            }
        )
        tables.append(table.assign(**dict.fromkeys(("equal_cell", "source", "target"), "")))
    symmetrization = "grow-diag-final-and"
    same = {"aligner": "gibbs", "symmetrization": symmetrization, "aggregate": "none", "samples": 1}
    return pd.concat(tables, ignore_index=True).assign(**same)

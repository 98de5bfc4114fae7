"""Test the choices of `seggrid recommend` on texts with gold: the tables of docs/studies/recommend.md.

    python docs/studies/recommend.py align ../shared/data CACHE [TEXT ...]
    python docs/studies/recommend.py tables CACHE

`align` tries all candidates on each text, in about 15 CPU minutes; `eng-deu:1000` is the first 1,000 pairs of
a text. `tables` fits the estimate to all texts, prints it, and writes recommend-certainty.csv,
recommend-consensus.csv and recommend-default.csv.
"""

import argparse
from itertools import combinations, pairwise
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd
from neural import TABLES, read
from numpy.typing import NDArray

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.resampling import bootstrap_weights
from seggrid.commands.aligner import Aligner
from seggrid.commands.recommendation import THRESHOLDS, candidates
from seggrid.commands.texts import Filled
from seggrid.grid.align_cell import Request
from seggrid.grid.recipes import word_types
from seggrid.score.correlations import spearman
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import MUTUAL, consensus, evidence
from seggrid.text.gold import gold_of_nothing
from seggrid.text.words import Words

TEXTS = ("eng-jpn", "ru", "nl", "hu", "es", "et", "eng-hin", "eng-ces")
PARTS = ("eng-deu:1000", "eng-deu:5000", "eng-deu")
USUAL = THRESHOLDS.index("0.35")
"""The threshold of the default."""

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
DRAWS, DRAWN, ROUNDS, OF_RUNS = 10, 100, 1000, 0.003
"""How often a part of the gold is drawn, of how many sentences, with how many resamples; and the standard
deviation of F1 over seeds."""


class Tried(NamedTuple):
    """The candidates of a text, of which the default is the first and words the second.

    Attributes:
        sizes: sentence pairs, and word types.
        merges: the default's number of merges.
        is_bpe: whether it is a single BPE, shape (C,).
        consensus: of each candidate at the default's threshold, shape (C,).
        hits: `count_hits` of each candidate, threshold and gold sentence, shape (C, T, G, 3).
        sure: sure links of each gold sentence, shape (G,).
    """

    name: str
    sizes: tuple[int, int]
    merges: int
    is_bpe: NDArray[np.bool_]
    consensus: NDArray[np.float64]
    hits: NDArray[np.int64]
    sure: NDArray[np.int64]

    def f1(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """F1 with weights of sentences, shape (R, G), of candidates and thresholds: shape (R, C, T)."""
        sums = np.einsum("rg,ctgk->rctk", weights, self.hits)
        return compute_metrics(sums, (weights @ self.sure)[:, None, None])[..., F1]

    @property
    def whole(self) -> NDArray[np.float64]:
        """F1 of all sentences, shape (C, T)."""
        return self.f1(np.ones((1, len(self.sure))))[0]


def align(data: Path, name: str, cache: Path) -> None:
    """Try all candidates on a text, or on its first sentence pairs."""
    text, _, part = name.partition(":")
    given = read(data, text)
    words = [Words.of(side[: int(part) if part else None]) for side in (given.source, given.target)]
    filled = Filled.of(*words)
    trials = candidates(*words, word_types(*words))
    shown = gold_of_nothing(filled.lines).sentences
    some, hits = [], []
    for trial in trials:
        found, _ = Aligner(trial.recipe, seed=1).run(filled, *words, Request(probabilities=True))
        some.append(found.means.take(shown))
        scored = found.means.take(given.places)
        kept = [scored.keep(f"{MUTUAL}{threshold}") for threshold in THRESHOLDS]
        hits.append([count_hits(links, given.sure, given.possible) for links in kept])
        print(name, trial.label, flush=True)
    counts = evidence(some, [f"{MUTUAL}{THRESHOLDS[USUAL]}"]).sum(axis=2)
    arrays = {
        "sizes": np.array([len(words[0]), word_types(*words)]),
        "merges": np.array(trials[0].recipe.values["merges"]),
        "is_bpe": np.array([trial.label.split(" ")[:-1] == ["BPE"] for trial in trials]),
        "consensus": consensus(counts)[:, 0],
        "hits": np.array(hits),
        "sure": np.diff(given.sure.offsets),
    }
    write_arrays(cache / f"{name}.npz", arrays)


def fit(texts: list[Tried]) -> tuple[float, float]:
    """The factor from differences in consensus to those in F1, and the standard deviation of the error in
    the difference of two candidates of a text."""
    given = np.concatenate([differences(text.consensus) for text in texts])
    f1 = np.concatenate([differences(text.whole[:, USUAL]) for text in texts])
    factor = (given @ f1) / (given @ given)
    return factor, float(np.std(f1 - factor * given))


def compared(
    gains: NDArray[np.float64], spread: NDArray[np.float64], true: NDArray[np.float64]
) -> list[tuple[float, bool]]:
    """For each two candidates, the probability that the one said to be better is, and whether it is."""
    said = [NormalDist().cdf(abs(gain) / own) for gain, own in zip(gains, spread, strict=True)]
    return list(zip(said, gains * true > 0, strict=True))


def differences(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The differences of each two candidates, the last dimension."""
    first, second = np.array([*combinations(range(values.shape[-1]), 2)]).T
    return values[..., first] - values[..., second]


def with_gold(text: Tried) -> list[tuple[float, bool]]:
    """Compare candidates by a part of the gold; the other sentences decide what is right."""
    rows = []
    for draw in range(DRAWS):
        order = np.random.default_rng([1, draw]).permutation(len(text.sure))
        weights = np.zeros((ROUNDS + 2, len(order)))
        weights[0, order[:DRAWN]] = 1
        weights[1, order[DRAWN:]] = 1
        weights[2:, order[:DRAWN]] = bootstrap_weights(DRAWN, ROUNDS, draw + 1)
        f1 = text.f1(weights)
        best = f1[0].argmax(axis=1)
        own = differences(np.take_along_axis(f1, best[None, :, None], axis=2)[..., 0])
        spread = np.hypot(own[2:].std(axis=0), OF_RUNS * 2**0.5)
        rows += compared(own[0], spread, own[1])
    return rows


def tables(texts: list[Tried]) -> dict[str, pd.DataFrame]:
    """The tables of the page, by the names of their files."""
    factor, spread = fit(texts)
    number = sum(len(text.consensus) for text in texts)
    print(f"{number} candidates: F1 differs {factor:.3f} times consensus, error {spread:.4f}")
    said, chosen, usual = [], [], []
    for text in texts:
        language = text.name.partition(":")[0]
        factor, spread = fit([one for one in texts if not one.name.startswith(language)])
        f1 = text.whole
        gains = factor * differences(text.consensus)
        said += compared(gains, np.full(len(gains), spread), differences(f1[:, USUAL]))
        correlation = spearman(pd.Series(text.consensus), pd.Series(f1[:, USUAL]))
        below = f1[:, USUAL].max() - f1[text.consensus.argmax(), USUAL]
        chosen.append((text.name, text.sizes[0], correlation, below))
        row = *text.sizes, int(text.merges), f1[0, USUAL], f1[text.is_bpe].max()
        usual.append((text.name, *row))
    gold = [row for text in texts if len(text.sure) >= 2 * DRAWN for row in with_gold(text)]
    rows = []
    for low, high in pairwise(BINS):
        row: list[object] = [f"{low:.0%} to {high:.0%}"]
        for found in (said, gold):
            within = [right for p, right in found if low <= p < high or p == high == 1]
            row += [len(within), round(100 * np.mean(within))]
        rows.append(row)
    names = ["probability", "comparisons", "right", "with_gold", "right_with_gold"]
    return {
        "certainty": pd.DataFrame(rows, columns=names),
        "consensus": pd.DataFrame(
            chosen, columns=["pair", "sentences", "correlation", "below"]
        ).round(4),
        "default": pd.DataFrame(
            usual, columns=["pair", "sentences", "types", "merges", "f1", "best"]
        ).round(4),
    }


def main() -> None:
    """Parse the arguments, and do the stage that was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    stages = parser.add_subparsers(dest="stage", required=True)
    first, second = stages.add_parser("align"), stages.add_parser("tables")
    first.add_argument("data", type=Path)
    for stage in (first, second):
        stage.add_argument("cache", type=Path)
    first.add_argument("texts", nargs="*", default=[*TEXTS, *PARTS])
    arguments = parser.parse_args()
    if arguments.stage == "align":
        arguments.cache.mkdir(exist_ok=True)
        for name in arguments.texts:
            align(arguments.data, name, arguments.cache)
        return
    texts = []
    for name in (*TEXTS, *PARTS):
        arrays = read_arrays(arguments.cache / f"{name}.npz")
        sizes = tuple(arrays.pop("sizes").tolist())
        texts.append(Tried(name, sizes, **arrays))
    for name, table in tables(texts).items():
        table.to_csv(TABLES / f"recommend-{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()

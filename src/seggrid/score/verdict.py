"""The tables of what a grid shows: `selection.csv`, `verdict.csv`, `effects.csv` and `ranks.csv`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.base.resampling import bootstrap_weights, bounds, random_folds
from seggrid.base.result_tables import BY_NAME
from seggrid.score.counts import PairCounts
from seggrid.score.effects import main_effects
from seggrid.score.metrics import AER, F1, compute_metrics
from seggrid.score.selection import (
    ALL,
    Selection,
    chosen_on_others,
    f1_without_folds,
    families,
    held_out,
    mean_ranks,
    p_of_best,
    scores_across,
    select,
)
from seggrid.score.significance import (
    difference_intervals,
    holm,
    intervals,
    pairs_with_seeds,
    resampled_metrics,
)

FOLDS = 10
"""Number of folds of the gold sentences; a pair with fewer sentences has one fold for each."""

OTHER_PAIRS = "setting chosen on the other pairs"

_SCORES = ("f1", "f1_low", "f1_high", "aer", "aer_low", "aer_high")
VERDICT = (
    *("pair", "cell", "cells", "alike", *_SCORES),
    *("words_cell", "delta_f1_words", "delta_f1_words_low", "delta_f1_words_high", "p_words"),
    *("default_cell", "delta_f1_default", "delta_f1_default_low", "delta_f1_default_high"),
    *("p_default", "aligner", "aligners", "replicates"),
)
_BLOCK = 256
_SEGMENTED = {"none": 0, "source": 1, "target": 1, "both": 2, "mixed": 2}
"""Number of segmented sides, by the column `sides`."""


@dataclass(frozen=True)
class GridFindings:
    """The tables of what a grid shows, see docs/results.md."""

    selection: pd.DataFrame
    verdict: pd.DataFrame
    effects: pd.DataFrame
    ranks: pd.DataFrame


@dataclass(frozen=True)
class _Pair:
    """A pair with gold.

    Attributes:
        name: its name.
        cells: rows of its C cells.
        counts: counts of its cells.
        fold: fold of each of the G sentences that are scored, shape (G,).
        f1: F1 of each cell, for each fold on the sentences on which its cell is chosen, and last on all that
            are scored, shape (K + 1, C).
        weights: its resamples, shape (resamples, G).
        split: whether settings are chosen on sentences that are never scored, in which case there is one
            fold.
    """

    name: str
    cells: pd.DataFrame
    counts: PairCounts
    fold: NDArray[np.int64]
    f1: NDArray[np.float64]
    weights: NDArray[np.float32]
    split: bool

    def pick(self, found: Selection) -> int:
        """The cell to use: with a split, the cell that was chosen; otherwise the best cell on all
        sentences."""
        return int(found.chosen[0]) if self.split else found.best

    def means(self, counts: NDArray[np.integer]) -> NDArray[np.float64]:
        """The metrics of counts of shape (R, G, 3), means over replicates."""
        sums = counts.sum(axis=1, dtype=np.int64)
        return np.asarray(compute_metrics(sums, self.counts.sure.sum()).mean(axis=0))

    def scored(self, counts: NDArray[np.integer]) -> dict[str, float]:
        """F1 and AER of counts of shape (R, G, 3), with their intervals."""
        means = self.means(counts)
        ends = intervals(counts[None], self.counts.sure, self.weights)[0]
        f1 = {"f1": means[F1]} | bounds("f1", ends[F1])
        return f1 | {"aer": means[AER]} | bounds("aer", ends[AER])

    def own(self, cell: int) -> NDArray[np.integer]:
        """The counts of one cell, shape (R, G, 3)."""
        (counts,) = self.counts.of(np.array([cell]), int(self.counts.replicates[cell]))
        return np.asarray(counts)

    def words(self) -> NDArray[np.int64] | None:
        """For each cell, the cell of words that differs from it in the segmentation alone, itself if it is
        of words, shape (C,); None if the pair lacks one, as where its job failed."""
        place = self.counts.place
        found = [place.get(name, -1) for name in self.cells["words_cell"]]
        return np.array(found, dtype=np.int64) if min(found) >= 0 else None

    def families(self) -> dict[str, NDArray[np.int64]]:
        """The cells of each family: those with the fewest segmented sides first, so that of equal scores the
        simplest cell is chosen (words, where BPE has merged each word into one token)."""
        segmented = self.cells["sides"].map(_SEGMENTED).fillna(max(_SEGMENTED.values()))
        order = segmented.to_numpy().argsort(kind="stable")
        return {name: order[member[order]] for name, member in families(self.cells)}

    def resampled_f1(self) -> NDArray[np.float64]:
        """F1 of each cell in each resample, shape (B, C), computed for some cells at a time."""
        cells = np.arange(len(self.cells))
        blocks = [cells[start : start + _BLOCK] for start in range(0, len(cells), _BLOCK)]
        found = [resampled_metrics(self.counts, block, self.weights)[..., F1] for block in blocks]
        return np.concatenate(found, axis=1)


def find(
    counts: Mapping[str, PairCounts],
    scores: pd.DataFrame,
    *,
    defaults: Mapping[str, str],
    development: Mapping[str, int],
    seed: int,
    rounds: int = 2000,
) -> GridFindings:
    """Choose settings on other sentences than those on which they are scored, and compare the result, from
    `results/counts.npz` by pair, and `results/scores.csv`.

    By pair, `defaults` is the cell with the default settings of the commands, if the grid has it, and
    `development`, how many of its first sentences are used for choosing, and not scored. The resamples are
    the same as for the intervals of scores with this seed.
    """
    across = scores_across(scores)
    others = chosen_on_others(across)
    selection, verdict = [], []
    effects = [pd.DataFrame(columns=BY_NAME["effects"].column_names())]
    for pair in _pairs(counts, scores, development, seed, rounds):
        members = pair.families()
        found = {name: select(pair.counts, at, pair.fold, pair.f1) for name, at in members.items()}
        for name, one in found.items():
            row = _selected(pair, name, len(members[name]), one.chosen, one.counts, one.best)
            selection.append(row | {"folds": len(one.chosen)})
        if pair.name in others:
            place = pair.counts.place
            cell = place[f"{pair.name}/{others[pair.name]}"]
            best = place[f"{pair.name}/{across[pair.name].idxmax()}"]
            row = _selected(pair, OTHER_PAIRS, len(across), [cell], pair.own(cell), best)
            selection.append(row | {"chosen": str(pair.counts.cells[cell])})
        resampled = pair.resampled_f1()
        verdict.append(_verdict(pair, found, defaults.get(pair.name), resampled))
        effects.append(main_effects(pair.cells, pair.f1[-1], resampled).assign(pair=pair.name))
    return GridFindings(
        _selections(selection),
        pd.DataFrame(verdict, columns=list(VERDICT)),
        pd.concat(effects, ignore_index=True),
        mean_ranks(across, seed=seed),
    )


def with_more(selection: pd.DataFrame, rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """The table of selections with more rows, in which nothing is chosen, of pairs that it has."""
    known = set(selection["pair"])
    kept = [row for row in rows if row["pair"] in known]
    return pd.concat([selection, _selections(kept)], ignore_index=True) if kept else selection


def _selections(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    names = BY_NAME["selection"].column_names()
    return pd.DataFrame(rows, columns=names).astype({"folds": "Int64"})


def _pairs(
    counts: Mapping[str, PairCounts],
    scores: pd.DataFrame,
    development: Mapping[str, int],
    seed: int,
    rounds: int,
) -> Iterator[_Pair]:
    """The pairs with at least two gold sentences, without cells whose scores are those of an equal cell."""
    has_scores = scores["equal_cell"].where(scores["equal_cell"] != "", scores["cell"])
    source = dict(zip(scores["cell"], has_scores, strict=True))
    scores = scores.assign(words_cell=scores["words_cell"].map(source).fillna(""))
    for name, pair_counts, (resampling, dividing) in pairs_with_seeds(counts, seed):
        sentences = len(pair_counts.sure)
        first = development.get(name, 0)
        if sentences < 2 or not pair_counts.sure[first:].any():
            continue
        own = scores[(scores["pair"] == name) & (scores["equal_cell"] == "")]
        rows = own.set_index("cell", drop=False)
        kept = np.isin(pair_counts.cells, rows.index.to_numpy(dtype=np.str_))
        own_counts = PairCounts(
            pair_counts.cells[kept],
            pair_counts.replicates[kept],
            pair_counts.sure,
            pair_counts.counts[np.repeat(kept, pair_counts.replicates)],
        )
        if first:
            # Two folds: without the scored sentences, those for choosing are left, and the other way round.
            f1 = f1_without_folds(own_counts, (np.arange(sentences) < first).astype(np.int64))[:2]
            own_counts = replace(
                own_counts, sure=own_counts.sure[first:], counts=own_counts.counts[:, first:]
            )
            fold = np.zeros(sentences - first, dtype=np.int64)
        else:
            fold = random_folds(sentences, min(FOLDS, sentences), dividing)
            f1 = f1_without_folds(own_counts, fold)
        cells = rows.loc[own_counts.cells.tolist()].reset_index(drop=True)
        weights = bootstrap_weights(len(fold), rounds, resampling)
        yield _Pair(name, cells, own_counts, fold, f1, weights, bool(first))


def _selected(
    pair: _Pair,
    family: str,
    size: int,
    chosen: Sequence[int] | NDArray[np.integer],
    counts: NDArray[np.integer],
    best: int,
) -> dict[str, object]:
    """The row of a choice among the `size` cells of a family, with the counts of what was chosen, beside the
    cell that is best on all sentences."""
    names = pair.counts.cells
    often = Counter(names[chosen].tolist()).most_common()
    row, of_best = pair.scored(counts), pair.means(pair.own(best))
    return {
        "pair": pair.name,
        "family": family,
        "cells": size,
        "best": str(names[best]),
        "chosen": "; ".join(f"{cell} ({times})" for cell, times in often),
        **row,
        "best_f1": of_best[F1],
        "best_aer": of_best[AER],
        "optimism": of_best[F1] - row["f1"],
    }


def _verdict(
    pair: _Pair,
    found: Mapping[str, Selection],
    default: str | None,
    resampled: NDArray[np.float64],
) -> dict[str, object]:
    names, chosen = pair.counts.cells, found[ALL]
    cell_to_use = pair.pick(chosen)
    p = p_of_best(pair.f1[-1], resampled)
    row: dict[str, object] = {
        "pair": pair.name,
        "cell": str(names[cell_to_use]),
        "cells": len(names),
        "alike": int((p > 0.05).sum()) - 1,
        **pair.scored(chosen.counts),
        "aligner": pair.cells["aligner"].iloc[cell_to_use],
        "aligners": ", ".join(pair.cells["aligner"].unique()),
        "replicates": int(pair.counts.replicates[cell_to_use]),
    }
    # The cells with which the choice is compared. If a cell was chosen, the counts of a sentence are those of
    # the cell that was chosen without this sentence.
    rivals = {}
    if (words := pair.words()) is not None:
        theirs = held_out(pair.counts, words[chosen.chosen], pair.fold)
        rivals["words"] = (int(words[cell_to_use]), theirs)
    if default is not None and (cell := pair.counts.place.get(default)) is not None:
        rivals["default"] = (cell, pair.own(cell))
    corrected = holm(np.array([p[cell] for cell, _ in rivals.values()]))
    for (kind, (cell, theirs)), p_value in zip(rivals.items(), corrected, strict=True):
        row[f"{kind}_cell"] = str(names[cell])
        if cell != cell_to_use:
            row |= _difference(pair, kind, chosen.counts, theirs) | {f"p_{kind}": p_value}
    return row


def _difference(
    pair: _Pair, kind: str, ours: NDArray[np.integer], theirs: NDArray[np.integer]
) -> dict[str, float]:
    """The difference in F1 of counts of shape (R, G, 3), with its interval."""
    replicates = int(np.lcm(len(ours), len(theirs)))
    one, two = (
        np.tile(counts, (replicates // len(counts), 1, 1))[None] for counts in (ours, theirs)
    )
    ends = difference_intervals(one, two, pair.counts.sure, pair.weights)[0, F1]
    name = f"delta_f1_{kind}"
    return {name: pair.means(ours)[F1] - pair.means(theirs)[F1]} | bounds(name, ends)

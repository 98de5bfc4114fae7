"""Confidence intervals of scores, paired tests, corrections for multiple tests, and tables of these.

Precision, recall, F1 and AER are ratios of sums over sentences, so everything here starts from
per-sentence counts and resamples *sentences*, the unit that was sampled when the gold was made. The metrics
of a cell with replicates are means over its replicates; this also holds in each resample, in which all
replicates have the same sentences. Counts of cells are arrays of shape (C, R, G, 3): links, sure hits and
possible hits by cell, replicate and sentence.

Sums of counts are exact in single precision (they stay far below 2^24), so matrix products over
resamples give the same bytes on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.base.resampling import ROUNDS, TAILS, bootstrap_weights, bounds
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, METRICS, compute_metrics

if TYPE_CHECKING:
    import pandas as pd

Counts = NDArray[np.integer]
"""Counts of cells, see the head of this module."""

PARTNERS = ("words", "plain")
"""The two cells with which each cell is compared; the column `{partner}_cell` of the table of scores names
them."""

# Number of replicates that are resampled at a time. It limits memory and does not change results.
_BLOCK = 128


def pairs_with_seeds(
    counts: Mapping[str, PairCounts], seed: int
) -> Iterator[tuple[str, PairCounts, tuple[int, int]]]:
    """Iterate over pairs in the order of their names: name, counts, and seeds of resampling and of testing.

    A pair's seeds depend on `seed` and on its position in that order.
    """
    for number, (pair, own) in enumerate(sorted(counts.items())):
        resampling, testing = np.random.SeedSequence([seed, number]).generate_state(2).tolist()
        yield pair, own, (resampling, testing)


def default_test_rounds(bootstrap_rounds: int, comparisons: int) -> int:
    """Default number of random assignments of a test: five for each bootstrap resample, or as many as are
    needed for the smallest possible corrected p-value of so many comparisons to be 0.04, if that is more."""
    return max(5 * bootstrap_rounds, 25 * comparisons)


def intervals(
    counts: Counts, sure: NDArray[np.integer], weights: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Bootstrap confidence intervals of every metric of every cell, shape (C, 4, 2).

    They are computed from counts, shape (C, R, G, 3), sure links of each sentence, shape (G,), and weights
    (`bootstrap_weights`), shape (B, G).

    These are percentile intervals (Efron and Tibshirani 1993, section 13.3). The bias-corrected accelerated
    interval (section 14.3) was tried on simulated gold of 50 to 500 sentences: both covered the true value in
    94-96% of cases for a level of 95%, so the simpler one is used.
    """
    return np.concatenate([_percentiles(drawn) for drawn in _resampled(counts, sure, weights)])


def difference_intervals(
    ours: Counts, theirs: Counts, sure: NDArray[np.integer], weights: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Confidence intervals of differences: metrics of some cells minus those of others, shape (C, 4, 2).

    Both cells are scored on the same resampled sentences, so that the difficulty of sentences cancels out.
    Arguments are as for `intervals`.
    """
    both = zip(_resampled(ours, sure, weights), _resampled(theirs, sure, weights), strict=True)
    return np.concatenate([_percentiles(one - other) for one, other in both])


def resampled_metrics(
    counts: PairCounts, cells: NDArray[np.integer], weights: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The metrics of some cells of a pair, by index, in each resample, shape (B, C, 4)."""
    result = np.empty((len(weights), len(cells), len(METRICS)))
    for rows, (own,) in counts.alike(cells):
        result[:, rows] = np.concatenate([*_resampled(own, counts.sure, weights)], axis=1)
    return result


def randomization_test(
    ours: Counts, theirs: Counts, sure: NDArray[np.integer], rounds: int, seed: int
) -> NDArray[np.float64]:
    """Two-sided p-values of the hypothesis that two cells, row by row, have the same F1, shape (C,).

    The approximate randomization test (Noreen 1989, "Computer-intensive methods for testing hypotheses",
    chapter 2; Yeh 2000 for F1). Under the null hypothesis it does not matter which of the two cells a
    sentence's links come from. So, in each of `rounds` rounds, the counts of each sentence are swapped
    between the cells with probability 1/2, for all replicates together; all cells have the same swaps. p is
    the share of rounds whose difference is at least as large as the observed one, where the observed
    assignment counts as one round. The smallest p is 1 / (rounds + 1).
    """
    generator = np.random.default_rng(seed)
    gold = np.float64(sure.sum())

    def difference(
        our_sums: NDArray[np.float32], their_sums: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        one, other = (compute_metrics(sums, gold)[..., F1] for sums in (our_sums, their_sums))
        return np.asarray(np.abs(one.mean(axis=-1) - other.mean(axis=-1)))

    our_totals = ours.sum(axis=2, dtype=np.float32)
    their_totals = theirs.sum(axis=2, dtype=np.float32)
    real = difference(our_totals, their_totals)
    at_least = np.zeros(len(ours), dtype=np.int64)
    for done in range(0, rounds, ROUNDS):
        some = min(ROUNDS, rounds - done)
        swap = generator.integers(0, 2, size=(some, len(sure)), dtype=np.uint8).astype(np.float32)
        for block in _blocks(ours):
            moved = _sums(swap, theirs[block] - ours[block])
            drawn = difference(our_totals[block] + moved, their_totals[block] - moved)
            # Assignments with equal differences must compare as equal despite rounding in the last bit.
            at_least[block] += (drawn >= real[block] - 1e-12).sum(axis=0)
    return (at_least + 1) / (rounds + 1)


def compare_cells(
    counts: PairCounts,
    ours: NDArray[np.integer],
    theirs: NDArray[np.integer],
    weights: NDArray[np.float32],
    test: tuple[int, int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compare C cells of a pair, by index, with others, row by row, whatever their numbers of replicates: the
    intervals of `difference_intervals`, shape (C, 4, 2), and the p-values of `randomization_test`, shape
    (C,). `test` is its number of rounds and its seed."""
    ends, p = np.empty((len(ours), len(METRICS), 2)), np.empty(len(ours))
    for rows, (one, other) in counts.alike(ours, theirs):
        ends[rows] = difference_intervals(one, other, counts.sure, weights)
        p[rows] = randomization_test(one, other, counts.sure, *test)
    return ends, p


def holm(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """P-values corrected for multiple tests, shape (N,); NaN (not tested) stays NaN and is not counted.

    Holm (1979), "A simple sequentially rejective multiple test procedure": the k-th smallest of N p-values
    is multiplied by N - k + 1, and none may be smaller than the one before. If hypotheses are rejected whose
    corrected p-value is at most alpha, the probability of any false rejection is at most alpha, also when
    tests are dependent.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    corrected = np.full(p_values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1)
    return corrected


def summarize(
    counts: Mapping[str, PairCounts],
    cells: pd.DataFrame,
    *,
    seed: int,
    bootstrap_rounds: int = 2000,
) -> pd.DataFrame:
    """Intervals and tests of a whole grid, one row for each cell that has counts: `results/significance.csv`.

    Of `cells`, `results/scores.csv`, the columns cell, words_cell, plain_cell and equal_cell are read. Each
    pair has its own resamples; a test has `default_test_rounds` random assignments. Values are missing if
    there is no cell to compare with. P-values are corrected over all comparisons of a kind in the grid, of
    which those of cells with the same tokens count once.
    """
    # Imported in functions, since commands compute intervals without it.
    import pandas as pd

    compared = cells[[f"{kind}_cell" for kind in PARTNERS]].set_axis(PARTNERS, axis=1)
    compared = compared.where(compared.ne(cells["cell"], axis=0), "").set_index(cells["cell"])
    comparisons = int((compared != "").sum().max()) if len(compared) else 0
    rounds = bootstrap_rounds, default_test_rounds(bootstrap_rounds, comparisons)
    tables = [
        _summarize_pair(compared.reindex(own.cells.astype(object)).fillna(""), own, seeds, rounds)
        for _, own, seeds in pairs_with_seeds(counts, seed)
    ]
    if not tables:
        return pd.DataFrame({"cell": []})
    table = pd.concat(tables, ignore_index=True)
    for kind in PARTNERS:
        table[f"p_{kind}_holm"] = _corrected(table["cell"], table[kind], table[f"p_{kind}"], cells)
    order = {cell: row for row, cell in enumerate(cells["cell"])}
    table = table.sort_values("cell", key=lambda cell: cell.map(order), kind="stable")
    return table.reset_index(drop=True)


def _corrected(
    cell: pd.Series, other: pd.Series, p_values: pd.Series, cells: pd.DataFrame
) -> pd.Series:
    """P-values corrected by Holm's procedure; a comparison of cells with the same tokens counts once."""
    import pandas as pd

    own = cells["equal_cell"].where(cells["equal_cell"] != "", cells["cell"])
    first_equal = dict(zip(cells["cell"], own, strict=True))
    compared = [names.map(lambda name: first_equal.get(name, "")) for names in (cell, other)]
    once = ~pd.DataFrame(dict(enumerate(compared))).duplicated()
    corrected = pd.Series(holm(p_values.where(once).to_numpy()), p_values.index)
    return corrected.groupby(compared).transform("first")


def _summarize_pair(
    compared: pd.DataFrame, counts: PairCounts, seeds: tuple[int, int], rounds: tuple[int, int]
) -> pd.DataFrame:
    """The rows of one pair; `compared` names, for each cell, the cells that it is compared with."""
    import pandas as pd

    weights = bootstrap_weights(len(counts.sure), rounds[0], seeds[0])
    ends = np.empty((len(compared), len(METRICS), 2))
    for rows, (own,) in counts.alike(np.arange(len(compared))):
        ends[rows] = intervals(own, counts.sure, weights)
    columns: dict[str, object] = {"cell": compared.index}
    for m, metric in enumerate(METRICS):
        columns |= bounds(metric, ends[:, m])

    for kind in PARTNERS:
        others = compared.index.get_indexer(compared[kind])
        rows = np.flatnonzero(others >= 0)
        f1_ends, p = np.full((len(compared), 2), np.nan), np.full(len(compared), np.nan)
        found, p[rows] = compare_cells(counts, rows, others[rows], weights, (rounds[1], seeds[1]))
        f1_ends[rows] = found[:, F1]
        columns[kind] = np.where(others >= 0, compared[kind], "")
        columns |= bounds(f"delta_f1_{kind}", f1_ends) | {f"p_{kind}": p}
    return pd.DataFrame(columns)


def contrast(
    counts: Mapping[str, PairCounts],
    comparisons: Sequence[tuple[str, str, str]],
    *,
    seed: int,
    rounds: int = 2000,
) -> pd.DataFrame:
    """Differences in F1 between chosen cells, paired by sentence: one row for each comparison, of the pair, a
    cell, and the cell with which it is compared. `p_holm` is corrected over all of them; a test has
    `default_test_rounds` random assignments."""
    import pandas as pd

    tests = default_test_rounds(rounds, len(comparisons))
    tables = []
    for pair, own, (resampling, testing) in pairs_with_seeds(counts, seed):
        wanted = [(cell, other) for name, cell, other in comparisons if name == pair]
        if not wanted:
            continue
        ours, theirs = np.array([[own.place[name] for name in both] for both in wanted]).T
        weights = bootstrap_weights(len(own.sure), rounds, resampling)
        ends, p = compare_cells(own, ours, theirs, weights, (tests, testing))
        sums = own.counts.sum(axis=1, dtype=np.int64)
        f1 = own.over_replicates(compute_metrics(sums, own.sure.sum())[:, F1])
        table = pd.DataFrame(wanted, columns=["cell", "other"])
        table = table.assign(f1=f1[ours], other_f1=f1[theirs], delta_f1=f1[ours] - f1[theirs])
        tables.append(table.assign(**bounds("delta_f1", ends[:, F1]), p=p))
    if not tables:
        return pd.DataFrame()
    table = pd.concat(tables, ignore_index=True)
    return table.assign(p_holm=holm(table["p"].to_numpy()))


def _blocks(counts: Counts) -> Iterator[slice]:
    """Blocks of cells that are resampled together; `counts` has shape (C, R, ...)."""
    step = max(1, _BLOCK // counts.shape[1])
    for start in range(0, len(counts), step):
        yield slice(start, min(start + step, len(counts)))


def _resampled(
    counts: Counts, sure: NDArray[np.integer], weights: NDArray[np.float32]
) -> Iterator[NDArray[np.float64]]:
    """The metrics of blocks of cells in each resample, means over replicates; each of shape (B, cells, 4)."""
    sure_sums = (weights @ sure.astype(np.float32))[:, None, None]
    for block in _blocks(counts):
        yield compute_metrics(_sums(weights, counts[block]), sure_sums).mean(axis=2)


def _sums(weights: NDArray[np.float32], counts: Counts) -> NDArray[np.float32]:
    """Weighted sums over sentences, shape (rounds, C, R, 3), of counts of shape (C, R, G, 3)."""
    cells, replicates, sentences, columns = counts.shape
    # Cells are the innermost axis, so that each column of the result is contiguous.
    flat = counts.transpose(2, 3, 0, 1).reshape(sentences, -1).astype(np.float32)
    sums = (weights @ flat).reshape(len(weights), columns, cells, replicates)
    return sums.transpose(0, 2, 3, 1)


def _percentiles(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Both ends of the central 95% of values (B, C, 4), shape (C, 4, 2)."""
    return np.quantile(values, TAILS, axis=0).transpose(1, 2, 0)

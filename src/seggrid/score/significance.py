"""How sure we can be of a score: intervals, paired tests, and corrections for many of them.

Precision, recall, F1 and AER are ratios of sums over sentences, so everything here starts from
per-sentence counts and resamples *sentences*, the unit that was sampled when the gold was made.

Sums of counts are exact in single precision (they stay far below 2^24), so matrix products over
resamples give the same bytes on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.segment.side import Side, parse_spec

METRICS = ("precision", "recall", "f1", "aer")

# How many cells, and how many rounds, are resampled together: bounds the memory, changes no result.
_BLOCK = 128
_ROUNDS = 1024


def metrics(counts: NDArray, sure: NDArray | float) -> NDArray[np.float64]:
    """Precision, recall, F1 and AER from sums of counts.

    Och and Ney (2003), "A systematic comparison of various statistical alignment models",
    section 4.1: precision over the possible links, recall over the sure ones, and
    AER = 1 - (sure hits + possible hits) / (links + sure links). F1 is the harmonic mean.

    Args:
        counts: links, sure hits and possible hits, shape (..., 3).
        sure: sure links of the gold, broadcast against shape (...).

    Returns:
        The four metrics, shape (..., 4). A ratio whose denominator is 0 counts as 0.
    """
    counts = np.asarray(counts, dtype=np.float64)
    links, sure_hits, possible_hits = counts[..., 0], counts[..., 1], counts[..., 2]
    sure = np.broadcast_to(np.asarray(sure, dtype=np.float64), links.shape)
    precision = _ratio(possible_hits, links)
    recall = _ratio(sure_hits, sure)
    f1 = _ratio(2 * precision * recall, precision + recall)
    aer = 1 - _ratio(sure_hits + possible_hits, links + sure)
    return np.stack([precision, recall, f1, aer], axis=-1)


def _ratio(numerator: NDArray, denominator: NDArray) -> NDArray[np.float64]:
    return np.divide(
        numerator, denominator, out=np.zeros(denominator.shape), where=denominator != 0
    )


def bootstrap_weights(sentences: int, rounds: int, seed: int) -> NDArray[np.float32]:
    """How often each sentence is drawn in each bootstrap resample, shape (rounds, sentences).

    Every resample draws `sentences` sentences with replacement (Efron and Tibshirani 1993, "An
    introduction to the bootstrap", chapter 6). The same weights serve all cells of a pair, so that
    differences between cells are resampled in pairs.
    """
    draws = np.random.default_rng(seed).integers(0, sentences, size=(rounds, sentences))
    draws += np.arange(rounds)[:, None] * sentences
    weights = np.bincount(draws.ravel(), minlength=rounds * sentences)
    return weights.reshape(rounds, sentences).astype(np.float32)


def intervals(
    counts: NDArray, sure: NDArray, weights: NDArray[np.float32], level: float = 0.95
) -> NDArray[np.float64]:
    """Bootstrap confidence intervals of every metric of every cell, shape (C, 4, 2).

    The percentile interval (Efron and Tibshirani 1993, section 13.3). The bias-corrected
    accelerated one (section 14.3) was tried on simulated gold of 50 to 500 sentences: it covered
    the true value equally often (both 94-96% for a level of 95%), so the simpler one is used.

    Args:
        counts: links, sure hits and possible hits by cell and sentence, shape (C, G, 3).
        sure: sure links by sentence, shape (G,).
        weights: see `bootstrap_weights`, shape (B, G).
        level: how often the interval is to cover the true value.
    """
    result = np.empty((len(counts), len(METRICS), 2))
    sure_sums = (weights @ sure.astype(np.float32))[:, None]
    for block in _blocks(len(counts)):
        result[block] = _percentiles(metrics(_sums(weights, counts[block]), sure_sums), level)
    return result


def difference_intervals(
    ours: NDArray,
    theirs: NDArray,
    sure: NDArray,
    weights: NDArray[np.float32],
    level: float = 0.95,
) -> NDArray[np.float64]:
    """Confidence intervals of some cells' metrics minus those of other cells, shape (C, 4, 2).

    Both are scored on the same resampled sentences, so what is hard for both cancels out.

    Args:
        ours, theirs: counts of the cells that are compared, row by row, each of shape (C, G, 3).
        sure, weights, level: as for `intervals`.
    """
    result = np.empty((len(ours), len(METRICS), 2))
    sure_sums = (weights @ sure.astype(np.float32))[:, None]
    for block in _blocks(len(ours)):
        one = metrics(_sums(weights, ours[block]), sure_sums)
        other = metrics(_sums(weights, theirs[block]), sure_sums)
        result[block] = _percentiles(one - other, level)
    return result


def randomization_test(
    ours: NDArray, theirs: NDArray, sure: NDArray, rounds: int, seed: int
) -> NDArray[np.float64]:
    """Two-sided p-values that two cells have the same F1, shape (C,).

    The approximate randomization test (Noreen 1989, "Computer-intensive methods for testing
    hypotheses", chapter 2; Yeh 2000 for F1): if the two cells were alike, it would not matter which
    of them each sentence's links came from. So, in each round, every sentence's counts change sides
    with probability 1/2, and p is the share of rounds, the real assignment counted as one of them,
    whose difference is at least as large as the real one. The smallest p is 1 / (rounds + 1).

    Args:
        ours, theirs: counts of the cells that are compared, row by row, each of shape (C, G, 3).
        sure: sure links by sentence, shape (G,).
        rounds: number of random assignments; the same ones serve all rows.
        seed: of their generator.
    """
    generator = np.random.default_rng(seed)
    gold = np.float64(sure.sum())
    our_totals = ours.sum(axis=1, dtype=np.float32)
    their_totals = theirs.sum(axis=1, dtype=np.float32)
    real = np.abs(_f1(our_totals, gold) - _f1(their_totals, gold))
    at_least = np.zeros(len(ours), dtype=np.int64)
    done = 0
    while done < rounds:
        some = min(_ROUNDS, rounds - done)
        swap = generator.integers(0, 2, size=(some, len(sure)), dtype=np.uint8).astype(np.float32)
        for block in _blocks(len(ours)):
            moved = _sums(swap, theirs[block] - ours[block])
            one = _f1(our_totals[block] + moved, gold)
            other = _f1(their_totals[block] - moved, gold)
            # Equal assignments must compare as equal whatever the last bit of their ratios.
            at_least[block] += (np.abs(one - other) >= real[block] - 1e-12).sum(axis=0)
        done += some
    return (at_least + 1) / (rounds + 1)


def _f1(counts: NDArray, sure: np.float64) -> NDArray[np.float64]:
    """F1 alone, as `metrics` defines it, with one division."""
    links, sure_hits, possible_hits = (counts[..., k].astype(np.float64) for k in range(3))
    return _ratio(2 * possible_hits * sure_hits, possible_hits * sure + sure_hits * links)


def holm(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """P-values corrected for being many, shape (N,); NaN (not tested) stays NaN and is not counted.

    Holm (1979), "A simple sequentially rejective multiple test procedure": the k-th smallest of N
    is multiplied by N - k + 1, and none may be smaller than the one before. Rejecting what is then
    at most alpha keeps the chance of even one false rejection at alpha, dependent tests included.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p_values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1)
    return corrected


def spread(counts: NDArray, sure: NDArray) -> NDArray[np.float64]:
    """Standard deviation of each metric over samples or replicates of one cell, shape (4,).

    Args:
        counts: shape (N, G, 3): one row a sample. With fewer than two, the spread is NaN.
        sure: shape (G,).
    """
    if len(counts) < 2:
        return np.full(len(METRICS), np.nan)
    return metrics(counts.sum(axis=1), sure.sum()).std(axis=0, ddof=1)


def partners(cells: pd.DataFrame) -> pd.DataFrame:
    """The two cells that each cell is compared with.

    Args:
        cells: `results/scores.csv`, of which the columns cell, pair, source, target, aligner,
            symmetrization and replicates (where present) are read.

    Returns:
        Columns cell; `words`: the same pair's words under the same aligner; `plain`: the same
        segmentation without dropout and knockout. Empty where there is none, or where it would be the cell.
    """
    shared = [c for c in ("pair", "aligner", "symmetrization", "replicates") if c in cells]

    def keys(rename: Callable[[str], str]) -> list[tuple]:
        sides = (cells[side].map(rename) for side in ("source", "target"))
        return list(zip(*(cells[c].astype(str) for c in shared), *sides, strict=True))

    own = dict(zip(keys(str), cells.cell, strict=True))
    found = {}
    for name, of_side in (("words", Side.words), ("plain", Side.plain)):
        wanted = keys(lambda spec, of_side=of_side: str(of_side(parse_spec(spec))))
        named = (own.get(key, "") for key in wanted)
        found[name] = [
            "" if other == cell else other for cell, other in zip(cells.cell, named, strict=True)
        ]
    return pd.DataFrame({"cell": cells.cell, **found})


def summarize(
    counts: Mapping[str, NDArray],
    cells: pd.DataFrame,
    *,
    seed: int,
    bootstrap_rounds: int = 2000,
    test_rounds: int | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Intervals and tests of a whole grid: `results/significance.csv`.

    Args:
        counts: `results/counts.npz`: for each pair P, `P/cells` (C,), `P/sure` (G,) and
            `P/counts` (C, G, 3).
        cells: `results/scores.csv`.
        seed: of all resampling; each pair draws its own resamples from it.
        bootstrap_rounds: number of bootstrap resamples.
        test_rounds: number of random assignments of a test. By default 10,000, or as many more as
            let the smallest possible p-value be 0.04 after the correction.
        level: of the confidence intervals.

    Returns:
        One row for each cell that has counts, in the order of `cells`: cell; `{metric}_low` and
        `{metric}_high`; then for each comparison K, with `words` and with `plain` (see `partners`),
        `K`: the other cell, `delta_f1_K_low` and `delta_f1_K_high`: the interval of the difference
        in F1, `p_K`: the p-value of that difference, and `p_K_holm`: corrected over all the grid's
        comparisons of that kind. Missing where there is nothing to compare with.
    """
    compared = partners(cells).set_index("cell")
    pairs = sorted({name.removesuffix("/cells") for name in counts if name.endswith("/cells")})
    comparisons = int((compared != "").sum().max()) if len(compared) else 0
    if test_rounds is None:
        test_rounds = max(10_000, 25 * comparisons)

    tables = []
    for number, pair in enumerate(pairs):
        names = [str(cell) for cell in counts[f"{pair}/cells"]]
        tables.append(
            _summarize_pair(
                names,
                counts[f"{pair}/counts"],
                counts[f"{pair}/sure"],
                compared.reindex(names).fillna(""),
                seeds=np.random.SeedSequence([seed, number]).generate_state(2).tolist(),
                rounds=(bootstrap_rounds, test_rounds),
                level=level,
            )
        )
    if not tables:
        return pd.DataFrame({"cell": []})
    table = pd.concat(tables, ignore_index=True)
    for kind in ("words", "plain"):
        table[f"p_{kind}_holm"] = holm(table[f"p_{kind}"].to_numpy())
    order = {cell: row for row, cell in enumerate(cells.cell)}
    table = table.sort_values("cell", key=lambda cell: cell.map(order), kind="stable")
    return table.reset_index(drop=True)


def _summarize_pair(
    names: list[str],
    counts: NDArray,
    sure: NDArray,
    compared: pd.DataFrame,
    seeds: list[int],
    rounds: tuple[int, int],
    level: float,
) -> pd.DataFrame:
    weights = bootstrap_weights(len(sure), rounds[0], seeds[0])
    bounds = intervals(counts, sure, weights, level)
    columns: dict[str, object] = {"cell": names}
    for m, metric in enumerate(METRICS):
        columns[f"{metric}_low"], columns[f"{metric}_high"] = bounds[:, m].T

    index = {name: row for row, name in enumerate(names)}
    f1 = METRICS.index("f1")
    for kind in ("words", "plain"):
        others = np.array([index.get(other, -1) for other in compared[kind]])
        rows = np.flatnonzero(others >= 0)
        low, high, p = (np.full(len(names), np.nan) for _ in range(3))
        if len(rows):
            ours, theirs = counts[rows], counts[others[rows]]
            low[rows], high[rows] = difference_intervals(ours, theirs, sure, weights, level)[
                :, f1
            ].T
            p[rows] = randomization_test(ours, theirs, sure, rounds[1], seeds[1])
        columns[kind] = [other if other in index else "" for other in compared[kind]]
        columns[f"delta_f1_{kind}_low"], columns[f"delta_f1_{kind}_high"] = low, high
        columns[f"p_{kind}"] = p
    return pd.DataFrame(columns)


def _blocks(cells: int) -> Iterator[slice]:
    for start in range(0, cells, _BLOCK):
        yield slice(start, min(start + _BLOCK, cells))


def _sums(weights: NDArray[np.float32], counts: NDArray) -> NDArray[np.float32]:
    """Weighted sums over sentences, shape (rounds, cells, 3), of counts of shape (cells, G, 3)."""
    cells, sentences, columns = counts.shape
    # Cells innermost, so that each column of the result is read in runs.
    flat = counts.transpose(1, 2, 0).reshape(sentences, columns * cells).astype(np.float32)
    return (weights @ flat).reshape(len(weights), columns, cells).transpose(0, 2, 1)


def _percentiles(values: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """Both ends of the central `level` of values (B, C, 4), shape (C, 4, 2)."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    return np.quantile(values, tails, axis=0).transpose(1, 2, 0)

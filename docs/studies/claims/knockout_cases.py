"""The cases of a claim on BPE-knockout (Bauwens and Delobelle 2024) in the tables of its evaluations.

A claim is about the tokenizers of the paper: those for whose evaluations the config names published scores.
Each comparison is a *margin*, which is at least 0 if the comparison supports the claim: an increase, or the
unused part of a tolerance. Its interval (95%) is a parametric bootstrap over the counts of the tables:
boundaries, words or types are drawn independently for each row. Figures on word tokens, which are weighted
words, have no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from score_cases import Case

ROUNDS = 2000
SEED = 1
"""Number and seed of the random draws for an interval."""

Values = NDArray[np.float64]
"""A figure, followed by its random draws if there are counts to draw from; shape (1,) or (1 + ROUNDS,)."""

Margins = Iterable[tuple[str, Values]]
"""Texts of comparisons, each with its margin."""

_PRUNED: dict[str, object] = {"knockout": "blame-0.5"}


class _Absent(Exception):
    """Raised if the tables do not have a row that a claim needs."""


def cases(table: pd.DataFrame, **comparison: Any) -> Iterator[Case]:
    """Make a comparison for each tokenizer in the rows of results/morphology.csv and results/knockout.csv;
    comparisons that two evaluations share count once. `comparison` has the keywords of `_change`, `_share`
    or, by the key `figure`, of a function of `_FIGURES`."""
    comparison = dict(comparison)
    margins: Callable[..., Margins] = _share if "share" in comparison else _change
    if "figure" in comparison:
        margins = _FIGURES[comparison.pop("figure")]
    seen = set()
    for name, rows in table.groupby("tokenizer", sort=False):
        if "published_f1" not in rows or rows["published_f1"].isna().all():
            continue
        try:
            found = list(margins(_Evaluation(rows), **comparison))
        except _Absent:
            continue
        for text, values in found:
            key = rows["reference"].iloc[0], text
            if key not in seen:
                seen.add(key)
                yield Case(str(name), bool(values[0] >= 0), text, interval=_interval(values))


def _interval(values: Values) -> tuple[float, float] | None:
    if len(values) == 1:
        return None
    low, high = np.percentile(values[1:], [2.5, 97.5])
    return float(low), float(high)


class _Evaluation:
    """The rows of one evaluation in `results/morphology.csv` and `results/knockout.csv`."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self.rows = rows

    def row(self, **keys: object) -> pd.Series:
        """The first row with these keys. Unless it is one of a figure, by default: unpruned, all entries,
        boundaries between morphemes, word types."""
        usual = {"knockout": "none", "evaluation": "full", "dropout": 0.0}
        usual |= {"boundaries": "morphemes", "unit": "types"}
        rows = self.rows
        for name, value in (keys if "figure" in keys else usual | keys).items():
            rows = rows[rows[name] == value] if name in rows else rows[:0]
        if rows.empty:
            raise _Absent
        return rows.iloc[0]

    def values(self, measure: str, **keys: object) -> Values:
        """Precision, recall or F1 of a row, in percentage points, with random draws."""
        row = self.row(**keys)
        printed = np.array([row[measure]], dtype=np.float64)
        counts = row.reindex(["true_positives", "predicted", "positives", "tests"]).astype(float)
        if row["unit"] == "tokens" or counts.isna().any():
            return 100 * printed
        hits, predicted, positives, tests = counts
        cells = np.array(
            [hits, predicted - hits, positives - hits, tests - predicted - positives + hits]
        )
        generator = np.random.default_rng([SEED, int(hits), int(predicted)])
        drawn = generator.multinomial(int(tests), cells / tests, size=ROUNDS).astype(np.float64)
        true, false, missed, _ = drawn.T
        below = {"precision": true + false, "recall": true + missed}
        ratio = true / below.get(measure, true + (false + missed) / 2)
        return 100 * np.concatenate([printed, ratio])

    def figure(self, name: str) -> pd.DataFrame:
        """The rows of a figure."""
        if "figure" not in self.rows or not (is_it := self.rows["figure"] == name).any():
            raise _Absent
        return self.rows[is_it]


def _minus(one: Values, other: Values) -> Values:
    """The difference of two figures; without draws unless both have them."""
    size = min(len(one), len(other))
    return np.asarray(one[:size] - other[:size])


def _change(
    evaluation: _Evaluation,
    *,
    measure: str,
    to: Mapping[str, object] = _PRUNED,
    times: float = 1,
    left: float = 0,
    least: float = 0,
    falls: bool = False,
    about: float | None = None,
    within: float = 0,
    **keys: Any,
) -> Margins:
    """The change of a measure (precision, recall, F1) from one row to another.

    Args:
        to: keys in which the second row differs from the first; by default the pruned tokenizer.
        times: factor of the first figure.
        left: share of the gain of the pruned tokenizer on all words, which is subtracted.
        least, about, within: the change, in points, is at least this, or `about` this, give or take `within`.
        falls: the measure falls rather than rises.
        keys: keys of both rows; `from`, those of the first row alone.
    """
    first = {**keys.pop("from", {}), **keys}
    before, after = (evaluation.values(measure, **row) for row in (first, {**first, **to}))
    change = _minus(after, times * before)
    text = f"{measure} {before[0]:.1f} to {after[0]:.1f}"
    if left:
        gain = _minus(evaluation.values(measure, **{**first, **_PRUNED}), before)
        text = f"gain in {measure} {change[0]:.1f} held out, {gain[0]:.1f} on all words"
        change = _minus(change, left * gain)
    if keys.get("unit") == "tokens":
        text = f"tokens: {text}"
    if about is not None:
        yield text, within - abs(change - about)
    else:
        yield text, (-change if falls else change) - least


def _share(
    evaluation: _Evaluation, *, share: str, rows: Mapping[str, object], about: float, within: float
) -> Margins:
    """A share in a column of a row, in percent, is `about` this, give or take `within` points."""
    found = 100 * float(evaluation.row(**rows)[share])
    yield f"{found:.1f}%", np.array([within - abs(found - about)])


def _rates(evaluation: _Evaluation) -> Margins:
    """F1 falls from each rate of dropout to the next."""
    rows = evaluation.rows
    dropped = rows[rows["knockout"].eq("none") & rows["dropout"].gt(0)]["dropout"]
    rates = [0.0, *sorted(set(dropped.astype(float)))]
    if len(rates) < 3:
        raise _Absent
    found = {rate: evaluation.values("f1", dropout=rate)[0] for rate in rates}
    text = ", ".join(f"{rate:g}: {f1:.1f}" for rate, f1 in found.items())
    yield f"F1 at {text}", np.array([min(one - other for one, other in pairwise(found.values()))])


def _held_out(evaluation: _Evaluation) -> Margins:
    """F1 on held-out words differs by less than a point between the shares of held-out words."""
    names = evaluation.rows["evaluation"].dropna().unique()
    held_out = sorted(name for name in names if name.startswith("holdout-"))
    found = {name: evaluation.values("f1", **_PRUNED, evaluation=name) for name in held_out}
    if len(found) < 2:
        raise _Absent
    text = ", ".join(f"{name} {values[0]:.1f}" for name, values in found.items())
    all_values = np.stack(list(found.values()))
    yield f"F1 at {text}", 1 - (all_values.max(axis=0) - all_values.min(axis=0))


def _words(
    evaluation: _Evaluation, *, sign: int, most: float | None = None, least: float = 0
) -> Margins:
    """The share of words, in percent, whose number of tokens changes in the direction `sign`."""
    bars = evaluation.figure("change")
    change, count = (bars["low"] + bars["high"]) / 2, bars["count"]
    words, size = int(count[sign * change > 0].sum()), int(count.sum())
    drawn = np.random.default_rng([SEED, words]).binomial(size, words / size, ROUNDS)
    share = 100 * np.concatenate([[words], drawn]) / size
    text = f"{share[0]:.1f}% of {size:,} words"
    yield text, share - least if most is None else most - share


def _quartiles(evaluation: _Evaluation) -> Margins:
    """The distances between quartiles of the pruned types are 22.5 to 27.5% of the vocabulary. Types are
    assumed to be spread evenly within a bin of the histogram."""
    bins = evaluation.figure("position")
    count = bins["count"].to_numpy(dtype=np.int64)
    edges = np.append(bins["low"], bins["high"].iloc[-1])
    size, pruned = float(edges[-1] - edges[0]), int(count.sum())
    drawn = np.random.default_rng([SEED, pruned]).multinomial(pruned, count / pruned, ROUNDS)
    below = np.zeros((ROUNDS + 1, len(edges)))
    np.cumsum(np.concatenate([count[None], drawn]), axis=1, out=below[:, 1:])
    quartiles = np.array([np.interp(np.arange(1, 4) * pruned / 4, row, edges) for row in below])
    for k, gap in enumerate(np.diff(quartiles).T, 1):
        text = f"quartiles {k} and {k + 1} {gap[0]:,.0f} of {size:,.0f} types apart"
        yield text, 2.5 - abs(100 * gap / size - 25)


def _selection(evaluation: _Evaluation, *, by: str, measure: str, falls: bool = False) -> Margins:
    """A measure rises, or falls, with each larger share of merges that are pruned in another way."""
    rows = evaluation.figure("selection")
    chosen = rows["knockout"].str.startswith(by)
    if not chosen.any():
        raise _Absent
    start = rows[rows["knockout"] == "none"].iloc[:1]
    ordered = pd.concat([start, rows[chosen].sort_values("pruned")])
    values = 100 * ordered[measure].to_numpy(dtype=np.float64)
    steps = np.diff(values)
    yield (
        f"{measure} {values[0]:.1f} to {values[-1]:.1f}",
        np.array([(-steps if falls else steps).min()]),
    )


def _peaks(evaluation: _Evaluation, *, about: float | None = None, within: float = 0) -> Margins:
    """The threshold of the best precision is `about` this or, by default, the threshold of the best F1 lies
    between those of recall and precision."""
    rows = evaluation.figure("threshold")
    at = rows["knockout"].str.removeprefix("blame-").astype(float)
    recall, f1, precision = (at[rows[name].idxmax()] for name in ("recall", "f1", "precision"))
    if about is not None:
        yield f"best precision at {precision:g}", np.array([within - abs(precision - about)])
        return
    text = f"best recall at {recall:g}, F1 at {f1:g}, precision at {precision:g}"
    yield text, np.array([min(f1 - recall, precision - f1)])


_FIGURES: dict[str, Callable[..., Margins]] = {
    "rates": _rates,
    "held_out": _held_out,
    "words": _words,
    "quartiles": _quartiles,
    "selection": _selection,
    "peaks": _peaks,
}

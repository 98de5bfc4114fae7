"""The claims of BPE-knockout (Bauwens and Delobelle 2024), checked against the tables of its evaluations.

A claim is about the tokenizers of the paper: those for whose evaluations the config names published scores.
Each comparison is a *margin*, which is at least 0 if the comparison supports the claim: an increase, or the
unused part of a tolerance. Its interval (95%) is a parametric bootstrap over the counts of the tables:
boundaries, words or types are drawn independently for each row. Figures on word tokens, which are weighted
words, have no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.thesis.cases import Case, Finder

ROUNDS = 2000
SEED = 1
"""Number and seed of the random draws for an interval."""

Values = NDArray[np.float64]
"""A figure, followed by its random draws if there are counts to draw from; shape (1,) or (1 + ROUNDS,)."""

Margins = Iterable[tuple[str, Values]]
"""Texts of comparisons, each with its margin."""


class _Absent(Exception):
    """Raised if the tables do not have a row that a claim needs."""


class Evaluation:
    """The rows of one evaluation in `results/morphology.csv` and `results/knockout.csv`."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self._rows = rows

    @property
    def of_the_paper(self) -> bool:
        """Whether the config names published scores of this tokenizer."""
        return "published_f1" in self._rows and bool(self._rows["published_f1"].notna().any())

    def row(self, **keys: object) -> pd.Series:
        """The row with these keys; by default: unpruned, all entries, boundaries between morphemes, word
        types.

        Raises:
            _Absent: there is no such row.
        """
        wanted = {"knockout": "none", "evaluation": "full", "dropout": 0.0}
        wanted |= {"boundaries": "morphemes", "unit": "types", **keys}
        rows = self._rows
        for name, value in wanted.items():
            rows = rows[rows[name] == value]
        if rows.empty:
            raise _Absent
        return rows.iloc[0]

    def values(self, measure: str, **keys: object) -> Values:
        """Precision, recall or F1 of a row, in percentage points, with random draws."""
        row = self.row(**keys)
        printed = np.array([row[measure]], dtype=np.float64)
        counts = row[["true_positives", "predicted", "positives", "tests"]].astype(float)
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

    def rates(self) -> list[float]:
        """The rates of dropout above 0 that were evaluated, ascending."""
        rows = self._rows[self._rows["knockout"].eq("none") & self._rows["dropout"].gt(0)]
        return sorted(set(rows["dropout"].astype(float)))

    def held_out(self) -> list[str]:
        """The names of the evaluations on held-out words."""
        names = self._rows["evaluation"].dropna().unique()
        return sorted(name for name in names if name.startswith("holdout-"))

    def figure(self, name: str) -> pd.DataFrame:
        """The rows of a figure.

        Raises:
            _Absent: the evaluation has no figures.
        """
        if "figure" not in self._rows or not (is_it := self._rows["figure"] == name).any():
            raise _Absent
        return self._rows[is_it]


def of_each(margins: Callable[[Evaluation], Margins]) -> Finder:
    """The cases of a claim about each tokenizer separately; cases that two evaluations share count once."""

    def cases(table: pd.DataFrame) -> Iterator[Case]:
        seen = set()
        for name, rows in table.groupby("tokenizer", sort=False):
            evaluation = Evaluation(rows)
            if not evaluation.of_the_paper:
                continue
            try:
                found = list(margins(evaluation))
            except _Absent:
                continue
            for text, values in found:
                key = rows["reference"].iloc[0], text
                if key not in seen:
                    seen.add(key)
                    yield Case(str(name), bool(values[0] >= 0), text, interval=_interval(values))

    return cases


def _interval(values: Values) -> tuple[float, float] | None:
    if len(values) == 1:
        return None
    low, high = np.percentile(values[1:], [2.5, 97.5])
    return float(low), float(high)


def _minus(one: Values, other: Values) -> Values:
    """The difference of two figures; without draws unless both have them."""
    size = min(len(one), len(other))
    return np.asarray(one[:size] - other[:size])


def _change(
    evaluation: Evaluation, measure: str, by: dict[str, object], /, **keys: object
) -> tuple[str, Values]:
    """The change of a measure from the row with `keys` to the row with `keys` and `by`, and a text that says
    it."""
    before, after = evaluation.values(measure, **keys), evaluation.values(measure, **{**keys, **by})
    return f"{measure} {before[0]:.1f} to {after[0]:.1f}", _minus(after, before)


_KNOCKOUT: dict[str, object] = {"knockout": "blame-0.5"}
_HELD_OUT = {**_KNOCKOUT, "evaluation": "holdout-0.5"}
"""As in the paper, scores on this half of the words are compared with those of the unpruned tokenizer on all
words."""


def gains(measure: str, points: float, within: float, **keys: object) -> Finder:
    """The claim that knockout raises a measure by `points`, give or take `within` points."""

    def margins(evaluation: Evaluation) -> Margins:
        text, change = _change(evaluation, measure, _KNOCKOUT, **keys)
        yield text, within - abs(change - points)

    return of_each(margins)


def gains_at_least(
    measure: str, points: float, *, held_out: bool = False, **keys: object
) -> Finder:
    """The claim that knockout raises a measure by at least `points`."""
    by = _HELD_OUT if held_out else _KNOCKOUT

    def margins(evaluation: Evaluation) -> Margins:
        for unit in ("types", "tokens"):
            if keys.get("unit", unit) == unit:
                text, change = _change(evaluation, measure, by, **{**keys, "unit": unit})
                yield f"{unit}: {text}", change - points

    return of_each(margins)


@of_each
def dropout_lowers_f1(evaluation: Evaluation) -> Margins:
    """With dropout, recall rises; precision and F1 fall."""
    rate: dict[str, object] = {"dropout": 0.05}
    for unit in ("types", "tokens"):
        for measure, sign in (("recall", 1), ("precision", -1), ("f1", -1)):
            text, change = _change(evaluation, measure, rate, unit=unit)
            yield f"{unit}: {text}", sign * change


@of_each
def dropout_halves_precision(evaluation: Evaluation) -> Margins:
    text, _ = _change(evaluation, "precision", {"dropout": 0.1}, unit="tokens")
    before, after = (
        evaluation.values("precision", unit="tokens", dropout=rate) for rate in (0.0, 0.1)
    )
    yield text, _minus(before / 2, after)


@of_each
def more_dropout_lowers_f1(evaluation: Evaluation) -> Margins:
    rates = [0.0, *evaluation.rates()]
    if len(rates) < 3:
        raise _Absent
    found = [evaluation.values("f1", dropout=rate) for rate in rates]
    steps = [float(_minus(one, other)[0]) for one, other in pairwise(found)]
    text = ", ".join(
        f"{rate:g}: {values[0]:.1f}" for rate, values in zip(rates, found, strict=True)
    )
    yield f"F1 at {text}", np.array([min(steps)])


@of_each
def keeps_gains_held_out(evaluation: Evaluation) -> Margins:
    """More than half of the gain in each measure remains on held-out words."""
    for measure in ("precision", "recall", "f1"):
        _, all_words = _change(evaluation, measure, _KNOCKOUT)
        _, held_out = _change(evaluation, measure, _HELD_OUT)
        text = f"gain in {measure} {held_out[0]:.1f} held out, {all_words[0]:.1f} on all words"
        yield text, _minus(held_out, all_words / 2)


@of_each
def any_share_held_out(evaluation: Evaluation) -> Margins:
    found = {
        name: evaluation.values("f1", **_KNOCKOUT, evaluation=name)
        for name in evaluation.held_out()
    }
    if len(found) < 2:
        raise _Absent
    text = ", ".join(f"{name} {values[0]:.1f}" for name, values in found.items())
    all_values = np.stack(list(found.values()))
    yield f"F1 at {text}", 1 - (all_values.max(axis=0) - all_values.min(axis=0))


@of_each
def weighted_blame(evaluation: Evaluation) -> Margins:
    weighted: dict[str, object] = {"knockout": "blame-0.5-tokens"}
    for unit, sign in (("tokens", 1), ("types", -1)):
        text, change = _change(evaluation, "f1", weighted, **_KNOCKOUT, unit=unit)
        yield f"{unit}: {text}", sign * change


def share_pruned(column: str, percent: float, within: float) -> Finder:
    """The claim that knockout prunes a share of `percent`, give or take `within` points."""

    def margins(evaluation: Evaluation) -> Margins:
        share = 100 * float(evaluation.row(**_KNOCKOUT)[column])
        yield f"{share:.1f}%", np.array([within - abs(share - percent)])

    return of_each(margins)


def _words(evaluation: Evaluation, more: bool) -> tuple[str, Values]:
    """The share of words with more (or, if not `more`, with fewer) tokens after knockout, in percent."""
    bars = evaluation.figure("change")
    change, count = (bars["low"] + bars["high"]) / 2, bars["count"]
    words, size = int(count[change > 0 if more else change < 0].sum()), int(count.sum())
    drawn = np.random.default_rng([SEED, words]).binomial(size, words / size, ROUNDS)
    share = 100 * np.concatenate([[words], drawn]) / size
    return f"{share[0]:.1f}% of {size:,} words", share


@of_each
def few_have_fewer_tokens(evaluation: Evaluation) -> Margins:
    text, share = _words(evaluation, more=False)
    yield text, 1 - share


@of_each
def many_have_more_tokens(evaluation: Evaluation) -> Margins:
    text, share = _words(evaluation, more=True)
    yield text, share - 25


@of_each
def quartiles_are_even(evaluation: Evaluation) -> Margins:
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


@of_each
def half_are_leaves(evaluation: Evaluation) -> Margins:
    rows = evaluation.figure("leaves")
    (share,) = 100 * rows.loc[rows["pruned"] == 0.5, "leaves"]
    yield f"{share:.1f}%", np.array([2 - abs(share - 90)])


def unlike_knockout(selection: str) -> Finder:
    """The claim that pruning merges in another way raises recall and lowers precision, and more so for larger
    shares."""

    def margins(evaluation: Evaluation) -> Margins:
        rows = evaluation.figure("selection")
        chosen = rows["knockout"].str.startswith(selection)
        if not chosen.any():
            raise _Absent
        start = rows[rows["knockout"] == "none"].iloc[:1]
        ordered = pd.concat([start, rows[chosen].sort_values("pruned")])
        for measure, sign in (("recall", 1), ("precision", -1)):
            values = 100 * ordered[measure].to_numpy(dtype=np.float64)
            text = f"{measure} {values[0]:.1f} to {values[-1]:.1f}"
            yield text, np.array([(sign * np.diff(values)).min()])

    return of_each(margins)


@of_each
def half_is_most_precise(evaluation: Evaluation) -> Margins:
    rows = evaluation.figure("threshold")
    at = rows["knockout"].str.removeprefix("blame-").astype(float)
    best = at[rows["precision"].idxmax()]
    yield f"best precision at {best:g}", np.array([0.05 - abs(best - 0.5)])


@of_each
def recall_peaks_first(evaluation: Evaluation) -> Margins:
    rows = evaluation.figure("threshold")
    at = rows["knockout"].str.removeprefix("blame-").astype(float)
    recall, f1, precision = (at[rows[name].idxmax()] for name in ("recall", "f1", "precision"))
    text = f"best recall at {recall:g}, F1 at {f1:g}, precision at {precision:g}"
    yield text, np.array([min(f1 - recall, precision - f1)])

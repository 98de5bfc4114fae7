"""Find the comparisons for each claim of the thesis in a table of scores.

Each function takes the table of cells for one size of text, and returns the cases of all pairs. Scores of
different pairs are never compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from seggrid.base.axis import ALL
from seggrid.data.sides import SIDES
from seggrid.score.aggregates import is_posterior


@dataclass(frozen=True)
class Case:
    """One comparison for a claim, and whether it supports the claim.

    Attributes:
        pair: pair of the compared cells.
        holds: whether the comparison supports the claim.
        text: the compared scores.
        cells: the two cells, if the comparison is a difference of F1 between two cells.
        interval: both ends of the interval of the comparison, if it does not follow from two cells.
    """

    pair: str
    holds: bool
    text: str
    cells: tuple[str, str] | None = None
    interval: tuple[float, float] | None = None


Finder = Callable[[pd.DataFrame], Iterable[Case]]

_SETTING = ["pair", "source", "target", "aligner", "symmetrization"]

# Columns in which two cells of a comparison over dropout or spaces must be equal.
_SAME = ["pair", "symmetrization"]


def _where(scores: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        scores = scores[scores[column].astype(str) == str(value)]
    return scores


def _plain(scores: pd.DataFrame) -> pd.DataFrame:
    """Cells of BPE in both languages without dropout, pruning and thresholds on probabilities."""
    found = scores[(scores["dropout"].astype(float) == 0) & (scores["sides"] == "both")]
    found = found[found["aggregate"] == "none"]
    return found[(found["segmenter"] == "bpe") & (found["knockout"] == "none")]


def _dropout(scores: pd.DataFrame, sides: str = "both") -> pd.DataFrame:
    """Cells of BPE with uniform dropout."""
    found = scores[(scores["dropout"].astype(float) > 0) & (scores["sides"] == sides)]
    if "dropout_weight" in found:
        found = found[found["dropout_weight"].isin(["uniform", ""])]
    return found[found["segmenter"] == "bpe"]


def _sorted(found: pd.DataFrame) -> pd.DataFrame:
    return found.sort_values(["pair", "merges"], kind="stable")


def _merges(row: pd.Series) -> str:
    return f"{int(float(row['merges']))} merges"


def _against(partner: str, found: pd.DataFrame) -> list[Case]:
    """Compare each cell with its `words` or its `plain` cell."""
    delta = f"delta_f1_{partner}"
    return [
        Case(
            row["pair"],
            row[delta] > 0,
            f"{_merges(row)} {row['f1']:.3f} ({row[delta]:+.3f})",
            _cells(row, partner),
        )
        for _, row in _sorted(found.dropna(subset=delta)).iterrows()
    ]


def _cells(row: pd.Series, partner: str) -> tuple[str, str]:
    return row["cell"], row[f"{partner}_cell"]


def bayesian(scores: pd.DataFrame) -> pd.DataFrame:
    """The cells of gibbs, which has the model of eflomal; for pairs without any, the cells of eflomal."""
    by_gibbs = set(_where(scores, aligner="gibbs")["pair"])
    stands_in = scores["pair"].isin(by_gibbs)
    return scores[scores["aligner"] == np.where(stands_in, "gibbs", "eflomal")]


def by_fast_align(scores: pd.DataFrame) -> pd.DataFrame:
    """The cells of fast_align."""
    return _where(scores, aligner="fast_align")


Choice = Callable[[pd.DataFrame], pd.DataFrame]


def bpe_beats_words(choose: Choice) -> Finder:
    """Compare the best BPE of each pair with the words, among the chosen cells."""

    def cases(scores: pd.DataFrame) -> list[Case]:
        found = choose(_where(_plain(scores), spaces="yes"))
        found = found.dropna(subset="delta_f1_words")
        best = found.sort_values("f1").groupby("pair").tail(1)
        return [
            Case(
                row["pair"],
                row["delta_f1_words"] > 0,
                f"best BPE ({_merges(row)}) {row['f1']:.3f}, "
                f"{row['delta_f1_words']:+.3f} over words",
                _cells(row, "words"),
            )
            for _, row in best.iterrows()
        ]

    return cases


def bpe_stays_below_words(scores: pd.DataFrame) -> list[Case]:
    return [replace(case, holds=not case.holds) for case in bpe_beats_words(bayesian)(scores)]


def dropout_with_eflomal(scores: pd.DataFrame) -> list[Case]:
    found = _dropout(scores)
    by_votes = ~found["aggregate"].map(is_posterior).astype(bool)
    return _against("words", bayesian(found[by_votes]))


def dropout_beats_bpe(spaces: str, sides: str = "both") -> Finder:
    def cases(scores: pd.DataFrame) -> list[Case]:
        found = _where(
            _dropout(scores, sides),
            aligner="fast_align",
            spaces=spaces,
            dropout=0.1,
            aggregate="0.7",
        )
        return _against("plain", found)

    return cases


def neither_union_nor_intersection(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes", dropout=0.1)
    found = found[found["aggregate"].isin(["union", "intersection"])]
    cases = []
    order = found.sort_values(["pair", "aggregate", "merges"], ascending=[True, False, True])
    for _, row in order.iterrows():
        text = f"{row['aggregate']} at {_merges(row)} {row['f1']:.3f}"
        delta = row["delta_f1_plain"]
        cases.append(Case(row["pair"], delta <= 0, f"{text} ({delta:+.3f})", _cells(row, "plain")))
    return cases


def higher_rate(scores: pd.DataFrame) -> list[Case]:
    cases = []
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes")
    for (pair, _), same in found.groupby(_SAME):
        at_usual_rate = _where(same, dropout=0.1, aggregate="0.7")
        usual = at_usual_rate["f1"].max()
        rows = _where(same, samples=30, aggregate="0.5")
        rows = rows[rows["dropout"].astype(float) >= 0.2]
        for _, row in rows.iterrows() if usual == usual else ():
            text = f"rate {row['dropout']:g} at {_merges(row)} {row['f1']:.3f} against {usual:.3f}"
            best = at_usual_rate.loc[at_usual_rate["f1"].idxmax(), "cell"]
            cases.append(Case(pair, row["f1"] > usual, text, (row["cell"], best)))
    return cases


def no_spaces_is_worse(scores: pd.DataFrame) -> list[Case]:
    found = _where(_plain(scores), aligner="fast_align")
    with_spaces = {
        key: of.loc[of["f1"].idxmax()]
        for key, of in _where(found, spaces="yes").groupby([*_SAME, "merges"])
    }
    cases = []
    for _, row in _sorted(_where(found, spaces="no")).iterrows():
        other = with_spaces.get(tuple(row[[*_SAME, "merges"]]))
        if other is not None:
            text = f"{_merges(row)} {row['f1']:.3f} against {other['f1']:.3f}"
            cells = row["cell"], other["cell"]
            cases.append(Case(row["pair"], row["f1"] < other["f1"], text, cells))
    return cases


def gains_most_without_spaces(scores: pd.DataFrame) -> list[Case]:
    cases = []
    for (pair, _), same in _where(_dropout(scores), aligner="fast_align").groupby(_SAME):
        best = same.groupby("spaces")["delta_f1_plain"].max()
        if {"yes", "no"} <= set(best.dropna().index):
            text = (
                f"largest gain over BPE {best['no']:+.3f} without spaces, {best['yes']:+.3f} with"
            )
            cases.append(Case(pair, best["no"] > best["yes"], text))
    return cases


def recall_and_precision(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align")
    cases = []
    for _, group in found.groupby([*_SETTING, "samples"]):
        by_aggregate = group.set_index("aggregate")[["recall", "precision"]]
        if not {"union", "intersection"} < set(by_aggregate.index):
            continue
        recall, precision = by_aggregate["recall"], by_aggregate["precision"]
        row = group.iloc[0]
        text = (
            f"spaces {row['spaces']}, rate {row['dropout']:g}, {_merges(row)}: union's recall "
            f"{recall['union']:.3f}, intersection's precision {precision['intersection']:.3f}"
        )
        best = recall["union"] >= recall.max() and precision["intersection"] >= precision.max()
        cases.append(Case(row["pair"], bool(best), text))
    return cases


def swapping_changes_nothing(scores: pd.DataFrame) -> list[Case]:
    found = _where(_plain(scores), aligner="fast_align", spaces="yes", case="keep")
    same = ["symmetrization", "scoring", "application", "merges"]
    one, other = (_where(found, pair=pair) for pair in ("eng-deu", "deu-eng"))
    both = one.merge(other, on=same, suffixes=("", "_swapped"))
    return [
        Case(
            "eng-deu and deu-eng",
            abs(row["f1"] - row["f1_swapped"]) < 0.005,
            f"{_merges(row)} {row['f1']:.3f} and {row['f1_swapped']:.3f}",
        )
        for _, row in both.iterrows()
    ]


# Columns, besides the compared ones, in which two cells must be equal if their gains are compared.
_GAIN = ["pair", "symmetrization", "case", "application", "dropout_kind", "samples"]


def _usual_dropout(scores: pd.DataFrame) -> pd.DataFrame:
    """Cells with spaces, dropout 0.1, threshold 0.7 and fast_align whose gain over BPE is known."""
    usual = {"aligner": "fast_align", "spaces": "yes", "dropout": 0.1, "aggregate": "0.7"}
    return _where(_dropout(scores), **usual).dropna(subset="delta_f1_plain")


def best_threshold(scores: pd.DataFrame) -> list[Case]:
    """Compare threshold 0.7 with the best other threshold of the same samples."""
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes", dropout=0.1)
    found = found[found["aggregate"].str.fullmatch(r"[0-9./]+")]
    cases = []
    for _, group in found.groupby(["pair", "merges", *_SETTING[1:], "samples"]):
        ours, others = _where(group, aggregate="0.7"), group[group["aggregate"] != "0.7"]
        if len(ours) and len(others):
            row, other = ours.iloc[0], others.loc[others["f1"].idxmax()]
            text = (
                f"{_merges(row)} {row['f1']:.3f} with 0.7, {other['f1']:.3f} with "
                f"{other['aggregate']}"
            )
            cells = row["cell"], other["cell"]
            cases.append(Case(row["pair"], row["f1"] >= other["f1"], text, cells))
    return cases


def source_gains_more(scores: pd.DataFrame) -> list[Case]:
    """Compare the gain of dropout in the source alone with that in the target alone."""
    same = [*_GAIN, "spaces", "merges", "dropout", "aggregate"]
    found = [
        _where(_dropout(scores, side), aligner="fast_align").dropna(subset="delta_f1_plain")
        for side in SIDES
    ]
    both = found[0].merge(found[1], on=same, suffixes=("", "_target"))
    return [
        Case(
            row["pair"],
            row["delta_f1_plain"] > row["delta_f1_plain_target"],
            f"spaces {row['spaces']}, rate {row['dropout']:g}, {_merges(row)} "
            f"{row['delta_f1_plain']:+.3f} in the source, {row['delta_f1_plain_target']:+.3f} in the "
            "target",
        )
        for _, row in _sorted(both).iterrows()
    ]


def gain_shrinks_with_merges(scores: pd.DataFrame) -> list[Case]:
    """Compare the gain at each number of merges with the gain at the next larger number."""
    cases = []
    for (pair, *_), group in _usual_dropout(scores).groupby(_GAIN):
        rows = [row for _, row in group.sort_values("merges").iterrows()]
        for fewer, more in pairwise(rows):
            one, other = fewer["delta_f1_plain"], more["delta_f1_plain"]
            text = f"{_merges(fewer)} {one:+.3f}, {_merges(more)} {other:+.3f}"
            cases.append(Case(pair, other < one, text))
    return cases


def gain_shrinks_with_text(scores: pd.DataFrame) -> list[Case]:
    """Compare the gain at each size of the text with the gain at the next larger size; `scores` has all
    sizes."""
    found = _usual_dropout(scores)
    sizes = {size: float("inf") if size == ALL else float(size) for size in set(found["sentences"])}
    cases = []
    for (pair, *_), group in found.groupby([*_GAIN, "merges"]):
        ordered = group.assign(size=group["sentences"].map(sizes)).sort_values("size")
        for less, more in pairwise(row for _, row in ordered.iterrows()):
            one, other = less["delta_f1_plain"], more["delta_f1_plain"]
            text = (
                f"{_merges(less)} {one:+.3f} on {less['sentences']} sentences, {other:+.3f} on "
                f"{more['sentences']}"
            )
            cases.append(Case(pair, other < one, text))
    return cases


TOLERANCE = 0.01
"""The largest difference between a published gain and ours that supports a claim, in F1."""


def gains(
    published: float,
    axes: Mapping[str, object],
    merges: int | None = None,
    sides: str = "both",
    choose: Choice = by_fast_align,
) -> Finder:
    """Compare the gain of dropout over BPE with a published gain.

    Args:
        published: the published gain, in F1.
        axes: values of columns of the cells.
        merges: the number of merges; None for the number with the largest gain.
        sides: the sides with dropout.
        choose: chooses the cells of an aligner.
    """

    def cases(scores: pd.DataFrame) -> list[Case]:
        found = choose(_where(_dropout(scores, sides), **axes)).dropna(subset="delta_f1_plain")
        if merges is not None:
            found = found[found["merges"].astype(float) == merges]
        best = found.sort_values("delta_f1_plain").groupby("pair").tail(1)
        return [
            Case(
                row["pair"],
                abs(row["delta_f1_plain"] - published) <= TOLERANCE,
                f"{_merges(row)} {row['f1']:.3f} ({row['delta_f1_plain']:+.3f})",
                _cells(row, "plain"),
            )
            for _, row in best.iterrows()
        ]

    return cases


def best_without_spaces(scores: pd.DataFrame) -> list[Case]:
    """Compare the cell with rate 0.2, threshold 0.5 and 500 symbols with the best other cell."""
    found = _where(_dropout(scores), aligner="fast_align", spaces="no")
    is_it = (
        (found["dropout"].astype(float) == 0.2)
        & (found["aggregate"] == "0.5")
        & (found["merges"].astype(float) == 499)
    )
    cases = []
    for pair in dict.fromkeys(found["pair"]):
        ours, others = (found[which & (found["pair"] == pair)] for which in (is_it, ~is_it))
        if len(ours) and len(others):
            row, other = (of.loc[of["f1"].idxmax()] for of in (ours, others))
            text = (
                f"{row['f1']:.3f}; the best other {other['f1']:.3f}, rate {other['dropout']:g}, "
                f"threshold {other['aggregate']}, {_merges(other)}"
            )
            cells = row["cell"], other["cell"]
            cases.append(Case(pair, row["f1"] >= other["f1"], text, cells))
    return cases

"""Claims of a publication, each checked against our figures.

A claim holds if it is true of every case that the grid has, fails if it is true of none, and holds
in part otherwise. A claim of which the grid has no case is not run. Figures of different pairs are
never compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from seggrid.score.aggregates import is_posterior


@dataclass(frozen=True)
class Case:
    """One comparison that tests a claim, and whether it supports the claim.

    Attributes:
        pair: of the cells that are compared.
        holds: whether the claim is true of them.
        text: their figures.
    """

    pair: str
    holds: bool
    text: str


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        text: what is claimed.
        source: where; of the thesis, the section.
        cases: finds the comparisons in the table of scores.
    """

    text: str
    source: str
    cases: Callable[[pd.DataFrame], Iterable[Case]]


def check_claims(scores: pd.DataFrame, claims: Sequence[Claim]) -> pd.DataFrame:
    """One row a claim: claim, source, verdict (holds, holds in part, fails, not run), evidence.

    Args:
        scores: the table of scores; of its pairs, each claim takes those that have its cells.
        claims: those of a publication, from `CLAIMS`.
    """
    ok = scores[scores["status"] == "ok"] if "status" in scores else scores
    rows = []
    for claim in claims:
        cases = list(claim.cases(ok))
        true = sum(case.holds for case in cases)
        if not cases:
            verdict = "not run"
        elif true == len(cases):
            verdict = "holds"
        else:
            verdict = "holds in part" if true else "fails"
        rows.append((claim.text, claim.source, verdict, _evidence(cases, true)))
    return pd.DataFrame(rows, columns=["claim", "source", "verdict", "evidence"])


def _evidence(cases: Sequence[Case], true: int) -> str:
    """All cases, each pair named before the first of its own."""
    count = f"{true} of {len(cases)}: " if len(cases) > 1 else ""
    texts, pair = [], None
    for case in cases:
        texts.append(case.text if case.pair == pair else f"{case.pair}: {case.text}")
        pair = case.pair
    return count + "; ".join(texts) if texts else ""


_SETTING = ["pair", "source", "target", "aligner", "symmetrization"]

# What two cells of a comparison over dropout or spaces must have in common.
_SAME = ["pair", "symmetrization"]


def _where(scores: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        scores = scores[scores[column].astype(str) == str(value)]
    return scores


def _plain(scores: pd.DataFrame) -> pd.DataFrame:
    """BPE in both languages, no dropout, no pruning, links and not their probabilities."""
    found = scores[(scores["dropout"].astype(float) == 0) & (scores["sides"] == "both")]
    found = found[found["aggregate"] == "none"]
    return found[(found["segmenter"] == "bpe") & (found["knockout"] == "none")]


def _dropout(scores: pd.DataFrame, sides: str = "both") -> pd.DataFrame:
    found = scores[(scores["dropout"].astype(float) > 0) & (scores["sides"] == sides)]
    return found[found["segmenter"] == "bpe"]


def _sorted(found: pd.DataFrame) -> pd.DataFrame:
    return found.sort_values(["pair", "merges"], kind="stable")


def _merges(row: pd.Series) -> str:
    return f"{int(float(row['merges']))} merges"


def _against(column: str, found: pd.DataFrame) -> list[Case]:
    """Each cell against what `column` is its difference from."""
    return [
        Case(row["pair"], row[column] > 0, f"{_merges(row)} {row['f1']:.3f} ({row[column]:+.3f})")
        for _, row in _sorted(found.dropna(subset=column)).iterrows()
    ]


def _bayesian(scores: pd.DataFrame) -> pd.DataFrame:
    """Of each pair, the cells of gibbs, which has the model of eflomal; of eflomal where it has none."""
    by_gibbs = set(_where(scores, aligner="gibbs")["pair"])
    stands_in = scores["pair"].isin(by_gibbs)
    return scores[scores["aligner"] == np.where(stands_in, "gibbs", "eflomal")]


def _by_fast_align(scores: pd.DataFrame) -> pd.DataFrame:
    return _where(scores, aligner="fast_align")


def _bpe_beats_words(
    choose: Callable[[pd.DataFrame], pd.DataFrame],
) -> Callable[[pd.DataFrame], list[Case]]:
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
            )
            for _, row in best.iterrows()
        ]

    return cases


def _bpe_stays_below_words(scores: pd.DataFrame) -> list[Case]:
    return [replace(case, holds=not case.holds) for case in _bpe_beats_words(_bayesian)(scores)]


def _dropout_with_eflomal(scores: pd.DataFrame) -> list[Case]:
    found = _dropout(scores)
    by_votes = ~found["aggregate"].map(is_posterior).astype(bool)
    return _against("delta_f1_words", _bayesian(found[by_votes]))


def _dropout_beats_bpe(spaces: str, sides: str = "both") -> Callable[[pd.DataFrame], list[Case]]:
    def cases(scores: pd.DataFrame) -> list[Case]:
        found = _where(
            _dropout(scores, sides),
            aligner="fast_align",
            spaces=spaces,
            dropout=0.1,
            aggregate="0.7",
        )
        return _against("delta_f1_plain", found)

    return cases


def _neither_union_nor_intersection(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes", dropout=0.1)
    found = found[found["aggregate"].isin(["union", "intersection"])]
    cases = []
    order = found.sort_values(["pair", "aggregate", "merges"], ascending=[True, False, True])
    for _, row in order.iterrows():
        text = f"{row['aggregate']} at {_merges(row)} {row['f1']:.3f}"
        delta = row["delta_f1_plain"]
        cases.append(Case(row["pair"], delta <= 0, f"{text} ({delta:+.3f})"))
    return cases


def _higher_rate(scores: pd.DataFrame) -> list[Case]:
    cases = []
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes")
    for (pair, _), same in found.groupby(_SAME):
        usual = _where(same, dropout=0.1, aggregate="0.7")["f1"].max()
        rows = _where(same, samples=30, aggregate="0.5")
        rows = rows[rows["dropout"].astype(float) >= 0.2]
        for _, row in rows.iterrows() if usual == usual else ():
            text = f"rate {row['dropout']:g} at {_merges(row)} {row['f1']:.3f} against {usual:.3f}"
            cases.append(Case(pair, row["f1"] > usual, text))
    return cases


def _no_spaces_is_worse(scores: pd.DataFrame) -> list[Case]:
    found = _where(_plain(scores), aligner="fast_align")
    with_spaces = _where(found, spaces="yes").groupby([*_SAME, "merges"])["f1"].max()
    cases = []
    for _, row in _sorted(_where(found, spaces="no")).iterrows():
        other = with_spaces.get(tuple(row[[*_SAME, "merges"]]))
        if other is not None:
            text = f"{_merges(row)} {row['f1']:.3f} against {other:.3f}"
            cases.append(Case(row["pair"], row["f1"] < other, text))
    return cases


def _gains_most_without_spaces(scores: pd.DataFrame) -> list[Case]:
    cases = []
    for (pair, _), same in _where(_dropout(scores), aligner="fast_align").groupby(_SAME):
        best = same.groupby("spaces")["delta_f1_plain"].max()
        if {"yes", "no"} <= set(best.dropna().index):
            text = (
                f"largest gain over BPE {best['no']:+.3f} without spaces, {best['yes']:+.3f} with"
            )
            cases.append(Case(pair, best["no"] > best["yes"], text))
    return cases


def _recall_and_precision(scores: pd.DataFrame) -> list[Case]:
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


def _swapping_changes_nothing(scores: pd.DataFrame) -> list[Case]:
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


_THESIS = (
    Claim("With fast_align, the best BPE aligns better than words", "6.1",
          _bpe_beats_words(_by_fast_align)),
    Claim("With eflomal, BPE alone does not beat words", "6.1", _bpe_stays_below_words),
    Claim("Swapping the two sides changes next to nothing", "6.1", _swapping_changes_nothing),
    Claim("Dropout 0.1 with threshold 0.7 beats BPE", "6.2", _dropout_beats_bpe("yes")),
    Claim("Neither union nor intersection of the samples beats BPE", "6.2",
          _neither_union_nor_intersection),
    Claim("The union has the best recall, the intersection the best precision", "6.2",
          _recall_and_precision),
    Claim("Dropout in the source alone beats BPE in the source alone", "6.2",
          _dropout_beats_bpe("yes", "source")),
    Claim("Dropout 0.2 to 0.3 with 30 samples and threshold 0.5 beats dropout 0.1 with 0.7", "6.2",
          _higher_rate),
    Claim("With eflomal, BPE with dropout beats words", "6.7", _dropout_with_eflomal),
    Claim("BPE without spaces aligns worse than BPE with spaces", "6.5", _no_spaces_is_worse),
    Claim("Dropout beats BPE without spaces too", "6.5", _dropout_beats_bpe("no")),
    Claim("Dropout gains most without spaces", "6.5", _gains_most_without_spaces),
)  # fmt: skip

CLAIMS = {"thesis": _THESIS}
"""The claims that are checked, by the name that the config's key `claims` gives."""

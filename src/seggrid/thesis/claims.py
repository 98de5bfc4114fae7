"""The thesis's claims, one by one, and what our figures say of each.

A claim holds if it is true of every case that the grid has, fails if it is true of none, and holds
in part otherwise. A claim of which the grid has no case is not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Case:
    """One comparison that bears on a claim, and whether it bears it out."""

    holds: bool
    text: str


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        text: what is claimed.
        source: where.
        cases: finds the comparisons in the table of scores.
    """

    text: str
    source: str
    cases: Callable[[pd.DataFrame], Iterable[Case]]


def check_claims(scores: pd.DataFrame) -> pd.DataFrame:
    """One row a claim: claim, source, verdict (holds, holds in part, fails, not run), evidence.

    Args:
        scores: the table of scores; of its pairs, each claim takes those that have its cells.
    """
    ok = scores[scores["status"] == "ok"] if "status" in scores else scores
    rows = []
    for claim in CLAIMS:
        cases = list(claim.cases(ok))
        true = sum(case.holds for case in cases)
        if not cases:
            verdict = "not run"
        elif true == len(cases):
            verdict = "holds"
        else:
            verdict = "holds in part" if true else "fails"
        count = f"{true} of {len(cases)}: " if len(cases) > 1 else ""
        evidence = count + "; ".join(case.text for case in cases) if cases else ""
        rows.append((claim.text, claim.source, verdict, evidence))
    return pd.DataFrame(rows, columns=["claim", "source", "verdict", "evidence"])


_SETTING = ["pair", "source", "target", "aligner", "symmetrization"]


def _where(scores: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        scores = scores[scores[column].astype(str) == str(value)]
    return scores


def _plain(scores: pd.DataFrame) -> pd.DataFrame:
    """BPE in both languages, no dropout, no pruning."""
    found = scores[(scores["dropout"].astype(float) == 0) & (scores["sides"] == "both")]
    return found[(found["segmenter"] == "bpe") & (found["knockout"] == "none")]


def _dropout(scores: pd.DataFrame, sides: str = "both") -> pd.DataFrame:
    found = scores[(scores["dropout"].astype(float) > 0) & (scores["sides"] == sides)]
    return found[found["segmenter"] == "bpe"]


def _merges(row: pd.Series) -> str:
    return f"{int(float(row['merges']))} merges"


def _against(column: str, found: pd.DataFrame) -> list[Case]:
    """Each cell against what `column` is its difference from."""
    return [
        Case(row[column] > 0, f"{_merges(row)} {row['f1']:.3f} ({row[column]:+.3f})")
        for _, row in found.dropna(subset=column).sort_values("merges").iterrows()
    ]


def _bpe_beats_words(aligner: str) -> Callable[[pd.DataFrame], list[Case]]:
    def cases(scores: pd.DataFrame) -> list[Case]:
        found = _where(_plain(scores), aligner=aligner, spaces="yes")
        found = found.dropna(subset="delta_f1_words")
        best = found.sort_values("f1").groupby("pair").tail(1)
        return [
            Case(
                row["delta_f1_words"] > 0,
                f"{row['pair']}: best BPE ({_merges(row)}) {row['f1']:.3f}, "
                f"{row['delta_f1_words']:+.3f} over words",
            )
            for _, row in best.iterrows()
        ]

    return cases


def _bpe_stays_below_words(scores: pd.DataFrame) -> list[Case]:
    return [Case(not case.holds, case.text) for case in _bpe_beats_words("eflomal")(scores)]


def _dropout_with_eflomal(scores: pd.DataFrame) -> list[Case]:
    return _against("delta_f1_words", _where(_dropout(scores), aligner="eflomal"))


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
    cases = []
    for how in ("union", "intersection"):
        for _, row in _where(found, aggregate=how).sort_values("merges").iterrows():
            text = f"{how} at {_merges(row)} {row['f1']:.3f} ({row['delta_f1_plain']:+.3f})"
            cases.append(Case(row["delta_f1_plain"] <= 0, text))
    return cases


def _higher_rate(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align", spaces="yes")
    usual = _where(found, dropout=0.1, aggregate="0.7")["f1"].max()
    rows = _where(found, samples=30, aggregate="0.5")
    rows = rows[rows["dropout"].astype(float) >= 0.2]
    return [
        Case(
            row["f1"] > usual,
            f"rate {row['dropout']:g} at {_merges(row)} {row['f1']:.3f} against {usual:.3f}",
        )
        for _, row in rows.iterrows()
        if usual == usual
    ]


def _no_spaces_is_worse(scores: pd.DataFrame) -> list[Case]:
    found = _where(_plain(scores), aligner="fast_align")
    with_spaces = _where(found, spaces="yes").groupby(["pair", "merges"])["f1"].max()
    cases = []
    for _, row in _where(found, spaces="no").sort_values("merges").iterrows():
        other = with_spaces.get((row["pair"], row["merges"]))
        if other is not None:
            cases.append(
                Case(row["f1"] < other, f"{_merges(row)} {row['f1']:.3f} against {other:.3f}")
            )
    return cases


def _gains_most_without_spaces(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align")
    best = found.groupby("spaces")["delta_f1_plain"].max()
    if not {"yes", "no"} <= set(best.index):
        return []
    text = f"largest gain over BPE {best['no']:+.3f} without spaces, {best['yes']:+.3f} with"
    return [Case(best["no"] > best["yes"], text)]


def _recall_and_precision(scores: pd.DataFrame) -> list[Case]:
    found = _where(_dropout(scores), aligner="fast_align")
    cases = []
    for _, group in found.groupby([*_SETTING, "samples"]):
        ways = group.set_index("aggregate")
        if {"union", "intersection"} <= set(ways.index) and len(ways) > 2:
            right = (
                ways["recall"].idxmax() == "union" and ways["precision"].idxmax() == "intersection"
            ) or bool(
                ways.loc["union", "recall"] >= ways["recall"].max()
                and ways.loc["intersection", "precision"] >= ways["precision"].max()
            )
            row = group.iloc[0]
            text = (
                f"spaces {row['spaces']}, rate {row['dropout']:g}, {_merges(row)}: union's recall "
                f"{ways.loc['union', 'recall']:.3f}, intersection's precision "
                f"{ways.loc['intersection', 'precision']:.3f}"
            )
            cases.append(Case(right, text))
    return cases


def _swapping_changes_nothing(scores: pd.DataFrame) -> list[Case]:
    found = _where(_plain(scores), aligner="fast_align", spaces="yes", case="keep")
    one = _where(found, pair="eng-deu").set_index("merges")["f1"]
    other = _where(found, pair="deu-eng").set_index("merges")["f1"]
    return [
        Case(
            abs(one[merges] - other[merges]) < 0.005,
            f"{int(float(merges))} merges {one[merges]:.3f} and {other[merges]:.3f}",
        )
        for merges in one.index.intersection(other.index)
    ]


CLAIMS = [
    Claim("With fast_align, the best BPE aligns better than words", "6.1",
          _bpe_beats_words("fast_align")),
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
]  # fmt: skip

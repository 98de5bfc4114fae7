"""Check the claims of a publication against our scores.

A claim holds if every case in the grid supports it, fails if no case does, and holds in part otherwise. A
claim without a case in the grid is not run. If the grid has texts of several sizes, each size has its own
verdict; if these differ, the claim depends on the size. Scores of different pairs are never
compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.base.axis import ALL
from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1
from seggrid.score.significance import difference_intervals, pairs_with_seeds
from seggrid.thesis import cases as found
from seggrid.thesis import knockout_claims as pruned
from seggrid.thesis.cases import Case, Finder

COLUMNS = ("claim", "whose", "source", "verdict", "intervals", "evidence")
DEPENDS = "depends on the size"

THESIS = "Berasategi (2020)"
BOTH = "Provilkov et al. (2020), confirmed by Berasategi (2020)"


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        text: the claim.
        source: its place in the publication, such as the section of the thesis.
        cases: finds the comparisons in the table of scores.
        whose: the authors who make the claim.
        across_sizes: whether it compares texts of several sizes.
    """

    text: str
    source: str
    cases: Finder
    whose: str = THESIS
    across_sizes: bool = False


def check_claims(
    scores: pd.DataFrame,
    claims: Sequence[Claim],
    counts: Mapping[str, PairCounts] | None = None,
    *,
    seed: int = 1,
    rounds: int = 2000,
) -> pd.DataFrame:
    """One row for each claim.

    Args:
        scores: the table of scores; each claim uses the pairs that have its cells. For the claims `knockout`,
            the rows of `results/morphology.csv` and `results/knockout.csv`.
        claims: the claims of a publication, from `CLAIMS`.
        counts: counts of all cells by pair, for intervals; None for no intervals.
        seed, rounds: seed and number of bootstrap resamples. If they are the same as for
            `results/significance.csv`, so are the intervals.

    Returns:
        The columns `COLUMNS`: the claim, its authors, its place; the verdict (holds, holds in part, fails,
        not run, `DEPENDS`); the number of cases, among those that are a difference of two cells, whose
        interval (95%, paired by sentence) does not contain 0; and all cases with their scores.
    """
    ok = scores[scores["status"] == "ok"] if "status" in scores else scores
    sizes = list(dict.fromkeys(ok["sentences"])) if "sentences" in ok else [ALL]
    intervals = _Intervals(counts or {}, seed, rounds)
    rows = []
    for claim in claims:
        if claim.across_sizes or len(sizes) == 1:
            by_size = {ALL: list(claim.cases(ok))}
        else:
            found = {size: list(claim.cases(ok[ok["sentences"] == size])) for size in sizes}
            by_size = {size: cases for size, cases in found.items() if cases}
        verdicts = {size: _verdict(cases) for size, cases in by_size.items()}
        kinds = set(verdicts.values()) or {"not run"}
        several = len(by_size) > 1
        evidence = [
            (f"{_size(size)}, {verdicts[size]}: " if several else "") + _evidence(cases, intervals)
            for size, cases in by_size.items()
        ]
        tested = [intervals.of(case) for cases in by_size.values() for case in cases]
        ends = [bounds for bounds in tested if bounds is not None]
        clear = sum(low > 0 or high < 0 for low, high in ends)
        rows.append(
            (
                claim.text,
                claim.whose,
                claim.source,
                kinds.pop() if len(kinds) == 1 else DEPENDS,
                f"{clear} of {len(ends)} without 0" if ends else "",
                ". ".join(filter(None, evidence)),
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _verdict(cases: Sequence[Case]) -> str:
    true = sum(case.holds for case in cases)
    if not cases:
        return "not run"
    if true == len(cases):
        return "holds"
    return "holds in part" if true else "fails"


def _size(size: object) -> str:
    return "all sentences" if size == ALL else f"{size} sentences"


def _evidence(cases: Sequence[Case], intervals: _Intervals) -> str:
    """All cases as text, with the name of each pair before its first case."""
    true = sum(case.holds for case in cases)
    count = f"{true} of {len(cases)}: " if len(cases) > 1 else ""
    texts, pair = [], None
    for case in cases:
        bounds = intervals.of(case)
        text = case.text + (f" [{bounds[0]:+.3f}, {bounds[1]:+.3f}]" if bounds else "")
        texts.append(text if case.pair == pair else f"{case.pair}: {text}")
        pair = case.pair
    return count + "; ".join(texts) if texts else ""


class _Intervals:
    """Intervals of the differences in F1 of cases; each is computed once."""

    def __init__(self, counts: Mapping[str, PairCounts], seed: int, rounds: int) -> None:
        self._counts, self._rounds = counts, rounds
        self._seeds = {pair: own for pair, _, (own, _) in pairs_with_seeds(counts, seed)}
        self._places = {
            pair: {str(cell): place for place, cell in enumerate(of.cells)}
            for pair, of in counts.items()
        }
        self._weights: dict[str, NDArray[np.float32]] = {}
        self._known: dict[tuple[str, str], tuple[float, float] | None] = {}

    def of(self, case: Case) -> tuple[float, float] | None:
        """Both ends of the interval of the difference; None if there are no counts for it."""
        if case.interval is not None:
            return case.interval
        if case.cells is None or case.pair not in self._counts:
            return None
        if case.cells not in self._known:
            self._known[case.cells] = self._compute(case.pair, case.cells)
        return self._known[case.cells]

    def _compute(self, pair: str, cells: tuple[str, str]) -> tuple[float, float] | None:
        counts, places = self._counts[pair], self._places[pair]
        if not set(cells) <= places.keys():
            return None
        ours, theirs = (np.array([places[cell]]) for cell in cells)
        replicates = int(counts.common(ours, theirs)[0])
        if pair not in self._weights:
            sentences = len(counts.sure)
            self._weights[pair] = bootstrap_weights(sentences, self._rounds, self._seeds[pair])
        ends = difference_intervals(
            counts.of(ours, replicates),
            counts.of(theirs, replicates),
            counts.sure,
            self._weights[pair],
        )
        low, high = ends[0, F1]
        return float(low), float(high)


_USUAL = {"spaces": "yes", "dropout": 0.1, "aggregate": "0.7"}
_NO_SPACES = {"spaces": "no", "dropout": 0.2, "aggregate": "0.5"}

_THESIS = (
    Claim("With fast_align, the best BPE aligns better than words", "6.1",
          found.bpe_beats_words(found.by_fast_align)),
    Claim("With eflomal, BPE alone does not beat words", "6.1", found.bpe_stays_below_words),
    Claim("Swapping the two sides changes next to nothing", "6.1", found.swapping_changes_nothing),
    Claim("Dropout 0.1 with threshold 0.7 beats BPE", "6.2", found.dropout_beats_bpe("yes"), BOTH),
    Claim("Neither union nor intersection of the samples beats BPE", "6.2",
          found.neither_union_nor_intersection),
    Claim("The union has the best recall, the intersection the best precision", "6.2",
          found.recall_and_precision),
    Claim("The best threshold at rate 0.1 is 0.7", "6.2", found.best_threshold),
    Claim("Dropout 0.1 gains 3.5 points of F1 over BPE, to within one", "6.7",
          found.gains(0.035, _USUAL)),
    Claim("Dropout in the source alone beats BPE in the source alone", "6.2",
          found.dropout_beats_bpe("yes", "source")),
    Claim("Dropout in the source alone gains 3 points of F1, to within one", "6.7",
          found.gains(0.03, _USUAL, sides="source")),
    Claim("Dropout gains more in the source alone than in the target alone", "6.2",
          found.source_gains_more, BOTH),
    Claim("The more merges, the less dropout gains", "6.2", found.gain_shrinks_with_merges),
    Claim("The more text, the less dropout gains", "6.2 (quoted, not replicated there)",
          found.gain_shrinks_with_text, "Provilkov et al. (2020)", across_sizes=True),
    Claim("Dropout 0.2 to 0.3 with 30 samples and threshold 0.5 beats dropout 0.1 with 0.7", "6.2",
          found.higher_rate),
    Claim("With eflomal, BPE with dropout beats words", "6.7", found.dropout_with_eflomal),
    Claim("With eflomal, dropout gains 5.2 points of F1 over BPE, to within one", "6.7",
          found.gains(0.052, _USUAL, choose=found.bayesian)),
    Claim("BPE without spaces aligns worse than BPE with spaces", "6.5", found.no_spaces_is_worse),
    Claim("Dropout beats BPE without spaces too", "6.5", found.dropout_beats_bpe("no")),
    Claim("Without spaces, dropout 0.2 with threshold 0.5 and 500 symbols is best", "6.5",
          found.best_without_spaces),
    Claim("That cell gains 10.5 points of F1 over BPE, to within one", "6.5",
          found.gains(0.105, _NO_SPACES, merges=499)),
    Claim("Dropout gains most without spaces", "6.5", found.gains_most_without_spaces),
)  # fmt: skip

_THESIS_ENG_HIN = (
    Claim("Dropout 0.1 with threshold 0.7 beats BPE", "6.3", found.dropout_beats_bpe("yes")),
    Claim("It gains 2.8 points of F1, to within one", "6.3", found.gains(0.028, _USUAL)),
    Claim("Without spaces, dropout 0.2 with threshold 0.5 and 500 symbols gains 6.2 points of F1, "
          "to within one", "6.6", found.gains(0.062, _NO_SPACES, merges=499)),
)  # fmt: skip

_THESIS_ENG_RON = (
    Claim("Dropout 0.1 with threshold 0.7 beats BPE", "6.3", found.dropout_beats_bpe("yes")),
    Claim("With 4,000 symbols it gains 1.5 points of F1, to within one", "6.3",
          found.gains(0.015, _USUAL, merges=3999)),
    Claim("Without spaces, dropout 0.2 with threshold 0.5 and 500 symbols gains 8.4 points of F1, "
          "to within one", "6.6", found.gains(0.084, _NO_SPACES, merges=499)),
)  # fmt: skip

_PAPER = "Bauwens and Delobelle (2024)"
_KNOCKOUT = tuple(
    Claim(text, source, cases, _PAPER)
    for text, source, cases in (
        ("By word types, knockout gains 10 points of precision, to within two", "5.1",
         pruned.gains("precision", 10, 2)),
        ("25 points of recall, to within three", "5.1", pruned.gains("recall", 25, 3)),
        ("15 points of F1, to within two", "5.1", pruned.gains("f1", 15, 2)),
        ("By word tokens, it gains 45 points of F1 or more", "5.1, Table 11",
         pruned.gains_at_least("f1", 45, unit="tokens")),
        ("It gains recall of whole words, by types and by tokens", "5.1",
         pruned.gains_at_least("recall", 0, boundaries="whole words")),
        ("Nevertheless it gains F1 of whole words", "5.1",
         pruned.gains_at_least("f1", 0, boundaries="whole words")),
        ("Dropout 0.05 gains recall, and loses precision and F1", "5.1", pruned.dropout_lowers_f1),
        ("On held-out words, more than half of the gains by types are left", "5.1",
         pruned.keeps_gains_held_out),
        ("On held-out words, F1 by tokens rises by 20 points (rounded) or more", "5.1",
         pruned.gains_at_least("f1", 19.5, unit="tokens", held_out=True)),
        ("Quartiles of the pruned types lie 22.5 to 27.5% of the vocabulary apart", "5.1",
         pruned.quartiles_are_even),
        ("Pruning at random gains recall and loses precision, the more, the more is pruned", "A.2",
         pruned.unlike_knockout("random")),
        ("So does pruning the latest merges", "A.2", pruned.unlike_knockout("latest")),
        ("Of the latest half of the merges, 90% make leaves, to within two points", "A.2",
         pruned.half_are_leaves),
        ("A threshold of 0.5 has the best precision, to within 0.05", "A.3",
         pruned.half_is_most_precise),
        ("Recall peaks at a low threshold, F1 between it and precision", "A.3",
         pruned.recall_peaks_first),
        ("Fewer than 1% of the words have fewer tokens after knockout", "A.4",
         pruned.few_have_fewer_tokens),
        ("More than 25% of the words have more", "A.4", pruned.many_have_more_tokens),
        ("Weighted blame gains F1 by tokens and loses F1 by types", "A.5", pruned.weighted_blame),
        ("Knockout removes 5% of the applications of merges, to within half a point", "A.6",
         pruned.share_pruned("effective_dropout", 5, 0.5)),
        ("It removes 10% of the merges, to within two points", "A.6",
         pruned.share_pruned("pruned", 10, 2)),
        ("With dropout 0.1, less than half of the precision by tokens is left", "A.6",
         pruned.dropout_halves_precision),
        ("The higher the rate of dropout, the lower F1 by types", "A.6",
         pruned.more_dropout_lowers_f1),
        ("F1 differs by less than a point whichever share of the words is held out", "A.8",
         pruned.any_share_held_out),
    )
)  # fmt: skip

CLAIMS = {
    "thesis": _THESIS,
    "thesis-eng-hin": _THESIS_ENG_HIN,
    "thesis-eng-ron": _THESIS_ENG_RON,
    "knockout": _KNOCKOUT,
}
"""The claims of each value of the config's key `claims`."""

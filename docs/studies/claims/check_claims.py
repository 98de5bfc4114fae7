"""Check the claims of a replicated publication against the tables of a finished run.

    python docs/studies/claims/check_claims.py thesis results claims.csv

A claim holds if every case in the grid supports it, fails if no case does, and holds in part otherwise. A
claim without a case in the grid is not run. If the grid has texts of several sizes, each size has its own
verdict; if these differ, the claim depends on the size. Scores of different pairs are compared by no claim
but that on swapping the sides.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import knockout_cases
import numpy as np
import pandas as pd
import score_cases
from numpy.typing import NDArray
from score_cases import Case

from seggrid.base.axis import ALL
from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts, read_counts
from seggrid.score.metrics import F1
from seggrid.score.significance import difference_intervals, pairs_with_seeds
from seggrid.score.table import read_scores, write_table

COLUMNS = ("claim", "whose", "source", "verdict", "intervals", "evidence")
"""The claim, its authors, and where they make it; `holds`, `holds in part`, `fails`, `depends on the size` or
`not run`; how many comparisons have an interval without 0; the figures of the comparisons."""

DEPENDS = "depends on the size"


_Resamples = tuple[PairCounts, NDArray[np.float32]]
"""The counts of a pair, and the weights of its sentences in each resample."""


@dataclass(frozen=True)
class Claim:
    """A claim, the authors who make it, and its place in the publication. `comparisons` are the rows of
    claims.toml that say what is compared, `find` makes the cases of one."""

    text: str
    whose: str
    source: str
    across_sizes: bool
    comparisons: Sequence[Mapping[str, Any]]
    find: Callable[..., Iterable[Case]]

    def cases(self, table: pd.DataFrame) -> list[Case]:
        """The cases of all pairs or tokenizers in a table."""
        return [case for one in self.comparisons for case in self.find(table, **one)]


def check_claims(
    scores: pd.DataFrame,
    claims: Sequence[Claim],
    counts: Mapping[str, PairCounts] | None = None,
    *,
    seed: int = 1,
    rounds: int = 2000,
) -> pd.DataFrame:
    """One row for each of the `CLAIMS` of a publication.

    Each claim uses the pairs in the table of scores that have its cells; for the claims `knockout`, the table
    is the rows of `results/morphology.csv` and `results/knockout.csv`. Intervals (95%, paired by sentence)
    need the counts of all cells by pair; with the same seed and rounds, they are those of
    `results/significance.csv`. `intervals` says how many, among the cases that are a difference of two cells,
    do not contain 0.
    """
    ok = scores[scores["status"] == "ok"] if "status" in scores else scores
    sizes = list(dict.fromkeys(ok["sentences"])) if "sentences" in ok else [ALL]
    resamples = {
        pair: (own, bootstrap_weights(len(own.sure), rounds, resampling))
        for pair, own, (resampling, _) in pairs_with_seeds(counts or {}, seed)
    }
    rows = []
    for claim in claims:
        if claim.across_sizes or len(sizes) == 1:
            by_size = {ALL: claim.cases(ok)}
        else:
            found = {size: claim.cases(ok[ok["sentences"] == size]) for size in sizes}
            by_size = {size: cases for size, cases in found.items() if cases}
        verdicts, evidence = [], []
        tested: list[tuple[float, float]] = []
        for size, cases in by_size.items():
            bounds = [_interval(case, resamples) for case in cases]
            tested += [ends for ends in bounds if ends is not None]
            verdicts.append(_verdict(cases))
            of = "all sentences" if size == ALL else f"{size} sentences"
            before = f"{of}, {verdicts[-1]}: " if len(by_size) > 1 else ""
            evidence.append(before + _evidence(cases, bounds))
        clear = sum(low > 0 or high < 0 for low, high in tested)
        kinds = set(verdicts) or {"not run"}
        rows.append(
            (
                claim.text,
                claim.whose,
                claim.source,
                kinds.pop() if len(kinds) == 1 else DEPENDS,
                f"{clear} of {len(tested)} without 0" if tested else "",
                ". ".join(filter(None, evidence)),
            )
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def _verdict(cases: Sequence[Case]) -> str:
    true = sum(case.holds for case in cases)
    if not cases:
        return "not run"
    if true == len(cases):
        return "holds"
    return "holds in part" if true else "fails"


def _evidence(cases: Sequence[Case], bounds: Sequence[tuple[float, float] | None]) -> str:
    """All cases as text, with the name of each pair before its first case."""
    true = sum(case.holds for case in cases)
    count = f"{true} of {len(cases)}: " if len(cases) > 1 else ""
    texts, pair = [], None
    for case, ends in zip(cases, bounds, strict=True):
        text = case.text + (f" [{ends[0]:+.3f}, {ends[1]:+.3f}]" if ends else "")
        texts.append(text if case.pair == pair else f"{case.pair}: {text}")
        pair = case.pair
    return count + "; ".join(texts) if texts else ""


def _interval(case: Case, resamples: Mapping[str, _Resamples]) -> tuple[float, float] | None:
    """Both ends of the interval of a difference in F1; None if there are no counts for it."""
    if case.interval is not None or case.cells is None or case.pair not in resamples:
        return case.interval
    counts, weights = resamples[case.pair]
    place = counts.place
    if not place.keys() >= set(case.cells):
        return None
    ((_, (ours, theirs)),) = counts.alike(*(np.array([place[cell]]) for cell in case.cells))
    low, high = difference_intervals(ours, theirs, counts.sure, weights)[0, F1]
    return float(low), float(high)


def _read_claims() -> dict[str, tuple[Claim, ...]]:
    """The claims of claims.toml by the name of their publication."""
    table = tomllib.loads(Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))
    where, of_knockout = table.pop("where"), table.pop("knockout")
    claims = {}
    for study, rows in table.items():
        found = []
        for row in rows:
            head = row.pop("claim"), row.pop("whose", "Berasategi (2020)"), row.pop("source")
            across, own = row.pop("across_sizes", False), row.pop("of", [{}])
            comparisons = [{"where": where, **row, **one} for one in own]
            found.append(Claim(*head, across, comparisons, score_cases.cases))
        claims[study] = tuple(found)
    whose = "Bauwens and Delobelle (2024)"
    claims["knockout"] = tuple(
        Claim(text, whose, source, False, comparisons, knockout_cases.cases)
        for text, source, *comparisons in of_knockout
    )
    return claims


CLAIMS = _read_claims()
"""The claims of each publication."""


def main(publication: str, folder: str, output: str) -> None:
    """Check the claims of a publication by the tables in a folder, such as `results`."""
    tables = [Path(folder, name) for name in ("morphology.csv", "knockout.csv", "counts.npz")]
    *evaluations, counts = (table for table in tables)
    seed = json.loads(Path(folder, "run.json").read_text("utf-8"))["settings"].get("seed", 1)
    if publication == "knockout":
        found = pd.concat(pd.read_csv(table) for table in evaluations if table.stat().st_size)
        checked = check_claims(found, CLAIMS[publication])
    else:
        scores = read_scores(Path(folder, "scores.csv"))
        checked = check_claims(scores, CLAIMS[publication], read_counts(counts), seed=seed)
    write_table(output, checked)


if __name__ == "__main__":
    main(*sys.argv[1:])

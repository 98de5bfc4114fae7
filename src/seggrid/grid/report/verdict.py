"""The verdict on each pair in words: which cell to use, and how much better it is."""

from __future__ import annotations

from typing import Any

import pandas as pd

from seggrid.align import ALIGNERS
from seggrid.grid.report.labels import describe_all
from seggrid.grid.study import STUDIES

_RIVALS = {
    "words": "words with the same settings",
    "default": "the default settings of the commands",
}
_SMALL = 0.05


def with_sentences(
    verdict: pd.DataFrame, scores: pd.DataFrame, selection: pd.DataFrame
) -> pd.DataFrame:
    """The table of verdicts, with the column `verdict`: a few sentences on each pair.

    A difference is claimed if its interval excludes 0 and its corrected p is at most 0.05. Studies may have
    rows in the table of selections.
    """
    names = dict(zip(scores["cell"], describe_all(scores), strict=True))
    rows = verdict.to_dict("records")
    texts = [
        " ".join([*sentences(row, names[row["cell"]]), *of_studies(selection, row["pair"])])
        for row in rows
    ]
    return verdict.assign(verdict=texts)


def sentences(row: dict[str, Any], name: str) -> list[str]:
    """The verdict on a pair, from its row and the description of the chosen cell: what to use, its score, and
    what that rests on."""
    f1 = f"F1 {row['f1']:.3f} ({row['f1_low']:.3f} to {row['f1_high']:.3f})"
    setting = f"{row['aligner']} with {name}."
    gains = not _known(row, "words") or row["words_cell"] == row["cell"] or _gains(row)
    use = "use" if gains else "no setting is shown to be better than words; the best is"
    parts = [
        f"{row['pair']}: {use} {setting}",
        f"On held-out sentences: {f1}.",
    ]
    parts += [_compared(row, kind, rival) for kind, rival in _RIVALS.items() if _known(row, kind)]
    if not _known(row, "default"):
        parts.append("The default settings of the commands are not a cell of this grid.")
    parts.append(_alike(int(row["alike"]), int(row["cells"])))
    parts.append(_rests_on(row["aligner"], row["aligners"].split(", ")))
    if ALIGNERS[row["aligner"]].random and row["replicates"] == 1:
        parts.append(
            "This aligner is random and ran once: no interval says how much F1 varies from run to run."
        )
    return parts


def fewer_errors(row: dict[str, Any]) -> str:
    """What a gain over words means in errors, of which there are 1 − F1; empty if no gain is claimed.

    >>> row = {"f1": 0.9, "delta_f1_words": 0.02, "delta_f1_words_low": 0.01, "delta_f1_words_high": 0.03}
    >>> fewer_errors(row | {"p_words": 0.01})
    'Of the errors of words, about 1 in 6 is gone.'
    """
    if not _gains(row):
        return ""
    delta = row["delta_f1_words"]
    share = delta / (1 - (row["f1"] - delta))
    much = f"1 in {round(1 / share):,} is" if share <= 0.5 else f"{share:.0%} are"
    return f"Of the errors of words, about {much} gone."


def claimed(row: dict[str, Any], kind: str) -> bool:
    """Whether the data show a difference between the choice and the cell with which it is compared."""
    low, high = row[f"delta_f1_{kind}_low"], row[f"delta_f1_{kind}_high"]
    return bool(row[f"p_{kind}"] <= _SMALL and (low > 0 or high < 0))


def _gains(row: dict[str, Any]) -> bool:
    """Whether the choice is shown to be better than words."""
    return claimed(row, "words") and row["delta_f1_words"] > 0


def _known(row: dict[str, Any], kind: str) -> bool:
    return isinstance(row[f"{kind}_cell"], str) and bool(row[f"{kind}_cell"])


def _compared(row: dict[str, Any], kind: str, rival: str) -> str:
    if row[f"{kind}_cell"] == row["cell"]:
        return (
            "No segmentation has a higher F1 than words."
            if kind == "words"
            else f"Its settings are {rival}."
        )
    delta, low, high = (row[f"delta_f1_{kind}{end}"] for end in ("", "_low", "_high"))
    p = row[f"p_{kind}"]
    measured = f"{_signed(delta)} ({_signed(low)} to {_signed(high)}; {_p_value(p)})"
    if claimed(row, kind):
        return f"That is {'better' if delta > 0 else 'worse'} than {rival} by {measured}."
    if p <= _SMALL:
        # The lead of the best cell is certain enough, but not what is left of it on other sentences.
        return f"A difference from {rival} is not certain, as its interval has 0: {measured}."
    return f"This gold shows no difference from {rival}: {measured}."


def of_studies(selection: pd.DataFrame, pair: str) -> list[str]:
    """What studies add to the verdict on a pair."""
    return [text for study in STUDIES.values() for text in study.sentences(selection, pair)]


def _signed(value: float) -> str:
    return f"{value + 0.0:+.3f}".replace("-", "\N{MINUS SIGN}")


def _p_value(p: float) -> str:
    return "corrected p ≤ 0.001" if p <= 0.001 else f"corrected p = {p:.3f}"


def _alike(alike: int, cells: int) -> str:
    if cells == 1:
        return "It is the only cell."
    if cells == 2:
        said = "cannot be told apart from" if alike else "is shown to be worse than"
        return f"The other cell {said} the best."
    if not alike:
        return f"All {cells - 1:,} other cells are shown to be worse than the best."
    return f"{alike:,} of the {cells - 1:,} other cells cannot be told apart from the best."


def _rests_on(aligner: str, aligners: list[str]) -> str:
    if len(aligners) == 1:
        return f"All this holds for the aligner {aligner}, the only one tried."
    others = [name for name in aligners if name != aligner]
    return f"This rests on the aligner {aligner}; also tried: {', '.join(others)}."

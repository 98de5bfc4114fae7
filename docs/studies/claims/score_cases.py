"""The cases of a claim on alignment in a table of scores of one size of text."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from seggrid.base.axis import ALL
from seggrid.score.votes import is_posterior


@dataclass(frozen=True)
class Case:
    """One comparison for a claim.

    Attributes:
        pair: pair of the compared cells, or the tokenizer.
        holds: whether the comparison supports the claim.
        text: the compared scores.
        cells: the two cells, if the comparison is a difference of F1 between two cells of the pair.
        interval: both ends of the interval of the comparison, if it does not follow from two cells.
    """

    pair: str
    holds: bool
    text: str
    cells: tuple[str, str] | None = None
    interval: tuple[float, float] | None = None


_HOLDS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_SAY = {
    "aggregate": "{}",
    "dropout": "rate {:g}",
    "merges": "{:g} merges",
    "pair": "{}",
    "sentences": "{} sentences",
    "sides": "in the {}",
    "spaces": "spaces {}",
}


def cases(
    scores: pd.DataFrame,
    *,
    where: Mapping[str, str],
    these: str,
    than: str = "",
    along: str = "",
    aligner: str = "fast_align",
    match: Sequence[str] = ("pair",),
    best: str = "",
    measure: str = "f1",
    holds: str = ">",
    about: float | None = None,
    within: float = 0.01,
    say: Sequence[str] = ("merges",),
) -> Iterator[Case]:
    """Compare each cell of `these` with another one.

    Args:
        scores: the table of scores, of cells that were run.
        where: conditions by the names that `these` and `than` use for them.
        these: condition of the cells that the claim is about.
        than: condition of the cells that each is compared with, the best of which counts; or `words` or
            `plain`, for the cell that `words_cell` or `plain_cell` names.
        along: in place of `than`, a column: each cell is compared with the one that has the next smaller
            value.
        aligner: aligner of all cells. For `eflomal`, the cells of gibbs, which has its model, stand in for
            those of eflomal in pairs that have any.
        match: columns in which two compared cells are equal.
        best: of the cells of `these` that are equal in `match`, only the one with the largest value of this
            column.
        measure: the compared column.
        holds: how the cell's value must stand to the other's.
        about, within: instead, the difference must be `about` this, give or take `within`.
        say: columns that tell cells apart in the evidence.
    """
    table = _with_conditions(scores, where)
    ours = _of_aligner(table.query(these), aligner).sort_values(["pair", "merges"], kind="stable")
    partner = than in ("words", "plain")
    value = f"delta_f1_{than}" if partner else measure
    ours = ours.dropna(subset=value)
    if best:
        ours = ours.sort_values(best, kind="stable").groupby(list(match)).tail(1)
        ours = ours.sort_values(["pair", "merges"], kind="stable")
    compared = _HOLDS[holds]
    if partner:
        for _, row in ours.iterrows():
            delta = row[value]
            supported = compared(delta, 0) if about is None else abs(delta - about) <= within
            text = f"{_said(row, say)} {row['f1']:.3f} ({delta:+.3f})"
            yield Case(row["pair"], bool(supported), text, (row["cell"], row[f"{than}_cell"]))
        return
    if along:
        for _, group in ours.groupby(list(match)):
            steps = (row for _, row in group.sort_values(along, kind="stable").iterrows())
            for less, more in pairwise(steps):
                text = (
                    f"{_said(less, say)} {less[value]:+.3f}, {_said(more, say)} {more[value]:+.3f}"
                )
                yield Case(less["pair"], bool(more[value] < less[value]), text)
        return
    others = _of_aligner(table.query(than), aligner).dropna(subset=value)
    largest = others.loc[others.groupby(list(match))[value].idxmax()].set_index(list(match))
    for _, row in ours.iterrows():
        key = row[match[0]] if len(match) == 1 else tuple(row[list(match)])
        if key not in largest.index:
            continue
        other = largest.loc[key]
        one, two = row[value], other[value]
        supported = compared(one, two) if about is None else abs(one - two - about) <= within
        differing = [name for name in say if name not in match and row[name] != other[name]]
        text = f"{_said(row, say)} {one:.3f} against {two:.3f}"
        if differing:
            text += f" ({_said(other, differing)})"
        same_pair = value == "f1" and "pair" in match
        yield Case(
            row["pair"], bool(supported), text, (row["cell"], other["cell"]) if same_pair else None
        )


def _with_conditions(scores: pd.DataFrame, where: Mapping[str, str]) -> pd.DataFrame:
    """The table with numbers as numbers, and a column of truth values for each name in `where`."""
    table = scores.copy()
    for column in ("merges", "dropout", "samples"):
        table[column] = pd.to_numeric(table[column], errors="coerce")
    for column in ("spaces", "aggregate", "sentences"):
        table[column] = table[column].astype(str)
    if "dropout_weight" not in table:
        table["dropout_weight"] = "uniform"
    table["size"] = table["sentences"].replace(ALL, np.inf).astype(float)
    table["is_threshold"] = table["aggregate"].str.fullmatch(r"[0-9./]+")
    table["is_posterior"] = table["aggregate"].map(is_posterior).astype(bool)
    for name, condition in where.items():
        table[name] = table.eval(condition).astype(bool)
    return table


def _of_aligner(table: pd.DataFrame, aligner: str) -> pd.DataFrame:
    chosen = table["aligner"] == aligner
    if aligner == "eflomal":
        by_gibbs = table["aligner"] == "gibbs"
        has_gibbs = table["pair"].isin(table.loc[by_gibbs, "pair"])
        chosen = by_gibbs | (chosen & ~has_gibbs)
    return table[chosen]


def _said(row: pd.Series, say: Sequence[str]) -> str:
    return ", ".join(_SAY[column].format(row[column]) for column in say)

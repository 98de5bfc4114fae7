"""The main effects of a grid: what each axis does on average over the other axes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import AXES as ALIGNER_AXES
from seggrid.score.aggregates import is_posterior
from seggrid.segment.axes import AXES as SIDE_AXES

COLUMNS = ("axis", "value", "reference", "cells", "delta_f1", "delta_f1_low", "delta_f1_high")

_AXES = (*SIDE_AXES, "sides", "samples", "aligner", *ALIGNER_AXES, "symmetrization", "aggregate")


def main_effects(
    cells: pd.DataFrame,
    f1: NDArray[np.float64],
    resampled: NDArray[np.float64],
    level: float = 0.95,
) -> pd.DataFrame:
    """The mean difference in F1 between the values of each axis.

    Segmenters are compared with words: each cell with the best words cell of the same aligner. For every
    other axis, only cells count that have a counterpart with the reference value and the same values of all
    other axes. For dropout and other random axes, the counterpart has no samples; for aligners, it may differ
    in the axes of the aligner. A group of cells with equal values of all other axes counts once.

    Args:
        cells: rows of `results/scores.csv` of one pair, with C cells.
        f1: their scores, shape (C,).
        resampled: the same in B resamples, shape (B, C).
        level: coverage of the intervals.

    Returns:
        One row for each axis and each value except the reference, with the columns `COLUMNS`. The reference
        is the smallest value of an axis of numbers, otherwise the value that most groups have.
    """
    rows = [*_over_words(cells)]
    for axis in (name for name in _AXES if name in cells and name != "segmenter"):
        if cells[axis].nunique() > 1:
            rows += _of_axis(cells, axis)
    if not rows:
        return pd.DataFrame(columns=list(COLUMNS))
    contrasts = np.column_stack([contrast for *_, contrast in rows])
    ends = np.quantile(resampled @ contrasts, [(1 - level) / 2, (1 + level) / 2], axis=0)
    values = [f1 @ contrasts, *ends]
    named = [(*row[:3], int((row[3] > 0).sum())) for row in rows]
    return pd.DataFrame(
        [(*name, *own) for name, own in zip(named, np.transpose(values), strict=True)],
        columns=list(COLUMNS),
    )


_Row = tuple[str, str, str, NDArray[np.float64]]
"""Axis, value, reference value, and the weight of each cell in the difference between the two."""


def _over_words(cells: pd.DataFrame) -> Iterator[_Row]:
    place = {cell: row for row, cell in enumerate(cells["cell"])}
    words = cells["words_cell"].map(place)
    compared = words.notna() & (cells["sides"] != "none") & (cells["sides"] != "mixed")
    for value in cells.loc[compared, "segmenter"].unique():
        own = np.flatnonzero(compared & (cells["segmenter"] == value))
        contrast = np.zeros(len(cells))
        np.add.at(contrast, own, 1 / len(own))
        np.add.at(contrast, words.to_numpy()[own].astype(np.int64), -1 / len(own))
        yield "segmenter", str(value), "words", contrast


def _of_axis(cells: pd.DataFrame, axis: str) -> Iterator[_Row]:
    whole = cells[cells["sides"] != "mixed"]
    groups = _others(whole, axis).groupby(list(_others(whole, axis)), sort=False, dropna=False)
    group = groups.ngroup()
    values = whole[axis]
    several = values.groupby(group).transform("nunique") > 1
    values, group = values[several], group[several]
    if values.empty:
        return
    reference = _reference(values, group)
    has = set(group[values == reference])
    for value in values[values != reference].unique():
        both = sorted(has & set(group[values == value]))
        if both:
            contrast = np.zeros(len(cells))
            for sign, one in ((1, value), (-1, reference)):
                rows = group[(values == one) & group.isin(both)]
                share = rows.map(rows.value_counts()) * len(both)
                contrast[cells.index.get_indexer(rows.index)] = sign / share
            yield axis, _text(value), _text(reference), contrast


def _others(cells: pd.DataFrame, axis: str) -> pd.DataFrame:
    """The values that each cell must share with its counterparts, by axis."""
    names = [name for name in _AXES if name in cells and name != axis]
    own = cells[names]
    side_axis = SIDE_AXES.get(axis)
    if side_axis is not None and side_axis.random:
        # Without dropout there are no samples and no votes to count.
        own = own.drop(columns=["samples"], errors="ignore")
        own = own.drop(columns=[name for name in own if _needs(name) == axis])
        own["aggregate"] = own["aggregate"].where(own["aggregate"].map(is_posterior), "none")
    if axis == "aligner":
        own = own.drop(columns=[*ALIGNER_AXES, "symmetrization"], errors="ignore")
    return own.astype(str)


def _needs(name: str) -> str | None:
    return SIDE_AXES[name].needs if name in SIDE_AXES else None


def _reference(values: pd.Series, group: pd.Series) -> object:
    numbers = pd.to_numeric(values, errors="coerce")
    if numbers.notna().all():
        return values[numbers.idxmin()]
    groups = group.groupby(values, sort=False).nunique()
    return groups.idxmax()


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

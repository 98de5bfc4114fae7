"""What each axis does, the others being equal: the effects of a grid.

The estimand: for an axis, a value v and a reference r, the mean of F1(v) − F1(r) over the settings of all
other axes with which the grid has both, each setting counting once. Two cells are compared only if they
differ in that axis alone. An axis that only one of two segmenters or aligners reads has its default; only the
size of a segmenter's vocabulary is free, over which the mean is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import ALIGNERS
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import Axis
from seggrid.base.resampling import TAILS
from seggrid.score.votes import is_posterior
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES as SIDE_AXES

_READ: Mapping[str, Callable[[str], Iterable[str]]] = {
    "segmenter": lambda name: SEGMENTERS[name].axes,
    "aligner": lambda name: ALIGNERS[name].axes(),
}
"""Axes whose values read axes of their own."""
_SIZES = ("merges", "vocabulary", "tokenizer")
_WITHOUT_EFFECT = {"segmenter": "words", "aggregate": "none"}
"""Axes outside of the tables of axes, with the value without effect."""


def main_effects(
    cells: pd.DataFrame, f1: NDArray[np.float64], resampled: NDArray[np.float64]
) -> pd.DataFrame:
    """The mean difference in F1 between the values of each axis, see the head of this module: a row of
    `results/effects.csv` for each comparison of C cells of one pair in `results/scores.csv`, from their F1,
    shape (C,), and that in B resamples, shape (B, C).

    A segmentation with dropout or another random axis is compared with the same one without it, which has one
    sample and no votes; there is a row for each way to combine samples. The reference is the value without
    effect if the axis has one to compare with; otherwise the smallest of numbers, or the most frequent value.
    """
    others = ("sides", "samples", "aligner", *ALIGNER_AXES, "symmetrization", "aggregate")
    names = [name for name in (*SIDE_AXES, *others) if name in cells]
    texts = cells[names].map(_text)[(cells["sides"] != "mixed").to_numpy()]
    # A cell whose segmenter or aligner does not read an axis has an empty value.
    varying = [name for name in names if len(set(texts[name]) - {""}) > 1]
    found = [one for axis in varying for one in _of_axis(texts[texts[axis] != ""], axis, varying)]
    if not found:
        return pd.DataFrame()
    rows, weights = zip(*found, strict=True)
    contrasts = np.column_stack([own.reindex(cells.index, fill_value=0.0) for own in weights])
    low, high = np.quantile(resampled @ contrasts, TAILS, axis=0)
    best = [f1[own > 0].max() - f1[own < 0].max() for own in contrasts.T]
    values = {"delta_f1": f1 @ contrasts, "delta_f1_low": low, "delta_f1_high": high}
    return pd.DataFrame([*rows]).assign(**values, delta_f1_best=best)


_Effect = tuple[dict[str, Any], pd.Series]
"""A comparison: its columns but those of F1, and the weight of each compared cell, by its index, in the
difference."""


def _of_axis(texts: pd.DataFrame, axis: str, varying: Sequence[str]) -> Iterator[_Effect]:
    """The comparisons of an axis. Values that cannot be compared with the reference, such as thresholds on
    votes with cells without votes, are compared with each other."""
    values = list(dict.fromkeys(texts[axis]))
    found: list[_Effect] = []
    for reference in _references(texts[axis], axis):
        compared = [_compared(texts, axis, v, reference, varying) for v in values if v != reference]
        found = [effect for effects in compared for effect in effects]
        if found:
            yield from found
            break
    rest = set(values) - {row[one] for row, _ in found for one in ("value", "reference")}
    if found and len(rest) > 1:
        yield from _of_axis(texts[texts[axis].isin(rest)], axis, varying)


def _references(values: pd.Series, axis: str) -> list[str]:
    """The values in the order in which they are tried as the reference."""
    numbers = pd.to_numeric(values, errors="coerce")
    if numbers.notna().all():
        order = list(dict.fromkeys(values[numbers.sort_values(kind="stable").index]))
    else:
        order = list(values.value_counts().index)
    neutral = _neutral(axis)
    if neutral not in order:
        return order
    others = [value for value in order if value != neutral]
    return [neutral] if axis == "segmenter" else [neutral, *others]


def _neutral(axis: str) -> str:
    known = _known(axis)
    if known is None or known.neutral is None:
        return _WITHOUT_EFFECT.get(axis, "")
    return known.absent


def _known(name: str) -> Axis[object] | None:
    return SIDE_AXES.get(name) or ALIGNER_AXES.get(name)


def _compared(
    texts: pd.DataFrame, axis: str, value: str, reference: str, varying: Sequence[str]
) -> Iterator[_Effect]:
    """Compare two values of an axis."""
    ours, theirs = texts[texts[axis] == value], texts[texts[axis] == reference]
    own = [name for name in _own(axis, value, reference) if name in texts]
    for name in set(own) - set(_SIZES):
        usual = {"", _usual(name)}
        ours, theirs = ours[ours[name].isin(usual)], theirs[theirs[name].isin(usual)]
    alike = [name for name in texts if name not in (axis, *own)]
    if axis == "segmenter":
        # A side of words has no segmenter of its own.
        ours = ours[ours["sides"] == "both"] if reference == "words" else ours
        alike.remove("sides")
    side_axis = SIDE_AXES.get(axis)
    if side_axis is None or not side_axis.random:
        yield from _effect(ours, theirs, ours[alike], theirs[alike], axis, varying)
        return
    theirs = theirs[theirs["samples"] == "1"]
    alike = [name for name in alike if not ((known := _known(name)) and known.needs == axis)]
    single = ours.assign(samples="1")[alike]
    votes = ~ours["aggregate"].map(is_posterior)
    single["aggregate"] = ours["aggregate"].where(~votes, "none")
    for _, rows in ours.groupby(["samples", "aggregate"], sort=False):
        key = single.loc[rows.index]
        yield from _effect(rows, theirs, key, theirs[alike], axis, varying)


def _own(axis: str, value: str, reference: str) -> list[str]:
    """The axes that only one of two segmenters or aligners reads."""
    if axis not in _READ:
        return []
    one, two = ({*_READ[axis](name)} for name in (value, reference))
    own = one ^ two
    if axis == "aligner" and ALIGNERS[value].directed != ALIGNERS[reference].directed:
        own.add("symmetrization")
    return sorted(own)


def _usual(name: str) -> str:
    """The spelling in tables of an axis's default."""
    known = _known(name)
    if known is None:
        return "grow-diag-final-and"
    return (
        _text(known.number(known.default)) if known.kind != "flag" else known.spell(known.default)
    )


def _effect(
    ours: pd.DataFrame,
    theirs: pd.DataFrame,
    our_key: pd.DataFrame,
    their_key: pd.DataFrame,
    axis: str,
    varying: Sequence[str],
) -> Iterator[_Effect]:
    """The effect from cells with a value, and cells with the reference, of equal keys; none if there are no
    equal keys."""
    if ours.empty or theirs.empty:
        return
    keys = pd.concat([our_key, their_key])
    group = (
        keys.groupby(list(keys), sort=False).ngroup()
        if len(keys.columns)
        else keys.assign(g=0)["g"]
    )
    one, two = group[: len(ours)], group[len(ours) :]
    both = set(one) & set(two)
    if not both:
        return
    weights = []
    for sign, groups in ((1, one), (-1, two)):
        groups = groups[groups.isin(both)]
        weights.append(sign / (groups.map(groups.value_counts()) * len(both)))
    used = ours.loc[weights[0].index]
    counts = {name: [*({*used[name]} - {""})] for name in varying if name != axis}
    row = {
        "axis": axis,
        "value": ours[axis].iloc[0],
        "reference": theirs[axis].iloc[0],
        # The values that all compared cells have, and the axes over which the mean is taken.
        "fixed": ", ".join(f"{n}={values[0]}" for n, values in counts.items() if len(values) == 1),
        "over": ", ".join(f"{n} ({len(values)})" for n, values in counts.items() if values[1:]),
        "cells": len(used),
    }
    yield row, pd.concat(weights)


def _text(value: object) -> str:
    if isinstance(value, float) and np.isnan(value):
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)

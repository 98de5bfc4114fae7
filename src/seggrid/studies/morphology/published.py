"""Published boundary scores next to ours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.base.csv_file import column_mistakes, read_csv, read_share
from seggrid.base.errors import InputError, raise_mistakes
from seggrid.base.rational import read_rational, spell_rational
from seggrid.morphology.names import SUMS, canonical_evaluation
from seggrid.segment.variants import canonical_knockout

KEYS = ("knockout", "evaluation", "dropout", "boundaries", "unit")
"""Columns by which a published row is matched with a row of an evaluation."""
FIGURES = ("vocabulary", "precision", "recall", "f1")
_CHOICES = {"boundaries": ("morphemes", "whole words"), "unit": ("types", "tokens")}

Key = tuple[str, ...]


def read_published(path: str | Path) -> dict[Key, dict[str, float]]:
    """Published scores, as CSV: the columns `KEYS`, any of `FIGURES`, and perhaps `SUMS`.

    Precision, recall and F1 are shares from 0 to 1. A figure that was not published is left empty. Names and
    rates in the keys of the result have their canonical spelling.
    """
    columns, rows = read_csv(path)
    raise_mistakes(column_mistakes(path, columns, (*KEYS, *FIGURES, *SUMS), needed=KEYS))
    found: dict[Key, dict[str, float]] = {}
    mistakes = []
    for line, row in rows:
        try:
            key = _key(row)
            if key in found:
                raise InputError("the same row again", hint="keep one of the two")
            found[key] = {
                name: _figure(name, row[name]) for name in FIGURES if row.get(name, "") != ""
            }
        except InputError as error:
            mistakes.append(error.at(path, line))
    raise_mistakes(mistakes)
    return found


def with_published(
    rows: list[dict[str, Any]], published: Mapping[Key, Mapping[str, float]]
) -> list[dict[str, Any]]:
    """Rows of `seggrid.morphology.evaluate` with a column `published_{figure}` for each figure; None if it
    was not published."""
    joined = []
    for row in rows:
        # A rate that follows from a variant may have more digits than a key.
        figures = published.get(_key(row | {"dropout": f"{row['dropout']:.6g}"}), {})
        joined.append(row | {f"published_{name}": figures.get(name) for name in FIGURES})
    return joined


def _key(row: Mapping[str, Any]) -> Key:
    ideal = row["knockout"] == "ideal"
    for name, choices in _CHOICES.items():
        if row[name] not in choices:
            raise InputError(f"{name} {row[name]!r}", hint=f"one of {', '.join(choices)}")
    return (
        "ideal" if ideal else canonical_knockout(row["knockout"]),
        canonical_evaluation(row["evaluation"]),
        spell_rational(read_rational(row["dropout"])),
        row["boundaries"],
        row["unit"],
    )


def _figure(name: str, text: str) -> float:
    if name != "vocabulary":
        return read_share(name, text)
    try:
        types = float(text)
    except ValueError:
        types = float("nan")
    if not 0 < types < 1e9 or types != int(types):
        raise InputError(f"vocabulary {text!r}", hint="give the number of types")
    return types

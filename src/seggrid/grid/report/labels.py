"""Labels of axes, values, metrics and cells in tables, figures and the page.

Axes and the phrases for their values come from `seggrid.grid.axes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from seggrid.align import AXES as ALIGNER_AXES
from seggrid.align.alignability import COLUMNS as ALIGNABILITY
from seggrid.grid.axes import AXES as GRID_AXES
from seggrid.grid.report.terms import HEADINGS, TERMS, of_markdown
from seggrid.grid.study import table_named
from seggrid.score.votes import threshold_of, threshold_prefix
from seggrid.segment.axes import AXES as SIDE_AXES
from seggrid.segment.measures import MEASURES as OF_SIDE
from seggrid.segment.side import parse_spec
from seggrid.text.sides import SIDES

SIZES = {"merges": "Merges", "vocabulary": "Vocabulary size (types)"}
"""Labels of the axes that set the size of a model."""

METRICS = {"precision": "Precision", "recall": "Recall", "f1": "F1", "aer": "AER"}

MORE_METRICS = {
    "delta_f1_words": "F1 gain over words",
    "delta_f1_plain": "F1 gain over plain",
    "f1_sd": "F1 spread over replicates",
    "f1_samples_sd": "F1 spread over samples",
}
"""Labels of further numbers about a cell's score."""


def title_of(label: str) -> str:
    """A name as a label."""
    return _SPELLED.get(label) or label[:1].upper() + label[1:].replace("_", " ")


_SPELLED = {
    "renyi_efficiency": "Rényi efficiency",
    "sentence_tokens": "Tokens per sentence",
    "sentence_tokens_p95": "Tokens per sentence (95th percentile)",
}


# Labels of other numbers of a cell, about its tokens: the columns of `seggrid.score.table.add_measures`.
MEASURES = {f"{name}_{side}": f"{title_of(name)}, {side}" for name in OF_SIDE for side in SIDES} | {
    **{name: title_of(name).replace(" ", ", ") for name in ALIGNABILITY},
    "parity": "Parity",
    "agreement": "Agreement",
    "links": "Links",
}

MEANINGS = {name: measure.meaning for name, measure in OF_SIDE.items()} | {
    "parity": "source tokens divided by target tokens"
}


def meanings(table: str) -> dict[str, str]:
    """What columns of a table of results mean, as far as axes, measures, terms and its registry say it."""
    axes = {name: axis.description for name, axis in GRID_AXES.items()}
    columns = {name: own.meaning for own in table_named(table).columns for name in own.names}
    of_sides = {f"{name}_{side}": MEANINGS[name] for name in OF_SIDE for side in SIDES}
    terms = {name: TERMS[HEADINGS[name]] for name in (*METRICS, "agreement", "cell")}
    terms["name"] = terms["cell"]
    tests = dict.fromkeys(("p_words_holm", "p_plain_holm"), TERMS["Corrected p"])
    known = {**axes, **columns, **of_sides, **terms, **tests, "parity": MEANINGS["parity"]}
    return {name: of_markdown(meaning) for name, meaning in known.items()}


def axis_labels() -> dict[str, str]:
    """Columns of `results/scores.csv` that identify cells, with their labels."""
    return {
        "pair": "Pair",
        "aligner": title_of(GRID_AXES["aligner"].label),
        **{name: title_of(axis.label) for name, axis in GRID_AXES.items() if axis.drawn},
        "experiment": "Experiment",
    }


# Phrases for values that follow from other axes.
_DERIVED = {"sides": {"none": "", "mixed": "unlike sides"}}

# Phrases for values in a list of settings, where the phrase in the name of a cell is too short.
_IN_LIST: dict[str, Callable[[str], str]] = {
    "samples": lambda text: f"{text} sample" if text == "1" else f"{text} samples",
    "replicates": lambda text: f"{text} replicate" if text == "1" else f"{text} replicates",
    "symmetrization": lambda text: f"symmetrized by {text}",
}


def value_label(axis: str, value: object) -> str:
    """The phrase for a value in a list of settings; empty for a value that is not mentioned.

    >>> value_label("spaces", "no"), value_label("aggregate", "0.7"), value_label("dropout", 0.0)
    ('across spaces', 'threshold 0.7', '')
    """
    text = value_text(value)
    if text in _DERIVED.get(axis, {}):
        return _DERIVED[axis][text]
    if axis in _IN_LIST and text:
        return _IN_LIST[axis](text)
    return GRID_AXES[axis].say(text) if axis in GRID_AXES else text


def value_text(value: object) -> str:
    """The spelling of a value in tables; empty for a missing value.

    >>> value_text(1000.0), value_text(0.25), value_text(float("nan"))
    ('1000', '0.25', '')
    """
    if not isinstance(value, float):
        return "" if value is None or value is pd.NA else str(value)
    if np.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() else f"{value:g}"


def threshold(aggregate: str) -> float:
    """The share of samples, or the probability, above which a link is kept; NaN if there is no threshold.

    >>> threshold("union"), threshold("1/2"), threshold("intersection"), threshold("posterior-0.4")
    (0.0, 0.5, 1.0, 0.4)
    """
    ends = {"union": 0.0, "intersection": 1.0, "none": np.nan}
    return ends[aggregate] if aggregate in ends else float(threshold_of(aggregate))


def order_of_aggregate(aggregate: str) -> tuple[str, float]:
    """The place of an aggregate among others: none, thresholds on votes, thresholds on probabilities."""
    return threshold_prefix(aggregate), -1.0 if aggregate == "none" else threshold(aggregate)


def describe_side(spec: str, case: bool = False) -> str:
    """Describe the segmentation of one side, with the axis `case` or without it.

    >>> describe_side("bpe+case=first+spaces=no+merges=1000+dropout=0.1+dropout_kind=merge")
    'BPE 1,000, across spaces, dropout 0.1 of merges'
    >>> describe_side("bpe+vocabulary=8000")
    'BPE with 8,000 types'
    """
    side = parse_spec(spec)
    phrases = {}
    for name, axis in SIDE_AXES.items():
        value = getattr(side, name)
        phrases[name] = "" if value is None else axis.say(axis.spell(value))
    if not case:
        phrases["case"] = ""
    # An axis that needs another one is described together with it.
    together = {"merges": "segmenter", "vocabulary": "segmenter"} | {
        name: axis.needs for name, axis in SIDE_AXES.items() if axis.needs is not None
    }
    for name, first in together.items():
        phrases[first] = f"{phrases[first]} {phrases.pop(name)}".strip()
    return ", ".join(filter(None, phrases.values()))


def describe_all(cells: pd.DataFrame) -> list[str]:
    """Describe every cell. The case is named if cells differ in it, symmetrization and replicates if those of
    one pair and aligner do."""
    case = "case" in cells and cells["case"].nunique() > 1
    names = [describe_cell(cell, case) for cell in cells.to_dict("records")]
    for axis in ("symmetrization", "replicates"):
        if axis not in cells:
            continue
        # A deterministic aligner always has one replicate, which need not be named next to those of another
        # aligner.
        values = cells.groupby(["pair", "aligner"])[axis].nunique().groupby("aligner").max()
        varies = cells["aligner"].map(values) > 1
        if axis == "replicates":
            varies &= cells[axis] > 1
        phrases = [
            value_label(axis, value) if v else ""
            for value, v in zip(cells[axis], varies, strict=True)
        ]
        names = [", ".join(filter(None, both)) for both in zip(names, phrases, strict=True)]
    return names


def describe_cell(cell: Mapping[str, Any], case: bool = False) -> str:
    """Describe a cell, without its pair and aligner, but with the axes of its aligner.

    >>> spec = "bpe+merges=500+dropout=0.1"
    >>> describe_cell({"source": spec, "target": "words", "samples": 10, "aggregate": "0.7"})
    'BPE 500, dropout 0.1 × 10, threshold 0.7, source only'
    """
    set_to = (value_label(axis, cell.get(axis)) for axis in ALIGNER_AXES)
    return ", ".join([_describe_tokens(cell, case), *filter(None, set_to)])


def _describe_tokens(cell: Mapping[str, Any], case: bool) -> str:
    source, target = (describe_side(cell[side], case) for side in SIDES)
    samples = GRID_AXES["samples"].say(value_text(cell["samples"]))
    joined = f" {samples}" if samples else ""
    if how := value_label("aggregate", cell["aggregate"]):
        joined += f", {how}"
    if source == target:
        return source + joined
    for side, name, other in (("target", source, "source"), ("source", target, "target")):
        if parse_spec(cell[side]).segmenter == "words":
            return f"{name}{joined}, {other} only"
    return f"{source} / {target}{joined}"


def kinds_of_segmentation(cells: pd.DataFrame) -> list[str]:
    """The kind of segmentation of each cell, without numbers, such as 'BPE across spaces, dropout' or 'BPE,
    source only'."""
    return [_family(cell) for cell in cells.to_dict("records")]


def _family(cell: Mapping[str, Any]) -> str:
    if cell["sides"] in ("none", "mixed"):
        return value_label("sides", cell["sides"]) or value_label("segmenter", "words")
    name = " ".join(
        filter(None, (value_label(axis, cell.get(axis, "")) for axis in ("segmenter", "spaces")))
    )
    ways = ("knockout", "dropout", "sampling")
    changed = (axis for axis in ways if value_label(axis, cell.get(axis, "")))
    return ", ".join(filter(None, [name, *changed, value_label("sides", cell["sides"])]))

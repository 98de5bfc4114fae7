"""How a cell is called where people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

METRICS = {"precision": "Precision", "recall": "Recall", "f1": "F1", "aer": "AER"}
SEGMENTERS = {"bpe": "BPE", "wordpiece": "WordPiece", "unigram": "Unigram", "wordmap": "Wordmap"}


def describe_side(spec: str, case: bool = False) -> str:
    """The segmentation of one side in words.

    Args:
        spec: as in `results/scores.csv`.
        case: whether to say what was done to upper case.

    >>> describe_side("bpe+case=first+spaces=no+merges=1000+dropout=0.1+dropout_kind=merge")
    'BPE 1,000, across spaces, dropout 0.1 of merges'
    """
    segmenter, *rest = spec.split("+")
    value = dict(part.partition("=")[::2] for part in rest)
    parts = [SEGMENTERS.get(segmenter, segmenter)]
    if "merges" in value:
        parts[0] += f" {int(value['merges']):,}"
    if value.get("spaces") == "no":
        parts.append("across spaces")
    if value.get("scoring", "frequency") != "frequency":
        parts.append(f"by {value['scoring']}")
    if value.get("knockout", "none") != "none":
        parts.append(f"knockout {value['knockout']}")
    if value.get("application") == "replace":
        parts.append("by replacement")
    if case and "case" in value:
        parts.append(f"case {value['case']}")
    if "dropout" in value:
        of = " of merges" if value.get("dropout_kind") == "merge" else ""
        parts.append(f"dropout {value['dropout']}{of}")
    return ", ".join(parts)


def describe_all(cells: pd.DataFrame) -> list[str]:
    """Every cell in words; upper case is spoken of where cells differ in it.

    Args:
        cells: `results/scores.csv`.
    """
    case = cells["case"].nunique() > 1 if "case" in cells else False
    return [describe(cell, case) for cell in cells.to_dict("records")]


def describe(cell: Mapping[str, Any], case: bool = False) -> str:
    """A cell in words, its pair and aligner left out.

    Args:
        cell: source, target, samples and aggregate, as in `results/scores.csv`.
        case: whether to say what was done to upper case.

    >>> spec = "bpe+merges=500+dropout=0.1"
    >>> describe({"source": spec, "target": "words", "samples": 10, "aggregate": "0.7"})
    'BPE 500, dropout 0.1 × 10, threshold 0.7, source only'
    """
    source, target = (describe_side(cell[side], case) for side in ("source", "target"))
    samples, aggregate = int(cell["samples"]), str(cell["aggregate"])
    joined = f" × {samples}" if samples > 1 else ""
    if aggregate in ("union", "intersection"):
        joined += f", {aggregate}"
    elif aggregate != "none":
        joined += f", threshold {aggregate}"
    if source == target:
        return source + joined
    if cell["target"].startswith("words"):
        return f"{source}{joined}, source only"
    if cell["source"].startswith("words"):
        return f"{target}{joined}, target only"
    return f"{source} / {target}{joined}"

"""How a cell is called where people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

METRICS = {"precision": "Precision", "recall": "Recall", "f1": "F1", "aer": "AER"}
SEGMENTERS = {"bpe": "BPE", "wordpiece": "WordPiece", "unigram": "Unigram"}


def describe_side(spec: str) -> str:
    """The segmentation of one side in words.

    >>> describe_side("bpe,case=first,spaces=no,merges=1000,dropout=0.1,dropout_kind=merge")
    'BPE 1,000, across spaces, dropout 0.1 of merges'
    """
    segmenter, *rest = spec.split(",")
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
    if "dropout" in value:
        of = " of merges" if value.get("dropout_kind") == "merge" else ""
        parts.append(f"dropout {value['dropout']}{of}")
    return ", ".join(parts)


def describe(cell: Mapping[str, Any]) -> str:
    """A cell in words, its pair and aligner left out.

    Args:
        cell: source, target, samples and aggregate, as in `results/scores.csv`.

    >>> spec = "bpe,merges=500,dropout=0.1"
    >>> describe({"source": spec, "target": "words", "samples": 10, "aggregate": "0.7"})
    'BPE 500, dropout 0.1 × 10, threshold 0.7, source only'
    """
    source, target = describe_side(cell["source"]), describe_side(cell["target"])
    samples, aggregate = int(cell["samples"]), str(cell["aggregate"])
    joined = f" × {samples}" if samples > 1 else ""
    if aggregate in ("union", "intersection"):
        joined += f", {aggregate}"
    elif aggregate != "none":
        joined += f", threshold {aggregate}"
    if source == target:
        return source + joined
    if target == "words":
        return f"{source}{joined}, source only"
    if source == "words":
        return f"{target}{joined}, target only"
    return f"{source} / {target}{joined}"

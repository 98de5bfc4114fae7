"""The file of the measures of one side, with a digest of its segmentation."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from seggrid.base.files import atomic_write
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_DIGEST = "digest"


def segmentation_digest(
    segmentation: Segmentation, side: Side, measures: Mapping[str, float]
) -> str:
    """A digest that is equal for equal segmentations of a text.

    Samples of different sides are drawn with different seeds. They count as equal if the sides differ only in
    asking for more merges, or types, than the text has.

    Args:
        segmentation: the tokens; if there are samples, those of the first.
        side: how the text is segmented.
        measures: its measures; if known, with `merges` or `vocabulary`, the size that the model really has.
    """
    if not side.sampled:
        return segmentation.digest()
    size = "merges" if side.vocabulary is None else "vocabulary"
    if side.nested and size in measures:
        real_size: dict[str, Any] = {size: int(measures[size])}
        side = replace(side, **real_size)
    return hashlib.sha256(str(side).encode()).hexdigest()[:32]


def write_measures(path: str | Path, measures: Mapping[str, float], digest: str) -> None:
    """Write measures by name as JSON, without those that are nan, and the digest of the segmentation."""
    content: dict[str, float | str] = {_DIGEST: digest}
    content |= {name: value for name, value in measures.items() if not math.isnan(value)}
    with atomic_write(path) as file:
        json.dump(content, file, indent=1)
        file.write("\n")


class Measured(NamedTuple):
    """The measures of a side.

    Attributes:
        measures: values by name, without those that are nan.
        digest: see `segmentation_digest`; empty if nothing was measured.
    """

    measures: Mapping[str, float] = MappingProxyType({})
    digest: str = ""


def read_measures(path: str | Path) -> Measured:
    """Read what `write_measures` wrote.

    Raises:
        InputError: the file is damaged.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        digest = str(found.pop(_DIGEST))
        return Measured({str(name): float(value) for name, value in found.items()}, digest)
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        hint = "delete it and run again"
        raise InputError(f"damaged ({error})", file=path, hint=hint) from None

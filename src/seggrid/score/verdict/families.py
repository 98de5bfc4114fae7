"""Families of cells among which settings are chosen: all cells, words, and cells with one value of an
axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import ALIGNERS

ALL, WORDS = "all", "words"


def families(cells: pd.DataFrame) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The families of a pair's cells, each with the cells that belong to it.

    The families are all cells, the words, the cells of each segmenter and of each aligner, and, if the pair
    has both kinds, the cells of statistical and of neural aligners. A family with the same cells as an
    earlier one is left out.

    Args:
        cells: the rows of `results/scores.csv` of one pair.
    """
    neural = cells["aligner"].map(lambda name: ALIGNERS[name].encodes)
    words = cells["sides"] == "none"
    found = {ALL: pd.Series(True, cells.index), WORDS: words}
    found |= {"statistical aligners": ~neural, "neural aligners": neural}
    for axis in ("segmenter", "aligner"):
        for value in cells[axis].unique():
            found[f"{axis} {value}"] = (cells[axis] == value) & ((axis != "segmenter") | ~words)
    earlier: set[bytes] = set()
    for name, rows in found.items():
        member = rows.to_numpy(dtype=np.bool_)
        if member.any() and member.tobytes() not in earlier:
            earlier.add(member.tobytes())
            yield name, member

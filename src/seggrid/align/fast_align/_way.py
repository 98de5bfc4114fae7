"""One direction of a parallel corpus, and the order in which it is visited.

The conditioning tokens of a sentence pair explain the generated ones. There is one *row* for each generated
type f: the probabilities t(f | e) of all conditioning types e. The *occurrences* of a row are the tokens of
type f in the order of the corpus; its *positions* are the pairs (i, j) of a conditioning token i and an
occurrence at j. Rows depend on each other only through sums over the whole corpus, so a pass takes one row
after another, and only one row has to be in memory as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seggrid.align.fast_align._diagonal import Shapes
from seggrid.align.threads import split_rows
from seggrid.base.arrays import Int32, Int64, UInt32
from seggrid.base.compiled import njit
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation

# Rows are visited, and totals summed, in parts of about this many positions, and in this many parts at most:
# sums of floating-point numbers must not depend on the number of threads.
PART, PARTS = 1 << 18, 16


class Way(NamedTuple):
    """A direction of a parallel corpus of S sentence pairs.

    Attributes:
        conditioning: type of each conditioning token, shape (conditioning tokens,).
        types: number of conditioning types.
        conditioning_offsets, generated_offsets: where each sentence begins, shape (S + 1,).
        longest: number of conditioning tokens of the longest sentence.
        row: where the occurrences of each generated type begin, shape (generated types + 1,).
        sentence: sentence pair of each occurrence, shape (generated tokens,).
        place: place j of each occurrence in its sentence pair, shape (generated tokens,).
        load: where the positions of each generated type begin, shape (generated types + 1,).
        shapes: the lengths of the sentence pairs.
    """

    conditioning: UInt32
    types: int
    conditioning_offsets: Int64
    generated_offsets: Int64
    longest: int
    row: Int64
    sentence: Int32
    place: Int32
    load: Int64
    shapes: Shapes

    @classmethod
    def between(cls, conditioning: Segmentation, generated: Segmentation) -> Way:
        """The direction from one side of a corpus to the other."""
        ids = generated.ids.astype(np.int32, copy=False)
        row = offsets_of(np.bincount(ids, minlength=len(generated.types)))
        sentence, place = np.empty((2, len(ids)), dtype=np.int32)
        load = np.zeros(len(row), dtype=np.int64)
        _sort_by_type(
            ids, generated.offsets, conditioning.offsets, row[:-1].copy(), sentence, place, load[1:]
        )
        return cls(
            conditioning.ids.astype(np.int32, copy=False).view(np.uint32),
            len(conditioning.types),
            conditioning.offsets,
            generated.offsets,
            int(conditioning.lengths.max()),
            row,
            sentence,
            place,
            np.cumsum(load),
            Shapes.of(conditioning.lengths, generated.lengths),
        )

    def parts(self) -> list[tuple[int, int]]:
        """The parts in which rows are visited, as ranges of rows."""
        return split_rows(self.load, min(1 + int(self.load[-1]) // PART, PARTS))


@njit
def _sort_by_type(
    ids: Int32,
    offsets: Int64,
    conditioning_offsets: Int64,
    occurrence: Int64,
    sentence: Int32,
    place: Int32,
    positions: Int64,
) -> None:
    """Fill `sentence` and `place`, and count the positions of each generated type.

    Args:
        occurrence: where the occurrences of each type begin, int64, shape (generated types,); afterwards
            where they end.
    """
    for s in range(len(offsets) - 1):
        n = conditioning_offsets[s + 1] - conditioning_offsets[s]
        for token in range(offsets[s], offsets[s + 1]):
            generated_type = ids[token]
            sentence[occurrence[generated_type]] = s
            place[occurrence[generated_type]] = token - offsets[s]
            occurrence[generated_type] += 1
            positions[generated_type] += n

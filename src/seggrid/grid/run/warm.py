"""Compile every kernel once, into the cache on disk: `python -m seggrid.grid.run.warm`.

Otherwise the first jobs of a grid would each compile the kernels that they use.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Collection, Iterator
from fractions import Fraction

from seggrid.align import ALIGNERS, SYMMETRIZATIONS
from seggrid.align.project import project
from seggrid.align.symmetrize import combine_directions
from seggrid.base.errors import Note
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.text.segmentation import Segmentation

_SENTENCES = [
    ["the", "cat", "sat"],
    ["the", "cat"],
    ["a", "cat", "sat", "on", "the", "cat"],
    ["on"],
]


def main() -> None:
    """Run all kernels, and print how long this took."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        run_kernels()
    print(f"compiled kernels in {time.perf_counter() - start:.0f} s", file=sys.stderr)


def run_kernels(names: Collection[str] = ()) -> None:
    """Run segmenters and aligners of this package, those of some names or all, and every heuristic, on four
    sentences."""
    for side in _sides(names or SEGMENTERS):
        model = learn_model(_SENTENCES, side)
        segment_text(_SENTENCES, side, model, [1, 2])
    words = Segmentation.from_words(_SENTENCES)
    for name, aligner in ALIGNERS.items():
        if aligner.in_process and name in (names or ALIGNERS):
            links = aligner().align(words, words, seed=1)
            for heuristic in SYMMETRIZATIONS:
                project(combine_directions(*links, heuristic), words, words)


def _sides(names: Collection[str]) -> Iterator[Side]:
    """Each of some segmenters with each value of each axis that it reads, and defaults of the others."""
    defaults = {name: axis.default for name, axis in AXES.items()}
    for segmenter, registered in SEGMENTERS.items():
        # Segmenters that use other libraries have no kernels in this package, and those of annotated words
        # use the kernels of others.
        foreign = registered.outside or registered.requires or registered.annotation
        if foreign or segmenter not in names:
            continue
        own = {**defaults, "segmenter": segmenter, "merges": 5, "joint": True}
        yield Side.from_values(own)
        for name in registered.axes:
            axis = AXES[name]
            # If an axis needs another one, that one is a rate, and is set to one half.
            needed = {axis.needs: Fraction(1, 2)} if axis.needs else {}
            flags = (True, False) if axis.kind == "flag" else ()
            for value in (*flags, *axis.choices):
                if value in registered.refuses.get(name, ()):
                    continue
                side = Side.from_values({**own, **needed, name: value})
                # Pruned models use the same kernels as others.
                if not side.pruned:
                    yield side


if __name__ == "__main__":
    main()

"""Compile every kernel once, into the cache on disk: `python -m seggrid.workflow.run.warm`.

Otherwise the first jobs of a grid would each compile the kernels that they use.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from fractions import Fraction

from seggrid.align import ALIGNERS, SYMMETRIZATIONS
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.data.segmentation import Segmentation
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learn_model, segment_text

_SENTENCES = [
    ["the", "cat", "sat"],
    ["the", "cat"],
    ["a", "cat", "sat", "on", "the", "cat"],
    ["on"],
]


def main() -> None:
    """Run all kernels, and print how long this took."""
    start = time.perf_counter()
    run_kernels()
    print(f"compiled kernels in {time.perf_counter() - start:.0f} s", file=sys.stderr)


def run_kernels() -> None:
    """Run every segmenter, every aligner of this package and every heuristic on four sentences."""
    for side in _sides():
        tags = [["verb"] * len(words) for words in _SENTENCES]
        model = learn_model(_SENTENCES, side, tags)
        segment_text(_SENTENCES, side, model, [1, 2], tags=tags)
    words = Segmentation.from_words(_SENTENCES)
    for aligner in ALIGNERS.values():
        if aligner.in_process:
            links = aligner().align(words, words, seed=1)
            for heuristic in SYMMETRIZATIONS:
                project(symmetrize(*links, heuristic), words, words)


def _sides() -> Iterator[Side]:
    """Each segmenter with each value of each axis that it reads; the other axes have their defaults."""
    defaults = {name: axis.default for name, axis in AXES.items()}
    for segmenter, registered in SEGMENTERS.items():
        # Segmenters that use other libraries have no kernels in this package.
        if registered.outside or registered.requires:
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

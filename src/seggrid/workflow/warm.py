"""Compile every kernel once, into the cache on disk: `python -m seggrid.workflow.warm`.

Without this, the first jobs of a grid would each compile what they use.
"""

from __future__ import annotations

import sys
import time

from seggrid.align import SYMMETRIZATIONS, fast_align
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.segment.bpe.apply import apply, apply_dropout
from seggrid.segment.bpe.learn import learn
from seggrid.segment.unigram.apply import apply as apply_unigram
from seggrid.segment.unigram.apply import sample as sample_unigram
from seggrid.segment.unigram.learn import learn as learn_unigram
from seggrid.segment.wordmap.apply import apply as apply_wordmap
from seggrid.segment.wordmap.learn import learn as learn_wordmap

_SENTENCES = [["the", "cat", "sat"], ["the", "cat"], ["a", "cat", "sat", "on", "the", "cat"]]


def main() -> None:
    """Run them all, and say how long it took."""
    start = time.perf_counter()
    run_kernels()
    print(f"compiled kernels in {time.perf_counter() - start:.0f} s", file=sys.stderr)


def run_kernels() -> None:
    """Run every stage on three sentences."""
    for spaces in (True, False):
        model = learn(_SENTENCES, 5, spaces=spaces)
        plain = apply(model, _SENTENCES)
        for kind in ("occurrence", "merge"):
            apply_dropout(model, _SENTENCES, rate=0.5, seeds=[1, 2], kind=kind)
        forward, reverse = fast_align.align(plain, plain)
        for heuristic in SYMMETRIZATIONS:
            project(symmetrize(forward, reverse, heuristic), plain, plain)
    unigram = learn_unigram(_SENTENCES, 1)
    apply_unigram(unigram, _SENTENCES)
    sample_unigram(unigram, _SENTENCES, temperature=1, seeds=[1])
    apply_wordmap(learn_wordmap(_SENTENCES), _SENTENCES)


if __name__ == "__main__":
    main()

"""Aligners of other libraries for `benchmarks/align.py quality`, all optional.

Each takes two segmentations, a seed and a number of threads, and returns symmetrized links. To compare them:
`pip install systran-align sil-thot`.
"""

import os
import tempfile
from itertools import chain
from pathlib import Path

import numpy as np

from seggrid.align.chosen import links_of
from seggrid.align.parallel import numbered
from seggrid.align.symmetrize import combine_directions
from seggrid.text.links import Links
from seggrid.text.ragged import offsets_of

HEURISTIC = "grow-diag-final-and"


def systran_align(source, target, seed, threads):
    """fast_align as a library, with the settings of `fast_align -d -o -v`; it symmetrizes itself."""
    os.environ["OMP_NUM_THREADS"] = str(threads)  # read when it is imported
    import systran_align as library

    sides = numbered(source, target, lowercase=False)
    with tempfile.TemporaryDirectory(prefix="seggrid-systran-") as folder:
        text, *tables = (str(Path(folder, name)) for name in ("text", "forward", "reverse"))
        Path(text).write_text("".join(f"{e} ||| {f}\n" for e, f in zip(*sides, strict=True)))
        library.generate_alignment_probabilities(
            text, *tables, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        aligner = library.Aligner(*tables)
    rows = aligner.align_batch(*([line.split() for line in side] for side in sides))
    pairs = [sorted(row["alignments"]) for row in rows]
    flat = np.array([link for row in pairs for link in row], dtype=np.int32)
    return Links(offsets_of([len(row) for row in pairs]), flat.reshape(-1, 2))


def thot_fast_align(source, target, seed, threads):
    """FastAlignModel of sil-thot with variational Bayes, its default, in five passes; one thread."""

    def places(given, generated):
        from thot.alignment import FastAlignModel

        model = _train(FastAlignModel(), given, generated, 5)
        return [matrix.to_list() for _, matrix in model.get_best_alignments(given, generated)]

    return _of_both(places, source, target)


def thot_eflomal(source, target, seed, threads):
    """EflomalAlignmentModel of sil-thot, with its own number of sweeps; one thread."""

    def places(given, generated):
        from thot.alignment import EflomalAlignmentModel

        model = EflomalAlignmentModel()
        model.seed = seed
        model.emit_training_alignments = True  # as eflomal's: by its last sweeps
        _train(model, given, generated)
        return [model.get_training_alignment(k)[1].to_list() for k in range(len(given))]

    return _of_both(places, source, target)


def _train(model, given, generated, passes=None):
    for pair in zip(given, generated, strict=True):
        model.add_sentence_pair(*pair, 1)
    model.start_training()
    for _ in range(passes or model.scheduled_iterations):
        model.train()
    model.end_training()
    return model


def _of_both(places, source, target):
    """Symmetrized links from a function that gives, from 1, where each generated token links to, or 0."""
    lines = [[line.split() for line in side] for side in numbered(source, target, lowercase=False)]
    forward, reverse = (
        np.array([*chain.from_iterable(rows)], dtype=np.int32) - 1
        for rows in (places(*lines), places(*lines[::-1]))
    )
    one, other = source.offsets, target.offsets
    return combine_directions(
        links_of(one, other, forward, False), links_of(other, one, reverse, True), HEURISTIC
    )


PEERS = {
    "systran_align": systran_align,
    "thot_fast_align": thot_fast_align,
    "thot_eflomal": thot_eflomal,
}

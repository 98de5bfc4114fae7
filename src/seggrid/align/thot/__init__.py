"""The aligners of thot (sil-thot, LGPL): a cascade of models, trained by expectation maximization.

Each model starts from the one before. Types are passed to thot as numbers, since it reads some texts as
special symbols. All words are in one word class; only IBM 4 would use several.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from seggrid.align import ALIGNERS
from seggrid.align.numbered import numbered
from seggrid.align.parallel import check_parallel
from seggrid.base.extras import check_installed
from seggrid.base.settings import Settings
from seggrid.data.links import Links
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation

if TYPE_CHECKING:
    from thot.alignment import AlignmentModel

Iterations = Annotated[int, Field(ge=1, le=1000)]


class Options(Settings):
    """Options of thot_hmm; thot_ibm4 has them too."""

    ibm1_iterations: Iterations = 5
    """Iterations of IBM 1."""

    hmm_iterations: Iterations = 5
    """Iterations of the HMM."""

    variational_bayes: bool = False
    """Estimate the probabilities of translations by variational Bayes."""

    lowercase: bool = False
    """Treat types that differ only in case as one."""

    def cascade(self) -> list[tuple[str, int]]:
        """Thot's name of each model, in order of training, and the number of its iterations."""
        return [("Ibm1", self.ibm1_iterations), ("Hmm", self.hmm_iterations)]

    def check(self) -> None:
        """Check that the package is installed."""
        user = "the aligners thot_hmm and thot_ibm4"
        check_installed("thot", user=user, instead="use another aligner")


def align(
    source: Segmentation, target: Segmentation, *, options: Options, threads: int = 1
) -> tuple[Links, Links]:
    """Train a cascade in each direction and take each one's most probable links.

    See `seggrid.align` for the shapes; thot runs on one thread.
    """
    options.check()
    check_parallel(source, target, longest=ALIGNERS["thot_hmm"].longest)
    lines = numbered(source, target, lowercase=options.lowercase)
    sides = [[line.split(" ") for line in side] for side in lines]
    forward = _align_direction(options, *sides)
    reverse = _align_direction(options, *sides[::-1])
    return (
        links_of(forward, target.offsets, transposed=False),
        links_of(reverse, source.offsets, transposed=True),
    )


def _align_direction(
    options: Options, conditioning: list[list[str]], generated: list[list[str]]
) -> list[list[int]]:
    """The position of the token that each generated token links to, from 1; 0 if it links to none."""
    from thot import alignment

    models: list[AlignmentModel] = []
    for name, _ in options.cascade():
        kind = getattr(alignment, f"{name}AlignmentModel")
        models.append(kind(*models[-1:]))
    models[0].variational_bayes = options.variational_bayes
    # The models of a cascade share their sentences.
    for pair in zip(conditioning, generated, strict=True):
        models[-1].add_sentence_pair(*pair, 1)
    for model, (_, iterations) in zip(models, options.cascade(), strict=True):
        model.start_training()
        for _ in range(iterations):
            model.train()
        model.end_training()
    best = models[-1].get_best_alignments(conditioning, generated)
    return [matrix.to_list() for _, matrix in best]


def links_of(places: list[list[int]], offsets: np.ndarray, *, transposed: bool) -> Links:
    """Links from the results of `_align_direction`.

    Args:
        places: for each sentence, the position, from 1, that each generated token links to; 0 for none.
        offsets: first generated token of each sentence, shape (S + 1,).
        transposed: whether the generated tokens are the source of the links.
    """
    flat = np.concatenate([np.asarray(sentence, dtype=np.int32) for sentence in places])
    tokens = np.concatenate([np.arange(b - a, dtype=np.int32) for a, b in pairwise(offsets)])
    sentence = np.repeat(np.arange(len(places)), np.diff(offsets))
    linked = flat > 0
    pairs = np.column_stack([flat - 1, tokens])[linked]
    pairs = pairs[:, ::-1] if transposed else pairs
    order = np.lexsort((pairs[:, 1], pairs[:, 0], sentence[linked]))
    counts = np.bincount(sentence[linked], minlength=len(places))
    return Links(offsets_of(counts), np.ascontiguousarray(pairs[order]))

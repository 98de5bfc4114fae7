"""Aligners as a plug-in: those of thot (`pip install sil-thot`, LGPL), cascades of models trained by
expectation maximization.

Each model starts from the one before. Types are passed to thot as numbers, since it reads some texts as
special symbols. All words are in one word class; only IBM 4 would use several.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import chain
from typing import Annotated

import numpy as np
from pydantic import Field

from seggrid.plugin import Aligner, InputError, Settings, check_parallel, links_of, numbered

Iterations = Annotated[int, Field(ge=1, le=1000)]


class HmmOptions(Settings):
    """Options of thot_hmm; thot_ibm4 has them too."""

    ibm1_iterations: Iterations = 5
    """Iterations of IBM 1."""

    hmm_iterations: Iterations = 5
    """Iterations of the HMM."""

    variational_bayes: bool = False
    """Estimate the probabilities of translations by variational Bayes."""

    lowercase: bool = False
    """Treat types that differ only in case as one."""

    def cascade(self):
        """Thot's name of each model, in order of training, and the number of its iterations."""
        return [("Ibm1", self.ibm1_iterations), ("Hmm", self.hmm_iterations)]


class Ibm4Options(HmmOptions):
    """Options of thot_ibm4."""

    ibm3_iterations: Iterations = 5
    """Iterations of IBM 3."""

    ibm4_iterations: Iterations = 5
    """Iterations of IBM 4."""

    def cascade(self):
        """As that of thot_hmm, with two more models."""
        return [*super().cascade(), ("Ibm3", self.ibm3_iterations), ("Ibm4", self.ibm4_iterations)]


class ThotHmm(Aligner):
    """The HMM of Vogel, Ney and Tillmann (1996) after IBM 1."""

    settings = HmmOptions
    longest = 200  # Thot gives no links to sentences that are longer.
    in_process = False

    def check(self):
        """Check that the package is installed."""
        if find_spec("thot") is None:
            message = "the aligners of thot: the package sil-thot is not installed"
            raise InputError(message, hint="run pip install sil-thot, or use another aligner")

    def align(self, source, target, *, threads=1, seed=0):
        """Train a cascade in each direction and take each one's most probable links, on one thread."""
        self.check()
        check_parallel(source, target, longest=self.longest)
        lines = numbered(source, target, lowercase=self.options.lowercase)
        one, other = ([line.split(" ") for line in side] for side in lines)
        return (
            links_of(source.offsets, target.offsets, self._chosen(one, other), False),
            links_of(target.offsets, source.offsets, self._chosen(other, one), True),
        )

    def _chosen(self, conditioning, generated):
        """The place of the token that each generated token links to; -1 if it links to none."""
        from thot import alignment

        models = []
        for name, _ in self.options.cascade():
            kind = getattr(alignment, f"{name}AlignmentModel")
            models.append(kind(*models[-1:]))
        models[0].variational_bayes = self.options.variational_bayes
        # The models of a cascade share their sentences.
        for pair in zip(conditioning, generated, strict=True):
            models[-1].add_sentence_pair(*pair, 1)
        for model, (_, iterations) in zip(models, self.options.cascade(), strict=True):
            model.start_training()
            for _ in range(iterations):
                model.train()
            model.end_training()
        best = models[-1].get_best_alignments(conditioning, generated)
        # Thot counts places from 1, and 0 is none.
        return (
            np.array([*chain.from_iterable(matrix.to_list() for _, matrix in best)], np.int32) - 1
        )


class ThotIbm4(ThotHmm):
    """IBM 4 of Brown et al. (1993) after IBM 1, an HMM and IBM 3."""

    settings = Ibm4Options


ALIGNERS = {"thot_hmm": ThotHmm, "thot_ibm4": ThotIbm4}

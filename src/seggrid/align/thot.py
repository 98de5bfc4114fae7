"""The aligners of thot (sil-thot, LGPL): a cascade of models, trained by expectation maximization.

Each model starts from the one before. Types are passed to thot as numbers, since it reads some texts as
special symbols. All words are in one word class; only IBM 4 would use several.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from seggrid.align.aligner import Aligner
from seggrid.align.parallel import check_parallel, numbered
from seggrid.base.extras import check_installed
from seggrid.base.settings import Settings
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

if TYPE_CHECKING:
    from thot.alignment import AlignmentModel

    from seggrid.base.arrays import Int32

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

    def cascade(self) -> list[tuple[str, int]]:
        """Thot's name of each model, in order of training, and the number of its iterations."""
        return [("Ibm1", self.ibm1_iterations), ("Hmm", self.hmm_iterations)]


class Ibm4Options(HmmOptions):
    """Options of thot_ibm4."""

    ibm3_iterations: Iterations = 5
    """Iterations of IBM 3."""

    ibm4_iterations: Iterations = 5
    """Iterations of IBM 4."""

    def cascade(self) -> list[tuple[str, int]]:
        """As that of thot_hmm, with two more models."""
        return [*super().cascade(), ("Ibm3", self.ibm3_iterations), ("Ibm4", self.ibm4_iterations)]


class ThotHmm(Aligner):
    """The HMM of Vogel, Ney and Tillmann (1996) after IBM 1."""

    settings: ClassVar[type[HmmOptions]] = HmmOptions
    options: HmmOptions
    longest = 200  # Thot gives no links to sentences that are longer.
    in_process = False

    def check(self) -> None:
        """Check that the package is installed."""
        user = "the aligners thot_hmm and thot_ibm4"
        check_installed("thot", user=user, instead="use another aligner")

    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """Train a cascade in each direction and take each one's most probable links, on one thread."""
        from seggrid.align.chosen import links_of

        self.check()
        check_parallel(source, target, longest=self.longest)
        lines = numbered(source, target, lowercase=self.options.lowercase)
        one, other = ([line.split(" ") for line in side] for side in lines)
        return (
            links_of(source.offsets, target.offsets, self._chosen(one, other), False),
            links_of(target.offsets, source.offsets, self._chosen(other, one), True),
        )

    def _chosen(self, conditioning: list[list[str]], generated: list[list[str]]) -> Int32:
        """The place of the token that each generated token links to; -1 if it links to none."""
        from thot import alignment

        models: list[AlignmentModel] = []
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
    options: Ibm4Options

"""fast_align: IBM model 2 with a diagonal prior; `training` says what it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from seggrid.align.aligner import AlignedSample, Keeps
from seggrid.align.fast_align._model import MAX_TENSION, MIN_TENSION, Model
from seggrid.base.settings import Settings

if TYPE_CHECKING:
    from seggrid.base.arrays import Float64
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation


class Options(Settings):
    """Options of our fast_align; the defaults are those of the authors' program."""

    iterations: Annotated[int, Field(ge=1, le=1000)] = 5
    """Passes over the corpus; the last one only decodes (`-I` of the program)."""

    p0: Annotated[float, Field(ge=0, lt=1)] = 0.08
    """Prior probability of NULL (`-q`)."""

    alpha: Annotated[float, Field(gt=0, le=1e6)] = 0.01
    """Concentration of the Dirichlet prior of variational Bayes (`-a`)."""

    tension: Annotated[float, Field(ge=MIN_TENSION, le=MAX_TENSION)] = 4.0
    """How strongly the prior favors the diagonal, at the start (`-T`)."""

    fixed_tension: bool = False
    """Do not optimize the tension (leaves out `-o`)."""

    no_null: bool = False
    """No NULL word: every token is linked; `p0` is not used (`-N`)."""

    em: bool = False
    """Maximum likelihood in place of variational Bayes; `alpha` is not used (leaves out `-v`)."""


class FastAlign(Keeps):
    """The aligner of Dyer, Chahuneau and Smith (2013)."""

    settings = Options
    options: Options
    suffix = ".npz"
    write_model, read_model = staticmethod(Model.save), staticmethod(Model.load)

    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """See `Aligner.align`."""
        from seggrid.align.fast_align.training import align

        return align(source, target, options=self.options, threads=threads)

    def align_sample(
        self,
        source: Segmentation,
        target: Segmentation,
        *,
        threads: int = 1,
        seed: int = 0,
        probabilities: bool = False,
        keep: bool = False,
        model: Model | None = None,
    ) -> AlignedSample:
        """See `Aligner.align_sample`. With a model, the options are ignored, since it contains its own."""
        from seggrid.align.fast_align.training import force_align, train

        if model is not None:
            forward, reverse = force_align(model, source, target, threads=threads)
        elif keep:
            trained = train(source, target, options=self.options, threads=threads)
            forward, reverse, model = trained.forward, trained.reverse, trained.model
        else:
            return AlignedSample(self.align(source, target, threads=threads))
        return AlignedSample((forward.links, reverse.links), None, model if keep else None)

    def score(self, model: Model, source: Segmentation, target: Segmentation) -> Float64:
        """The scores of `training.force_align`, forward and reverse, float64, shape (S, 2)."""
        from seggrid.align.fast_align.training import force_align

        return np.column_stack([way.scores for way in force_align(model, source, target)])

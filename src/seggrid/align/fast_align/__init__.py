"""fast_align: IBM model 2 with a diagonal prior; `training` says what it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seggrid.align.aligner import AlignedSample, Keeps
from seggrid.align.fast_align._model import Model
from seggrid.align.fast_align.options import Options

if TYPE_CHECKING:
    from seggrid.base.arrays import Float64
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation


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
        from seggrid.align.fast_align.training import align_by_fast_align

        return align_by_fast_align(source, target, options=self.options, threads=threads)

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
        from seggrid.align.fast_align.training import force_align, train_fast_align

        if model is not None:
            forward, reverse = force_align(model, source, target, threads=threads)
        elif keep:
            trained = train_fast_align(source, target, options=self.options, threads=threads)
            forward, reverse, model = trained.forward, trained.reverse, trained.model
        else:
            return AlignedSample(self.align(source, target, threads=threads))
        return AlignedSample((forward.links, reverse.links), None, model if keep else None)

    def score(self, model: Model, source: Segmentation, target: Segmentation) -> Float64:
        """The scores of `training.force_align`, forward and reverse, float64, shape (S, 2)."""
        from seggrid.align.fast_align.training import force_align

        return np.column_stack([way.scores for way in force_align(model, source, target)])

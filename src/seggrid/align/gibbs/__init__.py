"""gibbs: a Bayesian aligner, by collapsed Gibbs sampling; `sampling` says what it computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from seggrid.align.aligner import AlignedSample, CountingAligner, Probabilities
from seggrid.align.gibbs import others as parts
from seggrid.align.gibbs.link_counts import LinkCounts
from seggrid.align.gibbs.options import Options
from seggrid.align.gibbs.priors import joined_priors, read_priors, remark_on_use, write_priors

if TYPE_CHECKING:
    from seggrid.base.arrays import Float64
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation


class Gibbs(CountingAligner, Probabilities):
    """The model of eflomal (Östling and Tiedemann 2016), with a seed."""

    settings = Options
    options: Options
    random = seeded = True
    usual: ClassVar[Mapping[str, Any]] = {"case": "lower", "aggregate": "mutual-0.35"}
    suffix = ".priors"
    write_model, read_model = staticmethod(write_priors), staticmethod(read_priors)
    join_models = staticmethod(joined_priors)
    write_counts = staticmethod(parts.write_sampler_counts)
    sum_counts = staticmethod(parts.sum_sampler_counts)
    others = staticmethod(parts.Others)
    in_lower_case = staticmethod(LinkCounts.lowercased)

    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """See `Aligner.align`."""
        return self.align_sample(source, target, threads=threads, seed=seed).links

    def align_sample(
        self,
        source: Segmentation,
        target: Segmentation,
        *,
        threads: int = 1,
        seed: int = 0,
        probabilities: bool = False,
        keep: bool = False,
        model: LinkCounts | parts.Others | None = None,
    ) -> AlignedSample:
        """See `Aligner.align_sample` and `sampling.align_by_gibbs`."""
        from seggrid.align.gibbs.sampling import align_by_gibbs

        return align_by_gibbs(
            source, target, self.options, threads=threads, seed=seed, priors=model,
            probabilities=probabilities, keep=keep,
        )  # fmt: skip

    def score(self, model: LinkCounts, source: Segmentation, target: Segmentation) -> Float64:
        """See `sampling.score_pairs`."""
        from seggrid.align.gibbs.sampling import score_pairs

        return score_pairs(model, source, target, self.options)

    def remark(self, model: LinkCounts, source: Segmentation, target: Segmentation) -> str:
        """A line that says how much of a model meets a text."""
        return remark_on_use(model, source.types, target.types, self.options.lowercase)

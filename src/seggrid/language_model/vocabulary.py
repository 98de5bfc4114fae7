"""The types of a language model and their ids, and its tokenizer."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.tokenizer_json import spelled_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""The special types, with the first ids as in RoBERTa: begin, padding, end, unknown, mask."""

BEGIN, PAD, END, UNKNOWN, MASK = range(len(SPECIAL))


@dataclass(frozen=True)
class Vocabulary:
    """The text of every id, shape (V,): special types (`SPECIAL`), then types of a text."""

    types: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.types)

    @classmethod
    def from_types(
        cls, types: Iterable[str], characters: Iterable[str], ends: bool = False
    ) -> Vocabulary:
        """Number the types that a segmenter can make. Each character of the training text is a type, both
        without and with the mark of a word (`</w>` at its end if `ends`, else `▁` before it), so that every
        word of these characters can be spelled."""
        single = sorted({*characters} - {BOUNDARY})
        before, after = ("", WORD_END) if ends else (BOUNDARY, "")
        spelled = [BOUNDARY, *single, *(before + character + after for character in single)]
        known = dict.fromkeys([*SPECIAL, *spelled, *sorted(types)])
        return cls(tuple(known))

    @cached_property
    def _ids(self) -> dict[str, int]:
        # A type of the text that is spelled like a special type counts as unknown.
        return {text: id for id, text in enumerate(self.types) if id >= len(SPECIAL)}

    def encode(self, tokens: Segmentation) -> NDArray[np.int32]:
        """The id of each token, shape (T,); `UNKNOWN` for types that are not in the vocabulary."""
        id_of_type = [self._ids.get(text, UNKNOWN) for text in tokens.types]
        return np.array(id_of_type, dtype=np.int32)[tokens.ids]


def write_vocabulary(path: str | Path, vocabulary: Vocabulary) -> None:
    """Write the types, one per line; the type with id k is on line k + 1."""
    write_lines(path, vocabulary.types)


def read_vocabulary(path: str | Path) -> Vocabulary:
    """Read what `write_vocabulary` wrote."""
    return Vocabulary(tuple(read_lines(path)))


def make_tokenizer(
    vocabulary: Vocabulary, model: Any = None, lower: bool = False
) -> tuple[Tokenizer, bool]:
    """A tokenizer of the library `tokenizers` with the ids of a vocabulary, which puts begin and end around a
    sentence; and whether it takes raw text.

    It does if the library supports the algorithm: BPE with merges of pairs. Otherwise it takes segmented text
    with spaces between tokens, as `seggrid segment` writes it. `lower`: whether the text is put in lower
    case.
    """
    from tokenizers import AddedToken, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase, Sequence
    from tokenizers.pre_tokenizers import Split
    from tokenizers.processors import TemplateProcessing

    tokenizer, plain = None, (*SPECIAL, BOUNDARY)
    # The library lower-cases characters one by one, which is wrong for a sigma at the end of a word.
    sigma = lower and any("ς" in text for text in vocabulary.types)
    # The library does not support merges of types without ids. A model that was learned on another text, or
    # on both languages, may have them, since not all of its characters are in this text.
    types = set(vocabulary.types)
    whole = isinstance(model, BPEModel) and all(
        types.issuperset((*merge, "".join(merge))) for merge in model.merges
    )
    if whole and not sigma:
        # Fails for merges of more than two parts, and for types that are split.
        with suppress(InputError):
            tokenizer = Tokenizer.from_str(spelled_tokenizer(model, vocabulary.types, plain))
    takes_text = tokenizer is not None
    if tokenizer is not None and lower:
        own = [tokenizer.normalizer] if tokenizer.normalizer else []
        tokenizer.normalizer = Sequence([Lowercase(), *own])
    if tokenizer is None:
        ids = {text: id for id, text in enumerate(vocabulary.types)}
        tokenizer = Tokenizer(WordLevel(ids, unk_token=SPECIAL[UNKNOWN]))
        tokenizer.pre_tokenizer = Split(" ", "removed")
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text in SPECIAL])
    begin, end = SPECIAL[BEGIN], SPECIAL[END]
    tokenizer.post_processor = TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, BEGIN), (end, END)],
    )
    return tokenizer, takes_text

"""The tokenizer of a language model in the format of the library `tokenizers`."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase, Sequence
from tokenizers.pre_tokenizers import Split
from tokenizers.processors import TemplateProcessing

from seggrid.base.errors import InputError
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.tokenizer_writer import spelled_tokenizer
from seggrid.studies.language_model.vocabulary import BEGIN, END, SPECIAL, UNKNOWN, Vocabulary
from seggrid.text.boundary import BOUNDARY


def make_tokenizer(
    vocabulary: Vocabulary, model: Any = None, lower: bool = False
) -> tuple[Tokenizer, bool]:
    """A tokenizer with the ids of a vocabulary, which puts begin and end around a sentence; and whether it
    takes raw text.

    It does if `tokenizers` supports the algorithm: BPE with merges of pairs. Otherwise it takes segmented
    text with spaces between tokens, as `seggrid segment` writes it. `lower`: whether the text is put in lower
    case.
    """
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

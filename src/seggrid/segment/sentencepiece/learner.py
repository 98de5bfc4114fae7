"""The learner of the segmenters `sentencepiece_bpe` and `sentencepiece_unigram`.

The library runs on one thread, since the rounding of sums depends on the number of threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.extras import import_installed
from seggrid.base.files import atomic_write
from seggrid.data.segmentation import Sentences
from seggrid.errors import InputError

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["alphabet_size", "learn", "write_model"]

_LONGEST = 10**6
"""The most bytes of a sentence; the library ignores longer ones."""


def learn(sentences: Sentences, size: int, side: Side) -> bytes:
    """Learn a vocabulary of `size` types besides single characters, fewer if the text has fewer."""
    kind = side.segmenter.removeprefix("sentencepiece_")
    return train(sentences, size, kind, spaces=bool(side.spaces))


def alphabet_size(sentences: Sentences, side: Side) -> int:
    """The number of types that each model of a text has: its characters, `▁` and the unknown token."""
    return _alphabet_size(sentences)


def write_model(model: bytes, path: str | Path) -> None:
    """Write a `.model`, atomically."""
    with atomic_write(path, "wb") as file:
        file.write(model)


def train(
    sentences: Sequence[Sequence[str]], size: int, kind: str, *, spaces: bool = True
) -> bytes:
    """Train a model with the library's defaults, except that text is not normalized and rare characters
    are kept.

    Args:
        sentences: the corpus, each sentence as a list of words.
        size: number of types of two or more characters; fewer if the text has fewer.
        kind: `bpe` or `unigram`.
        spaces: whether pieces stay within words.

    Returns:
        The content of a `.model` file.

    Raises:
        InputError: the library is not installed, or reports an error.
    """
    library = import_installed("tokenizers", "sentencepiece", user="the segmenter sentencepiece")
    file = io.BytesIO()
    try:
        library.SentencePieceTrainer.train(
            sentence_iterator=(" ".join(words) for words in sentences),
            model_writer=file,
            model_type=kind,
            vocab_size=size + _alphabet_size(sentences),
            hard_vocab_limit=False,
            character_coverage=1.0,
            normalization_rule_name="identity",
            split_by_whitespace=spaces,
            max_sentence_length=_LONGEST,
            bos_id=-1,
            eos_id=-1,
            num_threads=1,
            minloglevel=2,
        )
    except RuntimeError as error:
        raise InputError(
            f"sentencepiece learns no model: {error}", hint="ask for fewer types"
        ) from None
    return file.getvalue()


def _alphabet_size(sentences: Sequence[Sequence[str]]) -> int:
    return len(set(chain.from_iterable(chain.from_iterable(sentences)))) + 2

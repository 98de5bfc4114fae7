"""WordPiece: a vocabulary learned by likelihood, applied longest match first.

Learning (Schuster and Nakajima 2012, section 4; the thesis, section 3.1.2, gives the score) is that of
BPE but for the score of a pair, f(a, b) / (f(a) f(b)). Of the merges only what they make is used:
the vocabulary is the single characters and the products of the first merges. A word is cut from left
to right, each time after the longest type that it goes on with (Devlin et al. 2019; the algorithm of
BERT's reference tokenizer).

Where BERT marks the pieces inside a word with `##`, here `▁` marks those that begin one: the same
distinction. Where BERT gives up a whole word for an unknown character in it, here that character is a
token: what is to be aligned must be there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.model import BPEModel, read_model, write_model
from seggrid.segment.by_type import WordTypes

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "learned", "longest_match", "read_model", "segment", "types", "write_model"]


def learn(sentences: Sequence[Sequence[str]], size: int, side: Side) -> BPEModel:
    """Learn a vocabulary of `size` types beside single characters, or as many as there are.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    from seggrid.segment.bpe.learn import learn

    return learn(sentences, size, scoring="likelihood")


def segment(
    model: BPEModel,
    sentences: Sequence[Sequence[str]],
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Cut words by the products of the model's first `side.merges` merges.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    words = WordTypes.from_sentences(sentences)
    return [words.segmentation_of_words(longest_match(words.words, types(model, side)))]


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the model's first `side.merges` merges."""
    return {"".join(merge) for merge in model.prefix(side.merges).merges}


def learned(model: BPEModel) -> int:
    """How many merges there are."""
    return len(model.merges)


def longest_match(words: Sequence[str], vocabulary: Collection[str]) -> Iterator[list[str]]:
    """The tokens of each word, longest match first.

    Args:
        words: words without `▁`.
        vocabulary: types of two or more characters, `▁` glued to the first of those that begin a
            word. A single character, with the `▁` that is glued to it, is always a type.

    >>> list(longest_match(["johanson"], {"▁johan", "▁jo", "so", "son"}))
    [['▁johan', 'son']]
    """
    longest = max(map(len, vocabulary), default=0)
    for word in words:
        text = BOUNDARY + word
        tokens = []
        start = 0
        while start < len(text):
            single = start + 1 if start else 2
            end = min(len(text), start + longest)
            while end > single and text[start:end] not in vocabulary:
                end -= 1
            end = max(end, single)
            tokens.append(text[start:end])
            start = end
        yield tokens

"""WordPiece: a vocabulary learned by likelihood, applied longest match first.

Learning is that of BPE, with the score f(a, b) / (f(a) f(b)) of a pair (Schuster and Nakajima 2012,
section 4; thesis, section 3.1.2). The vocabulary is the single characters and the products of the first
merges; the merges themselves are not used. A word is cut from left to right, each time at the end of the
longest type with which the rest begins (Devlin et al. 2019; the algorithm of BERT's reference tokenizer).

BERT marks pieces inside a word with `##`; here `▁` marks pieces that begin a word. BERT makes a word with an
unknown character one unknown token; here that character is a token of its own, so that every character
can be aligned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from seggrid.segment.bpe.model import learn
from seggrid.segment.segmenter import Ranked

if TYPE_CHECKING:
    from seggrid.segment.side import Side
    from seggrid.text.segmentation import Segmentation, Sentences


@dataclass(frozen=True)
class WordPiece(Ranked):
    """Products of merges, each with its rank."""

    name = "wordpiece"
    label = "WordPiece"
    axes = ("spaces", "joint", "vocabulary", "merges", "application")
    by_default: ClassVar[Mapping[str, tuple[str, ...]]] = {"application": ("rank", "left")}
    from_counts = True

    @classmethod
    def learn(cls, sentences: Any, size: int, side: Side) -> WordPiece:
        """Learn a vocabulary of `size` types besides single characters, fewer if the text has fewer."""
        spaces = bool(side.spaces)
        merges = learn(sentences, size, spaces=spaces, scoring="likelihood").merges
        return cls({"".join(merge): rank for rank, merge in enumerate(merges)}, spaces)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Take the longest type from the left, unless there is another rule."""
        ruled = side if side.application else replace(side, application="left")
        return super().segment(sentences, ruled, seeds, threads)

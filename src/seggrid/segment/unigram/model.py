"""The unigram language model (Kudo 2018): pieces with their probabilities, by which text is cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError
from seggrid.segment.ranked import Ranked
from seggrid.segment.sampling import parse_sampling

if TYPE_CHECKING:
    from seggrid.data.segmentation import Segmentation, Sentences
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class Unigram(Ranked):
    """Pieces of words that are drawn independently (Kudo 2018, section 3.2): P(x) = Π p(x_i).

    The number of a piece is the natural logarithm of its probability; the most probable piece is first, among
    equally probable ones the lexicographically larger by code points. Single symbols are pieces, too.
    """

    name = "unigram"
    label = "Unigram"
    axes: ClassVar[tuple[str, ...]] = (
        *("glossary", "spaces", "joint", "vocabulary", "merges", "application", "sampling"),
    )
    nested = False
    number = float

    @classmethod
    def of_pieces(cls, pieces: Mapping[str, float], spaces: bool = True) -> Self:
        """The model with these pieces, which are sorted first."""
        by_text = sorted(pieces.items(), reverse=True)
        return cls(dict(sorted(by_text, key=lambda piece: -piece[1])), spaces)

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Unigram:
        """Learn a vocabulary of `size` pieces besides single characters, fewer if the text has fewer."""
        from seggrid.segment.unigram.learn import learn

        return learn(sentences, size, spaces=side.spaces is not False)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Segment each word, or without spaces each sentence, in the most probable way; with sampling, draw
        once for each seed. With a rule, use the pieces without their probabilities.
        """
        from seggrid.segment.unigram.apply import apply, sample

        sampling = parse_sampling(side.sampling)
        if side.application is not None:
            if sampling is not None:
                raise InputError(
                    f"sampling with the application `{side.application}`, which has no probabilities",
                    hint="leave one of the two out",
                )
            return super().segment(sentences, side, seeds, threads)
        if sampling is None:
            return [apply(self, sentences)]
        return sample(
            self, sentences, temperature=1 / sampling.alpha, best=sampling.best, seeds=seeds
        )

    @property
    def learned(self) -> int:
        """The number of pieces besides single characters."""
        return sum(symbol_count(piece, self.spaces) > 1 for piece in self.numbers)

    def types(self, side: Side) -> set[str]:
        """The pieces besides single characters."""
        return {piece for piece in self.numbers if symbol_count(piece, self.spaces) > 1}


def piece_text(unit: str, begin: int, length: int, spaces: bool) -> str:
    """The piece that consists of some symbols of a word, or of a sentence if not `spaces`.

    >>> piece_text("word", 0, 2, True), piece_text("word", 1, 2, True), piece_text("a▁b", 0, 2, False)
    ('▁wo', 'or', 'a▁')
    """
    text = unit[begin : begin + length]
    return text if begin or not spaces else BOUNDARY + text


def symbol_count(piece: str, spaces: bool) -> int:
    """The number of symbols of a piece.

    >>> symbol_count("▁wo", True), symbol_count("▁wo", False)
    (2, 3)
    """
    return len(piece) - (spaces and piece.startswith(BOUNDARY))

"""The lexical tokenizer: Wordmap for words of one part of speech, WordPiece or BPE for all others.

This is the complete tokenizer of R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt
2023), sections 1.1 and 2.1. Wordmap is learned on the distinct words of one part of speech and applied only
to words that are tagged with it. The fallback tokenizer cuts all other words, and words that segments do not
cover. Both share one vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.axis import Axis
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.segment.model_file import Content
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.units import WordTypes, check_words
from seggrid.segment.wordmap import find_cover, find_segments
from seggrid.text.annotated import without_annotations
from seggrid.text.boundary import BOUNDARY
from seggrid.text.pos import ANY, check_language, read_lexicon, word_and_part
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.tagger import check_tagger
from seggrid.text.words import Words, number_distinct

if TYPE_CHECKING:
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class Lexical(Segmenter):
    """Segments of Wordmap for the words of one part of speech, and a tokenizer for all others.

    Attributes:
        segments: number of words in which each segment was found, the most frequent first.
        merges: merges of the fallback tokenizer, of which `wordpiece` uses only the products.
        fallback: `bpe` or `wordpiece`.
    """

    name = "lexical"
    label = "Lexical"
    axes = ("merges",)
    own_axes = (
        Axis(
            "pos",
            "Part of speech of the words that `lexical` splits into segments and learns them from.",
            label="part of speech",
            stage="learn",
            default="verb",
            choices=("verb", "noun", "name", "adjective", "adverb", "any"),
            phrase="of {value}s",
            phrases={"any": "of all words"},
        ),
        Axis(
            "fallback",
            "The segmenter that `lexical` uses for all other words.",
            stage="learn",
            default="wordpiece",
            choices=("wordpiece", "bpe"),
            phrase="else {value}",
            phrases={"wordpiece": "else WordPiece", "bpe": "else BPE"},
        ),
        Axis(
            "zscore",
            "For `lexical`: z-score above which a character counts as part of a functional morpheme; it may "
            "be negative.",
            label="z-score",
            kind="number",
            stage="learn",
            default=Fraction(0),
            phrases={"0": ""},
        ),
        Axis(
            "least_words",
            "For `lexical`: minimum number of distinct words in which a segment is found.",
            label="words a segment",
            kind="integer",
            stage="learn",
            default=1,
            least=1,
            most=1_000_000,
            phrase="segments of {value}+ words",
            phrases={"1": ""},
        ),
        Axis(
            "longest_segment",
            "For `lexical`: maximum number of characters of a segment; 0: any number.",
            kind="integer",
            stage="learn",
            default=0,
            most=1000,
            phrase="segments up to {value}",
            phrases={"0": ""},
        ),
    )
    learns = True
    annotation = "parts of speech"
    given = "lexicon"

    segments: dict[str, int]
    merges: list[tuple[str, ...]]
    fallback: str

    @classmethod
    def check_language(cls, language: str | None) -> None:
        check_language(language)

    @classmethod
    def check_installed(cls) -> None:
        check_tagger()

    @classmethod
    def read_given(cls, path: str | Path, side: Side) -> list[tuple[str, str]]:
        """More words to learn from, with their parts of speech."""
        return read_lexicon(path)

    @classmethod
    def learn(
        cls, sentences: Sentences, size: int, side: Side, given: Sequence[tuple[str, str]] = ()
    ) -> Lexical:
        """Learn segments from the words of the part of speech `side.pos`, those of a given lexicon among
        them, and `size` merges from all words."""
        text = Words.of(sentences)
        words = {word: None for word, flag in _chosen(text, side) if flag}
        words.update((word, None) for word, part in given if side.pos in (part, ANY))
        check_words([*words])
        kept = {
            segment: count
            for segment, count in find_segments([*words], float(side.zscore)).items()
            if count >= side.least_words
            and (not side.longest_segment or len(segment) <= side.longest_segment)
        }
        scoring = "likelihood" if side.fallback == "wordpiece" else "frequency"
        merges = learn(without_annotations(text), size, scoring=scoring).merges
        return cls(kept, merges, side.fallback)

    def prefix(self, size: int | None) -> Lexical:
        """The model whose joint vocabulary has `size` types besides single characters.

        Half of these types, rounded down, are segments (fewer if there are not so many); the others are
        products of the first merges. A product that is also a segment counts as one type.
        """
        if size is None:
            return self
        segments = dict(islice(self.segments.items(), size // 2))
        room = size - len(segments)
        used = 0
        for merge in self.merges:
            room -= "".join(merge) not in segments
            if room < 0:
                break
            used += 1
        return Lexical(segments, self.merges[:used], self.fallback)

    @property
    def learned(self) -> int:
        """The number of types of the joint vocabulary, in which a segment that is also a product counts
        once."""
        return len({"".join(merge) for merge in self.merges}.union(self.segments))

    def types(self, side: Side) -> set[str]:
        """The segments, with and without `▁` before them, and the types of the fallback tokenizer."""
        used = self.prefix(side.merges)
        products = {"".join(merge) for merge in used.merges}
        return products.union(used.segments, (BOUNDARY + segment for segment in used.segments))

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut words that are tagged as `side.pos` into segments, and all others by the fallback tokenizer."""
        used = self.prefix(side.merges)
        text = Words.of(sentences)
        distinct, number, _ = number_distinct([_chosen(text, side)])
        words = [word for word, _ in distinct]
        check_words(words)
        types = WordTypes(words, number[text.ids], text.offsets)
        covers = used.covers([word if flag else "" for word, flag in distinct])
        rest = [[word] for word, cover in zip(words, covers, strict=True) if not cover]
        application = "left" if self.fallback == "wordpiece" else "rank"
        beneath = apply(BPEModel(used.merges), rest, application=application)
        others = map(beneath.sentence, range(len(rest)))
        return [
            types.segmentation_of_words(
                [BOUNDARY + cover[0], *cover[1:]] if cover else next(others) for cover in covers
            )
        ]

    def covers(self, words: Sequence[str]) -> list[list[str]]:
        """The segments that cover each word; none if segments do not cover it, or the word is empty."""
        return [find_cover(word, self.segments) if word else [] for word in words]

    def rows(self) -> Content:
        segments = [[segment, str(count)] for segment, count in self.segments.items()]
        return Content({"fallback": self.fallback}, {"segments": segments, "merges": self.merges})

    @classmethod
    def of_rows(cls, content: Content) -> Lexical:
        settings, tables = content
        segments = {segment: int(count) for segment, count in tables["segments"]}
        return cls(segments, [tuple(merge) for merge in tables["merges"]], settings["fallback"])


def _chosen(text: Words, side: Side) -> list[tuple[str, bool]]:
    """Each distinct word of a tagged text, and whether it has the part of speech `side.pos`."""
    parts = map(word_and_part, text.types)
    return [(word, side.pos in (part, ANY)) for word, part in parts]

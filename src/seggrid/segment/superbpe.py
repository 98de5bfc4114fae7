"""SuperBPE and BoundlessBPE: merges within words, then merges across words.

After Liu et al. 2025, "SuperBPE: Space travel for language models" (arXiv 2503.13423), and Schmidt et al.
2025, "Boundless byte pair encoding" (arXiv 2504.00178).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from seggrid.base.axis import Axis
from seggrid.base.errors import InputError
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.segment.formats.tokenizer_writer import ids_of, tokenizer_json_of
from seggrid.segment.model_file import Content
from seggrid.segment.pair_index import Pair, PairIndex
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.units import WordTypes, count_words, symbols_of
from seggrid.text.boundary import BOUNDARY
from seggrid.text.segmentation import Segmentation, Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side

MOST_WORDS = 4
"""The most words that a token of SuperBPE overlaps, as in the authors' trainer."""


@dataclass(frozen=True)
class SuperBPE(Segmenter):
    """Merges of two parts, by rank: those within words, then those of neighbors in a sentence; `▁` is joined
    to the first character of each word."""

    name = "superbpe"
    label = "SuperBPE"
    axes: ClassVar[tuple[str, ...]] = ("joint", "vocabulary", "merges")
    own_axes: ClassVar[tuple[Axis[Any], ...]] = (
        Axis(
            "transition",
            "For `superbpe`: the number of merges after which they may cross words.",
            kind="integer",
            stage="learn",
            default=800,
            most=10_000_000,
            phrase="across words from {value}",
        ),
    )
    learns = True
    size_unit = "merges"
    by_itself = True
    crosses_words = True

    within: list[Pair]
    across: list[Pair]

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side, min_frequency: int = 2) -> Self:
        """Learn `side.transition` merges within words, as a BPE does; each further merge is the most frequent
        pair of neighbors in sentences, which may be words or parts of words. A pair is skipped if its product
        would overlap more than `MOST_WORDS` words, or would have a colon before the beginning of a word.

        Pairs are counted, and ties are broken, as in a BPE. Learning stops at `size` merges of both kinds, or
        if no pair is left that occurs `min_frequency` times.
        """
        within = learn(sentences, min(size, side.transition), min_frequency=min_frequency)
        cut = apply(within, sentences)
        units = [cut.sentence(k) for k in range(len(cut))]
        index = PairIndex.of_units(units, allowed=_may_cross)
        across: list[Pair] = []
        while len(within.merges) + len(across) < size and (pair := index.best(min_frequency)):
            across.append(pair)
            index.merge(pair)
        return cls([(a, b) for a, b in within.merges], across)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut words by the merges within words, then join their tokens by those across words, by rank.

        A token overlaps every word from which it has a character.
        """
        used = self.prefix(side.merges)
        cut = apply(BPEModel([*used.within]), sentences)
        # None ends a sentence.
        tokens = [token for k in range(len(cut)) for token in (*cut.sentence(k), None)]
        index = PairIndex(self.joinable(tokens))
        for pair in used.across:
            index.merge(pair)
        lines: list[list[str]] = [[]]
        for place, _ in index.spans():
            if (token := tokens[place]) is None:
                lines.append([])
            else:
                lines[-1].append(index[place] or token)
        found = count_words(Segmentation.from_words(lines[:-1]))
        # The first word of a sentence has a mark, too.
        return [replace(found, first=found.first - 1, last=found.last - 1)]

    def joinable(self, tokens: Sequence[str | None]) -> Iterable[str | None]:
        """The tokens of the words, None in place of those that are not joined across words."""
        return tokens

    @property
    def learned(self) -> int:
        return len(self.within) + len(self.across)

    def prefix(self, size: int | None) -> Self:
        if size is None or not self.nested:
            return self
        across = self.across[: max(0, size - len(self.within))]
        return replace(self, within=self.within[:size], across=across)

    @property
    def products(self) -> set[str]:
        """The types besides single symbols."""
        return set(map("".join, [*self.within, *self.across]))

    def types(self, side: Side) -> set[str]:
        return self.prefix(side.merges).products

    def rows(self) -> Content:
        return Content({}, {"within": self.within, "across": self.across})

    @classmethod
    def of_rows(cls, content: Content) -> Self:
        within, across = (
            [(left, right) for left, right in content.tables[name]] for name in ("within", "across")
        )
        return cls(within, across)

    def tokenizer(self, alphabet: Iterable[str]) -> dict[str, Any]:
        """The content of a `tokenizer.json` that cuts sentences, their words separated by spaces, as the
        model does.

        In the library, `▁` is a symbol of its own; so the first merges are those of `▁` and each character.
        A character that is neither in merges nor in the alphabet of the text becomes `<unk>`.
        """
        letters = sorted({c for text in self.products for c in text}.union(alphabet) - {BOUNDARY})
        marked = [(BOUNDARY, letter) for letter in letters]
        model = BPEModel([*marked, *self.within, *self.across], spaces=False)
        content = tokenizer_json_of(model, ids_of(model, alphabet))
        content["pre_tokenizer"]["prepend_scheme"] = "always"
        return content


@dataclass(frozen=True)
class Boundless(SuperBPE):
    """Only words that are single tokens, or products of such merges, are joined.

    The merges of both kinds then have no common order, so that a smaller model is not a part of it.
    """

    name = "boundless"
    label = "BoundlessBPE"
    axes = ("joint", "vocabulary", "merges")
    own_axes = ()
    nested = False

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side, min_frequency: int = 2) -> Self:
        """Learn `size` merges within words first. Words that are then single tokens and have a letter may be
        joined. Each step takes the most frequent pair of neighboring words of this kind, or products of such
        pairs, if it is more frequent than the pair of the next merge within words was; otherwise it takes
        that merge.
        """
        corpus = WordTypes.from_sentences(sentences)
        index = PairIndex.of_units(
            [symbols_of(word, True) for word in corpus.words], corpus.counts.tolist()
        )
        within: list[tuple[Pair, int]] = []
        while len(within) < size and (pair := index.best(min_frequency)):
            within.append((pair, index.counts[pair]))
            index.merge(pair)
        whole = [
            tokens[0] if len(tokens) == 1 and any(map(str.isalpha, word)) else None
            for word, tokens in zip(corpus.words, index.units(), strict=True)
        ]
        words = [whole[k] for k in corpus.occurrences.tolist()]
        runs = PairIndex.of_units([words[a:b] for a, b in pairwise(corpus.offsets.tolist())])
        taken = 0
        across: list[Pair] = []
        while taken + len(across) < size:
            pair = runs.best(min_frequency)
            count = within[taken][1] if taken < len(within) else 0
            if pair and runs.counts[pair] > count:
                across.append(pair)
                runs.merge(pair)
            elif taken < len(within):
                taken += 1
            else:
                break
        return cls([merge for merge, _ in within[:taken]], across)

    def joinable(self, tokens: Sequence[str | None]) -> Iterator[str | None]:
        """The words that are single tokens."""
        for token, following in zip(tokens, [*tokens[1:], None], strict=False):
            begins, ends = (
                text is None or text.startswith(BOUNDARY) for text in (token, following)
            )
            yield token if begins and ends else None

    def tokenizer(self, alphabet: Iterable[str]) -> dict[str, Any]:
        raise InputError(
            "merges of whole words only, which a tokenizer.json cannot express",
            hint="learn with segmenter superbpe, or keep it as a model of seggrid's own",
        )


def _may_cross(pair: Pair) -> bool:
    left, right = pair
    few = (left + right)[1:].count(BOUNDARY) < MOST_WORDS
    return few and not (left.endswith(":") and right.startswith(BOUNDARY))

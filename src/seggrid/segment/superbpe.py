"""SuperBPE and BoundlessBPE: merges within words, then merges across words.

After Liu et al. 2025, "SuperBPE: Space travel for language models" (arXiv 2503.13423), and Schmidt et al.
2025, "Boundless byte pair encoding" (arXiv 2504.00178).

A model's file is UTF-8 text. After a header, each line is a merge; merges across words follow the line
`#across`:

    #seggrid-superbpe 2
    h e
    ▁t he
    #across
    ▁in ▁the
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seggrid.base.axis import required
from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.units import symbols_of
from seggrid.segment.by_type import WordTypes
from seggrid.segment.formats.tokenizer_json import tokenizer_of
from seggrid.segment.pair_index import Pair, PairIndex

if TYPE_CHECKING:
    from seggrid.segment.side import Side

MOST_WORDS = 4
"""The most words that a token of SuperBPE overlaps, as in the authors' trainer."""
_HEADERS = {False: "#seggrid-superbpe 2", True: "#seggrid-boundless 2"}
_ACROSS = "#across"


@dataclass(frozen=True)
class SuperModel:
    """Merges of two parts, by rank; `▁` is joined to the first character of each word.

    Attributes:
        within: the merges within words, which come first.
        across: the merges of neighbors in a sentence.
        boundless: whether only words that are single tokens, or products of such merges, are joined. The
            merges of both kinds then have no common order, so that a smaller model is not a part of it.
    """

    within: list[Pair]
    across: list[Pair]
    boundless: bool = False

    @property
    def products(self) -> set[str]:
        """The types besides single symbols."""
        return set(map("".join, [*self.within, *self.across]))

    def prefix(self, merges: int | None) -> SuperModel:
        """The model of the first merges only; all of it if `merges` is None or beyond the last, or if it is
        boundless."""
        if merges is None or self.boundless:
            return self
        across = self.across[: max(0, merges - len(self.within))]
        return replace(self, within=self.within[:merges], across=across)


def learn(sentences: Sentences, size: int, side: Side, min_frequency: int = 2) -> SuperModel:
    """Learn merges from a corpus.

    SuperBPE (Liu et al. 2025) learns `side.transition` merges within words, as a BPE does; each further merge
    is the most frequent pair of neighbors in sentences, which may be words or parts of words. A pair is
    skipped if its product would overlap more than `MOST_WORDS` words, or would have a colon before the
    beginning of a word.

    BoundlessBPE (Schmidt et al. 2025) first learns `size` merges within words. Words that are then single
    tokens and have a letter may be joined. Each step takes the most frequent pair of neighboring words of
    this kind, or products of such pairs, if it is more frequent than the pair of the next merge within words
    was; otherwise it takes that merge.

    Pairs are counted, and ties are broken, as in a BPE. Learning stops at `size` merges of both kinds, or if
    no pair is left that occurs `min_frequency` times.

    Args:
        sentences: the corpus, each sentence as a list of words.
        size: the largest number of merges.
        side: its segmenter is `superbpe` or `boundless`.
        min_frequency: the smallest count of a pair that may become a merge, at least 1.
    """
    if side.segmenter == "boundless":
        return _learn_boundless(sentences, size, min_frequency)
    within = bpe.learn(sentences, min(size, required(side.transition)), min_frequency=min_frequency)
    cut = apply(within, sentences)
    units = [cut.sentence(k) for k in range(len(cut))]
    index = PairIndex.of_units(units, allowed=_may_cross)
    across: list[Pair] = []
    while len(within.merges) + len(across) < size and (pair := index.best(min_frequency)):
        across.append(pair)
        index.merge(pair)
    return SuperModel([(a, b) for a, b in within.merges], across)


def _may_cross(pair: Pair) -> bool:
    left, right = pair
    few = (left + right)[1:].count(BOUNDARY) < MOST_WORDS
    return few and not (left.endswith(":") and right.startswith(BOUNDARY))


def _learn_boundless(sentences: Sentences, size: int, min_frequency: int) -> SuperModel:
    if size < 0:
        raise InputError(f"{size} merges", hint="give a number from 0 on")
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
    return SuperModel([merge for merge, _ in within[:taken]], across, boundless=True)


def segment(
    model: SuperModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Segment a corpus: words by the merges within words, then sentences by those across words, by rank.

    A token overlaps every word from which it has a character. If the model is boundless, only words that are
    single tokens are joined.
    """
    used = model.prefix(side.merges)
    cut = apply(BPEModel([*used.within]), sentences)
    # None ends a sentence.
    tokens = [token for k in range(len(cut)) for token in (*cut.sentence(k), None)]
    index = PairIndex(_whole_words(tokens) if used.boundless else tokens)
    for pair in used.across:
        index.merge(pair)
    numbers: dict[str, int] = {}
    ids: list[int] = []
    first: list[int] = []
    last: list[int] = []
    offsets = [0]
    for begin, end in index.spans():
        if tokens[begin] is None:
            offsets.append(len(ids))
            continue
        text = index[begin] or required(tokens[begin])
        ids.append(numbers.setdefault(text, len(numbers)))
        sentence = len(offsets) - 1
        first.append(begin - sentence)
        last.append(end - 1 - sentence)
    places = (np.array(tokens, dtype=np.intp) for tokens in (first, last))
    words = (of[at] for of, at in zip((cut.first, cut.last), places, strict=True))
    return [Segmentation([*numbers], np.array(ids, dtype=np.int32), np.array(offsets), *words)]


def _whole_words(tokens: Sequence[str | None]) -> Iterator[str | None]:
    """The tokens, with None in place of those that are only a part of a word."""
    for token, following in zip(tokens, [*tokens[1:], None], strict=False):
        begins, ends = (text is None or text.startswith(BOUNDARY) for text in (token, following))
        yield token if begins and ends else None


def types(model: SuperModel, side: Side) -> set[str]:
    """The products of the merges that are applied."""
    return model.prefix(side.merges).products


def learned(model: SuperModel) -> int:
    """The number of merges."""
    return len(model.within) + len(model.across)


def write_model(model: SuperModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    merges = [*map(" ".join, model.within), _ACROSS, *map(" ".join, model.across)]
    write_lines(path, [_HEADERS[model.boundless], *merges])


def read_model(path: str | Path) -> SuperModel:
    """Read what `write_model` wrote; errors as in `parse_model`."""
    return parse_model(read_lines(path), path)


def parse_model(lines: Sequence[str], path: str | Path) -> SuperModel:
    """The model in the lines of a file.

    Raises:
        InputError: the header is another, or a line is not a merge of two symbols or products of earlier
            lines, or does not belong before or after `#across`.
    """
    if not lines or lines[0] not in _HEADERS.values() or _ACROSS not in lines:
        message, hint = "not a model of merges within and across words", "learn the model again"
        raise InputError(message, file=path, line=1, hint=hint)
    boundless, end = lines[0] == _HEADERS[True], lines.index(_ACROSS)
    made: set[str] = set()
    merges: list[Pair] = []
    for line, merge in enumerate(lines[1:], 2):
        left, _, right = merge.partition(" ")
        if line == end + 1:
            continue
        wrong = None
        if not left or not right or " " in right:
            wrong = f"{merge!r} is not a merge"
        elif unknown := [
            part
            for part in (left, right)
            if len(part.removeprefix(BOUNDARY)) != 1 and part not in made
        ]:
            wrong = f"{unknown[0]!r}, which no earlier line makes"
        elif left + right in made:
            wrong = f"a second merge that makes {left + right!r}"
        elif line <= end and BOUNDARY in right:
            wrong = f"{merge!r} crosses words before {_ACROSS}"
        elif line > end and boundless and not left[0] == right[0] == BOUNDARY:
            wrong = f"{merge!r}, a part of which is not a word"
        if wrong:
            raise InputError(wrong, file=path, line=line, hint="learn the model again")
        made.add(left + right)
        merges.append((left, right))
    return SuperModel(merges[: end - 1], merges[end - 1 :], boundless)


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
            hint="learn with segmenter superbpe, or keep it as a model of seggrid's own",
        )
    letters = sorted({c for text in model.products for c in text}.union(alphabet) - {BOUNDARY})
    marked = [(BOUNDARY, letter) for letter in letters]
    content = tokenizer_of(
        BPEModel([*marked, *model.within, *model.across], spaces=False), alphabet
    )
    content["pre_tokenizer"]["prepend_scheme"] = "always"
    return content

"""Read texts in the forms that callers may give: lists of sentences, or the path of a file; cut raw text into
words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import groupby, islice, pairwise
from os import PathLike
from os.path import isfile
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError, note, raise_mistakes
from seggrid.base.parameters import Rule
from seggrid.score.votes import Means
from seggrid.text.links import Links
from seggrid.text.text_files import Numbered, Text
from seggrid.text.uncut import UNSPACED, WORD_SEPARATORS
from seggrid.text.words import Numbering, Words, filled_pairs

Path = str | PathLike[str]
Texts = Path | Sequence[str] | Sequence[Sequence[str]]
"""The path of a file with one sentence per line, or S sentences, each as text with spaces between words or as
a list of words."""


def two(texts: str) -> Rule:
    """A pair of texts, as `texts` describes them."""
    return Rule(lambda value: isinstance(value, tuple | list) and len(value) == 2, texts)


def words_in(text: Texts, name: str = "text", *, tokens: bool = False, raw: bool = False) -> Words:
    """The words of each sentence; none for an empty one. `Words` are not checked again; of others, `name` is
    theirs in messages, and `tokens` says whether they may be tokens of a segmenter, which may hold `▁`; `raw`
    is that of `seggrid.text.text_files.Text`.

    >>> list(words_in(["the house", ["a", "house"], ""]))
    [['the', 'house'], ['a', 'house'], []]
    """
    if isinstance(text, Words):
        return text
    return read_in(text, name, tokens=tokens, raw=raw).words


def read_in(text: Texts, name: str, *, tokens: bool, **how: Any) -> Numbered:
    """Read a text as `words_in` does; `how` are further attributes of `seggrid.text.text_files.Text`."""
    if isinstance(text, str | PathLike):
        _refuse_sentence(text)
        read = Text.skipping(str(text), tokens=tokens, **how).read_words()
    else:
        if not isinstance(text, Iterable):
            hint = "give a path, or a list of sentences"
            raise InputError(f"{text!r} as {name}", hint=hint)
        sentences = list(text)
        if not sentences:
            return Numbered(has_ids=False)
        read = Text.skipping(name, tokens=tokens, **how).read_words(
            lambda _: _blocks(sentences, name)
        )
    note(read.remarks)
    return read


def _refuse_sentence(text: Path) -> None:
    """Refuse a sentence that was given in place of a path."""
    if isinstance(text, str) and " " in text.strip() and not isfile(text):
        hint = f"a text is a path or a list of sentences: give [{text[:40]!r}] for this sentence"
        raise InputError("no such file", file=text[:80], hint=hint)


def _blocks(text: Sequence[str] | Sequence[Sequence[str]], name: str) -> Iterator[bytes]:
    """Sentences as the lines of a file, in blocks."""
    lines = (f"{_line(sentence, name, number)}\n" for number, sentence in enumerate(text, 1))
    before = 0
    while block := "".join(islice(lines, 1 << 12)):
        try:
            yield block.encode()
        except UnicodeEncodeError as error:
            line = before + block.count("\n", 0, error.start) + 1
            message = f"{block[error.start]!r}, half of a character"
            hint = "read the text as UTF-8, without errors=surrogateescape"
            raise InputError(message, file=name, line=line, hint=hint) from None
        before += block.count("\n")


def _line(sentence: str | Sequence[str], name: str, number: int) -> str:
    """A sentence as a line of a text."""
    if isinstance(sentence, str):
        line, hint = sentence.rstrip("\r\n"), "give one text for each sentence"
    elif isinstance(sentence, Sequence) and all(isinstance(word, str) for word in sentence):
        wrong = next((word for word in sentence if not word or " " in word), None)
        if wrong is not None:
            hint = "a word is not empty and has no space in it"
            raise InputError(f"{wrong!r} as a word", file=name, line=number, hint=hint)
        line, hint = " ".join(sentence), "a word has no line end in it"
    else:
        hint = "give a text or a list of words"
        raise InputError(f"{sentence!r} as a sentence", file=name, line=number, hint=hint)
    if "\n" in line:
        raise InputError("a line end inside a sentence", file=name, line=number, hint=hint)
    return line


_Placed = TypeVar("_Placed", Links, Means)


@dataclass(frozen=True)
class Filled:
    """The sentence pairs that are aligned: those of a pair that have words on both sides, then those of its
    training text.

    Attributes:
        source: words of the source side.
        target: words of the target side.
        lines: indices of the pair's own sentences in the pair, shape (own sentences,).
        total: number of sentences of the pair, with those that are empty.
    """

    source: Words
    target: Words
    lines: NDArray[np.int64]
    total: int

    @classmethod
    def of(
        cls,
        source: Texts,
        target: Texts,
        training: Iterable[tuple[Texts, Texts]] = (),
        *,
        tokens: bool = False,
    ) -> Self:
        """Build from a pair and pairs of further text to learn from; `tokens` as for `words_in`."""
        given = list(training) if isinstance(training, Iterable) else [training]
        if any(
            not isinstance(pair, Sized) or isinstance(pair, str) or len(pair) != 2 for pair in given
        ):
            hint = "give training=[(source, target)], with one or more pairs"
            raise InputError("training text that is not in pairs", hint=hint)
        pairs = [
            (words_in(one, "source", tokens=tokens), words_in(other, "target", tokens=tokens))
            for one, other in [(source, target), *given]
        ]
        raise_mistakes(not_parallel(one, other) for one, other in pairs if len(one) != len(other))
        kept = [filled_pairs(*pair) for pair in pairs]

        def joined(side: int) -> Words:
            parts = ((pair[side], lines) for pair, lines in zip(pairs, kept, strict=True))
            return Words.joined(
                [text if len(lines) == len(text) else text.take(lines) for text, lines in parts]
            )

        return cls(joined(0), joined(1), kept[0], len(pairs[0][0]))

    def by_line(self, found: _Placed) -> _Placed:
        """Lay out the results of `lines` over all sentence pairs; pairs with an empty side have none."""
        return found if len(self.lines) == self.total else found.spread(self.lines, self.total)


def not_parallel(source: Words, target: Words, also: str = "") -> InputError:
    """For sides with other numbers of sentences, and what else there should be as many of."""
    return InputError(
        f"{len(source):,} source sentences and {len(target):,} target sentences{also}",
        hint="sentence k of one side must translate sentence k of the other",
    )


def without_characters() -> InputError:
    """For a file that must name each character, of a model whose merges may not have all."""
    return InputError(
        "characters that are in no merge would become <unk>",
        hint="give the text that will be segmented with --text",
    )


BOUNDARIES = ("icu", "unicode")
"""icu: words of Chinese, Japanese, Thai and others by the dictionaries of ICU (the package PyICU). unicode:
Unicode's default boundaries (UAX #29, by the package regex), for which each Chinese character and each
hiragana is a word."""


def default_boundaries() -> str:
    """The boundaries that are used if none are named: `icu` if PyICU is installed."""
    return BOUNDARIES[0] if find_spec("icu") else BOUNDARIES[1]


def tokenize(text: Texts, boundaries: str | None = None) -> Words:
    """The words of a raw text. Punctuation is cut off; no character is changed; spaces are left out.

    Args:
        text: S sentences, or a path, as for `seggrid.align`.
        boundaries: one of `BOUNDARIES`; without one, `default_boundaries`.

    >>> list(tokenize(["Don't go (yet).", "我们走"], "unicode"))
    [["Don't", 'go', '(', 'yet', ')', '.'], ['我', '们', '走']]
    """
    boundaries = boundaries or default_boundaries()
    if boundaries not in BOUNDARIES:
        raise InputError(f"no boundaries {boundaries!r}", hint=f"one of {', '.join(BOUNDARIES)}")
    if boundaries == "icu" and not find_spec("icu"):
        hint = "pip install PyICU, or take the boundaries unicode"
        raise InputError("the boundaries icu: the package PyICU is not installed", hint=hint)
    pieces = _by_icu() if boundaries == "icu" else _by_unicode
    numbering, cut = Numbering(), set[str]()
    for words in words_in(text, raw=True):
        sentence = " ".join(words)
        found: Iterable[str] = pieces(sentence)
        if _WRITTEN_END in sentence:
            found = _joined(found)
        else:
            cut.update(name for name, letters in _SPACELESS.items() if letters.search(sentence))
        bare = (word.strip() for piece in found for word in _SEPARATORS.split(piece))
        numbering.add(f"{' '.join(filter(None, bare))}\n".encode("utf-8", "surrogatepass"))
    if cut and boundaries == "unicode":
        names = " and ".join(sorted(cut))
        note([f"cut into letters, not words: {names} (pip install PyICU, which has dictionaries)"])
    return numbering.words()


_WRITTEN_END = "\u200b"
"""Writes the ends of words in languages without spaces."""
_SEPARATORS = re.compile(f"[ {WORD_SEPARATORS}\u0f0b\u0f0c]")
"""Separators of words, and of syllables in Tibetan. Others that `strip` takes away, such as the narrow
no-break space, may stand within a number."""
_SPACELESS = {
    name: re.compile(f"[{UNSPACED[name][0]}]+") for name in ("Thai", "Lao", "Khmer", "Burmese")
}
"""The scripts of which letters are words for Unicode's default boundaries; in Chinese, these are meant."""


def _joined(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces of a text that writes the ends of its words, which need no dictionary."""

    def is_spaceless(piece: str) -> bool:
        return any(letters.fullmatch(piece) for letters in _SPACELESS.values())

    for within, own in groupby(pieces, is_spaceless):
        parts = list(own)
        yield from ["".join(parts)] if within else parts


def _by_icu() -> Callable[[str], Iterator[str]]:
    """A function that cuts a sentence; its dictionaries are loaded once."""
    import icu

    iterator = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())

    def cut(sentence: str) -> Iterator[str]:
        # ICU counts positions in UTF-16 units, of which some characters have two.
        text: Any = icu.UnicodeString(sentence)
        iterator.setText(text)
        for begin, end in pairwise([0, *iterator]):
            yield str(text[begin:end])

    return cut


def _by_unicode(sentence: str) -> Iterator[str]:
    import regex

    ends = [found.start() for found in regex.finditer(r"\b", sentence, regex.WORD)]
    for begin, end in pairwise([*ends, len(sentence)]):
        yield sentence[begin:end]

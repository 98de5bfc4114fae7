"""Text whose tokens have the word marks of other programs: read as a segmentation, and written.

A mark tells how tokens are joined to words again: `@@` ends a token that does not end its word (subword-nmt),
`##` begins a token that does not begin its word (BERT), `▁` stands before a word, as a token or as part of
one (sentencepiece), `</w>` ends a word. A sentence is a line, and spaces are between its tokens.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError, one_line
from seggrid.segment.byte_level import named_byte
from seggrid.segment.token_offsets import CodePoints, overlapped_words, spelled_words
from seggrid.text.boundary import BOUNDARY, WORD_END, unmarked
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.text_files import Text
from seggrid.text.words import number_distinct

_CONTINUED, _CONTINUES = "@@", "##"
MARKINGS = (_CONTINUED, _CONTINUES, BOUNDARY, WORD_END)


@dataclass(frozen=True)
class MarkedText:
    """The tokens of a text's sentences, with their marks."""

    lines: Sequence[list[str]]
    marking: str
    file: str | Path = ""
    bpe = unigram = decodes = False
    vocabulary = None

    @classmethod
    def read(cls, path: str | Path, marking: str) -> MarkedText:
        return cls(Text((path,), tokens=True).read_words().words, marking, path)

    def declared(self, sentences: Sentences) -> None:
        """It declares no vocabulary."""

    def as_learned(self) -> None:
        """No model cuts other texts in this way."""

    def segment(self, sentences: Sentences, threads: int = 1) -> Segmentation:
        """The segmentation of the sentences by these tokens.

        Tokens are mapped to words by their characters. They must spell the sentence, or be equal to it once
        both are normalized by `fold_text`; `<0xE2>` stands for a byte.
        """
        if len(self.lines) != len(sentences):
            raise InputError(
                f"{len(self.lines):,} lines of tokens for a text of {len(sentences):,} sentences",
                file=self.file,
                hint="give the tokens of this text, one sentence per line",
            )
        types, ids, offsets = number_distinct(self.lines)
        counts, own = np.diff(offsets), list(map(self.bare, types))
        lines = [" ".join(words) for words in sentences]
        text = CodePoints.from_lines(lines)
        first, last, right = spelled_words(text, own, ids, counts)
        boundary = np.array([not token for token in own], dtype=np.bool_)[ids]
        for s in np.flatnonzero(~right).tolist():
            rows = slice(offsets[s], offsets[s + 1])
            text = CodePoints.from_lines([lines[s]])
            places = self._folded_offsets(s, lines[s])
            words = overlapped_words(text, counts[s : s + 1], *places, boundary[rows])
            first[rows], last[rows] = words
        return Segmentation(types, ids, offsets, first, last)

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        raise InputError(
            "tokens of a text, which say nothing of other words",
            file=self.file,
            hint="give the tokenizer itself",
        )

    def bare(self, token: str) -> str:
        """A token without its mark.

        >>> MarkedText([], "##").bare("##ing"), MarkedText([], "@@").bare("go@@")
        ('ing', 'go')
        """
        if self.marking == BOUNDARY:
            return token.replace(BOUNDARY, "")
        if self.marking == "##":
            return token[2:] if token.startswith("##") and len(token) > 2 else token
        shorter = token.removesuffix(self.marking)
        return shorter if shorter or self.marking == "</w>" else token

    def spelled(self, text: str) -> bytes:
        return named_byte(self.bare(text)) or text.encode()

    def _folded_offsets(
        self, sentence: int, line: str
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Offsets of the tokens of a sentence, found by comparing both as normalized by `fold_text`."""
        wanted, places = fold_text(line)
        begin, end = [], []
        at = 0
        pending = b""
        for token in self.lines[sentence]:
            own = self.bare(token)
            if (byte := named_byte(own)) is not None:
                pending += byte
                own, pending = _decoded(pending)
            spelled = fold_text(own)[0]
            if not wanted.startswith(spelled, at):
                rest = wanted[at : at + 20] or "(the end)"
                raise InputError(
                    f"the token {one_line(token, 40)!r} where the text goes on with {rest!r}",
                    file=self.file,
                    line=sentence + 1,
                    hint=f"give the tokens of this text, marked by {self.marking}, words in place of "
                    "unknown tokens",
                )
            begin.append(places[at] if at < len(places) else len(line))
            at += len(spelled)
            end.append(places[at - 1] + 1 if spelled else begin[-1])
        if at < len(wanted):
            raise InputError(
                f"no tokens for the rest of the sentence, {one_line(wanted[at:], 40)!r}",
                file=self.file,
                line=sentence + 1,
                hint="give the tokens of this text",
            )
        return np.array(begin, dtype=np.int64), np.array(end, dtype=np.int64)


def _decoded(data: bytes) -> tuple[str, bytes]:
    """The text of UTF-8 bytes, and no bytes; or, if a character is incomplete, no text and the bytes."""
    try:
        return data.decode(), b""
    except UnicodeDecodeError:
        return "", data


def fold_text(text: str) -> tuple[str, list[int]]:
    """A text as tokenizers may normalize it: NFKD, folded case, without accents and spaces.

    Returns it, and for each of its characters the position in `text` of the character that it comes from.

    >>> fold_text("Ça ½"), fold_text("ς")
    (('ca1⁄2', [0, 1, 3, 3, 3]), ('σ', [0]))
    """
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for one in unicodedata.normalize(
            "NFKD", unicodedata.normalize("NFKD", character).casefold()
        ):
            if unicodedata.category(one) not in ("Mn", "Zs", "Cf"):
                characters.append(one)
                places.append(place)
    return "".join(characters), places


def styled(cut: Segmentation, sentences: Sentences, style: str) -> Iterator[str]:
    """The lines of a segmentation in a style, one of `MARKINGS`; words in the case in which they were
    segmented.

    >>> cut = Segmentation.from_words([["go"]])
    >>> list(styled(cut, [["go"]], "</w>"))
    ['go</w>']
    """
    for s, words in enumerate(sentences):
        tokens = cut.sentence(s)
        line = " ".join(tokens)
        if style == BOUNDARY and _spells(line, words):
            yield line
        else:
            marked = (
                token
                for word, own in zip(words, _by_word(cut, s, tokens, len(words)), strict=True)
                for token in _marked(_spelled(own, word), style)
            )
            yield " ".join(marked)


def _spells(line: str, words: Sequence[str]) -> bool:
    """Whether the tokens spell the words unchanged, with `▁` between words."""
    return line.replace(" ", "").removeprefix(BOUNDARY).split(BOUNDARY) == list(words)


def _by_word(cut: Segmentation, s: int, tokens: list[str], words: int) -> list[list[str]]:
    """The tokens of each word of a sentence."""
    rows = slice(cut.offsets[s], cut.offsets[s + 1])
    found: list[list[str]] = [[] for _ in range(words)]
    for token, first, last in zip(
        tokens, cut.first[rows].tolist(), cut.last[rows].tolist(), strict=True
    ):
        if last > first:
            message = f"the token {token!r} is of several words, which --style cannot say"
            raise InputError(message, hint="segment with --spaces yes, or leave --style out")
        if last == first:
            found[first].append(token)
    return found


def _spelled(tokens: list[str], word: str) -> list[str]:
    """The tokens of a word without their marks."""
    bare = [unmarked(token) for token in tokens]
    continued = [*bare[:1], *(token.removeprefix(_CONTINUES) for token in bare[1:])]
    for parts in (bare, continued):
        if "".join(parts) == word:
            return [part for part in parts if part]
    message = f"the tokens {' '.join(tokens)!r} do not spell the word {word!r}"
    hint = "tokens of bytes, unknown ones and those of normalized text have no --style"
    raise InputError(message, hint=hint)


def _marked(parts: list[str], style: str) -> list[str]:
    """The parts of a word with the style's mark."""
    first, last = parts[0], parts[-1]
    if (style == _CONTINUED and last.endswith(style)) or (
        style == _CONTINUES and first.startswith(style)
    ):
        message = f"{''.join(parts)!r} has the mark {style} in its own text"
        raise InputError(message, hint="take another --style")
    if style == _CONTINUED:
        return [*(part + style for part in parts[:-1]), last]
    if style == _CONTINUES:
        return [first, *(style + part for part in parts[1:])]
    if style == WORD_END:
        return [*parts[:-1], last + style]
    return [style + first, *parts[1:]]

"""A text that was tokenized elsewhere, one sentence per line, tokens separated by spaces.

The user names the mark by which tokens can be joined to words again: `@@` ends a token that does not end
its word (subword-nmt), `##` begins a token that does not begin its word (BERT), `▁` stands before a word, as
a token or as part of one (sentencepiece), `</w>` ends a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.text import read_tokens
from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError, one_line
from seggrid.segment.bytelevel import named_byte
from seggrid.segment.token_offsets import (
    CodePoints,
    TypeTexts,
    fold_text,
    overlapped_words,
    spelled_words,
)


@dataclass(frozen=True)
class MarkedText:
    """The tokens of a text's sentences, with their marks.

    Attributes:
        lines: the tokens of each sentence.
        marking: one of `seggrid.segment.external.MARKINGS`.
    """

    lines: Sequence[list[str]]
    marking: str
    file: str | Path = ""
    bpe = unigram = decodes = False

    @classmethod
    def read(cls, path: str | Path, marking: str) -> MarkedText:
        """Read a tokenized text."""
        return cls(read_tokens(path), marking, path)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def vocabulary(self) -> None:
        """None: a text does not declare a vocabulary."""
        return None

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
        number: dict[str, int] = {}
        flat = [number.setdefault(t, len(number)) for t in chain.from_iterable(self.lines)]
        ids = np.array(flat, dtype=np.int32)
        counts = np.array(list(map(len, self.lines)), dtype=np.int64)
        own = [self.bare(token) for token in number]
        lines = [" ".join(words) for words in sentences]
        text = CodePoints.from_lines(lines)
        first, last, right = spelled_words(text, TypeTexts.from_texts(own), ids, counts, -1)
        boundary = np.array([not token for token in own], dtype=np.bool_)[ids]
        offsets = offsets_of(counts)
        for s in np.flatnonzero(~right).tolist():
            rows = slice(offsets[s], offsets[s + 1])
            text = CodePoints.from_lines([lines[s]])
            places = self._folded_offsets(s, lines[s])
            words = overlapped_words(text, counts[s : s + 1], *places, boundary[rows])
            first[rows], last[rows] = words
        return Segmentation(list(number), ids, offsets, first, last)

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        """Refused: the tokens say nothing of other words."""
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
        """The bytes of a type."""
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
    """Decode UTF-8 bytes that may end within a character.

    Returns:
        The text, and no bytes; or, if a character is incomplete, no text and the bytes.
    """
    try:
        return data.decode(), b""
    except UnicodeDecodeError:
        return "", data

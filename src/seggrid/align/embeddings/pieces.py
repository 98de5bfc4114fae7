"""Map the tokens of a segmentation to pieces of an encoder's vocabulary.

A token that the vocabulary has in the form for its position in the word (initial or not) is one
piece; any other token is cut by the encoder's tokenizer. A token that is only a boundary marker has no piece.
Whole words are always cut by the tokenizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.ragged import offsets_of, ragged_rows
from seggrid.text.segmentation import Segmentation

_CONTINUES = "##"


class Pieces:
    """The vocabulary and the fast tokenizer of an encoder. If the vocabulary marks neither pieces that begin
    a word (`▁`, SentencePiece) nor pieces that continue one (`##`, WordPiece), every token is cut by the
    tokenizer."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        # A word with the spelling of a special token is not a special token.
        self._special = dict.fromkeys(tokenizer.all_special_ids, tokenizer.unk_token_id)
        self._ids = dict(tokenizer.get_vocab())
        for special in tokenizer.all_special_tokens:
            self._ids.pop(special, None)
        self._pieces = dict(zip(self._ids.values(), self._ids, strict=True))
        self._prefix, self._continues = "", ""
        if any(piece.startswith(_CONTINUES) for piece in self._ids):
            self._continues = _CONTINUES
        elif BOUNDARY in self._ids:
            self._prefix = BOUNDARY

    def cut(
        self, tokens: Segmentation
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """The first piece of each sentence, shape (S + 1,); the id of each piece, shape (P,); and the index,
        within its sentence, of each piece's token."""
        marked = any(BOUNDARY in text or text.endswith(WORD_END) for text in tokens.types)
        begins = begin_words(tokens)
        # Each type up to twice: at the beginning of a word, and inside one.
        both, kinds = np.unique(2 * tokens.ids.astype(np.int64) + begins, return_inverse=True)
        own = [text.removesuffix(WORD_END) for text in tokens.types]
        texts = [(own[kind >> 1], bool(kind & 1)) for kind in both.tolist()]
        cut = self.cut_types(texts, marked)
        starts = offsets_of(list(map(len, cut)))
        flat = np.array([piece for pieces in cut for piece in pieces], dtype=np.int32)
        lengths = np.diff(starts)[kinds]
        token = np.arange(len(kinds)) - np.repeat(tokens.offsets[:-1], tokens.lengths)
        ends = np.append(0, np.cumsum(lengths))
        return (
            ends[tokens.offsets].astype(np.int64),
            flat[ragged_rows(starts, kinds)],
            np.repeat(token, lengths).astype(np.int32),
        )

    def cut_types(self, tokens: Sequence[tuple[str, bool]], marked: bool = True) -> list[list[int]]:
        """The ids of the pieces of each token."""
        found = [self._find(text, begins) if marked else None for text, begins in tokens]
        others = [k for k, piece in enumerate(found) if piece is None]
        words = [list(filter(None, tokens[k][0].split(BOUNDARY))) for k in others]
        cut = iter(
            self._tokenizer(
                [text for text in words if text],
                is_split_into_words=True,
                add_special_tokens=False,
                return_attention_mask=False,
            )["input_ids"]
            if any(words)
            else ()
        )
        result = [[] if piece is None else [piece] for piece in found]
        for k, text in zip(others, words, strict=True):
            if text:
                pieces = [self._special.get(piece, piece) for piece in next(cut)]
                result[k] = pieces if tokens[k][1] else self._continuing(pieces)
        return result

    def _find(self, text: str, begins: bool) -> int | None:
        """The id of the piece that is equal to the token; None if there is none."""
        plain = text.removeprefix(BOUNDARY)
        if plain and self._prefix:
            return self._ids.get(self._prefix + plain if begins else plain)
        if plain and self._continues and BOUNDARY not in plain:
            return self._ids.get(plain if begins else self._continues + plain)
        return None

    def _continuing(self, pieces: list[int]) -> list[int]:
        """Replace the pieces of a string, which was cut as if it began a word, by pieces inside a word."""
        if not pieces or not (self._prefix or self._continues):
            return pieces
        first = self._pieces.get(pieces[0], "")
        if self._prefix and first == self._prefix:
            return pieces[1:]
        within = first.removeprefix(self._prefix) if self._prefix else self._continues + first
        return [self._ids.get(within, pieces[0]), *pieces[1:]]


def begin_words(tokens: Segmentation) -> NDArray[np.bool_]:
    """Whether each token begins a word, shape (T,)."""
    begins = tokens.first > np.append(-1, tokens.last[:-1])
    begins[tokens.offsets[:-1][tokens.lengths > 0]] = True
    return begins

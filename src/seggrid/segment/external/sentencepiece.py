"""Models of sentencepiece, from their `.model`.

A token is what the library's `encode` gives. The library also draws the samples: of a BPE by dropout, of a
unigram language model by subword regularization.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.extras import check_installed
from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bytelevel import named_byte
from seggrid.segment.external.by_word import distinct_words, segment_distinct
from seggrid.segment.sampling import Sampling, parse_sampling
from seggrid.segment.token_offsets import (
    CodePoints,
    MappedTokens,
    TypeTexts,
    join_parts,
    overlapped_words,
    spelled_words,
)

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_LINES = 10_000
"""Number of lines in one call of the library."""
_SEEDS = 2**32 - 1
"""The library takes seeds below this number."""
_UNIGRAM, _BPE = 1, 2

Encode = Callable[[list[str], type | str], list[Any]]
"""A call of the library, with lines and the type of the result."""


class SentencePiece:
    """A model of sentencepiece.

    Args:
        data: content of its file.
        file: its file, for messages.

    Attributes:
        bpe, unigram: whether the model is of this kind; both kinds can be sampled from.
        unknown: the type that stands for unknown text.

    Raises:
        InputError: the content is not such a model, or the library is not installed.
    """

    def __init__(self, data: bytes, file: str | Path = "") -> None:
        needed = ("sentencepiece", "google.protobuf")
        check_installed("tokenizers", *needed, user="a model of sentencepiece")
        self._library = import_module("sentencepiece")
        self._file = file
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
        spelled = [text.replace(BOUNDARY, "") for text in self._texts]
        self._boundary = np.array([not text for text in spelled], dtype=np.bool_)
        # Pieces of other kinds (unknown, control, byte) have a name instead of text.
        kind = proto.SentencePiece
        plain = (kind.NORMAL, kind.USER_DEFINED)
        named = [piece.type not in plain for piece in proto.pieces]
        # They must never match: no sentence has a line end, so text with one does not.
        self._spelling = TypeTexts.from_texts(
            ["\n" if is_name else text for is_name, text in zip(named, spelled, strict=True)]
        )
        self._unknown = self._processor.unk_id()
        # In that case no token has parts of two words. (Not so for a unigram model: it adds up the scores of
        # a whole sentence, so that rounding depends on the words before.)
        trained, normalized = proto.trainer_spec, proto.normalizer_spec
        self._is_local = (
            self.bpe
            and trained.split_by_whitespace
            and normalized.add_dummy_prefix
            and normalized.escape_whitespaces
            and normalized.name != "user_defined"
            and not trained.treat_whitespace_as_suffix
            and not any(BOUNDARY in text[1:] for text in self._texts)
        )

    @classmethod
    def read(cls, path: str | Path) -> SentencePiece:
        """Read a `.model`.

        Raises:
            InputError: the file cannot be read, and the errors of the class.
        """
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

    def decode(self, lines: Sequence[Sequence[str]]) -> list[str]:
        """The text that each line of tokens spells."""
        texts: list[str] = self._processor.DecodePieces([list(line) for line in lines])
        return texts

    def segment(self, sentences: Sentences, separator: str = " ") -> Segmentation:
        """Tokenize each sentence, its words joined by a separator.

        Raises:
            InputError: a sentence has no token.
        """

        def encode(lines: list[str], kind: type | str) -> list[Any]:
            encoded: list[Any] = self._processor.Encode(lines, out_type=kind, num_threads=1)
            return encoded

        words = None
        if self._is_local and separator == " " and all(sentences):
            words = distinct_words(sentences, False)
        if words is None:
            return self._segment(sentences, separator, encode)
        ids, counts = _flat(encode(words.words, int))
        return segment_distinct(words, self._texts, ids, counts, self._boundary, self._file)

    def draw(
        self,
        sentences: Sentences,
        sampling: Sampling | None,
        seeds: Sequence[int],
        separator: str = " ",
    ) -> list[Segmentation]:
        """Call `sample` once for each seed; without sampling, call `segment` once."""
        if sampling is None:
            return [self.segment(sentences, separator)]
        return [self.sample(sentences, sampling, seed, separator) for seed in seeds]

    def draw_words(
        self, words: Sequence[str], sampling: Sampling | None, seeds: Sequence[int]
    ) -> list[Segmentation]:
        """Like `draw`, but tokenize each word by itself and map its tokens to its characters."""
        return self.draw([list(word) for word in words], sampling, seeds, separator="")

    def sample(
        self, sentences: Sentences, sampling: Sampling, seed: int, separator: str = " "
    ) -> Segmentation:
        """Like `segment`, but draw the tokens at random.

        Args:
            sentences, separator: as for `segment`.
            sampling: α and the number of best segmentations to draw from; for a BPE, α is the rate of
                dropout.
            seed: seed of the random numbers.
        """

        def encode(lines: list[str], kind: type | str) -> list[Any]:
            drawn = {"enable_sampling": True, "alpha": sampling.alpha}
            best = sampling.best or -1
            return [
                self._processor.Encode(line, out_type=kind, nbest_size=best, **drawn)
                for line in lines
            ]

        # The library seeds the generator of a thread when the thread first draws, so each sample gets a
        # thread.
        self._library.set_random_generator_seed(seed % _SEEDS)
        results: list[Segmentation] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                results.append(self._segment(sentences, separator, encode, ids=False))
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    def _segment(
        self,
        sentences: Sentences,
        separator: str,
        encode: Encode,
        ids: bool = True,
    ) -> Segmentation:
        """Encode lines in parts and map their tokens to words.

        Args:
            sentences, separator: as for `segment`.
            encode: calls the library.
            ids: whether to ask for ids first, and for offsets only in sentences that the tokens do not spell.
                This is faster, but not possible for random tokens: the second call would draw others.
        """
        place = self._by_spelling if ids else self._by_offsets
        parts = []
        for k in range(0, len(sentences), _LINES):
            lines = [separator.join(words) for words in sentences[k : k + _LINES]]
            parts.append(place(lines, separator, encode))
        return join_parts(self._texts, parts, self._file)

    def _by_spelling(self, lines: list[str], separator: str, encode: Encode) -> MappedTokens:
        """Map tokens to words by the texts of tokens; in sentences that these do not spell, by offsets."""
        ids, counts = _flat(encode(lines, int))
        text = CodePoints.from_lines(lines, separator)
        first, last, right = spelled_words(text, self._spelling, ids, counts, self._unknown)
        wrong = np.flatnonzero(~right)
        if len(wrong):
            again = self._by_offsets([lines[s] for s in wrong.tolist()], separator, encode)
            rows = ragged_rows(offsets_of(counts), wrong)
            first[rows], last[rows] = again.first, again.last
        return MappedTokens(ids, counts, first, last)

    def _by_offsets(self, lines: list[str], separator: str, encode: Encode) -> MappedTokens:
        # A piece is valid only as long as its line exists.
        found = [
            [(piece.id, piece.begin, piece.end) for piece in line.pieces]
            for line in encode(lines, "immutable_proto")
        ]
        rows, counts = _flat([list(chain.from_iterable(line)) for line in found])
        ids = rows[::3].copy()
        begin, end = rows[1::3].astype(np.int64), rows[2::3].astype(np.int64)
        counts //= 3
        text = CodePoints.from_lines(lines, separator)
        words = overlapped_words(text, counts, begin, end, self._boundary[ids])
        return MappedTokens(ids, counts, *words)


def sampling_of(side: Side) -> Sampling | None:
    """The sampling that a side asks for: dropout of a BPE, or sampling from a unigram model; None for
    neither."""
    return Sampling(float(side.dropout)) if side.dropout else parse_sampling(side.sampling)


def _flat(numbers: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The ids of all lines, and how many each line has. (The library could return arrays, but is slower.)"""
    counts = np.fromiter(map(len, numbers), dtype=np.int64, count=len(numbers))
    ids = np.fromiter(chain.from_iterable(numbers), dtype=np.int32, count=int(counts.sum()))
    return ids, counts

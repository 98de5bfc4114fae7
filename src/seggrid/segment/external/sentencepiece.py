"""sentencepiece (Kudo and Richardson 2018): models from their `.model`, and the library's own learners.

A token is what the library's `encode` gives. The library also draws the samples: of a BPE by dropout, of a
unigram language model by subword regularization. It runs on one thread, since the rounding of sums depends on
the number of threads.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from seggrid.base.errors import InputError
from seggrid.base.extras import check_installed, import_installed
from seggrid.segment.by_word import Mapped, is_ordinary
from seggrid.segment.byte_level import named_byte
from seggrid.segment.segmenter import Library
from seggrid.segment.token_offsets import LINES, Encoding, Ints, OffsetTokenizer
from seggrid.segment.trie import trie_of
from seggrid.segment.unigram_kernels import has_rivals, lattices
from seggrid.segment.variants import Sampling
from seggrid.text.boundary import BOUNDARY, unmarked
from seggrid.text.ragged import code_points, each_block, offsets_of, ragged_rows
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.words import Words

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_SEEDS = 2**32 - 1
"""The library takes seeds below this number."""
_UNIGRAM, _BPE = 1, 2

_PIECES = "immutable_proto"
_SAMPLING = threading.Lock()

_UNKNOWN = 10.0
"""By how much the library takes an unknown character to be less probable than the rarest type."""
_MARGIN, _LONGEST_WORD, _LARGEST_SUM = 0.05, 32, 2.0**14
"""The library's sums are 32-bit floats, which below 2^14 are rounded by at most 2^-11. Two segmentations of a
word of 32 characters are sums of at most 64 types: roundings change their difference by less than this
margin."""

_LONGEST = 10**6
"""The most bytes of a sentence of which a model is learned; the library ignores longer ones."""


class SentencePiece(OffsetTokenizer):
    """A model of sentencepiece, of the kind `bpe` or `unigram`, which can be sampled from, or of another;
    `unknown` is the type that stands for unknown text."""

    decodes = True
    _drawn: dict[str, Any] | None = None
    _seed = 0

    def __init__(self, data: bytes, file: str | Path = "") -> None:
        needed = ("sentencepiece", "google.protobuf")
        check_installed("tokenizers", *needed, user="a model of sentencepiece")
        self._library = import_module("sentencepiece")
        self.file, self.data = file, data
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
            specs = (proto.normalizer_spec, proto.denormalizer_spec)
            replaced, back = (_replaced(spec.precompiled_charsmap) for spec in specs)
            if replaced is None or back is None:
                raise InputError("a damaged table of characters", file=file, hint=hint)
            self._processor.LoadFromSerializedProto(data)
        except InputError:
            raise
        except Exception as error:
            message = f"not a model of sentencepiece: {error}"
            raise InputError(message, file=file, hint=hint) from None
        self.bpe = proto.trainer_spec.model_type == _BPE
        self.unigram = proto.trainer_spec.model_type == _UNIGRAM
        self.types = [piece.piece for piece in proto.pieces]
        self.unknown = self.types[self._processor.unk_id()]
        self.boundary = np.array([not text.replace(BOUNDARY, "") for text in self.types])
        # How many words a type begins, and whether it begins with one; types whose marks do not count words.
        self._marks = np.array([text.count(BOUNDARY) for text in self.types])
        self._begins = np.array([text.startswith(BOUNDARY) for text in self.types])
        self._odd = np.array([f"{text}{BOUNDARY}".count(BOUNDARY * 2) > 0 for text in self.types])
        self._odd &= self._marks > self._begins
        # Merges stay within words if no type has parts of two, nor do unknown characters meet.
        crosses = any({" ", BOUNDARY}.intersection(text.lstrip(BOUNDARY)) for text in self.types)
        is_known = BOUNDARY in self.types and ord(" ") not in replaced
        # Otherwise a word at the start of a text is cut as one after a space.
        self._needs_neighbours = not proto.normalizer_spec.add_dummy_prefix
        self._is_suffix = proto.trainer_spec.treat_whitespace_as_suffix
        kinds = proto.SentencePiece
        plain = {kinds.NORMAL, kinds.UNKNOWN, kinds.CONTROL, kinds.BYTE}
        normal = (piece for piece in proto.pieces if piece.type == kinds.NORMAL)
        self._log_p = {piece.piece: piece.score for piece in normal}
        self._unknown = min(self._log_p.values(), default=0.0) - _UNKNOWN
        is_plain = plain.issuperset(piece.type for piece in proto.pieces)
        alone = is_plain and not self._needs_neighbours and not self._is_suffix
        alone &= proto.normalizer_spec.escape_whitespaces
        self.local = (self.bpe or (self.unigram and alone)) and is_known and not crosses
        if self.unigram:
            self.longest = _LARGEST_SUM / -self._unknown

    @classmethod
    def read(cls, path: str | Path) -> SentencePiece:
        try:
            return cls(Path(path).read_bytes(), path)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from None

    def spelled(self, text: str) -> bytes:
        return named_byte(text) or text.encode()

    def decode(self, tokens: Sequence[Sequence[str]], lines: Sequence[str]) -> list[str]:
        """The text that the tokens of each line spell. One that is no type, such as a word of a glossary, is
        cut first."""
        known, parts = self.vocabulary, partial(self._processor.Encode, out_type=str)
        pieces = [
            list(chain(*([token] if token in known else parts(unmarked(token)) for token in line)))
            for line in tokens
        ]
        texts: list[str] = self._processor.DecodePieces(pieces)
        return texts

    def drawing(self, sampling: Sampling, seed: int) -> SentencePiece:
        """The tokenizer that draws its tokens with a seed; for a BPE, at a rate of dropout."""
        own = copy(self)
        settings = {"alpha": float(sampling.amount), "nbest_size": sampling.limit or -1}
        own._drawn, own._seed = {"enable_sampling": True, **settings}, seed
        own.local = False  # each occurrence of a word is drawn
        return own

    def segment(self, sentences: Sentences, threads: int = 1, separator: str = " ") -> Segmentation:
        return self._seeded(super().segment, sentences, threads, separator)

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        if self._needs_neighbours:
            return self._seeded(super().segment_words, words)
        return self.segment([list(word) for word in words], separator="")

    def _seeded(self, segment: Callable[..., Segmentation], *text: Any) -> Segmentation:
        """Segment; if tokens are drawn, with the library's generator seeded.

        The library seeds the generator of a thread when the thread first draws, with the last seed of the
        process; so each sample gets a thread, and samples are drawn one at a time.
        """
        if self._drawn is None:
            return segment(*text)
        from concurrent.futures import ThreadPoolExecutor

        with _SAMPLING, ThreadPoolExecutor(1) as pool:
            self._library.set_random_generator_seed(self._seed % _SEEDS)
            return pool.submit(segment, *text).result()

    def cut(self, words: Sequence[str], at_start: bool) -> tuple[Ints, Ints] | None:
        """Of a unigram language model, as a sentence each; not where two segmentations are nearly as
        probable as each other, since the rounding of the whole sentence's sums then chooses one."""
        if not self.unigram or not words:
            return None
        encoded = self._processor.Encode(list(words), out_type=int, num_threads=1)
        counts = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        ids = np.fromiter(chain.from_iterable(encoded), dtype=np.int32)
        texts = self._processor.Normalize(list(words))
        codes, symbols = np.unique(code_points("".join(texts)), return_inverse=True)
        letters = list(map(chr, codes.tolist()))
        trie, longer = trie_of(self._log_p, letters, None)
        log_p = np.array([self._log_p.get(text, self._unknown) for text in (*letters, *longer)])
        sizes = np.array(list(map(len, texts)), dtype=np.int64)
        offsets = offsets_of(sizes)
        arcs = lattices(symbols, offsets, trie.table, trie.longest)
        # A text that normalization makes longer would not be as long as the sentence says.
        most = np.minimum(np.array(list(map(len, words))) + 1, _LONGEST_WORD)
        sure = ~has_rivals(arcs, offsets, log_p, _MARGIN) & (sizes <= most)
        return ids[np.repeat(sure, counts)], counts * sure

    def _tokenized(
        self, sentences: Sentences, threads: int = 1, separator: str = " "
    ) -> list[Mapped]:
        """As by offsets; but the marks in pieces count words if they are as many as the words of a sentence,
        all ordinary, since to read objects of pieces takes as long as to cut."""
        if self._drawn is not None or separator != " " or self._is_suffix:
            return super()._tokenized(sentences, threads, separator)
        text = Words.of(sentences)
        odd = np.array([not is_ordinary(word) for word in text.types], dtype=np.bool_)
        # A mark is put before a sentence, or its first word has none.
        marks = text.lengths - self._needs_neighbours
        marks[np.diff(offsets_of(odd[text.ids])[text.offsets]) > 0] = -1
        parts: list[Mapped] = []
        for block, end in each_block(len(text), LINES):
            lines = list(map(" ".join, sentences[block:end]))
            encoded = self._processor.Encode(lines, out_type=int, num_threads=1)
            counts = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
            ids = np.fromiter(chain.from_iterable(encoded), dtype=np.int32)
            offsets, begun = offsets_of(counts), offsets_of(self._marks[ids])
            last = begun[1:] - np.repeat(begun[offsets[:-1]], counts) - 1 + self._needs_neighbours
            first = last - self._marks[ids] + self._begins[ids]
            last -= self.boundary[ids]
            strange = np.diff(offsets_of(self._odd[ids])[offsets]) > 0
            wrong = np.flatnonzero(strange | (np.diff(begun[offsets]) != marks[block:end]))
            if len(wrong):
                rows = ragged_rows(offsets, wrong)
                ((_, first[rows], last[rows], _),) = super()._tokenized(text.take(block + wrong))
            parts.append((ids, first.astype(np.int32), last.astype(np.int32), counts))
        return parts

    def encode(self, lines: list[str], threads: int = 1) -> Encoding:
        encode = partial(self._processor.Encode, out_type=_PIECES)
        if self._drawn is None:
            encoded = encode(lines, num_threads=1)
        else:
            encoded = [encode(line, **self._drawn) for line in lines]
        # A piece is valid only as long as its line exists.
        found = [[(piece.id, piece.begin, piece.end) for piece in line.pieces] for line in encoded]
        counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        rows = np.fromiter(chain.from_iterable(chain.from_iterable(found)), dtype=np.int64)
        ids, begin, end = rows.reshape(-1, 3).T
        return ids.astype(np.int32), counts, begin, end


def _replaced(table: bytes) -> set[int] | None:
    """The bytes of the texts that a `precompiled_charsmap` replaces; None if it cannot be read without
    leaving it, which the library does not check.

    It is the size of a trie in bytes, the trie (a double array of Darts-clone: 32-bit units), and texts that
    end in a zero byte, at whose offsets the values of the trie point.
    """
    if not table:
        return set()
    size = int.from_bytes(table[:4], "little")
    if len(table) < 8 or size % 4 or not 0 < size <= len(table) - 5 or table[-1]:
        return None
    units = np.frombuffer(table, dtype="<u4", count=size // 4, offset=4)
    offset = (units >> 10) << ((units & 0x200) >> 6)
    bytes_ = np.arange(256, dtype=np.uint32)
    seen = np.zeros(len(units), dtype=np.bool_)
    nodes, found = np.zeros(1, dtype=np.uint32), np.zeros(256, dtype=np.bool_)
    while len(nodes):
        seen[nodes] = True
        bases = nodes ^ offset[nodes]
        if (bases | 0xFF).max() >= len(units):
            return None
        values = units[bases[(units[nodes] >> 8) & 1 > 0]] & 0x7FFFFFFF
        if len(values) and values.max() >= len(table) - 4 - size:
            return None
        children = bases[:, None] ^ bytes_[None, 1:]
        is_child = units[children] & 0x800000FF == bytes_[None, 1:]
        found[1:] |= is_child.any(axis=0)
        reached = np.unique(children[is_child])
        nodes = reached[~seen[reached]]
    return set(np.flatnonzero(found).tolist())


class SentencePieceBPE(Library):
    """A `.model` that the library learned."""

    name = "sentencepiece_bpe"
    label = "sentencepiece BPE"
    axes = ("spaces", "joint", "vocabulary", "merges", "dropout")
    learns = True
    nested = False
    requires = ("sentencepiece", "google.protobuf")
    kind: ClassVar[str] = "bpe"
    """The library's name of the model."""

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Self:
        """Learn a vocabulary of `size` types besides single characters, fewer if the text has fewer.

        All settings are the library's defaults, except that text is not normalized and rare characters are
        kept.
        """
        user = "the segmenter sentencepiece"
        library = import_installed("tokenizers", "sentencepiece", user=user)
        file = io.BytesIO()
        try:
            library.SentencePieceTrainer.train(
                sentence_iterator=(" ".join(words) for words in sentences),
                model_writer=file,
                model_type=cls.kind,
                vocab_size=size + cls.alphabet_size(sentences, side),
                hard_vocab_limit=False,
                character_coverage=1.0,
                normalization_rule_name="identity",
                split_by_whitespace=bool(side.spaces),
                max_sentence_length=_LONGEST,
                bos_id=-1,
                eos_id=-1,
                num_threads=1,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise InputError(
                f"sentencepiece learns no model: {error}", hint="ask for fewer types"
            ) from None
        return cls(SentencePiece(file.getvalue()))

    @classmethod
    def alphabet_size(cls, sentences: Sentences, side: Side) -> int:
        """The number of types that each model of a text has: its characters, `▁` and the unknown token."""
        return len(set(chain.from_iterable(chain.from_iterable(sentences)))) + 2

    @classmethod
    def read(cls, path: str | Path) -> Self:
        return cls(SentencePiece.read(path))

    @property
    def learned(self) -> int:
        """The number of types besides single characters and the unknown token."""
        return sum(len(text) > 1 for text in self.tokenizer.vocabulary) - 1

    def types(self, side: Side) -> set[str]:
        return {text for text in self.tokenizer.vocabulary if len(text) > 1}


class SentencePieceUnigram(SentencePieceBPE):
    """The same for a unigram language model."""

    name = "sentencepiece_unigram"
    label = "sentencepiece Unigram"
    axes = ("spaces", "joint", "vocabulary", "merges", "sampling")
    kind = "unigram"

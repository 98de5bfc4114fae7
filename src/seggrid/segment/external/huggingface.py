"""Tokenizers of Hugging Face's `tokenizers`, from their `tokenizer.json`.

A token is what the library's `encode` gives, without special tokens at the ends, truncation, padding or
dropout (which the library cannot seed).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.errors import InputError, one_line
from seggrid.base.extras import import_installed, variable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import (
    THREADS,
    byte_symbols,
    bytes_of,
    divide_words,
    named_byte,
    pretokens,
)
from seggrid.segment.formats.locality import is_local, mark_of_spaces, parts_of, pattern_of
from seggrid.segment.formats.merge_lines import unspelled
from seggrid.segment.formats.tokenizer_json import SPLIT_AT_SPACES, parse_tokenizer
from seggrid.segment.own import OwnModel
from seggrid.segment.token_offsets import Encoding, Ints, OffsetTokenizer
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of, ragged_rows
from seggrid.text.segmentation import Sentences

_BYTE_SPACE = "Ġ"


class HuggingFace(OffsetTokenizer):
    """A tokenizer of Hugging Face's `tokenizers`; `unknown` is the type that stands for unknown text, if
    any."""

    bpe = unigram = False
    decodes = True

    def __init__(self, text: str, content: Mapping[str, Any], file: str | Path = "") -> None:
        library = import_installed("tokenizers", "tokenizers", user="a tokenizer.json")
        tokenizer = library.Tokenizer.from_str(text)
        self.data = text.encode()
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if content["model"].get("dropout"):
            tokenizer.model.dropout = None
        self._tokenizer = tokenizer
        self.file = file
        # Ids may be far apart, so types are numbered in the order of their ids.
        vocabulary = tokenizer.get_vocab(with_added_tokens=True)
        texts = {id: text.replace(" ", BOUNDARY) for text, id in vocabulary.items()}
        if len(texts) < len(vocabulary):
            texts = {id: (tokenizer.id_to_token(id) or "").replace(" ", BOUNDARY) for id in texts}
        self._ids = np.array(sorted(texts), dtype=np.int64)
        self.types = [texts[id] for id in self._ids.tolist()]
        parts = [p for key in ("pre_tokenizer", "normalizer") for p in parts_of(content.get(key))]
        is_byte_level = any(part.get("type") == "ByteLevel" for part in parts)
        marks = {BOUNDARY, *"".join(map(mark_of_spaces, parts)), *_BYTE_SPACE * is_byte_level}
        self.boundary = np.array(
            [bool(text) and set(text) <= marks for text in self.types], dtype=np.bool_
        )
        self._added = [token["content"] for token in content.get("added_tokens") or []]
        added = list(map(tokenizer.token_to_id, self._added))
        self.added = np.searchsorted(self._ids, np.array(added, dtype=np.int64))
        self.local = is_local(content, self.types)
        self._pattern = pattern_of(content)
        model = content["model"]
        self._prefix = model.get("continuing_subword_prefix") or ""
        self._suffix = model.get("end_of_word_suffix") or ""
        self._longest = model.get("max_input_chars_per_word", math.inf)
        self._has_letters = not is_byte_level and model.get("type", "BPE") != "WordLevel"
        self.unknown: str | None = model.get("unk_token")
        if model.get("type") == "Unigram" and model.get("unk_id") is not None:
            self.unknown = model["vocab"][model["unk_id"]][0]
        # Added tokens are spelled as in the text.
        self._symbols = set(byte_symbols()) if is_byte_level else None

    def declared(self, sentences: Sentences) -> int:
        """The size of the vocabulary: single characters count as for models that are learned here, if the
        text has them, and so does the type for unknown text. Bytes are all types."""
        types = self.vocabulary
        if not self._has_letters:
            return len(types)
        symbols, longest = self._symbols_of(sentences)
        prefix, suffix = self._prefix, self._suffix
        single = {t for t in types if len(t.removeprefix(prefix).removesuffix(suffix)) == 1}
        known = symbols <= types and longest <= self._longest
        return len(types - (single - symbols) - ({self.unknown} if known else set()))

    def _symbols_of(self, sentences: Sentences) -> tuple[set[str], int]:
        """The characters of a text as the model gets them, with its marks; and the most in a pretoken."""
        normalizer, cutter = self._tokenizer.normalizer, self._tokenizer.pre_tokenizer
        pretokens: set[str] = set()
        for words in sentences:
            line = " ".join(words)
            line = normalizer.normalize_str(line) if normalizer else line
            parts = cutter.pre_tokenize_str(line) if cutter else [(line, (0, 0))]
            pretokens.update(text.replace(" ", BOUNDARY) for text, _ in parts)
        symbols: set[str] = set()
        for text in filter(None, pretokens):
            own = [text[0], *(self._prefix + letter for letter in text[1:])]
            own[-1] += self._suffix
            symbols.update(own)
        return symbols, max(map(len, pretokens), default=0)

    def as_learned(self) -> OwnModel | None:
        """Merges of characters within words, or a WordPiece, that text between spaces is cut by."""
        from seggrid.segment.wordpiece import WordPiece

        content = json.loads(self.data)
        try:
            if content["model"].get("type") != "WordPiece":
                own = parse_tokenizer(content, self.file)
                return OwnModel.of(own, self.file) if isinstance(own, BPEModel) else None
        except InputError:
            return None
        if content.get("normalizer") or content.get("pre_tokenizer") != SPLIT_AT_SPACES:
            return None
        types = [unspelled(text, self._prefix) for text in self.types if text != self.unknown]
        long = {text: 0 for text in types if len(text.removeprefix(BOUNDARY)) > 1}
        return OwnModel.of(WordPiece(long), self.file)

    def spelled(self, text: str) -> bytes:
        if self._symbols is None:
            return named_byte(text) or text.encode()
        if text in self._added or not self._symbols.issuperset(text):
            return text.encode()
        return bytes_of(text)

    def decode(self, tokens: Sequence[Sequence[str]], lines: Sequence[str]) -> list[str]:
        """The texts that the tokens of lines spell, without special tokens.

        The lines are cut again, since two ids may have the same text.
        """
        texts: list[str] = self._tokenizer.decode_batch(
            [encoding.ids for encoding in self._encoded(lines)], skip_special_tokens=True
        )
        return texts

    def encode(self, lines: list[str], threads: int = 1) -> Encoding:
        return self._tokens_of(self._encoded(lines, threads))

    def cut(self, words: Sequence[str], at_start: bool) -> tuple[Ints, Ints] | None:
        """By pretokens, each distinct one once; the library takes most of its time to find these."""
        text = " ".join(words)
        if self._pattern is None or any(added.strip() in text for added in self._added):
            return None
        pattern, prefix = self._pattern
        # All that a pattern asks of a letter: the libraries may know different versions of Unicode.
        probe = "".join(f" a{c}a A{c}Aa 1{c}1 -{c}- '{c}" for c in set(text))
        theirs = [
            probe[slice(*at)] for _, at in self._tokenizer.pre_tokenizer.pre_tokenize_str(probe)
        ]
        if pretokens(probe, pattern) != theirs:
            return None
        parts, places, offsets = divide_words(words, pattern, prefix if at_start else " ")
        symbols = dict(enumerate(byte_symbols()))
        spelled = [part.encode().decode("latin-1").translate(symbols) for part in parts]
        try:
            found = list(map(self._tokenizer.model.tokenize, spelled))
        except Exception:  # the library has no class of its own for it
            return None
        counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        ids = np.fromiter((token.id for tokens in found for token in tokens), dtype=np.int64)
        rows = ragged_rows(offsets_of(counts), places)
        return np.searchsorted(self._ids, ids)[rows], np.diff(offsets_of(counts[places])[offsets])

    def _encoded(self, lines: Sequence[str], threads: int = 1) -> list[Any]:
        """The library's encodings of lines."""
        try:
            with variable(THREADS, "true" if threads > 1 else "false"):
                return list(self._tokenizer.encode_batch(list(lines), add_special_tokens=False))
        except (KeyboardInterrupt, SystemExit):
            raise
        # A panic in the library's Rust code is a BaseException, not an Exception.
        except BaseException:
            raise self._failure(lines) from None

    def _tokens_of(self, encodings: list[Any]) -> Encoding:
        """What `encode` returns, of the library's encodings."""
        ids = np.fromiter(chain.from_iterable(e.ids for e in encodings), dtype=np.int64)
        types = np.searchsorted(self._ids, ids).astype(np.int32)
        counts = np.fromiter(map(len, encodings), dtype=np.int64, count=len(encodings))
        spans = chain.from_iterable(chain.from_iterable(e.offsets for e in encodings))
        begin, end = np.fromiter(spans, dtype=np.int64).reshape(-1, 2).T
        return types, counts, begin, end

    def _failure(self, lines: Sequence[str]) -> InputError:
        """The library's error for the first line that it cannot tokenize."""
        for line in lines:
            try:
                self._tokenizer.encode(line, add_special_tokens=False)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                return InputError(
                    f"cannot cut {one_line(line.strip(), 80)!r}: {error}",
                    file=self.file,
                    hint="give a tokenizer that has an unknown token",
                )
        return InputError("its library cannot cut the text", file=self.file)

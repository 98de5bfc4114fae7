"""Tokenizers of Hugging Face's `tokenizers`, from their `tokenizer.json`.

A token is what the library's `encode` gives, without special tokens at the ends, truncation, padding or
dropout (which the library cannot seed).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.extras import import_installed
from seggrid.base.json_file import parse_json
from seggrid.base.lines import read_utf8
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError, one_line
from seggrid.segment.bytelevel import byte_symbols, bytes_of, named_byte
from seggrid.segment.external.by_word import distinct_words, segment_distinct
from seggrid.segment.token_offsets import CodePoints, MappedTokens, join_parts, overlapped_words

MODELS = ("BPE", "WordPiece", "Unigram", "WordLevel")
_BYTE_SPACE = "Ġ"
# Normalizers whose effect on a character does not depend on text beyond the next space.
_LOCAL_NORMALIZERS = {
    *("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "BertNormalizer"),
}
_RESPACING = {"BertNormalizer", "StripAccents"}
"""Normalizers that delete whole words or put spaces around characters, so that there may be several spaces
in a row."""
_CUTS_AT_SPACES = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
_KEEPS_SPACES = {"NFC", "NFD", "Lowercase", "Strip"}
"""Normalizers that never put a space into a word. (NFKC turns `´` into a space and an accent.)"""
_SUFFIXES = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LOCAL_PATTERNS = {
    # GPT-2
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    # GPT-4 and Llama 3; Qwen 2, with single digits
    *(
        rf"{_SUFFIXES}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
        for digits in (r"\p{N}{1,3}", r"\p{N}")
    ),
}
"""Regular expressions whose matches have spaces only at their start, or consist of spaces."""
_LINES = 10_000
"""Number of lines in one call of the library."""


class HuggingFace:
    """A tokenizer of Hugging Face's `tokenizers`.

    Args:
        tokenizer: the library's tokenizer.
        content: the parsed content of its file.
        file: its file, for messages.

    Attributes:
        unknown: the type that stands for unknown text; None if there is none.
    """

    bpe = unigram = False

    def __init__(self, tokenizer: Any, content: Mapping[str, Any], file: str | Path = "") -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if content["model"].get("dropout"):
            tokenizer.model.dropout = None
        self._tokenizer = tokenizer
        self._file = file
        # Ids may be far apart, so types are numbered in the order of their ids.
        ids = sorted(set(tokenizer.get_vocab(with_added_tokens=True).values()))
        self._ids = np.array(ids, dtype=np.int64)
        self._texts = [(tokenizer.id_to_token(k) or "").replace(" ", BOUNDARY) for k in ids]
        is_byte_level = any(
            part.get("type") == "ByteLevel"
            for key in ("pre_tokenizer", "normalizer")
            for part in _parts(content.get(key))
        )
        marks = {BOUNDARY, _BYTE_SPACE} if is_byte_level else {BOUNDARY}
        self._boundary = np.array(
            [bool(text) and set(text) <= marks for text in self._texts], dtype=np.bool_
        )
        local = _is_local(content) or _merges_within_words(content, self._texts)
        # If the library itself puts a space before each text, words at the start of a sentence are cut like
        # others.
        self._before = " " if local and not _prepends(content) else ""
        self._added = [token["content"] for token in content.get("added_tokens") or []]
        self._is_local = local
        model = content["model"]
        self.unknown: str | None = model.get("unk_token")
        if model.get("type") == "Unigram" and model.get("unk_id") is not None:
            self.unknown = model["vocab"][model["unk_id"]][0]
        # Added tokens are spelled as in the text.
        self._symbols = set(byte_symbols()) if is_byte_level else None

    @classmethod
    def read(cls, path: str | Path) -> HuggingFace:
        """Read a `tokenizer.json`.

        Raises:
            InputError: the file is no such tokenizer, or the library is not installed.
        """
        library = import_installed("tokenizers", "tokenizers", user="a tokenizer.json")
        text = read_utf8(path, "give a tokenizer.json")
        content = parse_json(text, path)
        model = content.get("model") if isinstance(content, dict) else None
        hint = f"give a tokenizer.json whose model is of the type {', '.join(MODELS)}"
        if not isinstance(model, dict):
            raise InputError("not a tokenizer.json: it has no model", file=path, hint=hint)
        if model.get("type", "BPE") not in MODELS:
            shown = one_line(str(model["type"]), 40)
            raise InputError(
                f"a tokenizer.json of the unknown type {shown!r}", file=path, hint=hint
            )
        try:
            return cls(library.Tokenizer.from_str(text), content, path)
        except (KeyboardInterrupt, SystemExit):
            raise
        # A panic in the library's Rust code is a BaseException, not an Exception.
        except BaseException as error:
            raise InputError(f"not a tokenizer.json: {error}", file=path, hint=hint) from None

    @classmethod
    def parse(cls, text: str) -> HuggingFace:
        """The tokenizer from the text of a `tokenizer.json` that this package wrote."""
        library = import_installed("tokenizers", "tokenizers", user="a byte-level BPE")
        return cls(library.Tokenizer.from_str(text), json.loads(text))

    @property
    def vocabulary(self) -> set[str]:
        """The types."""
        return set(self._texts).difference([""])

    def spelled(self, text: str) -> bytes:
        """The bytes of a type."""
        if self._symbols is None:
            return named_byte(text) or text.encode()
        if text in self._added or not self._symbols.issuperset(text):
            return text.encode()
        return bytes_of(text)

    def decode(self, lines: Sequence[Sequence[str]]) -> list[str]:
        """The texts that lines of tokens spell, without special tokens."""
        number = dict(zip(self._texts, self._ids.tolist(), strict=True))
        ids = [[number[token] for token in line] for line in lines]
        texts: list[str] = self._tokenizer.decode_batch(ids, skip_special_tokens=True)
        return texts

    def segment(self, sentences: Sentences, threads: int = 1) -> Segmentation:
        """Tokenize each sentence, its words joined by spaces.

        If the settings in the file show that each word is cut by itself, each distinct word is tokenized only
        once.

        Raises:
            InputError: a sentence has no token.
        """
        os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
        words = None
        if self._is_local:
            words = distinct_words(sentences, bool(self._before), self._added)
        if words is not None:
            _, ids, counts = self._encoded(words.words)
            return segment_distinct(words, self._texts, ids, counts, self._boundary, self._file)
        parts = [
            self._segment_lines(sentences[k : k + _LINES]) for k in range(0, len(sentences), _LINES)
        ]
        return join_parts(self._texts, parts, self._file)

    def segment_words(self, words: Sequence[str], threads: int = 1) -> Segmentation:
        """Segment each word by itself, its tokens mapped to its characters.

        If the tokenizer cuts each word of a text by itself, the word is given to it with a space before it,
        as in the middle of a sentence.

        Raises:
            InputError: a word has no token.
        """
        os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
        parts = [
            self._segment_lines([list(word) for word in words[k : k + _LINES]], "", self._before)
            for k in range(0, len(words), _LINES)
        ]
        return join_parts(self._texts, parts, self._file)

    def _encoded(
        self, lines: Sequence[str]
    ) -> tuple[list[Any], NDArray[np.int32], NDArray[np.int64]]:
        """The library's encodings of lines, the type of each token, and the number of tokens of each line."""
        try:
            encodings = self._tokenizer.encode_batch(list(lines), add_special_tokens=False)
        except (KeyboardInterrupt, SystemExit):
            raise
        # A panic in the library's Rust code is a BaseException, not an Exception.
        except BaseException:
            raise self._failure(lines) from None
        ids = np.fromiter(chain.from_iterable(e.ids for e in encodings), dtype=np.int64)
        types = np.searchsorted(self._ids, ids).astype(np.int32)
        counts = np.fromiter(map(len, encodings), dtype=np.int64, count=len(encodings))
        return encodings, types, counts

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
                    file=self._file,
                    hint="give a tokenizer that has an unknown token",
                )
        return InputError("its library cannot cut the text", file=self._file)

    def _segment_lines(
        self, sentences: Sentences, separator: str = " ", before: str = ""
    ) -> MappedTokens:
        """Encode sentences, their words joined by a separator, with some text before each."""
        lines = [separator.join(words) for words in sentences]
        encodings, ids, counts = self._encoded([before + line for line in lines])
        spans = chain.from_iterable(chain.from_iterable(e.offsets for e in encodings))
        places = np.fromiter(spans, dtype=np.int64).reshape(-1, 2)
        begin, end = np.maximum(places - len(before), 0).T
        text = CodePoints.from_lines(lines, separator)
        words = overlapped_words(text, counts, begin, end, self._boundary[ids])
        return MappedTokens(ids, counts, *words)


def _parts(component: Any) -> Iterator[Mapping[str, Any]]:
    """The component of a tokenizer.json; if it is a sequence, its members."""
    if not isinstance(component, dict):
        return
    inner = component.get("pretokenizers") or component.get("normalizers")
    if component.get("type") == "Sequence" and isinstance(inner, list):
        for part in inner:
            yield from _parts(part)
    else:
        yield component


def _adds_spaced(content: Mapping[str, Any]) -> bool:
    """Whether an added token contains a space, or includes spaces next to it."""
    return any(
        token.get("lstrip") or token.get("rstrip") or " " in token["content"]
        for token in content.get("added_tokens") or []
    )


def _is_local(content: Mapping[str, Any]) -> bool:
    """Whether a tokenizer cuts each word in the same way in any context."""
    normalizers = {part.get("type") for part in _parts(content.get("normalizer"))}
    cuts = list(_parts(content.get("pre_tokenizer")))
    if not normalizers <= {*_LOCAL_NORMALIZERS, "Strip"} or not cuts or _adds_spaced(content):
        return False
    kind = cuts[0].get("type")
    if kind in _CUTS_AT_SPACES or _cuts_out_spaces(cuts[0]):
        return True
    # Stripping removes the space before the first word: it is then cut like others only if a space is added
    # again.
    if "Strip" in normalizers and not (
        normalizers <= _KEEPS_SPACES
        and kind == "Metaspace"
        and cuts[0].get("prepend_scheme") in ("always", "first")
    ):
        return False
    if normalizers & _RESPACING:
        return False
    if kind == "Split":
        pattern = (cuts[0].get("pattern") or {}).get("Regex")
        isolated = cuts[0].get("behavior") == "Isolated" and not cuts[0].get("invert")
        return (
            isolated
            and pattern in _LOCAL_PATTERNS
            and all(cut.get("type") in ("ByteLevel", "Digits") for cut in cuts[1:])
            and not any(cut.get("add_prefix_space") for cut in cuts[1:])
        )
    if len(cuts) > 1:
        return False
    return (kind == "ByteLevel" and cuts[0].get("use_regex", True)) or (
        kind == "Metaspace" and cuts[0].get("split", True)
    )


def _cuts_out_spaces(cut: Mapping[str, Any]) -> bool:
    """Whether a pre-tokenizer splits at spaces and removes them."""
    is_removed = cut.get("behavior") == "Removed" and not cut.get("invert")
    return cut.get("type") == "Split" and is_removed and cut.get("pattern") == {"String": " "}


def _prepends(content: Mapping[str, Any]) -> bool:
    return any(part.get("type") == "Prepend" for part in _parts(content.get("normalizer")))


def _merges_within_words(content: Mapping[str, Any], texts: Sequence[str]) -> bool:
    """Whether a BPE that gets whole sentences, with `▁` for spaces, has no type with parts of two words, and
    so cuts each word in the same way in any context (Llama 2)."""
    model = content["model"]
    if model.get("type", "BPE") != "BPE" or model.get("ignore_merges"):
        return False
    if model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        return False
    normalizers = list(_parts(content.get("normalizer")))
    cuts = list(_parts(content.get("pre_tokenizer")))
    whole = (
        not normalizers
        and [cut.get("type") for cut in cuts] == ["Metaspace"]
        and cuts[0].get("replacement") == BOUNDARY
        and cuts[0].get("prepend_scheme") in ("always", "first")
    ) or (
        not cuts
        and [part.get("type") for part in normalizers] == ["Prepend", "Replace"]
        and normalizers[0].get("prepend") == BOUNDARY
        and normalizers[1].get("pattern") == {"String": " "}
        and normalizers[1].get("content") == BOUNDARY
    )
    return (
        whole
        and not _adds_spaced(content)
        # An unknown `▁` could be joined with an unknown character of the word before.
        and BOUNDARY in model["vocab"]
        and not any(BOUNDARY in text.lstrip(BOUNDARY) for text in texts)
    )

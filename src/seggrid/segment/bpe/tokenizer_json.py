"""Read and check the parts of Hugging Face's `tokenizer.json` that define a BPE; used by `formats`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seggrid.errors import InputError
from seggrid.segment.bpe.model import LONGEST_MERGE

LARGEST_ID = 2**31 - 1


@dataclass(frozen=True)
class TokenizerJson:
    """A BPE tokenizer without normalization, byte fallback or words that are looked up whole.

    Attributes:
        merges: distinct tuples of two or more parts, none empty.
        vocabulary: the id of each type; ids are distinct, from 0 to `LARGEST_ID`.
        dropout: the rate in the file, 0 if there is none.
        prefix, suffix: `continuing_subword_prefix` and `end_of_word_suffix`, empty if there is none.
        pre_tokenizer: settings of the pre-tokenizer, `{"type": None}` if there is none.
        split: products of merges, in a file of `seggrid.morphology.tokenizer`; see `BPEModel.split`.
    """

    merges: list[tuple[str, ...]]
    vocabulary: dict[str, int]
    dropout: float
    prefix: str
    suffix: str
    pre_tokenizer: dict[str, Any]
    split: frozenset[str]


def tokenizer_json(
    pre_tokenizer: dict[str, Any], decoder: dict[str, Any] | None, model: dict[str, Any]
) -> dict[str, Any]:
    """The content of a `tokenizer.json` that only cuts text and merges. Unless one is given, its decoder
    joins the tokens of a word by the marks of its model."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder or _decoder(pre_tokenizer, model),
        "model": {"type": "BPE", **model},
    }


def _decoder(pre_tokenizer: dict[str, Any], model: dict[str, Any]) -> dict[str, Any] | None:
    if pre_tokenizer["type"] == "Metaspace":
        return pre_tokenizer
    if suffix := model.get("end_of_word_suffix"):
        return {"type": "BPEDecoder", "suffix": suffix}
    if prefix := model.get("continuing_subword_prefix"):
        return {"type": "WordPiece", "prefix": prefix, "cleanup": False}
    return None


def parse_tokenizer_json(content: Any, path: str | Path) -> TokenizerJson:
    """The parts of a `tokenizer.json` that say how it merges.

    Raises:
        InputError: a part of it is of the wrong kind, or the tokenizer does more than merging.
    """
    model = content.get("model") if isinstance(content, dict) else None
    if not isinstance(model, dict) or "merges" not in model:
        raise InputError(
            "not a tokenizer with merges", file=path, hint="give the tokenizer.json of a BPE"
        )
    if (kind := model.get("type", "BPE")) != "BPE":
        raise InputError(f"a tokenizer of type {kind}", file=path, hint="give one of type BPE")
    for where, key, effect in (
        (content, "normalizer", "changes the text first"),
        (model, "ignore_merges", "looks words up whole"),
        (model, "byte_fallback", "spells unknown characters by bytes"),
    ):
        if where.get(key):
            hint = f"only merging is done here: give one without {key}"
            raise InputError(f"a tokenizer that {effect} ({key})", file=path, hint=hint)
    return TokenizerJson(
        _merges(model["merges"], path),
        read_vocabulary(_of(dict, model.get("vocab"), "model.vocab", path), path),
        _rate(model.get("dropout"), path),
        _of(str, model.get("continuing_subword_prefix"), "continuing_subword_prefix", path),
        _of(str, model.get("end_of_word_suffix"), "end_of_word_suffix", path),
        {"type": None, **_of(dict, content.get("pre_tokenizer"), "pre_tokenizer", path)},
        frozenset(_texts(_of(list, content.get("split"), "split", path), "split", path)),
    )


def read_vocabulary(content: Any, path: str | Path) -> dict[str, int]:
    """Check the content of a `vocab.json`: an object of types and their ids.

    Raises:
        InputError: it is not an object, or an id is not a whole number from 0 to `LARGEST_ID`, or occurs
            twice.
    """
    if not isinstance(content, dict):
        raise InputError("not a JSON object of types and their ids", file=path)
    type_of: dict[int, str] = {}
    for type_, id in content.items():
        if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id <= LARGEST_ID:
            raise InputError(
                f"the id {id!r} of {type_!r} is not a whole number from 0 to {LARGEST_ID}",
                file=path,
            )
        if type_of.setdefault(id, type_) != type_:
            raise InputError(
                f"the id {id} twice, of {type_of[id]!r} and of {type_!r}",
                file=path,
                hint="give each type its own id",
            )
    return content


def _of(kind: type[Any], value: Any, name: str, path: str | Path) -> Any:
    """A value of the given kind; for null, the empty value of that kind."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise InputError(f"{name} is {value!r}, not {_KINDS[kind]} or null", file=path)
    return value


_KINDS: dict[type[Any], str] = {dict: "an object", list: "a list", str: "text"}


def _texts(values: Iterable[Any], name: str, path: str | Path) -> Iterable[str]:
    for value in values:
        if not isinstance(value, str):
            raise InputError(f"{name} has {value!r}, which is not text", file=path)
        yield value


def _rate(value: Any, path: str | Path) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(
            f"model.dropout is {value!r}", file=path, hint="give a rate from 0 to 1, or null"
        )
    return float(value)


def _merges(value: Any, path: str | Path) -> list[tuple[str, ...]]:
    if not isinstance(value, list):
        raise InputError(f"model.merges is {value!r}, not a list", file=path)
    merges: list[tuple[str, ...]] = []
    for number, merge in enumerate(value, 1):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not isinstance(parts, list) or not all(isinstance(p, str) and p for p in parts):
            reason = "neither text with a space in it nor a list of texts"
        elif not 2 <= len(parts) <= LONGEST_MERGE:
            reason = f"{len(parts)} parts, where a merge has 2 to {LONGEST_MERGE}"
        else:
            merges.append(tuple(parts))
            continue
        raise InputError(f"merge {number}, {merge!r}: {reason}", file=path)
    seen: dict[tuple[str, ...], int] = {}
    if len(set(merges)) < len(merges):
        for number, merge in enumerate(merges, 1):
            if (first := seen.setdefault(merge, number)) != number:
                raise InputError(
                    f"merge {number}, {' '.join(merge)!r}, is merge {first} again",
                    file=path,
                    hint="remove one of them",
                )
    return merges

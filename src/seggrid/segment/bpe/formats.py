"""Merges in the files of other programs: subword-nmt's codes, and Hugging Face's tokenizers.

How these mark words decides how their symbols are spelled (see `BPEModel.marking`): `end` as here;
`own` as here; `start` by `##` before every symbol that does not begin a word, none being before those
that do. Only pairs can be written, since other programs know no longer merges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from seggrid.data.boundary import BOUNDARY
from seggrid.data.files import atomic_write
from seggrid.data.lines import read_lines, write_lines
from seggrid.errors import InputError
from seggrid.segment.bpe.model import WORD_END, BPEModel, check_merges

_VERSION = "#version: 0.2"
_CONTINUES = "##"
_UNKNOWN = "<unk>"


def write_merges(model: BPEModel, path: str | Path) -> None:
    """Write a `merges.txt`, or subword-nmt's codes if the model marks the ends of words.

    Raises:
        InputError: the model has what other programs do not know.
    """
    lines = [_VERSION, *(f"{left} {right}" for left, right in _spelled_merges(model))]
    write_lines(path, lines)


def read_merges(path: str | Path, *, marking: str = "end", spaces: bool = True) -> BPEModel:
    """Read a `merges.txt` or subword-nmt's codes, version 0.2.

    Args:
        path: the file.
        marking: how the program marks words, which the file does not say: `"end"` for subword-nmt.
        spaces: whether words are units in that program.

    Raises:
        InputError: the file is missing, not UTF-8, has another version, or a line is no pair or one
            that an earlier line has.
    """
    lines = read_lines(path)
    if not lines or not lines[0].startswith(_VERSION):
        raise InputError(
            "no merges of version 0.2", file=path, line=1, hint=f"begin it with `{_VERSION}`"
        )
    merges = [tuple(line.split(" ")) for line in lines[1:]]
    check_merges(merges, path, first_line=2)
    if spaces and marking == "start":
        merges = [tuple(_unspelled(part, _CONTINUES) for part in merge) for merge in merges]
    return BPEModel(merges, spaces, marking=marking)


def write_vocabulary(model: BPEModel, path: str | Path, alphabet: Iterable[str] = ()) -> None:
    """Write the `vocab.json` that belongs to a `merges.txt`; see `write_tokenizer`."""
    with atomic_write(path) as file:
        json.dump(_vocabulary(model, alphabet), file, ensure_ascii=False, indent=0)


def write_tokenizer(model: BPEModel, path: str | Path, alphabet: Iterable[str] = ()) -> None:
    """Write a `tokenizer.json` that segments text, its words separated by spaces, as the model does.

    Args:
        model: the merges.
        path: the file.
        alphabet: characters of the text beside those in merges. Any other that the tokenizer meets
            is `<unk>` to it.

    Raises:
        InputError: the model has what other programs do not know.
    """
    own = not model.spaces or model.marking == "own"
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Metaspace",
            "replacement": BOUNDARY,
            "prepend_scheme": "always" if model.spaces else "never",
            "split": model.spaces,
        }
        if own
        else {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": False},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            "dropout": model.dropout or None,
            "unk_token": _UNKNOWN,
            "continuing_subword_prefix": _CONTINUES if _marks(model, "start") else None,
            "end_of_word_suffix": WORD_END if _marks(model, "end") else None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": _vocabulary(model, alphabet),
            "merges": _spelled_merges(model),
        },
    }
    with atomic_write(path) as file:
        json.dump(tokenizer, file, ensure_ascii=False, indent=1)


def read_tokenizer(path: str | Path) -> BPEModel:
    """Read the merges of a `tokenizer.json` of type BPE whose symbols are characters.

    Raises:
        InputError: the file is missing, is no such tokenizer, or one that segments as no `BPEModel`
            does: over bytes, words found whole before merging, or words not marked.
    """
    text = "\n".join(read_lines(path))
    try:
        tokenizer = json.loads(text)
        model = tokenizer["model"]
        kind = model.get("type", "BPE")
        merges = [tuple(m.split(" ") if isinstance(m, str) else m) for m in model["merges"]]
        prefix = model.get("continuing_subword_prefix")
        suffix = model.get("end_of_word_suffix")
        before = tokenizer.get("pre_tokenizer") or {}
        cutter, scheme = before.get("type"), before.get("prepend_scheme", "always")
        replacement = before.get("replacement", BOUNDARY)
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON: {error.msg}", file=path, line=error.lineno) from None
    except (AttributeError, KeyError, TypeError):
        raise InputError("no tokenizer with merges", file=path) from None
    if kind != "BPE":
        raise InputError(f"a tokenizer of type {kind}", file=path, hint="give one of type BPE")
    if model.get("ignore_merges") or model.get("byte_fallback") or cutter == "ByteLevel":
        raise InputError(
            "a tokenizer over bytes, or one that looks words up whole",
            file=path,
            hint="give one that merges characters",
        )
    if len(set(merges)) < len(merges) or any(len(m) != 2 or not _is_symbol(m) for m in merges):
        raise InputError("merges that are not different pairs of symbols", file=path)
    spaces = True
    if prefix and not suffix:
        marking = "start"
        merges = [tuple(_unspelled(part, prefix) for part in merge) for merge in merges]
    elif suffix and not prefix:
        marking = "end"
        merges = [tuple(_with_end(part, suffix) for part in merge) for merge in merges]
    elif cutter == "Metaspace" and before.get("split", True) != (scheme == "never") and not prefix:
        spaces = scheme != "never"
        marking = "own" if spaces else "start"
        merges = [tuple(part.replace(replacement, BOUNDARY) for part in m) for m in merges]
    else:
        raise InputError(
            "a tokenizer that does not mark words",
            file=path,
            hint="give one with continuing_subword_prefix, end_of_word_suffix or Metaspace",
        )
    return BPEModel(merges, spaces, dropout=model.get("dropout") or 0.0, marking=marking)


def _marks(model: BPEModel, marking: str) -> bool:
    return model.spaces and model.marking == marking


def _is_symbol(merge: tuple[str, ...]) -> bool:
    return all(part and not set(part) & set(" \r\n") for part in merge)


def _with_end(part: str, suffix: str) -> str:
    return part.removesuffix(suffix) + WORD_END if part.endswith(suffix) else part


def _unspelled(part: str, prefix: str) -> str:
    return part.removeprefix(prefix) if part.startswith(prefix) else BOUNDARY + part


def _spelled(part: str) -> str:
    return part.removeprefix(BOUNDARY) if part.startswith(BOUNDARY) else _CONTINUES + part


def _spelled_merges(model: BPEModel) -> list[tuple[str, ...]]:
    """The merges as the other programs spell them."""
    longer = next((merge for merge in model.merges if len(merge) != 2), None)
    if longer or model.split:
        what = f"the merge {' '.join(longer)!r}" if longer else "types that are split"
        raise InputError(f"other programs do not know {what}", hint="write it with `write_model`")
    if not _marks(model, "start"):
        return model.merges
    if any(part.startswith(BOUNDARY + _CONTINUES) for merge in model.merges for part in merge):
        raise InputError(
            f"a symbol that begins with {_CONTINUES}", hint="learn the model with another marking"
        )
    return [tuple(map(_spelled, merge)) for merge in model.merges]


def _vocabulary(model: BPEModel, alphabet: Iterable[str]) -> dict[str, int]:
    """The number of each token: `<unk>`, initial symbols by their text, products by rank."""
    _spelled_merges(model)  # refuses what cannot be spelled
    products = ["".join(merge) for merge in model.merges]
    symbols = {part for merge in model.merges for part in merge}.difference(products)
    for character in alphabet:
        symbols.add(character)
        if _marks(model, "start"):
            symbols.add(BOUNDARY + character)
        if _marks(model, "end"):
            symbols.add(character + WORD_END)
    if not model.spaces or model.marking == "own":
        symbols.add(BOUNDARY)
    spell = _spelled if _marks(model, "start") else str
    tokens = [_UNKNOWN, *sorted(map(spell, symbols)), *map(spell, products)]
    return {token: number for number, token in enumerate(dict.fromkeys(tokens))}

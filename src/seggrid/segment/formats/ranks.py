"""Read and write the ranks of tiktoken (`mergeable_ranks`): each line is the bytes of a type in base64, a
space, and its id.

tiktoken joins, in each piece of the text, the two tokens that make the type of the lowest id, whichever two
they are; a tokenizer.json lists pairs. The file does not say by which regular expression text is cut into
pieces.
"""

from __future__ import annotations

import base64
from binascii import Error
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.errors import InputError
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import GPT2, ByteLevelModel, byte_symbols, bytes_of
from seggrid.segment.formats.tokenizer_json import added_tokens
from seggrid.segment.formats.tokenizer_writer import tokenizer_json
from seggrid.segment.model_file import RANK

_ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_MARKS = r"\p{Lm}\p{Lo}\p{M}"
PATTERNS = {
    "gpt2": GPT2,
    "cl100k": rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}{_MARKS}]*[\p{{Ll}}{_MARKS}]+{_ENDINGS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}{_MARKS}]+[\p{{Ll}}{_MARKS}]*{_ENDINGS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
"""The regular expressions by which text is cut: of GPT-2; of GPT-4 and Llama 3; of GPT-4o."""


def parse_ranks(lines: Sequence[str], path: str | Path) -> dict[bytes, int]:
    """The id of each type in the lines of a file."""
    ranks: dict[bytes, int] = {}
    used: set[int] = set()
    for number, line in enumerate(lines, 1):
        text, _, rank = line.partition(" ")
        try:
            if not RANK.fullmatch(line):
                raise ValueError(line)
            spelled, id = base64.b64decode(text, validate=True), int(rank)
        except (Error, ValueError):
            hint = "write the bytes of a type in base64, a space and its id"
            raise InputError("not a type and its id", file=path, line=number, hint=hint) from None
        if spelled in ranks or id in used:
            raise InputError(
                "a type or an id again", file=path, line=number, hint="remove the line"
            )
        ranks[spelled] = id
        used.add(id)
    if missing := [byte for byte in range(256) if bytes([byte]) not in ranks]:
        raise InputError(
            f"no type for the byte {missing[0]:#04x}", file=path, hint="give a whole file"
        )
    return ranks


def tokenizer_of_ranks(ranks: dict[bytes, int], pattern: str) -> dict[str, Any]:
    """The content of a `tokenizer.json` with these ids: each pair that makes a type is a merge. `pattern` is
    one of `PATTERNS`, or a regular expression."""
    symbols = byte_symbols()
    spelled = {text: "".join(symbols[byte] for byte in text) for text in ranks}
    merges = [
        [spelled[left], spelled[right]]
        for text, _ in sorted(ranks.items(), key=lambda item: item[1])
        for _, _, left, right in sorted(
            (ranks[text[:at]], ranks[text[at:]], text[:at], text[at:])
            for at in range(1, len(text))
            if text[:at] in ranks and text[at:] in ranks
        )
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    split = {
        "type": "Split",
        "pattern": {"Regex": PATTERNS.get(pattern, pattern)},
        "behavior": "Isolated",
    }
    cutter = {
        "type": "Sequence",
        "pretokenizers": [{**split, "invert": False}, {**byte_level, "use_regex": False}],
    }
    vocabulary = {spelled[text]: id for text, id in ranks.items()}
    model = {"ignore_merges": True, "vocab": vocabulary, "merges": merges}
    return tokenizer_json(cutter, {**byte_level, "use_regex": True}, model)


def ranks_of_tokenizer(model: ByteLevelModel, path: str | Path) -> tuple[dict[bytes, int], str]:
    """The ranks that give the tokens of a byte-level tokenizer, and what else tiktoken must be told. Refuses
    what ranks cannot say: added tokens, ids in another order than the merges, or merges that do not make the
    types from their own bytes."""
    content = model.content or {}
    added = added_tokens(content)
    for what, is_there in (
        ("a dropout", model.dropout),
        ("added tokens that are not special", any(not one.get("special") for one in added)),
        ("types that are split", model.split),
    ):
        if is_there:
            raise InputError(f"{what}, which ranks cannot say", file=path)
    special = {one.get("content") for one in added}
    vocabulary = {text: id for text, id in model.vocabulary.items() if text not in special}
    known = _ordered(model.merges, vocabulary, path)
    ranks = {bytes_of(text): id for text, id in vocabulary.items() if text in known}
    told = f"pat_str is {PATTERNS['gpt2']}"
    if content.get("pre_tokenizer", {}).get("add_prefix_space"):
        told += "; the tokenizer puts a space before each text, so give one to tiktoken"
    return ranks, told


def _ordered(
    merges: Sequence[tuple[str, ...]], vocabulary: dict[str, int], path: str | Path
) -> set[str]:
    """The bytes and the products of merges.

    Merges for which the rule of tiktoken may give other tokens are refused. It gives the same ones if each
    product is made of bytes and earlier products, ids follow the order of merges, and the bytes of each
    product become this one token. For where its two parts meet in a text, no token crosses its ends, so that
    they are the parts of its merge.
    """
    known, last = set(byte_symbols()), -1
    products = list(map("".join, merges))
    for merge, product in zip(merges, products, strict=True):
        id = vocabulary.get(product, -1)
        if len(merge) != 2 or product in known or not known.issuperset(merge) or id <= last:
            raise InputError(
                f"the merge {' '.join(merge)!r}, which ranks cannot say: they are for pairs in the order of "
                "their ids, each with a type of its own",
                file=path,
            )
        known.add(product)
        last = id
    from seggrid.segment.bpe.apply import PreparedModel

    _, ends = PreparedModel(BPEModel([*merges], spaces=False)).encode(products)
    if len(strange := np.flatnonzero(np.diff(ends) != 1)):
        raise InputError(
            f"the type {products[strange[0]]!r}, which its bytes do not become", file=path
        )
    return known


def write_ranks(ranks: dict[bytes, int], path: str | Path) -> None:
    """Write a file of ranks, atomically, in the order of ids."""
    rows = sorted(ranks.items(), key=lambda item: item[1])
    write_lines(path, [f"{base64.b64encode(text).decode()} {id}" for text, id in rows])

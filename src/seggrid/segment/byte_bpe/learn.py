"""Learn a byte-level BPE, as a `tokenizer.json` of Hugging Face's `tokenizers`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from seggrid.data.ragged import code_points, offsets_of
from seggrid.segment.bpe.learn import learn_from_units
from seggrid.segment.bytelevel import byte_symbols, character_classes, pretoken_starts
from seggrid.segment.formats.tokenizer_json import tokenizer_json

SPECIAL = ("<s>", "</s>", "<unk>", "<pad>", "<mask>")
"""The special types of RoBERTa, in the order of their ids."""

ALPHABET = 256 + len(SPECIAL)
"""The number of types of each model besides the products of merges."""

_SYMBOLS = dict(enumerate(byte_symbols()))


def learn(words: Mapping[str, int], merges: int, *, min_frequency: int = 2) -> str:
    """Learn merges of bytes from words and their counts.

    Each word gets a space before it and is cut into pretokens by the pattern of GPT-2; their UTF-8 bytes are
    the initial symbols. Merges are then learned as in `seggrid.segment.bpe.learn`, with the same
    tie-breaking.

    Args:
        words: how often each word occurs.
        merges: the largest number of merges to learn. The vocabulary has `ALPHABET` types besides their
            products.
        min_frequency: the smallest count of a pair that may become a merge, at least 1.

    Returns:
        The text of a `tokenizer.json`: ids are those of `SPECIAL`, then the bytes in the order of the
        characters that stand for them, then the products of the merges.
    """
    pretokens = count_pretokens(words)
    model = learn_from_units(
        list(pretokens),
        np.fromiter(pretokens.values(), dtype=np.int64, count=len(pretokens)),
        merges,
        spaces=False,
        min_frequency=min_frequency,
    )
    products = dict.fromkeys("".join(merge) for merge in model.merges)
    types = [*SPECIAL, *sorted(_SYMBOLS.values()), *products]
    content = tokenizer_json(
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        {
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {type_: id for id, type_ in enumerate(types)},
            "merges": [list(merge) for merge in model.merges],
        },
    )
    content["added_tokens"] = [
        {"id": id, "content": text, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for id, text in enumerate(SPECIAL)
    ]
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def count_pretokens(words: Mapping[str, int]) -> dict[str, int]:
    """The pretokens of words as symbols of bytes, and how often each occurs."""
    texts = [" " + word for word in words]
    joined = "".join(texts)
    codes = code_points(joined)
    offsets = offsets_of(list(map(len, texts)))
    starts = np.flatnonzero(pretoken_starts(codes, character_classes(codes), offsets))
    owner = np.searchsorted(offsets, starts, side="right") - 1
    counts = np.fromiter(words.values(), dtype=np.int64, count=len(words))[owner]
    ends: Sequence[int] = [*starts.tolist(), len(joined)]
    found: Counter[str] = Counter()
    for (begin, end), count in zip(pairwise(ends), counts.tolist(), strict=True):
        found[joined[begin:end]] += count
    return {
        pretoken.encode().decode("latin-1").translate(_SYMBOLS): count
        for pretoken, count in found.items()
    }

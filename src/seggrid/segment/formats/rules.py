"""Write vocabularies as `tokenizer.json` of Hugging Face's library, for the rules that it has too.

Its WordPiece takes the longest type from the left. Its Unigram takes the greatest sum of scores, among equal
sums the longest last token; if all scores are equal and negative, that means the fewest tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError
from seggrid.segment.formats.merges import spelled_start
from seggrid.segment.formats.tokenizer_json import (
    SPLIT_AT_SPACES,
    UNKNOWN,
    metaspace,
    tokenizer_json,
)
from seggrid.segment.trie import worth_of
from seggrid.segment.vocabulary import NEVER

RULES = ("left", "least")
"""The rules of application that the library has too."""
_LONGEST_WORD = 10**6
# A score is a whole number: the worth of a type, in steps of 2^-32, minus `_TOKEN`. Sums of up to 128 tokens
# are exact, and no difference in worth outweighs a token.
_STEP, _TOKEN = 2**8, 2**45
_LEAST = -(2**52)


def wordpiece_tokenizer(types: Iterable[str], alphabet: Iterable[str]) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts words, separated by spaces, by `left`. A word with a
    character that is in no type becomes `<unk>`.

    Args:
        types: types of words that are marked at their first character.
        alphabet: single characters, in addition to those in types.

    Raises:
        InputError: two types get the same spelling.
    """
    texts = [*_singles(types, alphabet), *sorted(types)]
    spelled = dict.fromkeys([UNKNOWN, *map(spelled_start, dict.fromkeys(texts))])
    if len(spelled) != len({*texts}) + 1:
        hint = "learn on a text without ## and <unk>"
        raise InputError("two types that other programs spell alike", hint=hint)
    model = {
        "type": "WordPiece",
        "unk_token": UNKNOWN,
        "continuing_subword_prefix": spelled_start(""),
        "max_input_chars_per_word": _LONGEST_WORD,
        "vocab": {text: id for id, text in enumerate(spelled)},
    }
    return tokenizer_json(SPLIT_AT_SPACES, None, model)


def unigram_tokenizer(
    types: Iterable[str], alphabet: Iterable[str], log_p: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """The content of a `tokenizer.json` that cuts words, separated by spaces, by `least`; with probabilities,
    as MinGram. A character that is in no type becomes `<unk>`.

    Args:
        types, alphabet: as for `wordpiece_tokenizer`.
        log_p: the logarithm of the probability of each type; `NEVER` for others. The scores in the file are
            not probabilities, but whole numbers that order segmentations in the same way, up to differences
            of 2^-32 in the logarithm.
    """
    texts = [*dict.fromkeys([*_singles(types, alphabet), *sorted(types)])]
    worth = worth_of([(log_p or {}).get(text, NEVER if log_p else 0.0) for text in texts])
    scores = [int(own) // _STEP - _TOKEN for own in worth]
    # The library scores an unknown character by the least score: unless this is far below all others, it
    # would prefer an unknown character to many tokens.
    pieces = [
        [UNKNOWN, float(_LEAST)],
        *([text, float(s)] for text, s in zip(texts, scores, strict=True)),
    ]
    model = {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
    return tokenizer_json(metaspace(True), None, model)


def _singles(types: Iterable[str], alphabet: Iterable[str]) -> list[str]:
    """The single symbols: each character as it is inside words, and as it is at their beginning."""
    letters = {c for text in types for c in text}.union(alphabet) - {BOUNDARY}
    return [mark + letter for mark in ("", BOUNDARY) for letter in sorted(letters)]

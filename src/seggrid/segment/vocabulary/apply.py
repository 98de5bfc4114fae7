"""Cut units into types of a vocabulary by a rule.

A unit is a word, or a sentence if tokens may cross spaces. Single symbols are always types.

- `left`: from left to right, each time the longest type with which the rest begins (MaxMatch; BERT's
  WordPiece).
- `right`: the mirror image, from right to left.
- `flota`: the longest type anywhere in the unit, the leftmost of equally long ones; then the same in the
  parts left and right of it (Hofmann et al. 2022, without its limit on the number of tokens).
- `least`: the fewest tokens; among segmentations with as few, the one with the longest last token, then with
  the longest last but one, and so on (Schmidt et al. 2024, PathPiece, algorithm 1).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.units import unit_symbols
from seggrid.segment.vocabulary import NEVER, RULES
from seggrid.segment.vocabulary import covering as kernels
from seggrid.segment.vocabulary.trie import tokens_of, trie_of, worth_of


def segment(
    corpus: WordTypes,
    types: Collection[str],
    rule: str,
    log_p: Mapping[str, float] | None = None,
) -> Segmentation:
    """Segment a corpus by a vocabulary whose types have `▁` before the first character of a word."""
    texts, tokens, offsets = cut(
        corpus.words, types, rule, "start" if corpus.spaces else None, log_p
    )
    return corpus.segmentation_of_types(texts, tokens, np.diff(offsets))


def cut(
    units: Sequence[str],
    types: Collection[str],
    rule: str,
    marking: str | None,
    log_p: Mapping[str, float] | None = None,
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Cut units by a rule.

    Args:
        units: words, or other text if `marking` is None; each code point is a symbol.
        types: types of two or more symbols; others have no effect.
        rule: one of `RULES`.
        marking: how units are marked as words (see `BPEModel`), or None if they are not words.
        log_p: for `least`, the logarithm of the probability of each type and symbol; it is `NEVER` for
            others. Among the segmentations with the fewest tokens, the most probable is taken, then the one
            with the longest last token.

    Returns:
        The texts of types; the tokens of all units as indices of these, int32, shape (T,); the first token of
        each unit, int64, shape (U + 1,).

    Raises:
        InputError: there is no such rule.
    """
    if rule not in RULES:
        raise InputError(f"no vocabulary is applied by {rule!r}", hint=f"one of {', '.join(RULES)}")
    symbols, offsets, texts = unit_symbols(units, marking)
    backwards = rule in ("right", "least")
    trie, known = trie_of(types, texts, marking, backwards=backwards)
    if rule == "least":
        worth = np.empty(0, dtype=np.int64)
        if log_p is not None:
            worth = worth_of([log_p.get(text, NEVER) for text in texts + known])
        starts = kernels.cover_least(symbols, offsets, trie, worth)
    elif rule == "flota":
        starts = kernels.cover_longest(symbols, offsets, trie)
    else:
        starts = kernels.cover_greedily(symbols, offsets, trie, backwards)
    return texts + known, *tokens_of(starts, offsets)

"""Morphological plausibility: how well the tokens of words agree with the words' features, without a gold
segmentation (after Stephen and Libovický 2026, "Evaluating Morphological Plausibility of Subword Tokenization
via Statistical Alignment with Morpho-Syntactic Features", Findings of EACL 2026)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.morphology.references import read_entries
from seggrid.morphology.tables import PROCESSES
from seggrid.text.ragged import offsets_of

ITERATIONS = 10
"""Of expectation maximization."""

Analysis = tuple[str, tuple[str, ...]]
"""A word and its features."""


def read_features(path: str | Path) -> list[Analysis]:
    """The distinct words with their features, in order: of UniMorph, lines of lemma, tab, word, tab and
    features separated by `;`, in MorphyNet by `|` too (morphemes may follow, which are ignored); or of
    CoNLL-U, where the part of speech is a feature too. A word may have several analyses. Forms with spaces
    are left out."""
    found = [entry for _, entry in read_entries(Path(path), _read_line) if entry]
    if not found:
        hint = "give a table of UniMorph, or CoNLL-U"
        raise InputError("no word with features", file=path, hint=hint)
    return list(dict.fromkeys(found))


def _read_line(line: str) -> Analysis | None:
    fields = line.split("\t")
    if line.startswith("#") and len(fields) < 3:
        return None
    if len(fields) == 10:
        word, tag, features = fields[1], fields[3], fields[5]
        own = [tag, *features.split("|")] if fields[0].isdecimal() else []
    elif len(fields) in (3, 4) and not PROCESSES.fullmatch(fields[2]):
        word, own = fields[1], re.split("[;|]", fields[2])
    else:
        message = f"{line!r} is neither lemma, word and features, nor a line of CoNLL-U"
        raise InputError(message, hint="separate the fields by tabs")
    kept = tuple(dict.fromkeys(feature for feature in own if feature not in ("", "_")))
    return (word, kept) if kept and word and " " not in word else None


def translation_probabilities(
    tokens: Sequence[Sequence[str]], features: Sequence[Sequence[str]]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """IBM model 1, by which the features of a word generate its tokens, without an empty feature: t(token |
    feature) after `ITERATIONS` of EM from a uniform start (Brown et al. 1993, section 4.1).

    Returns t for each combination of a token and a feature of one word, shape (L,), and the number of the
    feature's occurrence, counted over all words, shape (L,).
    """
    numbers: tuple[dict[str, int], ...] = ({}, {})
    for side, own in zip(numbers, (tokens, features), strict=True):
        side.update(
            (text, k) for k, text in enumerate(dict.fromkeys(x for row in own for x in row))
        )
    of_tokens, of_features = (
        offsets_of(list(map(len, side))).tolist() for side in (tokens, features)
    )
    rows = [
        (of_tokens[w] + i, of_features[w] + j, numbers[0][token], numbers[1][feature])
        for w, (own, ours) in enumerate(zip(tokens, features, strict=True))
        for i, token in enumerate(own)
        for j, feature in enumerate(ours)
    ]
    place, occurrence, token, feature = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    cells, cell = np.unique(feature * max(len(numbers[0]), 1) + token, return_inverse=True)
    feature_of = cells // max(len(numbers[0]), 1)
    probability = np.ones(len(cells))
    for _ in range(ITERATIONS):
        likely = probability[cell]
        share = likely / np.bincount(place, likely)[place]
        counts = np.bincount(cell, share, minlength=len(cells))
        probability = counts / np.bincount(feature_of, counts)[feature_of]
    return probability[cell], occurrence


def plausibility(tokens: Sequence[Sequence[str]], features: Sequence[Sequence[str]]) -> float:
    """The mean, over all features of all words, of the largest t(token | feature) of a token of the word, see
    `translation_probabilities`; from 0 to 1, nan without words.

    It is high if each feature is expressed by few tokens, as by an ending, and so goes with boundary recall,
    as the authors say of their measure; like recall, it does not punish superfluous cuts, so it compares
    segmentations of about as many tokens. How the authors make one number of the alignment, we do not know.
    """
    probability, occurrence = translation_probabilities(tokens, features)
    if not len(occurrence):
        return float("nan")
    best = np.zeros(int(occurrence.max()) + 1)
    np.maximum.at(best, occurrence, probability)
    return float(best.mean())

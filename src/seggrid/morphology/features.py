"""How well tokens correspond to morphological features of words, found by aligning both; no boundaries are
needed.

Stephen and Libovický 2026, "Evaluating morphological plausibility of subword tokenization via statistical
alignment with morpho-syntactic features" (arXiv 2601.18536), as their program computes the mean with split
features and IBM model 1. They also have other means, whole bundles of features, and IBM model 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from seggrid.errors import InputError
from seggrid.morphology.references import read_entries

ITERATIONS = 100
"""Iterations of expectation and maximization, as in the authors' program."""
LEAST = 0.1
"""Probabilities up to this are ignored, as in the authors' program."""
_NEVER_ZERO = 1e-10
"""Added to each divisor, as in the authors' program."""


def read_features(path: str | Path) -> dict[str, list[str]]:
    """Read features of words in UniMorph's form, `lemma<TAB>form<TAB>V;PST;3;SG`.

    Returns:
        The features of each form, from all its lines, in order and with repetition. Forms of several words
        are left out.

    Raises:
        InputError: a line has not three columns, or no form has a feature.
    """
    found: dict[str, list[str]] = {}
    for _, (form, features) in read_entries(Path(path), _parse):
        if not set(form) & {" ", "\u00a0"}:
            found.setdefault(form, []).extend(features)
    if not found:
        raise InputError("no forms of single words", file=path, hint=_HINT)
    return found


_HINT = "write lines of lemma, form and features;of;it, with tabs between them, as UniMorph does"


def _parse(line: str) -> tuple[str, list[str]]:
    columns = line.split("\t")
    if len(columns) != 3 or not all(columns):
        raise InputError(f"{len(columns)} columns, or empty ones", hint=_HINT)
    return columns[1], [feature for feature in columns[2].split(";") if feature]


def feature_alignment(
    tokens: Sequence[Sequence[str]],
    features: Sequence[Sequence[str]],
    iterations: int = ITERATIONS,
    least: float = LEAST,
) -> float:
    """How probable tokens are, given the features of their words to which they correspond.

    IBM model 1 without an empty word learns the probability of each token given a feature: each feature of a
    word is expressed by one of its tokens. The score of a token is the mean of its probabilities given the
    features of the word, counting only those above `least`, or 0 if there are none; the result is the mean
    over tokens. It is high if a feature is always expressed by the same token.

    Args:
        tokens: the tokens of each of W words.
        features: the features of each of W words.
        iterations: number of iterations of expectation and maximization.
        least: the probability above which a feature counts for a token.

    >>> round(feature_alignment([["cat", "s"], ["dog", "s"]], [["PL"], ["PL"]]), 6)
    0.5
    """
    place: dict[tuple[str, str], int] = {}
    number: dict[str, int] = {}
    pair, group, feature = [], [], []
    groups = 0
    for own, own_features in zip(tokens, features, strict=True):
        for name in own_features:
            # The feature is expressed once, by one of the word's tokens.
            pair += [place.setdefault((name, token), len(place)) for token in own]
            group += [groups] * len(own)
            feature += [number.setdefault(name, len(number))] * len(own)
            groups += 1
    pairs, expressed, feature_of = (np.array(of, dtype=np.int64) for of in (pair, group, feature))
    probability = np.full(len(place), 1 / max(len(number), 1))
    feature_of_pair = np.zeros(len(place), dtype=np.int64)
    feature_of_pair[pairs] = feature_of
    for _ in range(iterations):
        weight = probability[pairs]
        weight = weight / (np.bincount(expressed, weight, groups) + _NEVER_ZERO)[expressed]
        counts = np.bincount(pairs, weight, len(place))
        probability = (
            counts / (np.bincount(feature_of, weight, len(number)) + _NEVER_ZERO)[feature_of_pair]
        )
    total, score = 0, 0.0
    for own, own_features in zip(tokens, features, strict=True):
        for token in own:
            probabilities = [
                probability[place[name, token]] for name in dict.fromkeys(own_features)
            ]
            counted = [float(one) for one in probabilities if one > least]
            score += sum(counted) / len(counted) if counted else 0.0
            total += 1
    return score / total if total else float("nan")


def features_of(words: Mapping[str, Sequence[str]], case: str) -> dict[str, list[str]]:
    """The features of words after applying the case of a side; words that become equal share their
    features."""
    if case != "lower":
        return {word: list(features) for word, features in words.items()}
    found: dict[str, list[str]] = {}
    for word, features in words.items():
        found.setdefault(word.lower(), []).extend(features)
    return found

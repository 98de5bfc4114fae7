"""Named entities as labels of words, and how many of them a prediction finds.

A label is `O`, outside of any entity, or a prefix and a type: `B-` begins an entity, `I-` continues it, `E-`
ends it, and `S-` is an entity of one word (Ramshaw and Marcus 1995; Tjong Kim Sang and Veenstra 1999). All
these schemes are read as by conlleval, the script of the CoNLL-2000 shared task.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OUTSIDE = "O"
"""The label of a word outside of any entity."""

_LABEL = re.compile(r"O|[BIES]-\S+")


def is_entity_label(label: str) -> bool:
    """Whether a label is of one of the schemes.

    >>> is_entity_label("B-LOC"), is_entity_label("O"), is_entity_label("LOC")
    (True, True, False)
    """
    return _LABEL.fullmatch(label) is not None


def entities(labels: Sequence[str]) -> set[tuple[int, int, str]]:
    """The entities of a sentence: numbers of the first and the last word, and type.

    An entity begins at `B-` and `S-`, and at `I-` and `E-` unless they continue an entity of the same type.

    >>> sorted(entities(["B-PER", "I-PER", "O", "I-LOC", "B-LOC", "I-ORG"]))
    [(0, 1, 'PER'), (3, 3, 'LOC'), (4, 4, 'LOC'), (5, 5, 'ORG')]
    """
    found = set()
    begun, kind = None, ""
    for word, label in enumerate([*labels, OUTSIDE]):
        prefix, _, own = label.partition("-")
        goes_on = begun is not None and prefix in ("I", "E") and own == kind
        if begun is not None and not goes_on:
            found.add((begun, word - 1, kind))
            begun = None
        if begun is None and label != OUTSIDE:
            begun, kind = word, own
        if prefix in ("E", "S"):
            found.add((begun, word, kind))
            begun = None
    return found


def count_entities(
    given: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> list[tuple[int, int, int]]:
    """Of each sentence: entities found with the right words and type, entities given, entities predicted.

    >>> count_entities([["B-PER", "I-PER", "B-LOC"]], [["B-PER", "O", "B-LOC"]])
    [(1, 2, 2)]
    """
    counts = []
    for own, found in zip(given, predicted, strict=True):
        right, guessed = entities(own), entities(found)
        counts.append((len(right & guessed), len(right), len(guessed)))
    return counts

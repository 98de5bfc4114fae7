"""Respell a morphological reference as a text spells its words: case and umlauts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from seggrid.data.ragged import offsets_of
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.references import Reference

TRANSCRIPTIONS = {
    **{"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"},
    **{"Ä": "Ae", "Ö": "Oe", "Ü": "Ue"},
}
"""The transcription of German letters in CELEX, which is ASCII."""


def as_in_text(reference: Reference, words: Collection[str], case: str = "keep") -> Reference:
    """Respell the entries of a reference as a text spells them.

    A word gets umlauts and `ß` if the text has the word with them, and has neither the reference's spelling
    nor another word with the same transcription: CELEX's `aehnlich` becomes `ähnlich`.

    Args:
        reference: words and their analyses.
        words: the distinct words of the text, in its case.
        case: `lower` if the text is in lower case, which is then applied to the reference. Other values leave
            its case, since most words of such a text keep theirs.
    """
    known = set(words)
    spelled: dict[str, str | None] = {}
    for word in known:
        transcribed = "".join(TRANSCRIPTIONS.get(c, c) for c in word)
        if transcribed != word and transcribed not in known:
            # None: two words of the text have the same transcription.
            spelled[transcribed] = None if transcribed in spelled else word
    entries = list(reference.words)
    if case == "lower":
        # Not if a letter becomes two characters in lower case, which would move the cuts.
        entries = [w.lower() if len(w.lower()) == len(w) else w for w in entries]
    morphemes, whole = reference.morphemes, reference.whole_words
    found = [(e, own) for e, word in enumerate(entries) if (own := spelled.get(word)) is not None]
    if found:
        moved = {}
        for entry, word in found:
            ends = np.cumsum([len(TRANSCRIPTIONS.get(c, c)) for c in word]).tolist()
            moved[entry] = {end: position for position, end in enumerate(ends, 1)}
            rows = range(*reference.analyses[entry : entry + 2])
            cuts = {p for row in rows for p in morphemes.word(row)}
            if cuts <= moved[entry].keys():
                entries[entry] = word
            else:  # a cut within a letter: the entry is not a transcription of the word
                del moved[entry]
        word_of = np.repeat(np.arange(len(entries)), np.diff(reference.analyses))
        morphemes = _move(morphemes, word_of, moved)
        whole = whole and _move(whole, word_of, moved)
    return replace(reference, words=entries, morphemes=morphemes, whole_words=whole)


def respelled_counts(
    counts: Mapping[str, int], written: Sequence[str], respelled: Sequence[str]
) -> dict[str, int]:
    """Counts of the words of a reference under their new spellings.

    Args:
        counts: occurrences of words, spelled as in the reference or as in the text.
        written, respelled: the words of a reference before and after `as_in_text`.

    Returns:
        The counts; a new spelling has the sum of its own and those of the words that became it.

    >>> respelled_counts({"Haus": 100, "haus": 3}, ["Haus"], ["haus"])["haus"]
    103
    """
    spellings: dict[str, set[str]] = {}
    for old, new in zip(written, respelled, strict=True):
        spellings.setdefault(new, {new}).add(old)
    known = {
        new: sum(counts.get(word, 0) for word in words)
        for new, words in spellings.items()
        if any(word in counts for word in words)
    }
    return {**counts, **known}


def _move(cuts: Cuts, word_of: np.ndarray, moved: dict[int, dict[int, int]]) -> Cuts:
    """Cuts with the positions of some entries replaced."""
    rows = []
    for row, entry in enumerate(word_of.tolist()):
        place = moved.get(entry)
        rows.append([place[p] for p in cuts.word(row)] if place else cuts.word(row))
    flat = [position for row in rows for position in row]
    return Cuts(np.array(flat, dtype=np.int64), offsets_of(list(map(len, rows))))

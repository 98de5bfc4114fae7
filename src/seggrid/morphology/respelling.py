"""Respell the entries of a reference as a text spells them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from unicodedata import combining, is_normalized, normalize

import numpy as np

from seggrid.morphology.cuts import Cuts
from seggrid.morphology.references import Reference
from seggrid.morphology.word_forms import TRANSCRIPTIONS, other_form, transcribed


def forms_in_text(reference: Reference, words: Collection[str]) -> str | None:
    """A remark if more words of a reference are among the distinct words of a text in another form than
    unchanged; otherwise None."""
    missing = [word for word in reference.words if word not in words]
    found = [form for word in missing if (form := other_form(word, words))]
    if len(found) <= len(reference) - len(missing):
        return None
    counts = Counter(name for name, _ in found)
    others = ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
    return (
        f"{reference.file}: {len(reference) - len(missing):,} of {len(reference):,} words are in the text; "
        f"{others}, such as {found[0][1]}: only words that are spelled alike count"
    )


def as_in_text(reference: Reference, words: Collection[str], case: str = "keep") -> Reference:
    """Respell the entries of a reference as a text with these distinct words spells them; if its case is
    `lower`, in lower case.

    Entries get the Unicode form of the text, see `in_form_of`. A word gets umlauts and `ß` if the text has
    the word with them, and has neither the reference's spelling nor another word with the same transcription:
    CELEX's `aehnlich` becomes `ähnlich`.
    """
    text_words = set(words)
    spelled: dict[str, str | None] = {}
    for word in text_words:
        ascii = transcribed(word)
        if ascii != word and ascii not in text_words:
            # None: two words of the text have the same transcription.
            spelled[ascii] = None if ascii in spelled else word
    if case == "lower":
        reference = _respelled(reference, _lowered)
    reference = in_form_of(reference, text_words)
    return _respelled(reference, lambda word: _untranscribed(word, spelled.get(word)))


def in_form_of(reference: Reference, strings: Collection[str]) -> Reference:
    """Spell the entries of a reference in the Unicode form of some strings: the words of a text, or the types
    of a model. An entry that is not among them takes the spelling of one that is canonically equal (UAX #15)
    or else, letter by letter, the spelling that most of them have."""
    forms = _Forms(strings)
    return _respelled(reference, forms.respell)


class _Forms:
    """How strings spell the letters that Unicode can write in several ways."""

    def __init__(self, strings: Collection[str]) -> None:
        self._strings = set(strings)
        self._characters = set().union(*self._strings)
        varied = sorted(
            s for s in self._strings if not (is_normalized("NFC", s) and is_normalized("NFD", s))
        )
        counts = Counter(letter for s in varied for letter in _letters(s))
        common = sorted(counts, key=lambda letter: (counts[letter], letter))
        # Of two that are canonically equal, the last is kept.
        self._words = {normalize("NFC", s): s for s in varied}
        self._letters = {normalize("NFC", letter): letter for letter in common}

    def respell(self, word: str) -> Respelling:
        """The spelling of a word."""
        if word in self._strings:
            return None
        letters = _letters(word)
        own = [self._letter(normalize("NFC", letter)) for letter in letters]
        if "".join(own) not in self._strings and (equal := self._words.get(normalize("NFC", word))):
            own = _letters(equal)
        return _pieces(letters, own) if len(own) == len(letters) and own != letters else None

    def _letter(self, composed: str) -> str:
        """The spelling of a letter that is given in NFC."""
        if composed in self._letters:
            return self._letters[composed]
        split = normalize("NFD", composed)
        fits = self._characters.issuperset
        return split if fits(split) and not fits(composed) else composed


def _letters(text: str) -> list[str]:
    """The parts of a text beyond whose ends no normal form of Unicode goes.

    >>> [[len(letter) for letter in _letters(text)] for text in ("a\u0308b", "\u00e4b")]
    [[2, 1], [1, 1]]
    """
    return _letter_pattern().findall(text)


@cache
def _letter_pattern() -> re.Pattern[str]:
    """A character, with those after it that normal forms may join to it or put into another order."""
    marks: set[str] = set()
    before: defaultdict[str, set[str]] = defaultdict(set)
    for character in map(chr, range(0x20000)):
        split = normalize("NFD", character)
        marks.update(filter(combining, split), character if combining(split[0]) else "")
        for at, joined in enumerate(split[1:], 1):
            if not combining(joined):
                # Vowels of Hangul and some of India are joined to certain characters alone.
                before[joined].update((split[at - 1], normalize("NFC", split[:at])[-1]))
    joins = "".join(f"|(?<=[{''.join(sorted(own))}]){joined}" for joined, own in before.items())
    return re.compile(f".(?:[{''.join(sorted(marks))}]{joins})*", re.DOTALL)


Respelling = tuple[str, dict[int, int]] | None
"""Another spelling of a word, and the position in it of each position at which the word may be cut; None if
it stays as it is."""


def _pieces(before: Iterable[str], after: Sequence[str]) -> Respelling:
    """The respelling of a word of which pieces become others."""
    ends = (accumulate(map(len, pieces)) for pieces in (before, after))
    return "".join(after), dict(zip(*ends, strict=True))


def _lowered(word: str) -> Respelling:
    """The word in lower case, in which a letter may have more characters: `İ` becomes `i̇`."""
    found = _pieces(word, list(map(str.lower, word)))
    # A capital sigma at the end of a word is another letter.
    return found and (word.lower(), found[1])


def _untranscribed(word: str, spelled: str | None) -> Respelling:
    """The word with the umlauts of a spelling of which it is the transcription."""
    if spelled is None:
        return None
    return _pieces([TRANSCRIPTIONS.get(c, c) for c in spelled], list(spelled))


def _respelled(reference: Reference, spell: Callable[[str], Respelling]) -> Reference:
    """The reference with other spellings of words, unless a word is cut within a letter of its spelling."""
    entries, morphemes = list(reference.words), reference.morphemes
    moved: dict[int, dict[int, int]] = {}
    for entry, word in enumerate(reference.words):
        if (found := spell(word)) is not None:
            rows = range(*reference.analyses[entry : entry + 2])
            if {p for row in rows for p in morphemes.word(row)} <= found[1].keys():
                entries[entry], moved[entry] = found
    if not moved:
        return reference

    def move(cuts: Cuts) -> Cuts:
        places = cuts.positions.copy()
        for row in np.flatnonzero(np.isin(reference.entry_of, list(moved))).tolist():
            begin, end = cuts.offsets[row : row + 2]
            places[begin:end] = [moved[reference.entry_of[row]][p] for p in cuts.word(row)]
        return Cuts(places, cuts.offsets)

    whole = reference.whole_words and move(reference.whole_words)
    return replace(reference, words=entries, morphemes=move(morphemes), whole_words=whole)

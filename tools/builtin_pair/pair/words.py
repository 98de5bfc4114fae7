"""Words, phrases and pronouns, and the sentence that they are drawn and linked in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pair import german
from pair.draw import SplitMix64
from pair.lexicon import Adverbial, Lexicon, Morphs


class Word:
    """One word of the sentence being made; equal words are different objects."""

    __slots__ = ("morphs", "position")

    def __init__(self, *morphs: str) -> None:
        self.morphs = morphs
        self.position = -1

    @property
    def text(self) -> str:
        """The spelling of the word."""
        return "".join(self.morphs)


@dataclass
class Phrase:
    """A constituent, and its properties that the rest of the clause needs."""

    english: list[Word]
    german: list[Word]
    agreement: german.Agreement = "3s"
    gender: german.Gender = "m"
    pronoun: str | None = None  # the pronoun that can refer to it, a key of PRONOUNS
    is_pronoun: bool = False
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pronoun:
    """A personal pronoun: the words for I, me; ich, mich, mir; and mich as a reflexive."""

    subject: str
    object: str
    german: dict[str, str]
    reflexive: str
    agreement: german.Agreement
    gender: german.Gender


def _pronoun(forms: str, agreement: german.Agreement, gender: german.Gender) -> Pronoun:
    subject, object_, nominative, accusative, dative, reflexive = forms.split()
    cases = {"nom": nominative, "acc": accusative, "dat": dative}
    return Pronoun(subject, object_, cases, reflexive, agreement, gender)


PRONOUNS = {
    "I": _pronoun("I me ich mich mir mich", "1s", "m"),
    "he": _pronoun("he him er ihn ihm sich", "3s", "m"),
    "she": _pronoun("she her sie sie ihr sich", "3s", "f"),
    "we": _pronoun("we us wir uns uns uns", "p", "p"),
    "you": _pronoun("you you Sie Sie Ihnen sich", "p", "p"),
    "they": _pronoun("they them sie sie ihnen sich", "p", "p"),
    # A thing is "it" in English and has its gender in German.
    "it m": _pronoun("it it er ihn ihm sich", "3s", "m"),
    "it f": _pronoun("it it sie sie ihr sich", "3s", "f"),
    "it n": _pronoun("it it es es ihm sich", "3s", "n"),
}


@dataclass
class Sentence:
    """A sentence pair in the making: the draws, the lexicon, and the links so far."""

    random: SplitMix64
    lexicon: Lexicon
    links: list[tuple[Word, Word, bool]] = field(default_factory=list)

    def link(
        self, english_words: Iterable[Word], german_words: Iterable[Word], sure: bool = True
    ) -> None:
        """Link each word of one side to each of the other."""
        german_words = list(german_words)
        self.links += [(e, g, sure) for e in english_words for g in german_words]

    def pair(self, english_morphs: Morphs, german_morphs: Morphs) -> tuple[Word, Word]:
        """A new word on each side, linked."""
        ours, theirs = Word(*english_morphs), Word(*german_morphs)
        self.links.append((ours, theirs, True))
        return ours, theirs

    def replace(self, old: Word, new: Word, sure: bool) -> None:
        """Move the links of an English word to another."""
        self.links = [
            (new, theirs, sure) if ours is old else (ours, theirs, was_sure)
            for ours, theirs, was_sure in self.links
        ]

    def adverbial(self, kind: str) -> Phrase:
        """One of the fixed phrases of a kind."""
        entry: Adverbial = self.lexicon.adverbials[kind].draw(self.random)
        ours = [Word(*word) for word in entry.english]
        theirs = [Word(*word) for word in entry.german]
        self.links += [(ours[i], theirs[j], sure) for i, j, sure in entry.links]
        return Phrase(ours, theirs)

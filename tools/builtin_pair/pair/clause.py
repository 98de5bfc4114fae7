"""The parts of a clause, and what is decided about it before it is built."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pair.words import Phrase, Word

Tense = Literal[
    "present",
    "past",
    "perfect",
    "pluperfect",
    "future",
    "conditional",
    "modal",
    "infinitive",
    "imperative",
]


@dataclass
class Clause:
    """The parts of a clause, from which each language builds its order."""

    subject: Phrase
    # English. The finite auxiliary is the first of the auxiliaries.
    auxiliaries: list[Word] = field(default_factory=list)
    verb: list[Word] = field(default_factory=list)
    negation: list[Word] = field(default_factory=list)
    early: list[Word] = field(default_factory=list)  # often, already
    complements: list[Word] = field(default_factory=list)
    late: list[Word] = field(default_factory=list)  # manner and time
    opening: list[Word] = field(default_factory=list)
    tail: list[Word] = field(default_factory=list)  # a subordinate clause
    # German.
    finite: list[Word] = field(default_factory=list)
    infinite: list[Word] = field(default_factory=list)
    particle: list[Word] = field(default_factory=list)
    pronouns: list[Word] = field(default_factory=list)
    adverbs: list[Word] = field(default_factory=list)
    objects: list[Word] = field(default_factory=list)
    nicht: list[Word] = field(default_factory=list)
    kein: bool = False  # the negation is in an object: kein
    end: list[Word] = field(default_factory=list)  # manner, place, predicate
    vorfeld: list[Word] = field(default_factory=list)  # before the finite verb, if not the subject
    german_tail: list[Word] = field(default_factory=list)

    def english_statement(self) -> list[Word]:
        """Subject, verb, object."""
        return [*self.opening, *self.subject.english, *self.english_predicate()]

    def english_predicate(self) -> list[Word]:
        """What follows the subject of a statement."""
        return [*self.auxiliaries[:1], *self._english_rest()]

    def english_question(self) -> list[Word]:
        """The finite auxiliary, of which there must be one, before the subject."""
        return [*self.auxiliaries[:1], *self.subject.english, *self._english_rest()]

    def german_second(self) -> list[Word]:
        """A main clause: one constituent, the finite verb, the rest."""
        if self.vorfeld:
            return [*self.vorfeld, *self.german_first()]
        return [*self.subject.german, *self.finite, *self._middle(), *self._close()]

    def german_first(self) -> list[Word]:
        """The finite verb first: a question, or behind a clause that takes the first place."""
        return [*self.finite, *self._subject_and_middle(), *self._close()]

    def german_last(self) -> list[Word]:
        """A subordinate clause, its finite verb at the end."""
        return [
            *self._subject_and_middle(),
            *self.infinite,
            *self.finite,
            *self.german_tail,
        ]

    def german_infinitive(self) -> list[Word]:
        """A clause without subject and finite verb."""
        return [*self._middle(), *self.infinite, *self.german_tail]

    def _english_rest(self) -> list[Word]:
        return [
            *self.negation,
            *self.early,
            *self.auxiliaries[1:],
            *self.verb,
            *self.complements,
            *self.late,
            *self.tail,
        ]

    def _close(self) -> list[Word]:
        return [*self.particle, *self.infinite, *self.german_tail]

    def _middle(self) -> list[Word]:
        return [*self.pronouns, *self._behind_pronouns()]

    def _behind_pronouns(self) -> list[Word]:
        return [*self.adverbs, *self.objects, *self.nicht, *self.end]

    def _subject_and_middle(self) -> list[Word]:
        """Object pronouns go before a subject that is none: Gestern hat ihn der Lehrer gesehen."""
        if self.subject.is_pronoun:
            return [*self.subject.german, *self._middle()]
        return [*self.pronouns, *self.subject.german, *self._behind_pronouns()]


@dataclass(frozen=True)
class Plan:
    """Properties of a clause that are fixed before it is built.

    Attributes:
        tense: its tense; drawn if None.
        last: the German verb is last, so that its prefix is not separated.
        question: it is a question, so English needs an auxiliary.
        adverbials: a time, a manner or the like may be added.
        fronting: they may come first.
        negation: it may be negated.
        small: its noun phrases end with the noun.
        asked: a complement of the verb is outside the clause (what, where, the book that).
    """

    tense: Tense | None = None
    last: bool = False
    question: bool = False
    adverbials: bool = True
    fronting: bool = True
    negation: bool = True
    small: bool = False
    asked: bool = False

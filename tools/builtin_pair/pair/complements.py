"""Complements of a verb: objects, prepositional objects and places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pair import german
from pair.adverbials import add_place
from pair.clause import Clause, Plan
from pair.lexicon import VerbEntry
from pair.phrases import (
    Determiner,
    name_phrase,
    noun_phrase,
    prepositional,
    pronoun_phrase,
)
from pair.words import PRONOUNS, Phrase, Sentence, Word

FullNounPhrase = Callable[..., Phrase]

_PRONOUN_OBJECTS = ("I", "he", "she", "we", "they", "you")


def add_complements(
    s: Sentence, c: Clause, verb: VerbEntry, plan: Plan, full_noun_phrase: FullNounPhrase
) -> None:
    """The complements of the verb: objects, a prepositional object, a place.

    `full_noun_phrase` makes a direct object that may have a relative clause.
    """
    head = c.verb[-len(verb.english)]
    if verb.frame in ("reflexive", "mutual") or "reflexive" in verb.flags:
        key = c.subject.pronoun if c.subject.is_pronoun else None
        sich = Word(PRONOUNS[key].reflexive if key else "sich")
        s.link([head], [sich], sure=False)
        c.pronouns = [sich]
    if plan.asked:
        return
    if verb.frame == "transitive":
        _add_object(s, c, _direct_object(s, c, verb, plan, full_noun_phrase))
    elif verb.frame == "dative":
        _add_object(s, c, _person_object(s, c, verb, "dat", plan))
    elif verb.frame == "ditransitive":
        _add_two_objects(s, c, verb, plan, full_noun_phrase)
    elif verb.frame in ("prepositional", "reflexive") and verb.object:
        _add_prepositional_object(s, c, verb, head, plan)
    elif verb.frame == "belong":
        owner = _person_object(s, c, verb, "dat", plan)
        to = Word("to")
        s.link([to], owner.german[:1], sure=False)
        owner.english = [to, *owner.english]
        _add_object(s, c, owner)
    else:
        add_place(s, c, verb)


def _add_object(s: Sentence, c: Clause, phrase: Phrase) -> None:
    c.complements += phrase.english
    if phrase.is_pronoun:
        c.pronouns += phrase.german
    else:
        c.objects += phrase.german


def _direct_object(
    s: Sentence, c: Clause, verb: VerbEntry, plan: Plan, full_noun_phrase: FullNounPhrase
) -> Phrase:
    random = s.random
    if c.negation:
        countable = "quality" not in verb.object
        if countable and plan.tense != "imperative" and random.chance(50):
            phrase = noun_phrase(s, verb.object, "acc", determiner="negative", bare=True)
            s.link(c.negation, phrase.german[:1])
            c.kein = True
            return phrase
        return noun_phrase(s, verb.object, "acc", determiner="definite", bare=True)
    if "person" in verb.object and len(verb.english) == 1 and random.chance(14):
        return _object_pronoun(s, c, "acc")
    if plan.tense == "imperative" and random.chance(75):
        return noun_phrase(s, verb.object, "acc", determiner="definite", bare=True)
    return full_noun_phrase(s, verb.object, "acc", small=plan.small)


def _person_object(
    s: Sentence, c: Clause, verb: VerbEntry, case: german.Case, plan: Plan
) -> Phrase:
    if s.random.chance(28) and "person" in verb.object:
        return _object_pronoun(s, c, case)
    if s.random.chance(12) and "person" in verb.object:
        return name_phrase(s)
    kind: Determiner = "definite" if c.negation else "any"
    return noun_phrase(s, verb.object, case, determiner=kind, bare=True)


def _object_pronoun(s: Sentence, c: Clause, case: german.Case) -> Phrase:
    """A pronoun that is not the subject's own (I and we, you and you)."""
    own = c.subject.pronoun if c.subject.is_pronoun else None
    first_person = ("I", "we")
    keys = [
        key
        for key in _PRONOUN_OBJECTS
        if key != own and not (own in first_person and key in first_person)
    ]
    return pronoun_phrase(s, s.random.one_of(keys), case)


def _add_two_objects(
    s: Sentence, c: Clause, verb: VerbEntry, plan: Plan, full_noun_phrase: FullNounPhrase
) -> None:
    """`gives the child a book`, `gives a book to the child`: `gibt dem Kind ein Buch`."""
    random = s.random
    if random.chance(35):
        receiver = _object_pronoun(s, c, "dat")
    else:
        kind: Determiner = "definite" if c.negation else "any"
        receiver = noun_phrase(s, ("person",), "dat", determiner=kind, bare=True)
    smaller = replace(plan, small=plan.small or random.chance(60))
    given = _direct_object(s, c, verb, smaller, full_noun_phrase)
    if random.chance(60):
        c.complements = [*receiver.english, *given.english]
    else:
        to = Word("to")
        s.link([to], receiver.german[:1], sure=False)
        c.complements = [*given.english, to, *receiver.english]
    if given.is_pronoun:
        c.pronouns += given.german
    if receiver.is_pronoun:
        c.pronouns += receiver.german
    else:
        c.objects += receiver.german
    if not given.is_pronoun:
        c.objects += given.german


def _add_prepositional_object(
    s: Sentence, c: Clause, verb: VerbEntry, head: Word, plan: Plan
) -> None:
    """`waits for the bus`: `wartet auf den Bus`; `remembers the man`: `erinnert sich an ...`."""
    assert verb.german_preposition is not None
    preposition, case = verb.german_preposition
    if "person" in verb.object and s.random.chance(20):
        phrase = _object_pronoun(s, c, case)
    else:
        kind: Determiner = "definite" if c.negation else "any"
        phrase = noun_phrase(s, verb.object, case, determiner=kind, bare=plan.small)
    if verb.english_preposition:
        phrase = prepositional(s, verb.english_preposition[0], preposition, phrase)
    else:
        # English has no preposition: the links of an empty one become the verb's, as possible.
        bare = phrase.english
        phrase = prepositional(s, (), preposition, phrase)
        s.replace(phrase.english[0], head, sure=False)
        phrase.english = bare
    c.complements += phrase.english
    c.end += phrase.german

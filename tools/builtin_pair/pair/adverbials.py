"""Places, manner and times of a clause."""

from __future__ import annotations

from pair.clause import Clause, Plan, Tense
from pair.lexicon import Morphs, VerbEntry
from pair.phrases import (
    place_phrase,
    prepositional,
)
from pair.words import Phrase, Sentence, Word

# Verbs of staying somewhere: they require a place and take no manner.
_STAYING = {("live",), ("stand",), ("lie",), ("stay",), ("sit",)}

# Places where the events of a subject can happen.
_SURROUNDINGS = {
    "person": ("place",),
    "animal": ("area",),
    "event": ("building", "area"),
    "plant": ("area",),
}


def _place_of_verb(
    s: Sentence,
    verb: VerbEntry,
    person: bool,
    kind: str,
    chances: tuple[int, int],
    prepositions: tuple[str, str],
) -> Phrase:
    """An adverb or a place name, at random and only for persons; else a place that fits the verb.

    Args:
        kind: `direction` (`there`, `to Berlin`, `into the garden`) or `place`.
        chances: percentages, of an adverb and of a name.
        prepositions: before a name, in English and in German.
    """
    if person and s.random.chance(chances[0]):
        return s.adverbial(kind)
    if person and s.random.chance(chances[1]):
        ours, theirs = s.pair(*_place_name(s))
        return prepositional(s, prepositions[:1], prepositions[1], Phrase([ours], [theirs]))
    return place_phrase(s, verb.object, direction=kind == "direction")


def add_place(s: Sentence, c: Clause, verb: VerbEntry) -> None:
    random = s.random
    person = "person" in c.subject.tags
    if verb.frame == "directed":
        place = _place_of_verb(s, verb, person, "direction", (12, 18), ("to", "nach"))
    elif verb.frame in ("located", "placed", "mutual"):
        if verb.english[0] not in _STAYING and random.chance(20):
            return
        place = _place_of_verb(s, verb, person, "place", (14, 14), ("in", "in"))
    else:
        around = _SURROUNDINGS.get(verb.subject[0]) if verb.frame == "intransitive" else None
        nowhere = "scheduled" in c.subject.tags or "noplace" in verb.flags
        if around is None or nowhere or random.chance(55):
            return
        place = place_phrase(s, around, direction=False)
    c.complements += place.english
    c.end += place.german


def _place_name(s: Sentence) -> tuple[Morphs, Morphs]:
    kind = "city" if s.random.chance(70) else "country"
    return s.lexicon.names[kind].draw(s.random)


def add_adverbials(
    s: Sentence, c: Clause, verb: VerbEntry, tense: Tense, plan: Plan, progressive: bool
) -> None:
    """At most one time, one frequency or one duration, a manner, and a comment."""
    random = s.random
    if not plan.adverbials or tense in ("infinitive", "pluperfect", "imperative"):
        return
    if tense == "perfect":
        if not c.negation and random.chance(60):
            early = s.adverbial("completed")
            c.early, c.adverbs = early.english, early.german
        return
    if plan.fronting and random.chance(8):
        comment = s.adverbial("sentence")
        c.opening = comment.english
        if random.chance(60):
            c.vorfeld = comment.german
        else:
            c.adverbs += comment.german
    if "durative" in verb.flags and tense in ("past", "future") and random.chance(15):
        place_time(s, c, s.adverbial("duration"), Plan(fronting=False))
    elif not c.opening and random.chance(40) and "stative" not in verb.flags:
        kinds = {
            "past": ("past", "past", "any"),
            "present": ("present", "any") if progressive else ("habitual", "any"),
            "future": ("future", "future", "any"),
        }.get(tense, ("any",))
        place_time(s, c, s.adverbial(random.one_of(kinds)), plan)
    elif not (c.negation or progressive) and random.chance(18):
        often = s.adverbial("frequency")
        c.early = often.english
        c.adverbs += often.german
    fitting = (
        verb.frame == "directed"
        or ("durative" in verb.flags and verb.english[0] not in _STAYING)
        or (verb.frame == "transitive" and not verb.flags & {"stative", "simple"})
    )
    if fitting and not (c.negation or plan.small) and random.chance(14):
        _add_manner(s, c, verb)


def _add_manner(s: Sentence, c: Clause, verb: VerbEntry) -> None:
    before = len(s.links)
    manner = s.adverbial("manner")
    if manner.english[0].text == "together" and c.subject.agreement != "p":
        del s.links[before:]
        return
    if verb.frame in ("directed", "located"):
        c.complements = [*manner.english, *c.complements]
    else:
        c.complements = [*c.complements, *manner.english]
    c.end = [*manner.german, *c.end]


def place_time(s: Sentence, c: Clause, when: Phrase, plan: Plan) -> None:
    """The position of the time is drawn separately for each language."""
    random = s.random
    may_front = plan.fronting and not plan.last and not plan.question
    if may_front and not c.opening and random.chance(25):
        comma = [Word(",")] if random.chance(35) else []
        c.opening = [*when.english, *comma]
    else:
        c.late = [*c.late, *when.english]
    if may_front and not c.vorfeld and random.chance(40):
        c.vorfeld = when.german
    else:
        c.adverbs = [*when.german, *c.adverbs]

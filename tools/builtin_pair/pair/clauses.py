"""Clauses: a verb and its complements, built once and ordered for each language.

English keeps subject, verb, object. German puts the finite verb second in a main clause, first in
a question and last in a subordinate clause, and all other verb forms at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from pair import english, german
from pair.draw import Weighted
from pair.german import AUXILIARIES
from pair.lexicon import Morphs, VerbEntry
from pair.phrases import (
    PRONOUNS,
    Determiner,
    Phrase,
    Sentence,
    Word,
    comparison,
    name_phrase,
    noun_phrase,
    place_phrase,
    predicative,
    prepositional,
    pronoun_phrase,
)

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

_TENSES: Weighted[Tense] = Weighted(
    ["present", "past", "perfect", "future", "modal", "conditional"], [34, 36, 7, 8, 12, 3]
)
_FRAMES = Weighted(
    [
        "transitive",
        "located",
        "directed",
        "prepositional",
        "ditransitive",
        "intransitive",
        "dative",
        "reflexive",
        "placed",
        "mutual",
        "belong",
    ],
    [40, 9, 10, 10, 9, 10, 5, 5, 2, 1, 1],
)
_COPULAR_SUBJECTS = Weighted(
    ["person", "thing", "place", "animal", "text", "food", "vehicle", "idea", "clothing", "event"],
    [38, 12, 12, 9, 7, 6, 6, 5, 4, 4],
)
_PRONOUN_SUBJECTS = Weighted(["I", "he", "she", "we", "you", "they"], [6, 6, 6, 5, 4, 5])
_PRONOUN_OBJECTS = ("I", "he", "she", "we", "they", "you")

# The English of the 3rd singular and of the other persons, and the German verb with its form.
# Those with `to` are full verbs in English: does not want to.
_MODALS: Weighted[tuple[Morphs, Morphs, str]] = Weighted(
    [
        (("can",), ("can",), "können present"),
        (("must",), ("must",), "müssen present"),
        (("should",), ("should",), "sollen past"),
        (("could",), ("could",), "können past"),
        (("may",), ("may",), "dürfen present"),
        (("want", "s"), ("want",), "wollen present"),
        (("want", "ed"), ("want", "ed"), "wollen past"),
        (("had",), ("had",), "müssen past"),
        (("has",), ("have",), "müssen present"),
    ],
    [10, 8, 7, 6, 4, 8, 5, 4, 4],
)
_FULL_VERBS = {
    "wants": "want",
    "want": "want",
    "wanted": "want",
    "had": "have",
    "has": "have",
    "have": "have",
}
_BE: dict[str, dict[german.Agreement, Morphs]] = {
    "present": {"1s": ("am",), "3s": ("is",), "p": ("are",)},
    "past": {"1s": ("was",), "3s": ("was",), "p": ("were",)},
}
_HAVE: dict[german.Agreement, Morphs] = {"1s": ("have",), "3s": ("has",), "p": ("have",)}
_DO: dict[german.Agreement, Morphs] = {"1s": ("do",), "3s": ("do", "es"), "p": ("do",)}
# Verbs of staying somewhere: they require a place and take no manner.
_STAYING = {("live",), ("stand",), ("lie",), ("stay",), ("sit",)}
# Places where the events of a subject can happen.
_SURROUNDINGS = {
    "person": ("place",),
    "animal": ("area",),
    "event": ("building", "area"),
    "plant": ("area",),
}
# The second word of verbs such as `look for`, which German leaves out.
_GOVERNED = {"for", "at", "to"}


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


def clause(s: Sentence, plan: Plan, subject: Phrase | None = None) -> Clause:
    """A clause with a verb of any frame, with `be`, or in the passive, as its subject allows."""
    if s.random.chance(15):
        found = copular_clause(s, plan, subject)
        if found:
            return found
    if s.random.chance(7):
        found = passive_clause(s, plan, subject)
        if found:
            return found
    while True:
        frame = _FRAMES.draw(s.random)
        verbs = s.lexicon.verbs_of(frame, subject.tags if subject else None)
        if len(verbs) and not (frame == "mutual" and subject and subject.agreement != "p"):
            return verb_clause(s, verbs.draw(s.random), plan, subject)
        if subject and not (subject.tags & {"person", "animal", "vehicle", "building", "event"}):
            found = copular_clause(s, plan, subject) or passive_clause(s, plan, subject)
            if found:
                return found


def verb_clause(
    s: Sentence,
    verb: VerbEntry,
    plan: Plan,
    subject: Phrase | None = None,
) -> Clause:
    """A clause with a given verb.

    Args:
        s: the sentence that it belongs to.
        verb: the verb.
        plan: properties that are fixed.
        subject: the subject, if it is fixed.
    """
    c = Clause(subject or _subject(s, verb, plan))
    negated = plan.negation and s.random.chance(9)
    tense = plan.tense or _TENSES.draw(s.random)
    if "stative" in verb.flags and tense in ("modal", "conditional") and plan.tense is None:
        tense = "present"
    progressive = _add_verb(s, c, verb, tense, plan, negated)
    _add_complements(s, c, verb, plan)
    if negated and not c.kein:
        _add_nicht(s, c)
    _add_adverbials(s, c, verb, tense, plan, progressive)
    return c


def copular_clause(s: Sentence, plan: Plan, subject: Phrase | None = None) -> Clause | None:
    """`X is old`, `X is older than Y`, `X became a teacher`; None if no adjective fits."""
    random = s.random
    if subject is None:
        tag = _COPULAR_SUBJECTS.draw(random)
        subject = _subject_of(s, (tag,), small=plan.small)
    c = Clause(subject)
    job = "person" in subject.tags and random.chance(18)
    may_become = not plan.question and bool(subject.tags & {"person", "animal", "place"})
    become = may_become and random.chance(25 if job else 8)
    negated = plan.negation and random.chance(9) and not become
    tense = plan.tense or _TENSES.draw(random)
    if tense in ("perfect", "conditional", "pluperfect") and not become:
        tense = "past"
    if job:
        predicate = _profession(s, subject, negated)
    elif random.chance(18) and not become:
        standard_tag = sorted(subject.tags & set(_COPULAR_SUBJECTS.items)) or ["person"]
        standard = noun_phrase(s, (standard_tag[0],), "nom", determiner="definite", bare=True)
        predicate = comparison(s, subject.tags, standard)
    else:
        predicate = predicative(s, subject.tags)
    if predicate is None:
        return None
    if become:
        _add_become(s, c, tense)
    else:
        _add_be(s, c, tense, negated)
    c.complements, c.end = predicate.english, predicate.german
    if negated:
        c.negation = [Word("not")]
        if job:
            s.link(c.negation, predicate.german[:1])
        else:
            _add_nicht(s, c)
    elif tense == "past" and plan.adverbials and not plan.last and random.chance(25):
        _place_time(s, c, s.adverbial("past"), plan)
    return c


def passive_clause(s: Sentence, plan: Plan, subject: Phrase | None = None) -> Clause | None:
    """`X was built by Y`: `X wurde von Y gebaut`; None if no verb takes such an object."""
    random = s.random
    if subject is None:
        verb = s.lexicon.verbs_of("transitive").draw(random)
        if "active" in verb.flags:
            return None
        subject = full_noun_phrase(s, verb.object, "nom", small=plan.small)
    else:
        if subject.is_pronoun and subject.agreement == "1s":
            return None
        verbs = s.lexicon.verbs_with_object(subject.tags, passive=True)
        if not len(verbs):
            return None
        verb = verbs.draw(random)
    c = Clause(subject)
    agreement = subject.agreement
    tense = plan.tense or _TENSES.draw(random)
    participle = Word(*verb.german.participle)
    ours = [Word(*verb.participle), *(Word(*word) for word in verb.english[1:])]
    s.link(ours, [participle])
    c.verb, c.infinite = ours, [participle]
    negated = plan.negation and random.chance(8)
    if tense in ("present", "past"):
        be, werden = s.pair(_BE[tense][agreement], AUXILIARIES[f"werden {tense}"][agreement])
        c.auxiliaries, c.finite = [be], [werden]
    elif tense in ("perfect", "pluperfect"):
        have = _HAVE[agreement] if tense == "perfect" else ("had",)
        time = "present" if tense == "perfect" else "past"
        first, sein = s.pair(have, AUXILIARIES[f"sein {time}"][agreement])
        been, worden = s.pair(("be", "en"), ("word", "en"))
        c.auxiliaries, c.finite = [first, been], [sein]
        c.infinite.append(worden)
    else:
        modal, german_modal = ("will",), "werden present"
        if tense == "conditional":
            modal, german_modal = ("would",), "werden conditional"
        elif tense == "modal":
            modal, _, german_modal = _modal(s, negated, full_verbs=False)
        first, finite = s.pair(modal, AUXILIARIES[german_modal][agreement])
        be, werden = s.pair(("be",), ("werd", "en"))
        c.auxiliaries, c.finite = [first, be], [finite]
        c.infinite.append(werden)
    if negated:
        c.negation = [Word("not")]
        _add_nicht(s, c)
    elif random.chance(30) and "quality" not in subject.tags:
        agent = noun_phrase(s, ("person",), "dat", bare=True)
        by = prepositional(s, ("by",), "von", agent)
        c.complements, c.end = by.english, by.german
    if tense == "past" and plan.adverbials and random.chance(30):
        _place_time(s, c, s.adverbial("past"), plan)
    return c


def there_is(s: Sentence) -> Clause:
    """`There is a castle on the island`: `Es gibt ein Schloss auf der Insel`; or place first."""
    random = s.random
    there, es = s.pair(("there",), ("es",))
    c = Clause(Phrase([there], [es], is_pronoun=True))
    tag, around = random.one_of(
        (("thing", "indoors"), ("building", "area"), ("animal", "area"), ("plant", "area"))
    )
    plural = random.chance(50)
    none = random.chance(20)
    existing = noun_phrase(
        s, (tag,), "acc", determiner="negative" if none else "indefinite", plural=plural, bare=True
    )
    if none:  # no instead of not ... a: the determiner is the first word on both sides
        existing.english[0].morphs = ("no",)
    tense = "past" if random.chance(40) else "present"
    be, gibt = s.pair(_BE[tense][existing.agreement], ("gab",) if tense == "past" else ("gib", "t"))
    c.auxiliaries, c.finite = [be], [gibt]
    c.complements, c.objects = existing.english, existing.german
    where = place_phrase(s, (around,), direction=False)
    c.late = where.english
    if random.chance(45):
        c.vorfeld = where.german
    else:
        c.end = where.german
    return c


def weather(s: Sentence, plan: Plan) -> Clause:
    """`It is raining`: `Es regnet`."""
    it, es = s.pair(("it",), ("es",))
    verb = s.lexicon.verbs_of("weather").draw(s.random)
    return verb_clause(s, verb, plan, Phrase([it], [es], is_pronoun=True))


def full_noun_phrase(
    s: Sentence, tags: tuple[str, ...], case: german.Case, *, small: bool
) -> Phrase:
    """A noun phrase with what may follow its noun, such as a relative clause."""
    if small or not s.random.chance(12):
        return noun_phrase(s, tags, case, bare=small)
    head = noun_phrase(s, tags, case, bare=True)
    if "quality" in head.tags or "mass" in head.tags:
        return head
    return _with_relative(s, head)


def taken_up(s: Sentence, phrase: Phrase) -> Phrase | None:
    """A pronoun for a phrase, as the subject of another clause."""
    if phrase.pronoun is None:
        return None
    return pronoun_phrase(s, phrase.pronoun, "nom", phrase.tags)


def _subject(s: Sentence, verb: VerbEntry, plan: Plan) -> Phrase:
    if verb.frame == "mutual":
        return noun_phrase(s, ("person",), "nom", plural=True, bare=plan.small)
    return _subject_of(s, verb.subject, small=plan.small, pronoun_i=not plan.question)


def _subject_of(
    s: Sentence, tags: tuple[str, ...], *, small: bool, pronoun_i: bool = True
) -> Phrase:
    """A subject, mostly of the first class, else of another one."""
    random = s.random
    chosen = tags[0] if len(tags) == 1 or random.chance(75) else random.one_of(tags[1:])
    if chosen != "person":
        return full_noun_phrase(s, (chosen,), "nom", small=small)
    if random.chance(26):
        key = _PRONOUN_SUBJECTS.draw(random)
        return pronoun_phrase(s, key if pronoun_i or key != "I" else "you", "nom")
    if random.chance(18):
        return name_phrase(s)
    if random.chance(4):
        return _both(s)
    return full_noun_phrase(s, ("person",), "nom", small=small)


def _both(s: Sentence) -> Phrase:
    """`the man and the woman`."""
    first = noun_phrase(s, ("person",), "nom", bare=True)
    second = noun_phrase(s, ("person",), "nom", bare=True)
    and_, und = s.pair(("and",), ("und",))
    return Phrase(
        [*first.english, and_, *second.english],
        [*first.german, und, *second.german],
        "p",
        "p",
        pronoun="they",
        tags=frozenset(["person"]),
    )


def _with_relative(s: Sentence, head: Phrase) -> Phrase:
    """Add a relative clause: the head is its subject or its object."""
    random = s.random
    person = "person" in head.tags
    word = ("who",) if person and random.chance(80) else ("that",)
    if not person and random.chance(45):
        word = ("which",)
    plan = Plan(last=True, small=True, adverbials=random.chance(30), fronting=False)
    verbs = s.lexicon.verbs_with_object(head.tags, passive=False)
    if person or not len(verbs) or random.chance(40):
        ours, theirs = s.pair(word, (german.RELATIVE["nom", head.gender],))
        relative = Phrase(
            [ours], [theirs], head.agreement, head.gender, is_pronoun=True, tags=head.tags
        )
        c = clause(s, plan, relative)
        inside, german_inside = c.english_statement(), c.german_last()
    else:
        ours, theirs = s.pair(word, (german.RELATIVE["acc", head.gender],))
        verb = verbs.draw(random)
        c = verb_clause(s, verb, replace(plan, asked=True))
        inside, german_inside = [ours, *c.english_statement()], [theirs, *c.german_last()]
    head.english += inside
    head.german += [Word(","), *german_inside, Word(",")]
    return head


def _profession(s: Sentence, subject: Phrase, negated: bool) -> Phrase:
    """`a teacher`: `Lehrer`, without an article; not a teacher: kein Lehrer."""
    plural = subject.agreement == "p" and subject.pronoun != "you"
    sex = {"he": "m", "she": "f"}.get(subject.pronoun or "")
    pool = s.lexicon.nouns_of(("job",), compounds=s.random.chance(25))
    noun = pool.draw(s.random)
    while sex and noun.sex != sex:
        noun = pool.draw(s.random)
    ours = [Word(*word) for word in ((noun.english_plural or ()) if plural else noun.english)]
    theirs = Word(*noun.german.form("nom", plural))
    s.link(ours, [theirs])
    a = [] if plural else [Word(english.article(ours[0].text))]
    if not negated:
        return Phrase([*a, *ours], [theirs])
    gender: german.Gender = "p" if plural else noun.german.gender
    kein = Word(*german.ein_word(("kein",), "nom", gender))
    s.link(a, [kein])
    return Phrase([*a, *ours], [kein, theirs])


def _add_be(s: Sentence, c: Clause, tense: Tense, negated: bool) -> None:
    agreement = c.subject.agreement
    if tense in ("present", "past"):
        be, sein = s.pair(_BE[tense][agreement], AUXILIARIES[f"sein {tense}"][agreement])
        c.auxiliaries, c.finite = [be], [sein]
        return
    modal, german_modal = ("will",), "werden present"
    if tense == "modal":
        modal, _, german_modal = _modal(s, negated, full_verbs=False)
    first, finite = s.pair(modal, AUXILIARIES[german_modal][agreement])
    be, sein = s.pair(("be",), ("sein",))
    c.auxiliaries, c.finite, c.infinite = [first, be], [finite], [sein]


def _add_become(s: Sentence, c: Clause, tense: Tense) -> None:
    agreement = c.subject.agreement
    if tense in ("perfect", "pluperfect"):
        have = _HAVE[agreement] if tense == "perfect" else ("had",)
        time = "present" if tense == "perfect" else "past"
        first, sein = s.pair(have, AUXILIARIES[f"sein {time}"][agreement])
        become, geworden = s.pair(("become",), ("ge", "word", "en"))
        c.auxiliaries, c.verb, c.finite, c.infinite = [first], [become], [sein], [geworden]
    elif tense in ("present", "past"):
        form: Morphs = ("became",)
        if tense == "present":
            form = ("become", "s") if agreement == "3s" else ("become",)
        become, werden = s.pair(form, AUXILIARIES[f"werden {tense}"][agreement])
        c.verb, c.finite = [become], [werden]
    else:
        will, german_will = {
            "future": ("will", "werden present"),
            "conditional": ("would", "werden conditional"),
            "modal": ("can", "können present"),
        }[tense]
        first, finite = s.pair((will,), AUXILIARIES[german_will][agreement])
        become, werden = s.pair(("become",), ("werd", "en"))
        c.auxiliaries, c.verb, c.finite, c.infinite = [first], [become], [finite], [werden]


def _add_verb(
    s: Sentence, c: Clause, verb: VerbEntry, tense: Tense, plan: Plan, negated: bool
) -> bool:
    """Put the verb in its tense on both sides; return whether English has the progressive."""
    random = s.random
    agreement = c.subject.agreement
    base = verb.english[0]
    particles = [Word(*word) for word in verb.english[1:]]
    needs_auxiliary = negated or plan.question
    if negated:
        c.negation = [Word("not")]
    progressive = (
        tense in ("present", "past")
        and not verb.flags & {"stative", "simple"}
        and random.chance(28 if tense == "present" else 8)
    )

    # German first: it determines the links of the English auxiliary.
    tells_by_perfect = tense == "past" and "stative" not in verb.flags and random.chance(50)
    if tense in ("perfect", "pluperfect") or (tells_by_perfect and not progressive):
        time = "past" if tense == "pluperfect" else "present"
        c.finite = [Word(*AUXILIARIES[f"{verb.german.auxiliary} {time}"][agreement])]
        c.infinite = [Word(*verb.german.participle)]
        main = c.infinite
    elif tense in ("future", "conditional", "modal"):
        c.infinite = [Word(*verb.german.prefix, *verb.german.infinitive)]
        main = c.infinite
    elif tense == "infinitive":
        c.infinite = [Word(*morphs) for morphs in verb.german.with_zu()]
        main = c.infinite[-1:]
    else:
        past = tense == "past"
        form = verb.german.preterite(agreement) if past else verb.german.present(agreement)
        if plan.last or not verb.german.prefix:
            c.finite = [Word(*(verb.german.prefix if plan.last else ()), *form)]
            main = c.finite
        else:
            c.finite, c.particle = [Word(*form)], [Word(*verb.german.prefix)]
            main = [*c.finite, *c.particle]

    if progressive:
        be = Word(*_BE[tense][agreement])
        head = Word(*english.with_ing(base))
        c.auxiliaries = [be]
        s.link([be], c.finite, sure=False)
    elif tense in ("present", "past", "imperative"):
        head = _simple(s, c, verb, tense, needs_auxiliary)
    elif tense in ("perfect", "pluperfect"):
        have = Word(*(_HAVE[agreement] if tense == "perfect" else ("had",)))
        s.link([have], c.finite)
        head = Word(*verb.participle)
        c.auxiliaries = [have]
    elif tense == "infinitive":
        to, head = Word("to"), Word(*base)
        s.link([to], c.infinite[:1])
        c.verb = [to]
    else:
        head = Word(*base)
        if tense == "modal":
            _add_modal(s, c, needs_auxiliary)
        else:
            will = ("will",) if tense == "future" else ("would",)
            form = "werden present" if tense == "future" else "werden conditional"
            first, finite = s.pair(will, AUXILIARIES[form][agreement])
            c.auxiliaries, c.finite = [first], [finite]
    c.verb += [head, *particles]
    _link_verb(s, verb, head, particles, main)
    return progressive


def _simple(s: Sentence, c: Clause, verb: VerbEntry, tense: Tense, auxiliary: bool) -> Word:
    """A simple present or past, with `do` if English needs it; an imperative."""
    base, agreement = verb.english[0], c.subject.agreement
    if auxiliary and (tense != "imperative" or c.negation):
        do = Word("did") if tense == "past" else Word(*_DO[agreement])
        # did marks the tense, like hat; with a simple German verb it has no counterpart.
        s.link([do], c.finite, sure=bool(c.infinite))
        c.auxiliaries = [do]
        return Word(*base)
    if tense == "past":
        head = Word(*verb.past)
    else:
        third = tense == "present" and agreement == "3s"
        head = Word(*(_third_person(base) if third else base))
    if c.infinite:  # bought: hat gekauft
        s.link([head], c.finite, sure=False)
    return head


def _third_person(base: Morphs) -> Morphs:
    return ("has",) if base == ("have",) else english.with_s(base)


def _add_modal(s: Sentence, c: Clause, auxiliary: bool) -> None:
    third, other, german_modal = _modal(s, bool(c.negation), full_verbs=True)
    agreement = c.subject.agreement
    modal = third if agreement == "3s" else other
    finite = Word(*AUXILIARIES[german_modal][agreement])
    c.finite = [finite]
    text = "".join(modal)
    if text not in _FULL_VERBS:
        first = Word(*modal)
        s.link([first], [finite])
        c.auxiliaries = [first]
        return
    if auxiliary:
        past = german_modal.endswith("past")
        do = Word("did") if past else Word(*_DO[agreement])
        s.link([do], [finite], sure=False)
        c.auxiliaries = [do]
        modal = (_FULL_VERBS[text],)
    first, to = Word(*modal), Word("to")
    s.link([first], [finite])
    if text in ("had", "has", "have"):  # has to: muss
        s.link([to], [finite], sure=False)
    c.verb = [first, to]


def _modal(s: Sentence, negated: bool, *, full_verbs: bool) -> tuple[Morphs, Morphs, str]:
    """A modal verb; `must not` is `darf nicht`."""
    third, other, german_modal = _MODALS.draw(s.random)
    while not full_verbs and "".join(third) in _FULL_VERBS:
        third, other, german_modal = _MODALS.draw(s.random)
    if negated and third == ("must",):
        german_modal = "dürfen present"
    return third, other, german_modal


def _link_verb(
    s: Sentence, verb: VerbEntry, head: Word, particles: list[Word], main: list[Word]
) -> None:
    """Link `gets up` with `steht ... auf` word by word, with `aufgestanden` as a whole."""
    s.link([head], main[:1])
    if len(main) == 2:
        s.link(particles or [head], main[1:])
        return
    for particle in particles:
        governed = verb.frame in ("transitive", "dative") and particle.text in _GOVERNED
        s.link([particle], main, sure=not governed)


def _add_nicht(s: Sentence, c: Clause) -> None:
    nicht = Word("nicht")
    s.link(c.negation, [nicht])
    c.nicht = [nicht]


def _add_complements(s: Sentence, c: Clause, verb: VerbEntry, plan: Plan) -> None:
    """The complements of the verb: objects, a prepositional object, a place."""
    head = c.verb[-len(verb.english)]
    if verb.frame in ("reflexive", "mutual") or "reflexive" in verb.flags:
        key = c.subject.pronoun if c.subject.is_pronoun else None
        sich = Word(PRONOUNS[key].reflexive if key else "sich")
        s.link([head], [sich], sure=False)
        c.pronouns = [sich]
    if plan.asked:
        return
    if verb.frame == "transitive":
        _add_object(s, c, _direct_object(s, c, verb, plan))
    elif verb.frame == "dative":
        _add_object(s, c, _person_object(s, c, verb, "dat", plan))
    elif verb.frame == "ditransitive":
        _add_two_objects(s, c, verb, plan)
    elif verb.frame in ("prepositional", "reflexive") and verb.object:
        _add_prepositional_object(s, c, verb, head, plan)
    elif verb.frame == "belong":
        owner = _person_object(s, c, verb, "dat", plan)
        to = Word("to")
        s.link([to], owner.german[:1], sure=False)
        owner.english = [to, *owner.english]
        _add_object(s, c, owner)
    else:
        _add_place(s, c, verb)


def _add_object(s: Sentence, c: Clause, phrase: Phrase) -> None:
    c.complements += phrase.english
    if phrase.is_pronoun:
        c.pronouns += phrase.german
    else:
        c.objects += phrase.german


def _direct_object(s: Sentence, c: Clause, verb: VerbEntry, plan: Plan) -> Phrase:
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


def _add_two_objects(s: Sentence, c: Clause, verb: VerbEntry, plan: Plan) -> None:
    """`gives the child a book`, `gives a book to the child`: `gibt dem Kind ein Buch`."""
    random = s.random
    if random.chance(35):
        receiver = _object_pronoun(s, c, "dat")
    else:
        kind: Determiner = "definite" if c.negation else "any"
        receiver = noun_phrase(s, ("person",), "dat", determiner=kind, bare=True)
    given = _direct_object(s, c, verb, replace(plan, small=plan.small or random.chance(60)))
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


def _add_place(s: Sentence, c: Clause, verb: VerbEntry) -> None:
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


def _add_adverbials(
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
        _place_time(s, c, s.adverbial("duration"), Plan(fronting=False))
    elif not c.opening and random.chance(40) and "stative" not in verb.flags:
        kinds = {
            "past": ("past", "past", "any"),
            "present": ("present", "any") if progressive else ("habitual", "any"),
            "future": ("future", "future", "any"),
        }.get(tense, ("any",))
        _place_time(s, c, s.adverbial(random.one_of(kinds)), plan)
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


def _place_time(s: Sentence, c: Clause, when: Phrase, plan: Plan) -> None:
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

"""Clauses: a verb and its complements, built once and ordered for each language.

English keeps subject, verb, object. German puts the finite verb second in a main clause, first in
a question and last in a subordinate clause, and all other verb forms at the end.
"""

from __future__ import annotations

from dataclasses import replace

from pair import english, german
from pair.adverbials import add_adverbials, place_time
from pair.clause import Clause, Plan, Tense
from pair.complements import add_complements
from pair.draw import Weighted
from pair.german import AUXILIARIES
from pair.lexicon import VerbEntry
from pair.phrases import (
    comparison,
    name_phrase,
    noun_phrase,
    place_phrase,
    predicative,
    prepositional,
    pronoun_phrase,
)
from pair.verb_group import BE, HAVE, add_be, add_become, add_nicht, add_verb, draw_modal
from pair.words import Phrase, Sentence, Word

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
    progressive = add_verb(s, c, verb, tense, plan, negated)
    add_complements(s, c, verb, plan, full_noun_phrase)
    if negated and not c.kein:
        add_nicht(s, c)
    add_adverbials(s, c, verb, tense, plan, progressive)
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
        add_become(s, c, tense)
    else:
        add_be(s, c, tense, negated)
    c.complements, c.end = predicate.english, predicate.german
    if negated:
        c.negation = [Word("not")]
        if job:
            s.link(c.negation, predicate.german[:1])
        else:
            add_nicht(s, c)
    elif tense == "past" and plan.adverbials and not plan.last and random.chance(25):
        place_time(s, c, s.adverbial("past"), plan)
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
        be, werden = s.pair(BE[tense][agreement], AUXILIARIES[f"werden {tense}"][agreement])
        c.auxiliaries, c.finite = [be], [werden]
    elif tense in ("perfect", "pluperfect"):
        have = HAVE[agreement] if tense == "perfect" else ("had",)
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
            modal, _, german_modal = draw_modal(s, negated, full_verbs=False)
        first, finite = s.pair(modal, AUXILIARIES[german_modal][agreement])
        be, werden = s.pair(("be",), ("werd", "en"))
        c.auxiliaries, c.finite = [first, be], [finite]
        c.infinite.append(werden)
    if negated:
        c.negation = [Word("not")]
        add_nicht(s, c)
    elif random.chance(30) and "quality" not in subject.tags:
        agent = noun_phrase(s, ("person",), "dat", bare=True)
        by = prepositional(s, ("by",), "von", agent)
        c.complements, c.end = by.english, by.german
    if tense == "past" and plan.adverbials and random.chance(30):
        place_time(s, c, s.adverbial("past"), plan)
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
    be, gibt = s.pair(BE[tense][existing.agreement], ("gab",) if tense == "past" else ("gib", "t"))
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

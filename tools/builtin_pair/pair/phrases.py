"""Noun phrases, adjectives and prepositional phrases, made in both languages at once.

A phrase is two lists of words and the links between them. A link refers to word objects, so that a clause can
order them freely; their positions are determined when the sentence is complete.
"""

from __future__ import annotations

from typing import Literal

from pair import english, german
from pair.lexicon import Morphs, NounEntry
from pair.words import PRONOUNS, Phrase, Sentence, Word

_POSSESSIVES = (
    ("my", ("mein",)),
    ("his", ("sein",)),
    ("her", ("ihr",)),
    ("our", ("unser",)),
    ("their", ("ihr",)),
    ("your", ("Ihr",)),
)
_NUMERALS = (
    ("two", "zwei"),
    ("three", "drei"),
    ("four", "vier"),
    ("five", "fünf"),
    ("ten", "zehn"),
)
_QUANTIFIERS = (
    (("many",), ("viel",)),
    (("some",), ("ein", "ig")),
    (("several",), ("mehr", "er")),
    (("few",), ("wenig",)),
    (("all",), ("all",)),
)
_INTENSIFIERS = (
    (("very",), ("sehr",)),
    (("too",), ("zu",)),
    (("quite",), ("ziem", "lich")),
    (("real", "ly"), ("wirk", "lich")),
    (("so",), ("so",)),
    (("extreme", "ly"), ("äußer", "st")),
)
Determiner = Literal["definite", "indefinite", "any", "negative"]


def pronoun_phrase(
    s: Sentence, key: str, case: german.Case, tags: frozenset[str] = frozenset(["person"])
) -> Phrase:
    """A personal pronoun, for a noun with some tags."""
    pronoun = PRONOUNS[key]
    ours, theirs = s.pair(
        (pronoun.subject if case == "nom" else pronoun.object,), (pronoun.german[case],)
    )
    return Phrase(
        [ours],
        [theirs],
        pronoun.agreement,
        pronoun.gender,
        pronoun=key,
        is_pronoun=True,
        tags=tags,
    )


def name_phrase(s: Sentence) -> Phrase:
    """A person's name."""
    sex = s.random.one_of(("man", "woman"))
    ours, theirs = s.pair(*s.lexicon.names[sex].draw(s.random))
    he = sex == "man"
    return Phrase(
        [ours],
        [theirs],
        gender="m" if he else "f",
        pronoun="he" if he else "she",
        tags=frozenset(["person"]),
    )


def draw_noun(s: Sentence, tags: tuple[str, ...]) -> NounEntry:
    """A noun of some classes, one in three a compound."""
    compounds = s.lexicon.nouns_of(tags, compounds=True)
    if len(compounds) and s.random.chance(33):
        return compounds.draw(s.random)
    return s.lexicon.nouns_of(tags, compounds=False).draw(s.random)


def noun_phrase(
    s: Sentence,
    tags: tuple[str, ...],
    case: german.Case,
    *,
    determiner: Determiner = "any",
    plural: bool | None = None,
    noun: NounEntry | None = None,
    bare: bool = False,
) -> Phrase:
    """A determiner, adjectives and a noun, possibly followed by an owner or a place.

    Args:
        s: the sentence that it belongs to.
        tags: the classes that the noun is drawn from.
        case: its German case.
        determiner: the allowed determiners; `negative` is `not ... a` against `kein`, whose first word the
        clause links. plural: its number; drawn if None.
        noun: the noun, if it is fixed.
        bare: nothing follows the noun.
    """
    random = s.random
    noun = noun or draw_noun(s, tags)
    if plural is None:
        plural = noun.english_plural is not None and random.chance(28)
    plural = plural and noun.english_plural is not None
    gender: german.Gender = "p" if plural else noun.german.gender

    # An owner in the English genitive or a German name takes the place of the determiner.
    if not bare and determiner == "any" and _can_be_owned(noun) and random.chance(7):
        return _owned(s, noun, case, plural)

    before, pattern, definite = _determiner(s, noun, case, gender, plural, determiner)
    adjectives = _adjectives(s, noun, case, gender, pattern, superlative=definite)
    phrase = _with_noun(s, noun, case, plural, before, adjectives)
    if bare:
        return phrase
    if definite and _can_be_owned(noun) and random.chance(16):
        _add_owner(s, phrase)
    elif random.chance(12) and noun.tags & {"thing", "building", "vehicle", "person", "plant"}:
        where = _where_it_stands(s, noun)
        phrase.english += where.english
        phrase.german += where.german
    elif "person" in noun.tags and random.chance(4):
        clothes = noun_phrase(s, ("clothing",), "dat", bare=True)
        with_, mit = s.pair(("with",), ("mit",))
        phrase.english += [with_, *clothes.english]
        phrase.german += [mit, *clothes.german]
    return phrase


def place_phrase(s: Sentence, tags: tuple[str, ...], *, direction: bool) -> Phrase:
    """Where something is or goes: `at the old station`, `to the market`."""
    random = s.random
    noun = draw_noun(s, tags)
    for _ in range(20):
        if noun.direction if direction else noun.location:
            break
        noun = draw_noun(s, tags)
    if direction:
        assert noun.direction is not None
        preposition, german_preposition, case = noun.direction
    else:
        assert noun.location is not None
        (preposition, german_preposition), case = noun.location, "dat"
    plural = random.chance(8)
    kind: Determiner = "definite" if random.chance(80) else "any"
    place = noun_phrase(s, tags, case, determiner=kind, plural=plural, noun=noun, bare=True)
    return prepositional(s, (preposition,), german_preposition, place)


def prepositional(
    s: Sentence, english_preposition: Morphs, german_preposition: str, phrase: Phrase
) -> Phrase:
    """Put a preposition before a noun phrase, contracting `in dem` to `im`."""
    preposition = Word(*english_preposition)
    first = phrase.german[0]
    contraction = german.CONTRACTIONS.get((german_preposition, first.text))
    if contraction:
        first.morphs = contraction
        s.link([preposition], [first])
        return Phrase([preposition, *phrase.english], phrase.german)
    word = Word(german_preposition)
    s.link([preposition], [word])
    return Phrase([preposition, *phrase.english], [word, *phrase.german])


def predicative(s: Sentence, tags: frozenset[str]) -> Phrase | None:
    """An adjective after `be`: alone, or with `very` or the like; None if none fits."""
    adjectives = s.lexicon.adjectives_of(tags)
    if not len(adjectives):
        return None
    entry = adjectives.draw(s.random)
    adjective, german_adjective = s.pair(entry.english, entry.german)
    if entry.german_comparative is not None and s.random.chance(35):
        degree, german_degree = s.pair(*s.random.one_of(_INTENSIFIERS))
        return Phrase([degree, adjective], [german_degree, german_adjective])
    return Phrase([adjective], [german_adjective])


def comparison(s: Sentence, tags: frozenset[str], standard: Phrase) -> Phrase | None:
    """`older than ...`, `more famous than ...`; None if no adjective has a comparative."""
    adjectives = s.lexicon.adjectives_of(tags, "comparative")
    if not len(adjectives):
        return None
    entry = adjectives.draw(s.random)
    assert entry.german_comparative is not None
    theirs = Word(*entry.german_comparative)
    ours = (
        [Word(*entry.english_comparative)]
        if entry.english_comparative
        else [Word("more"), Word(*entry.english)]
    )
    s.link(ours, [theirs])
    than, als = s.pair(("than",), ("als",))
    return Phrase([*ours, than, *standard.english], [theirs, als, *standard.german])


def _determiner(
    s: Sentence,
    noun: NounEntry,
    case: german.Case,
    gender: german.Gender,
    plural: bool,
    kind: Determiner,
) -> tuple[Phrase, Literal["weak", "mixed", "strong"], bool]:
    """The determiner, the declension of the adjectives after it, and whether it is definite.

    `a` stays a word without morphs until the next word is known.
    """
    random = s.random
    nothing = Phrase([], [])
    die = german.definite(case, gender)
    if kind == "negative":
        ours = [Word("any")] if plural else [] if "mass" in noun.tags else [Word()]
        theirs = Word(*german.ein_word(("kein",), case, gender))
        s.link(ours, [theirs])
        return Phrase(ours, [theirs]), "mixed", False
    if "quality" in noun.tags:
        if kind != "definite" and random.chance(75):  # freedom: die Freiheit
            return Phrase([], [Word(*die)]), "weak", False
        kind = "definite" if random.chance(60) else "any"

    draw = random.below(100)
    if kind == "definite" or (kind == "any" and draw < 45):
        return _words(s, ("the",), die), "weak", True
    if kind == "any" and draw < 60:
        ours, stem = random.one_of(_POSSESSIVES)
        return _words(s, (ours,), german.ein_word(stem, case, gender)), "mixed", False
    if kind == "any" and draw < 68:
        ours = "these" if plural else "this"
        return _words(s, (ours,), german.dies_word(("dies",), case, gender)), "weak", False
    if "quality" in noun.tags:
        return _words(s, ("the",), die), "weak", True
    if "mass" in noun.tags:
        if case != "gen" and random.chance(25):
            return _words(s, ("some",), ("etwas",)), "strong", False
        return nothing, "strong", False
    if plural:
        if random.chance(40) or case == "gen":
            return nothing, "strong", False
        if random.chance(45):
            ours, theirs = random.one_of(_NUMERALS)
            return _words(s, (ours,), (theirs,)), "strong", False
        # There are many houses, but not: there are all houses.
        ours, stem = random.one_of(_QUANTIFIERS if kind == "any" else _QUANTIFIERS[:-1])
        pattern = "weak" if stem == ("all",) else "strong"
        return _words(s, ours, german.dies_word(stem, case, gender)), pattern, False
    if kind == "any" and random.chance(8):
        return _words(s, ("every",), german.dies_word(("jed",), case, gender)), "weak", False
    a, ein = s.pair((), german.ein_word(("ein",), case, gender))
    return Phrase([a], [ein]), "mixed", False


def _words(s: Sentence, ours: Morphs, theirs: Morphs) -> Phrase:
    e, g = s.pair(ours, theirs)
    return Phrase([e], [g])


def _adjectives(
    s: Sentence,
    noun: NounEntry,
    case: german.Case,
    gender: german.Gender,
    pattern: Literal["weak", "mixed", "strong"],
    *,
    superlative: bool,
) -> Phrase:
    """None, one or two attributive adjectives."""
    phrase = Phrase([], [])
    random = s.random
    if superlative and random.chance(6):
        choice = s.lexicon.adjectives_of(noun.tags, "superlative")
        if len(choice):
            entry = choice.draw(random)
            assert entry.german_superlative is not None
            theirs = Word(*german.adjective(entry.german_superlative, case, gender, pattern))
            phrase.english = (
                [Word(*entry.english_superlative)]
                if entry.english_superlative
                else [Word("most"), Word(*entry.english)]
            )
            phrase.german = [theirs]
            s.link(phrase.english, [theirs])
            return phrase
    choice = s.lexicon.adjectives_of(noun.tags)
    count = 0 if not len(choice) else 2 if random.chance(4) else 1 if random.chance(34) else 0
    entries = []
    for _ in range(count):
        entry = choice.draw(random)
        if entry.order not in [other.order for other in entries]:
            entries.append(entry)
    for entry in sorted(entries, key=lambda entry: entry.order):
        ours, theirs = s.pair(entry.english, german.adjective(entry.stem, case, gender, pattern))
        phrase.english.append(ours)
        phrase.german.append(theirs)
    return phrase


def _with_noun(
    s: Sentence,
    noun: NounEntry,
    case: german.Case,
    plural: bool,
    before: Phrase,
    adjectives: Phrase,
) -> Phrase:
    words = noun.english_plural if plural else noun.english
    assert words is not None
    ours = [Word(*morphs) for morphs in words]
    theirs = Word(*noun.german.form(case, plural))
    s.link(ours, [theirs])
    english_words = [*before.english, *adjectives.english, *ours]
    if english_words[0].morphs == ():
        english_words[0].morphs = (english.article(english_words[1].text),)
    gender: german.Gender = "p" if plural else noun.german.gender
    return Phrase(
        english_words,
        [*before.german, *adjectives.german, theirs],
        "p" if plural else "3s",
        gender,
        pronoun=_taken_up_by(noun, plural),
        tags=noun.tags,
    )


def _taken_up_by(noun: NounEntry, plural: bool) -> str | None:
    if plural:
        return "they"
    if "person" in noun.tags:
        return {"m": "he", "f": "she", None: None}[noun.sex]
    return f"it {noun.german.gender}"


def _can_be_owned(noun: NounEntry) -> bool:
    return bool(noun.tags & set(_OWNED)) and "mass" not in noun.tags


_OWNED = ("thing", "text", "vehicle", "clothing", "animal", "idea", "kin", "building")


def _owned(s: Sentence, noun: NounEntry, case: german.Case, plural: bool) -> Phrase:
    """`Anna 's old car`: `Annas altes Auto`; `the teacher 's car`: `das Auto des Lehrers`."""
    random = s.random
    gender: german.Gender = "p" if plural else noun.german.gender
    genitive = Word("'s")
    if random.chance(50):
        ours, theirs = s.lexicon.names[random.one_of(("man", "woman"))].draw(random)
        if theirs[-1].endswith(("s", "x", "z")):  # German adds no -s to these
            ours, theirs = ("Anna",), ("Anna",)
        owner, german_owner = s.pair(ours, (*theirs, "s"))
        s.link([genitive], [german_owner])
        adjectives = _adjectives(s, noun, case, gender, "strong", superlative=False)
        before = Phrase([owner, genitive], [german_owner])
        return _with_noun(s, noun, case, plural, before, adjectives)
    owner = noun_phrase(s, ("person",), "gen", determiner="definite", plural=False, bare=True)
    s.link([genitive], owner.german[:1], sure=False)
    adjectives = _adjectives(s, noun, case, gender, "weak", superlative=False)
    phrase = _with_noun(s, noun, case, plural, Phrase([], []), adjectives)
    phrase.english = [*owner.english, genitive, *phrase.english]
    phrase.german = [Word(*german.definite(case, gender)), *phrase.german, *owner.german]
    return phrase


def _add_owner(s: Sentence, phrase: Phrase) -> None:
    """`the car of the teacher`: `das Auto des Lehrers`."""
    owner = noun_phrase(s, ("person",), "gen", determiner="definite", bare=True)
    of = Word("of")
    s.link([of], owner.german[:1], sure=False)
    phrase.english += [of, *owner.english]
    phrase.german += owner.german


def _where_it_stands(s: Sentence, noun: NounEntry) -> Phrase:
    if noun.tags & {"building", "vehicle", "plant"}:
        return place_phrase(s, ("area",), direction=False)
    if "thing" in noun.tags:
        return place_phrase(s, ("indoors",), direction=False)
    return place_phrase(s, ("area", "building"), direction=False)

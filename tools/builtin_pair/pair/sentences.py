"""Whole sentences: statements, questions, requests, and combinations of clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pair.clauses import (
    Clause,
    Plan,
    Tense,
    clause,
    full_noun_phrase,
    taken_up,
    there_is,
    verb_clause,
    weather,
)
from pair.draw import SplitMix64, Weighted
from pair.lexicon import Lexicon, Morphs
from pair.phrases import name_phrase, pronoun_phrase
from pair.words import Phrase, Sentence, Word

Sides = tuple[list[Word], list[Word]]


@dataclass(frozen=True)
class SentencePair:
    """A finished pair: its words as morphs, and its links (English, German, sure), ascending."""

    english: list[Morphs]
    german: list[Morphs]
    links: list[tuple[int, int, bool]]


@dataclass(frozen=True)
class _Conjunction:
    """A subordinating conjunction and the tenses that it requires."""

    english: tuple[Morphs, ...]
    german: Morphs
    main: tuple[Tense, ...]
    subordinate: tuple[Tense, ...]
    loose: bool = False  # the clause may be negated and have adverbials


_CONJUNCTIONS = Weighted(
    [
        _Conjunction(
            (("because",),), ("weil",), ("past",), ("past", "past", "pluperfect"), loose=True
        ),
        _Conjunction(
            (("because",),), ("weil",), ("present",), ("present", "modal", "perfect"), loose=True
        ),
        _Conjunction((("when",),), ("als",), ("past",), ("past",)),
        _Conjunction((("when",),), ("wenn",), ("present",), ("present",)),
        _Conjunction((("if",),), ("wenn",), ("future", "modal"), ("present",), loose=True),
        _Conjunction((("although",),), ("ob", "wohl"), ("past",), ("past",), loose=True),
        _Conjunction(
            (("although",),), ("ob", "wohl"), ("present",), ("present", "perfect"), loose=True
        ),
        _Conjunction((("while",),), ("während",), ("past",), ("past",)),
        _Conjunction((("before",),), ("bevor",), ("past", "modal"), ("past",)),
        _Conjunction((("after",),), ("nach", "dem"), ("past",), ("pluperfect",)),
        _Conjunction((("as",), ("soon",), ("as",)), ("so", "bald"), ("future",), ("present",)),
        _Conjunction((("since",),), ("da",), ("present",), ("present",)),
        _Conjunction((("until",),), ("bis",), ("past",), ("past",)),
        _Conjunction((("even",), ("though",)), ("ob", "wohl"), ("past",), ("past",), loose=True),
    ],
    [9, 8, 10, 7, 9, 5, 4, 5, 5, 5, 4, 3, 4, 2],
)
_COORDINATING = (("and", "und"), ("and", "und"), ("but", "aber"), ("because", "denn"))
# It is ... that, it is ... to.
_JUDGEMENTS = (
    (("important",), ("wichtig",), "that to"),
    (("difficult",), ("schwierig",), "to"),
    (("clear",), ("klar",), "that"),
    (("possible",), ("mög", "lich"), "that to"),
    (("true",), ("wahr",), "that"),
    (("easy",), ("leicht",), "to"),
    (("strange",), ("seltsam",), "that"),
    (("necessary",), ("not", "wend", "ig"), "that to"),
    (("im", "possible"), ("un", "mög", "lich"), "that to"),
    (("sad",), ("traur", "ig"), "that"),
    (("forbidd", "en"), ("ver", "bot", "en"), "to"),
    (("know", "n"), ("bekannt",), "that"),
)


def sentence_pair(random: SplitMix64, lexicon: Lexicon) -> SentencePair:
    """Draw one sentence pair."""
    s = Sentence(random, lexicon)
    english_words, german_words = _KINDS.draw(random)(s)
    english_words = _with_cannot(s, english_words)
    german_words = _without_double_commas(german_words)
    for words in (english_words, german_words):
        words[0].morphs = _capitalised(words[0].morphs)
        for position, word in enumerate(words):
            word.position = position
    links: dict[tuple[int, int], bool] = {}
    for ours, theirs, sure in s.links:
        if ours.position >= 0 and theirs.position >= 0:
            key = ours.position, theirs.position
            links[key] = sure or links.get(key, False)
    return SentencePair(
        [word.morphs for word in english_words],
        [word.morphs for word in german_words],
        sorted((i, j, sure) for (i, j), sure in links.items()),
    )


def _statement(s: Sentence) -> Sides:
    c = clause(s, Plan())
    return _ended(s, c.english_statement(), c.german_second())


def _joined(s: Sentence) -> Sides:
    """Two main clauses."""
    first = clause(s, Plan())
    ours, theirs = s.random.one_of(_COORDINATING)
    conjunction, german_conjunction = s.pair((ours,), (theirs,))
    subject = taken_up(s, first.subject) if s.random.chance(55) else None
    second = clause(s, Plan(small=True, fronting=ours != "because"), subject)
    comma, german_comma = Word(","), Word(",")
    s.link([comma], [german_comma])
    commas = [comma] if ours != "because" and s.random.chance(60) else []
    german_commas = [] if theirs == "und" else [german_comma]
    return _ended(
        s,
        [*first.english_statement(), *commas, conjunction, *second.english_statement()],
        [*first.german_second(), *german_commas, german_conjunction, *second.german_second()],
    )


def _with_adverbial_clause(s: Sentence) -> Sides:
    """`Because it rained , we stayed`: `Weil es regnete , blieben wir`; or main clause first."""
    random = s.random
    conjunction = _CONJUNCTIONS.draw(random)
    ours = [Word(*word) for word in conjunction.english]
    theirs = Word(*conjunction.german)
    s.link(ours, [theirs])
    inner = Plan(
        tense=random.one_of(conjunction.subordinate),
        last=True,
        small=random.chance(70),
        adverbials=conjunction.loose and random.chance(30),
        negation=conjunction.loose,
        fronting=False,
    )
    outer = Plan(tense=random.one_of(conjunction.main), fronting=False)
    if random.chance(45):
        sub = weather(s, inner) if _suits_weather(inner) and random.chance(12) else clause(s, inner)
        main = clause(s, outer, _again(s, sub))
        comma, german_comma = s.pair((",",), (",",))
        return _ended(
            s,
            [*ours, *sub.english_statement(), comma, *main.english_statement()],
            [theirs, *sub.german_last(), german_comma, *main.german_first()],
        )
    main = clause(s, outer)
    if _suits_weather(inner) and random.chance(12):
        sub = weather(s, inner)
    else:
        sub = clause(s, inner, _again(s, main))
    return _ended(
        s,
        [*main.english_statement(), *ours, *sub.english_statement()],
        [*main.german_second(), Word(","), theirs, *sub.german_last()],
    )


def _with_content_clause(s: Sentence) -> Sides:
    """`X says that ...`, `X asks whether ...`; or `It is clear that ...`."""
    random = s.random
    that = True
    if random.chance(22):
        main, past = _it_is(s, infinitive=False)
    else:
        that = random.chance(85)
        verb = s.lexicon.verbs_of("clause" if that else "whether").draw(random)
        past = random.chance(45)
        plan = Plan(
            tense="past" if past else "present", adverbials=False, small=True, negation=False
        )
        main = verb_clause(s, verb, plan)
    tense: Tense | None = None
    if past:
        tense = random.one_of(("past", "past", "pluperfect", "conditional"))
    inner = Plan(tense=tense, last=True, small=random.chance(50), fronting=False)
    sub = clause(s, inner, _again(s, main))
    ours, theirs = s.pair(("that" if that else "whether",), ("dass" if that else "ob",))
    opening = [] if that and main.subject.tags and random.chance(25) else [ours]
    main.tail = [*opening, *sub.english_statement()]
    main.german_tail = [Word(","), theirs, *sub.german_last()]
    return _ended(s, main.english_statement(), main.german_second())


def _with_infinitive(s: Sentence) -> Sides:
    """`X tries to repair the car`; or `It is difficult to ...`."""
    random = s.random
    if random.chance(25):
        main, _ = _it_is(s, infinitive=True)
        subject = Phrase([], [], "p", "p", pronoun=None, tags=frozenset(["person"]))
    else:
        plan = Plan(adverbials=False, small=True)
        main = verb_clause(s, s.lexicon.verbs_of("infinitive").draw(random), plan)
        subject = main.subject
    inner = _infinitive(s, subject)
    main.tail = inner.english_predicate()
    main.german_tail = [Word(","), *inner.german_infinitive()]
    return _ended(s, main.english_statement(), main.german_second())


def _with_purpose(s: Sentence) -> Sides:
    """`X goes to the market (in order) to buy fish`: `um Fisch zu kaufen`."""
    random = s.random
    frame = random.one_of(("directed", "transitive", "prepositional", "located"))
    verb = s.lexicon.verbs_of(frame, frozenset(["person"])).draw(random)
    person = full_noun_phrase(s, ("person",), "nom", small=True)
    if random.chance(30):
        person = pronoun_phrase(s, random.one_of(("I", "he", "she", "we", "they")), "nom")
    elif random.chance(20):
        person = name_phrase(s)
    main = verb_clause(s, verb, Plan(negation=False, small=True), person)
    inner = _infinitive(s, person)
    to, um = inner.verb[0], Word("um")
    order = [Word("in"), Word("order")] if random.chance(40) else []
    s.link(order, [um])
    if not order:
        s.link([to], [um], sure=False)
    main.tail = [*order, *inner.english_predicate()]
    main.german_tail = [Word(","), um, *inner.german_infinitive()]
    return _ended(s, main.english_statement(), main.german_second())


def _question(s: Sentence) -> Sides:
    """`Does the teacher read ?`, `Where does ...`, `What ...`, `Who ...`."""
    random = s.random
    plan = Plan(question=True, small=True, fronting=False, negation=False)
    kind = random.below(100)
    if kind < 45:
        c = clause(s, replace(plan, adverbials=random.chance(50)), _asked_about(s))
        return _ended(s, c.english_question(), c.german_first(), "?")
    plan = replace(plan, adverbials=False)
    if kind < 60:  # what
        verb = s.lexicon.verbs_of("transitive").draw(random)
        while not {"thing", "food", "text", "drink", "small", "printed"} & set(verb.object):
            verb = s.lexicon.verbs_of("transitive").draw(random)
        ours, theirs = s.pair(("what",), ("was",))
        c = verb_clause(s, verb, replace(plan, asked=True), _asked_about(s))
    elif kind < 72:  # who
        ours, theirs = s.pair(("who",), ("wer",))
        who = Phrase([ours], [theirs], tags=frozenset(["person"]))
        c = clause(s, Plan(small=True, fronting=False, negation=False), who)
        return _ended(s, c.english_statement(), c.german_second(), "?")
    elif kind < 84:  # where, where to
        frame = random.one_of(("located", "directed"))
        verb = s.lexicon.verbs_of(frame, frozenset(["person"])).draw(random)
        ours, theirs = s.pair(("where",), ("wo",) if frame == "located" else ("wo", "hin"))
        c = verb_clause(s, verb, replace(plan, asked=True), _asked_about(s))
    else:
        asked: tuple[tuple[Morphs, ...], tuple[Morphs, ...]] = random.one_of(
            (
                ((("why",),), (("war", "um"),)),
                ((("when",),), (("wann",),)),
                ((("how",), ("often",)), (("wie",), ("oft",))),
            )
        )
        words = [s.pair(e, g) for e, g in zip(*asked, strict=True)]
        c = clause(s, plan, _asked_about(s))
        return _ended(
            s,
            [*(e for e, _ in words), *c.english_question()],
            [*(g for _, g in words), *c.german_first()],
            "?",
        )
    return _ended(s, [ours, *c.english_question()], [theirs, *c.german_first()], "?")


def _request(s: Sentence) -> Sides:
    """`Please open the window !`: `Öffnen Sie bitte das Fenster !`"""
    random = s.random
    verb = None
    while verb is None or verb.flags & {"stative", "simple"}:
        frame = random.one_of(("transitive", "transitive", "ditransitive", "dative", "directed"))
        verb = s.lexicon.verbs_of(frame, frozenset(["person"])).draw(random)
    you = Phrase([], [Word("Sie")], "p", "p", pronoun="you", is_pronoun=True)
    c = verb_clause(s, verb, Plan(tense="imperative", small=True), you)
    please, bitte = s.pair(("please",), ("bitte",))
    c.adverbs = [bitte, *c.adverbs]
    if random.chance(65):
        ours = [please, *c.english_statement()]
    else:
        ours = [*c.english_statement(), Word(","), please]
    return _ended(s, ours, c.german_first(), random.one_of(("!", ".")))


def _existence(s: Sentence) -> Sides:
    c = there_is(s)
    return _ended(s, c.english_statement(), c.german_second())


def _infinitive(s: Sentence, subject: Phrase) -> Clause:
    """A clause without its subject: `to buy fish`, `Fisch zu kaufen`."""
    verb = None
    while verb is None or verb.flags & {"stative", "simple"}:
        frame = _ACTIONS.draw(s.random)
        verb = s.lexicon.verbs_of(frame, frozenset(["person"])).draw(s.random)
    plan = Plan(tense="infinitive", last=True, small=s.random.chance(60), negation=False)
    return verb_clause(s, verb, plan, subject)


def _it_is(s: Sentence, *, infinitive: bool) -> tuple[Clause, bool]:
    """`It is important`, and whether it is in the past."""
    random = s.random
    wanted = "to" if infinitive else "that"
    fitting = [entry for entry in _JUDGEMENTS if wanted in entry[2].split()]
    adjective, german_adjective, _ = random.one_of(fitting)
    past = random.chance(30)
    it, es = s.pair(("it",), ("es",))
    be, sein = s.pair(("was" if past else "is",), ("war" if past else "ist",))
    ours, theirs = [Word(*adjective)], [Word(*german_adjective)]
    s.link(ours, theirs)
    c = Clause(Phrase([it], [es], is_pronoun=True), auxiliaries=[be], finite=[sein])
    c.complements, c.end = ours, theirs
    return c, past


def _asked_about(s: Sentence) -> Phrase | None:
    """The subject of a question: not `I`, which rarely asks about itself."""
    if s.random.chance(45):
        return pronoun_phrase(s, s.random.one_of(("you", "you", "he", "she", "they")), "nom")
    return None


def _again(s: Sentence, c: Clause) -> Phrase | None:
    """A pronoun for the subject of the other clause, half of the time."""
    return taken_up(s, c.subject) if c.subject.tags and s.random.chance(50) else None


def _suits_weather(plan: Plan) -> bool:
    return plan.tense in ("past", "present")


def _ended(s: Sentence, ours: list[Word], theirs: list[Word], mark: str = ".") -> Sides:
    end, german_end = s.pair((mark,), (mark,))
    return [*ours, end], [*theirs, german_end]


def _without_double_commas(words: list[Word]) -> list[Word]:
    """Drop a comma that closes a clause if another comma or the end of the sentence follows."""
    return [
        word
        for word, after in zip(words, [*words[1:], None], strict=True)
        if not (word.text == "," and after is not None and after.text in (",", ".", "?", "!"))
    ]


def _with_cannot(s: Sentence, words: list[Word]) -> list[Word]:
    """`can not` is one word, which is linked with `kann` and with `nicht` or `kein`."""
    joined: list[Word] = []
    for word in words:
        if word.text == "not" and joined and joined[-1].text == "can":
            joined[-1].morphs = ("can", "not")
            s.replace(word, joined[-1], sure=True)
        else:
            joined.append(word)
    return joined


def _capitalised(morphs: Morphs) -> Morphs:
    return (morphs[0][0].upper() + morphs[0][1:], *morphs[1:])


_ACTIONS = Weighted(
    ["transitive", "ditransitive", "dative", "directed", "prepositional"], [50, 12, 8, 15, 12]
)
_KINDS = Weighted(
    [
        _statement,
        _with_adverbial_clause,
        _with_content_clause,
        _joined,
        _question,
        _with_infinitive,
        _with_purpose,
        _request,
        _existence,
    ],
    [30, 22, 14, 10, 8, 7, 4, 2, 3],
)

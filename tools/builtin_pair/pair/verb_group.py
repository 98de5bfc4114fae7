"""Forms of the verb: auxiliaries, modals, participles and negation, in both languages."""

from __future__ import annotations

from pair import english, german
from pair.clause import Clause, Plan, Tense
from pair.draw import Weighted
from pair.german import AUXILIARIES
from pair.lexicon import Morphs, VerbEntry
from pair.words import Sentence, Word

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
BE: dict[str, dict[german.Agreement, Morphs]] = {
    "present": {"1s": ("am",), "3s": ("is",), "p": ("are",)},
    "past": {"1s": ("was",), "3s": ("was",), "p": ("were",)},
}
HAVE: dict[german.Agreement, Morphs] = {"1s": ("have",), "3s": ("has",), "p": ("have",)}
_DO: dict[german.Agreement, Morphs] = {"1s": ("do",), "3s": ("do", "es"), "p": ("do",)}

# The second word of verbs such as `look for`, which German leaves out.
_GOVERNED = {"for", "at", "to"}


def add_be(s: Sentence, c: Clause, tense: Tense, negated: bool) -> None:
    agreement = c.subject.agreement
    if tense in ("present", "past"):
        be, sein = s.pair(BE[tense][agreement], AUXILIARIES[f"sein {tense}"][agreement])
        c.auxiliaries, c.finite = [be], [sein]
        return
    modal, german_modal = ("will",), "werden present"
    if tense == "modal":
        modal, _, german_modal = draw_modal(s, negated, full_verbs=False)
    first, finite = s.pair(modal, AUXILIARIES[german_modal][agreement])
    be, sein = s.pair(("be",), ("sein",))
    c.auxiliaries, c.finite, c.infinite = [first, be], [finite], [sein]


def add_become(s: Sentence, c: Clause, tense: Tense) -> None:
    agreement = c.subject.agreement
    if tense in ("perfect", "pluperfect"):
        have = HAVE[agreement] if tense == "perfect" else ("had",)
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


def add_verb(
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
        be = Word(*BE[tense][agreement])
        head = Word(*english.with_ing(base))
        c.auxiliaries = [be]
        s.link([be], c.finite, sure=False)
    elif tense in ("present", "past", "imperative"):
        head = _simple(s, c, verb, tense, needs_auxiliary)
    elif tense in ("perfect", "pluperfect"):
        have = Word(*(HAVE[agreement] if tense == "perfect" else ("had",)))
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
    third, other, german_modal = draw_modal(s, bool(c.negation), full_verbs=True)
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


def draw_modal(s: Sentence, negated: bool, *, full_verbs: bool) -> tuple[Morphs, Morphs, str]:
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


def add_nicht(s: Sentence, c: Clause) -> None:
    nicht = Word("nicht")
    s.link(c.negation, [nicht])
    c.nicht = [nicht]

"""German inflection: words are tuples of morphs, as in the table of morphemes.

Cases are "nom", "acc", "dat" and "gen"; genders "m", "f" and "n", with "p" for the plural, which has no
gender.
"""

from dataclasses import dataclass
from typing import Literal

Morphs = tuple[str, ...]
Case = Literal["nom", "acc", "dat", "gen"]
Gender = Literal["m", "f", "n", "p"]
Agreement = Literal["1s", "3s", "p"]  # "p": every plural, and the polite Sie

_CASES = ("nom", "acc", "dat", "gen")


def _paradigm(m: str, f: str, n: str, p: str) -> dict[tuple[Case, Gender], str]:
    """A table from its columns, each nominative to genitive; `-` is no ending."""
    columns = {"m": m, "f": f, "n": n, "p": p}
    return {
        (case, gender): "" if form == "-" else form
        for gender, column in columns.items()
        for case, form in zip(_CASES, column.split(), strict=True)
    }


DEFINITE = _paradigm("der den dem des", "die die der der", "das das dem des", "die die den der")
RELATIVE = {**DEFINITE, ("dat", "p"): "denen"}
_EIN = _paradigm("- en em es", "e e er er", "- - em es", "e e en er")
_DIES = _paradigm("er en em es", "e e er er", "es es em es", "e e en er")
_WEAK = _paradigm("e en en en", "e e en en", "e e en en", "en en en en")
_MIXED = _paradigm("er en en en", "e e en en", "es es en en", "en en en en")
_STRONG = _paradigm("er en em en", "e e er er", "es es em en", "e e en er")
_ADJECTIVE = {"weak": _WEAK, "mixed": _MIXED, "strong": _STRONG}

CONTRACTIONS: dict[tuple[str, str], Morphs] = {
    ("in", "dem"): ("i", "m"),
    ("an", "dem"): ("a", "m"),
    ("von", "dem"): ("vo", "m"),
    ("zu", "dem"): ("zu", "m"),
    ("zu", "der"): ("zu", "r"),
    ("in", "das"): ("in", "s"),
    ("an", "das"): ("an", "s"),
}

# (1st singular, 3rd singular, plural) of the verbs with a table of their own.
AUXILIARIES: dict[str, dict[Agreement, Morphs]] = {
    name: dict(
        zip(("1s", "3s", "p"), (tuple(form.split("|")) for form in forms.split()), strict=True)
    )
    for name, forms in {
        "sein present": "bin ist sind",
        "sein past": "war war war|en",
        "haben present": "hab|e hat hab|en",
        "haben past": "hat|te hat|te hat|te|n",
        "werden present": "werd|e wird werd|en",
        "werden past": "wurd|e wurd|e wurd|en",
        "werden conditional": "würd|e würd|e würd|e|n",
        "können present": "kann kann könn|en",
        "können past": "konn|te konn|te konn|te|n",
        "müssen present": "muss muss müss|en",
        "müssen past": "muss|te muss|te muss|te|n",
        "wollen present": "will will woll|en",
        "wollen past": "woll|te woll|te woll|te|n",
        "sollen past": "soll|te soll|te soll|te|n",
        "dürfen present": "darf darf dürf|en",
    }.items()
}


@dataclass(frozen=True)
class Noun:
    """The forms from which the others follow: lemma, plural (None: it has none), genitive ending."""

    gender: Literal["m", "f", "n"]
    singular: Morphs
    plural: Morphs | None
    genitive: str

    def form(self, case: Case, plural: bool) -> Morphs:
        """The noun in a case."""
        if plural:
            assert self.plural is not None
            # The dative plural ends in -n, unless the plural ends in -n or -s already.
            takes_n = case == "dat" and self.plural[-1][-1] not in "ns"
            return (*self.plural, "n") if takes_n else self.plural
        weak = self.gender == "m" and self.genitive in ("n", "en")
        if case == "gen" or (weak and case in ("acc", "dat")):
            return self._with(self.genitive)
        return self.singular

    def _with(self, ending: str) -> Morphs:
        if not ending:
            return self.singular
        if ending == "ses":  # des Busses: the stem's s doubles
            *start, last = self.singular
            return (*start, last + "s", "es")
        return (*self.singular, ending)


@dataclass(frozen=True)
class Verb:
    """The principal parts; a main clause separates `prefix` (ruft ... an)."""

    prefix: Morphs
    infinitive: Morphs
    third: Morphs
    past: Morphs
    participle: Morphs
    auxiliary: Literal["haben", "sein"]

    def present(self, agreement: Agreement) -> Morphs:
        """ich rufe, er ruft, wir rufen, without the separable prefix."""
        if agreement == "p":
            return self.infinitive
        if agreement == "3s" or self.third == ("weiß",):
            return self.third
        *stem, ending = self.infinitive
        if ending == "n" and stem[-1].endswith("el"):  # lächeln: ich lächle
            stem[-1] = stem[-1][:-2] + "l"
        return (*stem, "e")

    def preterite(self, agreement: Agreement) -> Morphs:
        """ich/er rief, wir riefen, without the separable prefix."""
        if agreement != "p":
            return self.past
        return (*self.past, "n" if self.past[-1].endswith("e") else "en")

    def with_zu(self) -> list[Morphs]:
        """`zu lesen`, two words, but `anzurufen`, one."""
        if self.prefix:
            return [(*self.prefix, "zu", *self.infinitive)]
        return [("zu",), self.infinitive]


def weak_parts(stem: Morphs) -> tuple[Morphs, Morphs, Morphs]:
    """Third person, preterite and participle of a weak verb, without a separable prefix."""
    e = "e" if _needs_e(stem[-1]) else ""
    untouched = stem[0] in ("be", "er", "ent", "ge", "miss", "über", "unter", "ver", "zer")
    ge = () if untouched or stem[-1] == "ier" else ("ge",)
    return (*stem, e + "t"), (*stem, e + "te"), (*ge, *stem, e + "t")


def _needs_e(stem: str) -> bool:
    """arbeit-e-t, öffn-e-t, zeichn-e-t, but lern-t and wohn-t."""
    if stem.endswith(("t", "d")):
        return True
    nasal_after_consonant = stem.endswith(("n", "m")) and stem[-2] not in "aeiouäöührlmn"
    return nasal_after_consonant or stem.endswith("chn")


def definite(case: Case, gender: Gender) -> Morphs:
    """der, die, das."""
    return (DEFINITE[case, gender],)


def ein_word(stem: Morphs, case: Case, gender: Gender) -> Morphs:
    """ein, kein and the possessives."""
    return _ended(stem, _EIN[case, gender])


def dies_word(stem: Morphs, case: Case, gender: Gender) -> Morphs:
    """dieser, jeder, alle, mehrere, viele."""
    return _ended(stem, _DIES[case, gender])


def adjective(
    stem: Morphs, case: Case, gender: Gender, pattern: Literal["weak", "mixed", "strong"]
) -> Morphs:
    """An attributive adjective after der (weak), ein (mixed) or nothing (strong)."""
    return _ended(stem, _ADJECTIVE[pattern][case, gender])


def _ended(stem: Morphs, ending: str) -> Morphs:
    return (*stem, ending) if ending else stem

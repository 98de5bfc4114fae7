"""English inflection: words are tuples of morphs, as in the table of morphemes."""

Morphs = tuple[str, ...]

_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")
# Verbs of more than one syllable that double their last consonant (British spelling).
_DOUBLING = {"begin", "forget", "travel"}
# Words whose first letter suggests the wrong sound for `a` or `an`.
_CONSONANT_SOUND = ("eu", "universi", "use")
_VOWEL_SOUND = ("hour", "honest")


def with_s(word: Morphs) -> Morphs:
    """The plural of a noun or the third person of a verb: `(citi, es)`, `(teach, er, s)`."""
    *start, last = word
    if last.endswith("y") and _consonant_before_last(last):
        return (*start, last[:-1] + "i", "es")
    return (*start, last, "es" if last.endswith((*_SIBILANTS, "go")) else "s")


def with_ed(verb: Morphs) -> Morphs:
    """The regular past: `(lov, ed)`, `(tri, ed)`, `(plann, ed)`."""
    *start, last = verb
    if last.endswith("y") and _consonant_before_last(last):
        return (*start, last[:-1] + "i", "ed")
    return (*start, _before_vowel(last), "ed")


def with_ing(verb: Morphs) -> Morphs:
    """The present participle: `(mak, ing)`, `(ly, ing)`, `(runn, ing)`, `(see, ing)`."""
    *start, last = verb
    if last.endswith("ie"):
        return (*start, last[:-2] + "y", "ing")
    if last.endswith(("ee", "ye", "oe")):
        return (*start, last, "ing")
    return (*start, _before_vowel(last), "ing")


def article(next_word: str) -> str:
    """`a` or `an`, by the word that follows."""
    word = next_word.lower()
    if word.startswith(_VOWEL_SOUND):
        return "an"
    return "an" if word[0] in _VOWELS and not word.startswith(_CONSONANT_SOUND) else "a"


def _before_vowel(stem: str) -> str:
    if stem.endswith("e"):
        return stem[:-1]
    if stem in _DOUBLING or _short_syllable(stem):
        return stem + stem[-1]
    return stem


def _short_syllable(stem: str) -> bool:
    """One syllable that ends in a single vowel and a single consonant that can double."""
    vowels = [place for place, letter in enumerate(stem) if letter in _VOWELS]
    return vowels == [len(stem) - 2] and stem[-1] not in "wxy"


def _consonant_before_last(stem: str) -> bool:
    return len(stem) > 1 and stem[-2] not in _VOWELS

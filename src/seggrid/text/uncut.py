"""What shows that a text is not cut into words: scripts without spaces, other separators of words within what
spaces separate, and punctuation at ends of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain

UNSPACED = {
    "Chinese or Japanese": ("\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff", 4),
    "Thai": ("\u0e01-\u0e4e", 8),
    "Lao": ("\u0e81-\u0ecd", 8),
    "Khmer": ("\u1780-\u17d3", 8),
    "Burmese": ("\u1000-\u103f\u1050-\u109f\uaa60-\uaa7f", 8),
    # With the mark between syllables.
    "Tibetan": ("\u0f0b\u0f0c\u0f40-\u0fbc", 12),
}
"""Scripts in which spaces do not separate words: their letters, as part of a pattern's `[...]`, and the mean
number of characters above which what spaces separate is longer than words."""
WORD_SEPARATORS = "\u200b\u1361\u2e31\U00010100\U00010101\U0001039f\U000103d0\U0001091f"
"""The characters, other than spaces, that Unicode names separators of words."""

_CLOSING = "\"»”’')"
"""What may stand after the punctuation at the end of a word."""
_LEAST, _SHARE = 5, 0.05
_HOW = "align --tokenize cuts text into words"


def remarks_on_words(sentences: Sequence[str], name: str) -> list[str]:
    """Remarks on sentences whose words are not what spaces separate."""
    lines = [[word for word in sentence.split(" ") if word] for sentence in sentences]
    words = Counter(chain.from_iterable(lines))
    last = Counter(line[-1] for line in lines if line)
    found = _unspaced(words) or _separated(words) or _attached(words, last)
    return [f"{name}: {said} ({_HOW})" for said in found]


def _unspaced(words: Counter[str]) -> list[str]:
    text = "".join(words.elements())
    # All letters of these scripts have three bytes or more.
    if len(text.encode("utf-8", "surrogatepass")) <= 2 * len(text):
        return []
    for script, (letters, most) in UNSPACED.items():
        letter = re.compile(f"[{letters}]")
        if 2 * len(letter.findall(text)) > len(text):
            own = [len(word) for word in words.elements() if letter.search(word)]
            if (mean := sum(own) / len(own)) > most:
                said = (
                    f"{script} has no spaces between words, and what they separate has {mean:.0f}"
                )
                return [f"{said} characters on average"]
    return []


def _separated(words: Counter[str]) -> list[str]:
    odd = [word for word in words if not word.isascii() and set(WORD_SEPARATORS) & {*word}]
    if not odd:
        return []
    import regex  # which knows more letters, and takes as long to import as all this

    separated = regex.compile(rf"\w([{WORD_SEPARATORS}])\w")
    found = {word: mark[1] for word in odd if (mark := separated.search(word))}
    if sum(map(words.__getitem__, found)) < max(_LEAST, _SHARE * words.total()):
        return []
    word = next(iter(found))
    return [f"U+{ord(found[word]):04X} stands for the spaces between words, as in {word}"]


def _attached(words: Counter[str], last: Counter[str]) -> list[str]:
    """Whether many of the words, or of the last words of lines, end in punctuation."""
    found = [word for word in words if _is_terminal(_last_of(word))]
    # Within a sentence, a full stop may be part of an abbreviation.
    stopped = [word for word in last if _last_of(word) == "."]
    times = sum(map(words.__getitem__, found)) + sum(map(last.__getitem__, stopped))
    alone = sum(times for word, times in words.items() if not any(map(str.isalnum, word)))
    if times < max(_LEAST, _SHARE * words.total(), 3 * alone):
        return []
    return [f"punctuation is part of words, as in {(found + stopped)[0]}"]


def _last_of(word: str) -> str:
    """The last character of a word without what closes quotes; empty if no letter or digit precedes it."""
    word = word.rstrip(_CLOSING)
    has_more = not word[-1:].isalnum() and re.search(r"\w", word[:-1])
    return word[-1] if has_more else ""


@cache
def _is_terminal(letter: str) -> bool:
    """Whether a character ends a sentence or a part of it, other than by a full stop."""
    if letter.isascii():
        return letter in _TERMINAL
    import regex

    return bool(regex.match(r"[\p{Terminal_Punctuation}…]", letter))


_TERMINAL = {*"!,:;?"}

"""Write tokens with the word marks of other programs, as `seggrid.segment.external` reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seggrid.data.boundary import BOUNDARY, WORD_END, unmarked
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.external import MARKINGS

STYLES = MARKINGS
_CONTINUED, _CONTINUES = "@@", "##"


def styled(cut: Segmentation, sentences: Sentences, style: str) -> Iterator[str]:
    """The lines of a segmentation in a style.

    Args:
        cut: the segmentation of S sentences.
        sentences: the words, in the case in which they were segmented.
        style: one of `STYLES`.

    >>> cut = Segmentation.from_words([["go"]])
    >>> list(styled(cut, [["go"]], "</w>"))
    ['go</w>']
    """
    for s, words in enumerate(sentences):
        tokens = cut.sentence(s)
        line = " ".join(tokens)
        if style == BOUNDARY and _spells(line, words):
            yield line
        else:
            marked = (
                token
                for word, own in zip(words, _by_word(cut, s, tokens, len(words)), strict=True)
                for token in _marked(_spelled(own, word), style)
            )
            yield " ".join(marked)


def _spells(line: str, words: Sequence[str]) -> bool:
    """Whether the tokens spell the words unchanged, with `▁` between words."""
    return line.replace(" ", "").removeprefix(BOUNDARY).split(BOUNDARY) == list(words)


def _by_word(cut: Segmentation, s: int, tokens: list[str], words: int) -> list[list[str]]:
    """The tokens of each word of a sentence."""
    rows = slice(cut.offsets[s], cut.offsets[s + 1])
    found: list[list[str]] = [[] for _ in range(words)]
    for token, first, last in zip(
        tokens, cut.first[rows].tolist(), cut.last[rows].tolist(), strict=True
    ):
        if last > first:
            message = f"the token {token!r} is of several words, which --style cannot say"
            raise InputError(message, hint="segment with --spaces yes, or leave --style out")
        if last == first:
            found[first].append(token)
    return found


def _spelled(tokens: list[str], word: str) -> list[str]:
    """The tokens of a word without their marks."""
    bare = [unmarked(token) for token in tokens]
    continued = [*bare[:1], *(token.removeprefix(_CONTINUES) for token in bare[1:])]
    for parts in (bare, continued):
        if "".join(parts) == word:
            return [part for part in parts if part]
    message = f"the tokens {' '.join(tokens)!r} do not spell the word {word!r}"
    hint = "tokens of bytes, unknown ones and those of normalized text have no --style"
    raise InputError(message, hint=hint)


def _marked(parts: list[str], style: str) -> list[str]:
    """The parts of a word with the style's mark."""
    first, last = parts[0], parts[-1]
    if (style == _CONTINUED and last.endswith(style)) or (
        style == _CONTINUES and first.startswith(style)
    ):
        message = f"{''.join(parts)!r} has the mark {style} in its own text"
        raise InputError(message, hint="take another --style")
    if style == _CONTINUED:
        return [*(part + style for part in parts[:-1]), last]
    if style == _CONTINUES:
        return [first, *(style + part for part in parts[1:])]
    if style == WORD_END:
        return [*parts[:-1], last + style]
    return [style + first, *parts[1:]]

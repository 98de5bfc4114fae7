r"""Words that no segmenter cuts: the axis `glossary`, a regular expression that matches whole words, such as
`\d+|USA`, or `file:PATH`, a file with one word a line, or a regular expression between slashes. In paths and
tables, the digest of the file stands after its name, so that other words have other results.

They are left out of the text from which a model is learned; where a segmenter cuts one, its tokens are joined
again. So every segmenter has glossaries, without knowing of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError, one_line
from seggrid.base.lines import read_lines
from seggrid.text.boundary import unmarked
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.words import WordCounts, Words

if TYPE_CHECKING:
    from seggrid.segment.side import Side

LONGEST_SPELLED = 100
"""The most characters of an expression in a path of a grid."""


def canonical_glossary(text: str) -> str:
    """Check an expression or a file of words; return it, a file with its digest."""
    if not isinstance(text, str) or not text:
        hint = r"write alternatives such as \d+|USA, or file:PATH"
        raise InputError(f"{text!r} is not a regular expression", hint=hint)
    _parsed(text)
    if not (name := _FILE.fullmatch(text)):
        return text
    return f"file:{name['path']}#{_digest(read_lines(name['path']))}"


_FILE = re.compile(r"file:(?P<path>.+?)(?:#(?P<digest>[0-9a-f]{12}))?")


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _parsed(text: str, *, lower: bool = False) -> tuple[set[str], list[re.Pattern[str]]]:
    """The words of a glossary, and the expressions for others, each with groups and flags of its own; in
    `lower` case, if the text is."""
    if not (name := _FILE.fullmatch(text)):
        return set(), [_compiled(text, lower=lower)]
    lines = read_lines(name["path"], hint="give one word a line")
    if name["digest"] not in (None, _digest(lines)):
        raise InputError("the glossary has changed", file=name["path"], hint="run it again")
    words, expressions = set[str](), []
    for number, line in enumerate(lines, 1):
        line = line.strip(" \t")
        if len(line) > 2 and line[0] == line[-1] == "/":
            try:
                expressions.append(_compiled(line[1:-1], lower=lower))
            except InputError as error:
                raise error.at(name["path"], number) from None
        elif " " in line or "\t" in line:
            hint = "write each word on a line of its own"
            raise InputError(
                f"{line!r} is more than one word", file=name["path"], line=number, hint=hint
            )
        elif line:
            words.add(line.lower() if lower else line)
    return words, expressions


_PART = re.compile(
    r"\\N\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|P=\w+\)|[a-zA-Z-]+[:)])|.",
    re.DOTALL,
)
"""A part of an expression: an escape, a set of characters, the start of a group, or a character."""


def _compiled(text: str, *, lower: bool = False) -> re.Pattern[str]:
    """Compile an expression, in lower case if asked for; sets of characters such as `[A-Z]` stay."""
    try:
        if lower:
            parts = (part[0] for part in _PART.finditer(text))
            return re.compile("".join(p.lower() if len(p) == 1 else p for p in parts))
        return re.compile(text)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        hint = r"write alternatives such as \d+|USA, and . as \."
        raise InputError(f"{text!r} is not a regular expression: {error}", hint=hint) from None


def matches(side: Side, words: Sequence[str]) -> NDArray[np.bool_]:
    """Whether the glossary of a side has each of some words."""
    if not side.has_glossary:
        return np.zeros(len(words), dtype=np.bool_)
    if side.crosses_words:
        raise InputError(ACROSS, hint="leave the glossary out, or segment with spaces: yes")
    kept, expressions = _parsed(str(side.glossary), lower=side.case == "lower")
    found = (word in kept or any(one.fullmatch(word) for one in expressions) for word in words)
    return np.fromiter(found, dtype=np.bool_, count=len(words))


def unmatched(side: Side, words: Sequence[str]) -> list[str]:
    """A remark on the entries of the glossary of a side that none of some words, the text's, match, if there
    are any: words and expressions of a file, or the alternatives of an expression."""
    if not side.has_glossary:
        return []
    text, lower = str(side.glossary), side.case == "lower"
    kept, expressions = _parsed(text, lower=lower)
    if not kept and len(expressions) == 1 and "(" not in expressions[0].pattern:
        expressions = [re.compile(one) for one in _alternatives(expressions[0].pattern)]
    missing = sorted(kept.difference(words))
    missing += [one.pattern for one in expressions if not any(map(one.fullmatch, words))]
    if not missing:
        return []
    name, total = f"the glossary {one_line(text, 80)!r}", len(kept) + len(expressions)
    where = "in lower case" if lower else "of the text"
    if total == 1:
        return [f"{name} matches no word {where}"]
    shown = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
    return [f"{len(missing):,} of {total:,} entries of {name} match no word {where}: {shown}"]


_NAMED = 5
"""The most entries that a remark names."""


def _alternatives(expression: str) -> list[str]:
    """The alternatives of an expression without groups.

    >>> _alternatives(r"\\d+|U[|]S|\\|")
    ['\\\\d+', 'U[|]S', '\\\\|']
    """
    found = [""]
    for part in (part[0] for part in _PART.finditer(expression)):
        if part == "|":
            found.append("")
        else:
            found[-1] += part
    return found


ACROSS = "a glossary of words for tokens that may have parts of several words"


def without(side: Side, text: Sentences | WordCounts) -> Sentences | WordCounts:
    """A text without the words of the glossary; it has as many sentences."""
    if not side.has_glossary:
        return text
    if isinstance(text, WordCounts):
        cut = ~matches(side, text.types)
        return WordCounts(list(compress(text.types, cut)), text.counts[cut])
    words = Words.of(text)
    kept = set(compress(words.types, matches(side, side.words_of([words.types])[0])))
    return [[word for word in sentence if word not in kept] for sentence in words]


def join_words(
    side: Side, cut: Segmentation, sentences: Sentences, spelled: Callable[[str], bytes] | None
) -> Segmentation:
    """A segmentation of a text in which each word of the glossary is one token; one with parts of several
    words stays as it is. `spelled` gives the bytes of a type; None if all types are text."""
    if not side.has_glossary:
        return cut
    words = Words.of(side.words_of(sentences))
    kept = matches(side, words.types)[words.ids]
    base = np.repeat(words.offsets[:-1], cut.lengths)
    limit = np.repeat(words.offsets[1:], cut.lengths)
    # A mark alone belongs to the word after it.
    place = base + cut.first
    own = (cut.last <= cut.first) & (place < limit)
    own[own] = kept[place[own]]
    return _joined(cut, np.where(own, place, -1), lambda k: words.types[words.ids[k]], spelled)


def join_alone(
    side: Side, cut: Segmentation, words: Sequence[str], spelled: Callable[[str], bytes] | None
) -> Segmentation:
    """As `join_words`, for a segmentation whose sentences are words, and whose words are their characters."""
    if not side.has_glossary:
        return cut
    words = side.words_of([words])[0]
    kept = matches(side, words)
    group = np.repeat(np.where(kept, np.arange(len(words)), -1), cut.lengths)
    return _joined(cut, group, words.__getitem__, spelled)


def _joined(
    cut: Segmentation,
    group: NDArray[np.integer],
    word_of: Callable[[int], str],
    spelled: Callable[[str], bytes] | None,
) -> Segmentation:
    """Join adjacent tokens of the same group; those of the group -1 stay."""
    begins = np.ones(len(group), dtype=np.bool_)
    begins[1:] = (group[1:] != group[:-1]) | (group[1:] < 0)
    starts = np.flatnonzero(begins)
    if len(starts) == len(group) or not len(group):
        return cut
    types, ids = list(cut.types), cut.ids[starts].copy()
    number: dict[str, int] = {}
    ends = np.append(starts[1:], len(group))
    for row in np.flatnonzero(ends - starts > 1).tolist():
        text = "".join(types[k] for k in cut.ids[starts[row] : ends[row]].tolist())
        word = word_of(int(group[starts[row]]))
        bare = spelled(text).decode(errors="replace").strip() if spelled else text
        # Marks within the word, and unknown tokens, do not spell it.
        text = text if word in (unmarked(bare), unmarked(text)) else word
        ids[row] = number.setdefault(text, len(types) + len(number))
    sentence = np.repeat(np.arange(len(cut)), cut.lengths)[starts]
    first, last = (np.minimum, cut.first), (np.maximum, cut.last)
    # A mark alone overlaps no word: its `first` is that of the word after it.
    spans = [reduce.reduceat(values, starts) for reduce, values in (first, last)]
    return replace(
        cut,
        types=[*types, *number],
        ids=ids,
        offsets=offsets_of(np.bincount(sentence, minlength=len(cut))),
        first=spans[0],
        last=spans[1],
    ).in_order()

"""`seggrid filter`: leave out sentence pairs that are probably not translations, by score, length and share
of unaligned words. (A module `filter` would hide the builtin from its package.)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from seggrid.base.errors import InputError, note
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.base.parameters import (
    COMPRESSED,
    LARGEST,
    Group,
    Help,
    InputFile,
    Output,
    OutputFile,
    Rule,
    Share,
    checked,
    whole,
)
from seggrid.commands.options import TEXTS, PairFiles, read_pair, write_output_lines
from seggrid.commands.scoring import AnyLinks, links_in
from seggrid.commands.texts import Texts, read_in
from seggrid.text.link_notation import Known
from seggrid.text.pair import pair_format
from seggrid.text.parameters import LinksOrdered, PairTreated
from seggrid.text.words import Words

_RULES = Group(
    "rules", "A sentence pair with an empty side, or with what no text may hold, is always dropped."
)
_WORDS = Annotated[int, Interval(ge=1), _RULES]
Shortest = Annotated[_WORDS, Help("smallest number of words of a side", metavar="N")]
Longest = Annotated[_WORDS | None, Help("largest number of words of a side", metavar="N")]
Ratio = Annotated[
    float | None,
    Interval(ge=1),
    Help(
        "largest ratio of the longer to the shorter side in words, such as 3; at least 1",
        metavar="R",
    ),
    _RULES,
]
Unaligned = Annotated[
    Share | None,
    Help("largest share of the words of both sides that have no link, such as 0.5", metavar="P"),
    _RULES,
]
LeastScore = Annotated[
    float | None,
    Help("smallest log-probability per word, in the worse direction, such as -16", metavar="S"),
    _RULES,
]
_NUMBERS = Rule(
    lambda value: isinstance(value, list | tuple) and all(map(whole(0, LARGEST).holds, value)),
    "a list of the numbers of sentence pairs, from 0 on",
)
MEAN_SCORES = Rule(lambda value: np.shape(value)[1:] == (2,), "mean_scores of an alignment")


@dataclass(frozen=True)
class Filtered:
    """Which of S sentence pairs are kept, and why the others are not.

    Attributes:
        kept: whether each sentence pair is kept, shape (S,).
        rules: for each sentence pair, the first rule that drops it; empty if it is kept.
        dropped: how many pairs each rule drops, in the order of the rules.
    """

    kept: NDArray[np.bool_]
    rules: list[str]
    dropped: dict[str, int]

    def __repr__(self) -> str:
        counts = ", ".join(f"{rule} {count:,}" for rule, count in self.dropped.items())
        return f"{self.kept.sum():,} of {len(self.kept):,} sentence pairs kept; dropped: {counts}"


@checked
def filter(
    source: Texts,
    target: Texts,
    *,
    links: AnyLinks | None = None,
    scores: Annotated[NDArray[np.floating], MEAN_SCORES] | None = None,
    shortest: Shortest = 1,
    longest: Longest = None,
    ratio: Ratio = None,
    unaligned: Unaligned = None,
    least_score: LeastScore = None,
    malformed: Annotated[Sequence[int], _NUMBERS] = (),
) -> Filtered:
    """Decide which sentence pairs to keep, as `seggrid filter` does. A pair is dropped by these
    rules, in this order:

    malformed: a side has something that no text may hold (see `seggrid.text.text_files`), such as a control
    character, `|||`, more than 10,000 characters, or bytes that are not UTF-8; empty: a side has no word;
    length: a side has too few or too many words; ratio: one side is too long compared with the other;
    unaligned: too many words have no link; score: one side is too improbable given the other. A rule is not
    applied if its limit is None.

    Args:
        source, target: the texts, as for `seggrid.align`; words may be tokens, with `▁` in them.
        links: links of the S sentence pairs, as for `seggrid.score`, for `unaligned`.
        scores: log-probabilities per word in both directions, shape (S, 2), for `least_score`: `mean_scores`
            of an alignment.
        shortest, longest: fewest and most words of a side.
        ratio: most words of the longer side per word of the shorter side, at least 1.
        unaligned: largest share of the words of both sides that have no link.
        least_score: smallest score by word, of the worse direction.
        malformed: the numbers of further sentence pairs that are malformed.

    >>> source, target = ["a b", "a b c d", ""], ["x y", "x", "y"]
    >>> found = filter(source, target, ratio=3)
    >>> found
    1 of 3 sentence pairs kept; dropped: malformed 0, empty 1, length 0, ratio 1
    >>> found.rules
    ['', 'ratio', 'empty']
    """
    unused = {
        "links": (links, unaligned, "unaligned"),
        "scores": (scores, least_score, "least_score"),
    }
    note(
        f"{name} have no effect without {limit}"
        for name, (given, asked, limit) in unused.items()
        if given is not None and asked is None
    )
    if longest is not None and shortest > longest:
        raise InputError(f"longest={longest}, below shortest={shortest}", hint="exchange them")
    bad = [*malformed]
    sides = []
    for text, name in ((source, "source"), (target, "target")):
        if not isinstance(text, Words):
            read = read_in(text, name, tokens=True, bad_lines="drop")
            bad += read.bad
            text = read.words
        sides.append(text)
    total = len(sides[0])
    for other, name in ((sides[1], "target"), (scores, "scores")):
        if other is not None and len(other) != total:
            message = f"{total:,} source sentences and {len(other):,} of {name}"
            raise InputError(message, hint="line k of each must be the same sentence pair")
    placed = None
    if links is not None:
        given = links_in(links, Known.of(sides[0], sides[1], malformed=bad))
        note(given.remarks)
        placed = given.links
    lengths = np.array([side.lengths for side in sides])
    if bad and max(bad) >= total:
        message = f"malformed: no sentence pair {max(bad):,}, counted from 0, of {total:,}"
        raise InputError(message, hint="give the numbers of these sentence pairs")
    is_bad = np.zeros(total, dtype=np.bool_)
    is_bad[bad] = True
    least, most = lengths.min(axis=0), lengths.max(axis=0)
    found = {
        "malformed": is_bad,
        "empty": least == 0,
        "length": (least < shortest) | (longest is not None and most > longest),
    }
    if ratio is not None:
        found["ratio"] = most > ratio * least
    if unaligned is not None:
        if placed is None:
            hint = "give the links (--links)"
            raise InputError("the share of unaligned words needs links", hint=hint)
        linked = np.zeros(total, dtype=np.int64)
        for side in (0, 1):
            places = np.unique(np.column_stack([placed.sentence_of, placed.pairs[:, side]]), axis=0)
            linked += np.bincount(places[:, 0], minlength=total)
        found["unaligned"] = 1 - linked / np.maximum(lengths.sum(axis=0), 1) > unaligned
    if least_score is not None:
        if scores is None:
            hint = "give the scores (--scores)"
            raise InputError("a least score needs scores", hint=hint)
        # Not written with `<`, so that NaN drops its pair.
        found["score"] = ~(np.asarray(scores).min(axis=1) >= least_score)
    rules = np.full(total, "", dtype=object)
    for rule, drops in reversed(found.items()):
        rules[drops] = rule
    named = rules.tolist()
    return Filtered(rules == "", named, {rule: named.count(rule) for rule in found})


_GIVEN = Group("what is known of the sentence pairs")


@dataclass(frozen=True)
class Limits:
    """The limits of the rules."""

    shortest: Shortest = 1
    longest: Longest = None
    ratio: Ratio = None
    unaligned: Unaligned = None
    least_score: LeastScore = None


def command(
    texts: PairFiles,
    /,
    *,
    written: Annotated[PairTreated, TEXTS],
    links: Annotated[InputFile | None, Help("their links, for --unaligned"), _GIVEN] = None,
    how: Annotated[LinksOrdered, _GIVEN],
    scores: Annotated[
        InputFile | None, Help("what align --scores wrote, for --least-score"), _GIVEN
    ] = None,
    limits: Limits,
    output: Annotated[
        Output | None,
        Help(
            "the pairs that are kept, `source ||| target`, or with a tab if the name ends in .tsv"
            f"{COMPRESSED}"
        ),
    ] = None,
    outputs: Annotated[
        tuple[OutputFile, OutputFile] | None, Help("in place of --output, a file for each side")
    ] = None,
) -> None:
    """Filter, write, and say how many pairs each rule dropped."""
    if output and outputs:
        raise InputError("--output together with --outputs", hint="leave one of the two out")
    pair = read_pair(texts, written, tokens=True, bad_lines="drop")
    found = filter(
        pair.source,
        pair.target,
        malformed=pair.bad,
        links=how.read(links, pair.known) if links else None,
        scores=read_alignment_scores(scores) if scores else None,
        **vars(limits),
    )
    source, target = (
        [" ".join(words) for words, kept in zip(side, found.kept, strict=True) if kept]
        for side in (pair.source, pair.target)
    )
    if outputs:
        for file, lines in zip(outputs, (source, target), strict=True):
            write_output_lines(file, lines)
    else:
        between = "\t" if pair_format(output or "") == "columns" else " ||| "
        write_output_lines(
            output, (between.join(both) for both in zip(source, target, strict=True))
        )
    note([repr(found)])


def read_alignment_scores(file: str) -> NDArray[np.float64]:
    """The scores per word that `seggrid align --scores` wrote, shape (S, 2); NaN for empty lines."""
    found = []
    for number, line in enumerate(read_lines(file, limit=LARGEST_TEXT), 1):
        try:
            _, _, *means = map(float, line.split("\t")) if line else [np.nan] * 4
            forward, reverse = means
        except ValueError:
            hint = "give what seggrid align --scores wrote"
            raise InputError("not four numbers", file=file, line=number, hint=hint) from None
        found.append((forward, reverse))
    return np.array(found, dtype=np.float64).reshape(-1, 2)

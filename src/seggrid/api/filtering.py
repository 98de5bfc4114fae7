"""Leave out sentence pairs that are probably not translations, by score, length and share of unaligned
words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.api.alignment import WordLinks
from seggrid.api.arguments import checked, real, whole
from seggrid.api.scoring import Pairs, Path, known_of, links_in
from seggrid.api.texts import Texts, read_in
from seggrid.data.links import Links
from seggrid.data.words import Words
from seggrid.errors import InputError

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Filtered:
    """Which of S sentence pairs are kept, and why the others are not.

    Attributes:
        kept: whether each sentence pair is kept, shape (S,).
        rules: for each sentence pair, the first rule that drops it; empty if it is kept.
        dropped: how many pairs each rule drops, in the order of the rules.
    """

    kept: Bools
    rules: list[str]
    dropped: dict[str, int]

    def __repr__(self) -> str:
        counts = ", ".join(f"{rule} {count:,}" for rule, count in self.dropped.items())
        return f"{self.kept.sum():,} of {len(self.kept):,} sentence pairs kept; dropped: {counts}"


_MOST = (1 << 63) - 1


@checked(
    shortest=whole(1, _MOST),
    longest=whole(1, _MOST).or_none(),
    ratio=real(1).or_none(),
    unaligned=real(0, 1).or_none(),
    least_score=real().or_none(),
)
def filter_pairs(
    source: Texts,
    target: Texts,
    *,
    links: WordLinks | Links | Path | Pairs | None = None,
    scores: NDArray[np.floating] | None = None,
    shortest: int = 1,
    longest: int | None = None,
    ratio: float | None = None,
    unaligned: float | None = None,
    least_score: float | None = None,
    malformed: Sequence[int] = (),
) -> Filtered:
    """Decide which sentence pairs to keep. A pair is dropped by these rules, in this order:

    malformed: a side has something that no text may hold (see `seggrid.corpus.text`), such as a control
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

    Raises:
        InputError: a file cannot be read, `ratio` is below 1, texts, links and scores differ in their number
            of sentence pairs, or a rule lacks the links or scores that it needs.

    >>> source, target = ["a b", "a b c d", ""], ["x y", "x", "y"]
    >>> found = filter_pairs(source, target, ratio=3)
    >>> found
    1 of 3 sentence pairs kept; dropped: malformed 0, empty 1, length 0, ratio 1
    >>> found.rules
    ['', 'ratio', 'empty']
    """
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
        placed = links_in(links, known_of(sides[0], sides[1], malformed=bad)).links
    lengths = np.array([side.lengths for side in sides])
    if unaligned is not None and links is None:
        hint = "give the links (--links)"
        raise InputError("the share of unaligned words needs links", hint=hint)
    if least_score is not None and scores is None:
        hint = "give the scores (--scores)"
        raise InputError("a least score needs scores", hint=hint)
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
    if unaligned is not None and placed is not None:
        found["unaligned"] = unaligned_shares(placed, lengths) > unaligned
    if least_score is not None and scores is not None:
        # Not written with `<`, so that NaN drops its pair.
        found["score"] = ~(np.asarray(scores).min(axis=1) >= least_score)
    rules = np.full(total, "", dtype=object)
    for rule, drops in reversed(found.items()):
        rules[drops] = rule
    named = rules.tolist()
    return Filtered(rules == "", named, {rule: named.count(rule) for rule in found})


def unaligned_shares(links: Links, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of the words of both sides that have no link, shape (S,), from links of S sentence pairs and
    the number of words of both sides, shape (2, S).

    >>> unaligned_shares(Links.from_lines(["0-0 0-1"]), np.array([[2], [2]]))
    array([0.25])
    """
    linked = np.zeros(len(links), dtype=np.int64)
    for side in (0, 1):
        places = np.unique(np.column_stack([links.sentence_of, links.pairs[:, side]]), axis=0)
        linked += np.bincount(places[:, 0], minlength=len(links))
    share: NDArray[np.float64] = 1 - linked / np.maximum(lengths.sum(axis=0), 1)
    return share


def read_scores(lines: Sequence[str], file: str) -> NDArray[np.float64]:
    """The scores per word in lines of `seggrid align --scores`, shape (S, 2); NaN for empty lines."""
    return np.array(list(_scores(lines, file)), dtype=np.float64).reshape(-1, 2)


def _scores(lines: Sequence[str], file: str) -> Iterator[tuple[float, float]]:
    for number, line in enumerate(lines, 1):
        try:
            _, _, *means = map(float, line.split("\t")) if line else [np.nan] * 4
            forward, reverse = means
        except ValueError:
            hint = "give what seggrid align --scores wrote"
            raise InputError("not four numbers", file=file, line=number, hint=hint) from None
        yield forward, reverse

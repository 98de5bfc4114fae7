"""A lexicon: how often two words are linked in a text, and what share of each word's links that is.

Links are counted as Moses does for its lexical tables (`get_lexical` in its train-model.perl): a word without
a link is linked to the empty word, which has no spelling here: a text may contain the word NULL, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seggrid.data.links import Links

NULL = "NULL"
"""The spelling of the empty word in the tables of Moses and Marian."""


class Entry(NamedTuple):
    """A pair of words.

    Attributes:
        source, target: the words; one may be None, the empty word, to which words without links are linked.
        forward: p(target | source), the share of the source word's links that lead to the target word.
        reverse: p(source | target), likewise.
        times: how often the two words are linked.
    """

    source: str | None
    target: str | None
    forward: float
    reverse: float
    times: int


def lexicon(
    links: Links, source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]
) -> Iterator[Entry]:
    """The linked pairs of words, sorted by source word; the most frequent pair of a word comes first.

    >>> for entry in lexicon(Links.from_lines(["0-0", "0-0 1-0"]), [["a", "b"]] * 2, [["x"]] * 2):
    ...     print(*entry)
    a x 1.0 0.6666666666666666 2
    b None 0.5 1.0 1
    b x 0.5 0.3333333333333333 1
    """
    counts: Counter[tuple[str | None, str | None]] = Counter()
    for s, (one, other) in enumerate(zip(source, target, strict=True)):
        pairs = links.sentence(s)
        linked = {i for i, _ in pairs}, {j for _, j in pairs}
        counts.update((one[i], other[j]) for i, j in pairs)
        counts.update((word, None) for i, word in enumerate(one) if i not in linked[0])
        counts.update((None, word) for j, word in enumerate(other) if j not in linked[1])
    source_counts: Counter[str | None] = Counter()
    target_counts: Counter[str | None] = Counter()
    for (e, f), count in counts.items():
        source_counts[e] += count
        target_counts[f] += count
    for (e, f), count in sorted(
        counts.items(), key=lambda row: (row[0][0] or NULL, -row[1], row[0][1] or NULL)
    ):
        yield Entry(e, f, count / source_counts[e], count / target_counts[f], count)

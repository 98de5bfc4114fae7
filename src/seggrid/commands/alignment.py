"""Word links as `seggrid.align` returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from seggrid.commands.notebook import frame
from seggrid.score.votes import Means
from seggrid.text.links import Links
from seggrid.text.ragged import each_range
from seggrid.text.segmentation import Sentences
from seggrid.text.words import Words

if TYPE_CHECKING:
    import pandas as pd


_SHOWN = 2
"""How many sentence pairs a notebook shows of an alignment."""


class SentenceLinks(list[tuple[int, int]]):
    """The links (i, j) of one sentence pair, ascending: source word i with target word j, from 0.

    A notebook shows them as a table of the words.

    Attributes:
        source, target: the words of both sides.
    """

    def __init__(
        self, links: list[tuple[int, int]], source: Sequence[str], target: Sequence[str]
    ) -> None:
        super().__init__(links)
        self.source, self.target = source, target

    def _repr_html_(self) -> str:
        linked = set(self)
        head = "".join(f"<th>{escape(word)}</th>" for word in self.target)
        rows = (
            f"<tr><th>{escape(word)}</th>"
            + "".join(
                f"<td>{'■' if (i, j) in linked else ''}</td>" for j in range(len(self.target))
            )
            + "</tr>"
            for i, word in enumerate(self.source)
        )
        return f"<table><tr><th></th>{head}</tr>{''.join(rows)}</table>"


class WordLinks(Sequence[SentenceLinks]):
    """The links of S sentence pairs, a sequence of `SentenceLinks`.

    Attributes:
        source, target: the words of both sides, S sentences each.
    """

    def __init__(self, links: Links, source: Sentences, target: Sentences) -> None:
        self._links, self.source, self.target = links, source, target

    @cached_property
    def links(self) -> Links:
        """The links as arrays, with `pairs` in int32."""
        # Stored in as few bytes as possible, but returned in a type with room for computing.
        return Links(self._links.offsets, self._links.pairs.astype(np.int32, copy=False))

    def __len__(self) -> int:
        return len(self._links)

    @overload
    def __getitem__(self, index: int) -> SentenceLinks: ...
    @overload
    def __getitem__(self, index: slice) -> list[SentenceLinks]: ...
    def __getitem__(self, index: int | slice) -> SentenceLinks | list[SentenceLinks]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = range(len(self))[index]
        return SentenceLinks(self._links.sentence(k), self.source[k], self.target[k])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} sentence pairs, {len(self._links.pairs):,} links>"

    def frame(self) -> pd.DataFrame:
        """A row for each link: the sentence pair, both positions and both words; needs pandas."""
        places = zip(self._links.sentence_of.tolist(), self._links.pairs.tolist(), strict=True)
        return frame(
            [
                {
                    "sentence": s,
                    "source": i,
                    "target": j,
                    "source_word": self.source[s][i],
                    "target_word": self.target[s][j],
                }
                for s, (i, j) in places
            ]
        )

    def _repr_html_(self) -> str:
        shown = "".join(self[k]._repr_html_() for k in range(min(len(self), _SHOWN)))
        return f"<p>{escape(repr(self))}</p>{shown}"

    def lines(self) -> list[str]:
        """The links as Pharaoh lines, `i-j i-j ...`, one for each sentence pair."""
        return list(self.each_line())

    def each_line(self) -> Iterator[str]:
        """As `lines`, one at a time."""
        return self._links.each_line()


class Alignment(WordLinks):
    """The links of S sentence pairs, with probabilities, directions and scores.

    Attributes:
        links, source, target: see `WordLinks`.
        forward, reverse: the links of each direction, `WordLinks`: `forward` has at most one for each token
            of a target word, `reverse` for each token of a source word. With several samples, the links that
            more than half of them have.
        means: links as arrays, each with its mean probability over samples, or with the share of samples that
            have it; None if neither is known.
        scores: log-probabilities of each target sentence given its source and of each source sentence given
            its target, float64, shape (S, 2), NaN if a side is empty; None if not requested. With fast_align,
            they are those of its model; with gibbs, those of IBM model 1 with the counts of its links.
    """

    def __init__(
        self,
        links: Links,
        source: Sentences,
        target: Sentences,
        directions: tuple[Links, Links],
        means: Means | None = None,
        scores: NDArray[np.float64] | None = None,
        aggregate: str = "none",
    ) -> None:
        super().__init__(links, source, target)
        self.forward, self.reverse = (WordLinks(way, source, target) for way in directions)
        self.means, self.scores, self._aggregate = means, scores, aggregate

    @cached_property
    def probable(self) -> Means | None:
        """`means` as they were compared with the threshold by which links were kept: with `mutual-t`, links
        of a word compete (`Means.mutual`)."""
        return self.means and self.means.compared(self._aggregate)

    @property
    def probabilities(self) -> list[dict[tuple[int, int], float]] | None:
        """The probability of each link (i, j) of each sentence pair (`probable`), including links that are
        not kept. If the aligner has no probabilities, the share of samples with the link; None with a single
        sample."""
        if self.probable is None:
            return None
        links, mean = self.probable.links, self.probable.probability.tolist()
        return [
            dict(zip(links.sentence(k), mean[begin:end], strict=True))
            for k, (begin, end) in enumerate(each_range(links.offsets))
        ]

    @property
    def mean_scores(self) -> NDArray[np.float64] | None:
        """`scores`, each divided by the number of words of the sentence that it scores, shape (S, 2)."""
        if self.scores is None:
            return None
        sides = [Words.of(side).lengths for side in (self.target, self.source)]
        mean: NDArray[np.float64] = self.scores / np.maximum(np.column_stack(sides), 1)
        return mean

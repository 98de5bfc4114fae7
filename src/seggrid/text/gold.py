"""Gold word alignments: the links of a text that people annotated, sure and possible ones.

`seggrid.text.link_formats` lists the formats of files. In `pharaoh`, `column` and `tsinghua`, if there are
fewer lines than sentences, the others have no gold; a line without a link is refused, since it could mean a
sentence without gold or without links, which `pharaoh-ids` distinguishes; if such lines are skipped, it is a
sentence without gold. A link that is given twice counts once; if it is given as sure and as possible, it is
sure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.text.link_files import lines_of_gold, read_gold_links
from seggrid.text.link_notation import GoldLink, Notation
from seggrid.text.links import Links, pack_links, unpack_links


@dataclass(frozen=True)
class Gold:
    """Word alignments of some sentence pairs of a corpus.

    Attributes:
        sentences: zero-based line number of each sentence that has gold, ascending, int64, shape (G,).
        sure: its sure links.
        possible: its possible links, including the sure ones.
        names: id of each or, if the text has no ids, its line number from 1; empty if these are not known.
    """

    sentences: NDArray[np.int64]
    sure: Links
    possible: Links
    names: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.sentences)

    def among(self, lines: NDArray[np.int64]) -> Gold:
        """The gold of some lines, by zero-based number, ascending, as of a text of only these lines."""
        kept = np.flatnonzero(np.isin(self.sentences, lines))
        return Gold(
            np.searchsorted(lines, self.sentences[kept]).astype(np.int64),
            self.sure.take(kept),
            self.possible.take(kept),
            [self.names[k] for k in kept.tolist()] if self.names else self.names,
        )


def gold_from_links(links: Mapping[int, list[GoldLink]], ids: Sequence[str] | None = None) -> Gold:
    """The gold with these links, which are given by zero-based line number; `ids` are those of the text, if
    it has any."""
    sentences = sorted(links)
    rows = [links[sentence] for sentence in sentences]
    return Gold(
        np.array(sentences, dtype=np.int64),
        Links.from_sets(
            [[(link.source, link.target) for link in row if link.sure] for row in rows]
        ),
        Links.from_sets([[(link.source, link.target) for link in row] for row in rows]),
        [str(sentence + 1) if ids is None else ids[sentence] for sentence in sentences],
    )


UNGUIDED = 500
"""Number of sentences that are chosen in place of gold sentences for a pair without gold."""


def gold_of_nothing(lines: NDArray[np.int64], ids: Sequence[str] | None = None) -> Gold:
    """A stand-in for the gold of a pair that has none: evenly spaced sentences without links, among the
    `lines` with words on both sides."""
    count = min(len(lines), UNGUIDED)
    kept = np.arange(count, dtype=np.int64) * len(lines) // max(count, 1)
    names = [str(line + 1) if ids is None else ids[line] for line in lines[kept].tolist()]
    none = Links.from_sets([[]] * count)
    return Gold(kept, none, none, names)


def parse_gold_files(
    paths: Sequence[str | Path], notation: Notation, ids: Sequence[str] | None = None
) -> dict[int, list[GoldLink]]:
    """As `seggrid.text.link_files.read_gold_links`, for several files that are joined, like those of a text.
    Several are possible only with the format `column`, which has a line for each sentence."""
    gold: dict[int, list[GoldLink]] = {}
    begin = 0
    for path in paths:
        lines = lines_of_gold(path)
        links = read_gold_links(path, notation, ids, lines=lines)
        gold |= {begin + sentence: row for sentence, row in links.items()}
        begin += len(lines)
    return gold


def write_gold(path: str | Path, gold: Gold) -> None:
    """Write a gold alignment in the workflow's own format, which is fast to read."""
    arrays = pack_links([gold.sure, gold.possible], "links/")
    arrays |= {"sentences": gold.sentences, "names": pack_strings(gold.names)}
    write_arrays(path, arrays)


def read_gold_file(path: str | Path) -> Gold:
    """Read back what `write_gold` wrote."""
    arrays = read_arrays(path)
    sure, possible = unpack_links(arrays, "links/")
    return Gold(arrays["sentences"], sure, possible, unpack_strings(arrays, "names"))


def write_gold_lines(path: str | Path, gold: Gold) -> None:
    """Write only which sentences have gold, which is all that stages before scoring need."""
    write_arrays(path, {"sentences": gold.sentences})


def read_gold_lines(path: str | Path) -> NDArray[np.int64]:
    """Read back what `write_gold_lines` wrote: zero-based line numbers, ascending, shape (G,)."""
    return read_arrays(path)["sentences"]

"""Gold word alignments, in the formats that they are published in.

`pharaoh`
    Line k holds the links of sentence k as `i-j` (sure) or `ipj`, `i?j` (possible). There may be
    fewer lines than sentences: the rest has no gold. A line without a link is refused, since it
    can mean two things; `pharaoh-ids` can say both.
`pharaoh-ids`
    `id<TAB>links`, in any order. The id is the text's id of the sentence or, if the text has no
    ids, its line number. An id without links is a sentence all of whose words are unaligned; a
    sentence that does not appear has no gold.
`naacl`
    `sentence i j [S|P] [confidence]`, a link a line, as in the shared task of NAACL 2003 (Mihalcea
    and Pedersen, "An Evaluation Exercise for Word Alignment", 2003). No letter means sure; the
    confidence is not used. Counting from one, position 0 is the empty word and its links are left
    out.

A link given twice counts once; one given as sure and as possible is sure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.data.lines import read_lines
from seggrid.data.links import Links, pack_links, unpack_links
from seggrid.data.npz import read_arrays, write_arrays
from seggrid.errors import InputError

GoldFormat = Literal["pharaoh", "pharaoh-ids", "naacl"]

_LINK = re.compile(r"([0-9]+)([-p?])([0-9]+)")
_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Gold:
    """Word alignments of some sentence pairs of a corpus.

    Attributes:
        sentences: zero-based line number of each sentence that has gold, ascending, int64, (G,).
        sure: the sure links of these G sentences.
        possible: their possible links, the sure ones among them.
    """

    sentences: NDArray[np.int64]
    sure: Links
    possible: Links

    def __len__(self) -> int:
        return len(self.sentences)


class GoldLink(NamedTuple):
    """One link as read: zero-based (source, target), and the line of the file that gave it."""

    source: int
    target: int
    sure: bool
    line: int


def parse_gold(
    path: str | Path,
    format: GoldFormat,
    *,
    base: Literal[0, 1] = 0,
    ids: list[str] | None = None,
    swapped: bool = False,
) -> Gold:
    """Read a gold alignment.

    Args:
        path: the file.
        format: see the module.
        base: what words are counted from and, where the text has no ids, sentences.
        ids: the ids of the text's sentences, if it has them.
        swapped: the file names the target word first.

    Raises:
        InputError: the file cannot be read, a line is malformed, an id is unknown or given twice,
            an index is below `base`, or no link at all is sure. Whether the links lie inside
            their sentences is the business of `seggrid.corpus.check.check_pair`.
    """
    links = parse_gold_links(path, format, base=base, ids=ids, swapped=swapped)
    sentences = sorted(links)
    rows = [links[sentence] for sentence in sentences]
    return Gold(
        np.array(sentences, dtype=np.int64),
        Links.from_sets(
            [[(link.source, link.target) for link in row if link.sure] for row in rows]
        ),
        Links.from_sets([[(link.source, link.target) for link in row] for row in rows]),
    )


def parse_gold_links(
    path: str | Path,
    format: GoldFormat,
    *,
    base: Literal[0, 1] = 0,
    ids: list[str] | None = None,
    swapped: bool = False,
) -> dict[int, list[GoldLink]]:
    """Like `parse_gold`, but each sentence's links as they were read, in the file's order."""
    reader = {"pharaoh": _read_pharaoh, "pharaoh-ids": _read_pharaoh_ids, "naacl": _read_naacl}
    if format not in reader:
        raise InputError(
            f"no gold format {format!r}", file=path, hint=f"one of {', '.join(reader)}"
        )
    links = reader[format](path, base, ids)
    if not any(link.sure for row in links.values() for link in row):
        raise InputError(
            "not one sure link, so recall is undefined", file=path, hint="write sure links as i-j"
        )
    if swapped:
        return {
            sentence: [GoldLink(link.target, link.source, link.sure, link.line) for link in row]
            for sentence, row in links.items()
        }
    return links


def write_gold(path: str | Path, gold: Gold) -> None:
    """Write a gold alignment in the form that the stages share, which takes no time to read."""
    links = pack_links([gold.sure, gold.possible], "links/")
    write_arrays(path, {"sentences": gold.sentences} | links)


def read_gold(path: str | Path) -> Gold:
    """Read back what `write_gold` wrote."""
    arrays = read_arrays(path)
    return Gold(arrays["sentences"], *unpack_links(arrays, "links/"))


def _read_pharaoh(path: str | Path, base: int, ids: list[str] | None) -> dict[int, list[GoldLink]]:
    gold = {}
    for number, line in enumerate(read_lines(path), 1):
        gold[number - 1] = list(_links(path, number, line, base))
        if not gold[number - 1]:
            raise InputError(
                "no link, which could mean a sentence without gold or one without links",
                file=path,
                line=number,
                hint="use pharaoh-ids, without this sentence or with its id and no link",
            )
    return gold


def _read_pharaoh_ids(
    path: str | Path, base: int, ids: list[str] | None
) -> dict[int, list[GoldLink]]:
    index = _sentence_index(ids)
    gold: dict[int, list[GoldLink]] = {}
    lines: dict[int, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        name, tab, rest = line.partition("\t")
        if not tab:
            raise InputError(
                "no tab between an id and its links",
                file=path,
                line=number,
                hint="`id<TAB>i-j ...`, or say that the gold is pharaoh if it has no ids",
            )
        sentence = _sentence(path, number, name.strip(" "), base, index)
        if sentence in gold:
            raise InputError(
                f"the id {name.strip(' ')} again, after line {lines[sentence]}",
                file=path,
                line=number,
                hint="keep one of the two",
            )
        lines[sentence] = number
        gold[sentence] = list(_links(path, number, rest, base))
    return gold


def _read_naacl(path: str | Path, base: int, ids: list[str] | None) -> dict[int, list[GoldLink]]:
    index = _sentence_index(ids)
    if index is not None:  # this format pads the numbers of sentences with zeros
        index = {name.lstrip("0") or "0": sentence for name, sentence in index.items()}
    gold: dict[int, list[GoldLink]] = {}
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split()
        if not (3 <= len(fields) <= 5 and all(map(_NUMBER.fullmatch, fields[:3]))):
            raise InputError(
                f"malformed link {line!r}", file=path, line=number, hint="`sentence i j [S|P]`"
            )
        kind = fields[3] if len(fields) > 3 else "S"
        if kind not in ("S", "P"):
            try:
                float(kind)
            except ValueError:
                raise InputError(
                    f"{kind!r} is neither S nor P", file=path, line=number, hint="S or P"
                ) from None
            kind = "S"
        row = gold.setdefault(
            _sentence(path, number, fields[0].lstrip("0") or "0", base, index), []
        )
        i, j = int(fields[1]), int(fields[2])
        if base == 1 and (i == 0) != (j == 0):
            continue  # the empty word
        row.append(_link(path, number, i, j, kind == "S", base))
    return gold


def _links(path: str | Path, number: int, text: str, base: int) -> Iterator[GoldLink]:
    for word in text.split():
        link = _LINK.fullmatch(word)
        if link is None:
            raise InputError(
                f"malformed link {word!r}",
                file=path,
                line=number,
                hint="i-j for a sure link, ipj for a possible one"
                if "\t" not in text
                else "say that the gold is pharaoh-ids if it is `id<TAB>links`",
            )
        i, kind, j = link.groups()
        yield _link(path, number, int(i), int(j), kind == "-", base)


def _link(path: str | Path, number: int, i: int, j: int, sure: bool, base: int) -> GoldLink:
    if i < base or j < base:
        raise InputError(
            f"position 0 in link ({i}, {j}) of a gold that counts from 1",
            file=path,
            line=number,
            hint="set base: 0 if it counts from 0",
        )
    return GoldLink(i - base, j - base, sure, number)


def _sentence_index(ids: list[str] | None) -> dict[str, int] | None:
    return None if ids is None else {name: sentence for sentence, name in enumerate(ids)}


def _sentence(
    path: str | Path, number: int, name: str, base: int, index: dict[str, int] | None
) -> int:
    if index is not None:
        if name not in index:
            raise InputError(
                f"the id {name!r} is not in the text",
                file=path,
                line=number,
                hint="remove the line, or give the text that has this sentence",
            )
        return index[name]
    if not _NUMBER.fullmatch(name) or int(name) < base:
        raise InputError(
            f"{name!r} is not a line number of the text, whose lines count from {base}",
            file=path,
            line=number,
            hint="give line numbers, or a text with ids (tsv)",
        )
    return int(name) - base

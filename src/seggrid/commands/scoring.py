"""Score word links against gold links, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from os import PathLike, fspath
from os.path import basename
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError, note
from seggrid.base.parameters import AnyPath, Ids, Resamples, Seed, checked
from seggrid.base.resampling import bootstrap_weights
from seggrid.commands.alignment import WordLinks
from seggrid.commands.notebook import frame, html_table
from seggrid.commands.texts import Texts, not_parallel, two, words_in
from seggrid.score.metrics import METRICS, compute_metrics, count_hits, hits_if_turned
from seggrid.score.signature import signature
from seggrid.score.significance import intervals
from seggrid.text.gold import Gold, gold_from_links
from seggrid.text.link_checks import ENOUGH, check_gold, check_inside, refuse_wrong_base
from seggrid.text.link_files import FoundLinks, read_gold_of_text
from seggrid.text.link_files import read_link_file as read_file
from seggrid.text.link_notation import GoldLink, Known, Notation
from seggrid.text.links import Links
from seggrid.text.parameters import (
    GOLD,
    Above,
    BaseOfLinks,
    FormatOfLinks,
    GoldWritten,
    Numbered,
    SwappedLinks,
    notation_of,
)
from seggrid.text.sides import SIDES
from seggrid.text.text_files import LONGEST

if TYPE_CHECKING:
    import pandas as pd

Pairs = Iterable[Iterable[tuple[int, int]]]
Pair = Annotated[tuple[Texts, Texts], two("two texts, (source, target)")]
Path = str | PathLike[str]
AnyLinks = WordLinks | Links | FoundLinks | Path | Pairs
"""Links of all S sentence pairs: a result of `seggrid.align` or `seggrid.read_links`, sequences of (i, j),
Pharaoh lines, or a file."""


@dataclass(frozen=True)
class Scores:
    """Scores of links, each from 0 to 1.

    Attributes:
        precision, recall, f1, aer: see `seggrid.score.metrics`.
        intervals: 95% bootstrap intervals of the four, float64, shape (4, 2).
        signature: what they were computed with, to paste beside them.
        signatures: the same of each score alone, by its name.
    """

    precision: float
    recall: float
    f1: float
    aer: float
    intervals: NDArray[np.float64] = field(repr=False, compare=False)
    signature: str = field(default="", repr=False, compare=False)
    signatures: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return " ".join(f"{name}={getattr(self, name):.4f}" for name in METRICS)

    def as_dict(self) -> dict[str, dict[str, float | str]]:
        """Each score with its interval and its signature, as `seggrid score --json` writes them."""
        return {
            name: {
                "value": getattr(self, name),
                "low": low,
                "high": high,
                "signature": self.signatures.get(name, ""),
            }
            for name, (low, high) in zip(METRICS, self.intervals.tolist(), strict=True)
        }

    def frame(self) -> pd.DataFrame:
        """The same as a frame, a row for each score; needs pandas."""
        return frame([{"metric": name, **row} for name, row in self.as_dict().items()], "metric")

    def _repr_html_(self) -> str:
        rows = (
            (name, row["value"], row["low"], row["high"]) for name, row in self.as_dict().items()
        )
        return html_table(("", "value", "low", "high"), rows)


@checked
def read_links(
    file: AnyPath,
    *,
    format: FormatOfLinks = None,
    base: BaseOfLinks = None,
    swapped: SwappedLinks = False,
    above: Above = 0.5,
    text: Pair | None = None,
    ids: Ids | None = None,
    numbered: Numbered = False,
) -> Links:
    """Read the links of all S sentence pairs, in the format of this or another program.

    Args:
        file: the file.
        format: one of the formats of `seggrid.text.link_formats`; by default, the one that its first lines
            have.
        above: of links with probabilities, those with a larger one are read.
        base: the number of the first word; by default 0, or as the format says.
        swapped: whether the target word is first.
        text, ids: as for `score`.
        numbered: whether links name sentences by line numbers; not needed if every line is named, in order.
    """
    notation = Notation(format, base, swapped, above=above)
    found = read_file(fspath(file), notation, known_in(text, ids, numbered))
    note(found.remarks)
    return found.links


@checked
def read_gold(
    file: AnyPath,
    *,
    text: Pair | None = None,
    ids: Ids | None = None,
    numbered: Numbered = False,
    **written: Unpack[GoldWritten],
) -> Gold:
    """Read gold links, sure and possible ones, for `seggrid.score`, whose arguments these are.

    Returns:
        The links of G sentence pairs: `sentences`, zero-based, `sure` and `possible`, which have `lines()`.
    """
    gold, remarks = gold_in(file, None, notation_of(**written), known_in(text, ids, numbered))
    note(remarks)
    return gold


@checked
def score(
    links: AnyLinks,
    gold: Gold | Links | Path | Pairs | Sequence[str],
    *,
    possible: Pairs | None = None,
    text: Pair | None = None,
    ids: Ids | None = None,
    numbered: Numbered = False,
    resamples: Resamples = 2000,
    seed: Seed = 1,
    **written: Unpack[GoldWritten],
) -> Scores:
    """Precision, recall, F1 and AER of links against gold links.

    Args:
        links: the links of all S sentence pairs: a result of `seggrid.align` or `seggrid.read_links`,
            sequences of (i, j), Pharaoh lines, or a file that `seggrid.read_links` reads without further
            arguments.
        gold: gold links of the first G sentence pairs: a file, a result of `seggrid.read_gold`, Pharaoh
            lines, or the sure ones, as (i, j) or as a result of `seggrid.align` or `seggrid.read_links`.
        possible: further links of these sentence pairs, for gold that is given as links.
        text: source and target, against which links and gold are checked; by default, those of the links, if
            they are a result of `seggrid.align`.
        ids: the ids of the sentences, if gold names sentences by them.
        numbered: whether gold names sentences by line numbers although the text is not given.
        resamples: number of bootstrap resamples of the sentences, for the intervals.
        seed: seed of the resamples.
        written: how the gold is written, such as `format="naacl", base=1`: the fields of
            `seggrid.text.parameters.GoldWritten`.

    >>> print(score([[(0, 0), (1, 2)], [(0, 0)]], [[(0, 0), (1, 1)], [(0, 0)]]))
    precision=0.6667 recall=0.6667 f1=0.6667 aer=0.3333
    """
    if text is None and isinstance(links, WordLinks):
        text = links.source, links.target
    known = known_in(text, ids, numbered)
    found = links_in(links, known)
    note(found.remarks)
    if known.sentences is None and found.complete:
        known = replace(known, sentences=len(found.links))
    how = notation_of(**written)
    read, remarks = gold_in(gold, possible, how, known)
    note(remarks)
    name, first = gold_name(gold), 0 if isinstance(gold, Gold) else how.first
    each = {metric: signature(read, name, first, metrics=[metric]) for metric in METRICS}
    scores = score_links(found, read, resamples, seed)
    return replace(scores, signature=signature(read, name, first), signatures=each)


def score_links(found: FoundLinks, gold: Gold, resamples: int, seed: int) -> Scores:
    """The scores of links of all sentence pairs; other arguments as for `score`."""
    links = found.links
    last = int(gold.sentences.max(initial=-1))
    if not found.complete and last >= len(links):
        links = links.spread(np.arange(len(links)), last + 1)
    links = links.take(gold.sentences)
    note(_doubts(links, gold))
    counts = count_hits(links, gold.sure, gold.possible)
    sure = np.diff(gold.sure.offsets)
    precision, recall, f1, aer = compute_metrics(counts.sum(axis=0), sure.sum()).tolist()
    weights = bootstrap_weights(len(sure), resamples, seed)
    bounds = intervals(counts[None, None], sure, weights)[0]
    return Scores(precision, recall, f1, aer, bounds)


def _doubts(links: Links, gold: Gold) -> Iterator[str]:
    """Remarks on links that seem to count words from another number than the gold, or in the other order."""
    if len(gold) < ENOUGH or not len(links.pairs):
        return
    for side, name in enumerate(SIDES):
        if links.pairs[:, side].min() > 0 and gold.possible.pairs[:, side].min() == 0:
            message = f"the links never use the first {name} word, counted from 0"
            yield f"{message}: check whether they count from 0 or 1"
    hits, turned = hits_if_turned(links, gold.possible)
    if turned > hits:
        message = f"{hits:,} links are in the gold, {turned:,} if one of the two has the target word first"
        yield f"{message}: check which has (--swapped, --links-swapped, swapped=)"


def known_in(
    text: tuple[Texts, Texts] | None, ids: Iterable[str] | None = None, numbered: bool = False
) -> Known:
    """What is known of the text of links; the arguments are those of `score`."""
    if ids is not None and numbered:
        raise InputError("ids together with numbered", hint="leave one out")
    named = Known(numbered=numbered) if ids is None else known_by_ids(ids)
    if text is None:
        return named
    source, target = words_in(text[0], "source"), words_in(text[1], "target")
    if not len(source) == len(target) == (len(source) if named.ids is None else len(named.ids)):
        ids_too = "" if named.ids is None else f", and {len(named.ids):,} ids"
        raise not_parallel(source, target, ids_too)
    return Known.of(source, target, named.ids)


def known_by_ids(ids: Iterable[object], file: str | None = None) -> Known:
    """What is known of a text whose sentences have these ids."""
    names = [str(name).strip(" ") for name in ids]
    if again := len(names) - len(set(names)):
        hint = "give each sentence an id of its own"
        raise InputError(f"{again:,} ids again", file=file, hint=hint)
    return Known(len(names), names)


def links_in(links: AnyLinks, known: Known, name: str = "links") -> FoundLinks:
    """Links in a form that `score` takes, checked against the text (`FoundLinks` were, when they were read);
    `name` is that of links which are not in a file."""
    if isinstance(links, FoundLinks):
        return links
    if isinstance(links, str | PathLike):
        return read_file(fspath(links), known=known)
    found = links.links if isinstance(links, WordLinks) else links
    if not isinstance(found, Links):
        rows = _rows(found, name)
        if rows and all(isinstance(row, str) for row in rows):
            return read_file(name, known=known, lines=rows)
        found = Links.from_sets(_pairs(row, name, k) for k, row in enumerate(rows, 1))
    if known.sentences is not None and len(found) != known.sentences:
        raise InputError(
            f"links of {len(found):,} sentence pairs, but the text has {known.sentences:,}",
            file=name,
            hint="give the links of every sentence",
        )
    check_inside(name, found, known)
    if not isinstance(links, WordLinks):
        refuse_wrong_base(name, found, known.words, gold=False)
    return FoundLinks(found, True, [], name)


def gold_in(
    gold: Gold | Links | Path | Pairs | Sequence[str],
    possible: Pairs | None,
    notation: Notation,
    known: Known,
) -> tuple[Gold, list[str]]:
    """Gold in one of the forms that `score` takes, checked against the text, and remarks on it."""
    if possible is not None and isinstance(gold, Gold | str | PathLike):
        hint = "leave it out: the gold has its possible links"
        raise InputError("possible links together with gold that is not given as links", hint=hint)
    if isinstance(gold, Gold):
        if replace(notation, format=GOLD.format) != GOLD:
            message = "how gold is written, with gold that was read already"
            raise InputError(message, hint="leave base, swapped and the like out")
        _check_last(int(gold.sentences.max(initial=-1)), known)
        return gold, []
    if isinstance(gold, str | PathLike):
        links, remarks = read_gold_of_text(fspath(gold), notation, known)
        return gold_from_links(links, known.ids), remarks
    rows = _rows(gold, "gold")
    if rows and all(isinstance(row, str) for row in rows):
        if possible is not None:
            raise InputError("possible links beside lines of gold", hint="write them as 0p1")
        links, remarks = read_gold_of_text("gold", notation, known, lines=rows)
        _check_last(max(links, default=-1), known)
    else:
        links = _given_gold(rows, possible, notation)
        _check_last(max(links, default=-1), known)
        links, remarks = check_gold("gold", links, known, notation)
    return gold_from_links(links, known.ids), remarks


def gold_name(gold: object) -> str:
    """The name of gold in signatures: that of its file."""
    return basename(gold) if isinstance(gold, str | PathLike) else "given"


def _check_last(sentence: int, known: Known) -> None:
    """Refuse gold of a sentence that has no links."""
    if known.sentences is not None and sentence >= known.sentences:
        raise InputError(
            f"gold of sentence {sentence + 1}, but links of {known.sentences} sentence pairs",
            hint="give the links of every sentence",
        )


def _given_gold(
    gold: Pairs, possible: Pairs | None, notation: Notation
) -> dict[int, list[GoldLink]]:
    """Gold that is given as links, by sentence."""
    sure = [_pairs(row, "gold", k) for k, row in enumerate(_rows(gold, "gold"), 1)]
    more: list[list[tuple[int, int]]] = [[] for _ in sure]
    if possible is not None:
        rows = _rows(possible, "possible")
        more = [_pairs(row, "possible", k) for k, row in enumerate(rows, 1)]
    if len(more) != len(sure):
        raise InputError(f"sure links of {len(sure)} sentences, possible ones of {len(more)}")
    base = notation.base or 0
    found: dict[int, list[GoldLink]] = {}
    for s, both in enumerate(zip(sure, more, strict=True)):
        if notation.skips_empty and not any(both):
            continue
        found[s] = []
        for kind, row in enumerate(both):
            for i, j in row:
                if min(i, j) < base:
                    hint = "words are counted from 1 with base=1"
                    raise InputError(f"the link ({i}, {j})", file="gold", line=s + 1, hint=hint)
                pair = (j - base, i - base) if notation.swapped else (i - base, j - base)
                found[s].append(GoldLink(*pair, kind == 0, s + 1))
    if not any(sure):
        raise InputError("not one sure link, so recall is undefined", file="gold")
    return found


def _rows(links: Any, name: str) -> list[Any]:
    """The sentences of links, read once."""
    if isinstance(links, Links):
        return [links.sentence(k) for k in range(len(links))]
    if not isinstance(links, Iterable):
        hint = "give a file, or for each sentence its links (i, j)"
        raise InputError(f"{links!r} as {name}", hint=hint)
    return list(links)


def _pairs(row: Any, name: str, number: int) -> list[tuple[int, int]]:
    """The links of a sentence."""
    try:
        found = [(index(i), index(j)) for i, j in row]
    except (TypeError, ValueError):
        other = "a file" if name in ("gold", "possible") else "all sentences as Pharaoh lines"
        hint = f"give for each sentence its links (i, j), or {other}"
        raise InputError(f"{row!r} as links", file=name, line=number, hint=hint) from None
    if any(min(pair) < 0 for pair in found):
        hint = "words are counted from 0"
        raise InputError("a negative position", file=name, line=number, hint=hint)
    if any(max(pair) >= LONGEST for pair in found):
        message = f"a position beyond {LONGEST:,}, the most characters of a sentence"
        raise InputError(message, file=name, line=number, hint="words are counted from 0")
    return found

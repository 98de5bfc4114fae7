"""Parameters that say how texts, links and gold are written, see `seggrid.base.parameters`."""

from __future__ import annotations

from typing import Annotated, Literal

from seggrid.base.parameters import Help, Share
from seggrid.text.link_files import BadLinks
from seggrid.text.link_formats import GoldFormat, LinksFormat
from seggrid.text.pair import PairFormat
from seggrid.text.text_files import ControlCharacters, EmptyLines

Base = Literal[0, 1]

_BASE = (
    "the number of the first word in the {} and, if they name sentences by line numbers, of the first line; "
    "by default 0, or as the format says"
)
FormatOfLinks = Annotated[
    LinksFormat | None,
    Help(
        "format of the links; by default, the one that the first lines have: i-j, `id<TAB>i-j`, i-j:p, "
        "NAACL, A3 files of GIZA++, or one of gold",
        ("--links-format",),
    ),
]
BaseOfLinks = Annotated[Base | None, Help(_BASE.format("links"), ("--links-base",))]
SwappedLinks = Annotated[bool, Help("the links have the target word first", ("--links-swapped",))]
Above = Annotated[
    Share,
    Help(
        "read the links with a probability above this, if links have probabilities (i-j:p)",
        metavar="P",
    ),
]

FormatOfGold = Annotated[GoldFormat, Help("format of the gold", ("--gold-format",))]
BaseOfGold = Annotated[
    Base | None, Help(_BASE.format("gold").replace("they name", "it names"), ("--base",))
]
SwappedGold = Annotated[bool, Help("gold links have the target word first", ("--swapped",))]
BadGold = Annotated[
    BadLinks,
    Help("whether gold links outside their sentences are refused or left out", ("--bad-links",)),
]
EmptyGold = Annotated[
    EmptyLines,
    Help(
        "whether a line of pharaoh gold without a link is refused, or skipped as a sentence without gold",
        ("--empty-gold-lines",),
    ),
]
Numbered = Annotated[
    bool, Help("the gold names sentences by their line numbers, from --base on", ("--numbered",))
]

OneText = Literal["lines", "tsv", "wpt"]
OF_ONE = "lines: one sentence per line; tsv: id<TAB>sentence; wpt: <s snum=1> sentence </s>"
_OF_BOTH = "bars: source ||| target; columns: source<TAB>target; moses: two files NAME.CODE; tmx"
FormatOfText = Annotated[OneText, Help(f"format of the text; {OF_ONE}", ("--format",))]
FormatOfPair = Annotated[
    Literal[OneText, PairFormat] | None,
    Help(
        "format of two texts: lines (by default), tsv, wpt; of one file that holds both: by default, "
        f"that of its ending (.tmx, .tsv), else bars; {OF_ONE}; {_OF_BOTH}",
        ("--format",),
    ),
]
Codes = Annotated[
    tuple[str, str] | None,
    Help("language codes of source and target, for tmx and moses", metavar="CODE"),
]
TreatedControls = Annotated[
    ControlCharacters,
    Help(
        "whether control characters in a text are refused, or dropped and counted",
        ("--control-characters",),
    ),
]
EmptySentences = Annotated[
    EmptyLines,
    Help(
        "whether an empty line is refused, or skipped: in tokens, it stays empty",
        ("--empty-lines",),
    ),
]
EmptyPairs = Annotated[
    EmptyLines,
    Help(
        "whether a sentence pair with an empty side is refused, or skipped: it gets no links",
        ("--empty-lines",),
    ),
]

"""Parameters that say how texts, links and gold are written, see `seggrid.base.parameters`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypedDict, Unpack

from seggrid.base.parameters import Defaults, Help, InputFile, Share
from seggrid.text.link_files import FoundLinks, read_link_file
from seggrid.text.link_formats import GoldFormat, LinksFormat
from seggrid.text.link_notation import BadLinks, Known, Notation
from seggrid.text.pair import PairFormat
from seggrid.text.text_files import ControlCharacters, EmptyLines, Text

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


@dataclass(frozen=True)
class LinksWritten:
    """How links are written."""

    format: FormatOfLinks = None
    base: BaseOfLinks = None
    above: Above = 0.5

    def read(self, file: str, known: Known, *, swapped: bool = False) -> FoundLinks:
        """Read links; with `swapped`, they have the target word first."""
        return read_link_file(
            file, Notation(self.format, self.base, swapped, above=self.above), known
        )


@dataclass(frozen=True)
class LinksOrdered(LinksWritten):
    """How links are written, and which word they have first."""

    swapped: SwappedLinks = False

    def read(self, file: str, known: Known, *, swapped: bool = False) -> FoundLinks:
        """Read links."""
        return super().read(file, known, swapped=swapped or self.swapped)


GOLD = Notation("pharaoh")
"""How gold is written, if nothing else is said."""


class GoldWritten(TypedDict, total=False):
    """How a file with gold is written. What is not given is as in `GOLD`.

    Attributes:
        format: its format, see `seggrid.text.link_formats`.
        base: the number of the first word in it and, if it names sentences by line numbers, of the first
            line; by default 0, or as the format says.
        swapped: whether links have the target word first.
        bad_links: whether links outside their sentences are refused or left out; this needs the texts.
        empty_lines: whether a line without a link is refused, or skipped as a sentence without gold; in gold
            that is given as links, it is skipped, or is a sentence in which no word is linked.
    """

    format: FormatOfGold
    base: BaseOfGold
    swapped: SwappedGold
    bad_links: BadGold
    empty_lines: EmptyGold


GoldOptions = Annotated[GoldWritten, Defaults(GOLD)]
"""The same as options of a command."""


def notation_of(**gold: Unpack[GoldWritten]) -> Notation:
    """The notation of gold."""
    return replace(GOLD, **gold)


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


@dataclass(frozen=True)
class TextTreated:
    """How a text is written, and treated."""

    format: FormatOfText = "lines"
    empty_lines: EmptySentences = "refuse"
    control_characters: TreatedControls = "refuse"

    def text(self, path: str) -> Text:
        """The text of a file."""
        return Text((path,), **vars(self))


@dataclass(frozen=True)
class TextTagged:
    """How a text whose words are tagged is treated."""

    empty_lines: Annotated[
        EmptySentences, Help("whether an empty line is refused, or skipped: it stays empty")
    ] = "refuse"

    def text(self, path: str) -> Text:
        """The text of a file."""
        return Text((path,), **vars(self))


@dataclass(frozen=True)
class PairWritten:
    """How the texts of a pair are written. What they hold was decided when they were aligned."""

    format: FormatOfPair = None
    codes: Codes = None

    @property
    def treatment(self) -> dict[str, Any]:
        """How the texts are read, as attributes of `seggrid.text.text_files.Text`."""
        return {"control_characters": "drop", "empty_lines": "skip"}


@dataclass(frozen=True)
class PairTreated(PairWritten):
    """How the texts of a pair are written, and what becomes of control characters in them."""

    control_characters: TreatedControls = "refuse"

    @property
    def treatment(self) -> dict[str, Any]:
        """How the texts are read."""
        return super().treatment | {"control_characters": self.control_characters}


@dataclass(frozen=True)
class PairAligned(PairTreated):
    """How the texts of a pair that is aligned are written and treated, and further text."""

    training: Annotated[
        Sequence[tuple[InputFile, ...]],
        Help(
            "further text, given in the same way, that is learned from and aligned but not written; may be "
            "repeated; with a wpt text, it may be plain lines",
            metavar="TEXT",
        ),
    ] = ()
    empty_lines: EmptyPairs = "refuse"

    @property
    def treatment(self) -> dict[str, Any]:
        """How the texts are read."""
        return super().treatment | {"empty_lines": self.empty_lines}

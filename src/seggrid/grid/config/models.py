"""The config as models: every key with its type, range, default and meaning.

The keys of an experiment follow from the table of axes, those of the aligners' options from the aligners
themselves. The JSON schema and the reference are generated from here (`documentation`).
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    create_model,
)

from seggrid.align import ALIGNERS
from seggrid.data.axis import Axis
from seggrid.data.rational import read_rational
from seggrid.data.settings import OneOrMore, Settings, show
from seggrid.errors import InputError
from seggrid.grid.axes import CELL_AXES, SIDE_AXES, canonical_aggregate
from seggrid.morphology.variants import canonical_evaluation, canonical_knockout

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)
MAX_NAME = 100
MAX_TEXT = 1000


def _check_name(name: str) -> str:
    if _NAME.fullmatch(name) is None or len(name) > MAX_NAME:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-_.")[:MAX_NAME]
        raise InputError(
            f"{name!r} cannot be a name, which is part of paths",
            hint=f"use letters, digits, '_', '-' and '.'{f', such as {plain}' if plain else ''}",
        )
    return name


def _check_text(text: str) -> str:
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise InputError(
                f"{text!r} holds the character U+{ord(character):04X}", hint="remove it"
            )
    return text


def _check_path(path: str) -> str:
    _check_text(path)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        raise InputError(
            f"{path} is no path", hint=f"write {{url: {path}, sha256: …}} for a file to download"
        )
    if set(path) & set("{}"):
        raise InputError(
            f"the path {path} has braces, which Snakemake takes for wildcards",
            hint="rename the file or its folder",
        )
    return path


def _check_url(url: str) -> str:
    _check_text(url)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    place = parts.path if parts.scheme == "file" else parts.hostname
    if parts.scheme not in ("http", "https", "ftp", "file") or not place or " " in url:
        raise InputError(
            f"{url!r} is no URL",
            hint="begin it with https://, http://, ftp:// or file://, or give a local file as text",
        )
    if set(unquote(parts.path)) & set("{}"):
        raise InputError(
            f"the URL {url} has braces, which Snakemake takes for wildcards",
            hint="give the downloaded file as a path",
        )
    if not PurePosixPath(unquote(parts.path)).name:
        raise InputError(f"{url!r} names no file", hint="end it with the file's name")
    return url


def _check_sha256(digest: str) -> str:
    if re.fullmatch(r"[0-9A-Fa-f]{64}", digest) is None:
        raise InputError(
            f"{digest!r} is no sha256", hint="give 64 hexadecimal digits, as sha256sum prints them"
        )
    return digest.lower()


def _check_rate(value: object) -> object:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InputError(f"{show(value)} is not a number", hint="give 0 to 1, such as 0.1 or 1/3")
    if read_rational(value) > 1:
        raise InputError(f"{value} is out of range", hint="give 0 to 1, such as 0.1 or 1/3")
    return value


def _check_aggregate(value: object) -> object:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InputError(
            f"{show(value)} is neither union, intersection nor a threshold from 0 to 1",
            hint="write a threshold as 0.7 or as 1/3",
        )
    canonical_aggregate(value)
    return value


_NUMBER_OR_TEXT = WithJsonSchema({"type": ["number", "string"]})
Name = Annotated[str, AfterValidator(_check_name)]
Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_check_text)]
FilePath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_check_path)]
Folder = Annotated[str, Field(max_length=4096), AfterValidator(_check_path)]
Rate = Annotated[Any, BeforeValidator(_check_rate), _NUMBER_OR_TEXT]
Aggregate = Annotated[Any, BeforeValidator(_check_aggregate), _NUMBER_OR_TEXT]
KnockoutName = Annotated[str, AfterValidator(canonical_knockout)]
EvaluationName = Annotated[str, AfterValidator(canonical_evaluation)]
Case = Literal["keep", "first", "lower"]


class Download(Settings):
    """A file to download."""

    url: Annotated[str, Field(max_length=4096), AfterValidator(_check_url)]
    """Where it is."""

    sha256: Annotated[str, AfterValidator(_check_sha256)]
    """What it must hash to."""

    path: FilePath | None = None
    """Its path inside the mirror; by default, the last part of the URL."""


def _kind_of_file(value: object) -> str:
    return "(object)" if isinstance(value, dict | Download) else "(string)"


File = Annotated[
    Annotated[FilePath, Tag("(string)")] | Annotated[Download, Tag("(object)")],
    Discriminator(_kind_of_file),
    Field(
        description="A local path, or a file to download. A path is taken from the folder in which "
        "snakemake runs."
    ),
]
MorphemeFormat = Literal["surface", "celex"]


class Morphemes(Settings):
    """Morphological reference of the language, which knockout learns from."""

    file: File
    format: MorphemeFormat = "surface"
    """`surface`: `word<TAB>morphemes`; `celex`: `lemma<TAB>StrucLab`."""


class PairSide(Settings):
    """One language of a pair."""

    language: Annotated[Text, Field(min_length=1)] | None = None
    """Its name, in the alignment viewer; by default, `source` or `target`."""

    text: File
    format: Literal["lines", "tsv"] = "lines"
    """`lines`: a sentence a line; `tsv`: `id<TAB>sentence`."""

    morphemes: Morphemes | None = None


class Gold(Settings):
    """Gold word alignments of some or all sentence pairs."""

    file: File
    format: Literal["pharaoh", "pharaoh-ids", "naacl"] = "pharaoh"
    """`pharaoh`: line k holds the links of sentence k, `i-j` sure, `ipj` possible; `pharaoh-ids`:
    `id<TAB>links`; `naacl`: `sentence i j [S|P]` lines."""

    base: Annotated[int, Field(ge=0, le=1)] = 0
    """The number that the first word has."""

    swapped: bool = False
    """The links are written target first."""


class Pair(Settings):
    """A language pair."""

    source: PairSide
    target: PairSide
    gold: Gold


def _type_of(axis: Axis[Any]) -> Any:
    """The type of one value of an axis."""
    if axis.name == "aggregate":
        return Aggregate
    if axis.name == "knockout":
        return KnockoutName
    if axis.kind == "flag":
        return bool
    if axis.kind == "rate":
        return Rate
    if axis.kind == "integer":
        return Annotated[int, Field(ge=axis.least, le=axis.most)]
    return Literal[axis.choices]


def _fields(axes: dict[str, Axis[Any]], defaults: bool) -> dict[str, Any]:
    """The fields of a model that has axes as keys, each one value or a list of them."""
    fields = {}
    for name, axis in axes.items():
        values = Annotated[OneOrMore[_type_of(axis)], Field(min_length=1, max_length=1000)]
        default = axis.default if isinstance(axis.default, list) else [axis.default]
        fields[name] = (
            (values, Field(default, description=axis.description))
            if defaults
            else (values | None, Field(None, description=axis.description))
        )
    return fields


SideAxes = create_model(
    "SideAxes",
    __base__=Settings,
    __doc__="Axes of one side only, over those of the experiment.",
    **_fields(SIDE_AXES, defaults=False),
)


class _ExperimentBase(Settings):
    pairs: Annotated[OneOrMore[str], Field(min_length=1)] | None = None
    """Which pairs; by default, all."""

    source: SideAxes | None = None
    target: SideAxes | None = None


Experiment = create_model(
    "Experiment",
    __base__=_ExperimentBase,
    __doc__="A sub-grid. Every axis is one value or a list of values.",
    **_fields({**SIDE_AXES, **CELL_AXES}, defaults=True),
)

Aligners = create_model(
    "Aligners",
    __base__=Settings,
    __doc__="Options of the aligners, which hold for all cells.",
    **{
        name: (options, Field(default_factory=options, description=options.__doc__))
        for name, options in ((name, entry.load_options()) for name, entry in ALIGNERS.items())
    },
)


class Reference(Settings):
    """The words and their morphemes."""

    file: File
    format: MorphemeFormat = "surface"
    """As for a pair's `morphemes`."""

    frequencies: File | None = None
    """How often the words occur, `word<TAB>count` lines: a local path, or a file to download."""


class TokenizerFiles(Settings):
    """A tokenizer from elsewhere: `merges` and `vocabulary`, or `tokenizer`."""

    merges: File | None = None
    """Its `merges.txt`: a local path, or a file to download."""

    vocabulary: File | None = None
    """Its `vocab.json`: a local path, or a file to download."""

    tokenizer: File | None = None
    """Its `tokenizer.json`: a local path, or a file to download."""


class Learned(Settings):
    """Or a model that is learned on a pair's text."""

    pair: str
    """The pair."""

    side: Literal["source", "target"]
    """Which of its languages."""

    merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)]
    """Merges learned."""

    spaces: bool = True
    """Whether units stay within words."""

    case: Case = "keep"
    """As on the axis."""


class Morphology(Settings):
    """One evaluation of a tokenizer and of its pruned variants."""

    reference: Reference
    tokenizer: TokenizerFiles | None = None
    learned: Learned | None = None
    knockout: Annotated[OneOrMore[KnockoutName], Field(min_length=1)] = Field(["none", "blame-0.5"])
    """The variants."""

    evaluation: Annotated[OneOrMore[EvaluationName], Field(min_length=1)] = Field(
        ["full", "holdout-0.5"]
    )
    """`full`, or `holdout-r`: blame on a share r of the entries, evaluation on the others."""

    dropout: OneOrMore[Rate] = Field([])
    """Rates at which the unpruned tokenizer is evaluated with dropout."""

    repeats: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Runs of which dropout and random selection are the mean."""

    figures: bool = False
    """Whether the sweeps of the paper's figures are computed."""


class Report(Settings):
    """The report."""

    title: Text = "seggrid"
    """Heading of the report."""

    viewer_sentences: Annotated[int, Field(ge=0, le=10_000)] = 60
    """Gold sentences per pair in the alignment viewer."""

    viewer_cells: Annotated[int, Field(ge=0, le=1000)] = 12
    """Cells per pair in the alignment viewer."""

    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = 2000
    """Bootstrap resamples behind intervals. A test takes five times as many permutations, or as many
    more as its correction for many cells needs."""


class Config(Settings):
    """The config of a study."""

    mirror: Folder = ""
    """Folder that stands in for downloads; the variable SEGGRID_MIRROR goes before it. A file given by
    URL is looked for here first."""

    downloads: FilePath = "resources/downloads"
    """Folder in which downloaded files are kept."""

    pairs: dict[Name, Pair]
    """The language pairs, by name."""

    experiments: dict[Name, Experiment]
    """Named sub-grids. Each is the product of its axes, the grid is the union of them all, and a cell
    that two share is computed once."""

    aligners: Aligners = Field(default_factory=Aligners, description=Aligners.__doc__)

    learn_merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)] = 20_000
    """Merges learned for each language, of which every cell uses a prefix; a cell with more than these
    uses a model of the next multiple. `unigram` learns each number by itself."""

    batch: Annotated[int, Field(ge=1, le=CELL_AXES["samples"].most)] = 5
    """Samples computed by one job at most."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """All random choices follow from it, the cell and the sample."""

    published: OneOrMore[FilePath] = Field([])
    """Tables of published figures (resources/published) that are set beside ours."""

    claims: Literal["none", "thesis"] = "none"
    """Claims of a publication that are checked against the scores: those of the thesis."""

    morphology: dict[Name, Morphology] = Field({})
    """Named evaluations of tokenizers against morphological references."""

    report: Report = Field(default_factory=Report, description=Report.__doc__)

"""The config's evaluations of tokenizers against morphological references."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from seggrid.data.settings import OneOrMore, Settings
from seggrid.data.sides import SideName
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.models.pairs import MorphemeFormat
from seggrid.grid.config.values import EvaluationName, File, FilePath, KnockoutName, Rate, value_of


class Reference(Settings):
    """The words and their morphemes."""

    file: File
    format: MorphemeFormat = "surface"
    """As for a pair's `morphemes`."""

    frequencies: File | None = None
    """How often the words occur, `word<TAB>count` lines: a local path, or a file to download."""

    wordfreq: Literal["English", "German", "Dutch"] | None = None
    """Or the language whose frequencies wordfreq gives."""


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

    side: SideName
    """Which of its languages."""

    merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)]
    """Merges learned."""

    spaces: bool = True
    """Whether units stay within words."""

    case: value_of(SIDE_AXES["case"]) = SIDE_AXES["case"].default
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

    write: bool = False
    """Whether the pruned tokenizers are written, into `results/tokenizers/NAME`: `tokenizer.json`,
    `merges.txt` and `vocab.json`."""

    published: FilePath | None = None
    """A table of published scores that are set beside ours; resources/published has those of the paper."""

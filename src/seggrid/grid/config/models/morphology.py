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
    """As in a pair's `morphemes`."""

    frequencies: File | None = None
    """Frequencies of the words, as lines `word<TAB>count`: a local path, or a file to download."""

    wordfreq: Literal["English", "German", "Dutch"] | None = None
    """Instead of `frequencies`: the language whose word frequencies to take from wordfreq."""


class TokenizerFiles(Settings):
    """A tokenizer from elsewhere: give `merges` and `vocabulary`, or `tokenizer`."""

    merges: File | None = None
    """Its `merges.txt`: a local path, or a file to download."""

    vocabulary: File | None = None
    """Its `vocab.json`: a local path, or a file to download."""

    tokenizer: File | None = None
    """Its `tokenizer.json`: a local path, or a file to download."""


class Learned(Settings):
    """Instead of `tokenizer`: a model learned on a pair's text."""

    pair: str
    """The pair."""

    side: SideName
    """Which of its languages."""

    merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)]
    """Number of merges to learn."""

    spaces: bool = True
    """Whether tokens stay within words."""

    case: value_of(SIDE_AXES["case"]) = SIDE_AXES["case"].default
    """As on the axis `case`."""


class Morphology(Settings):
    """An evaluation of a tokenizer and its pruned variants."""

    reference: Reference
    tokenizer: TokenizerFiles | None = None
    learned: Learned | None = None
    knockout: Annotated[OneOrMore[KnockoutName], Field(min_length=1)] = Field(["none", "blame-0.5"])
    """The variants, see docs/knockout.md."""

    evaluation: Annotated[OneOrMore[EvaluationName], Field(min_length=1)] = Field(
        ["full", "holdout-0.5"]
    )
    """`full`: blame and evaluate on all entries; `holdout-r`: blame on a share r of the entries, evaluate on
    the others."""

    dropout: OneOrMore[Rate] = Field([])
    """Rates at which the unpruned tokenizer is evaluated with dropout."""

    repeats: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Number of runs over which scores with dropout or random pruning are averaged."""

    figures: bool = False
    """Whether to compute the sweeps shown in the paper's figures."""

    write: bool = False
    """Whether to write the pruned tokenizers to `results/tokenizers/NAME`: `tokenizer.json`, `merges.txt` and
    `vocab.json`."""

    published: FilePath | None = None
    """Table of published scores to compare with ours; resources/published has those of the paper."""

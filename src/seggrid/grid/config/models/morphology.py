"""The config's evaluations of tokenizers against morphological references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, create_model

from seggrid.base.settings import OneOrMore, Settings
from seggrid.data.sides import SideName
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.models.generated import Generated
from seggrid.grid.config.models.pairs import MorphemeFormat
from seggrid.grid.config.values import (
    Download,
    EvaluationName,
    File,
    FilePath,
    KnockoutName,
    Rate,
    value_of,
)
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side

NOT_AXES = ("knockout", "dropout", "dropout_kind", "dropout_weight")
"""Axes that are not set in the segmentation of an evaluation, since the evaluation has keys for them."""


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
    """A tokenizer from elsewhere. For a byte-level BPE, which can be pruned, give `merges` and `vocabulary`,
    or `tokenizer`; for any other, `file` and `format`."""

    merges: File | None = None
    """Its `merges.txt`: a local path, or a file to download."""

    vocabulary: File | None = None
    """Its `vocab.json`: a local path, or a file to download."""

    tokenizer: File | None = None
    """Its `tokenizer.json`: a local path, or a file to download."""

    file: File | None = None
    """A tokenizer of any type, which its own library applies: a local path, or a file to download."""

    format: Literal["huggingface", "sentencepiece"] | None = None
    """Format of `file`: Hugging Face's `tokenizer.json`, or sentencepiece's `.model`."""

    def files(self) -> dict[str, str | Download]:
        """Its files, by their keys."""
        keys = ("merges", "vocabulary", "tokenizer", "file")
        return {key: file for key in keys if (file := getattr(self, key)) is not None}


class _LearnedBase(Generated):
    pair: str = Field(description="The pair.")
    side: SideName = Field(description="Which of its languages.")

    def axes(self) -> dict[str, Any]:
        """The axes of the segmentation that are set."""
        own = self.model_fields_set - {"pair", "side"}
        return {axis: getattr(self, axis) for axis in own}

    @property
    def segmentation(self) -> Side:
        """The segmentation, with defaults for the axes that are not set."""
        defaults = {name: axis.default for name, axis in SIDE_AXES.items()}
        return Side.from_values(defaults | self.axes())


if TYPE_CHECKING:

    class Learned(_LearnedBase): ...
else:
    Learned = create_model(
        "Learned",
        __base__=_LearnedBase,
        __doc__="Instead of `tokenizer`: a segmentation of a pair's text, with the axes of an experiment. "
        "Each word is segmented by itself, so tokens must stay within words.",
        **{
            name: (value_of(axis) | None, Field(None, description=axis.description))
            for name, axis in SIDE_AXES.items()
            if name not in NOT_AXES
        },
    )


class Morphology(Settings):
    """An evaluation of a tokenizer and its pruned variants."""

    reference: Reference
    tokenizer: TokenizerFiles | None = None
    learned: Learned | None = None
    knockout: Annotated[OneOrMore[KnockoutName], Field(min_length=1)] | None = None
    """The variants, see docs/knockout.md. By default `none` and, for a BPE, `blame-0.5`; nothing else can be
    pruned."""

    evaluation: Annotated[OneOrMore[EvaluationName], Field(min_length=1)] = Field(
        ["full", "holdout-0.5"]
    )
    """`full`: blame and evaluate on all entries; `holdout-r`: blame on a share r of the entries, evaluate on
    the others."""

    dropout: OneOrMore[Rate] = Field([])
    """Rates at which the unpruned tokenizer is evaluated with dropout, if it is a BPE. If it can be pruned,
    dropout is that of Hugging Face's tokenizers (`queue`), not that of an experiment."""

    repeats: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Number of runs over which scores with dropout, `sampling` or random pruning are averaged."""

    figures: bool = False
    """Whether to compute the sweeps shown in the paper's figures."""

    write: bool = False
    """Whether to write the pruned tokenizers to `results/tokenizers/NAME`: `tokenizer.json`, `merges.txt` and
    `vocab.json`."""

    published: FilePath | None = None
    """Table of published scores to compare with ours; resources/published has those of the paper."""

    @property
    def can_be_pruned(self) -> bool:
        """Whether the model consists of merges applied by rank, which can be pruned."""
        if self.learned is not None:
            side = self.learned.segmentation
            return "knockout" in SEGMENTERS[side.segmenter].axes and side.application == "rank"
        return self.tokenizer is None or self.tokenizer.file is None

    @property
    def variants(self) -> list[str]:
        """The variants: by default `none`, and `blame-0.5` if the model can be pruned."""
        default = ["none", "blame-0.5"] if self.can_be_pruned else ["none"]
        return self.knockout or default

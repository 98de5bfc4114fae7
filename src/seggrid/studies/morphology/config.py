"""The config's evaluations of tokenizers against morphological references, and their check."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.experiments import AxisKeys, check_segmentation, one_value
from seggrid.grid.config.keys import Keys
from seggrid.grid.config.pairs import MorphemeFormat
from seggrid.grid.config.read import ConfigFindings, Key
from seggrid.grid.config.values import Download, File, FilePath, KnockoutName, Rate
from seggrid.morphology.names import canonical_evaluation
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe import STEPWISE
from seggrid.segment.side import Side
from seggrid.segment.variants import parse_knockout
from seggrid.text.pos import ANY, CELEX_PARTS
from seggrid.text.sides import SideName

Evaluation = Annotated[str, AfterValidator(canonical_evaluation)]


class ReferenceEntry(Settings):
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
    or `tokenizer`; for any other, `file`."""

    merges: File | None = None
    """Its `merges.txt`: a local path, or a file to download."""

    vocabulary: File | None = None
    """Its `vocab.json`: a local path, or a file to download."""

    tokenizer: File | None = None
    """Its `tokenizer.json`: a local path, or a file to download."""

    file: File | None = None
    """A tokenizer of any type, which its own library applies: a local path, or a file to download."""

    format: Literal["huggingface", "sentencepiece"] | None = None
    """Format of `file`, in place of what it shows: Hugging Face's `tokenizer.json`, or sentencepiece's
    `.model`."""

    def files(self) -> dict[str, str | Download]:
        """Its files, by their keys."""
        return {key: file for key, file in self if key != "format" and file is not None}


class Learned(AxisKeys):
    """Instead of `tokenizer`: a segmentation of a pair's text, with the axes of an experiment. Each word is
    segmented by itself, so tokens must stay within words."""

    pair: str
    """The pair."""

    side: SideName
    """Which of its languages."""

    @classmethod
    def keys(cls) -> Keys:
        return one_value("knockout", "dropout", "dropout_kind", "dropout_weight")

    @property
    def segmentation(self) -> Side:
        """The segmentation, with defaults for the axes that are not set."""
        defaults = {name: axis.default for name, axis in SIDE_AXES.items()}
        return Side.from_values(defaults | self.given())


class Morphology(Settings):
    """An evaluation of a tokenizer and its pruned variants."""

    reference: ReferenceEntry
    tokenizer: TokenizerFiles | None = None
    learned: Learned | None = None
    knockout: Annotated[OneOrMore[KnockoutName], Field(min_length=1)] | None = None
    """The variants, see docs/knockout.md. By default `none` and, for a BPE, `blame-0.5`; nothing else can be
    pruned."""

    evaluation: Annotated[OneOrMore[Evaluation], Field(min_length=1)] = Field(
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
        """Whether the tokens are those of merges applied by rank, which can be pruned."""
        if self.learned is not None:
            side = self.learned.segmentation
            by_rank = "knockout" in SEGMENTERS[side.segmenter].axes and side.application == "rank"
            return by_rank and not side.sampled
        return self.tokenizer is None or self.tokenizer.file is None

    @property
    def variants(self) -> list[str]:
        """The variants: by default `none`, and `blame-0.5` if the model can be pruned."""
        default = ["none", "blame-0.5"] if self.can_be_pruned else ["none"]
        return self.knockout or default


def check_morphology(name: str, entry: Morphology, config: Any, findings: ConfigFindings) -> None:
    """Check whether the keys of an evaluation can be combined."""
    key = ("morphology", name)
    other = name.removesuffix(".figures")
    if other != name and other in config.morphology:
        message = f"its table would be the file of the figures of {other}"
        findings.mistake(key, message, "rename one of the two")
    if (entry.tokenizer is None) == (entry.learned is None):
        message, hint = "both tokenizer and learned", "keep one of them"
        if entry.tokenizer is None:
            message = "neither tokenizer nor learned"
            hint = "add learned: {pair: …, side: …, merges: …}"
        findings.mistake(key, message, hint)
        return
    if entry.tokenizer is not None:
        _check_files(entry.tokenizer, (*key, "tokenizer"), findings)
    if entry.learned is not None:
        findings.unknown((*key, "learned", "pair"), "pair", entry.learned.pair, config.pairs)
        if entry.learned.pair in config.pairs:
            _check_learned(entry.learned, entry, config, key, findings)
    pruning = any(variant != "none" for variant in entry.knockout or [])
    uses = {"knockout": pruning, "figures": entry.figures, "write": entry.write}
    for used in (name for name, is_used in uses.items() if is_used and not entry.can_be_pruned):
        message = "only a BPE whose merges are applied by rank, without sampling, can be pruned"
        findings.mistake((*key, used), message, "leave it out for this segmenter")
    reference = entry.reference
    if reference.frequencies is not None and reference.wordfreq is not None:
        findings.mistake((*key, "reference"), "both frequencies and wordfreq", "keep one of them")
    for knockout in entry.knockout or []:
        variant = parse_knockout(knockout)
        # Trimming counts types in the text from which a model was learned; for a tokenizer from elsewhere
        # there is none.
        counts = variant.needs_counts and entry.tokenizer is not None
        if (counts or variant.tokens) and not (reference.frequencies or reference.wordfreq):
            hint = f"add morphology.{name}.reference.frequencies or wordfreq"
            if variant.tokens:
                hint += f", or use {knockout.removesuffix('-tokens')}"
            findings.mistake((*key, "knockout"), f"{knockout} needs the frequencies of words", hint)
        if variant.method == "dropout" and entry.write and entry.learned is not None:
            message = f"{knockout} is a rate of dropout, which no file of merges can store"
            findings.mistake((*key, "write"), message, f"leave it out, or leave out {knockout}")


def _check_files(files: TokenizerFiles, key: Key, findings: ConfigFindings) -> None:
    """Refuse combinations of files that are not exactly one tokenizer."""
    pieces = files.merges or files.vocabulary
    if files.file is not None and (pieces or files.tokenizer):
        findings.mistake(key, "file is a tokenizer by itself", "leave the others out")
    elif files.file is None and files.format is not None:
        findings.mistake((*key, "format"), "without a file", "give the tokenizer as file")
    elif files.merges is None and files.tokenizer is None and files.file is None:
        hint = "add merges" if files.vocabulary else "give merges and vocabulary, or tokenizer"
        findings.mistake(key, "no file of merges and no tokenizer.json", hint)
    elif files.tokenizer is not None and pieces:
        message = "tokenizer holds merges and vocabulary itself"
        findings.mistake(key, message, "leave the others out")


def _check_learned(
    learned: Learned, entry: Morphology, config: Any, key: Key, findings: ConfigFindings
) -> None:
    """Refuse a segmentation that cannot be learned, or that cannot cut single words."""
    here, given, side = (*key, "learned"), learned.given(), learned.segmentation
    check_segmentation(config, (learned.pair, learned.side), side, given, here, findings)
    registered = SEGMENTERS[side.segmenter]
    if side.crosses_words:
        findings.mistake(
            (*here, "segmenter" if registered.crosses_words else "spaces"),
            "units across words, where words are cut one by one",
            "leave it out: only units within words can be evaluated",
        )
    parts = ", ".join(CELEX_PARTS.values())
    known = entry.reference.format == "celex" and side.pos in CELEX_PARTS.values()
    if registered.annotation and side.pos != ANY and not known:
        findings.mistake(
            (*here, "pos"),
            f"the reference does not say which of its words are {side.pos}s",
            f"give a reference of CELEX and one of {parts}, or pos: {ANY}",
        )
    tokenizer = config.pairs[learned.pair].side(learned.side).tokenizers.get(side.tokenizer or "")
    if registered.outside and tokenizer and (tokenizer.format or "").startswith("tokens-"):
        message = f"{side.tokenizer} is the tokens of a text, which say nothing of other words"
        findings.mistake((*here, "tokenizer"), message, "give the tokenizer itself")
    if "dropout" not in registered.axes and entry.dropout:
        findings.mistake((*key, "dropout"), f"{side.segmenter} has none", "leave it out")
    elif side.application not in (None, *STEPWISE) and any(entry.dropout):
        message = f"{side.application} has no single occurrences to drop"
        findings.mistake((*key, "dropout"), message, "use application: rank")
    elif side.sampled and entry.dropout:
        findings.mistake((*key, "dropout"), "together with sampling", "evaluate one of the two")

"""The config as models: every key with its type, range, default and meaning.

The keys of an experiment follow from the table of axes, those of the aligners' options from the aligners
themselves. The JSON schema and the reference are generated from here (`documentation`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from seggrid.align import ALIGNERS
from seggrid.corpus.pair import PairFormat
from seggrid.corpus.text import ControlCharacters, EmptyLines
from seggrid.data.axis import Axis
from seggrid.data.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.ensembles import Ensemble
from seggrid.grid.config.values import (
    EvaluationName,
    File,
    FilePath,
    Folder,
    KnockoutName,
    Name,
    Rate,
    Text,
    TokenizerFormat,
    value_of,
)
from seggrid.language_model.presets import PRESETS

MorphemeFormat = Literal["surface", "celex"]


class Morphemes(Settings):
    """Morphological reference of the language, which knockout learns from."""

    file: File
    format: MorphemeFormat = "surface"
    """`surface`: `word<TAB>morphemes`; `celex`: `lemma<TAB>StrucLab`."""


class OutsideTokenizer(Settings):
    """A tokenizer from elsewhere."""

    file: File
    format: TokenizerFormat
    """`huggingface`: a `tokenizer.json`; `sentencepiece`: a `.model`; the others: the side's text cut into
    tokens, a sentence a line: `@@` after a token that the next one goes on with, `##` before one that goes
    on with a word, `▁` for a space, `</w>` after the last token of a word."""


class PairSide(Settings):
    """One language of a pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Its text, plain or compressed (gz, zst); several files are read one after the other."""

    language: Annotated[Text, Field(min_length=1)] | None = None
    """Its name, in the alignment viewer; by default, `source` or `target`. `lexical` needs one that it
    can tag: German, English or Dutch."""

    format: Literal["lines", "tsv", "wpt"] = "lines"
    """`lines`: a sentence a line; `tsv`: `id<TAB>sentence`; `wpt`: `<s snum=1> sentence </s>`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Further text, in the same format, that is learned from and aligned but not scored."""

    code: Annotated[Text, Field(min_length=1)] | None = None
    """Its language code, where `pairs.NAME.text` is of TMX (`xml:lang`) or Moses (ending of the name)."""

    morphemes: Morphemes | None = None

    lexicon: File | None = None
    """Further words that `lexical` learns from, `word<TAB>part of speech` lines: a local path, or a file to
    download."""

    tokenizers: dict[Name, OutsideTokenizer] = Field({})
    """Tokenizers from elsewhere, by name, for the segmenter `external`."""


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

    bad_links: Literal["refuse", "drop"] = "refuse"
    """What becomes of links outside their sentences: the gold is refused, or they are left out, and
    counted before the run and in the log of the gold."""

    empty_lines: EmptyLines = "refuse"
    """What becomes of a line of `pharaoh` gold without a link: the gold is refused, or the sentence is
    one without gold, and such lines are counted before the run."""


class Pair(Settings):
    """A language pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Files that hold both sides, in place of a text for each; of Moses, what two names have in common."""

    format: PairFormat | None = None
    """Of these files: `bars` (`source ||| target`), `columns` (`source<TAB>target`), `tmx`, or `moses`; by
    default, what the first one's name tells (`.tmx`, `.tsv`), else `bars`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Further files of that format that are learned from and aligned but not scored."""

    control_characters: ControlCharacters = "refuse"
    """What becomes of control characters in a text: it is refused, or they are dropped, and counted before
    the run. A word of nothing else becomes U+FFFD, so that gold still counts the words."""

    empty_lines: EmptyLines = "refuse"
    """What becomes of sentence pairs of which a side is empty: the text is refused, or they are left
    out of both sides, with their gold, and counted before the run."""

    source: PairSide
    target: PairSide
    gold: Gold | None = None
    """Its gold; without any, cells have measures and links, and no scores."""


def _fields(axes: dict[str, Axis[Any]], defaults: bool) -> dict[str, Any]:
    """The fields of a model that has axes as keys, each one value or a list of them."""
    fields = {}
    for name, axis in axes.items():
        values = Annotated[OneOrMore[value_of(axis)], Field(min_length=1, max_length=1000)]
        default = axis.default if isinstance(axis.default, list) else [axis.default]
        fields[name] = (
            (values, Field(default, description=axis.description))
            if defaults
            else (values | None, Field(None, description=axis.description))
        )
    return fields


class _Generated(Settings, use_attribute_docstrings=False):
    """Base of models without source code, in which pydantic would search all modules for docstrings."""


SideAxes = create_model(
    "SideAxes",
    __base__=_Generated,
    __doc__="Axes of one side only, over those of the experiment.",
    **_fields({name: axis for name, axis in SIDE_AXES.items() if not axis.shared}, defaults=False),
)


class _ExperimentBase(_Generated):
    pairs: Annotated[OneOrMore[str], Field(min_length=1)] | None = Field(
        None, description="Which pairs; by default, all."
    )
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
    __base__=_Generated,
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

    side: Literal["source", "target"]
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


Segmentation = create_model(
    "Segmentation",
    __base__=_Generated,
    __doc__="How the text is segmented.",
    **{
        name: (value_of(axis) | None, Field(None, description=axis.description))
        for name, axis in SIDE_AXES.items()
        if not name.startswith("dropout")
    },
)


class LanguageModel(Settings):
    """A masked language model (RoBERTa) of one side's text, segmented in one way. What is left out is as in
    the model that it continues, or else as it says."""

    continues: str | None = None
    """The language model that this one goes on from, by name: with its vocabulary and its ids."""

    pair: str | None = None
    """The pair on whose text the segmenter learns; needed where nothing is continued."""

    side: Literal["source", "target"] | None = None
    """Which of its languages; by default, `source`."""

    text: File | None = None
    """The text that the model is trained on: a local path, or a file to download; by default, the
    pair's own."""

    format: Literal["lines", "tsv"] | None = None
    """As for a pair's text; by default, `lines`."""

    segmentation: Segmentation | None = None
    """Axes of the segmentation, as in an experiment, each over that of the model that is continued."""

    size: Literal[tuple(PRESETS)] | None = None
    """`tiny`: 2 layers of width 128; `small`: 4 of 256; `base`: RoBERTa-base, 12 of 768. By default,
    `tiny`."""

    steps: Annotated[int, Field(ge=0, le=100_000_000)]
    """Steps of training, beyond those of the model that is continued."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sequences of a step; by default, 32."""

    device_batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sequences that the processor or the GPU takes at once; their gradients are summed up to a
    step's. By default, 32."""

    sequence: Annotated[int, Field(ge=8, le=4096)] | None = None
    """Tokens of a sequence, special ones included; by default, 128."""

    test: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sentences that are held out to score the model; by default, 500."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Constant; by default, 0.001, 0.0005 and 0.0001 for the three sizes."""

    warmup: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    """First steps, in which the learning rate rises from 0; by default, none."""

    precision: Literal["float32", "bfloat16"] | None = None
    """Of products of matrices; by default, `float32`."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] | None = None
    """Of the first weights, the order of the text, the masks; by default, the config's."""

    versus: OneOrMore[str] = Field([])
    """Language models of the same text that it is compared with, beside the one that it continues."""


class Report(Settings):
    """The report."""

    title: Text = "seggrid"
    """Heading of the report."""

    viewer_sentences: Annotated[int, Field(ge=0, le=10_000)] = 60
    """Gold sentences per pair in the alignment viewer."""

    viewer_cells: Annotated[int, Field(ge=0, le=1000)] = 12
    """Cells per pair in the alignment viewer."""

    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """Bootstrap resamples behind intervals. A test takes five times as many permutations, or as many
    more as its correction for many cells needs."""


class Config(Settings):
    """The config of a study."""

    mirror: Folder = ""
    """Folder that stands in for downloads; the variable SEGGRID_MIRROR goes before it. A file given by
    URL is looked for here first."""

    downloads: FilePath = "resources/downloads"
    """Folder in which downloaded files are kept."""

    study: Name | None = None
    """Name of the study: its tables, figures and report lie in `results/studies/NAME`, so that no other
    config of this folder writes over them; by default, in `results`. Files of stages are shared."""

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

    claims: Literal["none", "thesis", "thesis-eng-hin"] = "none"
    """Claims of a publication that are checked against the scores: those of the thesis about
    English–German, or about English–Hindi."""

    morphology: dict[Name, Morphology] = Field({})
    """Named evaluations of tokenizers against morphological references."""

    language_models: dict[Name, LanguageModel] = Field({})
    """Named language models of segmented texts; they need the extra `lm`."""

    ensemble: dict[Name, Ensemble] = Field({})
    """Named votes across aligners and segmentations."""

    report: Report = Field(default_factory=Report, description=Report.__doc__)

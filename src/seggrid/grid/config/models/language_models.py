"""The config's masked language models of segmented texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, create_model

from seggrid.base.settings import OneOrMore, Settings
from seggrid.data.sides import SideName
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.models.generated import Generated
from seggrid.grid.config.values import File, Name, value_of
from seggrid.language_model.presets import DEFAULTS, PRESETS
from seggrid.language_model.probes import MADE
from seggrid.language_model.tasks import KINDS

if TYPE_CHECKING:
    Made: TypeAlias = str
    Kind: TypeAlias = str
    Size: TypeAlias = str

    class Segmentation(Generated): ...
else:
    Made, Kind, Size = Literal[tuple(MADE)], Literal[KINDS], Literal[tuple(PRESETS)]
    Segmentation = create_model(
        "Segmentation",
        __base__=Generated,
        __doc__="How the text is segmented.",
        **{
            name: (value_of(axis) | None, Field(None, description=axis.description))
            for name, axis in SIDE_AXES.items()
            if not name.startswith("dropout")
        },
    )


_SIZES = ", ".join(
    f"`{name}`: {size.layers} layers of width {size.hidden}" for name, size in PRESETS.items()
)
_SIZES += " (RoBERTa-base)"


def _setting(key: str, meaning: str) -> Any:
    """A field that may be left out, described with its default."""
    default = DEFAULTS[key]
    shown = f"`{default}`" if isinstance(default, str) else default
    return Field(None, description=f"{meaning}; by default, {shown}.")


def _rate(preset_rate: str) -> Any:
    """A learning rate that may be left out, described with the defaults for the three sizes."""
    rates = [f"{getattr(preset, preset_rate):.5f}".rstrip("0") for preset in PRESETS.values()]
    shown = f"{', '.join(rates[:-1])} and {rates[-1]}"
    meaning = "Constant learning rate; by default,"
    return Field(None, description=f"{meaning} {shown} for the three sizes.")


class Probe(Settings):
    """Multiple-choice items: sentences with candidates. The model answers with the candidate whose sentence
    has the highest pseudo-log-likelihood."""

    file: File | None = None
    """Lines `sentence<TAB>answer<TAB>other<TAB>…`: the sentence has `[MASK]` where candidates are inserted;
    the first candidate is right. Or the lines of oLMpics's own JSON. A local path, or a file to download."""

    make: Made | None = None
    """Instead of `file`, items made from the held-out sentences. `word_order`: each against itself with two
    adjacent words swapped; `word_identity`: with a word replaced by one of the same frequency and length."""


class Task(Settings):
    """Labeled text on which the model is fine-tuned and tested, once for each seed."""

    kind: Kind
    """`pos`: the model's own text, with parts of speech from the tagger HanTa (silver labels; needs the extra
    `lexical`); `words`: labels of words; `entities`: labels of words that make up entities (`B-LOC`, `I-LOC`,
    `O`), scored by F1 of entities; `sentences`, `sentence_pairs`: labels of texts and of pairs of texts."""

    train: File | None = None
    """Training examples, except for `pos`. `words`, `entities`: a word and its label a line, an empty line
    after each sentence (CoNLL); `sentences`: `label<TAB>text`; `sentence_pairs`: `label<TAB>text<TAB>text`. A
    local path, or a file to download."""

    test: File | None = None
    """Test examples in the same format."""

    examples: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    """Number of training examples, at equal distances; by default, all."""

    new_words: bool = False
    """For labels of words: score only the words of the test that no training example has. The most frequent
    label of the word is then of no help."""

    steps: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    """Training steps; by default, 500, or with `search` three epochs."""

    epochs: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """In place of `steps`: number of times that each training example is seen."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sequences per step; by default, 32."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = _rate("fine_tuning_rate")

    search: Annotated[int, Field(ge=2, le=1000)] | None = None
    """In place of `batch` and `learning_rate`: number of random settings, of which the one that scores
    best on `validation` examples is tested. Batch of 16, 32, 64, 128, 256 or 512, learning rate 0.000001 to
    0.001, weight decay 0.01 to 0.1 (Bauwens and Delobelle 2024, table 10)."""

    validation: Annotated[int, Field(ge=1, le=100_000_000)] = 100
    """With `search`: number of training examples, at equal distances, that are held out to choose
    the setting."""

    seeds: Annotated[int, Field(ge=1, le=100)] = 3
    """Number of runs with different seeds: 1, 2, 3 and so on."""


class LanguageModel(Settings):
    """A masked language model (RoBERTa) of one side's text, segmented in one way. It inherits the keys that
    are left out from the model that it continues; otherwise they have the defaults below."""

    continues: str | None = None
    """Name of the language model whose training this one continues, with its vocabulary and ids."""

    pair: str | None = None
    """The pair on whose text the segmenter learns; required unless `continues` is given."""

    side: SideName | None = _setting("side", "Which of its languages")

    text: File | None = None
    """The text that the model is trained on: a local path, or a file to download; by default, that of the
    pair."""

    format: Literal["lines", "tsv"] | None = _setting("format", "As for a pair's text")

    segmentation: Segmentation | None = None
    """Axes of the segmentation, as in an experiment; they override those of the model that is continued."""

    size: Size | None = _setting("size", _SIZES)

    steps: Annotated[int, Field(ge=0, le=100_000_000)]
    """Training steps, in addition to those of the model that is continued."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = _setting(
        "batch", "Sequences per step"
    )

    device_batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = _setting(
        "device_batch",
        "Sequences that are in memory at once, of which a step adds up the gradients",
    )

    sequence: Annotated[int, Field(ge=8, le=4096)] | None = _setting(
        "sequence", "Tokens per sequence, special ones included"
    )

    test: Annotated[int, Field(ge=1, le=1_000_000)] | None = _setting(
        "test", "Number of held-out sentences on which the model is scored"
    )

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = _rate("learning_rate")

    warmup: Annotated[int, Field(ge=0, le=100_000_000)] | None = _setting(
        "warmup",
        "Number of first steps (of this model's own, if it continues another) in which the learning rate "
        "rises from 0",
    )

    precision: Literal["float32", "bfloat16"] | None = _setting(
        "precision", "Number format of matrix products"
    )

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] | None = None
    """Seed of the initial weights, the order of the text and the masks; by default, that of the config."""

    seeds: Annotated[int, Field(ge=1, le=100)] | None = None
    """Number of models with the seeds `seed`, `seed` + 1 and so on, named NAME-1, NAME-2 and so on, whose
    comparisons are also averaged; by default, 1. Models that continue this one have as many."""

    versus: OneOrMore[str] = Field([])
    """Language models of the same text to compare it with, besides the one that it continues."""

    probes: dict[Name, Probe] | None = None
    """Named zero-shot probes; by default, those of the model that it continues, or none."""

    tasks: dict[Name, Task] | None = None
    """Named tasks to fine-tune the model for; by default, those of the model that it continues, or none."""

    def axes(self) -> dict[str, Any]:
        """The axes of the segmentation that the model sets itself, without those inherited."""
        own = self.segmentation
        return {} if own is None else {axis: getattr(own, axis) for axis in own.model_fields_set}

"""The config's masked language models of segmented texts. Each inherits settings of the one that it
continues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.data.sides import SideName
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.experiments import SegmentationKeys, segmentation_model
from seggrid.grid.config.values import File, Name
from seggrid.language_model.presets import PRESETS
from seggrid.language_model.probes import MADE
from seggrid.language_model.tasks import KINDS
from seggrid.segment.side import Side, override

if TYPE_CHECKING:
    Made: TypeAlias = str
    Kind: TypeAlias = str
    Size: TypeAlias = str

    class Segmentation(SegmentationKeys): ...
else:
    Made, Kind, Size = Literal[tuple(MADE)], Literal[KINDS], Literal[tuple(PRESETS)]
    dropout = [axis for axis in SIDE_AXES if axis.startswith("dropout")]
    Segmentation = segmentation_model(
        "Segmentation", "How the text is segmented.", SegmentationKeys, dropout
    )


_SIZES = ", ".join(
    f"`{name}`: {size.layers} layers of width {size.hidden}" for name, size in PRESETS.items()
)


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

    side: SideName = "source"
    """Which of its languages."""

    text: File | None = None
    """The text that the model is trained on: a local path, or a file to download; by default, that of the
    pair."""

    format: Literal["lines", "tsv"] = "lines"
    """As for a pair's text."""

    segmentation: Segmentation | None = None
    """Axes of the segmentation, as in an experiment; they override those of the model that is continued."""

    size: Size = Field("tiny", description=f"{_SIZES} (RoBERTa-base).")

    steps: Annotated[int, Field(ge=0, le=100_000_000)]
    """Training steps, in addition to those of the model that is continued."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] = 32
    """Sequences per step."""

    device_batch: Annotated[int, Field(ge=1, le=1_000_000)] = 32
    """Sequences that are in memory at once, of which a step adds up the gradients."""

    sequence: Annotated[int, Field(ge=8, le=4096)] = 128
    """Tokens per sequence, special ones included."""

    test: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """Number of held-out sentences on which the model is scored."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = _rate("learning_rate")

    warmup: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    """Number of first steps (of this model's own, if it continues another) in which the learning rate rises
    from 0."""

    precision: Literal["float32", "bfloat16"] = "float32"
    """Number format of matrix products."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] | None = None
    """Seed of the initial weights, the order of the text and the masks; by default, that of the config."""

    seeds: Annotated[int, Field(ge=1, le=100)] = 1
    """Number of models with the seeds `seed`, `seed` + 1 and so on, named NAME-1, NAME-2 and so on, whose
    comparisons are also averaged. Models that continue this one have as many."""

    versus: OneOrMore[str] = Field([])
    """Language models of the same text to compare it with, besides the one that it continues."""

    probes: dict[Name, Probe] = Field({})
    """Named zero-shot probes."""

    tasks: dict[Name, Task] = Field({})
    """Named tasks to fine-tune the model for."""

    def axes(self) -> dict[str, Any]:
        """The axes of the segmentation that the model sets itself, without those inherited."""
        return {} if self.segmentation is None else self.segmentation.axes()


class LanguageModelPlan(
    LanguageModel, arbitrary_types_allowed=True, use_attribute_docstrings=False
):
    """A language model with all its settings, also those of the model that it continues. `seeds` is the
    number of models, this one included, that differ only in their seed."""

    name: str
    pair: str
    segmentation: Side  # type: ignore[assignment]
    learning_rate: float
    seed: int

    @property
    def number(self) -> int:
        """The number of this model among the `seeds` models that differ only in their seed, from 1."""
        return 1 if self.seeds == 1 else int(self.name.rpartition("-")[2])

    def task_seeds(self, task: str) -> range:
        """The seeds of a task. Models that differ only in their own seed have different seeds here."""
        seeds = self.tasks[task].seeds
        first = (self.number - 1) * seeds + 1
        return range(first, first + seeds)


def lineage(entries: Mapping[str, LanguageModel], name: str) -> Iterator[str]:
    """A model, the model that it continues, and so on; each model once if they form a circle."""
    seen: set[str] = set()
    while name in entries and name not in seen:
        seen.add(name)
        yield name
        name = entries[name].continues or ""


def each_seed(entries: Mapping[str, LanguageModel], seed: int) -> dict[str, LanguageModel]:
    """The models of a config; a model with several `seeds` is replaced by as many models, NAME-1, NAME-2 and
    so on. Number k has the seed `seed` + k − 1 (the config's, for models without their own), continues number
    k of the model that NAME continues, and is compared with number k of the others."""
    found: dict[str, LanguageModel] = {}
    for name, entry in entries.items():
        seeds = plan(entries, name).seeds
        if seeds == 1:
            found[name] = entry
            continue
        for number in range(1, seeds + 1):
            changed: dict[str, Any] = {"versus": [f"{other}-{number}" for other in entry.versus]}
            if entry.continues:
                changed["continues"] = f"{entry.continues}-{number}"
            # One that continues another and has no seed inherits it.
            if entry.seed is not None or not entry.continues:
                changed["seed"] = (seed if entry.seed is None else entry.seed) + number - 1
            found[f"{name}-{number}"] = entry.model_copy(update=changed)
    return found


def plan(entries: Mapping[str, LanguageModel], name: str, seed: int = 0) -> LanguageModelPlan:
    """All settings of a language model; no check depends on the config's `seed`."""
    values: dict[str, Any] = {"pair": None, "size": LanguageModel.model_fields["size"].default}
    axes = {axis: value.default for axis, value in SIDE_AXES.items()}
    for each in [*lineage(entries, name)][::-1]:
        entry = entries[each]
        values |= {key: getattr(entry, key) for key in entry.model_fields_set}
        axes = override(axes, entry.axes())
    # These are not inherited.
    own = ("continues", "steps", "warmup", "versus")
    values |= {key: getattr(entries[name], key) for key in own}
    rate = PRESETS[values["size"]].learning_rate
    values = {"learning_rate": rate, "seed": seed} | values
    values |= {"name": name, "segmentation": Side.from_values(axes)}
    return LanguageModelPlan.model_construct(**values)

"""The config's masked language models of segmented texts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from seggrid.base.settings import OneOrMore, Settings
from seggrid.data.sides import SideName
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.models.generated import Generated
from seggrid.grid.config.values import File, Name, value_of
from seggrid.language_model.presets import PRESETS
from seggrid.language_model.probes import MADE
from seggrid.language_model.tasks import KINDS

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


class Probe(Settings):
    """Multiple-choice items: sentences with candidates. The model answers with the candidate whose sentence
    has the highest pseudo-log-likelihood."""

    file: File | None = None
    """Lines `sentence<TAB>answer<TAB>other<TAB>…`: the sentence has `[MASK]` where candidates are inserted;
    the first candidate is right. A local path, or a file to download."""

    make: Literal[tuple(MADE)] | None = None
    """Instead of `file`, items made from the held-out sentences. `word_order`: each against itself with two
    adjacent words swapped; `word_identity`: with a word replaced by one of the same frequency and length."""


class Task(Settings):
    """Labeled text on which the model is fine-tuned and tested, once for each seed."""

    kind: Literal[KINDS]
    """`pos`: the model's own text, with parts of speech from the tagger HanTa (silver labels; needs the extra
    `lexical`); `words`: labels of words; `entities`: labels of words that make up entities (`B-LOC`, `I-LOC`,
    `O`), scored by F1 of entities; `sentences`, `sentence_pairs`: labels of texts and of pairs of texts."""

    train: File | None = None
    """Training examples, except for `pos`. `words`, `entities`: a word and its label a line, an empty line
    after each sentence (CoNLL); `sentences`: `label<TAB>text`; `sentence_pairs`: `label<TAB>text<TAB>text`. A
    local path, or a file to download."""

    test: File | None = None
    """Test examples in the same format."""

    steps: Annotated[int, Field(ge=1, le=100_000_000)] = 500
    """Training steps."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] = 32
    """Sequences per step."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Constant learning rate; by default, 0.0005, 0.0002 and 0.00005 for the three sizes."""

    seeds: Annotated[int, Field(ge=1, le=100)] = 3
    """Number of runs with different seeds: 1, 2, 3 and so on."""


class LanguageModel(Settings):
    """A masked language model (RoBERTa) of one side's text, segmented in one way. It inherits the keys that
    are left out from the model that it continues; otherwise they have the defaults below."""

    continues: str | None = None
    """Name of the language model whose training this one continues, with its vocabulary and ids."""

    pair: str | None = None
    """The pair on whose text the segmenter learns; required unless `continues` is given."""

    side: SideName | None = None
    """Which of its languages; by default, `source`."""

    text: File | None = None
    """The text that the model is trained on: a local path, or a file to download; by default, that of the
    pair."""

    format: Literal["lines", "tsv"] | None = None
    """As for a pair's text; by default, `lines`."""

    segmentation: Segmentation | None = None
    """Axes of the segmentation, as in an experiment; they override those of the model that is continued."""

    size: Literal[tuple(PRESETS)] | None = None
    """`tiny`: 2 layers of width 128; `small`: 4 of 256; `base`: RoBERTa-base, 12 of 768. By default,
    `tiny`."""

    steps: Annotated[int, Field(ge=0, le=100_000_000)]
    """Training steps, in addition to those of the model that is continued."""

    batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sequences per step; by default, 32."""

    device_batch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Sequences that are in memory at once; a step adds up the gradients of several such parts. By default,
    32."""

    sequence: Annotated[int, Field(ge=8, le=4096)] | None = None
    """Tokens per sequence, special ones included; by default, 128."""

    test: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Number of held-out sentences on which the model is scored; by default, 500."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Constant learning rate; by default, 0.001, 0.0005 and 0.0001 for the three sizes."""

    warmup: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    """Number of first steps (of this model's own, if it continues another) in which the learning rate rises
    from 0; by default, 0."""

    precision: Literal["float32", "bfloat16"] | None = None
    """Number format of matrix products; by default, `float32`."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] | None = None
    """Seed of the initial weights, the order of the text and the masks; by default, that of the config."""

    versus: OneOrMore[str] = Field([])
    """Language models of the same text to compare it with, besides the one that it continues."""

    probes: dict[Name, Probe] | None = None
    """Named zero-shot probes; by default, those of the model that it continues, or none."""

    tasks: dict[Name, Task] | None = None
    """Named tasks to fine-tune the model for; by default, those of the model that it continues, or none."""

    def axes(self) -> dict[str, Any]:
        """The axes of the segmentation that it sets itself."""
        own = self.segmentation
        return {} if own is None else {axis: getattr(own, axis) for axis in own.model_fields_set}

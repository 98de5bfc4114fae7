"""The config's masked language models of segmented texts, each of which inherits settings of the one that it
continues; and their check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field

from seggrid.base.errors import InputError
from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import SIDE_AXES
from seggrid.grid.config.experiments import AxisKeys, check_segmentation, one_value
from seggrid.grid.config.keys import Keys
from seggrid.grid.config.read import ConfigFindings, Key
from seggrid.grid.config.values import File, Name
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import CORPUS, Side, override
from seggrid.studies.language_model.presets import PRESETS
from seggrid.studies.language_model.probes import MADE
from seggrid.studies.language_model.tasks import KINDS, TEXTS
from seggrid.text.pos import check_language
from seggrid.text.sides import SideName

if TYPE_CHECKING:
    Made: TypeAlias = str
    Kind: TypeAlias = str
    Size: TypeAlias = str
else:
    Made, Kind, Size = Literal[tuple(MADE)], Literal[KINDS], Literal[tuple(PRESETS)]


_SIZES = ", ".join(
    f"`{name}`: {size.layers} layers of width {size.hidden}" for name, size in PRESETS.items()
)


def _rate(preset_rate: str) -> Any:
    """A learning rate that may be left out, described with the defaults for the three sizes."""
    rates = [f"{getattr(preset, preset_rate):.5f}".rstrip("0") for preset in PRESETS.values()]
    shown = f"{', '.join(rates[:-1])} and {rates[-1]}"
    meaning = "Constant learning rate; by default,"
    return Field(None, description=f"{meaning} {shown} for the three sizes.")


class TextSegmentation(AxisKeys):
    """How the text is segmented."""

    @classmethod
    def keys(cls) -> Keys:
        return one_value("dropout", "dropout_kind", "dropout_weight")


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

    segmentation: TextSegmentation | None = None
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
        return {} if self.segmentation is None else self.segmentation.given()


class LanguageModelPlan(LanguageModel, arbitrary_types_allowed=True):
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
        seeds = settings_of_model(entries, name).seeds
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


def settings_of_model(
    entries: Mapping[str, LanguageModel], name: str, seed: int = 0
) -> LanguageModelPlan:
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


Mistake = tuple[Key, str, str | None]
"""The key inside a language model, the message and the hint."""

_TEXT = ("pair", "side", "text")
"""Keys that name the text on which a model is trained."""


def check_language_models(config: Any, findings: ConfigFindings) -> None:
    """Check each language model."""
    entries = config.language_models
    for name, entry in entries.items():
        key, known = ("language_models", name), True
        named = [("continues", entry.continues)] if entry.continues else []
        for where, other in (*named, *(("versus", other) for other in entry.versus)):
            known &= other in entries and other != name
            if other == name:
                findings.mistake((*key, where), "itself", "leave it out")
            else:
                findings.unknown((*key, where), "language model", other, entries)
        line = list(lineage(entries, name))
        before = entries[line[-1]].continues
        if not known or (before is not None and before not in entries):
            continue
        if before is not None:
            message = f"in a circle: {' → '.join([*line, before])}"
            findings.mistake((*key, "continues"), message, "let one of them continue none")
            continue
        own, *others = [settings_of_model(entries, each) for each in line]
        if own.pair is None:
            hint = f"add pair: {next(iter(config.pairs), '…')}"
            findings.mistake(key, "no pair on whose text its segmenter could learn", hint)
            continue
        findings.unknown((*key, "pair"), "pair", own.pair, config.pairs)
        if own.pair in config.pairs:
            for place, message, reason in _mistakes(config, name, own, others):
                findings.mistake((*key, *place), message, reason)
            text, given = (own.pair, own.side), entry.axes()
            here = (*key, "segmentation") if given else key
            check_segmentation(config, text, own.segmentation, given, here, findings)


def _mistakes(
    config: Any, name: str, own: LanguageModelPlan, before: Sequence[LanguageModelPlan]
) -> Iterator[Mistake]:
    """The mistakes in a model; `before` are the models that it continues, the nearest first."""
    entry = config.language_models[name]
    numbered = {f"{name}-{number}" for number in range(1, own.seeds + 1) if own.seeds > 1}
    if taken := numbered & config.language_models.keys():
        message = f"{min(taken)}, the name of one of them, is another model's"
        yield ("seeds",), message, "rename one of the two"
    if "format" in entry.model_fields_set and own.text is None:
        yield ("format",), "without a text", "leave it out, or give the text"
    if own.segmentation.sampled:
        yield ("segmentation", "sampling"), "a model has one segmentation", "leave it out"
    reason = _segments_only_its_text(config, own)
    if reason and own.text is not None:
        yield ("text",), reason, "leave it out, for the pair's own text"
    if reason and own.probes:
        place = "probes" if entry.probes else "segmentation"
        yield (place,), f"probes: {reason}", "set probes: {}, or take another segmenter"
    for probe, items in entry.probes.items():
        if items.file is None and items.make is None:
            yield ("probes", probe), "neither file nor make", "add make: word_order"
        if items.file is not None and items.make is not None:
            yield ("probes", probe), "both file and make", "keep one of them"
    for task in own.tasks:
        for message, hint in _mistakes_in_task(config, own, task, reason):
            yield ("tasks", task) if entry.tasks else (), f"{task}: {message}", hint
    if before:
        yield from _kept(own, before)
    for other in entry.versus:
        for message, hint in _incomparable(own, settings_of_model(config.language_models, other)):
            yield ("versus",), f"{other} {message}", f"{hint}, or leave out {other}"


def _incomparable(own: LanguageModelPlan, other: LanguageModelPlan) -> Iterator[tuple[str, str]]:
    """Why two models are not tested on the same sentences, with hints."""
    differing = [key for key in (*_TEXT, "test") if getattr(own, key) != getattr(other, key)]
    ours, theirs = own.segmentation, other.segmentation
    differing += [axis for axis in CORPUS if getattr(ours, axis) != getattr(theirs, axis)]
    if differing:
        message = f"is tested on another text: another {' and '.join(differing)}"
        yield message, "give both the same"
    if own.sequence != other.sequence:
        message = f"cuts sentences at {other.sequence} tokens, {own.name} at {own.sequence}"
        yield message, "give both the same sequence"
    if own.seeds != other.seeds:
        message = f"has seeds: {other.seeds}, {own.name} seeds: {own.seeds}"
        yield message, "give both as many"


def _mistakes_in_task(
    config: Any, own: LanguageModelPlan, name: str, reason: str | None
) -> Iterator[tuple[str, str | None]]:
    """The mistakes in a task, with hints; `reason` says why the segmentation is only of its own text."""
    task = own.tasks[name]
    if task.kind == "pos":
        if task.train is not None or task.test is not None:
            hint = "leave out train and test, or set kind: words"
            yield "pos takes the model's own text, not files", hint
        if own.text is not None:
            hint = "leave text out, or tag it (seggrid tag) and set kind: words"
            yield "the tagger tags only texts of pairs", hint
        try:
            check_language(config.pairs[own.pair].side(own.side).language)
        except InputError as error:
            yield error.message, "set tasks: {}"
    elif task.train is None or task.test is None:
        missing = "train" if task.train is None else "test"
        yield f"no file of {missing} examples", f"add {missing}: …"
    elif reason:
        yield reason, "set tasks: {}, or take another segmenter"
    for one, other in (("steps", "epochs"), ("batch", "search"), ("learning_rate", "search")):
        if getattr(task, one) is not None and getattr(task, other) is not None:
            yield f"both {one} and {other}", "leave one of them out"
    if task.new_words and task.kind not in ("pos", "words"):
        yield f"new_words is for labels of words, not of {task.kind}", "leave it out"
    if task.kind not in TEXTS and own.segmentation.crosses_words:
        hint = "keep tokens within words, or set tasks: {}"
        yield "a token of several words cannot have the label of each", hint


def _segments_only_its_text(config: Any, own: LanguageModelPlan) -> str | None:
    """Why a model's segmentation cannot be applied to another text; None if it can."""
    side = own.segmentation
    if annotation := SEGMENTERS[side.segmenter].annotation:
        return f"{side.segmenter} looks at {annotation}, which another text has none of"
    tokenizer = config.pairs[own.pair].side(own.side).tokenizers.get(side.tokenizer or "")
    if tokenizer is not None and (tokenizer.format or "").startswith("tokens-"):
        return f"{side.tokenizer} is a tokenized text, which cannot tokenize another one"
    return None


def _kept(own: LanguageModelPlan, before: Sequence[LanguageModelPlan]) -> Iterator[Mistake]:
    """Settings that differ from those of the continued models but must not."""

    def differ(where: Key, ours: Any, theirs: Any, other: LanguageModelPlan) -> Iterator[Mistake]:
        if ours != theirs:
            message = f"{ours}, where {other.name}, which it continues, has {theirs}"
            yield where, message, "leave it out"

    # The shapes of the weights, and the number of models.
    for kept in ("size", "sequence", "seeds"):
        yield from differ((kept,), getattr(own, kept), getattr(before[0], kept), before[0])
    # Sentences on which an earlier model was trained must not become test sentences.
    same_text = (o for o in before if all(getattr(own, key) == getattr(o, key) for key in _TEXT))
    if tested := next(same_text, None):
        yield from differ(("test",), own.test, tested.test, tested)
        for axis in CORPUS:
            ours, theirs = (getattr(one.segmentation, axis) for one in (own, tested))
            yield from differ(("segmentation", axis), ours, theirs, tested)
    # The vocabulary, and so the ids, are those of the first model.
    first = before[-1]
    side, known = own.segmentation, first.segmentation
    if side.segmenter not in (known.segmenter, "characters"):
        message = f"{side.segmenter} has other types than {known.segmenter}, whose ids it continues"
        hint = f"leave it out, or train a model of its own (without continues: {own.continues})"
        yield ("segmentation", "segmenter"), message, hint
    for size, other in (("merges", "vocabulary"), ("vocabulary", "merges")):
        most = getattr(known, size)
        if most is not None and getattr(side, other) is not None:
            message = f"{first.name}, whose ids it continues, gives {size}"
            yield ("segmentation", other), message, f"give {size} or leave it out"
        if most is not None and (getattr(side, size) or 0) > most:
            message = f"{getattr(side, size)}, where {first.name} has ids for the types of {most}"
            yield ("segmentation", size), message, f"give {most} or fewer"

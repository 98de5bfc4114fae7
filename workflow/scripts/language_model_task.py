"""Fine-tune a language model on labeled text with one seed, and score it on other labeled text."""

import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import transformers
from transformers import RobertaForTokenClassification

from seggrid.base.arrays import read_arrays
from seggrid.base.folders import check_folder, remove_folder
from seggrid.corpus.pos import read_tags
from seggrid.corpus.text import apply_case
from seggrid.data.segmentation import unpack_segmentations
from seggrid.errors import InputError
from seggrid.language_model.fine_tuning import (
    fine_tune,
    make_classifier,
    predict,
    read_state,
    write_state,
)
from seggrid.language_model.model import prepare, read_model, sequence_length
from seggrid.language_model.scores import TaskScores, write_scores
from seggrid.language_model.tasks import (
    KINDS,
    OUTSIDE,
    TEXTS,
    Examples,
    Labeled,
    Labels,
    Setting,
    count_entities,
    count_labels,
    label_examples,
    label_tokens,
    most_frequent_labels,
    number_labels,
    only_new,
    random_settings,
    read_examples,
    take,
)
from seggrid.language_model.text import split
from seggrid.language_model.train import WEIGHT_DECAY, Schedule, make_optimizer
from seggrid.language_model.vocabulary import UNKNOWN
from seggrid.segment.side_segmenter import segment_cased
from seggrid.workflow.jobs.language_model_inputs import TextInputs, digest
from seggrid.workflow.jobs.script import timed
from seggrid.workflow.run.code_digest import code_digest


@dataclass(frozen=True, kw_only=True)
class Task(TextInputs):
    """A task, and how a model is fine-tuned for it.

    For the kind `pos`, `tags` is the tagged corpus; other kinds have files of examples. With `new_words`,
    only words are scored that are new in the test. Either `steps` or `epochs` is given. Unless `search`
    random settings are tried, of which `validation` examples choose one, `batch` and `learning_rate` are
    given.
    """

    language_model: Path
    kind: Literal[*KINDS]
    device_batch: int
    seed: int
    tags: Path | None = None
    train_file: Path | None = None
    test_file: Path | None = None
    examples: int | None = None
    new_words: bool = False
    steps: int | None = None
    epochs: int | None = None
    batch: int | None = None
    learning_rate: float | None = None
    search: int = 0
    validation: int = 0
    precision: Literal["float32", "bfloat16"] = "float32"


def main(arguments: Task) -> None:
    """Fine-tune with each setting, predict with the best, and write the scores."""
    check_folder(arguments.progress)
    settings = random_settings(arguments.search, arguments.seed) or [
        Setting(arguments.batch, arguments.learning_rate, WEIGHT_DECAY)
    ]
    device = prepare(arguments.threads)
    untrained, vocabulary = read_model(arguments.language_model)
    sets, tokens = _examples(arguments)
    train, validation, test = sets
    numbers = number_labels(train.labels)
    label = label_examples if arguments.kind in TEXTS else label_tokens
    data, held_out, tested = (
        label(segmented, vocabulary, examples.labels, numbers, sequence_length(untrained))
        for segmented, examples in zip(tokens, sets, strict=True)
    )
    trials, places = [], []
    for number, setting in enumerate(settings, 1):
        # A finished trial keeps its state until all are finished, so that a search that was killed can
        # resume.
        places.append(
            Path(f"{arguments.progress}-{number}") if arguments.search else arguments.progress
        )
        model = make_classifier(arguments.language_model, len(numbers), arguments.seed).to(device)
        _fit(model, data, setting, places[-1], arguments)
        validated = _counts(model, held_out, validation, train, numbers, arguments)
        trials.append((validated, _counts(model, tested, test, train, numbers, arguments)))
        if arguments.search:
            print(f"setting {number}, {setting}: {float(_f1(validated)):.3f}", file=sys.stderr)
    # Among equal trials, the first is taken.
    validated, found = max(trials, key=lambda trial: _f1(trial[0]))
    known = _count(arguments, test, train, _baseline(train, test, arguments.kind))
    ids = np.concatenate([vocabulary.encode(column) for column in tokens[2]])
    write_scores(
        arguments.output,
        TaskScores(
            *found.T,
            *known[:, [0, 2]].T,
            trained=np.array([len(train.labels)]),
            unknown=np.array([(ids == UNKNOWN).sum(), len(ids)]),
            validation=np.array([validated[:, 0].sum(), validated[:, 1:].sum()]),
        ),
    )
    for place in places:
        remove_folder(place)


def _f1(counts: np.ndarray) -> Fraction:
    """F1 of the counts of examples, shape (S, 3), exactly; 0 without any."""
    right, gold, predicted = map(int, counts.sum(axis=0))
    return Fraction(2 * right, max(1, gold + predicted))


def _fit(
    model: RobertaForTokenClassification,
    data: Labeled,
    setting: Setting,
    place: Path,
    arguments: Task,
) -> None:
    """Fine-tune with one setting, resuming from the state in a folder if its key is the same."""
    schedule = Schedule(
        **setting._asdict(),
        device_batch=min(setting.batch, arguments.device_batch),
        warmup=0,
        precision=arguments.precision,
        seed=arguments.seed,
    )
    steps = arguments.steps
    if arguments.epochs:
        steps = -(-arguments.epochs * len(data.ids) // setting.batch)
    key = _key(schedule, steps, model.device, arguments)
    optimizer = make_optimizer(model, schedule)
    steps_done = read_state(place, model, optimizer, key)
    if steps_done:
        print(f"goes on after {steps_done} steps", file=sys.stderr)
    with timed("fine-tuning"):
        saved = printed = time.monotonic()
        for step, loss in fine_tune(model, optimizer, data, schedule, range(steps_done, steps)):
            now = time.monotonic()
            if now - printed >= min(10, arguments.every) or step == steps:
                printed = now
                print(f"step {step} of {steps}, loss {loss:.3f}", file=sys.stderr, flush=True)
            # In a search, a saved state after the last step shows that the trial is finished.
            if arguments.search if step == steps else now - saved >= arguments.every:
                saved = now
                write_state(place, model, optimizer, step, key)


def _key(schedule: Schedule, steps: int, device: torch.device, arguments: Task) -> str:
    """A digest of all on which the state of fine-tuning depends."""
    asked = (arguments.kind, str(arguments.spec), arguments.test)
    chosen = (arguments.examples, arguments.validation)
    versions = (torch.__version__, transformers.__version__, device.type, arguments.threads)
    values = [schedule, steps, *asked, *chosen, *versions, code_digest(Path(__file__))]
    files = [
        *(arguments.corpus, arguments.tokens, arguments.model, arguments.tags),
        *(arguments.train_file, arguments.test_file),
        arguments.language_model / "model.safetensors",
    ]
    return digest(values, files)


def _counts(
    model: RobertaForTokenClassification,
    data: Labeled,
    examples: Examples,
    train: Examples,
    numbers: dict[str, int],
    arguments: Task,
) -> np.ndarray:
    """The counts of a model's predictions for each example, see `_count`, shape (S, 3)."""
    found = predict(model, data, sum(map(len, examples.labels)), arguments.device_batch)
    # A word without tokens is outside any entity; if single labels are scored, it counts as wrong.
    missing = OUTSIDE if arguments.kind == "entities" else ""
    return _count(arguments, examples, train, _named(found, numbers, examples.labels, missing))


def _count(arguments: Task, examples: Examples, train: Examples, predicted: Labels) -> np.ndarray:
    """The numbers of right, gold and predicted labels or entities of each example, shape (S, 3)."""
    gold = examples.labels
    if arguments.new_words:
        words = examples.texts[0], train.texts[0]
        gold, predicted = (only_new(labels, *words) for labels in (gold, predicted))
    count = count_entities if arguments.kind == "entities" else count_labels
    return np.array(count(gold, predicted), dtype=np.int64).reshape(-1, 3)


def _named(found: np.ndarray, numbers: dict[str, int], labels: Labels, missing: str) -> Labels:
    """The predicted labels of each example; `missing` for words without a prediction."""
    names = {number: label for label, number in numbers.items()}
    flat = iter(found.tolist())
    return [[names.get(next(flat), missing) for _ in own] for own in labels]


def _baseline(train: Examples, test: Examples, kind: str) -> Labels:
    """A baseline: the most frequent label of each word or, if examples have one label each, of all
    examples."""
    one = kind in TEXTS
    train_words = [[""] for _ in train.labels] if one else train.texts[0]
    test_words = [[""] for _ in test.labels] if one else test.texts[0]
    return most_frequent_labels(train_words, train.labels, test_words)


def _examples(arguments: Task) -> tuple[list[Examples], list[list]]:
    """Training, validation and test examples, and the segmentations of the texts of each."""
    side, model, text = arguments.spec, arguments.read_model(), arguments.sentences()
    if arguments.kind == "pos":
        tags = read_tags(arguments.tags, text, coarse=False)
        text = apply_case(text, side.case)
        halves = split(list(map(tuple, text)), arguments.test)
        examples = [Examples([[text[i] for i in half]], [tags[i] for i in half]) for half in halves]
        whole, *_ = unpack_segmentations(read_arrays(arguments.tokens))
        tokens = [[whole.take(half)] for half in halves]
    else:
        files = (arguments.train_file, arguments.test_file)
        examples = [read_examples(file, arguments.kind) for file in files]
        examples = [
            own._replace(texts=[apply_case(column, side.case) for column in own.texts])
            for own in examples
        ]
        tokens = [
            [segment_cased(side, model, column, [0], arguments.threads)[0] for column in own.texts]
            for own in examples
        ]
    if arguments.kind not in TEXTS and any((own[0].last > own[0].first).any() for own in tokens):
        raise InputError(
            f"{arguments.spec} has tokens of several words, which have a label each",
            hint="take a segmentation within words",
        )
    train, test = examples
    kept, held_out = list(range(len(train.labels))), []
    if arguments.validation:
        texts = (map(tuple, column) for column in train.texts)
        kept, held_out = split(list(zip(*texts, strict=True)), arguments.validation)
    if arguments.examples:
        kept = [kept[index] for index in split(range(len(kept)), arguments.examples)[1]]
    if not kept:
        raise InputError(
            f"of {len(train.labels):,} training examples, none is left after holding out the validation",
            hint="hold out fewer (validation)",
        )
    parts = [[column.take(chosen) for column in tokens[0]] for chosen in (kept, held_out)]
    return [take(train, kept), take(train, held_out), test], [*parts, tokens[1]]

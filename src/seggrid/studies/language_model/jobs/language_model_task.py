"""Fine-tune a language model on labeled text with one seed, and score it on other labeled text."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import transformers

from seggrid.base.arrays import read_arrays
from seggrid.base.errors import InputError
from seggrid.base.folders import check_folder, remove_folder
from seggrid.base.torch_training import (
    WEIGHT_DECAY,
    Schedule,
    make_optimizer,
    prepare_torch,
    read_state,
    write_state,
)
from seggrid.grid.jobs.script import timed
from seggrid.grid.run.code_digest import code_digest
from seggrid.segment.side_segmenter import segment_cased
from seggrid.studies.language_model import tasks
from seggrid.studies.language_model.fine_tuning import fine_tune, make_classifier, predict
from seggrid.studies.language_model.job_inputs import TextInputs, inputs_digest
from seggrid.studies.language_model.model import read_language_model, sequence_length
from seggrid.studies.language_model.scores import TaskScores, write_scores
from seggrid.studies.language_model.text import split
from seggrid.studies.language_model.vocabulary import UNKNOWN
from seggrid.text.pos import read_tags
from seggrid.text.segmentation import unpack_segmentations
from seggrid.text.text_files import apply_case


@dataclass(frozen=True, kw_only=True)
class TaskData(TextInputs):
    """A task, and how a model is fine-tuned for it.

    Attributes:
        language_model: the model.
        kind: kind of the task.
        device_batch: examples of a forward pass.
        seed: seed of all random choices.
        tags: the tagged corpus, of the kind `pos`; other kinds have files of examples.
        train_file, test_file: examples of the other kinds.
        examples: number of training examples that are used; None uses all.
        new_words: whether only words are scored that are new in the test.
        steps: steps of training, unless `epochs` are given.
        epochs: epochs of training, unless `steps` are given.
        batch: examples of a step; None if settings are searched.
        learning_rate: the constant learning rate; None if settings are searched.
        search: number of random settings that are tried.
        validation: number of examples that choose one of these settings.
        precision: number format of matrix products.
    """

    language_model: Path
    kind: Literal[*tasks.KINDS]
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


def main(task: TaskData) -> None:
    """Fine-tune with each setting, predict with the best, and write the scores."""
    check_folder(task.progress)
    settings = tasks.random_settings(task.search, task.seed) or [
        tasks.Setting(task.batch, task.learning_rate, WEIGHT_DECAY)
    ]
    device = prepare_torch(task.threads)
    untrained, vocabulary = read_language_model(task.language_model)
    sets, tokens = _examples(task)
    train, _, test = sets
    numbers, kind = tasks.number_labels(train.labels), task.kind
    label = tasks.label_examples if kind in tasks.TEXTS else tasks.label_tokens
    data, *held_out = (
        label(segmented, vocabulary, own.labels, numbers, sequence_length(untrained))
        for segmented, own in zip(tokens, sets, strict=True)
    )
    seen = train.texts[0] if task.new_words else None
    trials, places = [], []
    for number, setting in enumerate(settings, 1):
        # A finished trial keeps its state until all are finished, so that a search that was killed can
        # resume.
        places.append(Path(f"{task.progress}-{number}") if task.search else task.progress)
        model = make_classifier(task.language_model, len(numbers), task.seed).to(device)
        _fit(model, data, setting, places[-1], task)
        counts = []
        for labeled, own in zip(held_out, sets[1:], strict=True):
            found = predict(model, labeled, sum(map(len, own.labels)), task.device_batch)
            predicted = tasks.named(kind, found, numbers, own.labels)
            counts.append(tasks.count(kind, own, predicted, seen))
        trials.append(counts)
        if task.search:
            f1 = float(tasks.f1_of(counts[0]))
            print(f"setting {number}, {setting}: {f1:.3f}", file=sys.stderr)
    # Among equal trials, the first is taken.
    validated, found = max(trials, key=lambda trial: tasks.f1_of(trial[0]))
    known = tasks.count(kind, test, tasks.baseline(kind, train, test), seen)
    ids = np.concatenate([vocabulary.encode(column) for column in tokens[2]])
    write_scores(
        task.output,
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


def _fit(
    model: torch.nn.Module, data: tasks.Labeled, setting: tasks.Setting, place: Path, task: TaskData
) -> None:
    """Fine-tune with one setting, resuming from the state in a folder if its key is the same."""
    schedule = Schedule(
        **setting._asdict(),
        device_batch=min(setting.batch, task.device_batch),
        warmup=0,
        precision=task.precision,
        seed=task.seed,
    )
    steps = task.steps
    if task.epochs:
        steps = -(-task.epochs * len(data.ids) // setting.batch)
    key = _key(schedule, steps, model.device, task)
    optimizer = make_optimizer(model, schedule)
    steps_done = read_state(place, model, optimizer, key)
    if steps_done:
        print(f"goes on after {steps_done} steps", file=sys.stderr)
    with timed("fine-tuning"):
        saved = printed = time.monotonic()
        for step, loss in fine_tune(model, optimizer, data, schedule, range(steps_done, steps)):
            now = time.monotonic()
            if now - printed >= min(10, task.every) or step == steps:
                printed = now
                print(f"step {step} of {steps}, loss {loss:.3f}", file=sys.stderr, flush=True)
            # In a search, a saved state after the last step shows that the trial is finished.
            if task.search if step == steps else now - saved >= task.every:
                saved = now
                write_state(place, model, optimizer, step, key)


def _key(schedule: Schedule, steps: int, device: torch.device, task: TaskData) -> str:
    """A digest of all on which the state of fine-tuning depends."""
    asked = (task.kind, str(task.spec), task.test)
    chosen = (task.examples, task.validation)
    versions = (torch.__version__, transformers.__version__, device.type, task.threads)
    values = [schedule, steps, *asked, *chosen, *versions, code_digest(Path(__file__))]
    files = [
        *(task.corpus, task.tokens, task.model, task.tags),
        *(task.train_file, task.test_file),
        task.language_model / "model.safetensors",
    ]
    return inputs_digest(values, files)


def _examples(task: TaskData) -> tuple[list[tasks.Examples], list[list]]:
    """Training, validation and test examples, and the segmentations of the texts of each."""
    side, model, text = task.spec, task.read_model(), task.sentences()
    if task.kind == "pos":
        tags = read_tags(task.tags, text)
        text = apply_case(text, side.case)
        halves = split(list(map(tuple, text)), task.test)
        whole_text = tasks.Examples([text], tags)
        examples = [whole_text.take(half) for half in halves]
        segmented, *_ = unpack_segmentations(read_arrays(task.tokens))
        tokens = [[segmented.take(half)] for half in halves]
    else:
        files = (task.train_file, task.test_file)
        examples = [tasks.read_examples(file, task.kind) for file in files]
        examples = [
            own._replace(texts=[apply_case(column, side.case) for column in own.texts])
            for own in examples
        ]
        tokens = [
            [segment_cased(side, model, column, [0], task.threads)[0] for column in own.texts]
            for own in examples
        ]
    of_words = task.kind not in tasks.TEXTS
    if of_words and any((own[0].last > own[0].first).any() for own in tokens):
        raise InputError(
            f"{task.spec} has tokens of several words, which have a label each",
            hint="take a segmentation within words",
        )
    train, test = examples
    chosen = tasks.divide(train, task.validation, task.examples)
    parts = [[column.take(own) for column in tokens[0]] for own in chosen]
    return [*map(train.take, chosen), test], [*parts, tokens[1]]

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
    TEXTS,
    Examples,
    Labeled,
    Setting,
    baseline,
    count,
    divide,
    f1_of,
    label_examples,
    label_tokens,
    named,
    number_labels,
    random_settings,
    read_examples,
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
    train, _, test = sets
    numbers, kind = number_labels(train.labels), arguments.kind
    label = label_examples if kind in TEXTS else label_tokens
    data, *held_out = (
        label(segmented, vocabulary, own.labels, numbers, sequence_length(untrained))
        for segmented, own in zip(tokens, sets, strict=True)
    )
    seen = train.texts[0] if arguments.new_words else None
    trials, places = [], []
    for number, setting in enumerate(settings, 1):
        # A finished trial keeps its state until all are finished, so that a search that was killed can
        # resume.
        places.append(
            Path(f"{arguments.progress}-{number}") if arguments.search else arguments.progress
        )
        model = make_classifier(arguments.language_model, len(numbers), arguments.seed).to(device)
        _fit(model, data, setting, places[-1], arguments)
        counts = []
        for labeled, own in zip(held_out, sets[1:], strict=True):
            found = predict(model, labeled, sum(map(len, own.labels)), arguments.device_batch)
            counts.append(count(kind, own, named(kind, found, numbers, own.labels), seen))
        trials.append(counts)
        if arguments.search:
            print(f"setting {number}, {setting}: {float(f1_of(counts[0])):.3f}", file=sys.stderr)
    # Among equal trials, the first is taken.
    validated, found = max(trials, key=lambda trial: f1_of(trial[0]))
    known = count(kind, test, baseline(kind, train, test), seen)
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


def _fit(
    model: torch.nn.Module, data: Labeled, setting: Setting, place: Path, arguments: Task
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
    chosen = divide(train, arguments.validation, arguments.examples)
    parts = [[column.take(own) for column in tokens[0]] for own in chosen]
    return [*map(train.take, chosen), test], [*parts, tokens[1]]

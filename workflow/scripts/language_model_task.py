"""Fine-tune a language model on labeled text with one seed, and score it on other labeled text."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import transformers

from seggrid.base.folders import check_folder, remove_folder
from seggrid.base.npz import read_arrays
from seggrid.corpus.tags import read_tags
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
from seggrid.language_model.labeled import label_examples, label_tokens
from seggrid.language_model.model import prepare, read_model, sequence_length
from seggrid.language_model.scores import TaskScores, write_scores
from seggrid.language_model.tasks import (
    KINDS,
    OUTSIDE,
    TEXTS,
    Examples,
    Labels,
    count_entities,
    count_labels,
    most_frequent_labels,
    number_labels,
    read_examples,
)
from seggrid.language_model.text import split
from seggrid.language_model.train import Schedule, make_optimizer
from seggrid.language_model.vocabulary import UNKNOWN
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.language_model_arguments import (
    add_text_arguments,
    digest,
    read_text_side,
)
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.run.code_digest import code_digest


def main() -> None:
    """Parse the arguments, fine-tune, predict, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_text_arguments(parser)
    parser.add_argument("--language-model", type=Path, required=True, help="its folder")
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--tags", type=Path, help="of pos: the tagged corpus")
    parser.add_argument("--train-file", type=Path, help="of other kinds: training examples")
    parser.add_argument("--test-file", type=Path, help="of other kinds: test examples")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--batch", type=int, required=True, help="sequences of a step")
    parser.add_argument("--device-batch", type=int, required=True, help="of one forward pass")
    parser.add_argument("--learning-rate", type=float, required=True)
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--seed", type=int, required=True)
    parser.set_defaults(warmup=0)
    arguments = parser.parse_args()
    check_folder(arguments.progress)
    schedule = Schedule(
        **{name: getattr(arguments, name) for name in Schedule.__dataclass_fields__}
    )
    device = prepare(arguments.threads)
    untrained, vocabulary = read_model(arguments.language_model)
    longest = sequence_length(untrained)
    train, test, tokens = _examples(arguments)
    numbers = number_labels(train.labels)
    label = label_examples if arguments.kind in TEXTS else label_tokens
    data, tested = (
        label(segmented, vocabulary, examples.labels, numbers, longest)
        for segmented, examples in zip(tokens, (train, test), strict=True)
    )
    model = make_classifier(arguments.language_model, len(numbers), arguments.seed).to(device)
    optimizer = make_optimizer(model, schedule)
    key = digest(
        [
            *(schedule, arguments.steps, arguments.kind, arguments.spec, arguments.test),
            *(torch.__version__, transformers.__version__, device.type, arguments.threads),
            code_digest(__file__),
        ],
        [
            *(arguments.corpus, arguments.tokens, arguments.model, arguments.tags),
            *(arguments.train_file, arguments.test_file),
            arguments.language_model / "model.safetensors",
        ],
    )
    steps_done = read_state(arguments.progress, model, optimizer, key)
    if steps_done:
        print(f"goes on after {steps_done} steps", file=sys.stderr)
    with timed("fine-tuning"):
        saved = printed = time.monotonic()
        for step, loss in fine_tune(
            model, optimizer, data, schedule, range(steps_done, arguments.steps)
        ):
            now = time.monotonic()
            if now - printed >= min(10, arguments.every) or step == arguments.steps:
                printed = now
                print(
                    f"step {step} of {arguments.steps}, loss {loss:.3f}",
                    file=sys.stderr,
                    flush=True,
                )
            if now - saved >= arguments.every and step < arguments.steps:
                saved = now
                write_state(arguments.progress, model, optimizer, step, key)
    found = predict(model, tested, sum(map(len, test.labels)), arguments.device_batch)
    # A word without tokens is outside of any entity; as a label alone, it is wrong.
    count, missing = (
        (count_entities, OUTSIDE) if arguments.kind == "entities" else (count_labels, "")
    )
    named = _named(found, numbers, test.labels, missing)
    right, given, predicted = _columns(count(test.labels, named))
    known, _, guessed = _columns(count(test.labels, _baseline(train, test, arguments.kind)))
    ids = np.concatenate([vocabulary.encode(column) for column in tokens[1]])
    write_scores(
        arguments.output,
        TaskScores(
            *(right, given, predicted, known, guessed),
            trained=np.array([len(train.labels)]),
            unknown=np.array([(ids == UNKNOWN).sum(), len(ids)]),
        ),
    )
    remove_folder(arguments.progress)


def _named(found: np.ndarray, numbers: dict[str, int], labels: Labels, missing: str) -> Labels:
    """The predicted labels of each example, `missing` where there is none."""
    names = {number: label for label, number in numbers.items()}
    flat = iter(found.tolist())
    return [[names.get(next(flat), missing) for _ in own] for own in labels]


def _columns(counts: Sequence[tuple[int, int, int]]) -> np.ndarray:
    return np.array(counts, dtype=np.int64).T


def _baseline(train: Examples, test: Examples, kind: str) -> Labels:
    """The most frequent label, of the word or of all."""
    one = kind in TEXTS
    train_words = [[""] for _ in train.labels] if one else train.texts[0]
    test_words = [[""] for _ in test.labels] if one else test.texts[0]
    return most_frequent_labels(train_words, train.labels, test_words)


def _examples(arguments: argparse.Namespace) -> tuple[Examples, Examples, list[list]]:
    """Training and test examples, and the segmentations of the texts of each."""
    side, _, model, text = read_text_side(arguments)
    segmenter = SideSegmenter(side)
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
            [segmenter.segment(model, column, [0], arguments.threads)[0] for column in own.texts]
            for own in examples
        ]
    if arguments.kind not in TEXTS and any((own[0].last > own[0].first).any() for own in tokens):
        raise InputError(
            f"{arguments.spec} has tokens of several words, which have a label each",
            hint="take a segmentation within words",
        )
    return *examples, tokens


if __name__ == "__main__":
    run(main)

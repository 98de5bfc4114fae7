"""Train a masked language model on a segmented text, or continue one."""

import argparse
import sys
import time
from pathlib import Path

import torch
import transformers

from seggrid.base.files import remove_parts
from seggrid.base.folders import check_folder, remove_folder
from seggrid.errors import InputError
from seggrid.language_model.model import (
    fast_tokenizer,
    make_model,
    prepare,
    read_model,
    read_optimizer,
    sequence_length,
    write_model,
)
from seggrid.language_model.presets import PRESETS
from seggrid.language_model.progress import Progress, read_progress
from seggrid.language_model.text import batch
from seggrid.language_model.train import (
    WEIGHT_DECAY,
    Masking,
    Schedule,
    make_optimizer,
    train,
    validation_due,
    validation_loss,
)
from seggrid.language_model.vocabulary import SPECIAL, read_vocabulary
from seggrid.segment.side import parse_spec
from seggrid.workflow.jobs.language_model_arguments import add_text_arguments, digest, read_encoded
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.run.code_digest import code_digest

SETTINGS = ("spec", "format", "test", "preset", "sequence", "steps")
"""Arguments on which the trained model depends, in addition to those of `Schedule`."""


def main() -> None:
    """Parse the arguments, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_text_arguments(parser)
    parser.add_argument("--base", type=Path, help="folder of the model to continue")
    parser.add_argument("--preset", choices=list(PRESETS), required=True)
    parser.add_argument("--sequence", type=int, required=True, help="tokens of a sequence")
    parser.add_argument(
        "--steps", type=int, required=True, help="number of steps, without those of the base"
    )
    parser.add_argument("--batch", type=int, required=True, help="sequences of a step")
    parser.add_argument(
        "--device-batch", type=int, required=True, help="sequences of a forward pass"
    )
    parser.add_argument("--learning-rate", type=float, required=True)
    parser.add_argument("--warmup", type=int, default=0, help="steps")
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--seed", type=int, required=True)
    parser.set_defaults(weight_decay=WEIGHT_DECAY)
    arguments = parser.parse_args()
    check_folder(arguments.progress)
    schedule = Schedule(
        **{name: getattr(arguments, name) for name in Schedule.__dataclass_fields__}
    )
    device = prepare(arguments.threads)
    versions = (torch.__version__, transformers.__version__, device.type, arguments.threads)
    settings = [getattr(arguments, name) for name in SETTINGS]
    files = [arguments.corpus, arguments.tokens, arguments.model]
    if arguments.base:
        files += [arguments.base / name for name in ("model.safetensors", "optimizer.safetensors")]
    key = digest([schedule, versions, code_digest(__file__), *settings], files)
    base = read_vocabulary(arguments.base / "types.txt") if arguments.base else None
    text, merging = read_encoded(arguments, base)
    lower = parse_spec(arguments.spec).case == "lower"
    tokenizer, takes_text = fast_tokenizer(text.vocabulary, merging, arguments.sequence, lower)
    sequences = text.sequences(arguments.sequence)
    test = text.test_sequences(arguments.sequence)
    masking = Masking(tokenizer)

    remove_parts(arguments.progress.parent, older_than=0)
    begin = read_progress(arguments.base) if arguments.base else Progress()
    # Saved as a number, since training may go on counting in `begin` itself.
    steps_before = begin.steps
    last = steps_before + arguments.steps
    resumed = _resumed(arguments.progress, key)
    start, progress = (arguments.progress, resumed) if resumed else (arguments.base, begin)
    progress.key, progress.takes_text = key, takes_text
    if start is None:
        preset = PRESETS[arguments.preset]
        model = make_model(preset, len(text.vocabulary), arguments.sequence, arguments.seed)
    else:
        model, _ = read_model(start)
        if sequence_length(model) != arguments.sequence:
            raise InputError(
                f"a model for sequences of {sequence_length(model)} tokens, not of "
                f"{arguments.sequence}",
                file=start,
                hint="give both the same",
            )
    model = model.to(device)
    optimizer = make_optimizer(model, schedule)
    if start is not None:
        read_optimizer(start, optimizer)
        print(f"goes on from {start} after {progress.steps} steps", file=sys.stderr)

    def write(path: Path) -> None:
        write_model(path, model, optimizer, tokenizer, text.vocabulary, progress)

    with timed("training"):
        if progress.losses and not resumed:
            # With another tokenizer, the loss before the first step shows how much the change costs.
            held_out = validation_loss(model, test, masking, schedule.device_batch)
            progress.losses[-1] = (*progress.losses[-1][:2], held_out)
        began, first = time.monotonic(), progress.tokens
        saved = printed = began
        steps = range(progress.steps, last)
        for step, loss in train(
            model, optimizer, sequences, masking, schedule, steps, steps_before
        ):
            drawn = sequences[batch(len(sequences), schedule.batch, step - 1, schedule.seed)]
            progress.steps = step
            progress.tokens += int((drawn >= len(SPECIAL)).sum())
            held_out = None
            if validation_due(step - steps_before, arguments.steps):
                held_out = validation_loss(model, test, masking, schedule.device_batch)
            progress.losses.append((step, loss, held_out))
            now = time.monotonic()
            if now - printed >= min(10, arguments.every) or step == last:
                printed = now
                speed = (progress.tokens - first) / (now - began)
                print(
                    f"step {step} of {last}, loss {loss:.3f}, {speed:,.0f} tokens a second",
                    file=sys.stderr,
                    flush=True,
                )
            if now - saved >= arguments.every and step < last:
                saved = now
                write(arguments.progress)
        progress.validation_loss = validation_loss(model, test, masking, schedule.device_batch)
    write(arguments.output)
    remove_folder(arguments.progress)


def _resumed(path: Path, key: str) -> Progress | None:
    """The progress of an interrupted job with the same settings; None if there is none."""
    if not (path / "training.json").is_file():
        return None
    progress = read_progress(path)
    return progress if progress.key == key else None


if __name__ == "__main__":
    run(main)

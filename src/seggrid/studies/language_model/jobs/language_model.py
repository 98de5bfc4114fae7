"""Train a masked language model on a segmented text, or continue one."""

import sys
import time
from pathlib import Path
from typing import Literal

import torch
import transformers

from seggrid.base.files import remove_parts
from seggrid.base.folders import check_folder, remove_folder
from seggrid.base.torch_training import (
    Schedule,
    batch,
    make_optimizer,
    prepare_torch,
    read_optimizer,
)
from seggrid.grid.jobs.script import timed
from seggrid.grid.run.code_digest import code_digest
from seggrid.studies.language_model.job_inputs import TextInputs, inputs_digest
from seggrid.studies.language_model.model import (
    fast_tokenizer,
    make_model,
    read_language_model,
    write_model,
)
from seggrid.studies.language_model.presets import PRESETS
from seggrid.studies.language_model.scores import TrainingProgress, read_progress
from seggrid.studies.language_model.text import pack
from seggrid.studies.language_model.train import (
    Masking,
    train_language_model,
    validation_due,
    validation_loss,
)
from seggrid.studies.language_model.vocabulary import SPECIAL, read_vocabulary


def main(
    inputs: TextInputs,
    schedule: Schedule,
    preset: Literal[*PRESETS],
    sequence: int,
    steps: int,
    base: Path | None = None,
) -> None:
    """Train so many steps and write a folder, or continue the model in the folder `base`."""
    check_folder(inputs.progress)
    device = prepare_torch(inputs.threads)
    versions = (torch.__version__, transformers.__version__, device.type, inputs.threads)
    settings = [str(inputs.spec), inputs.format, inputs.test, preset, sequence, steps]
    files = [inputs.corpus, inputs.tokens, inputs.model]
    if base:
        files += [base / name for name in ("model.safetensors", "optimizer.safetensors")]
    key = inputs_digest([schedule, versions, code_digest(Path(__file__)), *settings], files)
    text, merging = inputs.encode(read_vocabulary(base / "types.txt") if base else None)
    lower = inputs.spec.case == "lower"
    tokenizer, takes_text = fast_tokenizer(text.vocabulary, merging, sequence, lower)
    sequences = pack(text.ids, text.lengths, sequence)
    test = pack(text.test_ids, text.test_lengths, sequence)
    masking = Masking(tokenizer)

    remove_parts(inputs.progress.parent, older_than=0)
    begin = read_progress(base) if base else TrainingProgress()
    # Saved as a number, since training may go on counting in `begin` itself.
    steps_before = begin.steps
    last = steps_before + steps
    resumed = _resumed(inputs.progress, key)
    start, progress = (inputs.progress, resumed) if resumed else (base, begin)
    progress.key, progress.takes_text = key, takes_text
    if start is None:
        model = make_model(PRESETS[preset], len(text.vocabulary), sequence, schedule.seed)
    else:
        model, _ = read_language_model(start)
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
        left = range(progress.steps, last)
        for step, loss in train_language_model(
            model, optimizer, sequences, masking, schedule, left, steps_before
        ):
            drawn = sequences[batch(len(sequences), schedule.batch, step - 1, schedule.seed)]
            progress.steps = step
            progress.tokens += int((drawn >= len(SPECIAL)).sum())
            held_out = None
            if validation_due(step - steps_before, steps):
                held_out = validation_loss(model, test, masking, schedule.device_batch)
            progress.losses.append((step, loss, held_out))
            now = time.monotonic()
            if now - printed >= min(10, inputs.every) or step == last:
                printed = now
                speed = (progress.tokens - first) / (now - began)
                print(
                    f"step {step} of {last}, loss {loss:.3f}, {speed:,.0f} tokens a second",
                    file=sys.stderr,
                    flush=True,
                )
            if now - saved >= inputs.every and step < last:
                saved = now
                write(inputs.progress)
        progress.validation_loss = validation_loss(model, test, masking, schedule.device_batch)
    write(inputs.output)
    remove_folder(inputs.progress)


def _resumed(path: Path, key: str) -> TrainingProgress | None:
    """The progress of an interrupted job with the same settings; None if there is none."""
    if not (path / "training.json").is_file():
        return None
    progress = read_progress(path)
    return progress if progress.key == key else None

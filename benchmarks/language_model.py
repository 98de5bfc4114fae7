"""Speed of training a language model, compared with transformers' Trainer on the same model and data.

    python benchmarks/language_model.py english.txt [--size tiny] [--steps 20] [--runs 3]

Needs the extra `lm`, and accelerate, which the Trainer requires. Both train from the same weights, with
the same packed sequences, batch, optimizer and collator, without
saving or validating, in turns. Prints the fastest runs. Ours computes the output layer only for masked
tokens.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from seggrid.corpus.text import read_text
from seggrid.language_model.presets import PRESETS
from seggrid.language_model.text import EncodedText, pack
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.learn import learn
from timing import timed


def ours(model, sequences, tokenizer, schedule, steps):
    """Train as the workflow does."""
    from seggrid.language_model.train import Masking, make_optimizer, train

    optimizer = make_optimizer(model, schedule)
    for _ in train(model, optimizer, sequences, Masking(tokenizer), schedule, range(steps)):
        pass


def trainer(model, sequences, tokenizer, schedule, steps):
    """Train as transformers does."""
    from transformers import DataCollatorForLanguageModeling, Trainer, TrainingArguments

    from seggrid.language_model.vocabulary import PAD

    rows = [
        {"input_ids": row.tolist(), "attention_mask": (row != PAD).astype(int).tolist()}
        for row in sequences
    ]
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            folder,
            max_steps=steps,
            per_device_train_batch_size=schedule.batch,
            learning_rate=schedule.learning_rate,
            lr_scheduler_type="constant",
            weight_decay=0.1,
            max_grad_norm=0,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            logging_strategy="no",
            seed=schedule.seed,
        )
        collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15)
        Trainer(model, arguments, train_dataset=rows, data_collator=collator).train()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", type=Path, help="one sentence per line")
    parser.add_argument("--format", choices=["lines", "tsv"], default="lines")
    parser.add_argument("--size", choices=list(PRESETS), default="tiny")
    parser.add_argument("--merges", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--sequence", type=int, default=128)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()

    from seggrid.language_model.model import fast_tokenizer, make_model, prepare
    from seggrid.language_model.train import Schedule

    prepare(arguments.threads)
    sentences, _ = read_text(arguments.text, arguments.format)
    tokens = apply(learn(sentences, arguments.merges), sentences)
    text = EncodedText.from_segmentation(sentences, tokens, 100)
    sequences = pack(text.ids, text.lengths, arguments.sequence)
    tokenizer, _ = fast_tokenizer(text.vocabulary, None, arguments.sequence)
    preset = PRESETS[arguments.size]
    schedule = Schedule(arguments.batch, arguments.batch, preset.learning_rate, seed=1)
    contenders = {"ours": ours, "Trainer": trainer}
    best = dict.fromkeys(contenders, (np.inf, np.inf))
    for _ in range(arguments.runs):
        for name, contender in contenders.items():
            model = make_model(preset, len(text.vocabulary), arguments.sequence, 1)
            _, wall, cpu = timed(
                lambda run=contender, model=model: run(
                    model, sequences, tokenizer, schedule, arguments.steps
                )
            )
            best[name] = tuple(map(min, best[name], (wall, cpu)))
    total = arguments.steps * arguments.batch * arguments.sequence
    print("| | tokens per second | tokens per CPU second |\n| --- | --- | --- |")
    for name, (wall, cpu) in best.items():
        print(f"| {name} | {total / wall:,.0f} | {total / cpu:,.0f} |")


if __name__ == "__main__":
    main()

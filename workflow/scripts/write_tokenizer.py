"""Prune a tokenizer and write it as files of Hugging Face's tokenizers, as far as these can express it."""

import argparse
from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.base.lines import write_lines
from seggrid.morphology.knockout import prune
from seggrid.morphology.tokenizer import write_tokenizer_files
from seggrid.segment.pruning import parse_knockout
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.tokenizer_arguments import (
    add_tokenizer_arguments,
    count_types,
    read_evaluated,
)


def main() -> None:
    """Parse the arguments, prune, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_tokenizer_arguments(parser)
    parser.add_argument("--knockout", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    arguments = parser.parse_args()
    evaluated = read_evaluated(arguments)
    tokenizer, reference, frequencies, words = evaluated
    counts = None
    if parse_knockout(arguments.knockout).method == "trim":
        counts = count_types(evaluated)
    with timed():
        pruned = prune(
            tokenizer.model,
            arguments.knockout,
            reference,
            frequencies=frequencies,
            counts=counts,
            seed=arguments.seed,
        )
    alphabet = {character for word in words or () for character in word}
    with fresh_folder(arguments.output) as folder:
        programs = write_tokenizer_files(pruned, tokenizer.model, folder, alphabet)
        write_lines(folder / "about.txt", programs)


if __name__ == "__main__":
    run(main)

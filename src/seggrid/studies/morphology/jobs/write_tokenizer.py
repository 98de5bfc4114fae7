"""Prune a tokenizer and write it as files of Hugging Face's tokenizers, as far as these can express it."""

from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.base.lines import write_lines
from seggrid.grid.jobs.script import timed
from seggrid.morphology.knockout import prune_model
from seggrid.segment.formats.tokenizer_writer import write_folder
from seggrid.segment.variants import parse_knockout
from seggrid.studies.morphology.evaluations import TokenizerInputs


def main(inputs: TokenizerInputs, knockout: str, seed: int, output: Path) -> None:
    """Prune a tokenizer in one way, and write a folder."""
    evaluated = inputs.read_all()
    model, reference, frequencies, words = evaluated
    counts = evaluated.count_types() if parse_knockout(knockout).needs_counts else None
    given = {"frequencies": frequencies, "counts": counts, "seed": seed}
    with timed():
        pruned = prune_model(model, knockout, reference, **given)
    alphabet = {character for word in words or () for character in word}
    with fresh_folder(output) as folder:
        programs = write_folder(pruned, model, folder, alphabet)
        write_lines(folder / "about.txt", programs)

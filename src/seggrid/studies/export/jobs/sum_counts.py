"""Add up the counts of links in all slices of a text."""

from pathlib import Path

from seggrid.align import read_alignment
from seggrid.align.sample import sum_counts
from seggrid.base.folders import fresh_folder
from seggrid.grid.jobs.script import timed
from seggrid.studies.export.whole_text import slice_folders


def main(aligner: str, samples: int, slices: str, cut: list[int], output: Path) -> None:
    """Add up the counts in the folders of slices, given by a pattern and how the text is cut."""
    name, _ = read_alignment(aligner)
    with timed(), fresh_folder(output) as folder:
        sum_counts(slice_folders(slices, *cut), name, samples, folder)

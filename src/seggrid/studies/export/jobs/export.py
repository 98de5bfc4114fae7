"""Write the links, or one side's tokens, of all sentence pairs, one pair per line.

A sentence pair that was left out because one side is empty gets an empty line.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import combine_directions
from seggrid.base.arrays import read_arrays
from seggrid.base.compressed import write_text
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.grid.jobs.script import timed
from seggrid.score.votes import LinkVotes, Means, is_posterior
from seggrid.studies.export.whole_text import slice_file, slice_folders
from seggrid.text.links import IN_FOLDER, Links, read_alignments, read_posteriors
from seggrid.text.pair import lines_kept_of
from seggrid.text.segmentation import unpack_segmentations
from seggrid.text.selection import laid_out
from seggrid.text.text_files import Text


@dataclass(frozen=True)
class OfCell:
    """How the links of a cell follow from its alignments."""

    symmetrization: Literal[*SYMMETRIZATIONS] | None = None
    samples: int | None = None
    aggregate: str | None = None


def main(
    output: Path,
    cell: OfCell,
    texts: list[Text] = [],
    others: list[Text] = [],
    alignments: list[Path] = [],
    segmentation: Path | None = None,
    slices: str | None = None,
    cut: list[int] = [],
    what: str | None = None,
) -> None:
    """Write the lines of one file: the links of all sentence pairs, from the folders `alignments`; or a
    segmentation, whose first sample is written; or the file `what` of each slice, from a pattern of their
    folders, the text `cut` into so many sentence pairs, each of so many. The texts are given if some of their
    lines are no sentence pairs, also those of the other side if these are the empty ones."""
    with timed():
        if slices:
            lines = lines_of_slices(slices, cut, what)
        elif segmentation:
            lines = iter(unpack_segmentations(read_arrays(segmentation))[0].lines())
        else:
            lines = iter(word_links(alignments, cell).lines())
        kept = lines_kept_of(texts, others)
        with write_text(output) as file:
            written: Iterable[str] = lines if kept is None else laid_out(lines, kept)
            file.writelines(f"{line}\n" for line in written)


def lines_of_slices(folders: str, cut: list[int], what: str) -> Iterator[str]:
    """The lines of all slices, one slice in memory at a time."""
    for folder in slice_folders(folders, *cut):
        yield from read_lines(slice_file(folder, what), limit=LARGEST_TEXT)


def word_links(alignments: list[Path], cell: OfCell) -> Links:
    """The links of a cell, symmetrized, projected to words and aggregated as for scoring."""
    files = [folder / IN_FOLDER for folder in alignments]
    samples = [sample for file in files for sample in read_alignments(file)]
    samples = samples[: cell.samples]
    if is_posterior(cell.aggregate):
        both = (pair for file in files for pair in read_posteriors(file))
        found = [
            project_posteriors(*pair, source, target)
            for pair, (source, target, _, _) in zip(both, samples, strict=False)
        ]
        return Means.from_samples(found).keep(cell.aggregate)
    words = [
        project(combine_directions(forward, reverse, cell.symmetrization), source, target)
        for source, target, forward, reverse in samples
    ]
    return LinkVotes.from_samples(words).keep(cell.aggregate)

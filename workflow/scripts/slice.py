"""Align a slice of a text with what other parts of it teach.

With models of a sample, sentence pairs that are also in the sample keep the links and tokens that they have
there. If they were aligned again, they would count twice: as part of the slice and, through the models, as
part of the sample. With counts, the slice is aligned as if the links in all other slices were part of it.
"""

from pathlib import Path

import numpy as np

from seggrid.align.sample import others
from seggrid.base.folders import fresh_folder
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.grid.learned import read_learned, read_segmenters
from seggrid.grid.run import Models, align_cell
from seggrid.grid.samples import Part
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    SLICED,
    WholeText,
    count_lines,
    lines_of,
    slice_file,
    write_sliced,
)


def main(
    text: WholeText,
    lines: Part,
    output: Path,
    kept: Path | None = None,
    drawn: int | None = None,
    counted: Path | None = None,
    summed: Path | None = None,
) -> None:
    """Align a slice with the models of a sample of `drawn` sentence pairs, or with the counts of this slice
    and their sum over all slices; write its links and tokens into a folder."""
    found = (
        with_models(text, lines, kept, drawn) if kept else with_counts(text, lines, counted, summed)
    )
    with fresh_folder(output) as folder:
        write_sliced(folder, found)


def with_models(text: WholeText, lines: Part, kept: Path, drawn: int) -> dict[str, list[str]]:
    """The lines of a slice, aligned by models of a sample."""
    sample = text.drawn(drawn)
    shared = slice(*np.searchsorted(sample, (lines.first, lines.last + 1)))
    rest = np.setdiff1d(np.arange(lines.first, lines.last + 1), sample[shared])
    order = np.argsort(np.concatenate([sample[shared], rest]))
    found = {what: [] for what in SLICED}
    if len(rest):
        sides, models = text.read(rest.tolist()), read_learned(kept, text.cell)
        with timed():
            found = lines_of(align_cell(text.cell, *sides, **text.settings, models=models))
    copied = {what: read_lines(slice_file(kept, what), limit=LARGEST_TEXT) for what in SLICED}
    both = {what: [*copied[what][shared], *found[what]] for what in SLICED}
    return {what: [own[at] for at in order] for what, own in both.items()}


def with_counts(text: WholeText, lines: Part, counted: Path, summed: Path) -> dict[str, list[str]]:
    """The lines of a slice, aligned with the counts of all others."""
    cell, sides = text.cell, text.read_slice(lines)
    segmenters = read_segmenters(cell, text.models)
    models = Models(segmenters, others(summed, counted, cell.aligner, cell.samples))
    # If the slice is the whole text, there are no counts of other slices.
    is_whole = len(sides[0]) == count_lines(text.source)
    given = {"segmenters": segmenters} if is_whole else {"models": models}
    with timed():
        return lines_of(align_cell(cell, *sides, **text.settings, **given))


if __name__ == "__main__":
    run(main)

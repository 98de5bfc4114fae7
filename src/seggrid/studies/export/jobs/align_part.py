"""Align a part of a text: by itself, to keep what it teaches; or with what other parts teach.

By itself are aligned: a sample that is drawn from all sentence pairs, of which the models, links and tokens
are kept; and each slice of an aligner that shares counts, of which the counts of its links are kept.

With models of a sample, sentence pairs that are also in the sample keep the links and tokens that they have
there. If they were aligned again, they would count twice: as part of the slice and, through the models, as
part of the sample. With counts, the slice is aligned as if the links in all other slices were part of it.
"""

import shutil
from pathlib import Path

import numpy as np

from seggrid.align.sample import others, write_aligners, write_sample_counts
from seggrid.base.folders import fresh_folder
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.grid.align_cell import Earlier, Models, Request
from seggrid.grid.learned import model_file, read_learned, read_segmenters
from seggrid.grid.samples import Part
from seggrid.studies.export.whole_text import (
    SLICED,
    WholeText,
    count_sentences,
    lines_of_files,
    slice_file,
    write_sliced,
)


def main(
    text: WholeText,
    output: Path,
    drawn: int | None = None,
    lines: Part | None = None,
    kept: Path | None = None,
    counted: Path | None = None,
    summed: Path | None = None,
) -> None:
    """Align a sample of `drawn` sentence pairs or the slice `lines` by itself; or that slice with what was
    `kept` of the sample, or with what was `counted` in it and in all slices, `summed`. Write a folder."""
    with fresh_folder(output) as folder:
        if kept:
            write_sliced(folder, with_models(text, lines, kept, drawn))
        elif counted:
            write_sliced(folder, with_counts(text, lines, counted, summed))
        elif drawn:
            keep_models(folder, text, drawn)
        else:
            keep_counts(folder, text, lines)


def keep_models(folder: Path, text: WholeText, drawn: int) -> None:
    """Align a sample, and write its models, links and tokens."""
    segmenters = Earlier(segmenters=read_segmenters(text.cell, text.models))
    found = text.align(text.drawn(drawn).tolist(), segmenters, Request(keep=True))
    for side, file in text.models.items():
        shutil.copyfile(file, folder / model_file(side))
    write_aligners(folder, text.cell.aligner, found.models[0].aligners)
    write_sliced(folder, lines_of_files(found))


def keep_counts(folder: Path, text: WholeText, lines: Part) -> None:
    """Align a slice, and write the counts of its links."""
    segmenters = Earlier(segmenters=read_segmenters(text.cell, text.models))
    found = text.align(lines.range(), segmenters, Request(keep=True))
    write_sample_counts(folder, text.cell.aligner, found.models[0].aligners)


def with_models(text: WholeText, lines: Part, kept: Path, drawn: int) -> dict[str, list[str]]:
    """The lines of a slice, aligned by models of a sample."""
    sample = text.drawn(drawn)
    shared = slice(*np.searchsorted(sample, (lines.first, lines.last + 1)))
    rest = np.setdiff1d(lines.range(), sample[shared])
    order = np.argsort(np.concatenate([sample[shared], rest]))
    found = {what: [] for what in SLICED}
    if len(rest):
        found = lines_of_files(
            text.align(rest.tolist(), Earlier(read_learned(kept, text.cell)), Request())
        )
    copied = {what: read_lines(slice_file(kept, what), limit=LARGEST_TEXT) for what in SLICED}
    both = {what: [*copied[what][shared], *found[what]] for what in SLICED}
    return {what: [own[at] for at in order] for what, own in both.items()}


def with_counts(text: WholeText, lines: Part, counted: Path, summed: Path) -> dict[str, list[str]]:
    """The lines of a slice, aligned with the counts of all others."""
    cell = text.cell
    segmenters = read_segmenters(cell, text.models)
    # If the slice is the whole text, there are no counts of other slices.
    if lines.size == count_sentences(text.source):
        return lines_of_files(text.align(lines.range(), Earlier(segmenters=segmenters), Request()))
    models = Models(segmenters, others(summed, counted, cell.aligner, cell.samples))
    return lines_of_files(text.align(lines.range(), Earlier(models), Request()))

"""Align a part of a text by itself, and keep what other parts are then aligned with.

Of a sample that is drawn from all sentence pairs, this is the models, and its links and tokens, which
the slices with these sentence pairs copy. Of a slice, it is the counts of its links.
"""

import shutil
from pathlib import Path

from seggrid.align.sample import write_aligners, write_counts
from seggrid.base.folders import fresh_folder
from seggrid.grid.learned import model_file, read_segmenters
from seggrid.grid.run import align_cell
from seggrid.grid.samples import Part
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import WholeText, lines_of, write_sliced


def main(
    text: WholeText, output: Path, drawn: int | None = None, lines: Part | None = None
) -> None:
    """Align a sample of `drawn` sentence pairs, or else the slice `lines`; write a folder."""
    cell = text.cell
    sides = text.read(text.drawn(drawn).tolist()) if drawn else text.read_slice(lines)
    segmenters = read_segmenters(cell, text.models)
    with timed():
        found = align_cell(cell, *sides, **text.settings, keep=True, segmenters=segmenters)
    aligners = found.models[0].aligners
    with fresh_folder(output) as folder:
        if not drawn:
            write_counts(folder, cell.aligner, aligners)
            return
        for side, file in text.models.items():
            shutil.copyfile(file, folder / model_file(side))
        write_aligners(folder, cell.aligner, aligners)
        write_sliced(folder, lines_of(found))


if __name__ == "__main__":
    run(main)

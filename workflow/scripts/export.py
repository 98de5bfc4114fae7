"""Write the links, or one side's tokens, of all sentence pairs, one pair per line.

A sentence pair that was left out because one side is empty gets an empty line.
"""

import argparse
import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import symmetrize
from seggrid.base.compressed import write_text
from seggrid.base.lines import LARGEST_TEXT, read_lines, stream_lines
from seggrid.base.npz import read_arrays
from seggrid.corpus.selection import laid_out, slices
from seggrid.data.alignments import IN_FOLDER, read_alignments, read_posteriors
from seggrid.data.links import Links
from seggrid.data.segmentation import unpack_segmentations
from seggrid.grid.samples import part_name
from seggrid.score.aggregates import is_posterior
from seggrid.score.ensemble import Candidates, Vote
from seggrid.score.votes import Means, Votes
from seggrid.workflow.jobs.layout import add_layout_arguments, layout
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import slice_file

BLOCK = 10_000


def main() -> None:
    """Parse the arguments, join, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_layout_arguments(parser)
    made_from = parser.add_mutually_exclusive_group(required=True)
    made_from.add_argument(
        "--alignments",
        type=Path,
        nargs="+",
        help="folders of the links of all sentence pairs, in order",
    )
    made_from.add_argument(
        "--segmentation", type=Path, help="segmentation whose first sample is written"
    )
    made_from.add_argument("--slices", help="folders, * standing for their lines")
    made_from.add_argument(
        "--votes", type=Path, help="the members of an ensemble and their weights"
    )
    parser.add_argument("--members", help="their links, * standing for a member's name")
    parser.add_argument(
        "--symmetrization", choices=SYMMETRIZATIONS, help="heuristic for alignments"
    )
    parser.add_argument("--samples", type=int, help="number of samples to use")
    parser.add_argument("--aggregate")
    parser.add_argument("--cut", type=int, nargs=2, help="sentence pairs of all slices, and of one")
    parser.add_argument("--what", help="file to take from slices")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with timed():
        if arguments.votes:
            # Sentence pairs that were left out are empty lines in the members' links.
            lines = voted_lines(arguments.votes, arguments.members)
        elif arguments.slices:
            lines = lines_of_slices(arguments)
        elif arguments.segmentation:
            samples = unpack_segmentations(read_arrays(arguments.segmentation))
            lines = iter(samples[0].lines())
        else:
            lines = iter(word_links(arguments).lines())
        kept = layout(arguments)
        with write_text(arguments.output) as file:
            written: Iterable[str] = lines if kept is None else laid_out(lines, kept)
            file.writelines(f"{line}\n" for line in written)


def lines_of_slices(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of all slices, one slice in memory at a time."""
    for lines in slices(*arguments.cut):
        folder = arguments.slices.replace("*", part_name(lines))
        yield from read_lines(slice_file(folder, arguments.what), limit=LARGEST_TEXT)


def voted_lines(votes: Path, members: str) -> Iterator[str]:
    """The lines of an ensemble, a block of sentence pairs in memory at a time."""
    with votes.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    weights = np.array([float(row["weight"]) for row in table])
    vote = Vote(weights, float(table[0]["above"]))
    names = [row["member"] for row in table]
    rows = zip(*(stream_lines(members.replace("*", one)) for one in names), strict=True)
    while block := list(islice(rows, BLOCK)):
        candidates = Candidates.from_members(
            [Links.from_lines(own) for own in zip(*block, strict=True)]
        )
        yield from candidates.keep(vote.decide(candidates.has)).each_line()


def word_links(arguments: argparse.Namespace) -> Links:
    """The links of a cell, symmetrized, projected to words and aggregated as for scoring."""
    files = [folder / IN_FOLDER for folder in arguments.alignments]
    samples = [sample for file in files for sample in read_alignments(file)]
    samples = samples[: arguments.samples]
    if is_posterior(arguments.aggregate):
        both = (pair for file in files for pair in read_posteriors(file))
        found = [
            project_posteriors(*pair, source, target)
            for pair, (source, target, _, _) in zip(both, samples, strict=False)
        ]
        return Means.from_samples(found).keep(arguments.aggregate)
    words = [
        project(symmetrize(forward, reverse, arguments.symmetrization), source, target)
        for source, target, forward, reverse in samples
    ]
    return Votes.from_samples(words).keep(arguments.aggregate)


if __name__ == "__main__":
    run(main)

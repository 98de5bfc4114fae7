"""`seggrid align`: the word links of all sentences of two texts, as Pharaoh lines."""

from __future__ import annotations

import argparse

from seggrid.align import ALIGNERS
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.cli.arguments import (
    LARGEST_SEED,
    add_axis,
    add_output,
    add_pair,
    add_side,
    progress,
    read_pair,
    read_training,
    side,
    whole_number,
    write_lines,
)
from seggrid.grid.axes import CELL_AXES, aggregate_of
from seggrid.grid.cell import Cell
from seggrid.grid.run import align_cell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Two texts, a segmentation, an aligner, how samples are joined."""
    add_pair(parser)
    add_side(parser, "knockout", segmenter="words")
    group = parser.add_argument_group("alignment")
    for name in ("aligner", "symmetrization", "samples"):
        add_axis(group, CELL_AXES[name], CELL_AXES[name].default)
    add_axis(group, CELL_AXES["aggregate"], "0.5")
    for axis in ALIGNER_AXES.values():
        add_axis(group, axis, axis.default)
    group.add_argument(
        "--threads", type=whole_number(1, 1024), default=1, help="the result does not depend on it"
    )
    group.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="of all random choices"
    )
    group.add_argument("--name", default="pair", help="of the pair, part of the seeds")
    add_output(parser, "the links, `i-j i-j ...`, from 0")


def run(arguments: argparse.Namespace) -> None:
    """Align and write."""
    both = side(arguments)
    sampled = both.sampled
    cell = Cell(
        arguments.name,
        both,
        both,
        arguments.aligner,
        arguments.symmetrization,
        samples=arguments.samples if sampled else 1,
        aggregate=aggregate_of(arguments.aggregate, sampled=sampled),
        **{
            axis: ALIGNER_AXES[axis].exact(getattr(arguments, axis))
            for axis in ALIGNERS[arguments.aligner].axes
        },
    )
    source, target = read_pair(arguments.texts, arguments)
    own = range(len(source))
    training = read_training(arguments)
    links = align_cell(
        cell,
        source + training[0],
        target + training[1],
        seed=arguments.seed,
        threads=arguments.threads,
        progress=progress,
    )
    write_lines(arguments.output, links.take(own).lines())

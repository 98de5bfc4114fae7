"""`seggrid align`: the word links of all sentences of two texts, as Pharaoh lines."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from seggrid.align import ALIGNERS, without_posteriors
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.folders import DIGESTS
from seggrid.cli.arguments import (
    LARGEST_SEED,
    Aligned,
    add_axis,
    add_output,
    add_pair,
    add_side,
    progress,
    read_pair,
    refuse_two_sizes,
    remark,
    whole_number,
    write_lines,
)
from seggrid.cli.files import NameOrInputFile, input_file, output_file, output_folder
from seggrid.errors import InputError
from seggrid.grid.axes import CELL_AXES
from seggrid.grid.cell import Cell
from seggrid.grid.models_folder import read_models, write_models
from seggrid.grid.recipes import (
    DEFAULT,
    NOT_AGGREGATED,
    SHIPPED,
    Recipe,
    check_axes,
    read_recipe,
    without_none,
)
from seggrid.grid.run import align_cell, refuse_unknown
from seggrid.score.aggregates import is_posterior
from seggrid.score.votes import Means
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import override

_AXES = ("aligner", "symmetrization", "samples", "aggregate", *ALIGNER_AXES)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, recipe, axes that override it, models."""
    add_pair(parser)
    recipes = "; ".join(f"{name}: {read_recipe(name).description.rstrip('.')}" for name in SHIPPED)
    parser.add_argument(
        "--recipe",
        type=NameOrInputFile(SHIPPED),
        help=f"name of a recipe, by default {DEFAULT}, or a file; the options below override it. "
        f"{recipes.replace('%', '%%')}",
    )
    inside = [name for name, segmenter in SEGMENTERS.items() if not segmenter.outside]
    add_side(parser, "knockout", "dropout_weight", unset=True, segmenters=inside)
    group = parser.add_argument_group("alignment")
    for name in _AXES:
        axis = CELL_AXES[name]
        if name == "aggregate":
            text = f"{axis.description} `{NOT_AGGREGATED}` leaves out the recipe's: links are symmetrized."
            axis = replace(axis, description=text)
        add_axis(group, axis, argparse.SUPPRESS)
    group.add_argument(
        "--threads",
        type=whole_number(1, 1024),
        default=1,
        help="number of threads; results do not depend on it",
    )
    group.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of all random choices"
    )
    group.add_argument("--name", default="pair", help="name of the pair, on which seeds depend")
    add_output(parser, "the links, `i-j i-j ...`, from 0")
    parser.add_argument(
        "--probabilities",
        type=output_file,
        metavar="FILE",
        help="write links with their probabilities, `i-j:p ...`, or with the share of samples that have them",
    )
    parser.add_argument(
        "--keep",
        type=output_folder,
        metavar="FOLDER",
        help="write the learned models, for --models, into a new folder or in place of earlier ones",
    )
    parser.add_argument(
        "--models",
        type=input_file,
        metavar="FOLDER",
        help="learn nothing, but apply the models that --keep wrote for another text",
    )


def overrides(arguments: argparse.Namespace) -> dict[str, object]:
    """The axes that are given as options."""
    given = {}
    for name in (*AXES, *_AXES):
        if hasattr(arguments, name):
            value = getattr(arguments, name)
            flag = name in AXES and AXES[name].kind == "flag"
            given[name] = AXES[name].read(value) if flag else value
    refuse_two_sizes(given)
    return given


def run(arguments: argparse.Namespace) -> None:
    """Align and write."""
    models, own, remarks = None, overrides(arguments), []
    if arguments.models:
        if own or arguments.keep or arguments.recipe:
            raise InputError(
                "the folder of --models holds the settings too", hint="give --models alone"
            )
        recipe, cell, models, checked = read_models(arguments.models, arguments.name)
        if not checked:
            message = (
                f"no {DIGESTS}, as in folders of earlier versions: damage would not be noticed"
            )
            remarks = [f"{arguments.models}: {message}"]
    else:
        named = read_recipe(arguments.recipe or DEFAULT)
        fitting, remarks = _fitting(named, own)
        values = without_none(override(fitting, own))
        # Not on what the recipe says, nor on one sample, which hints ask for.
        changed = [f"options: {axis}:" for axis in own if (axis, own[axis]) != ("samples", 1)]
        remarks += [line for line in check_axes(values) if own and line.startswith(tuple(changed))]
        if "symmetrization" in own and is_posterior(values.get("aggregate")):
            joins = f"{values['aggregate']} joins the directions by itself"
            remarks.append(f"options: symmetrization: has no effect: {joins}")
        recipe = Recipe(_described(arguments.recipe, named, values, own), values, named.options)
        cell = recipe.cell(arguments.name)
        remarks += _lowered(cell, own)
    for own_side in (cell.source, cell.target):
        if SEGMENTERS[own_side.segmenter].outside:
            raise InputError(
                f"the segmenter {own_side.segmenter} needs a file for each side",
                hint="name them in a config, under pairs.NAME.source.tokenizers",
            )
    kept = bool(arguments.keep or arguments.models)
    refuse_unknown(cell, probabilities=bool(arguments.probabilities), keeps=kept)
    remark(remarks)
    aligned = Aligned.of(read_pair(arguments.texts, arguments), arguments)
    found = align_cell(
        cell,
        aligned.source,
        aligned.target,
        options=recipe.options.get(cell.aligner),
        seed=arguments.seed,
        threads=arguments.threads,
        progress=progress,
        probabilities=bool(arguments.probabilities),
        keep=bool(arguments.keep),
        models=models,
    )
    write_lines(arguments.output, aligned.by_line(found.links).lines())
    if arguments.probabilities:
        assert found.probable is not None
        write_lines(arguments.probabilities, _weighted(aligned.by_line(found.probable)))
    if found.models is not None:
        write_models(arguments.keep, recipe, cell, found.models)


def _lowered(cell: Cell, own: Mapping[str, object]) -> list[str]:
    """A remark if the recipe, not the user, lowers the input of an aligner that reads text as it is."""
    cases = {str(side.case) for side in (cell.source, cell.target)}
    if not ALIGNERS[cell.aligner].encodes or cases == {"keep"} or "case" in own:
        return []
    message = f"the recipe's case is {' and '.join(sorted(cases))}, but {cell.aligner} was trained on text"
    return [f"{message} as it is: give --case keep, or the recipe words-{cell.aligner}"]


def _fitting(recipe: Recipe, own: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """The axes of a recipe that fit the user's options: if these name another segmenter, without the axes of
    the recipe's segmenter; if a vocabulary size, without a number of merges; if another aligner, without the
    axes that it does not read and, if it has no probabilities, without a threshold on these, which is
    remarked on."""
    kept = dict(recipe.values)
    if "segmenter" in own:
        kept = {name: kept[name] for name in kept if name in CELL_AXES or name == "case"}
    if AXES["vocabulary"].value(own.get("vocabulary")) is not None:
        kept.pop("merges", None)
    if "aligner" not in own:
        return kept, []
    aligner, aggregate = str(own["aligner"]), kept.get("aggregate")
    read = ALIGNERS[aligner].axes
    kept = {name: kept[name] for name in kept if name not in ALIGNER_AXES or name in read}
    if ALIGNERS[aligner].posteriors or not is_posterior(aggregate):
        return kept, []
    del kept["aggregate"]
    if "aggregate" in own:
        return kept, []
    message, _ = without_posteriors(aligner)
    return kept, [f"{message}: the recipe's aggregate {aggregate} is left out"]


def _described(
    name: str | None, recipe: Recipe, values: Mapping[str, object], own: Mapping[str, object]
) -> str:
    """The description of a recipe with other values, which its own would not fit."""
    if not own:
        return recipe.description
    other = ", ".join(f"{axis}: {_plain(value)}" for axis, value in own.items())
    lost = ", ".join(axis for axis in recipe.values if axis not in values)
    without = f", without {lost}" if lost else ""
    return f"The recipe {Path(name or DEFAULT).name} with {other}{without}."


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _weighted(probable: Means) -> list[str]:
    """Lines of links with their probabilities, one sentence per line."""
    pairs = zip(probable.links.pairs.tolist(), probable.mean, strict=True)
    links = [f"{i}-{j}:{p:.4g}" for (i, j), p in pairs]
    return [" ".join(links[a:b]) for a, b in pairwise(probable.links.offsets.tolist())]

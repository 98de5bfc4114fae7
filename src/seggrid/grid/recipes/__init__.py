"""Recipes: settings of single cells, which ship with the package or are written by the user.

A recipe is YAML with the keys `description`; `cell`, the axes of one cell, as in an experiment of a config,
each with one value; and `aligners`, options of its aligner, as in a config.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from seggrid.align import ALIGNERS
from seggrid.base.files import atomic_write
from seggrid.base.settings import Settings, mistakes, suggestion
from seggrid.errors import InputError, InputErrors
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.cell import Cell, cells_of
from seggrid.grid.config.checks.experiments import check_read
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models.experiments import Aligners, Experiment
from seggrid.grid.config.read import Source, from_plain, read_config
from seggrid.segment.side import Side, override

DEFAULT = "bpe"
"""The recipe with the best scores on pairs that were not used for choosing it (docs/recommend.md)."""

SHIPPED = tuple(
    sorted(
        entry.name[:-5] for entry in files(__package__).iterdir() if entry.name.endswith(".yaml")
    )
)
"""The names of the recipes that ship with the package."""


_OF_GRIDS = {
    "pairs": "the texts are named on the command line",
    "sentences": "all sentences are aligned",
    "replicates": "a text is aligned once",
}
"""Keys of an experiment that say nothing of one cell, with the reason."""


class _File(Settings):
    """The keys of a recipe's file."""

    description: str = ""
    cell: Experiment
    aligners: Aligners = Field(default_factory=Aligners)


@dataclass(frozen=True)
class Recipe:
    """The settings of a cell.

    Attributes:
        description: one line.
        values: values of axes.
        options: options of aligners, by name of the aligner.
    """

    description: str
    values: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    def cell(
        self, pair: str, overrides: Mapping[str, Any] | None = None, *, pruned: bool = False
    ) -> Cell:
        """The cell of a pair with these settings.

        Args:
            pair: name of the pair.
            overrides: values of axes that override those of the recipe.
            pruned: whether pruned segmentations are allowed, which need models that exist already.

        Raises:
            InputError: an axis has several values, or the recipe prunes and this is not allowed.
        """
        values = override({"aggregate": 0.5, **self.values}, overrides or {})
        experiment = Experiment.from_values(values)
        cells = list(dict.fromkeys(cells_of(experiment, [pair])))
        if len(cells) != 1:
            raise InputError(
                f"a recipe of {len(cells)} cells", hint="give each axis one value, without a list"
            )
        if not pruned and any(side.pruned for side in (cells[0].source, cells[0].target)):
            raise InputError("a recipe cannot prune", hint="leave knockout out")
        return cells[0]

    def write(self, path: str | Path) -> None:
        """Write the recipe in the format of `read_recipe`."""
        with atomic_write(path) as file:
            file.write(self.text())

    def text(self) -> str:
        """The content of the recipe's file."""
        content = {"description": self.description, "cell": dict(self.values)}
        more = {"aligners": dict(self.options)} if self.options else {}
        return yaml.safe_dump(content | more, sort_keys=False, allow_unicode=True)


def recipe_of(cell: Cell, description: str, options: Mapping[str, Any]) -> Recipe:
    """The recipe with the settings of a cell, without its number of sentences.

    Args:
        cell: the cell; replicates are ignored.
        description: one line.
        options: options of its aligner.
    """
    source, target = (_axes_of(side) for side in (cell.source, cell.target))
    values: dict[str, Any] = {"source": source, "target": target}
    if source == target:
        values = dict(source)
    values |= {"aligner": cell.aligner, "symmetrization": cell.symmetrization}
    given = {axis: getattr(cell, axis) for axis in ALIGNERS[cell.aligner].axes}
    values |= {name: CELL_AXES[name].plain(value) for name, value in given.items()}
    if cell.sampled:
        values["samples"] = cell.samples
    if cell.aggregate != "none":
        values["aggregate"] = cell.aggregate
    return Recipe(description, values, {cell.aligner: dict(options)} if options else {})


def _axes_of(side: Side) -> dict[str, Any]:
    """The values of a segmentation's axes in a recipe."""
    values = {name: getattr(side, name) for name, axis in SIDE_AXES.items() if not axis.shared}
    return {name: SIDE_AXES[name].plain(v) for name, v in values.items() if v is not None}


def read_recipe(name: str | Path, *, pruned: bool = False) -> Recipe:
    """Read a recipe that ships with the package, by its name, or a recipe in a file.

    Args:
        name: name of the recipe, or its file.
        pruned: whether it lies in a folder of models: then it may prune, and have keys without effect, which
            earlier versions wrote there.

    Raises:
        InputError: there is no recipe of that name, or the file is not a recipe.
    """
    shipped = str(name) in SHIPPED
    file = files(__package__).joinpath(f"{name}.yaml") if shipped else Path(name).expanduser()
    if not shipped and (not Path(str(file)).exists() or Path(str(file)).is_dir()):
        hint = suggestion(str(name), list(SHIPPED)) if "/" not in str(name) else "check the path"
        raise InputError(f"no recipe {name}", hint=hint)
    source = read_config([Path(str(file))])
    findings = Findings(source)
    values = source.root.plain()
    if isinstance(cell := values.get("cell"), dict):
        values["cell"] = without_none(cell, Path(name).name)
    try:
        read = _File.model_validate(values)
    except ValidationError as error:
        for wrong in mistakes(error, _File, findings.written):
            findings.mistake(wrong.path, wrong.message, wrong.hint)
        findings.refuse()
        raise
    if not pruned:
        check_read(read.cell, ("cell",), findings)
        _check_single(values["cell"], ("cell",), findings)
    findings.refuse()
    recipe = Recipe(read.description, _single(values["cell"]), values.get("aligners", {}))
    try:
        recipe.cell("pair", pruned=pruned)
    except InputErrors:
        raise
    except InputError as error:
        raise InputError(error.message, file=name, hint=error.hint) from None
    return recipe


NOT_AGGREGATED = "none"
"""In place of an aggregate: links of one sample are only symmetrized."""


def without_none(values: Mapping[str, Any], where: str | None = None) -> dict[str, Any]:
    """Values of axes without an `aggregate` that is `none`.

    Args:
        values: the values.
        where: the recipe's file, for messages.

    Raises:
        InputError: there are several samples, which have to be combined.
    """
    if values.get("aggregate") != NOT_AGGREGATED:
        return dict(values)
    if values.get("samples", 1) != 1:
        raise InputError(
            f"aggregate {NOT_AGGREGATED} with {values['samples']} samples",
            file=where,
            hint="say how they are combined, or take 1 sample",
        )
    return {name: value for name, value in values.items() if name != "aggregate"}


def check_axes(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Refuse values of axes of which one has no effect, or contradicts another.

    Returns:
        Remarks on axes that have none here, but may be meant so, such as samples of what is not random; each
        begins with the name of the axis.

    Raises:
        InputError: a value is wrong, has no effect, or contradicts another.
    """
    findings = Findings(Source(from_plain(values, "options")))
    check_read(Experiment.from_values(values), (), findings)
    findings.refuse()
    return findings.remarks


def _check_single(given: Mapping[str, Any], key: Key, findings: Findings) -> None:
    """Refuse keys that only a grid reads, and axes with several values."""
    for name, value in given.items():
        if isinstance(value, Mapping):
            _check_single(value, (*key, name), findings)
        elif name in _OF_GRIDS:
            message = f"a recipe has none: {_OF_GRIDS[name]}"
            findings.mistake((*key, name), message, "leave it out")
        elif isinstance(value, list) and len(value) > 1:
            message = f"{len(value)} values, but a recipe describes one cell"
            findings.mistake((*key, name), message, "give each axis one value, without a list")


def _single(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of axes; a list of one value is that value."""
    return {
        name: _single(value)
        if isinstance(value, Mapping)
        else value[0]
        if isinstance(value, list)
        else value
        for name, value in given.items()
    }

"""Recipes: single cells by name, that ship with the package or that a user writes.

A recipe is YAML: `description`; `cell`, the axes of one cell, as in an experiment of a config, each with one
value; and `aligners`, options of its aligner, as in a config.
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
from seggrid.data.axis import Axis
from seggrid.data.files import atomic_write
from seggrid.data.settings import Settings, mistakes, suggestion
from seggrid.errors import InputError, InputErrors
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.cell import Cell
from seggrid.grid.cells import cells_of
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models.experiments import Aligners, Experiment
from seggrid.grid.config.read import read_config
from seggrid.segment.side import Side, override

DEFAULT = "bpe"
"""The recipe that the grid found best on pairs that it was not tuned on (docs/recommend.md)."""

SHIPPED = tuple(
    sorted(
        entry.name[:-5] for entry in files(__package__).iterdir() if entry.name.endswith(".yaml")
    )
)
"""The names of the recipes that ship with the package."""


class _File(Settings):
    """A recipe as its file has it."""

    description: str = ""
    cell: Experiment
    aligners: Aligners = Field(default_factory=Aligners)


@dataclass(frozen=True)
class Recipe:
    """A cell by name.

    Attributes:
        description: what it is, in a line.
        values: the axes that it sets.
        options: options of aligners, by aligner.
    """

    description: str
    values: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    def cell(
        self, pair: str, overrides: Mapping[str, Any] | None = None, *, pruned: bool = False
    ) -> Cell:
        """The one cell that it describes, of a pair.

        Args:
            pair: its name.
            overrides: axes that go over those of the recipe.
            pruned: whether its models may be pruned: those that are there already.

        Raises:
            InputError: an axis has several values, or nothing can run them.
        """
        values = override({"aggregate": 0.5, **self.values}, overrides or {})
        experiment = Experiment.from_values(values).model_dump(exclude_none=True)
        cells = list(dict.fromkeys(cells_of(experiment, [pair])))
        if len(cells) != 1:
            raise InputError(
                f"a recipe of {len(cells)} cells", hint="give each axis one value, in no list"
            )
        if not pruned and any(side.pruned for side in (cells[0].source, cells[0].target)):
            raise InputError("a recipe cannot prune", hint="leave knockout out")
        return cells[0]

    def write(self, path: str | Path) -> None:
        """Write it, for `read_recipe`."""
        with atomic_write(path) as file:
            file.write(self.text())

    def text(self) -> str:
        """Its file's content."""
        content = {"description": self.description, "cell": dict(self.values)}
        more = {"aligners": dict(self.options)} if self.options else {}
        return yaml.safe_dump(content | more, sort_keys=False, allow_unicode=True)


def recipe_of(cell: Cell, description: str, options: Mapping[str, Any]) -> Recipe:
    """The recipe of a cell, which describes it for any text: without its number of sentences.

    Args:
        cell: any cell; of one with replicates, the first.
        description: what it is, in a line.
        options: of its aligner.
    """
    source, target = (_axes_of(side) for side in (cell.source, cell.target))
    values = dict(source) if source == target else {"source": source, "target": target}
    values |= {"aligner": cell.aligner, "symmetrization": cell.symmetrization}
    given = {axis: getattr(cell, axis) for axis in ALIGNERS[cell.aligner].axes}
    values |= {name: _plain(CELL_AXES[name], value) for name, value in given.items()}
    if cell.sampled:
        values["samples"] = cell.samples
    if cell.aggregate != "none":
        values["aggregate"] = cell.aggregate
    return Recipe(description, values, {cell.aligner: dict(options)} if options else {})


def _axes_of(side: Side) -> dict[str, Any]:
    """The axes of a segmentation that a recipe gives."""
    values = {name: getattr(side, name) for name, axis in SIDE_AXES.items() if not axis.shared}
    return {name: _plain(SIDE_AXES[name], v) for name, v in values.items() if v is not None}


def _plain(axis: Axis[Any], value: Any) -> Any:
    """A value as a config has it: a rate as a number, unless that would not be exact."""
    spelled = axis.spell(value)
    return spelled if "/" in spelled else axis.number(value)


def read_recipe(name: str | Path, *, pruned: bool = False) -> Recipe:
    """A recipe that ships with the package, by its name, or one in a file.

    Args:
        name: its name, or the file.
        pruned: as for `Recipe.cell`.

    Raises:
        InputError: there is none of that name, or its file is not a recipe.
    """
    shipped = str(name) in SHIPPED
    file = files(__package__).joinpath(f"{name}.yaml") if shipped else Path(name).expanduser()
    if not shipped and not Path(str(file)).is_file():
        hint = suggestion(str(name), list(SHIPPED)) if "/" not in str(name) else "check the path"
        raise InputError(f"no recipe {name}", hint=hint)
    source = read_config([Path(str(file))])
    findings = Findings(source)
    values = source.root.plain()
    try:
        read = _File.model_validate(values)
    except ValidationError as error:
        for wrong in mistakes(error, _File, findings.written):
            findings.mistake(wrong.path, wrong.message, wrong.hint)
        findings.refuse()
        raise
    findings.refuse()
    recipe = Recipe(read.description, dict(values["cell"] or {}), values.get("aligners", {}))
    try:
        recipe.cell("pair", pruned=pruned)
    except InputErrors:
        raise
    except InputError as error:
        raise InputError(error.message, file=name, hint=error.hint) from None
    return recipe

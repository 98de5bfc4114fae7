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

from seggrid.data.files import atomic_write
from seggrid.data.settings import Settings, mistakes, suggestion
from seggrid.errors import InputError, InputErrors
from seggrid.grid.cell import Cell
from seggrid.grid.cells import cells_of
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models.experiments import Aligners, Experiment
from seggrid.grid.config.read import read_config
from seggrid.segment.side import override

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

    def cell(self, pair: str, overrides: Mapping[str, Any] | None = None) -> Cell:
        """The one cell that it describes, of a pair.

        Args:
            pair: its name.
            overrides: axes that go over those of the recipe.

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
        if any(side.pruned for side in (cells[0].source, cells[0].target)):
            raise InputError("a recipe cannot prune", hint="leave knockout out")
        return cells[0]

    def write(self, path: str | Path) -> None:
        """Write it, for `read_recipe`."""
        content = {"description": self.description, "cell": dict(self.values)}
        with atomic_write(path) as file:
            more = {"aligners": dict(self.options)} if self.options else {}
            yaml.safe_dump(content | more, file, sort_keys=False, allow_unicode=True)


def read_recipe(name: str | Path) -> Recipe:
    """A recipe that ships with the package, by its name, or one in a file.

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
        recipe.cell("pair")
    except InputErrors:
        raise
    except InputError as error:
        raise InputError(error.message, file=name, hint=error.hint) from None
    return recipe

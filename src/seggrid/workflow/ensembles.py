"""The inputs and parameters of the rules for ensembles: which cells vote, and how."""

from __future__ import annotations

import json

from seggrid.grid.cell import Cell
from seggrid.grid.grid import Grid


def member_cells(grid: Grid, name: str, pair: str) -> list[Cell]:
    """The cells of a pair that vote, in the order of the tables."""
    members = {*grid.config["ensemble"][name]["members"]}
    cells = grid.experiments.items()
    return [cell for cell, names in cells if cell.pair == pair and members & {*names}]


def voting_pairs(grid: Grid, name: str) -> list[str]:
    """The pairs in which several cells vote."""
    return [pair for pair in grid.pairs if len(member_cells(grid, name, pair)) > 1]


def score_files(grid: Grid, name: str, pair: str) -> list[str]:
    """The scores of the cells that vote."""
    return list(dict.fromkeys(cell.path("score") for cell in member_cells(grid, name, pair)))


def members(grid: Grid, name: str, pair: str) -> str:
    """The cells that vote as JSON: name, file of scores, aggregate, and votes. One that several
    experiments want has the votes of the one that has most."""
    entry = grid.config["ensemble"][name]

    def votes(cell: Cell) -> int:
        names = grid.experiments[cell]
        return max(entry["weights"].get(m, 1) for m in names if m in entry["members"])

    cells = member_cells(grid, name, pair)
    return json.dumps([[str(c), c.path("score"), c.aggregate, votes(c)] for c in cells])


def options(grid: Grid, name: str) -> list[str]:
    """The script's options for how members decide."""
    entry = grid.config["ensemble"][name]
    choice = entry.get("choose")
    if choice is None:
        return [f"--threshold={entry['threshold']}"]
    return ["--choose", f"--folds={choice['folds']}", f"--penalty={choice['penalty']}"]


def seed(grid: Grid, name: str) -> int:
    """The config's seed; 0 where sentences are not dealt into parts."""
    return grid.config["seed"] if "choose" in grid.config["ensemble"][name] else 0

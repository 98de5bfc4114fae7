"""Write the list of all cells of a config: the values of their axes, and the paths of their scores."""

import json
from pathlib import Path

from seggrid.grid.grid import Grid


def main(config: Path, output: Path) -> None:
    """Expand the grid of a config, a JSON file, and write its table."""
    Grid(json.loads(config.read_text(encoding="utf-8"))).write_table(output)

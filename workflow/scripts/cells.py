"""Write the list of all cells of a config: the values of their axes, and the paths of their scores."""

import argparse
import json
from pathlib import Path

from seggrid.grid.grid import Grid
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, expand the grid, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="a JSON file")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    config = json.loads(arguments.config.read_text(encoding="utf-8"))
    Grid(config).write_table(arguments.output)


if __name__ == "__main__":
    run(main)

"""Concatenate tables with the same columns: one header, then all rows."""

import argparse
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.base.lines import read_lines
from seggrid.errors import InputError
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, join, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, nargs="+", required=True, help="some may be empty")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    joined: list[str] = []
    for path in arguments.tables:
        if not path.stat().st_size:
            continue
        header, *rows = read_lines(path)
        if joined and header != joined[0]:
            raise InputError(
                f"other columns than in {arguments.tables[0]}",
                file=path,
                hint="delete both and run again",
            )
        joined += rows if joined else [header, *rows]
    with atomic_write(arguments.output) as file:
        file.writelines(f"{line}\n" for line in joined)


if __name__ == "__main__":
    run(main)

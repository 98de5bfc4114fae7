"""Concatenate tables with the same columns: one header, then all rows."""

from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.base.lines import read_lines


def main(tables: list[Path], output: Path) -> None:
    """Join tables, some of which may be empty."""
    joined: list[str] = []
    for path in (path for path in tables if path.stat().st_size):
        header, *rows = read_lines(path)
        joined += rows if joined else [header, *rows]
    with atomic_write(output) as file:
        file.writelines(f"{line}\n" for line in joined)

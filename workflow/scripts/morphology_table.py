"""Concatenate tables with the same columns: one header, then all rows."""

from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.base.lines import read_lines
from seggrid.errors import InputError


def main(tables: list[Path], output: Path) -> None:
    """Join tables, some of which may be empty."""
    joined: list[str] = []
    for path in tables:
        if not path.stat().st_size:
            continue
        header, *rows = read_lines(path)
        if joined and header != joined[0]:
            raise InputError(
                f"other columns than in {tables[0]}",
                file=path,
                hint="delete both and run again",
            )
        joined += rows if joined else [header, *rows]
    with atomic_write(output) as file:
        file.writelines(f"{line}\n" for line in joined)

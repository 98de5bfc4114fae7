"""`seggrid reproduce`: run a packed run again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from seggrid.base.errors import note
from seggrid.base.extras import check_installed
from seggrid.base.folders import fresh_folder
from seggrid.base.parameters import AnyPath, Help, checked, input_file, output_folder
from seggrid.grid.finished.crate import CONFIG, same_tables, unpack
from seggrid.grid.run.call import run_command

Crate = Annotated[AnyPath, input_file, Help("a folder that seggrid crate wrote", metavar="CRATE")]
NewFolder = Annotated[
    AnyPath,
    output_folder,
    Help("a new folder, in which the grid runs", ("-o", "--output"), "FOLDER"),
]
Trust = Annotated[bool, Help("run the code of the crate's plug-ins, which you have read")]
Cores = Annotated[str, Help("number of cores", ("-c", "--cores"), "N")]


@checked
def reproduce(
    crate: Crate, /, *, output: NewFolder, trust: Trust = False, cores: Cores = "all"
) -> dict[str, bool]:
    """Run a packed run again in a new folder, as `seggrid reproduce` does; its options say what the arguments
    are.

    Returns:
        For each table except that of costs, whether it is the same.

    Raises:
        RunError: a job failed.
    """
    check_installed("grid", user="seggrid reproduce")
    folder = Path(output)
    with fresh_folder(folder) as inside:
        record, others = unpack(Path(crate), inside, trust=trust)
    note(
        f"{name} was {before or 'absent'}, is {now or 'absent'}"
        for name, (before, now) in others.items()
    )
    run_command([CONFIG, "--cores", cores], folder)
    return same_tables(folder, record)


def epilog() -> str:
    """What else the help says."""
    return (
        "Exit status: 0 if all tables but cost.csv have the same bytes, 1 if one differs or the run failed, "
        "2 after a mistake."
    )


def command(
    crate: Crate, /, *, output: NewFolder, trust: Trust = False, cores: Cores = "all"
) -> None:
    """Run again and compare."""
    found = reproduce(crate, output=output, trust=trust, cores=cores)
    for name, same in found.items():
        print(f"{'same' if same else 'differs'}  {name}")
    if not all(found.values()):
        print(f"seggrid diff {crate} {output} says what differs", file=sys.stderr)
        sys.exit(1)

"""`seggrid crate`: pack a finished run."""

from __future__ import annotations

import sys
from os import fspath
from pathlib import Path
from typing import Annotated

from seggrid.base.folders import fresh_folder
from seggrid.base.parameters import AnyPath, Help, checked, input_file, output_folder
from seggrid.grid.axes import tables_folder
from seggrid.grid.finished.crate import write_crate

NOT_STATED = "Not stated: ask who gave you these files."


@checked
def crate(
    folder: Annotated[AnyPath, input_file, Help("where the grid ran", metavar="FOLDER")] = ".",
    /,
    *,
    study: Annotated[str | None, Help("the config's study, if it has one", metavar="NAME")] = None,
    output: Annotated[
        AnyPath,
        output_folder,
        Help("a new folder, outside of the first", ("-o", "--output"), "CRATE"),
    ],
    license: Annotated[
        str, Help("licence of tables and inputs: a URL or a sentence", metavar="TEXT")
    ] = NOT_STATED,
) -> None:
    """Pack a finished run with its config and inputs, as an RO-Crate, as `seggrid crate` does; its options
    say what the arguments are."""
    with fresh_folder(fspath(output)) as packed:
        write_crate(Path(folder) / tables_folder(study), Path(folder), packed, license)
    print(f"Packed: {fspath(output)}", file=sys.stderr)


command = crate

"""`seggrid new`: a folder for a study of one's own, to begin with."""

from __future__ import annotations

import shlex
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from seggrid.base.errors import InputError
from seggrid.base.extras import PROJECT
from seggrid.base.folders import fresh_folder
from seggrid.base.parameters import AnyPath, Help, checked
from seggrid.grid.config.schema import schema_text

DATA = ("eng.txt", "deu.txt", "gold.txt", "eng.morphemes.tsv", "deu.morphemes.tsv")
"""The files of the built-in pair."""


@checked
def new(folder: AnyPath) -> Path:
    """Make a folder with a config and a small corpus, as `seggrid new` does, and return its path."""
    made = Path(folder)
    if made.exists() and (not made.is_dir() or any(made.iterdir())):
        raise InputError("exists and is not empty", file=made, hint="name a new folder")
    with fresh_folder(made) as inside:
        for name in ("config.yaml", "README.md"):
            template = files(__package__).joinpath("template", name)
            inside.joinpath(name).write_bytes(template.read_bytes())
        inside.joinpath("config.schema.json").write_text(schema_text(), "utf-8")
        inside.joinpath("data").mkdir()
        for name in DATA:
            shutil.copyfile(PROJECT / "resources/builtin" / name, inside / "data" / name)
    return made


def command(folder: Annotated[str, Help("the new folder", metavar="FOLDER")], /) -> None:
    """Make the folder, and say how to go on."""
    print(f"made {new(folder)}: now   cd {shlex.quote(folder)} && seggrid run")

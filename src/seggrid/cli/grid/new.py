"""`seggrid new`: make a folder with a config and data, as a start for a study of your own."""

from __future__ import annotations

import argparse
import shlex
import shutil
from importlib.resources import files
from pathlib import Path

from seggrid.base.extras import PROJECT
from seggrid.base.folders import fresh_folder
from seggrid.errors import InputError
from seggrid.grid.config.documentation import schema_text

DATA = ("eng.txt", "deu.txt", "gold.txt", "eng.morphemes.tsv", "deu.morphemes.tsv")
"""The files of the built-in pair."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the only argument."""
    parser.add_argument("folder", metavar="FOLDER", help="the new folder")


def run(arguments: argparse.Namespace) -> None:
    """Make the folder."""
    folder = Path(arguments.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is not empty", file=folder, hint="name a new folder")
    with fresh_folder(folder) as made:
        for name in ("config.yaml", "README.md"):
            made.joinpath(name).write_bytes(files(__package__).joinpath("study", name).read_bytes())
        made.joinpath("config.schema.json").write_text(schema_text(), "utf-8")
        made.joinpath("data").mkdir()
        for name in DATA:
            shutil.copyfile(PROJECT / "resources/builtin" / name, made / "data" / name)
    print(f"made {folder}: now   cd {shlex.quote(str(folder))} && seggrid run")

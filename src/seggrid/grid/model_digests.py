"""The digests of the files in a folder of models, by which damaged or exchanged files are recognized."""

from __future__ import annotations

import re
from pathlib import Path

from seggrid.align.sample import MODELS
from seggrid.base.lines import read_lines, write_lines
from seggrid.corpus.digests import Digests
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, refuse
from seggrid.grid.learned import RECIPE, model_file

DIGESTS = "SHA256SUMS"
"""The name of their file, which `sha256sum -c` reads."""

_LINE = re.compile(r"([0-9a-f]{64})  ([^/]+)")
_HINT = f"copy the folder again, or make it again; if you changed it on purpose, delete {DIGESTS}"


def write_digests(folder: Path) -> None:
    """Write the digests of all files in a folder, in the order of their names."""
    digests = Digests()
    files = sorted(file for file in folder.iterdir() if file.name != DIGESTS)
    write_lines(folder / DIGESTS, [f"{digests.sha256(file)}  {file.name}" for file in files])


def check_digests(folder: Path) -> bool:
    """Compare the files of a folder of models with their digests.

    Returns:
        Whether there are digests: folders of earlier versions have none.

    Raises:
        InputError: a file is missing, changed, or without a digest; all such files are named.
    """
    if not (folder / DIGESTS).exists():
        return False
    digests = _read(folder / DIGESTS)
    refuse(
        InputError(message, file=folder / name, hint=_HINT)
        for name, digest in digests.items()
        if (message := _wrong(folder / name, digest))
    )
    read = [RECIPE, *map(model_file, SIDES)]
    refuse(
        InputError(f"no digest in {DIGESTS}", file=file, hint=_HINT)
        for file in sorted(folder.iterdir())
        if file.name not in digests and (file.name in read or file.name.startswith(MODELS))
    )
    return True


def _read(path: Path) -> dict[str, str]:
    """The digest of each file, by its name."""
    digests = {}
    for number, line in enumerate(read_lines(path, hint=_HINT), 1):
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError("not a digest and a name", file=path, line=number, hint=_HINT)
        digests[found[2]] = found[1]
    return digests


def _wrong(file: Path, digest: str) -> str | None:
    if not file.is_file():
        return f"missing, but {DIGESTS} has it"
    return (
        None
        if Digests().sha256(file) == digest
        else f"damaged or changed: not the file of {DIGESTS}"
    )

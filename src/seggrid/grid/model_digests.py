"""The digests of the files in a folder of models, by which damaged or exchanged files are recognized."""

from __future__ import annotations

from pathlib import Path

from seggrid.align.sample import MODELS
from seggrid.base.folders import DIGESTS, is_unchanged, read_digests
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, refuse
from seggrid.grid.learned import RECIPE, model_file

_HINT = f"copy the folder again, or make it again; if you changed it on purpose, delete {DIGESTS}"


def check_digests(folder: Path) -> bool:
    """Compare the files of a folder of models with their digests.

    Returns:
        Whether there are digests: folders of earlier versions have none.

    Raises:
        InputError: a file is missing, changed, or without a digest; all such files are named.
    """
    if not (folder / DIGESTS).exists():
        return False
    digests = read_digests(folder, _HINT)
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


def _wrong(file: Path, digest: str) -> str | None:
    if not file.is_file():
        return f"missing, but {DIGESTS} has it"
    return None if is_unchanged(file, digest) else f"damaged or changed: not the file of {DIGESTS}"

"""The reference program fast_align, if the user has built it.

It runs on one thread, since on several its output varies from run to run. Types are passed to it as numbers,
since their text may contain the program's separator.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import Field

from seggrid.align.numbered import numbered, read_links
from seggrid.base.settings import Settings
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError


class Options(Settings):
    """Options of the reference program."""

    program: Annotated[str, Field(min_length=1, max_length=4096)] = "fast_align"
    """The program's path, or its name if it is on the PATH."""

    def check(self) -> None:
        """Check that the program exists.

        Raises:
            InputError: it does not, or cannot be run.
        """
        find_program(self)


# The flags of the thesis: optimize the diagonal tension, favor the diagonal, variational Bayes.
FLAGS = ("-d", "-o", "-v")


def find_program(options: Options) -> str:
    """The path of the program.

    Raises:
        InputError: it is not found, or may not be run.
    """
    program = shutil.which(options.program)
    if program is None:
        raise InputError(
            f"no program {options.program!r} for aligner external_fast_align",
            hint="set aligners.external_fast_align.program to its path, or use aligner fast_align",
        )
    # A program in the working folder cannot be called by its name alone.
    return os.path.abspath(program)


def align(
    source: Segmentation, target: Segmentation, *, options: Options | None = None, threads: int = 1
) -> tuple[Links, Links]:
    """Align both directions. See `seggrid.align` for the shapes.

    Raises:
        InputError: the program does not exist, or it failed.
    """
    program = find_program(options or Options())
    with tempfile.NamedTemporaryFile("w", encoding="ascii", suffix=".txt") as bitext:
        pairs = zip(*numbered(source, target), strict=True)
        bitext.writelines(f"{left} ||| {right}\n" for left, right in pairs)
        bitext.flush()
        return (
            _run(program, FLAGS, Path(bitext.name), len(source)),
            _run(program, (*FLAGS, "-r"), Path(bitext.name), len(source)),
        )


def _run(program: str, flags: tuple[str, ...], bitext: Path, sentences: int) -> Links:
    try:
        done = subprocess.run(
            [program, "-i", str(bitext), *flags],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
    except OSError as error:
        raise InputError(f"{program} cannot be run: {error.strerror}") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(f"{program} failed with status {done.returncode}: {reason}")
    return read_links(done.stdout.splitlines(), sentences, program)

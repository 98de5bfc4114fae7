"""The reference program fast_align, from a path or the PATH, for those who have it built.

With more than one thread its output varies from run to run, so it is given one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import Field

from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.data.settings import Settings
from seggrid.errors import InputError


class Options(Settings):
    """Options of the reference program, where it is installed."""

    program: Annotated[str, Field(min_length=1, max_length=4096)] = "fast_align"
    """Its path, or its name on the PATH."""


# Of the thesis: optimize the diagonal tension, favor the diagonal, variational Bayes.
FLAGS = ("-d", "-o", "-v")


def align(
    source: Segmentation, target: Segmentation, *, options: Options | None = None, threads: int = 1
) -> tuple[Links, Links]:
    """Align both directions. See `seggrid.align` for the shapes.

    Raises:
        InputError: the program is not there, or it failed.
    """
    options = options or Options()
    program = shutil.which(options.program)
    if program is None:
        raise InputError(
            f"no program {options.program!r}",
            hint="set aligners.external_fast_align.program to its path, or use aligner fast_align",
        )
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as bitext:
        pairs = zip(source.lines(), target.lines(), strict=True)
        bitext.writelines(f"{left} ||| {right}\n" for left, right in pairs)
        bitext.flush()
        return (
            _run(program, FLAGS, Path(bitext.name)),
            _run(program, (*FLAGS, "-r"), Path(bitext.name)),
        )


def _run(program: str, flags: tuple[str, ...], bitext: Path) -> Links:
    done = subprocess.run(
        [program, "-i", str(bitext), *flags],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(f"{program} failed with status {done.returncode}: {reason}")
    return Links.from_lines(done.stdout.splitlines())

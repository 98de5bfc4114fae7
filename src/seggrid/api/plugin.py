"""Segmenters and aligners of the user, in Python."""

from __future__ import annotations

from os import PathLike

from seggrid.plugins import load


def plugin(file: str | PathLike[str]) -> list[str]:
    """Load a segmenter or aligner of your own, so that its name can be used as those of seggrid. Its code
    runs as yours.

    Args:
        file: a Python file, or the name of a module.

    Returns:
        The names that it registers.
    """
    return load(file)

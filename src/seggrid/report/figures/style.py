"""How the static figures look, and how they are saved. Sizes are for a paper with columns of 85 mm."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from seggrid.base.files import atomic_write

COLUMN, PAGE = 3.35, 6.9
"""Widths of one column and of two columns, in inches."""

# Metadata that matplotlib would write into the file, and that differs from run to run.
FORMATS: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}

STYLE: dict[Any, Any] = {
    # The font that comes with matplotlib, so that figures are the same on every machine.
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E6EA",
    "grid.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.6,
    "figure.dpi": 100,
    "savefig.dpi": 220,
    # Makes the bytes equal in each run: no random ids, and glyphs as outlines.
    "svg.hashsalt": "seggrid",
    "svg.fonttype": "path",
}


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as `stem.svg` and `stem.png`, with identical bytes in each run."""
    paths = [stem.with_name(stem.name + suffix) for suffix in FORMATS]
    for path in paths:
        save_as(figure, path)
    return paths


def save_as(figure: Figure, path: Path) -> None:
    """Write a figure to one file, in the format that its name ends in (see `FORMATS`)."""
    FigureCanvasAgg(figure)
    with atomic_write(path, "wb") as file:
        figure.savefig(file, format=path.suffix[1:], metadata=FORMATS[path.suffix])


def styled() -> AbstractContextManager[None]:
    """The settings under which figures are drawn and written."""
    return mpl.rc_context(STYLE)

"""What plug-ins need, by one import: `from seggrid.plugin import Axis, Segmenter`.

A name is imported when it is asked for: a job loads no more than its plug-in uses, and the digest of its code
covers no more. docs/plugins.md has a plug-in of each kind.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seggrid.align.aligner import Aligner, CountingAligner, Keeps, Probabilities
    from seggrid.align.chosen import links_of
    from seggrid.align.parallel import check_parallel, numbered, read_printed_links
    from seggrid.base.axis import Axis
    from seggrid.base.csv_file import read_csv
    from seggrid.base.errors import InputError
    from seggrid.base.files import atomic_write
    from seggrid.base.settings import OneOrMore, Settings
    from seggrid.grid.axes import Stage
    from seggrid.grid.config.values import File, FilePath, Name
    from seggrid.grid.cost import Cost, Most, Work
    from seggrid.grid.grid import Grid, Segmented
    from seggrid.grid.jobs.script import timed
    from seggrid.grid.report.charts.chart import BARS, LINES, ROWS, Chart, curve, joined
    from seggrid.grid.report.theme import looks
    from seggrid.grid.study import Check, Section, Study
    from seggrid.score.table import read_cells, read_scores, write_table
    from seggrid.segment.model_file import Content
    from seggrid.segment.segmenter import Conflict, Segmenter
    from seggrid.segment.side import Side
    from seggrid.text.boundary import BOUNDARY
    from seggrid.text.links import Links
    from seggrid.text.segmentation import Segmentation, read_first

_MODULES = {
    "align.aligner": ("Aligner", "CountingAligner", "Keeps", "Probabilities"),
    "align.chosen": ("links_of",),
    "align.parallel": ("check_parallel", "numbered", "read_printed_links"),
    "base.axis": ("Axis",),
    "base.csv_file": ("read_csv",),
    "base.errors": ("InputError",),
    "base.files": ("atomic_write",),
    "base.settings": ("OneOrMore", "Settings"),
    "grid.axes": ("Stage",),
    "grid.config.values": ("File", "FilePath", "Name"),
    "grid.cost": ("Cost", "Most", "Work"),
    "grid.grid": ("Grid", "Segmented"),
    "grid.jobs.script": ("timed",),
    "grid.report.charts.chart": ("BARS", "LINES", "ROWS", "Chart", "curve", "joined"),
    "grid.report.theme": ("looks",),
    "grid.study": ("Check", "Section", "Study"),
    "score.table": ("read_cells", "read_scores", "write_table"),
    "segment.model_file": ("Content",),
    "segment.segmenter": ("Conflict", "Segmenter"),
    "segment.side": ("Side",),
    "text.boundary": ("BOUNDARY",),
    "text.links": ("Links",),
    "text.segmentation": ("Segmentation", "read_first"),
}

__all__ = [
    "BARS",
    "BOUNDARY",
    "LINES",
    "ROWS",
    "Aligner",
    "Axis",
    "Chart",
    "Check",
    "Conflict",
    "Content",
    "Cost",
    "CountingAligner",
    "File",
    "FilePath",
    "Grid",
    "InputError",
    "Keeps",
    "Links",
    "Most",
    "Name",
    "OneOrMore",
    "Probabilities",
    "Section",
    "Segmentation",
    "Segmented",
    "Segmenter",
    "Settings",
    "Side",
    "Stage",
    "Study",
    "Work",
    "atomic_write",
    "check_parallel",
    "curve",
    "joined",
    "links_of",
    "looks",
    "numbered",
    "read_cells",
    "read_csv",
    "read_first",
    "read_printed_links",
    "read_scores",
    "timed",
    "write_table",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'seggrid.plugin' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"seggrid.{module}"), name)
    return value

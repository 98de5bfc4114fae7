"""The config's exports, and their check."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.config.read import ConfigFindings

Pairs = Literal["text", "all", "none"]


class Export(Settings):
    """Links, tokens and models of some cells, written to `export/NAME` in the folder of the study's tables;
    see docs/outcome.md."""

    experiments: Annotated[OneOrMore[str], Field(min_length=1, max_length=1000)] | None = None
    """Experiments whose cells are exported; with replicates, the first replicate."""

    cells: Annotated[OneOrMore[str], Field(min_length=1, max_length=1000)] | None = None
    """Cells by name, as in the column `cell` of `scores.csv`."""

    links: Pairs = "text"
    """Word links in Pharaoh format, a line for each sentence pair: `text`: of the pair's text; `all`: of its
    text and, after it, its `training` text; `none`."""

    tokens: Pairs = "text"
    """Tokens of both sides, a line for each sentence of the same text; with several samples, the first's."""

    models: bool = True
    """Whether to write the models that were learned, in the form of `seggrid align --keep`: those of both
    segmenters, and that of the aligner if it keeps one."""

    format: Literal["plain", "gz", "zst"] = "plain"
    """Compression of links and tokens."""

    parts: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    """Sentence pairs per part. The text is aligned in parts, each by a job of its own, by gibbs with what it
    learned on the other parts, by fast_align with what it learned on a sample; by default, the text is
    aligned as a whole."""

    sample: Annotated[int, Field(ge=1, le=100_000_000)] = 100_000
    """With `parts`: number of sentence pairs in the sample, drawn at random, on which exported models are
    learned."""


def check_export(name: str, export: Export, config: Any, findings: ConfigFindings) -> None:
    """Check that the experiments of an export exist, and that each of its settings has an effect."""
    key = ("export", name)
    if export.experiments is export.cells is None:
        findings.mistake(key, "no experiments or cells", "add experiments: NAME")
    for one in export.experiments or []:
        findings.unknown((*key, "experiments"), "experiment", one, config.experiments)
    if export.links == export.tokens == "none" and not export.models:
        findings.mistake(key, "nothing is exported", "leave out links: none")
    if "sample" in export.model_fields_set and export.parts is None:
        findings.mistake((*key, "sample"), "has no effect without parts", "add parts: 100000")

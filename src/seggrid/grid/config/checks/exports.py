"""Check an export of a config against its experiments."""

from __future__ import annotations

from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models import Config
from seggrid.grid.config.models.exports import Export


def check_export(name: str, export: Export, config: Config, findings: Findings) -> None:
    """Check that the experiments and ensembles of an export exist, and that each of its settings has an
    effect."""
    key = ("export", name)
    if export.experiments is export.cells is export.ensembles is None:
        findings.mistake(key, "no experiments, cells or ensembles", "add experiments: NAME")
    for what, known in (("experiment", config.experiments), ("ensemble", config.ensemble)):
        for one in getattr(export, f"{what}s") or []:
            findings.unknown((*key, f"{what}s"), what, one, known)
    if export.links == "none" and export.ensembles is not None:
        findings.mistake((*key, "ensembles"), "only links vote", "leave out links: none")
    if export.links == export.tokens == "none" and not export.models:
        findings.mistake(key, "nothing is exported", "leave out links: none")
    if "sample" in export.model_fields_set and export.parts is None:
        findings.mistake((*key, "sample"), "has no effect without parts", "add parts: 100000")

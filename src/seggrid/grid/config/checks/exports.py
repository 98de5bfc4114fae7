"""Check an export of a config against its experiments."""

from __future__ import annotations

from seggrid.base.settings import suggestion
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models.exports import Export


def check_export(name: str, export: Export, known: list[str], findings: Findings) -> None:
    """Check that its experiments exist, and that each of its settings has an effect."""
    key = ("export", name)
    if export.experiments is None and export.cells is None:
        findings.mistake(key, "neither experiments nor cells", "add experiments: NAME")
    for experiment in export.experiments or []:
        if experiment not in known:
            findings.mistake(
                (*key, "experiments"),
                f"no experiment {experiment!r}",
                suggestion(experiment, known),
            )
    if export.links == export.tokens == "none" and not export.models:
        findings.mistake(key, "nothing is exported", "leave out links: none")
    if "sample" in export.model_fields_set and export.parts is None:
        findings.mistake((*key, "sample"), "has no effect without parts", "add parts: 100000")

"""Check an ensemble of a config against its experiments."""

from __future__ import annotations

from seggrid.data.settings import suggestion
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models.ensembles import Ensemble


def check_ensemble(name: str, ensemble: Ensemble, known: list[str], findings: Findings) -> None:
    """Check that its members exist, and that each of its settings has an effect."""
    key = ("ensemble", name)
    for member in ensemble.members:
        if member not in known:
            findings.mistake(
                (*key, "members"), f"no experiment {member!r}", suggestion(member, known)
            )
    for member in ensemble.weights:
        if member not in ensemble.members:
            findings.mistake(
                (*key, "weights", member),
                f"{member!r} is not a member",
                suggestion(member, ensemble.members),
            )
    if ensemble.weights and not any(ensemble.weights.get(m, 1) for m in ensemble.members):
        findings.mistake((*key, "weights"), "no member has a vote", "give one at least 1")
    for given in {"weights", "threshold"} & ensemble.model_fields_set:
        if ensemble.choose is not None:
            findings.mistake((*key, given), "choose finds it", f"leave out choose or {given}")

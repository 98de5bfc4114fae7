"""Check an ensemble of a config against its experiments."""

from __future__ import annotations

from collections.abc import Iterator

from seggrid.errors import suggestion
from seggrid.grid.cell import cells_of
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models import Config
from seggrid.grid.config.models.ensembles import Ensemble


def check_ensemble(name: str, ensemble: Ensemble, config: Config, findings: Findings) -> None:
    """Check that the members of an ensemble exist, that each of its settings has an effect, and that there is
    gold from which to choose weights."""
    key = ("ensemble", name)
    for member in ensemble.members:
        findings.unknown((*key, "members"), "experiment", member, config.experiments)
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
    # Cells are known only if there is no mistake.
    if ensemble.choose is not None and not findings:
        for pair in _voting_without_gold(ensemble, config):
            findings.mistake(
                (*key, "choose"),
                f"weights are chosen by gold, and the pair {pair} has none",
                "give it gold, name members of other pairs, or give weights and threshold",
            )


def _voting_without_gold(ensemble: Ensemble, config: Config) -> Iterator[str]:
    """The pairs without gold that have several member cells."""
    experiments = [config.experiments[member] for member in ensemble.members]
    for pair in (name for name, own in config.pairs.items() if own.gold is None):
        cells = {
            cell
            for experiment in experiments
            if pair in (experiment.pairs or config.pairs)
            for cell in cells_of(experiment, [pair])
        }
        if len(cells) > 1:
            yield pair

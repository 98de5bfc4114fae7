"""The config's ensembles, and their check."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from seggrid.base.errors import suggestion
from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.cell import cells_of
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Rate

Votes = Annotated[int, Field(ge=0, le=1000, description="Votes of each cell of that experiment.")]


class Choice(Settings):
    """Learn weights and threshold from the gold by logistic regression, in cross-validation: those for each
    part of the gold sentences are learned on all other parts."""

    folds: Annotated[int, Field(ge=2, le=1000)] = 10
    """Number of parts that the gold sentences are divided into; at least as many sentences are needed."""


class Ensemble(Settings):
    """A vote of the cells of some experiments, separately for each pair."""

    members: Annotated[OneOrMore[str], Field(min_length=1, max_length=1000)]
    """The experiments whose cells vote; a cell with replicates votes with its first replicate."""

    weights: dict[str, Votes] = Field({})
    """Votes per cell, by name of experiment; by default, one."""

    threshold: Annotated[Rate, Field(json_schema_extra={"default": 0.5})] = Fraction(1, 2)
    """Keep a link if it has more than this share of all votes, such as 0.5 or 1/3."""

    choose: Choice | None = None


def check_ensemble(name: str, ensemble: Ensemble, config: Any, findings: ConfigFindings) -> None:
    """Check that members exist, that settings have an effect, and that there is gold to choose weights."""
    key, members = ("ensemble", name), ensemble.members
    for member in members:
        findings.unknown((*key, "members"), "experiment", member, config.experiments)
    for member in ensemble.weights:
        if member not in members:
            hint = suggestion(member, members)
            findings.mistake((*key, "weights", member), f"{member!r} is not a member", hint)
    if not any(ensemble.weights.get(member, 1) for member in members):
        findings.mistake((*key, "weights"), "no member has a vote", "give one at least 1")
    if ensemble.choose is None:
        return
    for given in sorted({"weights", "threshold"} & ensemble.model_fields_set):
        findings.mistake((*key, given), "choose finds it", f"leave out choose or {given}")
    if findings:  # the cells are known only without a mistake
        return
    experiments = [config.experiments[member] for member in members]
    for pair in (name for name, own in config.pairs.items() if own.gold is None):
        own = [entry for entry in experiments if pair in (entry.pairs or config.pairs)]
        if len({cell for entry in own for cell in cells_of(entry, [pair])}) > 1:
            findings.mistake(
                (*key, "choose"),
                f"weights are chosen by gold, and the pair {pair} has none",
                "give it gold, name members of other pairs, or give weights and threshold",
            )

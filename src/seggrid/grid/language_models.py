"""The language models of a config, each with the settings inherited from the model that it continues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from seggrid.language_model.presets import DEFAULTS, PRESETS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side, override

if TYPE_CHECKING:
    from seggrid.grid.config.language_models import LanguageModel, Probe, Task
    from seggrid.grid.config.values import Download


@dataclass(frozen=True)
class LanguageModelPlan:
    """All settings of a language model, named as in the config; those that it leaves out are those of the
    model that it continues. `text` is None for the pair's text; `seeds` is the number of models, this one
    included, that differ only in their seed."""

    name: str
    continues: str | None
    pair: str
    side: str
    segmentation: Side
    text: str | Download | None
    format: Literal["lines", "tsv"]
    size: str
    steps: int
    batch: int
    device_batch: int
    sequence: int
    test: int
    learning_rate: float
    warmup: int
    precision: str
    seed: int
    seeds: int
    versus: tuple[str, ...]
    probes: dict[str, Probe]
    tasks: dict[str, Task]

    @property
    def number(self) -> int:
        """The number of this model among the `seeds` models that differ only in their seed, from 1."""
        return 1 if self.seeds == 1 else int(self.name.rpartition("-")[2])

    def task_seeds(self, task: str) -> range:
        """The seeds of a task. Models that differ only in their own seed have different seeds here."""
        seeds = self.tasks[task].seeds
        first = (self.number - 1) * seeds + 1
        return range(first, first + seeds)


INHERITED: dict[str, Any] = {
    **{name: value for name, value in DEFAULTS.items() if name != "warmup"},
    **dict.fromkeys(("pair", "text", "learning_rate", "seed")),
    **{"probes": {}, "tasks": {}, "seeds": 1},
}
"""Settings that a model inherits from the one that it continues, with the defaults for the first one."""


def lineage(entries: Mapping[str, LanguageModel], name: str) -> Iterator[str]:
    """A model, the model that it continues, and so on; each model once if they form a circle."""
    seen: set[str] = set()
    while name in entries and name not in seen:
        seen.add(name)
        yield name
        name = entries[name].continues or ""


def each_seed(entries: Mapping[str, LanguageModel], seed: int) -> dict[str, LanguageModel]:
    """The models of a config; a model with several `seeds` is replaced by as many models, NAME-1, NAME-2 and
    so on. Number k has the seed `seed` + k − 1 (the config's, for models without their own), continues number
    k of the model that NAME continues, and is compared with number k of the others."""
    found: dict[str, LanguageModel] = {}
    for name, entry in entries.items():
        seeds = plan(entries, name).seeds
        if seeds == 1:
            found[name] = entry
            continue
        for number in range(1, seeds + 1):
            first = entry.seed if entry.seed is not None or entry.continues else seed
            changed = {
                "seed": None if first is None else first + number - 1,
                "continues": entry.continues and f"{entry.continues}-{number}",
                "versus": [f"{other}-{number}" for other in entry.versus],
            }
            found[f"{name}-{number}"] = entry.model_copy(update=changed)
    return found


def plan(entries: Mapping[str, LanguageModel], name: str, seed: int = 0) -> LanguageModelPlan:
    """All settings of a language model; no check depends on the config's `seed`."""
    line = [entries[each] for each in lineage(entries, name)]
    values = dict(INHERITED)
    axes = {axis: value.default for axis, value in AXES.items()}
    for entry in reversed(line):
        values |= {key: own for key in INHERITED if (own := getattr(entry, key)) is not None}
        axes = override(axes, entry.axes())
    if values["learning_rate"] is None:
        values["learning_rate"] = PRESETS[values["size"]].learning_rate
    if values["seed"] is None:
        values["seed"] = seed
    entry = entries[name]
    return LanguageModelPlan(
        name=name,
        continues=entry.continues,
        segmentation=Side.from_values(axes),
        steps=entry.steps,
        warmup=DEFAULTS["warmup"] if entry.warmup is None else entry.warmup,
        versus=tuple(entry.versus),
        **values,
    )

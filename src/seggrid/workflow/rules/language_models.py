"""What rules ask for language models."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cached_property
from typing import Any

from seggrid.grid.axes import path, tables_folder
from seggrid.grid.config.models.language_models import LanguageModel, Task
from seggrid.grid.grid import Grid
from seggrid.grid.language_models import LanguageModelPlan, each_seed, plan
from seggrid.language_model.presets import PRESETS
from seggrid.segment.side import CORPUS
from seggrid.workflow.rules.resources import training_mb, training_minutes
from seggrid.workflow.rules.sides import Segmented, Sides

_TRAINING = (
    "sequence", "steps", "batch", "device_batch", "learning_rate", "warmup", "precision", "seed"
)  # fmt: skip


_STEPS, _BATCH, _EPOCHS = 500, 32, 3
"""Defaults of tasks; the epochs are those of a search, as in Bauwens and Delobelle (2024), table 10."""

_MANY_EXAMPLES = 20_000


class LanguageModels:
    """The inputs and parameters of every language model of a grid.

    Args:
        grid: the grid.
        sides: the segmentations of its texts, on which models are trained.
    """

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self._grid, self._sides = grid, sides

    @cached_property
    def entries(self) -> dict[str, LanguageModel]:
        """The config's entry of every language model by name, those with several seeds once for each."""
        return each_seed(self._grid.config.language_models, self._grid.config.seed)

    @cached_property
    def plans(self) -> dict[str, LanguageModelPlan]:
        """Every language model by name."""
        return {name: plan(self.entries, name, self._grid.config.seed) for name in self.entries}

    def place(self, name: str) -> str:
        """The folder with all files of a model, beside the tables: its name is one of this config."""
        return str(tables_folder(self._grid.config.study) / "language_model" / name)

    def folder(self, name: str) -> str:
        """The folder of a model."""
        return f"{self.place(name)}/model"

    def scores(self) -> list[str]:
        """The scores of every model."""
        return [f"{self.place(name)}/scores.npz" for name in self.plans]

    def text(self, name: str) -> str | None:
        """The text from outside that a model is trained on; None if it is the pair's text."""
        text = self.plans[name].text
        return None if text is None else self._sides.files.file(text)

    def text_inputs(self, name: str) -> dict[str, str]:
        """The inputs of the segmented text, without files from outside."""
        own = self._segmented(name)
        files = (
            {} if self.plans[name].text else {"corpus": own.corpus, "tokens": own.path("segment")}
        )
        return files | ({"model": own.model} if own.model else {})

    def _segmented(self, name: str) -> Segmented:
        own = self.plans[name]
        return self._sides.of(own.pair, own.side, own.segmentation)

    def outside(self, name: str) -> list[str]:
        """The inputs of the segmented text from outside: a text, and a tokenizer."""
        tokenizer = self._segmented(name).tokenizer
        entries = (self.plans[name].text, tokenizer and tokenizer.file)
        return [self._sides.files.file(entry) for entry in entries if entry]

    def text_options(self, name: str) -> list[str]:
        """The scripts' options for the text and its segmentation."""
        own = self.plans[name]
        inputs = self.text_inputs(name)
        options: dict[str, object]
        options = {"corpus": self.text(name) or inputs["corpus"], "format": own.format}
        options |= {"spec": own.segmentation, "test": own.test}
        if "tokens" in inputs:
            options["tokens"] = inputs["tokens"]
        model = self._sides.model_options(self._segmented(name))
        return [f"--{key}={value}" for key, value in options.items()] + model

    @property
    def probes(self) -> list[tuple[str, str]]:
        """The model and the name of every probe."""
        return [(name, probe) for name, own in self.plans.items() for probe in own.probes]

    def probe_scores(self) -> list[str]:
        """The scores of every probe, in the order of `probes`."""
        return [f"{self.place(name)}/probes/{probe}.npz" for name, probe in self.probes]

    def probe_files(self, name: str, probe: str) -> list[str]:
        """The file of a probe's items, if they are not made from the text."""
        file = self.plans[name].probes[probe].file
        return [] if file is None else [self._sides.files.file(file)]

    def probe_options(self, name: str, probe: str) -> list[str]:
        """The options of the script for the items of a probe."""
        files = self.probe_files(name, probe)
        made = self.plans[name].probes[probe].make
        return [f"--items={file}" for file in files] or [f"--make={made}"]

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """The model and the name of every task."""
        return [(name, task) for name, own in self.plans.items() for task in own.tasks]

    def task_scores(self) -> list[str]:
        """The scores of every task in the order of `tasks`, of every seed in turn."""
        return [
            f"{self.place(name)}/tasks/{task}/{seed}.npz"
            for name, task in self.tasks
            for seed in self._task_seeds(name, task)
        ]

    def _task_seeds(self, name: str, task: str) -> range:
        """The seeds of a task: other ones for each of several models that differ in their seed."""
        seeds = self._task(name, task).seeds
        first = (self.plans[name].number - 1) * seeds + 1
        return range(first, first + seeds)

    def task_files(self, name: str, task: str) -> dict[str, str]:
        """The files from outside of a task's examples."""
        own = self._task(name, task)
        files = {"train": own.train, "test": own.test}
        return {
            what: self._sides.files.file(file) for what, file in files.items() if file is not None
        }

    def task_tags(self, name: str, task: str) -> list[str]:
        """The tagged text, if that is what a task is learned from."""
        own = self.plans[name]
        if self._task(name, task).kind != "pos":
            return []
        spec = own.segmentation.spec(CORPUS, case="keep")
        return [path("tag", pair=own.pair, side=own.side, spec=spec)]

    def task_options(self, name: str, task: str) -> list[str]:
        """The options of the script for a task, but for the seed."""
        own, plan = self._task(name, task), self.plans[name]
        options: dict[str, object] = {"kind": own.kind, "precision": plan.precision}
        options |= {"device-batch": plan.device_batch}
        if own.search:
            options |= {"search": own.search, "validation": own.validation}
        else:
            options["batch"] = own.batch or _BATCH
            options["learning-rate"] = own.learning_rate or PRESETS[plan.size].fine_tuning_rate
        if own.epochs or (own.search and not own.steps):
            options["epochs"] = own.epochs or _EPOCHS
        else:
            options["steps"] = own.steps or _STEPS
        if own.examples:
            options["examples"] = own.examples
        options |= {f"{what}-file": file for what, file in self.task_files(name, task).items()}
        tags = [f"--tags={file}" for file in self.task_tags(name, task)]
        given = [f"--{key}={value}" for key, value in options.items()] + tags
        return given + ["--new-words"] * own.new_words

    def task_needs(self, name: str, task: str, attempt: int) -> tuple[int, int]:
        """Memory in MB and minutes that a job of a task asks for."""
        minutes = training_minutes(self.task_operations(name, task), attempt)
        return training_mb(self.parameters(name), attempt), minutes

    def task_operations(self, name: str, task: str) -> float:
        """Additions and multiplications of a job of a task: six for each weight and token."""
        own = self._task(name, task)
        examples = (own.steps or _STEPS) * (own.batch or _BATCH)
        if own.epochs or own.search:
            # All examples are not counted before the jobs.
            epochs = own.epochs or _EPOCHS
            examples = (own.search or 1) * epochs * (own.examples or _MANY_EXAMPLES)
        return 6.0 * self.parameters(name) * examples * self.plans[name].sequence

    def task_table_options(self) -> str:
        """What the table says of the tasks beside the scores, as JSON: name of the model and of the task,
        where labels are from, the measure, number of seeds, the model's name without number."""
        rows = []
        for name, task in self.tasks:
            own = self._task(name, task)
            labels = "silver (HanTa)" if own.kind == "pos" else "given"
            measure = "F1 of entities" if own.kind == "entities" else "accuracy"
            group = name if self.plans[name].seeds == 1 else name.rpartition("-")[0]
            rows.append([name, task, labels, measure, own.seeds, group])
        return json.dumps(rows)

    def _task(self, name: str, task: str) -> Task:
        return self.plans[name].tasks[task]

    def parameters(self, name: str) -> int:
        """About how many weights a model has."""
        own = self.plans[name]
        vocabulary = (own.segmentation.merges or 10_000) + 1000
        return PRESETS[own.size].parameters(vocabulary, own.sequence)

    def base(self, name: str) -> list[str]:
        """The folder of the model that a model continues, if there is one."""
        continued = self.plans[name].continues
        return [self.folder(continued)] if continued else []

    def options(self, name: str) -> list[str]:
        """The training script's options, without text and output."""
        own = self.plans[name]
        options = [f"--base={folder}" for folder in self.base(name)] + [f"--preset={own.size}"]
        return options + [f"--{key.replace('_', '-')}={getattr(own, key)}" for key in _TRAINING]

    def module(self, name: str) -> str:
        """The module of the segmenter of a model's text."""
        return self._segmented(name).module

    def needs(self, name: str, attempt: int) -> tuple[int, int]:
        """Memory in MB and minutes that the jobs of a model ask for."""
        minutes = training_minutes(self.operations(name), attempt)
        return training_mb(self.parameters(name), attempt), minutes

    def operations(self, name: str) -> float:
        """Additions and multiplications of the training of a model: six for each weight and token."""
        own = self.plans[name]
        return 6.0 * self.parameters(name) * own.steps * own.batch * own.sequence

    def table_options(self) -> str:
        """The settings of the models for the table, as JSON."""
        rows: list[dict[str, Any]] = []
        for name, own in self.plans.items():
            values = {field.name: getattr(own, field.name) for field in fields(own)}
            # What the model is asked and fine-tuned for has tables of its own.
            del values["probes"], values["tasks"]
            text = self.text(name) or ""
            rows.append(values | {"segmentation": str(own.segmentation), "text": text})
        return json.dumps(rows, sort_keys=True)

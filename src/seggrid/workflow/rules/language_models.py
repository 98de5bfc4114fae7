"""Inputs and parameters of the rules of language models."""

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
"""Defaults of tasks; the number of epochs, that of Bauwens and Delobelle (2024), table 10, is for
searches."""

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
        """The config entry of every language model, by name; an entry with several seeds is repeated for
        each."""
        return each_seed(self._grid.config.language_models, self._grid.config.seed)

    @cached_property
    def plans(self) -> dict[str, LanguageModelPlan]:
        """The plan of every language model, by name."""
        return {name: plan(self.entries, name, self._grid.config.seed) for name in self.entries}

    def place(self, name: str) -> str:
        """The folder with all files of a model. It is in the folder of the tables, since names of models are
        only unique within a config."""
        return str(tables_folder(self._grid.config.study) / "language_model" / name)

    def folder(self, name: str) -> str:
        """The folder of a model."""
        return f"{self.place(name)}/model"

    def scores(self) -> list[str]:
        """The score files of all models."""
        return [f"{self.place(name)}/scores.npz" for name in self.plans]

    def text(self, name: str) -> str | None:
        """The file from outside that a model is trained on; None if it is trained on a pair's text."""
        text = self.plans[name].text
        return None if text is None else self._sides.files.file(text)

    def text_inputs(self, name: str) -> dict[str, str]:
        """The input files, made by the workflow, that give the segmented text."""
        own = self._segmented(name)
        files = (
            {} if self.plans[name].text else {"corpus": own.corpus, "tokens": own.path("segment")}
        )
        return files | ({"model": own.model} if own.model else {})

    def _segmented(self, name: str) -> Segmented:
        own = self.plans[name]
        return self._sides.of(own.pair, own.side, own.segmentation)

    def outside(self, name: str) -> list[str]:
        """The input files from outside that give the segmented text: a text and a tokenizer."""
        tokenizer = self._segmented(name).tokenizer
        entries = (self.plans[name].text, tokenizer and tokenizer.file)
        return [self._sides.files.file(entry) for entry in entries if entry]

    def text_options(self, name: str) -> list[str]:
        """The options of scripts for the text and its segmentation."""
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
        """Every probe, as the names of its model and of the probe."""
        return [(name, probe) for name, own in self.plans.items() for probe in own.probes]

    def probe_scores(self) -> list[str]:
        """The score files of all probes, in the order of `probes`."""
        return [f"{self.place(name)}/probes/{probe}.npz" for name, probe in self.probes]

    def probe_files(self, name: str, probe: str) -> list[str]:
        """The file of a probe's items; none if the items are made from the text."""
        file = self.plans[name].probes[probe].file
        return [] if file is None else [self._sides.files.file(file)]

    def probe_options(self, name: str, probe: str) -> list[str]:
        """The script's options for the items of a probe."""
        files = self.probe_files(name, probe)
        made = self.plans[name].probes[probe].make
        return [f"--items={file}" for file in files] or [f"--make={made}"]

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """Every task, as the names of its model and of the task."""
        return [(name, task) for name, own in self.plans.items() for task in own.tasks]

    def task_scores(self) -> list[str]:
        """The score files of all tasks, in the order of `tasks`, one for each seed."""
        return [
            f"{self.place(name)}/tasks/{task}/{seed}.npz"
            for name, task in self.tasks
            for seed in self._task_seeds(name, task)
        ]

    def _task_seeds(self, name: str, task: str) -> range:
        """The seeds of a task. Models that differ only in their own seed have different seeds here."""
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
        """The tagged text, if the task is part-of-speech tagging; otherwise none."""
        own = self.plans[name]
        if self._task(name, task).kind != "pos":
            return []
        spec = own.segmentation.spec(CORPUS, case="keep")
        return [path("tag", pair=own.pair, side=own.side, spec=spec)]

    def task_options(self, name: str, task: str) -> list[str]:
        """The script's options for a task, except for the seed."""
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
        """Number of additions and multiplications of a task's job: six for each weight and token."""
        own = self._task(name, task)
        examples = (own.steps or _STEPS) * (own.batch or _BATCH)
        if own.epochs or own.search:
            # The number of all examples is not known before the jobs.
            epochs = own.epochs or _EPOCHS
            examples = (own.search or 1) * epochs * (own.examples or _MANY_EXAMPLES)
        return 6.0 * self.parameters(name) * examples * self.plans[name].sequence

    def task_table_options(self) -> str:
        """What the table says about tasks besides scores, as JSON: the names of model and task, the origin of
        the labels, the measure, the number of seeds, the model's name without number."""
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
        """The approximate number of weights of a model."""
        own = self.plans[name]
        vocabulary = (own.segmentation.merges or 10_000) + 1000
        return PRESETS[own.size].parameters(vocabulary, own.sequence)

    def base(self, name: str) -> list[str]:
        """The folder of the model that this model continues; none if it continues none."""
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
        """Number of additions and multiplications in training a model: six for each weight and token."""
        own = self.plans[name]
        return 6.0 * self.parameters(name) * own.steps * own.batch * own.sequence

    def table_options(self) -> str:
        """The settings of the models for the table, as JSON."""
        rows: list[dict[str, Any]] = []
        for name, own in self.plans.items():
            values = {field.name: getattr(own, field.name) for field in fields(own)}
            # Probes and tasks have tables of their own.
            del values["probes"], values["tasks"]
            text = self.text(name) or ""
            rows.append(values | {"segmentation": str(own.segmentation), "text": text})
        return json.dumps(rows, sort_keys=True)

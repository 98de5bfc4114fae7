"""Inputs, parameters and resources of the rules beside this file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from seggrid.grid.axes import path
from seggrid.grid.grid import Segmented
from seggrid.grid.rules.inputs import Function, Inputs, Wildcards, format_of, options
from seggrid.studies.language_model import costs
from seggrid.studies.language_model.config import LanguageModelPlan, Task
from seggrid.studies.language_model.costs import Training
from seggrid.studies.language_model.presets import PRESETS
from seggrid.studies.language_model.study import models


class ModelInputs(Inputs):
    """What the rules of language models ask."""

    @property
    def plans(self) -> dict[str, LanguageModelPlan]:
        """All settings of each model."""
        return models(self.grid)

    def plan(self, wc: Wildcards) -> LanguageModelPlan:
        """All settings of a model."""
        return self.plans[wc.lm]

    def own_text(self, wc: Wildcards) -> Segmented:
        """The segmentation of the text of a model."""
        own = self.plan(wc)
        return self.grid.segmented(own.pair, own.side, own.segmentation)

    def corpus(self, wc: Wildcards) -> Any:
        """The text."""
        return self.outside(self.plan(wc).text) or self.own_text(wc).corpus

    def tokens(self, wc: Wildcards) -> Any:
        """Its tokens, unless it is a text from outside."""
        return [] if self.plan(wc).text else self.own_text(wc).path("segment")

    def segmenter(self, wc: Wildcards) -> Any:
        """The model of the segmenter."""
        return self.model_of(self.own_text(wc))

    def of_own_segmenter(self, wc: Wildcards) -> list[str]:
        """The module of the segmenter."""
        return [self.own_text(wc).registered.__module__]

    def base(self, wc: Wildcards) -> list[str]:
        """The model that this one continues."""
        before = self.plan(wc).continues
        return [self.table(f"language_model/{before}/model")] if before else []

    def text_settings(self, wc: Wildcards) -> list[str]:
        """How the text is read and cut."""
        own = self.plan(wc)
        given = {"spec": own.segmentation, "format": own.format, "test": own.test}
        return options(given | {"model_format": format_of(self.own_text(wc).tokenizer)})

    def training_settings(self, wc: Wildcards) -> list[str]:
        """How the model is trained."""
        own = self.plan(wc)
        names = (
            *("sequence", "steps", "batch", "device_batch", "learning_rate", "warmup"),
            *("precision", "seed"),
        )
        return options({"preset": own.size} | {name: getattr(own, name) for name in names})

    @staticmethod
    def resources(work: Callable[[Wildcards], Training]) -> dict[str, Any]:
        """Memory and time of a job from the work of training."""
        return {
            "mem_mb": lambda wc, attempt: work(wc).mem_mb(attempt),
            "runtime": lambda wc, attempt: work(wc).minutes(attempt),
        }

    def work(self, wc: Wildcards) -> Training:
        """The work of training a model."""
        return costs.training(self.plan(wc))

    def plans_of_table(self, wc: Wildcards) -> str:
        """The settings of all models for the table; probes and tasks have tables of their own."""
        rows = []
        for own in self.plans.values():
            values = dict(own)
            del values["probes"], values["tasks"]
            text = "".join(self.files.of(own.text))
            rows.append(values | {"segmentation": str(own.segmentation), "text": text})
        return json.dumps(rows, sort_keys=True)

    @property
    def scored(self) -> dict[str, Function | str]:
        """What the jobs read that ask a finished model."""
        return {
            "corpus": self.corpus,
            "tokens": self.tokens,
            "model": self.segmenter,
            "lm": self.table("language_model/{lm}/model"),
        }

    @property
    def probes(self) -> list[tuple[str, str]]:
        """Every probe, as the names of its model and of the probe."""
        return [(name, probe) for name, own in self.plans.items() for probe in own.probes]

    def probe_items(self, wc: Wildcards) -> Any:
        """The file of a probe."""
        return self.outside(self.plan(wc).probes[wc.probe].file)

    def probe_settings(self, wc: Wildcards) -> list[str]:
        """The items of a probe."""
        items = "".join(self.probe_items(wc))
        return options({"items": items, "make": self.plan(wc).probes[wc.probe].make})

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """Every task, as the names of its model and of the task."""
        return [(name, task) for name, own in self.plans.items() for task in own.tasks]

    def task(self, wc: Wildcards) -> Task:
        """A task."""
        return self.plan(wc).tasks[wc.task]

    def train_examples(self, wc: Wildcards) -> Any:
        """The file of training examples."""
        return self.outside(self.task(wc).train)

    def test_examples(self, wc: Wildcards) -> Any:
        """The file of test examples."""
        return self.outside(self.task(wc).test)

    def task_tags(self, wc: Wildcards) -> list[str]:
        """The tagged text, if the task is part-of-speech tagging."""
        own = self.own_text(wc)
        spec = own.spec.spec("corpus", case="keep")
        tagged = path("tag", pair=own.pair, side=own.side, spec=spec)
        return [tagged] if self.task(wc).kind == "pos" else []

    def task_settings(self, wc: Wildcards) -> list[str]:
        """How a model is fine-tuned for a task."""
        own, model = self.task(wc), self.plan(wc)
        given: dict[str, Any] = {
            "kind": own.kind,
            "new_words": own.new_words,
            "examples": own.examples,
        }
        given |= {"precision": model.precision, "device_batch": model.device_batch}
        if own.search:
            given |= {"search": own.search, "validation": own.validation}
        else:
            given["batch"] = own.batch or costs.TASK_BATCH
            given["learning_rate"] = own.learning_rate or PRESETS[model.size].fine_tuning_rate
        files = {
            "train_file": self.train_examples,
            "test_file": self.test_examples,
            "tags": self.task_tags,
        }
        given |= {name: "".join(found(wc)) for name, found in files.items()}
        return options(given | costs.duration_of(own) | {"seed": wc.tuning})

    def task_work(self, wc: Wildcards) -> Training:
        """The work of a task."""
        return costs.fine_tuning(self.plan(wc), wc.task)

    def task_scores(self, wc: Wildcards) -> list[str]:
        """The score files of all tasks, one for each seed. Models that differ only in their own seed have
        different seeds here."""
        return [
            self.table(f"language_model/{name}/tasks/{task}/{seed}.npz")
            for name, task in self.tasks
            for seed in self.plans[name].task_seeds(task)
        ]

    def task_rows(self, wc: Wildcards) -> str:
        """What the table says about tasks besides scores: the names of model and task, the origin of the
        labels, the measure, the number of seeds, the model's name without number."""
        rows = []
        for name, task in self.tasks:
            model = self.plans[name]
            own = model.tasks[task]
            labels = "silver (HanTa)" if own.kind == "pos" else "given"
            measure = "F1 of entities" if own.kind == "entities" else "accuracy"
            group = name if model.seeds == 1 else name.rpartition("-")[0]
            rows.append([name, task, labels, measure, own.seeds, group])
        return json.dumps(rows)

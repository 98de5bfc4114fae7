"""The study `language_model`: its key of a config, its checks, its costs and its place on the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

from pydantic import Field

from seggrid.base.errors import InputError
from seggrid.base.extras import check_installed
from seggrid.grid.config import Config
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Name
from seggrid.grid.cost import Work
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.rules.files import Files
from seggrid.grid.study import Check, Section, Study, reads
from seggrid.studies.language_model.config import (
    LanguageModel,
    LanguageModelPlan,
    Task,
    check_language_models,
    each_seed,
    lineage,
    settings_of_model,
)
from seggrid.studies.language_model.costs import COSTS, fine_tuning, training
from seggrid.studies.language_model.probes import read_items
from seggrid.studies.language_model.tasks import read_examples
from seggrid.studies.language_model.text import hold_out, read_training_text
from seggrid.text.tagger import check_tagger
from seggrid.text.text_files import Text, apply_case


class LanguageModels(Study):
    """Masked language models of segmented texts."""

    key = "language_models"
    value: ClassVar[Any] = (
        dict[Name, LanguageModel],
        Field(
            {}, description="Named language models of segmented texts; they need the extra `lm`."
        ),
    )
    alone = True
    costs = COSTS
    sections = (
        Section(
            "language-models",
            "Language models",
            "Masked language models of the segmented texts, scored on held-out sentences: lower is better. "
            "Pseudo-perplexity (PPPL) cannot be compared between segmentations; bits per character and per "
            "word can.",
            ("language-model",),
        ),
    )

    @classmethod
    def parts(cls, grid: Grid) -> list[str]:
        """Probes and tasks have tables of their own."""
        models_of_grid = models(grid).values()
        asked = [
            name for name in ("probes", "tasks") if any(getattr(m, name) for m in models_of_grid)
        ]
        return [*super().parts(grid), *(f"`language_models.NAME.{name}`" for name in asked)]

    @classmethod
    def check(cls, config: Config, findings: ConfigFindings) -> None:
        """Check each model."""
        check_language_models(config, findings)

    @classmethod
    def pairs(cls, config: Config) -> Iterator[str]:
        """The pairs on whose texts segmenters learn."""
        yield from (entry.pair for entry in cls.given(config).values() if entry.pair)

    @classmethod
    def segmentations(cls, grid: Grid) -> Iterator[Segmented]:
        """The segmentations of the texts of pairs."""
        for own in models(grid).values():
            if own.text is None:
                yield grid.segmented(own.pair, own.side, own.segmentation)

    @classmethod
    def sources(cls, grid: Grid, files: Files, *, deployed: bool) -> Iterator[Check]:
        """The files of each model are read."""
        entries = each_seed(cls.given(grid.config), grid.config.seed)
        texts = set()
        for name, entry in entries.items():
            own, *before = [models(grid)[each] for each in lineage(entries, name)]
            text = str(own.text), own.format, own.segmentation.case, own.test
            # Checked once: most models of a config are trained on the same text, which may be large.
            if own.text is not None and text not in texts:
                texts.add(text)
                yield partial(_check_text, files, own)
            yield partial(_check_other_text, files, own, before)
            for probe in entry.probes.values():
                yield from reads(files, read_items, probe.file)
            for task, settings in entry.tasks.items():
                if settings.kind != "pos":
                    yield partial(
                        _check_task, files, f"language_models.{name}.tasks.{task}", settings
                    )
                elif not deployed:
                    yield partial(check_tagger, "tasks of kind pos", "leave them out")
        if not deployed:
            yield partial(check_installed, "lm", user="language_models", instead="add --sdm conda")

    @classmethod
    def work(cls, grid: Grid, rule: str, wildcards: Mapping[str, str]) -> Work | None:
        """Training costs by its operations."""
        if "lm" not in wildcards or "probe" in wildcards:
            return None
        own, cost = models(grid)[wildcards["lm"]], COSTS[rule]
        work = fine_tuning(own, wildcards["task"]) if "task" in wildcards else training(own)
        return Work(cost.fixed + cost.rate * work.operations / 1e9, work.mem_mb())

    @classmethod
    def charts(cls, results: Mapping[str, Any]) -> Iterator[Any]:
        """Scores, and losses in training."""
        from seggrid.studies.language_model.charts import of_models

        if "language_model" in results:
            yield from of_models(results["language_model"], results.get("language_model_losses"))


@lru_cache(maxsize=4)
def models(grid: Grid) -> dict[str, LanguageModelPlan]:
    """All settings of each language model; an entry with several seeds is repeated for each."""
    entries = each_seed(LanguageModels.given(grid.config), grid.config.seed)
    return {name: settings_of_model(entries, name, grid.config.seed) for name in entries}


_NAMED = 5
"""The most labels that a message names."""


def _check_text(files: Files, own: LanguageModelPlan) -> None:
    """Refuse a text from outside that cannot be read or is too short."""
    assert own.text is not None
    file = files.file(own.text)
    sentences = read_training_text(file, own.format)
    try:
        hold_out(list(map(tuple, apply_case(sentences, own.segmentation.case))), own.test)
    except InputError as error:
        hint = f"hold out fewer (language_models.{own.name}.test), or give a longer text"
        raise InputError(error.message, file=file, hint=hint) from None


def _check_other_text(
    files: Files, own: LanguageModelPlan, before: Sequence[LanguageModelPlan]
) -> None:
    """Refuse a model whose text is the same as that of the model that it continues, under another name: the
    continued model may have been trained on the sentences on which this one is tested."""
    for other in before:
        if (own.text, own.pair, own.side) != (other.text, other.pair, other.side):
            ours, theirs = _text(files, own), _text(files, other)
            same = files.content(*map(str, ours.files)) == files.content(*map(str, theirs.files))
            # Both sides of a pair may be parts of one file.
            if same and ours.part == theirs.part:
                raise InputError(
                    f"the text of {own.name} is that of {other.name}, which it continues and which may have "
                    f"been trained on what {own.name} is tested on",
                    file=ours.files[0],
                    hint=f"leave out what names the text of {own.name}, to test both on the same sentences",
                )


def _text(files: Files, own: LanguageModelPlan) -> Text:
    if own.text is not None:
        return Text((files.file(own.text),), own.format)
    return files.text(own.pair, own.side)


def _check_task(files: Files, name: str, task: Task) -> list[str]:
    """Read both files of a task; return remarks on labels of the test that do not occur in training."""
    found = [files.file(file) for file in (task.train, task.test) if file is not None]
    train, test = (read_examples(file, task.kind) for file in found)
    if files.content(found[0]) == files.content(found[1]):
        raise InputError(
            f"{name}: the test file is the training file", file=found[1], hint="name another file"
        )
    known, tested = ({label for own in some.labels for label in own} for some in (train, test))
    new = sorted(tested - known)
    if not new:
        return []
    some = ", ".join(new[:_NAMED]) + (", …" if len(new) > _NAMED else "")
    message = f"labels that do not occur in training, so that none is predicted: {some}"
    if not tested & known:
        raise InputError(f"{name}: only {message}", file=found[1], hint="check both files")
    return [f"{found[1]}: {name}: {message}"]

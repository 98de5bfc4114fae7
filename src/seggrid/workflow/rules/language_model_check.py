"""Check the files of language models, before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seggrid.corpus.tagger import check_tagger
from seggrid.corpus.text import Text, apply_case
from seggrid.errors import InputError
from seggrid.grid.config.language_models import LanguageModelPlan, Task, each_seed, lineage
from seggrid.grid.grid import Grid
from seggrid.language_model.probes import read_items
from seggrid.language_model.tasks import read_examples
from seggrid.language_model.text import hold_out, read_training_text
from seggrid.workflow.rules.files import Files

_NAMED = 5
"""The most labels that a message names."""


def check_models(
    check: Callable[..., None], grid: Grid, files: Files, *, deployed: bool = False
) -> None:
    """Check the files of each model; `check` calls a function that raises `InputError` and may return
    remarks."""
    entries = each_seed(grid.config.language_models, grid.config.seed)
    texts = set()
    for name, entry in entries.items():
        own, *before = [grid.language_models[each] for each in lineage(entries, name)]
        text = str(own.text), own.format, own.segmentation.case, own.test
        # Checked once: most models of a config are trained on the same text, which may be large.
        if own.text is not None and text not in texts:
            texts.add(text)
            check(_check_text, files, own)
        check(_check_other_text, files, own, before)
        for probe in (entry.probes or {}).values():
            if probe.file is not None:
                check(lambda file: read_items(files.file(file)) and None, probe.file)
        for task, settings in (entry.tasks or {}).items():
            if settings.kind != "pos":
                check(_check_task, files, f"language_models.{name}.tasks.{task}", settings)
            elif not deployed:
                check(check_tagger, "tasks of kind pos", "leave them out")


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

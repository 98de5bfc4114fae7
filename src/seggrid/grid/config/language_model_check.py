"""Check the language models of a config against one another and against the pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from seggrid.corpus.pos import check_language
from seggrid.errors import InputError
from seggrid.grid.config.experiments import check_axis, check_side, check_sizes
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.language_models import LanguageModel, LanguageModelPlan, lineage, plan
from seggrid.language_model.tasks import TEXTS
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import CORPUS

if TYPE_CHECKING:
    from seggrid.grid.config.config import Config

Mistake = tuple[Key, str, str | None]
"""The key inside a language model, the message and the hint."""

_TEXT = ("pair", "side", "text")
"""Keys that name the text on which a model is trained."""


def check_language_models(config: Config, findings: Findings) -> None:
    """Check each language model."""
    entries = config.language_models
    for name, entry in entries.items():
        key, known = ("language_models", name), True
        named = [("continues", entry.continues)] if entry.continues else []
        for where, other in (*named, *(("versus", other) for other in entry.versus)):
            known &= other in entries and other != name
            if other == name:
                findings.mistake((*key, where), "itself", "leave it out")
            else:
                findings.unknown((*key, where), "language model", other, entries)
        line = list(lineage(entries, name))
        before = entries[line[-1]].continues
        if not known or (before is not None and before not in entries):
            continue
        if before is not None:
            message = f"in a circle: {' → '.join([*line, before])}"
            findings.mistake((*key, "continues"), message, "let one of them continue none")
            continue
        own, *others = [plan(entries, each) for each in line]
        if own.pair is None:
            hint = f"add pair: {next(iter(config.pairs), '…')}"
            findings.mistake(key, "no pair on whose text its segmenter could learn", hint)
            continue
        findings.unknown((*key, "pair"), "pair", own.pair, config.pairs)
        if own.pair in config.pairs:
            for place, message, reason in _mistakes(config, name, own, others):
                findings.mistake((*key, *place), message, reason)
            _check_segmentation(config, entry, own, findings)


def _check_segmentation(
    config: Config, entry: LanguageModel, own: LanguageModelPlan, findings: Findings
) -> None:
    key, given = ("language_models", own.name), entry.axes()
    here = (*key, "segmentation")
    if own.continues is None and not own.steps:
        findings.remark((*key, "steps"), "0: an untrained model")
    check_sizes(here, given, findings)
    for axis, value in given.items():
        check_axis((*here, axis), [value], [own.segmentation.segmenter], findings)
    groups = [here] if given else [key]
    check_side(config, (own.pair, own.side), own.segmentation, groups, findings)


def _mistakes(
    config: Config, name: str, own: LanguageModelPlan, before: Sequence[LanguageModelPlan]
) -> Iterator[Mistake]:
    """The mistakes in a model; `before` are the models that it continues, the nearest first."""
    entry = config.language_models[name]
    numbered = {f"{name}-{number}" for number in range(1, own.seeds + 1) if own.seeds > 1}
    if taken := numbered & config.language_models.keys():
        message = f"{min(taken)}, the name of one of them, is another model's"
        yield ("seeds",), message, "rename one of the two"
    if "format" in entry.model_fields_set and own.text is None:
        yield ("format",), "without a text", "leave it out, or give the text"
    if own.segmentation.sampled:
        yield ("segmentation", "sampling"), "a model has one segmentation", "leave it out"
    reason = _segments_only_its_text(config, own)
    if reason and own.text is not None:
        yield ("text",), reason, "leave it out, for the pair's own text"
    if reason and own.probes:
        place = "probes" if entry.probes else "segmentation"
        yield (place,), f"probes: {reason}", "set probes: {}, or take another segmenter"
    for probe, items in entry.probes.items():
        if items.file is None and items.make is None:
            yield ("probes", probe), "neither file nor make", "add make: word_order"
        if items.file is not None and items.make is not None:
            yield ("probes", probe), "both file and make", "keep one of them"
    for task in own.tasks:
        for message, hint in _mistakes_in_task(config, own, task, reason):
            yield ("tasks", task) if entry.tasks else (), f"{task}: {message}", hint
    if before:
        yield from _kept(own, before)
    for other in entry.versus:
        for message, hint in _incomparable(own, plan(config.language_models, other)):
            yield ("versus",), f"{other} {message}", f"{hint}, or leave out {other}"


def _incomparable(own: LanguageModelPlan, other: LanguageModelPlan) -> Iterator[tuple[str, str]]:
    """Why two models are not tested on the same sentences, with hints."""
    differing = [key for key in (*_TEXT, "test") if getattr(own, key) != getattr(other, key)]
    ours, theirs = own.segmentation, other.segmentation
    differing += [axis for axis in CORPUS if getattr(ours, axis) != getattr(theirs, axis)]
    if differing:
        message = f"is tested on another text: another {' and '.join(differing)}"
        yield message, "give both the same"
    if own.sequence != other.sequence:
        message = f"cuts sentences at {other.sequence} tokens, {own.name} at {own.sequence}"
        yield message, "give both the same sequence"
    if own.seeds != other.seeds:
        message = f"has seeds: {other.seeds}, {own.name} seeds: {own.seeds}"
        yield message, "give both as many"


def _mistakes_in_task(
    config: Config, own: LanguageModelPlan, name: str, reason: str | None
) -> Iterator[tuple[str, str | None]]:
    """The mistakes in a task, with hints; `reason` says why the segmentation is only of its own text."""
    task = own.tasks[name]
    if task.kind == "pos":
        if task.train is not None or task.test is not None:
            hint = "leave out train and test, or set kind: words"
            yield "pos takes the model's own text, not files", hint
        if own.text is not None:
            hint = "leave text out, or tag it (seggrid tag) and set kind: words"
            yield "the tagger tags only texts of pairs", hint
        try:
            check_language(config.pairs[own.pair].side(own.side).language)
        except InputError as error:
            yield error.message, "set tasks: {}"
    elif task.train is None or task.test is None:
        missing = "train" if task.train is None else "test"
        yield f"no file of {missing} examples", f"add {missing}: …"
    elif reason:
        yield reason, "set tasks: {}, or take another segmenter"
    for one, other in (("steps", "epochs"), ("batch", "search"), ("learning_rate", "search")):
        if getattr(task, one) is not None and getattr(task, other) is not None:
            yield f"both {one} and {other}", "leave one of them out"
    if task.new_words and task.kind not in ("pos", "words"):
        yield f"new_words is for labels of words, not of {task.kind}", "leave it out"
    if task.kind not in TEXTS and own.segmentation.crosses_words:
        hint = "keep tokens within words, or set tasks: {}"
        yield "a token of several words cannot have the label of each", hint


def _segments_only_its_text(config: Config, own: LanguageModelPlan) -> str | None:
    """Why a model's segmentation cannot be applied to another text; None if it can."""
    side = own.segmentation
    if SEGMENTERS[side.segmenter].tagged:
        return f"{side.segmenter} looks at parts of speech, which another text has none of"
    tokenizer = config.pairs[own.pair].side(own.side).tokenizers.get(side.tokenizer or "")
    if tokenizer is not None and tokenizer.format.startswith("tokens-"):
        return f"{side.tokenizer} is a tokenized text, which cannot tokenize another one"
    return None


def _kept(own: LanguageModelPlan, before: Sequence[LanguageModelPlan]) -> Iterator[Mistake]:
    """Settings that differ from those of the continued models but must not."""

    def differ(where: Key, ours: Any, theirs: Any, other: LanguageModelPlan) -> Iterator[Mistake]:
        if ours != theirs:
            message = f"{ours}, where {other.name}, which it continues, has {theirs}"
            yield where, message, "leave it out"

    # The shapes of the weights, and the number of models.
    for kept in ("size", "sequence", "seeds"):
        yield from differ((kept,), getattr(own, kept), getattr(before[0], kept), before[0])
    # Sentences on which an earlier model was trained must not become test sentences.
    same_text = (o for o in before if all(getattr(own, key) == getattr(o, key) for key in _TEXT))
    if tested := next(same_text, None):
        yield from differ(("test",), own.test, tested.test, tested)
        for axis in CORPUS:
            ours, theirs = (getattr(one.segmentation, axis) for one in (own, tested))
            yield from differ(("segmentation", axis), ours, theirs, tested)
    # The vocabulary, and so the ids, are those of the first model.
    first = before[-1]
    side, known = own.segmentation, first.segmentation
    if side.segmenter not in (known.segmenter, "characters"):
        message = f"{side.segmenter} has other types than {known.segmenter}, whose ids it continues"
        hint = f"leave it out, or train a model of its own (without continues: {own.continues})"
        yield ("segmentation", "segmenter"), message, hint
    for size, other in (("merges", "vocabulary"), ("vocabulary", "merges")):
        most = getattr(known, size)
        if most is not None and getattr(side, other) is not None:
            message = f"{first.name}, whose ids it continues, gives {size}"
            yield ("segmentation", other), message, f"give {size} or leave it out"
        if most is not None and (getattr(side, size) or 0) > most:
            message = f"{getattr(side, size)}, where {first.name} has ids for the types of {most}"
            yield ("segmentation", size), message, f"give {most} or fewer"

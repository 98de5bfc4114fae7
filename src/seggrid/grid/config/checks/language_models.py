"""Check the language models of a config against one another and against the pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seggrid.corpus.pos import check_language
from seggrid.errors import InputError
from seggrid.grid.config.checks.experiments import check_axis, check_side, check_sizes
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models.language_models import LanguageModel, Task
from seggrid.grid.config.models.pairs import Pair
from seggrid.grid.language_models import LanguageModelPlan, lineage, plan
from seggrid.language_model.tasks import TEXTS
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import CORPUS

KEPT = ("size", "sequence", "seeds")
"""Keys whose values must be those of the continued model: the shapes of its weights, and the number of
models."""

TEXT = ("pair", "side", "text")
"""Keys that name the text on which a model is trained."""


def check_language_models(
    entries: Mapping[str, LanguageModel],
    texts: Mapping[str, Pair],
    pairs: list[str],
    models: list[str],
    findings: Findings,
) -> None:
    """Check each language model.

    Args:
        entries: the language models that fit the config's models.
        texts: the pairs that fit them.
        pairs, models: names of all pairs and of all language models.
        findings: collects mistakes and remarks.
    """
    known = dict.fromkeys(models)
    for name, entry in entries.items():
        key = ("language_models", name)
        unknown = False
        named = [("continues", other) for other in filter(None, [entry.continues])]
        named += [("versus", other) for other in entry.versus]
        for where, other in named:
            if other == name:
                findings.mistake((*key, where), "itself", "leave it out")
            else:
                findings.unknown((*key, where), "language model", other, known)
            unknown |= other == name or other not in known
        line = list(lineage(entries, name))
        before = entries[line[-1]].continues
        if before is not None and before in entries and not unknown:
            message = f"in a circle: {' → '.join([*line, before])}"
            findings.mistake((*key, "continues"), message, "let one of them continue none")
        if before is None and not unknown:
            seeds = plan(entries, name).seeds
            if taken := {f"{name}-{n}" for n in range(1, seeds + 1) if seeds > 1} & set(models):
                message = f"{min(taken)}, the name of one of them, is another model's"
                findings.mistake((*key, "seeds"), message, "rename one of the two")
            _check_one(entries, texts, name, pairs, findings)
            _check_versus(entries, name, findings)


def _check_versus(entries: Mapping[str, LanguageModel], name: str, findings: Findings) -> None:
    """Refuse comparisons of models that are not tested on the same sentences."""
    ours = plan(entries, name)
    for other in entries[name].versus:
        if other not in entries:
            continue
        theirs = plan(entries, other)
        differing = [
            what for what in (*TEXT, "test") if getattr(ours, what) != getattr(theirs, what)
        ]
        for axis in CORPUS:
            if getattr(ours.segmentation, axis) != getattr(theirs.segmentation, axis):
                differing.append(axis)
        if ours.sequence != theirs.sequence:
            findings.mistake(
                ("language_models", name, "versus"),
                f"{other} cuts sentences at {theirs.sequence} tokens, {name} at {ours.sequence}",
                f"give both the same sequence, or leave out {other}",
            )
        if ours.seeds != theirs.seeds:
            findings.mistake(
                ("language_models", name, "versus"),
                f"{other} has seeds: {theirs.seeds}, {name} seeds: {ours.seeds}",
                f"give both as many, or leave out {other}",
            )
        if differing:
            findings.mistake(
                ("language_models", name, "versus"),
                f"{other} is tested on another text: another {' and '.join(differing)}",
                f"give both the same, or leave out {other}",
            )


def _check_one(
    entries: Mapping[str, LanguageModel],
    texts: Mapping[str, Pair],
    name: str,
    pairs: list[str],
    findings: Findings,
) -> None:
    """Check one model; the models that it continues exist."""
    key: Key = ("language_models", name)
    entry = entries[name]
    plans = [plan(entries, each) for each in lineage(entries, name)]
    own = plans[0]
    if own.pair is None:
        hint = f"add pair: {pairs[0] if pairs else '…'}"
        findings.mistake(key, "no pair on whose text its segmenter could learn", hint)
        return
    if own.pair not in pairs:
        findings.unknown((*key, "pair"), "pair", own.pair, pairs)
        return
    if own.continues is not None:
        _check_kept(key, own, plans[1:], findings)
    if entry.format is not None and own.text is None:
        findings.mistake((*key, "format"), "without a text", "leave it out, or give the text")
    if own.text is not None and (reason := _segments_only_its_text(texts, own)):
        findings.mistake((*key, "text"), reason, "leave it out, for the pair's own text")
    _check_probes(texts, key, entry, own, findings)
    _check_tasks(texts, key, entry, own, findings)
    if own.segmentation.sampled:
        findings.mistake(
            (*key, "segmentation", "sampling"), "a model has one segmentation", "leave it out"
        )
    if own.continues is None and not own.steps:
        findings.remark((*key, "steps"), "0: an untrained model")
    axes = entry.axes()
    check_sizes((*key, "segmentation"), axes, findings)
    for axis, value in axes.items():
        here = (*key, "segmentation", axis)
        check_axis(here, [value], [own.segmentation.segmenter], findings)
    if own.pair in texts:

        def where(axis: str) -> Key:
            return (*key, "segmentation", axis) if axis in axes else key

        check_side(texts, own.pair, own.side, own.segmentation, where, findings)


def _check_probes(
    texts: Mapping[str, Pair],
    key: Key,
    entry: LanguageModel,
    own: LanguageModelPlan,
    findings: Findings,
) -> None:
    """Refuse probes without items, and probes of a model whose segmenter can only cut the model's own
    text."""
    for name, probe in (entry.probes or {}).items():
        given = [what for what in ("file", "make") if getattr(probe, what) is not None]
        if len(given) != 1:
            message = "both file and make" if given else "neither file nor make"
            hint = "keep one of them" if given else "add make: word_order"
            findings.mistake((*key, "probes", name), message, hint)
    reason = _segments_only_its_text(texts, own) if own.probes else None
    if reason is not None:
        where = "probes" if entry.probes else "segmentation"
        findings.mistake(
            (*key, where), f"probes: {reason}", "set probes: {}, or take another segmenter"
        )


def _check_tasks(
    texts: Mapping[str, Pair],
    key: Key,
    entry: LanguageModel,
    own: LanguageModelPlan,
    findings: Findings,
) -> None:
    """Refuse tasks without examples, and tasks that the model's segmentation or text makes impossible."""
    for name, task in own.tasks.items():
        where = (*key, "tasks", name) if entry.tasks else key
        if task.kind == "pos":
            _check_tagged(texts, where, name, task, own, findings)
        elif task.train is None or task.test is None:
            missing = "train" if task.train is None else "test"
            findings.mistake(where, f"{name}: no file of {missing} examples", f"add {missing}: …")
        elif reason := _segments_only_its_text(texts, own):
            hint = "set tasks: {}, or take another segmenter"
            findings.mistake(where, f"{name}: {reason}", hint)
        both = [("steps", "epochs"), ("batch", "search"), ("learning_rate", "search")]
        for one, other in both:
            if getattr(task, one) is not None and getattr(task, other) is not None:
                message = f"{name}: both {one} and {other}"
                findings.mistake(where, message, "leave one of them out")
        if task.new_words and task.kind not in ("pos", "words"):
            message = f"{name}: new_words is for labels of words, not of {task.kind}"
            findings.mistake(where, message, "leave it out")
        if task.kind not in TEXTS and own.segmentation.crosses_words:
            findings.mistake(
                where,
                f"{name}: a token of several words cannot have the label of each",
                "keep tokens within words, or set tasks: {}",
            )


def _check_tagged(
    texts: Mapping[str, Pair],
    where: Key,
    name: str,
    task: Task,
    own: LanguageModelPlan,
    findings: Findings,
) -> None:
    """Refuse labels of the tagger for a text that it cannot tag."""
    if task.train is not None or task.test is not None:
        hint = "leave out train and test, or set kind: words"
        findings.mistake(where, f"{name}: pos takes the model's own text, not files", hint)
    if own.text is not None:
        findings.mistake(
            where,
            f"{name}: the tagger tags only texts of pairs",
            "leave text out, or tag it (seggrid tag) and set kind: words",
        )
    if own.pair in texts:
        language = texts[own.pair].side(own.side).language
        try:
            check_language(language)
        except InputError as error:
            findings.mistake(where, f"{name}: {error.message}", "set tasks: {}")


def _segments_only_its_text(texts: Mapping[str, Pair], own: LanguageModelPlan) -> str | None:
    """Why a model's segmentation cannot be applied to another text; None if it can."""
    side = own.segmentation
    if SEGMENTERS[side.segmenter].tagged:
        return f"{side.segmenter} looks at parts of speech, which another text has none of"
    if side.tokenizer is not None and own.pair in texts:
        pair = texts[own.pair]
        tokenizer = pair.side(own.side).tokenizers.get(side.tokenizer)
        if tokenizer is not None and tokenizer.format.startswith("tokens-"):
            return f"{side.tokenizer} is a tokenized text, which cannot tokenize another one"
    return None


def _check_kept(
    key: Key, own: LanguageModelPlan, before: list[LanguageModelPlan], findings: Findings
) -> None:
    """Refuse settings that differ from those of the continued models but must not; `before` begins with the
    model that this one continues directly."""

    def refuse(where: Key, ours: Any, theirs: Any, other: LanguageModelPlan) -> None:
        message = f"{ours}, where {other.name}, which it continues, has {theirs}"
        findings.mistake((*key, *where), message, "leave it out")

    for kept in KEPT:
        if getattr(own, kept) != getattr(before[0], kept):
            refuse((kept,), getattr(own, kept), getattr(before[0], kept), before[0])
    # Sentences on which an earlier model was trained must not become test sentences.
    same_text = (o for o in before if all(getattr(own, what) == getattr(o, what) for what in TEXT))
    tested = next(same_text, None)
    if tested is not None:
        if own.test != tested.test:
            refuse(("test",), own.test, tested.test, tested)
        for axis in CORPUS:
            ours, theirs = (getattr(plan.segmentation, axis) for plan in (own, tested))
            if ours != theirs:
                refuse(("segmentation", axis), ours, theirs, tested)
    # The vocabulary, and so the ids, are those of the first model.
    first = before[-1]
    ours, theirs = own.segmentation, first.segmentation
    if ours.segmenter not in (theirs.segmenter, "characters"):
        message = (
            f"{ours.segmenter} has other types than {theirs.segmenter}, whose ids it continues"
        )
        hint = f"leave it out, or train a model of its own (without continues: {own.continues})"
        findings.mistake((*key, "segmentation", "segmenter"), message, hint)
    for size, other in (("merges", "vocabulary"), ("vocabulary", "merges")):
        most = getattr(theirs, size)
        if most is not None and getattr(ours, other) is not None:
            message = f"{first.name}, whose ids it continues, gives {size}"
            findings.mistake((*key, "segmentation", other), message, f"give {size} or leave it out")
        if most is not None and (getattr(ours, size) or 0) > most:
            findings.mistake(
                (*key, "segmentation", size),
                f"{getattr(ours, size)}, where {first.name} has ids for the types of {most}",
                f"give {most} or fewer",
            )

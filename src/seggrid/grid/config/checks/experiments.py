"""Check the experiments of a config: combinations that cannot run, and settings without effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from seggrid.align import ALIGNERS, without_posteriors
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import escape
from seggrid.corpus.pos import check_language
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, either, suggestion
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.cell import Cell, cells_of
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models import Config
from seggrid.grid.config.models.experiments import AxisKeys, ExperimentKeys
from seggrid.grid.config.models.pairs import Pair
from seggrid.score.aggregates import is_posterior
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES, changes_nothing
from seggrid.segment.glossary import ACROSS, LONGEST_SPELLED
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import CORPUS, Side
from seggrid.segment.vocabulary import RULES

MAX_CELLS = 200_000
"""The most combinations of values that all experiments together may ask for."""


def check_experiments(config: Config, names: list[str], findings: Findings) -> None:
    """Check the values of each experiment against one another and against the pairs.

    Args:
        config: the part of the config that fits the models.
        names: the names of all pairs, including those left out for mistakes.
        findings: collects mistakes and remarks.
    """
    total, known = 0, dict.fromkeys(names)
    for name, experiment in config.experiments.items():
        key = ("experiments", name)
        wanted = names if experiment.pairs is None else experiment.pairs
        for pair in wanted if names else ():
            findings.unknown((*key, "pairs"), "pair", pair, known)
        check_read(experiment, key, findings)
        total += _size(experiment, len(wanted))
        if total > MAX_CELLS:
            findings.mistake(
                key,
                f"more than {MAX_CELLS:,} combinations of values",
                "give fewer values an axis",
            )
            return
        pairs = [pair for pair in wanted if pair in config.pairs]
        # Whether a side is possible does not depend on any other axis.
        first = {axis: experiment.values(axis)[:1] for axis in CELL_AXES if axis != "sides"}
        cells = list(dict.fromkeys(cells_of(experiment.model_copy(update=first), pairs)))
        _check_joint(cells, key, findings)
        sides = {
            (cell.pair, which, getattr(cell, which)): None for cell in cells for which in SIDES
        }
        for pair, which, side in sides:
            check_side(
                config.pairs, pair, which, side, partial(_place, key, which, findings), findings
            )


def _check_joint(cells: Sequence[Cell], key: Key, findings: Findings) -> None:
    """Refuse two different joint models in one cell: both would be learned from the same texts."""
    for cell in cells:
        source, target = cell.source, cell.target
        if source.joint and target.joint and source.model_spec != target.model_spec:
            findings.mistake(
                (*key, "joint"),
                f"two models, {source.model_spec} and {target.model_spec}",
                "give both sides the same learner, size, case and spaces, or leave joint out",
            )
            return


def _place(key: Key, name: str, findings: Findings, axis: str) -> Key:
    """The key at which an experiment sets an axis of one side."""
    own = findings.root.at(key).value.get(name)
    return (*key, name, axis) if own and axis in own.value else (*key, axis)


def check_side(
    texts: Mapping[str, Pair],
    pair: str,
    name: str,
    side: Side,
    where: Callable[[str], Key],
    findings: Findings,
) -> None:
    """Refuse a combination of values that cannot run.

    Args:
        texts: the pairs that fit the config's models.
        pair, name: the pair, and the name of the side that is segmented.
        side: the segmentation.
        where: gives the key that sets an axis.
        findings: collects mistakes and remarks.
    """
    if side.dropout_kind == "occurrence" and side.application in ("replace", *RULES):
        findings.mistake(
            where("application"),
            f"{side.application} has no single occurrences to drop",
            "use dropout_kind: merge, or application: rank",
        )
    if side.application in SEGMENTERS[side.segmenter].without.get("application", ()):
        findings.mistake(
            where("application"),
            f"{side.segmenter} has no merges to apply by {side.application}",
            f"use {either(RULES)}",
        )
    if side.application in RULES and AXES["sampling"].has_effect(side.sampling):
        findings.mistake(
            where("application"),
            f"{side.application} has no probabilities to sample by",
            "leave it or sampling out",
        )
    if AXES["glossary"].has_effect(side.glossary) and side.crosses_words:
        findings.mistake(where("glossary"), ACROSS, "leave it out, or segment with spaces: yes")
    if len(escape(str(side.glossary))) > LONGEST_SPELLED:
        findings.mistake(
            where("glossary"),
            f"an expression whose spelling in paths has more than {LONGEST_SPELLED} characters",
            "give a shorter one",
        )
    # A joint model is learned from both sides.
    if (name == "target" or side.joint) and texts[pair].target is None:
        hint = f"add pairs.{pair}.target; only a text whose morphology is evaluated needs none"
        findings.mistake(("pairs", pair), "no target", hint)
    registered = SEGMENTERS[side.segmenter]
    if side.merges is not None and side.merges < registered.least_size:
        findings.mistake(
            where("merges"),
            f"{side.segmenter} cannot learn {side.merges} {registered.size_unit}",
            f"give a number from {registered.least_size} on",
        )
    if registered.tagged:
        try:
            check_language(texts[pair].side(name).language)
        except InputError as error:
            findings.mistake(
                ("pairs", pair, name), f"{side.segmenter} has {error.message}", error.hint
            )
    if registered.outside:
        known = list(texts[pair].side(name).tokenizers)
        if side.tokenizer == "none":
            findings.mistake(
                where("segmenter"),
                f"{side.segmenter} needs the name of a tokenizer",
                f"add tokenizer: NAME, and the file under pairs.{pair}.{name}.tokenizers",
            )
        elif side.tokenizer is not None and side.tokenizer not in known:
            findings.mistake(
                where("tokenizer"),
                f"no tokenizer {side.tokenizer!r} for the {name} side of {pair}",
                suggestion(side.tokenizer, known)
                if known
                else f"add pairs.{pair}.{name}.tokenizers.{side.tokenizer}",
            )
    if not side.pruned:
        return
    lacking = texts[pair].side(name).morphemes is None
    if side.dropout_weight == "blame" and lacking:
        findings.mistake(
            where("dropout_weight"),
            f"blame needs the morphemes of the {name} side of {pair}",
            f"add pairs.{pair}.{name}.morphemes",
        )
    variant = parse_knockout(side.knockout or "none")
    if variant.method == "trim" and side.application != "rank":
        findings.mistake(
            where("application"),
            f"{side.knockout} counts types of the text as merged by rank",
            "use application: rank, or another knockout",
        )
    if variant.method == "dropout":
        findings.mistake(
            where("knockout"),
            f"{side.knockout} is a dropout rate, not a pruned model",
            "use it under morphology, or the axis dropout here",
        )
    elif variant.needs_reference and lacking:
        findings.mistake(
            where("knockout"),
            f"{side.knockout} needs the morphemes of the {name} side of {pair}",
            f"add pairs.{pair}.{name}.morphemes",
        )


_OTHER_SIZE = {"merges": "vocabulary", "vocabulary": "merges"}
"""The two ways to set a size: a side that sets one does not inherit the other."""


def check_read(experiment: ExperimentKeys, key: Key, findings: Findings) -> None:
    """Refuse axes that are set but have no effect, since the user must have meant something else."""
    segmented = experiment.values("sides")
    sides = {
        name: experiment.side(name) for name in SIDES if "both" in segmented or name in segmented
    }
    segmenters = {
        name: (own.values("segmenter") if own else []) or experiment.values("segmenter")
        for name, own in sides.items()
    }
    groups: dict[Key, AxisKeys] = {key: experiment}
    groups |= {(*key, name): own for name in SIDES if (own := experiment.side(name))}
    for where, group in groups.items():
        check_sizes(where, group.given(), findings)
    for axis, values in experiment.given().items():
        if axis in SIDE_AXES:
            alike = (axis, _OTHER_SIZE.get(axis, axis))
            heirs = [n for n, own in sides.items() if not own or not any(map(own.values, alike))]
            if heirs:
                used = [segmenter for name in heirs for segmenter in segmenters[name]]
                check_axis((*key, axis), values, used, findings)
            else:
                findings.remark((*key, axis), "has no effect: source and target each set their own")
    for name in SIDES:
        own = experiment.side(name)
        for axis, values in own.given().items() if own else ():
            if name in sides:
                check_axis((*key, name, axis), values, segmenters[name], findings)
            elif axis != "case":
                findings.mistake(
                    (*key, name, axis),
                    f"the {name} stays words, since sides is {' and '.join(segmented)}",
                    "leave it out, or use sides: both",
                )
    used_groups = {(*key, name): own for name, own in sides.items() if own}
    _check_random(experiment, key, {key: experiment} | used_groups, findings)
    _check_posteriors(experiment, key, findings)
    _check_aligners(experiment, key, findings)
    aligners = experiment.values("aligner")
    same = not any(ALIGNERS[aligner].random for aligner in aligners)
    if same and max(experiment.values("replicates")) > 1:
        findings.remark(
            (*key, "replicates"),
            f"has no effect: {' and '.join(aligners)} gives the same links again",
        )


def _check_random(
    experiment: ExperimentKeys, key: Key, groups: Mapping[Key, AxisKeys], findings: Findings
) -> None:
    """Add remarks on settings that have no effect because another axis is neutral, such as numbers of samples
    without a random axis.

    Args:
        experiment: the values of the experiment.
        key: the key of the experiment.
        groups: the experiment, and its sides that are segmented, by their keys.
        findings: collects mistakes and remarks.
    """
    working = {
        axis
        for axis in SIDE_AXES
        if not all(
            changes_nothing(axis, v) for group in groups.values() for v in group.values(axis)
        )
    }
    for where, group in groups.items():
        for axis in group.given():
            needed = SIDE_AXES[axis].needs if axis in SIDE_AXES else None
            if needed is not None and needed not in working:
                findings.remark((*where, axis), f"has no effect without {needed}")
    random = [name for name, axis in SIDE_AXES.items() if axis.random]
    if not working.isdisjoint(random):
        return
    without = f"no effect without {' or '.join(random)}"
    given = experiment.given()
    if "samples" in given:
        findings.remark((*key, "samples"), f"has {without}")
    votes = [value for value in given.get("aggregate", []) if not is_posterior(value)]
    if votes:
        all_votes = len(votes) == len(given["aggregate"])
        what = "has" if all_votes else f"{', '.join(votes)}: has"
        findings.remark((*key, "aggregate"), f"{what} {without}")


def _check_posteriors(experiment: ExperimentKeys, key: Key, findings: Findings) -> None:
    """Refuse thresholds on probabilities for aligners that give none."""
    posteriors = [value for value in experiment.values("aggregate") if is_posterior(value)]
    for aligner in experiment.values("aligner"):
        if posteriors and not ALIGNERS[aligner].posteriors:
            message, hint = without_posteriors(aligner)
            findings.mistake((*key, "aggregate"), f"{posteriors[0]}: {message}", hint)
    if posteriors and len(set(experiment.values("symmetrization"))) > 1:
        findings.remark(
            (*key, "symmetrization"),
            f"has no effect on {posteriors[0]}, which joins directions by itself",
        )


def _check_aligners(experiment: ExperimentKeys, key: Key, findings: Findings) -> None:
    """Refuse axes that no aligner of the experiment reads; add remarks on those that only some read."""
    given, aligners = experiment.given(), experiment.values("aligner")
    for axis in (axis for axis in ALIGNER_AXES if axis in given):
        readers = [name for name, entry in ALIGNERS.items() if axis in entry.axes]
        ignoring = [name for name in aligners if name not in readers]
        if len(ignoring) == len(aligners):
            findings.mistake(
                (*key, axis),
                f"{' and '.join(ignoring)} would ignore it",
                f"leave it out, or use the aligner {' or '.join(readers)}",
            )
        elif ignoring:
            findings.remark((*key, axis), f"{' and '.join(ignoring)} would ignore it")
    undirected = [name for name in aligners if not ALIGNERS[name].directed]
    if "symmetrization" in given and undirected:
        findings.remark(
            (*key, "symmetrization"),
            f"{' and '.join(undirected)} would ignore it: its links have no direction",
        )


def check_axis(key: Key, values: list[Any], segmenters: list[str], findings: Findings) -> None:
    """Refuse an axis that none of the segmenters reads; add a remark if only some read it."""
    axis = key[-1]
    if axis in ("segmenter", *CORPUS) or all(changes_nothing(axis, value) for value in values):
        return
    ignoring = [name for name in dict.fromkeys(segmenters) if axis not in SEGMENTERS[name].axes]
    if len(ignoring) == len(set(segmenters)):
        readers = [name for name, entry in SEGMENTERS.items() if axis in entry.axes]
        findings.mistake(
            key,
            f"{' and '.join(ignoring)} would ignore it",
            f"leave it out, or use the segmenter {' or '.join(readers)}",
        )
    # Not for words, which never read any axis.
    elif others := [name for name in ignoring if name != "words"]:
        findings.remark(key, f"{' and '.join(others)} would ignore it")


def check_sizes(key: Key, given: Mapping[str, Any], findings: Findings) -> None:
    """Refuse a model whose size is set twice: by `merges` and by `vocabulary`.

    Args:
        key: the key of the mapping that sets axes.
        given: the axes that the mapping sets, each to one value or a list.
        findings: collects mistakes and remarks.
    """
    sizes = given.get("vocabulary")
    if "merges" in given and None not in (sizes if isinstance(sizes, list) else [sizes]):
        message = "a number of merges together with the size of the vocabulary"
        findings.mistake((*key, "merges"), message, "leave one of the two out")


def _size(experiment: ExperimentKeys, pairs: int) -> int:
    """The number of combinations of values of an experiment."""
    values = [experiment.values(axis) for axis in (*SIDE_AXES, *CELL_AXES)]
    for own in (experiment.source, experiment.target):
        values += own.given().values() if own else []
    return pairs * prod(map(len, values))

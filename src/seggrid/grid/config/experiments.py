"""The config's experiments and the options of its aligners, from the table of axes and the aligners; and the
check of experiments: combinations that cannot run, and settings without effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from seggrid.align import ALIGNERS, gives_probabilities, without_posteriors
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, suggestion
from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, NOT_AGGREGATED, SIDE_AXES
from seggrid.grid.cell import Cell, cells_of
from seggrid.grid.config.keys import Keyed, Keys, axes
from seggrid.grid.config.read import ConfigFindings, Key
from seggrid.grid.config.values import value_of
from seggrid.score.votes import is_posterior
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import changes_nothing
from seggrid.segment.side import CORPUS, Side
from seggrid.segment.variants import parse_knockout
from seggrid.text.sides import SIDES

if TYPE_CHECKING:
    from seggrid.grid.config import Config

MAX_CELLS = 200_000
"""The most combinations of values that all experiments together may ask for."""


def _values(axis: Axis[Any]) -> Any:
    """The type of a key that has one value of an axis or a list of them."""
    one_or_more: Any = OneOrMore
    return Annotated[one_or_more[value_of(axis)], Field(min_length=1, max_length=1000)]


def _default(axis: Axis[Any]) -> Any:
    """The field of a key with the default of an axis, which the schema spells as a config does, unless it
    depends on the aligner (`Experiment.usual`)."""
    default = axis.default if isinstance(axis.default, list) else [axis.default]
    said: dict[str, Any] = {"default": [axis.plain(value) for value in default]}
    description = axis.description
    if usual := _usual(axis.name):
        said, description = {}, f"{description} {usual}"
    return Field(default_factory=default.copy, description=description, json_schema_extra=said)


def _usual(axis: str) -> str:
    """A sentence on the value of an axis that is not set, if that depends on the aligner."""
    by_value: dict[str, list[str]] = {}
    for name, entry in ALIGNERS.items():
        if axis in entry.usual:
            by_value.setdefault(entry.usual[axis], []).append(name)
    said = [f"`{value}` for {' and '.join(names)}" for value, names in by_value.items()]
    if sum(map(len, by_value.values())) == len(ALIGNERS):
        said[0] = f"`{next(iter(by_value))}`"
    return f"By default, {'; '.join(said)}." if said else ""


def one_value(*without: str) -> Keys:
    """Keys with one value for all axes of a segmentation but some."""
    return {
        name: (value_of(axis) | None, Field(None, description=axis.description))
        for name, axis in axes().items()
        if name not in (*without, *CELL_AXES)
    }


class AxisKeys(Keyed):
    """A group of settings with axes as keys, each of which has one value, or a list of values."""

    def values(self, axis: str) -> list[Any]:
        """The values of an axis; an empty list if it is not set."""
        return getattr(self, axis, None) or []

    def given(self) -> dict[str, Any]:
        """The axes that are set, in the order of the table of axes, with their values."""
        return {axis: getattr(self, axis) for axis in axes() if axis in self.model_fields_set}


class SideAxes(AxisKeys):
    """Axes of one side only, over those of the experiment."""

    @classmethod
    def keys(cls) -> Keys:
        return {
            name: (_values(axis), Field(None, description=axis.description))
            for name, axis in axes().items()
            if not axis.shared and name not in CELL_AXES
        }


class Experiment(AxisKeys):
    """A sub-grid. Every axis is one value or a list of values."""

    pairs: Annotated[OneOrMore[str], Field(min_length=1)] | None = None
    """Which pairs; by default, all."""

    source: SideAxes | None = None
    target: SideAxes | None = None

    @classmethod
    def keys(cls) -> Keys:
        return {name: (_values(axis), _default(axis)) for name, axis in axes().items()}

    def usual(self, aligner: str) -> dict[str, Any]:
        """The values that cells of an aligner have for axes that are not set, where they are not the axes'
        defaults. Tokenizers from elsewhere were made for text in its own case. If symmetrization is set, it
        is meant to have an effect, which it has not on probabilities."""
        usual = dict(ALIGNERS[aligner].usual)
        groups = filter(None, (self, self.source, self.target))
        if any(SEGMENTERS[name].outside for group in groups for name in group.values("segmenter")):
            usual["case"] = "keep"
        if "symmetrization" in self.model_fields_set:
            usual.pop("aggregate", None)
        return {axis: usual[axis] for axis in usual if axis not in self.model_fields_set}

    def side(self, name: str) -> SideAxes | None:
        """The axes that one side sets for itself."""
        return self.source if name == "source" else self.target


class Aligners(Keyed):
    """Options of the aligners, which hold for all cells."""

    @classmethod
    def keys(cls) -> Keys:
        options = {name: entry.settings for name, entry in ALIGNERS.items()}
        return {
            name: (kind, Field(default_factory=kind, description=kind.__doc__))
            for name, kind in options.items()
        }

    def options(self, aligner: str) -> dict[str, Any]:
        """The options of an aligner, as keywords."""
        options: Settings = getattr(self, aligner)
        return options.model_dump(exclude_none=True)


def check_experiments(config: Config, findings: ConfigFindings) -> None:
    """Check the values of each experiment against one another and against the pairs."""
    total = 0
    for name, experiment in config.experiments.items():
        key = ("experiments", name)
        pairs = experiment.pairs or list(config.pairs)
        for pair in pairs:
            findings.unknown((*key, "pairs"), "pair", pair, config.pairs)
        check_read(experiment, key, findings)
        total += _size(experiment, len(pairs))
        if total > MAX_CELLS:
            message = f"more than {MAX_CELLS:,} combinations of values"
            findings.mistake(key, message, "give fewer values an axis")
            return
        # Whether a side is possible does not depend on any other axis.
        first = {axis: experiment.values(axis)[:1] for axis in CELL_AXES if axis != "sides"}
        known = [pair for pair in pairs if pair in config.pairs]
        cells = list(dict.fromkeys(cells_of(experiment.model_copy(update=first), known)))
        _check_joint(cells, key, findings)
        sides = dict.fromkeys(
            (cell.pair, name, cell.side(name)) for cell in cells for name in SIDES
        )
        for pair, which, side in sides:
            groups = [(*key, which), key] if experiment.side(which) else [key]
            _check_side(config, (pair, which), side, groups, findings)


def _check_joint(cells: Sequence[Cell], key: Key, findings: ConfigFindings) -> None:
    """Refuse two different joint models in one cell: both would be learned from the same texts."""
    for source, target in ((cell.source, cell.target) for cell in cells):
        if source.joint and target.joint and source.model_spec != target.model_spec:
            findings.mistake(
                (*key, "joint"),
                f"two models, {source.model_spec} and {target.model_spec}",
                "give both sides the same learner, size, case and spaces, or leave joint out",
            )
            return


def _check_side(
    config: Config,
    text: tuple[str, str],
    side: Side,
    groups: Sequence[Key],
    findings: ConfigFindings,
) -> None:
    """Refuse a combination of values that cannot run, of the side of a pair that `text` names. `groups` are
    the keys of the mappings that may set its axes, the inner one first."""
    pair, name = text
    registered = SEGMENTERS[side.segmenter]
    for axis, message, hint in registered.conflicts(side):
        findings.mistake(findings.setting(axis, groups), message, hint)
    # A joint model is learned from both sides.
    if (name == "target" or side.joint) and config.pairs[pair].target is None:
        hint = f"add pairs.{pair}.target; only a text whose morphology is evaluated needs none"
        findings.mistake(("pairs", pair), "no target", hint)
    own, registered = config.pairs[pair].side(name), SEGMENTERS[side.segmenter]
    try:
        registered.check_language(own.language)
    except InputError as error:
        message = f"{side.segmenter} has {error.message}"
        findings.mistake(("pairs", pair, name), message, error.hint)
    if registered.outside:
        known, named = list(own.tokenizers), f"pairs.{pair}.{name}.tokenizers"
        if side.tokenizer == "none":
            findings.mistake(
                findings.setting("segmenter", groups),
                f"{side.segmenter} needs the name of a tokenizer",
                f"add tokenizer: NAME, and the file under {named}",
            )
        elif side.tokenizer is not None and side.tokenizer not in known:
            message = f"no tokenizer {side.tokenizer!r} for the {name} side of {pair}"
            hint = suggestion(side.tokenizer, known) or f"add {named}.{side.tokenizer}"
            findings.mistake(findings.setting("tokenizer", groups), message, hint)
    if side.pruned and own.morphemes is None:
        needy = {"dropout_weight": side.dropout_weight == "blame"}
        variant = parse_knockout(side.knockout or "none")
        needy["knockout"] = variant.needs_reference and variant.method != "dropout"
        for axis in (axis for axis, needs in needy.items() if needs):
            findings.mistake(
                findings.setting(axis, groups),
                f"{getattr(side, axis)} needs the morphemes of the {name} side of {pair}",
                f"add pairs.{pair}.{name}.morphemes",
            )


def check_segmentation(
    config: Config,
    text: tuple[str, str],
    side: Side,
    given: Mapping[str, Any],
    key: Key,
    findings: ConfigFindings,
) -> None:
    """Check a segmentation of a pair's text, with one value an axis, of which the key sets those `given`."""
    for axis, value in given.items():
        _check_axis((*key, axis), [value], [side.segmenter], findings)
    _check_sizes(key, given, findings)
    _check_side(config, text, side, [key], findings)


_OTHER_SIZE = {"merges": "vocabulary", "vocabulary": "merges"}
"""The two ways to set a size: a side that sets one does not inherit the other."""


def check_read(experiment: Experiment, key: Key, findings: ConfigFindings) -> None:
    """Refuse axes that are set but have no effect, since the user must have meant something else."""
    segmented = experiment.values("sides")
    own = {name: given for name in SIDES if (given := experiment.side(name))}
    sides = [name for name in SIDES if "both" in segmented or name in segmented]
    segmenters = {
        name: (own[name].values("segmenter") if name in own else [])
        or experiment.values("segmenter")
        for name in sides
    }
    groups: dict[Key, AxisKeys] = {key: experiment}
    groups |= {(*key, name): given for name, given in own.items()}
    for where, group in groups.items():
        _check_sizes(where, group.given(), findings)
    for axis, values in experiment.given().items():
        if axis in SIDE_AXES:
            alike = (axis, _OTHER_SIZE.get(axis, axis))
            heirs = [n for n in sides if n not in own or not any(map(own[n].values, alike))]
            if heirs:
                used = [segmenter for name in heirs for segmenter in segmenters[name]]
                _check_axis((*key, axis), values, used, findings)
            else:
                findings.remark((*key, axis), "has no effect: source and target each set their own")
    for name, group in own.items():
        for axis, values in group.given().items():
            if name in sides:
                _check_axis((*key, name, axis), values, segmenters[name], findings)
            elif axis != "case":
                findings.mistake(
                    (*key, name, axis),
                    f"the {name} stays words, since sides is {' and '.join(segmented)}",
                    "leave it out, or use sides: both",
                )
    _check_effects(key, {k: g for k, g in groups.items() if k == key or k[-1] in sides}, findings)
    _check_aligners(experiment, key, findings)


def _check_effects(key: Key, groups: Mapping[Key, AxisKeys], findings: ConfigFindings) -> None:
    """Add remarks on settings without effect since another axis is neutral, as samples without dropout; and
    refuse several samples that nothing combines."""
    working = {
        axis
        for axis in SIDE_AXES
        for group in groups.values()
        if not all(changes_nothing(axis, value) for value in group.values(axis))
    }
    for where, group in groups.items():
        for axis in group.given():
            needed = SIDE_AXES[axis].needs if axis in SIDE_AXES else None
            if needed is not None and needed not in working:
                findings.remark((*where, axis), f"has no effect without {needed}")
    random = [name for name, axis in SIDE_AXES.items() if axis.random]
    if not working.isdisjoint(random):
        samples = max(groups[key].values("samples"))
        if samples > 1 and NOT_AGGREGATED in groups[key].values("aggregate"):
            message = f"{NOT_AGGREGATED}, with {samples} samples"
            hint = "say how they are combined, or take 1 sample"
            findings.mistake((*key, "aggregate"), message, hint)
        return
    without, given = f"no effect without {' or '.join(random)}", groups[key].given()
    if "samples" in given:
        findings.remark((*key, "samples"), f"has {without}")
    aggregates = given.get("aggregate", [])
    votes = [v for v in aggregates if not (is_posterior(v) or v == NOT_AGGREGATED)]
    if votes:
        what = "has" if len(votes) == len(aggregates) else f"{', '.join(votes)}: has"
        findings.remark((*key, "aggregate"), f"{what} {without}")


def _check_aligners(experiment: Experiment, key: Key, findings: ConfigFindings) -> None:
    """Refuse axes, and thresholds on probabilities, that no aligner reads; remark on what only some read."""
    given, names = experiment.given(), experiment.values("aligner")
    for axis in (axis for axis in ALIGNER_AXES if axis in given):
        readers = [name for name, entry in ALIGNERS.items() if axis in entry.axes()]
        _check_readers((*key, axis), names, readers, "aligner", findings)
    posteriors = [value for value in experiment.values("aggregate") if is_posterior(value)]
    for name in names:
        if posteriors and not gives_probabilities(name):
            message, hint = without_posteriors(name)
            findings.mistake((*key, "aggregate"), f"{posteriors[0]}: {message}", hint)
    place = (*key, "symmetrization")
    if posteriors and len(set(experiment.values("symmetrization"))) > 1:
        message = f"has no effect on {posteriors[0]}, which joins directions by itself"
        findings.remark(place, message)
    undirected = " and ".join(name for name in names if not ALIGNERS[name].directed)
    if "symmetrization" in given and undirected:
        findings.remark(place, f"{undirected} would ignore it: its links have no direction")
    if max(experiment.values("replicates")) > 1 and not any(ALIGNERS[n].random for n in names):
        message = f"has no effect: {' and '.join(names)} gives the same links again"
        findings.remark((*key, "replicates"), message)


def _check_axis(
    key: Key, values: list[Any], segmenters: list[str], findings: ConfigFindings
) -> None:
    """Refuse an axis that none of the segmenters reads; add a remark if only some read it."""
    axis = key[-1]
    if axis in ("segmenter", *CORPUS) or all(changes_nothing(axis, value) for value in values):
        return
    readers = [name for name, entry in SEGMENTERS.items() if axis in entry.axes]
    _check_readers(key, segmenters, readers, "segmenter", findings)


def _check_readers(
    key: Key, used: Sequence[str], readers: Sequence[str], what: str, findings: ConfigFindings
) -> None:
    """Refuse an axis that none of the used segmenters or aligners reads; add a remark if only some do."""
    ignoring = [name for name in dict.fromkeys(used) if name not in readers]
    if len(ignoring) == len(set(used)):
        hint = f"leave it out, or use the {what} {' or '.join(readers)}"
        findings.mistake(key, f"{' and '.join(ignoring)} would ignore it", hint)
    # Not for words, which never read any axis.
    elif others := [name for name in ignoring if name != "words"]:
        findings.remark(key, f"{' and '.join(others)} would ignore it")


def _check_sizes(key: Key, given: Mapping[str, Any], findings: ConfigFindings) -> None:
    """Refuse a mapping that sets the size of a model twice, by `merges` and by `vocabulary`."""
    sizes = given.get("vocabulary")
    if "merges" in given and None not in (sizes if isinstance(sizes, list) else [sizes]):
        message = "a number of merges together with the size of the vocabulary"
        findings.mistake((*key, "merges"), message, "leave one of the two out")


def _size(experiment: Experiment, pairs: int) -> int:
    """The number of combinations of values of an experiment."""
    values = [experiment.values(axis) for axis in (*SIDE_AXES, *CELL_AXES)]
    for own in (experiment.source, experiment.target):
        values += own.given().values() if own else []
    return pairs * prod(map(len, values))

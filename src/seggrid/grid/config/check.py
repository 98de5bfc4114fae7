"""Check a config: all that can be known to be wrong without opening the files that it names.

Every mistake is one line with file, line, key and a hint, and all of them are told together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from seggrid.align import ALIGNERS
from seggrid.data.settings import mistakes, suggestion
from seggrid.errors import InputError, InputErrors
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.cells import cells_of
from seggrid.grid.config.models import Config, Experiment, Morphology
from seggrid.grid.config.read import Node, Source, from_plain
from seggrid.morphology.variants import parse_knockout
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side

MAX_CELLS = 200_000
"""Combinations of values that the experiments may ask for, all together."""

MAX_MISTAKES = 50
"""Mistakes that are told at once."""

Key = tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A config that fits the models.

    Attributes:
        values: all keys, with lists for single values of axes and every default filled in; an optional
            key without a value is left out.
        remarks: what is allowed but may not be meant, a line each.
    """

    values: dict[str, Any]
    remarks: tuple[str, ...] = ()


def check_config(source: Source | Mapping[str, Any]) -> Checked:
    """Check a config and fill it in.

    Args:
        source: what `read_config` read; or plain values, for which no lines can be named.

    Raises:
        InputErrors: all mistakes, in the order of files and lines.
    """
    if not isinstance(source, Source):
        source = Source(from_plain(source))
    checking = _Checking(source)
    checked = checking.run()
    if checking.found:
        found = checking.by_line(checking.found)
        if len(found) > MAX_MISTAKES:
            more = f"and {len(found) - MAX_MISTAKES:,} more mistakes"
            found[MAX_MISTAKES:] = [InputError(more, file=found[MAX_MISTAKES].file)]
        raise InputErrors(found)
    return checked


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """The folder that stands in for downloads, if one is given."""
    folder = os.environ.get("SEGGRID_MIRROR") or config["mirror"]
    return Path(folder) if folder else None


class _Checking:
    """One config's mistakes and remarks, while they are collected."""

    def __init__(self, source: Source) -> None:
        self.root = source.root
        self.order = {file: position for position, file in enumerate(source.files)}
        self.found = {str(error): error for error in source.mistakes}
        self.remarks: dict[str, InputError] = {}
        self.known = {(error.file, error.line) for error in source.mistakes}

    def by_line(self, errors: Mapping[str, InputError]) -> list[InputError]:
        """In the order of files and lines."""
        return sorted(
            errors.values(),
            key=lambda error: (self.order.get(str(error.file), len(self.order)), error.line or 0),
        )

    def mistake(self, key: Key, message: str, hint: str | None = None) -> None:
        error = self.error(key, message, hint)
        self.found.setdefault(str(error), error)

    def remark(self, key: Key, message: str) -> None:
        remark = self.error(key, message, None)
        self.remarks.setdefault(str(remark), remark)

    def error(self, key: Key, message: str, hint: str | None) -> InputError:
        node = self.root.at(key)
        where = ".".join(key)
        return InputError(
            f"{where}: {message}" if where else message, file=node.file, line=node.line, hint=hint
        )

    def run(self) -> Checked | None:
        """All checks. Entries that do not fit the models are left out of those that follow."""
        values = self.root.plain()
        broken = set(self.check_nulls(self.root, ()))
        for key in broken:
            _remove(values, key)
        names = list(values["pairs"]) if isinstance(values.get("pairs"), dict) else []
        try:
            config = Config.model_validate(values)
        except ValidationError as error:
            # What is wrong a thousand times over needs no more.
            for wrong in islice(mistakes(error, Config, self.written), 1000):
                broken.add(wrong.path)
                node = self.root.at(wrong.path)
                if (node.file, node.line) not in self.known:
                    self.mistake(wrong.path, wrong.message, wrong.hint)
            config = self.without(values, broken)
        self.check_urls(values)
        if config is None:
            return None
        self.check_experiments(config, names)
        for name, entry in config.morphology.items():
            self.check_morphology(name, entry, names)
        self.check_names(config)
        return Checked(
            config.model_dump(exclude_none=True), tuple(map(str, self.by_line(self.remarks)))
        )

    def written(self, path: Sequence[str | int]) -> str | None:
        node = self.root.at(path)
        return node.text if not isinstance(node.value, str | dict | list) and node.text else None

    def check_nulls(self, node: Node, key: Key) -> Iterator[Key]:
        """Refuse keys without a value; what is to be left out is yielded."""
        if isinstance(node.value, dict):
            for name, inner in node.value.items():
                yield from self.check_nulls(inner, (*key, name))
        elif isinstance(node.value, list):
            for inner in node.value:
                yield from self.check_nulls(inner, key)
        elif node.value is None:
            empty = len(key) == 2 and key[0] == "experiments"
            self.mistake(
                key,
                "no value",
                f"write {key[-1]}: {{}} for the defaults"
                if empty
                else "give it one, or leave it out",
            )
            yield key

    def without(self, values: dict[str, Any], broken: set[Key]) -> Config | None:
        """The config without the entries that hold mistakes; None where too little is left."""
        for key in broken:
            named = key[:1] in (("pairs",), ("experiments",), ("morphology",))
            _remove(values, key[: 2 if named else 1])
        for key in ("pairs", "experiments"):
            if not isinstance(values.get(key), dict):
                values[key] = {}
        try:
            return Config.model_validate(values)
        except ValidationError:
            return None

    def check_urls(self, values: dict[str, Any]) -> None:
        """One URL stands for one file."""
        seen: dict[str, tuple[Key, str]] = {}
        for key, entry in _downloads(values, ()):
            url, digest = entry["url"], str(entry["sha256"]).lower()
            first, known = seen.setdefault(url, (key, digest))
            if digest != known:
                node = self.root.at(first)
                self.mistake(
                    key,
                    f"{url} with another sha256 than in line {node.line} ({'.'.join(first)})",
                    "one URL is one file: correct one of the two",
                )

    def check_names(self, config: Config) -> None:
        """Names of which files are made must not make the same file."""
        for section in ("pairs", "experiments"):
            if not getattr(config, section) and not self.found:
                example = {"pairs": "eng-deu: {…}", "experiments": "bpe: {merges: 1000}"}[section]
                self.mistake((section,), "nothing is named", f"write {section}: {{{example}}}")
        for name in config.morphology:
            other = name.removesuffix(".figures")
            if other != name and other in config.morphology:
                self.mistake(
                    ("morphology", name),
                    f"its table would be the file of the figures of {other}",
                    "rename one of the two",
                )

    # Experiments

    def check_experiments(self, config: Config, names: list[str]) -> None:
        """What the values of an experiment mean together, and beside the pairs."""
        total = 0
        for name, experiment in config.experiments.items():
            key = ("experiments", name)
            wanted = names if experiment.pairs is None else experiment.pairs
            for pair in wanted:
                if names and pair not in names:
                    self.mistake((*key, "pairs"), f"no pair {pair!r}", suggestion(pair, names))
            self.check_read(experiment, key)
            total += _size(experiment, len(wanted))
            if total > MAX_CELLS:
                self.mistake(
                    key,
                    f"more than {MAX_CELLS:,} combinations of values",
                    "give fewer values an axis",
                )
                return
            pairs = [pair for pair in wanted if pair in config.pairs]
            # No other axis matters to what a side can be.
            values = experiment.model_dump(exclude_none=True)
            values |= {axis: values[axis][:1] for axis in CELL_AXES if axis != "sides"}
            sides = {
                (cell.pair, name, getattr(cell, name)): None
                for cell in cells_of(values, pairs)
                for name in ("source", "target")
            }
            for pair, name, side in sides:
                self.check_side(config, key, pair, name, side)

    def check_side(self, config: Config, key: Key, pair: str, name: str, side: Side) -> None:
        """Refuse a combination of values that nothing can run."""

        def where(axis: str) -> Key:
            own = self.root.at(key).value.get(name)
            return (*key, name, axis) if own and axis in own.value else (*key, axis)

        if side.application == "replace" and side.dropout_kind == "occurrence":
            self.mistake(
                where("application"),
                "replace knows no single occurrences to drop",
                "use dropout_kind: merge, or application: rank",
            )
        if not side.pruned:
            return
        variant = parse_knockout(side.knockout)
        if variant.method == "dropout":
            self.mistake(
                where("knockout"),
                f"{side.knockout} is a rate of dropout, no pruned model",
                "use it under morphology, or the axis dropout here",
            )
        elif variant.needs_reference and getattr(config.pairs[pair], name).morphemes is None:
            self.mistake(
                where("knockout"),
                f"{side.knockout} needs the morphemes of the {name} side of {pair}",
                f"add pairs.{pair}.{name}.morphemes",
            )

    def check_read(self, experiment: Experiment, key: Key) -> None:
        """Refuse axes that are set but change nothing: what was meant is not what would run."""
        sides = {
            name: getattr(experiment, name)
            for name in ("source", "target")
            if "both" in experiment.sides or name in experiment.sides
        }
        segmenters = {
            name: (own.segmenter if own else None) or experiment.segmenter
            for name, own in sides.items()
        }
        for axis in (name for name in SIDE_AXES if name in experiment.model_fields_set):
            inheriting = [
                name for name, own in sides.items() if not own or getattr(own, axis) is None
            ]
            used = [segmenter for name in inheriting for segmenter in segmenters[name]]
            if not inheriting:
                self.remark((*key, axis), "has no effect: source and target each set their own")
            else:
                self.check_axis((*key, axis), getattr(experiment, axis), used)
        for name in ("source", "target"):
            own = getattr(experiment, name)
            for axis in (name for name in SIDE_AXES if own and name in own.model_fields_set):
                if name in sides:
                    self.check_axis((*key, name, axis), getattr(own, axis), segmenters[name])
                elif axis != "case":
                    self.mistake(
                        (*key, name, axis),
                        f"the {name} stays words, since sides is {' and '.join(experiment.sides)}",
                        "leave it out, or use sides: both",
                    )
        rates = [*experiment.dropout]
        for own in sides.values():
            rates += (own and own.dropout) or []
        if not any(map(_is_above_zero, rates)):
            for axis in ("dropout_kind", "samples", "aggregate"):
                if axis in experiment.model_fields_set:
                    self.remark((*key, axis), "has no effect without dropout")
        same = not any(ALIGNERS[aligner].random for aligner in experiment.aligner)
        if same and max(experiment.replicates) > 1:
            aligners = " and ".join(experiment.aligner)
            self.remark(
                (*key, "replicates"), f"has no effect: {aligners} gives the same links again"
            )

    def check_axis(self, key: Key, values: list[Any], segmenters: list[str]) -> None:
        """Refuse an axis that none of the segmenters reads, remark on one that some do not."""
        axis = key[-1]
        if axis in ("segmenter", "case") or all(_changes_nothing(axis, value) for value in values):
            return
        deaf = [name for name in dict.fromkeys(segmenters) if axis not in SEGMENTERS[name].axes]
        if len(deaf) == len(set(segmenters)):
            readers = [name for name, entry in SEGMENTERS.items() if axis in entry.axes]
            self.mistake(
                key,
                f"{' and '.join(deaf)} would ignore it",
                f"leave it out, or use the segmenter {' or '.join(readers)}",
            )
        # That words are not segmented goes without saying.
        elif others := [name for name in deaf if name != "words"]:
            self.remark(key, f"{' and '.join(others)} would ignore it")

    # Morphology

    def check_morphology(self, name: str, entry: Morphology, pairs: list[str]) -> None:
        """What the keys of an evaluation mean together."""
        key = ("morphology", name)
        if (entry.tokenizer is None) == (entry.learned is None):
            both = entry.learned is not None
            self.mistake(
                key,
                "both tokenizer and learned" if both else "neither tokenizer nor learned",
                "keep one of them" if both else "add learned: {pair: …, side: …, merges: …}",
            )
        if entry.tokenizer is not None:
            files = entry.tokenizer
            here = (*key, "tokenizer")
            if files.merges is None and files.tokenizer is None:
                hint = (
                    "add merges, or give tokenizer"
                    if files.vocabulary
                    else "give merges and vocabulary, or tokenizer"
                )
                self.mistake(here, "no file of merges and no tokenizer.json", hint)
            elif files.tokenizer is not None and (files.merges or files.vocabulary):
                self.mistake(
                    here, "tokenizer holds merges and vocabulary itself", "leave the others out"
                )
        if entry.learned is not None and pairs and entry.learned.pair not in pairs:
            pair = entry.learned.pair
            self.mistake((*key, "learned", "pair"), f"no pair {pair!r}", suggestion(pair, pairs))
        for knockout in entry.knockout:
            if parse_knockout(knockout).tokens and entry.reference.frequencies is None:
                self.mistake(
                    (*key, "knockout"),
                    f"{knockout} needs the frequencies of words",
                    f"add morphology.{name}.reference.frequencies, "
                    f"or use {knockout.removesuffix('-tokens')}",
                )


def _remove(values: dict[str, Any], key: Key) -> None:
    inner: Any = values
    for step in key[:-1]:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if key and isinstance(inner, dict):
        inner.pop(key[-1], None)


def _downloads(value: Any, key: Key) -> Iterator[tuple[Key, dict[str, Any]]]:
    if isinstance(value, dict):
        if isinstance(value.get("url"), str) and "sha256" in value:
            yield key, value
        for name, inner in value.items():
            yield from _downloads(inner, (*key, name))


def _size(experiment: Experiment, pairs: int) -> int:
    """How many combinations of values an experiment has."""
    axes = [getattr(experiment, axis) for axis in (*SIDE_AXES, *CELL_AXES)]
    for own in (experiment.source, experiment.target):
        axes += [getattr(own, axis) or [None] for axis in SIDE_AXES] if own else []
    return pairs * prod(map(len, axes))


def _changes_nothing(axis: str, value: Any) -> bool:
    """Whether a value says what a segmenter that does not read the axis does anyway."""
    neutral = True if axis == "spaces" else SIDE_AXES[axis].neutral
    return neutral is not None and SIDE_AXES[axis].exact(value) == neutral


def _is_above_zero(rate: Any) -> bool:
    return SIDE_AXES["dropout"].exact(rate) > 0

"""The grid of a config: its cells, and what follows from them: groups, segmentations, parts, the table."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write
from seggrid.grid.axes import STAGES, path
from seggrid.grid.cell import Cell, expand
from seggrid.grid.config import Config, ConfigNode, check_config
from seggrid.grid.config.pairs import Morphemes, OutsideTokenizer, PairSide
from seggrid.grid.config.values import Download
from seggrid.grid.samples import ONE, Part, cover, first_parts, parts_in
from seggrid.segment import SEGMENTERS
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.side import Side
from seggrid.segment.variants import Knockout, parse_knockout
from seggrid.text.sides import BOTH, SIDES


@dataclass(frozen=True, eq=False)
class Segmented:
    """One segmentation of one side of a pair. `Grid` makes one object for each.

    Attributes:
        pair: name of the pair.
        side: `source`, `target`, or `both`, from which a joint model is learned.
        spec: how the side is segmented.
        config: the config, which names files from outside.
    """

    pair: str
    side: str
    spec: Side
    config: Config

    def path(self, stage: str, part: Part = ONE) -> str:
        """The file of this segmentation in a stage; if it is sampled, the file of one part of its samples."""
        own = part if self.spec.sampled else ONE
        return path(stage, pair=self.pair, side=self.side, spec=self.spec, part=own)

    def order(self) -> tuple[str, str, str]:
        """Sort key: pair, side, and spelling of the segmentation."""
        return self.pair, self.side, str(self.spec)

    @property
    def registered(self) -> type[Segmenter]:
        """The class of the segmenter."""
        return SEGMENTERS[self.spec.segmenter]

    @property
    def settings(self) -> PairSide:
        """The config of the text."""
        return self.config.pairs[self.pair].side(self.side)

    @cached_property
    def corpus(self) -> str:
        """The text that is segmented."""
        return self._text(self.side, self.spec)

    @property
    def whole_text(self) -> str:
        """The same text with all sentences."""
        return self._text(self.side, replace(self.spec, sentences=None))

    def _text(self, side: str, spec: Side) -> str:
        return path("corpus", pair=self.pair, side=side, spec=spec.spec("corpus"))

    @property
    def joint(self) -> list[str]:
        """The texts from which a joint model is learned, the source first; none if the model is not joint."""
        return [self._text(side, self.spec) for side in SIDES] if self.spec.joint else []

    @property
    def text(self) -> str:
        """The text as its segmenter reads it."""
        spec = self.spec.spec("corpus")
        annotated = path("tag", pair=self.pair, side=self.side, spec=spec)
        return annotated if self.registered.annotation else self.corpus

    @property
    def texts(self) -> list[str]:
        """The texts from which the model is learned."""
        return self.joint or [self.text]

    @property
    def given(self) -> str | Download | None:
        """The file that the segmenter learns with, if the config names one."""
        key = self.registered.given
        given: str | Download | None = getattr(self.settings, key) if key else None
        return given

    @property
    def tokenizer(self) -> OutsideTokenizer | None:
        """The tokenizer from elsewhere, if the segmenter is one."""
        return (
            self.settings.tokenizers[str(self.spec.tokenizer)] if self.registered.outside else None
        )

    @cached_property
    def learned(self) -> str | None:
        """The learned model before pruning, which several segmentations may share; None if there is none."""
        if not (self.spec.learns and self.spec.nested and self.spec.vocabulary is None):
            return self._learned(self.spec.merges)
        step = self.config.learn_merges
        return self._learned(max(1, -(-(self.spec.merges or 0) // step)) * step)

    def _learned(self, merges: int | None) -> str | None:
        side = BOTH if self.spec.joint else self.side
        spec = self.spec.spec("learn", learned=merges)
        return path("learn", pair=self.pair, side=side, spec=spec) if self.spec.learns else None

    @cached_property
    def model(self) -> str | None:
        """The model with which the text is segmented, pruned if the segmentation says so; None without
        one."""
        return self._pruned or self.learned

    @property
    def exact(self) -> str | None:
        """The same model with no more merges than the segmentation uses."""
        return self._pruned or self._learned(self.spec.merges)

    @property
    def _pruned(self) -> str | None:
        made = path("prune", pair=self.pair, side=self.side, spec=self.spec.spec("prune"))
        return made if self.spec.learns and self.spec.pruned else None

    @property
    def variant(self) -> Knockout:
        """How the model is pruned."""
        return parse_knockout(self.spec.knockout or "none")

    @property
    def morphemes(self) -> Morphemes | None:
        """The reference that pruning needs; None if it needs none."""
        needed = self.spec.dropout_weight == "blame" or self.variant.needs_reference
        return self.settings.morphemes if needed else None

    @property
    def seed(self) -> int:
        """The config's seed; 0 if nothing is drawn, so that a changed seed does not rerun the jobs."""
        return self.config.seed if self.spec.sampled else 0

    @property
    def prune_seed(self) -> int:
        """The config's seed; 0 if pruning is not random."""
        return self.config.seed if self.variant.is_random else 0


class Grid:
    """A checked config and its cells: `experiments` has them in the order of the tables, each with the names
    of its experiments; `remarks` are lines about settings that are probably not intended."""

    def __init__(self, config: ConfigNode | Mapping[str, Any]) -> None:
        self.config, self.remarks = check_config(config)
        self.experiments = expand(self.config)
        self._segmented: dict[tuple[str, str, Side], Segmented] = {}
        self._parts: dict[str, list[Part]] = {}

    @property
    def pairs(self) -> list[str]:
        """The pairs that have cells."""
        return sorted({cell.pair for cell in self.experiments})

    @cached_property
    def groups(self) -> dict[Cell, list[str]]:
        """For each group of cells that one job scores (see `Cell.group`), the aggregates of its cells."""
        groups: dict[Cell, list[str]] = {}
        for cell in self.experiments:
            groups.setdefault(cell.group, []).append(cell.aggregate)
        return groups

    def segmented(self, pair: str, side: str, spec: Side) -> Segmented:
        """The segmentation of one side of a pair; the same object for equal arguments."""
        key = (pair, side, spec)
        if key not in self._segmented:
            self._segmented[key] = Segmented(*key, self.config)
        return self._segmented[key]

    def both(self, cell: Cell) -> tuple[Segmented, Segmented]:
        """The segmentations of source and target of a cell."""
        source, target = (self.segmented(cell.pair, side, cell.side(side)) for side in SIDES)
        return source, target

    @cached_property
    def sides(self) -> list[Segmented]:
        """The segmentations of all cells."""
        return sorted(
            {own for cell in self.experiments for own in self.both(cell)}, key=Segmented.order
        )

    @cached_property
    def group_of(self) -> dict[str, Cell]:
        """By score file, the cell that represents all cells scored by that file's job (`Cell.group`)."""
        return {group.path("score"): group for group in self.groups}

    def parts(self, cell: Cell, replicate: int = 0) -> list[Part]:
        """The parts with the samples of a cell: files that exist, and new parts for the samples that they
        lack.

        They are planned together for all cells that use the alignment. If each cell planned its own, a part
        added for one cell would, at the next run, look like a changed input of another.
        """
        folder = _folder(cell, replicate)
        if folder not in self._parts:
            present = parts_in(folder, STAGES["align"].suffix)
            self._parts[folder] = cover(self._most_samples[folder], present, self.config.batch)
        return first_parts(self._parts[folder], cell.samples)

    def links(self, group: Cell) -> list[str]:
        """The files of links that a score job reads, one replicate after the other."""
        return [
            group.path("align", replicate=r, part=part)
            for r in range(group.replicates)
            for part in self.parts(group, r)
        ]

    @cached_property
    def _most_samples(self) -> dict[str, int]:
        most: dict[str, int] = {}
        for group in self.groups:
            for replicate in range(group.replicates):
                folder = _folder(group, replicate)
                most[folder] = max(group.samples, most.get(folder, 0))
        return most

    @cached_property
    def first_part(self) -> dict[Segmented, Part]:
        """For each segmentation, the part with its first sample; the shortest if there are several."""
        first: dict[Segmented, Part] = {}
        for group in self.groups:
            part = self.parts(group)[0]
            for own in self.both(group):
                first[own] = min(part, first.get(own, part))
        return first

    @cached_property
    def layers(self) -> dict[Segmented, set[int]]:
        """For each segmentation that is encoded, the layers whose vectors its cells need."""
        layers: dict[Segmented, set[int]] = {}
        for cell in self.experiments:
            if cell.layer is not None and cell.tuning != "self":
                for own in self.both(cell):
                    layers.setdefault(own, set()).add(cell.layer)
        return layers

    def named(self, experiments: Iterable[str], cells: Iterable[str] = ()) -> list[Cell]:
        """The cells of some experiments, and those with some names, in the order of the tables."""
        asked, names = {*experiments}, {*cells}
        found = self.experiments.items()
        return [cell for cell, own in found if asked & {*own} or str(cell) in names]

    def table(self) -> list[dict[str, Any]]:
        """The table of cells, a row for each: name, axes, experiments, names of the words cell and of the
        plain cell with which it is compared (empty if the latter is the cell itself), and files of its scores
        and measures."""
        return [
            {
                "cell": str(cell),
                **cell.columns(),
                "experiment": ";".join(names),
                "words_cell": str(cell.baseline()),
                "plain_cell": str(plain) if (plain := cell.plain()) != cell else "",
                "file": cell.path("score"),
                **{f"{own.side}_measures": own.path("measure") for own in self.both(cell)},
            }
            for cell, names in self.experiments.items()
        ]

    def write_table(self, file: str | Path) -> None:
        """Write the table as tab-separated values."""
        rows = self.table()
        with atomic_write(file) as out:
            writer = csv.DictWriter(out, rows[0], delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    @cached_property
    def digest(self) -> str:
        """A digest of the table, sixteen hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.table()).encode()).hexdigest()[:16]


def _folder(cell: Cell, replicate: int) -> str:
    return str(Path(cell.path("align", replicate=replicate, part=ONE)).parent)

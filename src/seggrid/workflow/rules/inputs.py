"""The inputs and parameters of rules: which files are made, and what each is made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS, ENCODING, read_alignment
from seggrid.data.sides import BOTH, SIDES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell
from seggrid.grid.config import Source
from seggrid.grid.config.models.pairs import Morphemes, OutsideTokenizer
from seggrid.grid.samples import Part, first_parts, parse_part, part_name
from seggrid.segment import SEGMENTERS
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import CORPUS, LEARN, PRUNE, Side, parse_spec
from seggrid.workflow.rules.inputs_of_morphology import OfMorphology
from seggrid.workflow.rules.inputs_of_tags import OfTags
from seggrid.workflow.rules.pair_files import PairFiles, plain_size
from seggrid.workflow.rules.sample_parts import SampleParts

NO_SAMPLES = part_name((0, 0))


class Inputs(PairFiles, OfTags, OfMorphology):
    """The inputs and parameters of every rule of a grid.

    Arguments and errors as in `seggrid.grid.grid.Grid`.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        super().__init__(config)
        self._sizes: dict[str, int] = {}

    @cached_property
    def _samples(self) -> SampleParts:
        return SampleParts(self.groups, self.config.batch)

    @cached_property
    def _groups_by_file(self) -> dict[str, Cell]:
        return {group.path("score"): group for group in self.groups}

    def score_files(self) -> list[str]:
        """The scores of every cell."""
        return list(self._groups_by_file)

    # Files from outside

    def published(self) -> list[str]:
        """The tables of published figures."""
        return [self.file(name) for name in self.config.published]

    def morphemes(self, pair: str, side: str, spec: str) -> str | None:
        """One side's morphological reference, or None if pruning does not need it."""
        values = parse_spec(spec)
        by_blame = values.dropout_weight == "blame"
        if not (by_blame or parse_knockout(values.knockout or "none").needs_reference):
            return None
        return self.file(self._morphemes(pair, side).file)

    def morphemes_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The pruning script's options for that reference."""
        file = self.morphemes(pair, side, spec)
        if file is None:
            return []
        return [f"--morphemes={file}", f"--format={self._morphemes(pair, side).format}"]

    def _morphemes(self, pair: str, side: str) -> Morphemes:
        found = self.config.pairs[pair].side(side).morphemes
        assert found is not None, "checked"
        return found

    # Resources of jobs

    def text_mb(self, wildcards: Mapping[str, str]) -> float:
        """Size of a job's input in MB: of a pair's text, both sides, or of the part of it that the job reads;
        of an evaluation's files from outside and the text of its model; or of the text of all pairs, if the
        job has no pair and no evaluation.
        """
        if "name" in wildcards.keys():  # noqa: SIM118
            learned = self.config.morphology[wildcards["name"]].learned
            files = self.morphology_files(wildcards["name"]).values()
            own = sum(Path(file).stat().st_size for file in files)
            return (own + (self._text_bytes(learned.pair) if learned else 0)) / 1e6
        pairs = [wildcards["pair"]] if "pair" in wildcards.keys() else self.pairs  # noqa: SIM118
        return self._share(wildcards) * sum(map(self._text_bytes, pairs)) / 1e6

    def _share(self, wildcards: Mapping[str, str]) -> float:
        """The share of a pair's text that a job reads: that of a slice or of a drawn sample, otherwise 1."""
        if "drawn" not in wildcards.keys():  # noqa: SIM118
            return 1
        held = int(wildcards["drawn"])
        if "lines" in wildcards.keys():  # noqa: SIM118
            first, last = parse_part(wildcards["lines"])
            held = last - first + 1
        return min(1, held / max(1, self.lines(wildcards["pair"])))

    def _text_bytes(self, pair: str) -> int:
        # Cached, since it is asked for by every job.
        if pair not in self._sizes:
            files = {file for side in SIDES for file in self.text_files(pair, side)}
            self._sizes[pair] = sum(map(plain_size, files))
        return self._sizes[pair]

    @staticmethod
    def samples(wildcards: Mapping[str, str]) -> int:
        """The number of samples that a job makes."""
        if "drawn" in wildcards.keys():  # noqa: SIM118
            return int(wildcards["samples"])
        if "part" not in wildcards.keys():  # noqa: SIM118
            return 1
        first, last = parse_part(wildcards["part"])
        return last - first + 1

    # Inputs of stages

    def corpus(self, pair: str, side: str, spec: str) -> str:
        """The text that is segmented."""
        return path("corpus", pair=pair, side=side, spec=parse_spec(spec).spec(CORPUS))

    def about(self) -> dict[str, Any]:
        """Facts about the run for the report: `title`, `seed`, and the `languages` of each pair's sides."""
        languages = {
            pair: {side: self.config.pairs[pair].side(side).language or side for side in SIDES}
            for pair in self.pairs
        }
        return {
            "title": self.config.report.title,
            "seed": self.config.seed,
            "languages": languages,
        }

    def corpora(self) -> list[str]:
        """All texts that are segmented for cells."""
        sides = {(c.pair, side, str(getattr(c, side))) for c in self.experiments for side in SIDES}
        return sorted({self.corpus(*side) for side in sides})

    def gold_files(self) -> list[str]:
        """The gold of every pair that has cells, as the gold jobs write it."""
        return [path("gold", pair=pair) for pair in self.pairs]

    def learned(self, merges: int) -> int:
        """Number of merges of the learned model that is used for `merges` merges: the next multiple of
        `learn_merges`."""
        step = self.config.learn_merges
        return max(1, -(-merges // step)) * step

    def learned_model(self, pair: str, side: str, spec: str, *, exact: bool = False) -> str:
        """The learned model of a segmentation, before pruning.

        Args:
            pair, side, spec: the segmentation.
            exact: whether it may have no more merges than the segmentation uses; by default, one model
                serves several segmentations.
        """
        values = parse_spec(spec)
        learned = values.merges
        if not exact and SEGMENTERS[values.segmenter].nested and values.vocabulary is None:
            learned = self.learned(values.merges or 0)
        own = BOTH if values.joint else side
        return path("learn", pair=pair, side=own, spec=values.spec(LEARN, learned=learned))

    def learned_from(self, pair: str, side: str, spec: str) -> list[str]:
        """The texts that a model is learned from: of a joint one those of both sides, the source first."""
        sides = SIDES if parse_spec(spec).joint else (side,)
        return [self.corpus(pair, name, spec) for name in sides]

    def joint_texts(self, pair: str, spec: str) -> list[str]:
        """The texts that a joint model is learned from; none where it is not joint."""
        return self.learned_from(pair, BOTH, spec) if parse_spec(spec).joint else []

    def model(self, pair: str, side: str, spec: str) -> str | None:
        """The model of a segmentation, or None if it has none."""
        values = parse_spec(spec)
        if not values.learns:
            return None
        if values.pruned:
            return path("prune", pair=pair, side=side, spec=values.spec(PRUNE))
        return self.learned_model(pair, side, spec)

    def tokenizer(self, pair: str, side: str, spec: str) -> str | None:
        """The file of a segmentation's tokenizer from elsewhere, or None if it has none."""
        values = parse_spec(spec)
        if not SEGMENTERS[values.segmenter].outside:
            return None
        return self.file(self._tokenizer(pair, side, spec).file)

    def _tokenizer(self, pair: str, side: str, spec: str) -> OutsideTokenizer:
        return self.config.pairs[pair].side(side).tokenizers[str(parse_spec(spec).tokenizer)]

    def model_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The scripts' options for the model of a segmentation: a learned model, a tokenizer, or none."""
        if file := self.tokenizer(pair, side, spec):
            return [
                f"--model={file}",
                f"--model-format={self._tokenizer(pair, side, spec).format}",
            ]
        model = self.model(pair, side, spec)
        return [f"--model={model}"] if model else []

    def segmentation(self, pair: str, side: str, spec: str, part: str) -> str:
        """One part of a side's samples; without dropout, the only part."""
        own = part if parse_spec(spec).sampled else NO_SAMPLES
        return path("segment", pair=pair, side=side, spec=spec, part=own)

    @staticmethod
    def measures(pair: str, side: str, spec: str) -> str:
        """The measures of one side's segmentation."""
        return path("measure", pair=pair, side=side, spec=spec)

    def measure_files(self) -> list[str]:
        """The measures of every segmentation."""
        return [self.measures(*side) for side in sorted(self._first_parts)]

    def first_sample(self, pair: str, side: str, spec: str) -> str:
        """The part of a side's samples with the first sample."""
        return self.segmentation(pair, side, spec, part_name(self._first_parts[pair, side, spec]))

    @cached_property
    def _first_parts(self) -> dict[tuple[str, str, str], Part]:
        """The part with the first sample of every side; the shortest if there are several."""
        first: dict[tuple[str, str, str], Part] = {}
        for group in self.groups:
            part = self._samples.planned(group, 0)[0]
            for side in SIDES:
                key = (group.pair, side, str(getattr(group, side)))
                first[key] = min(part, first.get(key, part))
        return first

    def prune_seed(self, spec: str) -> int:
        """The config's seed; 0 if pruning is not random, so that jobs do not rerun for another seed."""
        return (
            self.config.seed if parse_knockout(parse_spec(spec).knockout or "none").is_random else 0
        )

    def segment_seed(self, spec: str) -> int:
        """The config's seed; 0 if the segmentation is not random."""
        return self.config.seed if parse_spec(spec).sampled else 0

    def align_seed(self, aligner: str) -> int:
        """The config's seed; 0 if the aligner takes none."""
        return self.config.seed if ALIGNERS[read_alignment(aligner)[0]].seeded else 0

    def encoded(self, pair: str, side: str, spec: str, part: str) -> str:
        """The encoded tokens of one part of a side's samples; without dropout, of the only part."""
        own = part if parse_spec(spec).sampled else NO_SAMPLES
        return path("encode", pair=pair, side=side, spec=spec, part=own)

    def encoder(self) -> str:
        """The options of the encoder, as JSON."""
        return self.aligner_options(ENCODING)

    def layers(self, pair: str, side: str, spec: str) -> list[int]:
        """The layers that are kept of a side's encoded tokens; an empty list stands for all."""
        keep = self.config.aligner_options(ENCODING)["keep_layers"]
        return [] if keep == "all" else sorted(self._layers[pair, side, spec])

    @cached_property
    def _layers(self) -> dict[tuple[str, str, str], set[int]]:
        asked: dict[tuple[str, str, str], set[int]] = {}
        for cell in self.experiments:
            if cell.layer is not None:
                for side in SIDES:
                    where = (cell.pair, side, str(cell.side(side)))
                    asked.setdefault(where, set()).add(cell.layer)
        return asked

    def replicates(self, wildcards: Mapping[str, str]) -> list[list[str]]:
        """The files of links of each replicate, which a score job reads."""
        group = self._group(wildcards)
        return [self._samples.files(group, replicate) for replicate in range(group.replicates)]

    def parts_of(self, cell: Cell) -> list[str]:
        """The names of the parts with the samples of a cell, in its first replicate."""
        planned = self._samples.planned(cell.group, 0)
        return [part_name(part) for part in first_parts(planned, cell.samples)]

    def aggregates(self, wildcards: Mapping[str, str]) -> list[str]:
        """The aggregates that a score job makes."""
        return self.groups[self._group(wildcards)]

    def _group(self, wildcards: Mapping[str, str]) -> Cell:
        return self._groups_by_file[path("score", **wildcards)]

    def aligner_options(self, aligner: str) -> str:
        """The options in the config of the aligner that a part of a path names, as JSON."""
        return json.dumps(self.config.aligner_options(read_alignment(aligner)[0]), sort_keys=True)

    @staticmethod
    def segmenter_module(spec: str) -> str:
        """The module of a segmentation's segmenter."""
        return SEGMENTERS[parse_spec(spec).segmenter].module

    @staticmethod
    def learner_module(spec: str) -> str | None:
        """The module of a segmentation's learner."""
        return SEGMENTERS[parse_spec(spec).segmenter].learner

    @staticmethod
    def aligner_module(aligner: str) -> str:
        """The module of the aligner that a part of a path names."""
        return ALIGNERS[read_alignment(aligner)[0]].module

    @staticmethod
    def side(spec: str) -> Side:
        """The side that a part of a path names."""
        return parse_spec(spec)

"""The inputs and parameters of rules: which files there are to be, and what each is made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.corpus.digests import Digests
from seggrid.corpus.fetch import OutsideFiles
from seggrid.corpus.ids import side_with_ids
from seggrid.corpus.pair import pair_format, texts_in
from seggrid.corpus.text import Text
from seggrid.data.compressed import SUFFIXES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell
from seggrid.grid.cell_table import SIDES
from seggrid.grid.config import Source, mirror_folder
from seggrid.grid.grid import Grid
from seggrid.grid.samples import Part, parse_part, part_name
from seggrid.morphology.variants import parse_knockout
from seggrid.segment import AXES, SEGMENTERS
from seggrid.segment.side import CORPUS, LEARN, PRUNE, Side, parse_corpus_spec, parse_spec
from seggrid.workflow.inputs_of_tags import OfTags
from seggrid.workflow.sample_parts import SampleParts

DIGESTS = Path(".snakemake/seggrid/digests.json")
"""Where the digests of files from outside are remembered from one plan to the next."""

NO_SAMPLES = part_name((0, 0))

ENCODES = next(name for name, entry in ALIGNERS.items() if entry.encodes)
"""The aligner whose texts are encoded first."""


def _other(side: str) -> str:
    (other,) = (name for name in SIDES if name != side)
    return other


class Inputs(OfTags, Grid):
    """The inputs and parameters of every rule of a grid.

    Arguments and errors as in `seggrid.grid.grid.Grid`.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        super().__init__(config)
        self._outside = OutsideFiles(
            self.config["downloads"], mirror_folder(self.config), Digests(DIGESTS)
        )
        self._sizes: dict[str, int] = {}
        self._found: dict[tuple[str, str], tuple[Text, Text]] = {}

    @cached_property
    def _samples(self) -> SampleParts:
        return SampleParts(self.groups, self.config["batch"])

    @cached_property
    def _groups_by_file(self) -> dict[str, Cell]:
        return {group.path("score"): group for group in self.groups}

    def score_files(self) -> list[str]:
        """The scores of every cell."""
        return list(self._groups_by_file)

    # Files from outside

    def file(self, entry: str | Mapping[str, str]) -> str:
        """Where a file that the config names is: local, in the mirror, or downloaded."""
        return str(self._outside.locate(entry))

    def content(self, *files: str | None) -> str:
        """A digest of what files from outside hold: the parameter that says when a job reruns.

        Their times say nothing: a file may be replaced by an older one.
        """
        digests = [self._outside.sha256(file) for file in files if file]
        return f"content:{hashlib.sha256(' '.join(digests).encode()).hexdigest()[:32]}"

    def text(self, pair: str, side: str) -> Text:
        """One side's text, without what is for training alone."""
        return self._texts(pair, "text")[SIDES.index(side)]

    def training(self, pair: str, side: str) -> Text | None:
        """One side's further text, which has no gold; None where there is none."""
        settings = self.config["pairs"][pair]
        if "training" not in settings and "training" not in settings["source"]:
            return None
        return self._texts(pair, "training")[SIDES.index(side)]

    def text_files(self, pair: str, side: str) -> list[str]:
        """The files of both; and of the other side's, if what is empty there is left out here."""
        texts = [self.text(pair, side), self.training(pair, side)]
        if self.config["pairs"][pair]["empty_lines"] == "skip":
            texts += [self.text(pair, _other(side)), self.training(pair, _other(side))]
        return [str(file) for text in texts if text for file in text.files]

    def _texts(self, pair: str, key: str) -> tuple[Text, Text]:
        """The two sides of a pair's text, or of its training text."""
        if (pair, key) not in self._found:
            settings = self.config["pairs"][pair]
            bear = {key: settings[key] for key in ("control_characters", "empty_lines")}
            if key in settings:
                entries = settings[key]
                format = settings.get("format") or pair_format(_name_of(settings["text"][0]))
                files = entries if format == "moses" else [self.file(file) for file in entries]
                codes = [settings[side].get("code") for side in SIDES]
                self._found[pair, key] = texts_in(files, format, codes, **bear)
            else:
                source, target = (
                    Text(
                        tuple(self.file(file) for file in settings[side][key]),
                        settings[side]["format"],
                        **bear,
                    )
                    for side in SIDES
                )
                self._found[pair, key] = source, target
        return self._found[pair, key]

    def gold_texts(self, pair: str) -> list[Text]:
        """The texts that the gold is read with: both, if links outside them or gold of empty sentences
        is to be left out, else the one whose ids it uses, if there is one."""
        texts = [self.text(pair, side) for side in SIDES]
        settings = self.config["pairs"][pair]
        if settings["gold"]["bad_links"] == "drop" or settings["empty_lines"] == "skip":
            return texts
        side = side_with_ids(texts[0].format, texts[1].format)
        return [texts[SIDES.index(side)]] if side else []

    def gold_text_files(self, pair: str) -> list[str]:
        """Their files."""
        return [str(file) for text in self.gold_texts(pair) for file in text.files]

    def gold_arguments(self, pair: str) -> list[str]:
        """The gold script's arguments."""
        gold = self.config["pairs"][pair]["gold"]
        texts = [text.to_json() for text in self.gold_texts(pair)]
        return [
            f"--format={gold['format']}",
            f"--base={gold['base']}",
            *["--swapped"] * gold["swapped"],
            *(["--texts", *texts] if texts else []),
            f"--bad-links={gold['bad_links']}",
            f"--empty-lines={gold['empty_lines']}",
        ]

    def gold_of_selection(self, pair: str, corpus_spec: str) -> list[str]:
        """The gold that says what lines of a text are always kept; none where all are."""
        kept = parse_corpus_spec(corpus_spec).sentences
        return [] if kept is None else [path("gold", pair=pair)]

    def text_arguments(self, pair: str, side: str, corpus_spec: str) -> list[str]:
        """The corpus script's arguments: what is read, and what becomes of it."""
        arguments = []
        for name, texts in (("text", self.text), ("training", self.training)):
            for option, text in (
                (name, texts(pair, side)),
                (f"other-{name}", texts(pair, _other(side))),
            ):
                if text and (option == name or text.empty_lines == "skip"):
                    arguments.append(f"--{option}={text.to_json()}")
        kept = parse_corpus_spec(corpus_spec)
        arguments.append(f"--case={kept.case}")
        for gold in self.gold_of_selection(pair, corpus_spec):
            arguments += [f"--sentences={kept.sentences}", f"--gold={gold}"]
        return arguments

    def sentences(self, pair: str) -> list[int]:
        """How many sentences of a pair's text its cells keep, where not all, ascending."""
        sizes = {cell.source.sentences for cell in self.experiments if cell.pair == pair}
        return sorted(size for size in sizes if size is not None)

    def gold(self, pair: str) -> str:
        """A pair's gold links."""
        return self.file(self.config["pairs"][pair]["gold"]["file"])

    def published(self) -> list[str]:
        """The tables of published figures."""
        return [self.file(name) for name in self.config["published"]]

    def morphemes(self, pair: str, side: str, spec: str) -> str | None:
        """One side's morphological reference, or None where the pruning looks at none."""
        values = parse_spec(spec)
        by_blame = values.dropout_weight == "blame"
        if not (by_blame or parse_knockout(values.knockout).needs_reference):
            return None
        return self.file(self.config["pairs"][pair][side]["morphemes"]["file"])

    def morphemes_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The pruning script's options for that reference."""
        file = self.morphemes(pair, side, spec)
        if file is None:
            return []
        form = self.config["pairs"][pair][side]["morphemes"]["format"]
        return [f"--morphemes={file}", f"--format={form}"]

    # What jobs need

    def text_mb(self, wildcards: Mapping[str, str]) -> float:
        """Size of what a job reads, in MB: a pair's text, both sides; an evaluation's files from
        outside, and the text of the model that it takes; the text of all pairs where neither is named.
        """
        if "name" in wildcards.keys():  # noqa: SIM118
            learned = self.config["morphology"][wildcards["name"]].get("learned")
            files = self.morphology_files(wildcards["name"]).values()
            own = sum(Path(file).stat().st_size for file in files)
            return (own + (self._text_bytes(learned["pair"]) if learned else 0)) / 1e6
        pairs = [wildcards["pair"]] if "pair" in wildcards.keys() else self.pairs  # noqa: SIM118
        return sum(map(self._text_bytes, pairs)) / 1e6

    def _text_bytes(self, pair: str) -> int:
        # Every job asks for it.
        if pair not in self._sizes:
            files = {file for side in SIDES for file in self.text_files(pair, side)}
            self._sizes[pair] = sum(map(_plain_size, files))
        return self._sizes[pair]

    @staticmethod
    def samples(wildcards: Mapping[str, str]) -> int:
        """How many samples a job makes."""
        if "part" not in wildcards.keys():  # noqa: SIM118
            return 1
        first, last = parse_part(wildcards["part"])
        return last - first + 1

    # What each stage reads

    def corpus(self, pair: str, side: str, spec: str) -> str:
        """The text that a segmentation cuts."""
        return path("corpus", pair=pair, side=side, spec=parse_spec(spec).spec(CORPUS))

    def about(self) -> dict[str, Any]:
        """What the report says of the run: `title`, `seed`, and the `languages` of each pair's sides."""
        languages = {
            pair: {side: self.config["pairs"][pair][side].get("language", side) for side in SIDES}
            for pair in self.pairs
        }
        return {
            "title": self.config["report"]["title"],
            "seed": self.config["seed"],
            "languages": languages,
        }

    def corpora(self) -> list[str]:
        """Every text that a cell's segmentation cuts."""
        sides = {(c.pair, side, str(getattr(c, side))) for c in self.experiments for side in SIDES}
        return sorted({self.corpus(*side) for side in sides})

    def gold_files(self) -> list[str]:
        """The gold of every pair that has cells, as the gold jobs leave it."""
        return [path("gold", pair=pair) for pair in self.pairs]

    def learned(self, merges: int) -> int:
        """Size of the model that serves so many merges: one model serves all up to a multiple."""
        step = self.config["learn_merges"]
        return max(1, -(-merges // step)) * step

    def learned_model(self, pair: str, side: str, spec: str) -> str:
        """The model, before any pruning, that a segmentation uses."""
        values = parse_spec(spec)
        nested = SEGMENTERS[values.segmenter].nested
        learned = self.learned(values.merges or 0) if nested else values.merges
        return path("learn", pair=pair, side=side, spec=values.spec(LEARN, learned=learned))

    def model(self, pair: str, side: str, spec: str) -> str | None:
        """The model that a segmentation uses, or None where it uses none."""
        values = parse_spec(spec)
        if not values.learns:
            return None
        if values.pruned:
            return path("prune", pair=pair, side=side, spec=values.spec(PRUNE))
        return self.learned_model(pair, side, spec)

    def tokenizer(self, pair: str, side: str, spec: str) -> str | None:
        """The file of a tokenizer from elsewhere, or None where a segmentation uses none."""
        values = parse_spec(spec)
        if not SEGMENTERS[values.segmenter].outside:
            return None
        return self.file(self._tokenizer(pair, side, spec)["file"])

    def _tokenizer(self, pair: str, side: str, spec: str) -> dict[str, Any]:
        return self.config["pairs"][pair][side]["tokenizers"][parse_spec(spec).tokenizer]

    def model_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The scripts' options for what a segmentation uses: a learned model, a file, or nothing."""
        if file := self.tokenizer(pair, side, spec):
            return [
                f"--model={file}",
                f"--model-format={self._tokenizer(pair, side, spec)['format']}",
            ]
        model = self.model(pair, side, spec)
        return [f"--model={model}"] if model else []

    def segmentation(self, pair: str, side: str, spec: str, part: str) -> str:
        """One part of a side's samples; the only one where it has no dropout."""
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
        """The part of a side's samples that holds the first."""
        return self.segmentation(pair, side, spec, part_name(self._first_parts[pair, side, spec]))

    @cached_property
    def _first_parts(self) -> dict[tuple[str, str, str], Part]:
        """The part with the first sample of every side; of several, the shortest."""
        first: dict[tuple[str, str, str], Part] = {}
        for group in self.groups:
            part = self._samples.planned(group, 0)[0]
            for side in SIDES:
                key = (group.pair, side, str(getattr(group, side)))
                first[key] = min(part, first.get(key, part))
        return first

    def prune_seed(self, spec: str) -> int:
        """The config's seed; 0 where a pruning draws nothing, so that another seed redoes nothing."""
        return self.config["seed"] if parse_knockout(parse_spec(spec).knockout).is_random else 0

    def segment_seed(self, spec: str) -> int:
        """The config's seed; 0 where a segmentation draws nothing."""
        return self.config["seed"] if parse_spec(spec).sampled else 0

    def align_seed(self, aligner: str) -> int:
        """The config's seed; 0 where an aligner takes none."""
        return self.config["seed"] if ALIGNERS[aligner].seeded else 0

    def encoded(self, pair: str, side: str, spec: str, part: str) -> str:
        """What an encoder made of one part of a side's samples; of the only one without dropout."""
        own = part if parse_spec(spec).sampled else NO_SAMPLES
        return path("encode", pair=pair, side=side, spec=spec, part=own)

    def encoder(self) -> str:
        """The options of what encodes, as JSON."""
        return self.aligner_options(ENCODES)

    def layers(self, pair: str, side: str, spec: str) -> list[int]:
        """The layers of a side's encoded tokens that are kept; none stands for all."""
        keep = self.config["aligners"].get(ENCODES, {}).get("keep_layers", "asked")
        return [] if keep == "all" else sorted(self._layers[pair, side, spec])

    @cached_property
    def _layers(self) -> dict[tuple[str, str, str], set[int]]:
        asked: dict[tuple[str, str, str], set[int]] = {}
        for cell in self.experiments:
            for side in SIDES if cell.layer is not None else ():
                asked.setdefault((cell.pair, side, str(getattr(cell, side))), set()).add(cell.layer)
        return asked

    def replicates(self, wildcards: Mapping[str, str]) -> list[list[str]]:
        """For each replicate, the links that a score job reads."""
        group = self._group(wildcards)
        return [self._samples.files(group, replicate) for replicate in range(group.replicates)]

    def aggregates(self, wildcards: Mapping[str, str]) -> list[str]:
        """What a score job makes of them."""
        return self.groups[self._group(wildcards)]

    def _group(self, wildcards: Mapping[str, str]) -> Cell:
        return self._groups_by_file[path("score", **wildcards)]

    def morphology_files(self, name: str) -> dict[str, str]:
        """The files from outside that an evaluation of morphology reads, by the script's arguments."""
        entry = self.config["morphology"][name]
        files = {"reference": entry["reference"]["file"]}
        if "frequencies" in entry["reference"]:
            files["frequencies"] = entry["reference"]["frequencies"]
        if "published" in entry:
            files["published"] = entry["published"]
        if "learned" not in entry:
            tokenizer = entry["tokenizer"]
            files["tokenizer"] = tokenizer.get("merges") or tokenizer["tokenizer"]
            if "vocabulary" in tokenizer:
                files["vocabulary"] = tokenizer["vocabulary"]
        return {key: self.file(file) for key, file in files.items()}

    def morphology_model(self, name: str) -> dict[str, str]:
        """The model and the corpus that it reads, if it evaluates what is learned on a pair's text."""
        learned = self.config["morphology"][name].get("learned")
        if learned is None:
            return {}
        side = Side.from_values(
            {
                **dict.fromkeys(AXES),
                "segmenter": "bpe",
                "scoring": "frequency",
                **{axis: learned[axis] for axis in ("case", "spaces", "merges")},
            }
        )
        where = (learned["pair"], learned["side"], str(side))
        return {"model": self.learned_model(*where), "corpus": self.corpus(*where)}

    def morphology_options(self, name: str) -> list[str]:
        """The script's options for an evaluation, but for its name, seed and output."""
        files = self.morphology_files(name) | self.morphology_model(name)
        entry = self.config["morphology"][name]
        options = [f"--{key}={file}" for key, file in files.items()]
        options.append(f"--format={entry['reference']['format']}")
        if "learned" in entry:
            options += [f"--{key}={entry['learned'][key]}" for key in ("merges", "case")]
        for key in ("knockout", "evaluation", "dropout"):
            options += [f"--{key}={value}" for value in entry[key]]
        options.append(f"--repeats={entry['repeats']}")
        return options + ["--sweep"] * entry["figures"]

    def aligner_options(self, aligner: str) -> str:
        """An aligner's options, as the config gives them, as JSON."""
        return json.dumps(self.config["aligners"].get(aligner, {}), sort_keys=True)

    @staticmethod
    def segmenter_module(spec: str) -> str:
        """The module that segments so."""
        return SEGMENTERS[parse_spec(spec).segmenter].module

    @staticmethod
    def learner_module(spec: str) -> str:
        """The module that learns the model for it."""
        return SEGMENTERS[parse_spec(spec).segmenter].learner

    @staticmethod
    def aligner_module(aligner: str) -> str:
        """The module that aligns so."""
        return ALIGNERS[aligner].module

    @staticmethod
    def side(spec: str) -> Side:
        """The side that a path's part spells."""
        return parse_spec(spec)


PACKED = 5
"""Bytes of text in one of a compressed file, at most as a rule."""


def _plain_size(file: str) -> int:
    """Bytes of a text, estimated where it is compressed."""
    size = Path(file).stat().st_size
    return size * PACKED if Path(file).suffix in SUFFIXES else size


def _name_of(entry: str | Mapping[str, str]) -> str:
    return entry if isinstance(entry, str) else entry["url"]

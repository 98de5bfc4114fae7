"""The files that a config names: texts, gold and others, and facts about their content."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compressed import SUFFIXES
from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write, linked, place_of
from seggrid.grid.config import Config, mirror_folder
from seggrid.grid.config.pairs import GoldEntry, Morphemes, OutsideTokenizer
from seggrid.grid.plugins import is_file
from seggrid.grid.recipes import word_types
from seggrid.grid.study import STUDIES
from seggrid.text.fetch import Digests, Entry, OutsideFiles
from seggrid.text.gold import Gold as GoldLinks
from seggrid.text.pair import kept_lines, read_pair_gold, side_with_ids, texts_in
from seggrid.text.sides import SIDES, other_side
from seggrid.text.text_files import Text, words_of

DIGESTS = Path(".snakemake/seggrid/digests.json")
"""The file in which digests of files from outside are cached."""

FACTS = DIGESTS.with_name("texts.json")
"""The file in which facts about texts and gold are cached."""


def _beside(plugin: str) -> Iterator[str]:
    """The files of the studies of a plug-in, beside its own."""
    own = os.path.abspath(os.path.expanduser(plugin))
    if any(study.__module__ == own for study in STUDIES.values()):
        folder = Path(plugin).parent
        for made in ("rules.smk", "tables.toml", "jobs/*.py"):
            yield from map(str, sorted(folder.expanduser().glob(made)))


class Files:
    """The files that a config names, the texts and the gold of its pairs."""

    def __init__(self, config: Config) -> None:
        self._pairs, self.study = config.pairs, config.study
        self._outside = OutsideFiles(
            config.downloads, mirror_folder(config.mirror), Digests(DIGESTS)
        )
        self._planned: dict[str, str] = {}
        for plugin in filter(is_file, config.plugins):
            for file in (plugin, *_beside(plugin)):
                self.file(file)
        self._found: dict[tuple[str, str], tuple[Text, Text]] = {}
        self._sizes: dict[str, float] = {}

    def file(self, entry: Entry) -> str:
        """The path of a file that the config names: local, in the mirror, or downloaded."""
        return str(self._outside.locate(entry))

    def of(self, entry: Entry | Morphemes | OutsideTokenizer | None) -> list[str]:
        """As `file`, in a list, for an entry that may have a format; empty without an entry."""
        if entry is None:
            return []
        return [self.file(entry.file if isinstance(entry, Morphemes | OutsideTokenizer) else entry)]

    def placed(self, files: Iterable[str]) -> list[str]:
        """The paths by which jobs read files: a file outside of this folder counts by its content alone."""
        return [linked(file, self.sha256(file)) for file in files]

    def located(self, pairs: Iterable[str]) -> dict[str, Path]:
        """The files that were located so far and the texts of some pairs, by their names in the config."""
        found = self._outside.located()
        texts = {file for pair in pairs for side in SIDES for file in self.text_files(pair, side)}
        # The config does not name Moses files themselves, only the common part of their names.
        return found | {file: Path(file) for file in texts - set(map(str, found.values()))}

    def sha256(self, file: str | Path) -> str:
        """The SHA-256 digest of a file that the config names, as this process first read it: what a run is
        planned with is what it records, even if the file is edited meanwhile."""
        name = os.path.abspath(place_of(file))
        if name not in self._planned:
            self._planned[name] = self._outside.sha256(name)
        return self._planned[name]

    def edited(self) -> list[str]:
        """The files whose content is no longer that of `sha256`."""
        found = []
        for name, digest in self._planned.items():
            try:
                if self._outside.sha256(name) != digest:
                    found.append(os.path.relpath(name))
            except InputError:
                found.append(os.path.relpath(name))
        return sorted(found)

    def content(self, *files: str | None) -> str:
        """A digest of the content of files from outside; as a parameter of a rule, it makes jobs rerun.

        File times are not enough for that, since a file may be replaced by an older one.
        """
        digests = [self.sha256(file) for file in files if file]
        return f"content:{hashlib.sha256(' '.join(digests).encode()).hexdigest()[:32]}"

    def text(self, pair: str, side: str) -> Text:
        """One side's text, without its training text."""
        return self._texts(pair, "text")[SIDES.index(side)]

    def training(self, pair: str, side: str) -> Text | None:
        """One side's training text, which has no gold; None if there is none."""
        settings = self._pairs[pair]
        if settings.training is None and settings.source.training is None:
            return None
        return self._texts(pair, "training")[SIDES.index(side)]

    def texts(self, pair: str, side: str) -> list[Text]:
        """One side's text and, if there is any, its training text."""
        return [text for text in (self.text(pair, side), self.training(pair, side)) if text]

    def text_files(self, pair: str, side: str) -> list[str]:
        """The files of one side's text and training text; if empty sentence pairs are skipped, also the files
        of the other side, since they decide which lines are skipped."""
        texts = self.texts(pair, side)
        if self._pairs[pair].skips_empty:
            texts += self.texts(pair, other_side(side))
        return [str(file) for text in texts for file in text.files]

    def _texts(self, pair: str, key: str) -> tuple[Text, Text]:
        """The two sides of a pair's text, or of its training text."""
        if (pair, key) not in self._found:
            settings = self._pairs[pair]
            treatment = settings.treatment
            if (entries := getattr(settings, key)) is not None:
                # Moses files are given by the common part of their names, and are never downloaded.
                found = entries if settings.joint_format == "moses" else map(self.file, entries)
                codes = [settings.side(name).code for name in SIDES]
                texts = texts_in(list(found), settings.joint_format, codes, **treatment)
            else:
                source, target = (
                    Text(
                        tuple(map(self.file, getattr(side, key))),
                        side.format,
                        untagged=key == "training",
                        **treatment,
                    )
                    for side in map(settings.side, SIDES)
                )
                texts = source, target
            self._found[pair, key] = texts
        return self._found[pair, key]

    def gold_texts(self, pair: str) -> list[Text]:
        """The texts that are needed to read the gold.

        Both texts if there is no gold, or if links outside sentences or the gold of empty sentences are left
        out; otherwise the text with the ids, if either has any.
        """
        texts = [self.text(pair, side) for side in SIDES]
        settings = self._pairs[pair]
        gold = settings.gold
        if gold is None or gold.notation.drops_bad or settings.skips_empty:
            return texts
        side = side_with_ids(*texts)
        return [texts[SIDES.index(side)]] if side else []

    def gold_text_files(self, pair: str) -> list[str]:
        """The files of `gold_texts`."""
        return [str(file) for text in self.gold_texts(pair) for file in text.files]

    def gold_settings(self, pair: str) -> dict[str, Any]:
        """How the gold is read, and the texts that are needed for that."""
        gold = self._pairs[pair].gold
        how = gold.model_dump(exclude={"file", "development"}, exclude_none=True) if gold else {}
        return how | {"texts": self._given(self.gold_texts(pair))}

    def _given(self, texts: Iterable[Text]) -> list[str]:
        """Texts as arguments of a script."""
        placed = (replace(one, files=tuple(self.placed(map(str, one.files)))) for one in texts)
        return [text.to_text() for text in placed]

    def layout(self, pair: str, side: str, *, training: bool = True) -> dict[str, list[str]]:
        """The texts of a side, and those of the other if empty pairs are skipped, as options of scripts."""
        skips = self._pairs[pair].skips_empty
        sides = {"texts": side} | ({"others": other_side(side)} if skips else {})
        found = {name: self.texts(pair, own) for name, own in sides.items()}
        return {
            name: self._given(texts if training else texts[:1]) for name, texts in found.items()
        }

    def part_of_layout(self, pair: str, *, training: bool) -> dict[str, list[str]]:
        """The texts in which a script finds the lines that are aligned sentence pairs, with or without those
        of the training text; none if all lines are."""
        skips = self._pairs[pair].skips_empty
        more = self.training(pair, SIDES[0]) is not None and not training
        return self.layout(pair, SIDES[0], training=training) if skips or more else {}

    def text_mb(self, pairs: Iterable[str]) -> float:
        """The size of the texts of some pairs in MB, both sides; an upper estimate if they are compressed."""
        total = 0.0
        for pair in pairs:
            if pair not in self._sizes:  # kept, since every job needs it
                files = {file for side in SIDES for file in self.text_files(pair, side)}
                self._sizes[pair] = size_mb(files)
            total += self._sizes[pair]
        return total

    def _all_texts(self, pair: str) -> str:
        """What identifies all texts of a pair: their content, and how they are read. Two pairs may have the
        same file but different languages."""
        files = [file for side in SIDES for file in self.text_files(pair, side)]
        read = [self.layout(pair, side) for side in SIDES]
        return f"{self.content(*files)} {json.dumps(read)}"

    def _kept(self, pair: str, side: str) -> Iterator[tuple[Text, NDArray[np.bool_]]]:
        """Each text of a side, and which of its lines are aligned sentence pairs."""
        skips = self._pairs[pair].skips_empty
        for of in (self.text, self.training):
            if text := of(pair, side):
                yield text, kept_lines(text, of(pair, other_side(side)) if skips else None)

    def lines(self, pair: str) -> int:
        """The number of sentence pairs of a pair's text and training text, without skipped ones."""

        def count() -> int:
            return sum(int(kept.sum()) for _, kept in self._kept(pair, SIDES[0]))

        return int(self._fact(f"pairs {self._all_texts(pair)}", count))

    def types(self, pair: str) -> int:
        """The number of word types of a pair's text and training text, as `word_types` counts them."""

        def words(side: str) -> Iterator[list[str]]:
            # A sentence at a time: the words of all sentences of a large text take much memory.
            for text, kept in self._kept(pair, side):
                sentences = zip(text.read().sentences, kept, strict=True)
                yield from (words_of(sentence) for sentence, keeps in sentences if keeps)

        return int(
            self._fact(f"types {self._all_texts(pair)}", lambda: word_types(*map(words, SIDES)))
        )

    def gold_lines_digest(self, pair: str) -> str:
        """A digest of the numbers of the gold sentences, which does not change when a link changes."""

        def digest() -> str:
            return hashlib.sha256(self._read_gold(pair).sentences.tobytes()).hexdigest()[:32]

        content = self.content(*self.gold(pair), *self.gold_text_files(pair))
        key = f"gold {content} {json.dumps(self.gold_settings(pair))}"
        return f"content:{self._fact(key, digest)}"

    def _fact(self, key: str, find: Callable[[], str | int]) -> str | int:
        """A fact about files, computed once for each content of the files and then cached."""
        if key not in self._facts:
            self._facts[key] = find()
            with suppress(OSError), atomic_write(FACTS) as file:
                json.dump(self._facts, file)
        return self._facts[key]

    @cached_property
    def _facts(self) -> dict[str, str | int]:
        with suppress(OSError, ValueError):
            cached = json.loads(FACTS.read_text("utf-8"))
            if isinstance(cached, dict):
                return cached
        return {}

    def gold_sentences(self, pair: str) -> int:
        """The number of sentences with gold of a pair; 0 without gold."""
        return len(self._read_gold(pair).sentences) if self.gold(pair) else 0

    def _read_gold(self, pair: str) -> GoldLinks:
        gold, texts = self._pairs[pair].gold or GoldEntry(), self.gold_texts(pair)
        read, _ = read_pair_gold(texts, self.gold(pair), gold.notation)
        return read

    def golds(self, pairs: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The name of the gold of each pair that has one, and the number of the first word in it."""
        known = {pair: self._pairs[pair].gold for pair in pairs}
        return {
            pair: (Path(self.gold(pair)[0]).name, gold.notation.first)
            for pair, gold in known.items()
            if gold
        }

    def gold(self, pair: str) -> list[str]:
        """The files with a pair's gold: those of its text if links are a column of it; none without gold."""
        gold = self._pairs[pair].gold
        if gold is None:
            return []
        if gold.file is None:
            return [str(file) for file in self.text(pair, SIDES[0]).files]
        return [self.file(gold.file)]


PACKED = 5
"""The size of a text is usually at most this many times the size of its compressed file."""


def size_mb(files: Iterable[str]) -> float:
    """The size of some files in MB; an upper estimate for those that are compressed."""
    sizes = (
        file.stat().st_size * (PACKED if file.suffix in SUFFIXES else 1)
        for file in map(Path, files)
    )
    return sum(sizes) / 1e6

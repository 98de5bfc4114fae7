"""What rules ask for evaluations of segmentations against morphological references."""

from __future__ import annotations

from seggrid.base.rational import spell_rational
from seggrid.corpus.fetch import Entry
from seggrid.grid.axes import tables_folder
from seggrid.grid.grid import Grid
from seggrid.segment import SEGMENTERS
from seggrid.workflow.rules.sides import Sides

OUTSIDE = "external"
"""The segmenter of tokenizers from elsewhere."""


class Morphology:
    """The evaluations of a config, each given by its name.

    Args:
        grid: the grid of the config.
        sides: its segmentations.
    """

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self._grid = grid
        self._sides = sides

    def evaluations(self, *, pruned: bool) -> list[str]:
        """The evaluations of models that can be pruned, or of all others, by name."""
        entries = self._grid.config.morphology.items()
        return [name for name, entry in entries if entry.can_be_pruned == pruned]

    def _segmenter(self, name: str) -> str:
        """The segmenter of an evaluation."""
        learned = self._grid.config.morphology[name].learned
        return OUTSIDE if learned is None else learned.segmentation.segmenter

    def module(self, name: str) -> str:
        """The module of the segmenter of an evaluation."""
        return SEGMENTERS[self._segmenter(name)].module

    def text(self, name: str) -> tuple[str, str, str] | None:
        """The pair, the side and the spec of the segmentation that is evaluated; None if a tokenizer's files
        are."""
        learned = self._grid.config.morphology[name].learned
        return None if learned is None else (learned.pair, learned.side, str(learned.segmentation))

    def files(self, name: str) -> dict[str, str]:
        """The files from outside for an evaluation of morphology, by the script's arguments."""
        entry = self._grid.config.morphology[name]
        files: dict[str, Entry | None] = {
            "reference": entry.reference.file,
            "frequencies": entry.reference.frequencies,
            "published": entry.published,
        }
        if tokenizer := entry.tokenizer:
            files["model"] = tokenizer.file
            files["tokenizer"] = tokenizer.merges or tokenizer.tokenizer
            files["vocabulary"] = tokenizer.vocabulary
        found = {
            key: self._sides.files.file(file) for key, file in files.items() if file is not None
        }
        where = self.text(name)
        if where is not None and (file := self._sides.tokenizer(*where)):
            found["model"] = file
        return found

    def model(self, name: str) -> dict[str, str | list[str]]:
        """The model and the corpus of an evaluation, if it is of a segmentation of a pair's text."""
        where = self.text(name)
        if where is None:
            return {}
        model = self._sides.model(*where)
        pair, _, spec = where
        is_pruned = self._grid.config.morphology[name].can_be_pruned
        joint = [] if is_pruned else self._sides.joint_texts(pair, spec)
        return {
            "corpus": self._sides.corpus(*where),
            **({"model": model} if model else {}),
            **({"joint": joint} if joint else {}),
        }

    def tokenizer_options(self, name: str) -> list[str]:
        """A script's options for an evaluation's segmentation and reference."""
        entry = self._grid.config.morphology[name]
        files = self.files(name) | self.model(name)
        files.pop("published", None)
        joint = files.pop("joint", [])
        side = None if entry.learned is None else entry.learned.segmentation
        where = self.text(name)
        options = [f"--format={entry.reference.format}"]
        if entry.reference.wordfreq is not None:
            options.append(f"--wordfreq={entry.reference.wordfreq}")
        if not entry.can_be_pruned:
            model = files.pop("model", None)
            if entry.tokenizer is not None:
                options += [f"--model={model}", f"--model-format={entry.tokenizer.format}"]
            elif where is not None:
                options += self._sides.model_options(*where)
            options.append(f"--spec={OUTSIDE if side is None else side}")
            options += [f"--learned-from={file}" for file in joint]
        elif side is not None:
            # A model of a vocabulary's size has no other merges.
            options += [] if side.merges is None else [f"--merges={side.merges}"]
            options.append(f"--case={side.case}")
        return [f"--{key}={file}" for key, file in files.items()] + options

    def options(self, name: str) -> list[str]:
        """The script's options for an evaluation, without its name, seed and output."""
        entry = self._grid.config.morphology[name]
        options = self.tokenizer_options(name)
        if entry.published is not None:
            options.append(f"--published={self._sides.files.file(entry.published)}")
        if entry.can_be_pruned:
            options += [f"--knockout={variant}" for variant in entry.variants]
        options += [f"--evaluation={value}" for value in entry.evaluation]
        options += [f"--dropout={spell_rational(rate)}" for rate in entry.dropout]
        options.append(f"--repeats={entry.repeats}")
        return options + ["--sweep"] * entry.figures

    def written_tokenizers(self) -> list[str]:
        """The folders of the pruned tokenizers that are written."""
        return [
            str(tables_folder(self._grid.config.study) / "tokenizers" / name / variant)
            for name, entry in self._grid.config.morphology.items()
            if entry.write
            for variant in entry.variants
        ]

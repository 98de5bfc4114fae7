"""Inputs and parameters of the rules that evaluate segmentations against morphological references."""

from __future__ import annotations

from seggrid.base.rational import spell_rational
from seggrid.corpus.fetch import Entry
from seggrid.grid.axes import tables_folder
from seggrid.grid.grid import Grid
from seggrid.segment import SEGMENTERS
from seggrid.workflow.rules.sides import Segmented, Sides

OUTSIDE = "external"
"""Name of the segmenter for tokenizers from elsewhere."""


class Morphology:
    """The evaluations of a config; methods take the name of an evaluation.

    Args:
        grid: the grid of the config.
        sides: its segmentations.
    """

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self._grid = grid
        self._sides = sides

    def evaluations(self, *, pruned: bool) -> list[str]:
        """The names of the evaluations whose model can be pruned or, if not `pruned`, of all others."""
        entries = self._grid.config.morphology.items()
        return [name for name, entry in entries if entry.can_be_pruned == pruned]

    def module(self, name: str) -> str:
        """The module of the segmenter of an evaluation."""
        own = self.segmented(name)
        return SEGMENTERS[OUTSIDE].module if own is None else own.module

    def segmented(self, name: str) -> Segmented | None:
        """The segmentation of a pair's text that is evaluated; None if a tokenizer from files is
        evaluated."""
        own = self._grid.config.morphology[name].learned
        return None if own is None else self._sides.of(own.pair, own.side, own.segmentation)

    def files(self, name: str) -> dict[str, str]:
        """The files from outside for an evaluation, by the script's argument that names each."""
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
        own = self.segmented(name)
        if own is not None and own.tokenizer is not None:
            found["model"] = self._sides.files.file(own.tokenizer.file)
        return found

    def model(self, name: str) -> dict[str, str | list[str]]:
        """The model and the corpus of an evaluation; none if it does not evaluate a segmentation of a pair's
        text."""
        own = self.segmented(name)
        if own is None:
            return {}
        joint = [] if self._grid.config.morphology[name].can_be_pruned else own.joint
        return {
            "corpus": own.corpus,
            **({"model": own.model} if own.model else {}),
            **({"joint": joint} if joint else {}),
        }

    def tokenizer_options(self, name: str) -> list[str]:
        """A script's options for an evaluation's segmentation and reference."""
        entry = self._grid.config.morphology[name]
        files = self.files(name) | self.model(name)
        files.pop("published", None)
        joint = files.pop("joint", [])
        own = self.segmented(name)
        options = [f"--format={entry.reference.format}"]
        if entry.reference.wordfreq is not None:
            options.append(f"--wordfreq={entry.reference.wordfreq}")
        if not entry.can_be_pruned:
            model = files.pop("model", None)
            if entry.tokenizer is not None:
                options += [f"--model={model}", f"--model-format={entry.tokenizer.format}"]
            elif own is not None:
                options += self._sides.model_options(own)
            options.append(f"--spec={OUTSIDE if own is None else own.segmentation}")
            options += [f"--learned-from={file}" for file in joint]
        elif own is not None:
            # A model with a vocabulary size has exactly its own merges.
            merges = own.segmentation.merges
            options += [] if merges is None else [f"--merges={merges}"]
            options.append(f"--case={own.segmentation.case}")
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
        """The folders of the pruned tokenizers that the config asks for."""
        return [
            str(tables_folder(self._grid.config.study) / "tokenizers" / name / variant)
            for name, entry in self._grid.config.morphology.items()
            if entry.write
            for variant in entry.variants
        ]

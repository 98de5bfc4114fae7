"""The inputs of rules that evaluate segmentations against morphological references."""

from __future__ import annotations

from seggrid.base.rational import spell_rational
from seggrid.corpus.fetch import Entry
from seggrid.grid.axes import tables_folder
from seggrid.grid.config.models import Config
from seggrid.segment import SEGMENTERS

OUTSIDE = "external"
"""The segmenter of tokenizers from elsewhere."""


class OfMorphology:
    """The part of `seggrid.workflow.rules.inputs.Inputs` for these rules."""

    config: Config

    def file(self, entry: Entry) -> str:
        """The path of a file that the config names."""
        raise NotImplementedError

    def corpus(self, pair: str, side: str, spec: str) -> str:
        """The text that is segmented."""
        raise NotImplementedError

    def model(self, pair: str, side: str, spec: str) -> str | None:
        """The model of a segmentation, or None if it has none."""
        raise NotImplementedError

    def tokenizer(self, pair: str, side: str, spec: str) -> str | None:
        """The file of a segmentation's tokenizer from elsewhere, or None if it has none."""
        raise NotImplementedError

    def joint_texts(self, pair: str, spec: str) -> list[str]:
        """The texts that a joint model is learned from; none where it is not joint."""
        raise NotImplementedError

    def model_options(self, pair: str, side: str, spec: str) -> list[str]:
        """The scripts' options for the model of a segmentation."""
        raise NotImplementedError

    def evaluations(self, *, pruned: bool) -> list[str]:
        """The evaluations of models that can be pruned, or of all others, by name."""
        entries = self.config.morphology.items()
        return [name for name, entry in entries if entry.can_be_pruned == pruned]

    def evaluated_segmenter(self, name: str) -> str:
        """The segmenter of an evaluation."""
        learned = self.config.morphology[name].learned
        return OUTSIDE if learned is None else learned.segmentation.segmenter

    def evaluated_module(self, name: str) -> str:
        """The module of the segmenter of an evaluation."""
        return SEGMENTERS[self.evaluated_segmenter(name)].module

    def evaluated_text(self, name: str) -> tuple[str, str, str] | None:
        """The pair, the side and the spec of the segmentation that is evaluated; None if a tokenizer's files
        are."""
        learned = self.config.morphology[name].learned
        return None if learned is None else (learned.pair, learned.side, str(learned.segmentation))

    def morphology_files(self, name: str) -> dict[str, str]:
        """The files from outside for an evaluation of morphology, by the script's arguments."""
        entry = self.config.morphology[name]
        files: dict[str, Entry | None] = {
            "reference": entry.reference.file,
            "frequencies": entry.reference.frequencies,
            "published": entry.published,
        }
        if tokenizer := entry.tokenizer:
            files["model"] = tokenizer.file
            files["tokenizer"] = tokenizer.merges or tokenizer.tokenizer
            files["vocabulary"] = tokenizer.vocabulary
        found = {key: self.file(file) for key, file in files.items() if file is not None}
        where = self.evaluated_text(name)
        if where is not None and (file := self.tokenizer(*where)):
            found["model"] = file
        return found

    def morphology_model(self, name: str) -> dict[str, str | list[str]]:
        """The model and the corpus of an evaluation, if it is of a segmentation of a pair's text."""
        where = self.evaluated_text(name)
        if where is None:
            return {}
        model = self.model(*where)
        pair, _, spec = where
        is_pruned = self.config.morphology[name].can_be_pruned
        joint = [] if is_pruned else self.joint_texts(pair, spec)
        return {
            "corpus": self.corpus(*where),
            **({"model": model} if model else {}),
            **({"joint": joint} if joint else {}),
        }

    def tokenizer_options(self, name: str) -> list[str]:
        """A script's options for an evaluation's segmentation and reference."""
        entry = self.config.morphology[name]
        files = self.morphology_files(name) | self.morphology_model(name)
        files.pop("published", None)
        joint = files.pop("joint", [])
        side = None if entry.learned is None else entry.learned.segmentation
        where = self.evaluated_text(name)
        options = [f"--format={entry.reference.format}"]
        if entry.reference.wordfreq is not None:
            options.append(f"--wordfreq={entry.reference.wordfreq}")
        if not entry.can_be_pruned:
            model = files.pop("model", None)
            if entry.tokenizer is not None:
                options += [f"--model={model}", f"--model-format={entry.tokenizer.format}"]
            elif where is not None:
                options += self.model_options(*where)
            options.append(f"--spec={OUTSIDE if side is None else side}")
            options += [f"--learned-from={file}" for file in joint]
        elif side is not None:
            # A model of a vocabulary's size has no other merges.
            options += [] if side.merges is None else [f"--merges={side.merges}"]
            options.append(f"--case={side.case}")
        return [f"--{key}={file}" for key, file in files.items()] + options

    def morphology_options(self, name: str) -> list[str]:
        """The script's options for an evaluation, without its name, seed and output."""
        entry = self.config.morphology[name]
        options = self.tokenizer_options(name)
        if entry.published is not None:
            options.append(f"--published={self.file(entry.published)}")
        if entry.can_be_pruned:
            options += [f"--knockout={variant}" for variant in entry.variants]
        options += [f"--evaluation={value}" for value in entry.evaluation]
        options += [f"--dropout={spell_rational(rate)}" for rate in entry.dropout]
        options.append(f"--repeats={entry.repeats}")
        return options + ["--sweep"] * entry.figures

    def written_tokenizers(self) -> list[str]:
        """The folders of the pruned tokenizers that are written."""
        return [
            str(tables_folder(self.config.study) / "tokenizers" / name / variant)
            for name, entry in self.config.morphology.items()
            if entry.write
            for variant in entry.variants
        ]

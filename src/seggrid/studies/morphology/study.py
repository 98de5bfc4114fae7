"""The study `morphology`: its key of a config, its checks, and its place on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from seggrid.grid.axes import tables_folder
from seggrid.grid.config import Config
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Name
from seggrid.grid.cost import Cost, Most
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.study import Check, Section, Study, reads
from seggrid.morphology.frequencies import check_wordfreq, read_frequencies
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import read_word_model
from seggrid.segment.external import External
from seggrid.segment.side import Side
from seggrid.studies.morphology.config import Morphology, check_morphology
from seggrid.studies.morphology.published import read_published


class Evaluations(Study):
    """Token boundaries against morpheme boundaries, also after pruning."""

    key = "morphology"
    value: ClassVar[Any] = (
        dict[Name, Morphology],
        Field({}, description="Named evaluations of tokenizers against morphological references."),
    )
    alone = True
    costs: ClassVar = {
        # English and German CELEX with 40,000 merges and figures take 340 and 360 MB, and 45 s of CPU.
        "morphology": Cost(most=Most(600, 200, 5, 4)),
    }
    sections = (
        Section(
            "knockout",
            "Knockout",
            "BPE models with some of their merges pruned: how well their tokens match morphemes, and how "
            "well they align.",
            ("knockout", "morphemes", "stepping-stones", "leaves"),
            folded=True,
        ),
    )

    @classmethod
    def check(cls, config: Config, findings: ConfigFindings) -> None:
        """Check each evaluation."""
        for name, entry in cls.given(config).items():
            check_morphology(name, entry, config, findings)

    @classmethod
    def pairs(cls, config: Config) -> Iterator[str]:
        """The pairs of segmentations."""
        yield from (own.pair for entry in cls.given(config).values() if (own := entry.learned))

    @classmethod
    def segmentations(cls, grid: Grid) -> Iterator[Segmented]:
        """The segmentations, and the same with dropout."""
        for name, entry in cls.given(grid.config).items():
            if own := evaluated(grid, name):
                yield own
                for rate in filter(None, entry.dropout):
                    yield grid.segmented(own.pair, own.side, own.spec.with_dropout(rate))

    @classmethod
    def sources(cls, grid: Grid, files: Any, *, deployed: bool) -> Iterator[Check]:
        """References, frequencies, published scores and tokenizers are read."""
        entries = cls.given(grid.config).values()
        # A dict, since many evaluations may share a reference.
        for file, form in dict.fromkeys(
            (own.reference.file, own.reference.format) for own in entries
        ):
            yield from reads(files, read_reference, file, form)
        for entry in entries:
            yield from reads(files, read_frequencies, entry.reference.frequencies)
            yield from reads(files, read_published, entry.published)
            if entry.tokenizer is not None:
                for file in entry.tokenizer.files().values():
                    yield from reads(files, str, file)
                yield partial(_check_tokenizer, files, entry)
        if not deployed and any(entry.reference.wordfreq for entry in entries):
            yield check_wordfreq

    @classmethod
    def targets(cls, grid: Grid) -> list[str]:
        """The pruned tokenizers that the config asks for."""
        return [
            str(tables_folder(grid.config.study) / f"tokenizers/{name}/{variant}")
            for name, entry in cls.given(grid.config).items()
            if entry.write
            for variant in entry.variants
        ]

    @classmethod
    def logs(cls, grid: Grid) -> list[str]:
        """The logs of evaluations."""
        return [f"morphology/{name}" for name in cls.given(grid.config)]

    @classmethod
    def charts(cls, results: Mapping[str, Any]) -> Iterator[Any]:
        """Curves and histograms of pruning."""
        from seggrid.studies.morphology.charts import of_pruning

        yield from of_pruning(results.get("morphology"), results.get("knockout"))

    @classmethod
    def rows(cls) -> Mapping[str, Callable[[Any], Any]]:
        """The boundary scores, as they are and beside those of the tokenizer as learned."""
        from seggrid.studies.morphology import charts

        return {
            "morphology": charts.with_values,
            "morphology-relative": charts.relative_to_learned,
        }


def evaluated(grid: Grid, name: str) -> Segmented | None:
    """The segmentation of a pair's text that an evaluation is about; None for a tokenizer."""
    own = Evaluations.given(grid.config)[name].learned
    return None if own is None else grid.segmented(own.pair, own.side, own.segmentation)


def _check_tokenizer(files: Any, entry: Morphology) -> None:
    """Read a tokenizer from elsewhere."""
    assert entry.tokenizer is not None
    found = {key: files.file(file) for key, file in entry.tokenizer.files().items()}
    if "file" not in found:
        read_word_model(found.get("merges") or found["tokenizer"], found.get("vocabulary"))
        return
    model = External.read(found["file"], entry.tokenizer.format)
    for rate in entry.dropout:
        model.check(Side("external").with_dropout(rate))

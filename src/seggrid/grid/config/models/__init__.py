"""The config as models: every key with its type, range, default and meaning; a module a section.

The keys of an experiment follow from the table of axes, those of the aligners' options from the aligners
themselves. The JSON schema and the reference are generated from here (`documentation`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from seggrid.data.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.models.ensembles import Ensemble
from seggrid.grid.config.models.experiments import Aligners, Experiment
from seggrid.grid.config.models.language_models import LanguageModel
from seggrid.grid.config.models.morphology import Morphology
from seggrid.grid.config.models.pairs import Pair
from seggrid.grid.config.values import FilePath, Folder, Name, Text


class Report(Settings):
    """The report."""

    title: Text = "seggrid"
    """Heading of the report."""

    viewer_sentences: Annotated[int, Field(ge=0, le=10_000)] = 60
    """Gold sentences per pair in the alignment viewer."""

    viewer_cells: Annotated[int, Field(ge=0, le=1000)] = 12
    """Cells per pair in the alignment viewer."""

    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """Bootstrap resamples behind intervals. A test takes five times as many permutations, or as many
    more as its correction for many cells needs."""


class Config(Settings):
    """The config of a study."""

    mirror: Folder = ""
    """Folder that stands in for downloads; the variable SEGGRID_MIRROR goes before it. A file given by
    URL is looked for here first."""

    downloads: FilePath = "resources/downloads"
    """Folder in which downloaded files are kept."""

    study: Name | None = None
    """Name of the study: its tables, figures and report lie in `results/studies/NAME`, so that no other
    config of this folder writes over them; by default, in `results`. Files of stages are shared."""

    pairs: dict[Name, Pair]
    """The language pairs, by name."""

    experiments: dict[Name, Experiment]
    """Named sub-grids. Each is the product of its axes, the grid is the union of them all, and a cell
    that two share is computed once."""

    aligners: Aligners = Field(default_factory=Aligners, description=Aligners.__doc__)

    learn_merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)] = 20_000
    """Merges learned for each language, of which every cell uses a prefix; a cell with more than these
    uses a model of the next multiple. `unigram` learns each number by itself."""

    batch: Annotated[int, Field(ge=1, le=CELL_AXES["samples"].most)] = 5
    """Samples computed by one job at most."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """All random choices follow from it, the cell and the sample."""

    published: OneOrMore[FilePath] = Field([])
    """Tables of published figures (resources/published) that are set beside ours."""

    claims: Literal["none", "thesis", "thesis-eng-hin"] = "none"
    """Claims of a publication that are checked against the scores: those of the thesis about
    English–German, or about English–Hindi."""

    morphology: dict[Name, Morphology] = Field({})
    """Named evaluations of tokenizers against morphological references."""

    language_models: dict[Name, LanguageModel] = Field({})
    """Named language models of segmented texts; they need the extra `lm`."""

    ensemble: dict[Name, Ensemble] = Field({})
    """Named votes across aligners and segmentations."""

    report: Report = Field(default_factory=Report, description=Report.__doc__)

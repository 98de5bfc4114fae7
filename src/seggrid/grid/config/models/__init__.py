"""The config as models: every key with its type, range, default and meaning; one module for each section.

The keys of an experiment follow from the table of axes, those of the aligners' options from the aligners
themselves. The JSON schema and the reference are generated from here (`documentation`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.models.ensembles import Ensemble
from seggrid.grid.config.models.experiments import Aligners, Experiment
from seggrid.grid.config.models.exports import Export
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

    viewer_cells: Annotated[int, Field(ge=0, le=1000)] = 100
    """Cells per pair in the alignment viewer; for all pairs together, at most 240, so that the
    page has about 2 MB. The best cells, and the best of each kind, come first."""

    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """Bootstrap resamples for intervals. A test uses five times as many permutations, or more if its
    correction for many cells needs them."""


class Config(Settings):
    """The config of a study."""

    mirror: Folder = ""
    """Folder with copies of files to download: a file given by URL is looked for here first. The
    environment variable SEGGRID_MIRROR overrides it."""

    downloads: FilePath = "resources/downloads"
    """Folder for downloaded files."""

    study: Name | None = None
    """Name of the study. Its tables, figures, report, exports, tokenizers, language models and their logs
    are then in `results/studies/NAME` instead of `results`, so that other configs in this folder do not
    overwrite them. Files of stages are shared."""

    plugins: OneOrMore[FilePath] = Field([])
    """Segmenters and aligners of your own: Python files, or modules of installed packages, see
    docs/plugins.md. Their code runs before the config is checked, and in jobs."""

    pairs: dict[Name, Pair] = Field({})
    """The language pairs, by name."""

    experiments: dict[Name, Experiment] = Field({})
    """Named parts of the grid. Each experiment has a cell for every combination of its values; a cell that
    two experiments share is computed once."""

    aligners: Aligners = Field(default_factory=Aligners, description=Aligners.__doc__)

    learn_merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)] = 20_000
    """Merges learned for each language; every cell uses the first of them. A cell with more merges than
    this uses a model with the next multiple. `unigram` learns a model for each number."""

    batch: Annotated[int, Field(ge=1, le=CELL_AXES["samples"].most)] = 5
    """Maximum number of samples per job."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """Seed of all random choices, together with the cell and the number of the sample."""

    published: OneOrMore[FilePath] = Field([])
    """Tables of published figures to compare with ours, such as those in resources/published."""

    claims: Literal["none", "thesis", "thesis-eng-hin", "thesis-eng-ron", "knockout"] = "none"
    """Published claims to check: those of the thesis about English–German (`thesis`), English–Hindi or
    English–Romanian, or those of BPE-knockout about the tokenizers whose evaluation has `published`."""

    morphology: dict[Name, Morphology] = Field({})
    """Named evaluations of tokenizers against morphological references."""

    language_models: dict[Name, LanguageModel] = Field({})
    """Named language models of segmented texts; they need the extra `lm`."""

    ensemble: dict[Name, Ensemble] = Field({})
    """Named votes across cells of any aligners and segmentations."""

    export: dict[Name, Export] = Field({})
    """Named exports of cells: links and tokens of all sentence pairs, and the models."""

    report: Report = Field(default_factory=Report, description=Report.__doc__)

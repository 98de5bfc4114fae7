"""The config as a model: every key with its type, range, default and meaning; and the check of a config.

The keys of an experiment follow from the table of axes, those of the aligners' options from the aligners
themselves. The JSON schema and the reference are generated from here (`documentation`). The check reports all
mistakes that can be found without opening the files that a config names, each in one line with file, line,
key and hint: first of all values that do not fit the models, then of values that do not fit one another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import Field, ValidationError, create_model

from seggrid.base.errors import InputError, InputErrors
from seggrid.base.settings import OneOrMore, Settings, mistakes
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.experiments import Aligners, Experiment, check_experiments
from seggrid.grid.config.keys import with_keys
from seggrid.grid.config.pairs import Pair, check_pair_entry
from seggrid.grid.config.read import ConfigFindings, ConfigNode, Key, from_plain, read_config
from seggrid.grid.config.values import FilePath, Folder, Name, Text
from seggrid.grid.plugins import blamed, load, load_installed
from seggrid.grid.study import STUDIES, Study

T = TypeVar("T", bound=Settings)


class Report(Settings):
    """The report."""

    title: Text = ""
    """Heading of the report; by default, the languages."""

    about: Text = ""
    """What the study is about, in a sentence, below the heading."""

    viewer_cells: Annotated[int, Field(ge=0, le=1000)] = 100
    """Cells per pair in the alignment viewer; for all pairs together, at most 240, so that the
    page has about 2 MB. The best cells, and the best of each kind, come first."""

    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """Bootstrap resamples for intervals. A test uses five times as many permutations, or more if its
    correction for many cells needs them."""


class Config(Settings):
    """The config: the keys of the grid. `config_model` adds those of the studies."""

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
    """Segmenters, aligners and studies of your own: Python files, or modules of installed packages, see
    docs/plugins.md. Their code runs before the config is checked, and in jobs."""

    pairs: dict[Name, Pair] = Field({})
    """The language pairs, by name."""

    experiments: dict[Name, Experiment] = Field({})
    """Named parts of the grid. Each experiment has a cell for every combination of its values; a cell that
    two experiments share is computed once."""

    aligners: Aligners = Field(
        default_factory=lambda: with_keys(Aligners)(), description=Aligners.__doc__
    )

    learn_merges: Annotated[int, Field(ge=1, le=SIDE_AXES["merges"].most)] = 20_000
    """Merges learned for each language; every cell uses the first of them. A cell with more merges than
    this uses a model with the next multiple. `unigram` learns a model for each number."""

    batch: Annotated[int, Field(ge=1, le=CELL_AXES["samples"].most)] = 5
    """Maximum number of samples per job."""

    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    """Seed of all random choices, together with the cell and the number of the sample."""

    report: Report = Field(default_factory=Report, description=Report.__doc__)


def config_model() -> type[Config]:
    """The model of a config: the keys of the grid and of the studies, among them those of plug-ins."""
    return with_keys(_with_studies(tuple(STUDIES.values())))


@cache
def _with_studies(studies: tuple[type[Study], ...]) -> type[Config]:
    keys: dict[str, Any] = {study.key: study.value for study in studies if study.key}
    if taken := keys.keys() & Config.model_fields.keys():
        message = f"a study has the key {min(taken)!r}, which is one of the grid"
        raise InputError(message, hint="give it another name")
    return create_model("Config", __base__=Config, **keys)


class Checked(NamedTuple):
    """A config that is right, with all defaults; and remarks on what may not be intended."""

    config: Config
    remarks: tuple[str, ...]


def check_config(source: ConfigNode | Mapping[str, Any]) -> Checked:
    """Check a config, or plain values (messages then have no lines), and fill it in; or raise all
    mistakes."""
    root = source if isinstance(source, ConfigNode) else from_plain(source)
    findings, values = ConfigFindings(root), root.plain()
    _load_plugins(values.get("plugins", []))
    for key in _nulls(root, ()):
        hint = "give it one, or leave it out"
        if key[:1] == ("experiments",) and len(key) == 2:
            hint = f"write {key[-1]}: {{}} for the defaults"
        findings.mistake(key, "no value", hint)
    try:
        config = fit(config_model(), values, findings)
    except InputErrors:
        # The experiments that fit are checked all the same, so that mistakes of all kinds are told at once.
        if fitting := _fitting(values):
            check_experiments(fitting, findings)
            findings.refuse()
        raise
    _check_names(config, findings)
    for name, pair in config.pairs.items():
        check_pair_entry(name, pair, findings)
    check_experiments(config, findings)
    with blamed():
        for study in STUDIES.values():
            study.check(config, findings)
    _remark_unused(config, findings)
    findings.refuse()
    return Checked(config, findings.remarks)


def fit(model: type[T], values: Mapping[str, Any], findings: ConfigFindings) -> T:
    """Fit values to a model; or raise the earlier mistakes, and all values that do not fit."""
    told = bool(findings)  # that keys have no value; a recipe has not been searched for them
    try:
        fitted = model.model_validate(values)
    except ValidationError as error:
        # At most a thousand mistakes are collected.
        for path, message, hint in islice(mistakes(error, model), 1000):
            if not told or findings.root.at(path).value is not None:
                findings.mistake(path, message, hint)
    findings.refuse()
    return fitted


def _fitting(values: Mapping[str, Any]) -> Config | None:
    """The config with those of its experiments that fit to the model; None if none does."""
    found, given = {}, values.get("experiments")
    for name, one in given.items() if isinstance(given, dict) else ():
        with suppress(ValidationError):
            config_model().model_validate({**values, "experiments": {name: one}})
            found[name] = one
    return config_model().model_validate({**values, "experiments": found}) if found else None


def _load_plugins(given: Any) -> None:
    """Register the plug-ins of installed packages and those of the config, so that their names are values."""
    load_installed()
    for plugin in given if isinstance(given, list) else [given]:
        if isinstance(plugin, str) and plugin:
            load(plugin)


def mirror_folder(mirror: str) -> Path | None:
    """The folder with files in place of downloads, the config's or that of the environment, if any."""
    folder = os.environ.get("SEGGRID_MIRROR") or mirror
    return Path(folder) if folder else None


def _nulls(node: ConfigNode, key: Key) -> Iterator[Key]:
    """The keys without a value."""
    if isinstance(node.value, dict):
        for name, inner in node.value.items():
            yield from _nulls(inner, (*key, name))
    elif isinstance(node.value, list):
        for inner in node.value:
            yield from _nulls(inner, key)
    elif node.value is None:
        yield key


def _check_names(config: Config, findings: ConfigFindings) -> None:
    """Refuse empty sections, and names that would give the same files."""
    alone = [study for study in STUDIES.values() if study.alone and study.given(config)]
    if config.experiments or not alone:
        for section, example in ("pairs", "eng-deu: {…}"), ("experiments", "bpe: {merges: 1000}"):
            if not getattr(config, section):
                hint = f"write {section}: {{{example}}}"
                findings.mistake((section,), "nothing is named", hint)
    for section in type(config).model_fields:
        by_case: dict[str, str] = {}
        entries = getattr(config, section)
        for name in entries if isinstance(entries, dict) else ():
            if (other := by_case.setdefault(name.casefold(), name)) != name:
                # macOS and Windows do not distinguish capitals in names of files.
                why = (
                    f"differs from {other} in capitals alone: on some disks, both would be one file"
                )
                findings.mistake((section, name), why, "rename one of the two")


def _remark_unused(config: Config, findings: ConfigFindings) -> None:
    """Add remarks on pairs and options that nothing uses."""
    experiments = config.experiments.values()
    pairs = {pair for experiment in experiments for pair in experiment.pairs or config.pairs}
    aligners = {aligner for experiment in experiments for aligner in experiment.values("aligner")}
    pairs |= {pair for study in STUDIES.values() for pair in study.pairs(config)}
    unused = [("pairs", name) for name in config.pairs if name not in pairs]
    given = sorted(config.aligners.model_fields_set - aligners)
    for key in (*unused, *(("aligners", name) for name in given)):
        findings.remark(key, "nothing uses it")


__all__ = [
    "Config",
    "ConfigNode",
    "check_config",
    "config_model",
    "fit",
    "from_plain",
    "mirror_folder",
    "read_config",
]

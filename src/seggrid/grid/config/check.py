"""Check a config: all mistakes that can be found without opening the files that it names.

Each mistake is one line with file, line, key and hint; all mistakes are reported together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from seggrid.base.settings import mistakes
from seggrid.grid.config.checks.ensembles import check_ensemble
from seggrid.grid.config.checks.experiments import check_experiments
from seggrid.grid.config.checks.exports import check_export
from seggrid.grid.config.checks.language_models import check_language_models
from seggrid.grid.config.checks.morphology import check_morphology
from seggrid.grid.config.checks.pairs import check_texts
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models import Config
from seggrid.grid.config.read import Node, Source, from_plain
from seggrid.plugins import load, load_installed
from seggrid.segment.axes import FORMER

_NAMED = ("pairs", "experiments", "morphology", "language_models", "export")


@dataclass(frozen=True)
class Checked:
    """A config that fits the models.

    Attributes:
        config: all keys, with defaults filled in and lists for single values of axes.
        remarks: lines about settings that are allowed but may not be intended.
    """

    config: Config
    remarks: tuple[str, ...] = ()


def check_config(source: Source | Mapping[str, Any]) -> Checked:
    """Check a config and fill it in.

    Args:
        source: the result of `read_config`; or plain values, for which messages have no lines.
    """
    if not isinstance(source, Source):
        source = Source(from_plain(source))
    findings = Findings(source)
    values = source.root.plain()
    names, models = (
        list(values[key]) if isinstance(values.get(key), dict) else []
        for key in ("pairs", "language_models")
    )
    _load_plugins(values)
    config = _fit(values, findings)
    _check_urls(values, findings)
    if config is not None:
        check_experiments(config, names, findings)
        for name, pair in config.pairs.items():
            check_texts(name, pair, findings)
        for name, entry in config.morphology.items():
            check_morphology(config.pairs, name, entry, names, findings)
        check_language_models(config.language_models, config.pairs, names, models, findings)
        for name, ensemble in config.ensemble.items():
            check_ensemble(name, ensemble, config, findings)
        for name, export in config.export.items():
            check_export(name, export, config, findings)
        _check_names(config, findings)
        _remark_unused(config, findings)
    findings.refuse()
    assert config is not None, "what does not fit the models is a mistake"
    return Checked(config, findings.remarks)


def _load_plugins(values: Mapping[str, Any]) -> None:
    """Register the plug-ins of installed packages and those of the config, so that their names are values."""
    load_installed()
    given = values.get("plugins", [])
    for plugin in given if isinstance(given, list) else [given]:
        if isinstance(plugin, str) and plugin:
            load(plugin)


def mirror_folder(mirror: str) -> Path | None:
    """The folder with files in place of downloads, the config's or that of the environment; None if there is
    none."""
    folder = os.environ.get("SEGGRID_MIRROR") or mirror
    return Path(folder) if folder else None


def _fit(values: dict[str, Any], findings: Findings) -> Config | None:
    """Fit the config to the models. Entries with mistakes are left out, so that the others can still be
    checked. None if the rest does not fit."""
    broken = set(_nulls(findings.root, (), findings))
    for key in broken:
        _remove(values, key)
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        # At most a thousand mistakes are collected.
        for wrong in islice(mistakes(error, Config, findings.written), 1000):
            broken.add(wrong.path)
            if not findings.is_misread(wrong.path):
                hint = FORMER.get("".join(wrong.path[-1:])) or wrong.hint
                findings.mistake(wrong.path, wrong.message, hint)
    for key in broken:
        _remove(values, key[: 2 if key[:1] and key[0] in _NAMED else 1])
    for section in ("pairs", "experiments"):
        if not isinstance(values.get(section), dict):
            values[section] = {}
    try:
        return Config.model_validate(values)
    except ValidationError:
        return None


def _nulls(node: Node, key: Key, findings: Findings) -> Iterator[Key]:
    """Report keys without a value as mistakes, and yield them, so that the caller removes them."""
    if isinstance(node.value, dict):
        for name, inner in node.value.items():
            yield from _nulls(inner, (*key, name), findings)
    elif isinstance(node.value, list):
        for inner in node.value:
            yield from _nulls(inner, key, findings)
    elif node.value is None:
        hint = "give it one, or leave it out"
        if len(key) == 2 and key[0] == "experiments":
            hint = f"write {key[-1]}: {{}} for the defaults"
        findings.mistake(key, "no value", hint)
        yield key


def _remove(values: dict[str, Any], key: Key) -> None:
    inner: Any = values
    for step in key[:-1]:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if key and isinstance(inner, dict):
        inner.pop(key[-1], None)


def _check_urls(values: dict[str, Any], findings: Findings) -> None:
    """Refuse a URL with two different digests."""
    seen: dict[str, tuple[Key, str]] = {}
    for key, entry in _downloads(values, ()):
        url, digest = entry["url"], str(entry["sha256"]).lower()
        first, known = seen.setdefault(url, (key, digest))
        if digest != known:
            node = findings.root.at(first)
            findings.mistake(
                key,
                f"{url} with another sha256 than in {node.file}, line {node.line} "
                f"({'.'.join(first)})",
                "one URL is one file: correct one of the two",
            )


def _downloads(value: Any, key: Key) -> Iterator[tuple[Key, dict[str, Any]]]:
    if isinstance(value, dict):
        if isinstance(value.get("url"), str) and "sha256" in value:
            yield key, value
        for name, inner in value.items():
            yield from _downloads(inner, (*key, name))


def _check_names(config: Config, findings: Findings) -> None:
    """Refuse empty sections, and names that would give the same files."""
    examples = {"pairs": "eng-deu: {…}", "experiments": "bpe: {merges: 1000}"}
    if not config.experiments and (config.morphology or config.language_models):
        # A study without alignments has no experiments.
        examples = {}
    for section, example in examples.items():
        if not getattr(config, section) and not findings:
            findings.mistake((section,), "nothing is named", f"write {section}: {{{example}}}")
    for section in ("pairs", *_NAMED[2:], "ensemble"):
        by_case: dict[str, str] = {}
        for name in getattr(config, section):
            if (other := by_case.setdefault(name.casefold(), name)) != name:
                # macOS and Windows do not distinguish capitals in names of files.
                why = (
                    f"differs from {other} in capitals alone: on some disks, both would be one file"
                )
                findings.mistake((section, name), why, "rename one of the two")
    for name in config.morphology:
        other = name.removesuffix(".figures")
        if other != name and other in config.morphology:
            findings.mistake(
                ("morphology", name),
                f"its table would be the file of the figures of {other}",
                "rename one of the two",
            )


def _remark_unused(config: Config, findings: Findings) -> None:
    """Add remarks on pairs and options that nothing uses."""
    experiments = config.experiments.values()
    pairs = {pair for experiment in experiments for pair in experiment.pairs or config.pairs}
    pairs |= {own.pair for entry in config.morphology.values() if (own := entry.learned)}
    pairs |= {entry.pair for entry in config.language_models.values() if entry.pair}
    aligners = {aligner for experiment in experiments for aligner in experiment.values("aligner")}
    for section, names, used in (
        ("pairs", config.pairs, pairs),
        ("aligners", sorted(config.aligners.model_fields_set), aligners),
    ):
        for name in names:
            if name not in used:
                findings.remark((section, name), "nothing uses it")

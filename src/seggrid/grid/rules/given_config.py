"""The config of a run of Snakemake, read from its files (`seggrid.grid.config.read` says why). What Snakemake
has merged is used only if a workflow includes this one as a module and makes its config itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snakemake.common.configfile import load_configfile
from snakemake.utils import update_config

from seggrid.base.errors import InputError
from seggrid.grid.config import ConfigNode, from_plain, read_config


def config_files(workflow: Any, default: str) -> list[str]:
    """The files of the config; later ones override earlier ones. Files on the command line replace the
    default file; in a workflow that includes this one as a module, they override its config."""
    given = [str(file) for file in workflow.overwrite_configfiles]
    named = [str(file) for file in workflow.configfiles]
    own = [file for file in named if str(Path(file).absolute()) not in given]
    if _is_module(workflow):
        return [*own, *given]
    return given or own or [default]


def given_config(workflow: Any, merged: Mapping[str, Any], files: Sequence[str]) -> ConfigNode:
    """The config from its files and `--config`; `merged` is the config as Snakemake merged it."""
    settings = workflow.config_settings
    if _is_module(workflow):
        try:
            read: dict[str, Any] = {}
            for file in files:
                update_config(read, load_configfile(file))
            update_config(read, settings.config)
        except Exception as error:
            raise InputError(f"cannot be read: {error}", file=file) from None
        if read != merged:
            return from_plain(merged)
    return read_config(files, settings.config_args or ())


def _is_module(workflow: Any) -> bool:
    # This attribute is private to Snakemake; if it is missing, a module's config is read from files only.
    return getattr(workflow.modifier, "skip_configfile", False)

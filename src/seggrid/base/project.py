"""Where the workflow is: its rules, profiles, configs and the built-in pair."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_CLONE = _PACKAGE.parent.parent

PROJECT = _CLONE if (_CLONE / "workflow/Snakefile").is_file() else _PACKAGE / "_project"
"""The folder with `workflow`, `config` and `resources`: the clone, or what the wheel has of it."""

SNAKEFILE = PROJECT / "workflow/Snakefile"

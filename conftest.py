"""Collect doctests only from modules that can be imported here."""

import re
from importlib.util import find_spec
from pathlib import Path

# Packages of the extras `lm`, `neural` and `neural-torch` that are not installed.
_OPTIONAL = ("torch", "transformers", "tokenizers", "safetensors", "threadpoolctl")
_MISSING = "|".join(name for name in _OPTIONAL if find_spec(name) is None)
_NEEDS = re.compile(rf"^(?:import|from) (?:{_MISSING})\b", re.M)
# Scripts have no doctests, and those of two studies may have the same name.
collect_ignore_glob = ["src/seggrid/studies/*/jobs/*"]
collect_ignore = [
    str(file)
    for file in Path(__file__).parent.glob("src/seggrid/**/*.py")
    if _MISSING and _NEEDS.search(file.read_text("utf-8"))
]

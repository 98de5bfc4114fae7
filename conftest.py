"""Collect doctests only from modules that can be imported here."""

import re
from importlib.util import find_spec
from pathlib import Path

# Modules that need the extra `lm`, if it is not installed.
_NEEDS = re.compile(r"^(?:import|from) (?:torch|transformers|tokenizers|safetensors)\b", re.M)
collect_ignore = [
    str(file)
    for file in Path(__file__).parent.glob("src/seggrid/**/*.py")
    if find_spec("torch") is None and _NEEDS.search(file.read_text("utf-8"))
]

"""A public function or class has a name of its own, so that a search for it finds one thing."""

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src/seggrid"

SHARED = {
    # What each verb, job and aligner has by contract.
    "command",
    "epilog",
    "main",
    "Options",
    # What plug-ins derive from, and what it is called in Python.
    "Aligner",
    "Segmenter",
    # The verb, and what each job calls.
    "run",
}
"""Names that stand in two or more modules."""


def test_each_name_stands_for_one_thing():
    modules = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].add(str(path.relative_to(PACKAGE)))
    several = {name: sorted(found) for name, found in modules.items() if len(found) > 1}
    assert several.keys() == SHARED, {name: several.get(name) for name in several.keys() ^ SHARED}

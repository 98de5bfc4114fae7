"""The walk of a value from the config to the rules is short: few files and functions of the package see it.

In a process of its own, the workflow is planned for an experiment on the built-in pair, and every call of a
function of the package is looked at. A function counts if it receives or returns the value, as a number or a
text, also within a list or a mapping. What holds the value (a side, a cell, a segmentation or a path with it)
is counted by itself. Functions within a function count as that one.
"""

import json
import subprocess
import sys

import pytest
import yaml

import builtin_pair

# No other number of the package, its configs or texts is one of these.
EXPERIMENT = {"merges": 15_487, "dropout": 0.137, "samples": 2, "aggregate": 0.5}

TRACE = """
import json, sys
from fractions import Fraction
import snakemake.cli

root, text = sys.argv[1:]
sources, number, found, held = root + "/src/seggrid/", Fraction(text), set(), set()

def is_value(thing, deep=1):
    if isinstance(thing, str):
        return thing == text
    if isinstance(thing, (int, float, Fraction)):
        return thing == number or thing == float(number)
    if isinstance(thing, dict):
        thing = list(thing.values())
    return isinstance(thing, (list, tuple)) and deep and any(is_value(one, 0) for one in thing)

def holds(thing):
    if isinstance(thing, str):
        return "=" + text in thing
    name = type(thing).__name__
    if name == "Side":
        return number in (thing.merges, thing.dropout)
    if name == "Cell":
        return holds(thing.source) or holds(thing.target)
    return name == "Segmented" and holds(thing.spec)

def look(frame, event, result):
    code = frame.f_code
    if event in ("call", "return") and code.co_filename.startswith(sources):
        count = code.co_argcount + code.co_kwonlyargcount
        given = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
        seen = [result] if event == "return" else given
        function = code.co_filename[len(sources):], code.co_qualname.partition(".<locals>")[0]
        if any(map(is_value, seen)):
            found.add(function)
        if any(map(holds, seen)):
            held.add(function)

command = ["--snakefile", root + "/workflow/Snakefile", "--configfile", "config.yaml", "--dry-run"]
sys.setprofile(look)
try:
    snakemake.cli.main([*command, "--quiet", "all", "--cores", "1", "results/scores.csv"])
except SystemExit as end:
    assert not end.code
finally:
    sys.setprofile(None)
print("found:" + json.dumps([sorted(found), sorted(held)]))
"""


@pytest.mark.tier("check")
@pytest.mark.parametrize("axis", ["dropout", "merges"])
def test_few_functions_see_a_value_before_a_job_starts(root, tmp_path, axis):
    config = {"pairs": {"p": builtin_pair.SHIPPED}, "experiments": {"x": EXPERIMENT}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    command = [sys.executable, "-c", TRACE, str(root), str(EXPERIMENT[axis])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("found:"))
    found, held = json.loads(line.removeprefix("found:"))
    # It does pass through the model of the config, and the spelling of a path.
    assert {"segment/side.py", "base/axis.py", "grid/cell.py"} <= {file for file, _ in found}
    assert len({file for file, _ in found}) <= 10, found
    assert len(found) <= 35, found
    assert len({file for file, _ in held}) <= 8, held
    assert len(held) <= 60, held

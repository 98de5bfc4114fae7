"""Count the files and functions that a value of a config, `dropout: 0.1`, passes through before a job starts.

    python benchmarks/walk.py [--names]

The workflow is planned in this process (`snakemake -n results/scores.csv`) for an experiment with dropout on
the built-in pair, and every call of a function of the package is looked at. A function counts if it receives
or returns the value or what holds it:

- the value: 0.1 as a number or text, also within a list or mapping;
- what holds it: a text with `dropout=0.1`; a segmentation, a cell or a part of the config that has it; a
  list, tuple, set or mapping with one of these among its first members, at most three deep.

Both are counted, and how often a function got the value itself as a text or number and gave back another one:
its conversions. Functions within a function count as that one. What only holds the whole grid, such as the
arguments `self` of `Inputs`, does not count, nor do the expressions of rules, which are no functions of the
package.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
SOURCES = str(ROOT / "src/seggrid") + "/"
EXPERIMENT = {"merges": 500, "dropout": 0.1, "samples": 2, "aggregate": 0.5}

_LONG = 50


def is_value(thing: Any, deep: int = 1) -> bool:
    """Whether a thing is the value, or a list or mapping of it."""
    if isinstance(thing, str):
        return thing == "0.1"
    if isinstance(thing, float | Fraction):
        return thing in (0.1, Fraction(1, 10))
    if isinstance(thing, dict):
        thing = list(thing.values())
    return bool(
        isinstance(thing, list | tuple) and deep and any(is_value(one, deep - 1) for one in thing)
    )


def holds(thing: Any, deep: int = 3) -> bool:
    """Whether a thing is the value, or holds it."""
    if isinstance(thing, str):
        return thing == "0.1" or "dropout=0.1" in thing or "dropout: 0.1" in thing
    inner: Iterable[Any] = ()
    if isinstance(thing, dict):
        inner = islice([*thing.values(), *thing.keys()], _LONG)
    elif isinstance(thing, list | tuple | set | frozenset):
        inner = islice(thing, _LONG)
    elif type(thing).__module__.startswith("seggrid.") and type(thing).__name__ in HOLDERS:
        inner = vars(thing).values()
        deep += 1
    else:
        return is_value(thing)
    return deep > 0 and any(holds(one, deep - 1) for one in inner)


HOLDERS = {
    *("Side", "Segmented", "Cell", "Experiment", "SideAxes", "Config", "Checked", "Node", "Source")
}
"""The classes whose instances hold the value as one of their parts."""


class Passed(NamedTuple):
    """The calls of functions, by file and function.

    Attributes:
        holding: those that receive or return what holds the value.
        values: those that receive or return the value itself.
        conversions: those that receive it as a text or number, and return it as another type.
    """

    holding: Counter[tuple[str, str]]
    values: Counter[tuple[str, str]]
    conversions: Counter[tuple[str, str]]


def walk(passed: Passed) -> None:
    """Plan the workflow, and count the calls of functions that the value passes through."""

    def look(frame: FrameType, event: str, result: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(SOURCES):
            return
        # It reads source code, in which there are other such numbers.
        if code.co_filename.endswith("code_digest.py"):
            return
        name = (code.co_filename[len(SOURCES) :], code.co_qualname.partition(".<locals>")[0])
        if name[1].startswith("<"):
            return
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
        given = [frame.f_locals.get(own) for own in code.co_varnames[:count]]
        things = [result] if event == "return" else given
        passed.holding[name] += any(map(holds, things))
        passed.values[name] += any(map(is_value, things))
        if event == "return" and is_value(result, 0):
            types = {type(one) for one in given if is_value(one, 0)}
            passed.conversions[name] += bool(types) and type(result) not in types

    import snakemake.cli

    command = ["--snakefile", str(ROOT / "workflow/Snakefile"), "--configfile", "config.yaml"]
    command += ["--dry-run", "--quiet", "all", "--cores", "1", "results/scores.csv"]
    sys.setprofile(look)
    try:
        snakemake.cli.main(command)
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.setprofile(None)


def main() -> None:
    """Parse the arguments, walk, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--names", action="store_true", help="print the files and functions")
    arguments = parser.parse_args()
    builtin = ROOT / "resources/builtin"
    pair = {
        "source": {"text": str(builtin / "eng.txt")},
        "target": {"text": str(builtin / "deu.txt")},
        "gold": {"file": str(builtin / "gold.txt")},
    }
    config = {"pairs": {"p": pair}, "experiments": {"x": EXPERIMENT}}
    passed = Passed(Counter(), Counter(), Counter())
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("config.yaml").write_text(yaml.safe_dump(config), "utf-8")
        walk(passed)
    for what, counts in passed._asdict().items():
        calls = +counts
        if arguments.names:
            for (file, function), number in sorted(calls.items()):
                print(f"{what}: {file:40} {function:40} {number:6}")
        files = len({file for file, _ in calls})
        print(f"{what}: {files} files, {len(calls)} functions, {calls.total()} calls")


if __name__ == "__main__":
    main()

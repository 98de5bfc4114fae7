"""The options of a script are the parameters of its `main`; a job logs only its own time and memory."""

import argparse
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

from seggrid.base.options import add_options, values_of
from seggrid.grid.jobs import script
from seggrid.grid.jobs.script import TOOK
from seggrid.grid.jobs.side_inputs import SideInputs
from seggrid.grid.samples import Part
from seggrid.segment.side import parse_spec


def test_what_is_logged_can_be_read_with_and_without_memory(capsys, monkeypatch):
    monkeypatch.setattr(script, "_reset_peak", lambda: False)
    with script.timed("learning"):
        pass
    (took,) = TOOK.findall(capsys.readouterr().err)
    assert took[2] == ""
    assert TOOK.findall("x took 1.5 s, 2.5 s of CPU, 30 MB at most") == [("1.5", "2.5", "30")]


@dataclass(frozen=True, kw_only=True)
class Inputs(SideInputs):
    """A group of options, some of them inherited from another module."""

    test: int = 3


def main(
    inputs: Inputs,
    part: Part,
    seed: int,
    kind: Literal["a", 1],
    rates: list[Fraction],
    rows: list[tuple],
    output: Path | None = None,
    names: list[str] = [],  # noqa: B006
    about: dict = {},  # noqa: B006
    only_lines: bool = False,
) -> None:
    """A script."""


NEEDED = (
    "--corpus=c --spec=bpe+case=keep+merges=5 --part=4-7 --seed=1 --kind=1 --rates 0.5 1/3 "
    "--rows=[[1,2]]"
)


def read(line):
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, main)
    return values_of(main, vars(parser.parse_args(line.split())))


def test_options_are_read_as_the_types_of_the_parameters(tmp_path):
    given = read(f"{NEEDED} --model= --model-format=x --output= --names a --only-lines")
    inputs = given.pop("inputs")
    assert inputs == Inputs(corpus=Path("c"), spec=parse_spec("bpe+case=keep+merges=5"),
                            model_format="x")  # fmt: skip
    assert inputs.test == 3
    assert given == {
        "part": Part(4, 7), "seed": 1, "kind": 1, "rates": [Fraction(1, 2), Fraction(1, 3)],
        "rows": [[1, 2]], "output": None, "names": ["a"], "about": {},
        "only_lines": True,
    }  # fmt: skip
    given = read(f'{NEEDED} --only-lines=False --names --about={{"x":1}} --output=o')
    assert (given["only_lines"], given["names"], given["about"]) == (False, [], {"x": 1})
    assert given["output"] == Path("o")
    (tmp_path / "about.json").write_text('{"x": 2}')
    assert read(f"{NEEDED} --about=@{tmp_path}/about.json")["about"] == {"x": 2}
    assert read(NEEDED)["names"] == []


@pytest.mark.parametrize("wrong", ["--seed=x", "--kind=b", "--part=4", "--other=1"])
def test_what_is_none_of_its_options_is_refused(wrong, capsys):
    with pytest.raises((SystemExit, argparse.ArgumentError)):
        read(f"{NEEDED} {wrong}")


JOB = """
    from seggrid.grid.jobs.script import timed

    with timed("work"):
        held = bytearray(60_000_000)
    """

# 400 MB in the parent, with which the memory counters of its children start.
PARENTS = {
    "forked": """
        import os, runpy
        import seggrid.grid.jobs.script

        large = bytearray(400_000_000)
        del large
        if not os.fork():
            runpy.run_path("job.py")
            os._exit(0)
        os.wait()
        """,
    "called": """
        import subprocess, sys

        large = bytearray(400_000_000)
        subprocess.run([sys.executable, "job.py"], check=True)
        """,
}


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="not on this system")
@pytest.mark.parametrize("parent", PARENTS.values(), ids=PARENTS)
def test_memory_is_the_jobs_own_and_not_its_parents(tmp_path, parent):
    (tmp_path / "job.py").write_text(textwrap.dedent(JOB))
    command = [sys.executable, "-c", textwrap.dedent(parent)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    ((_, _, memory),) = TOOK.findall(done.stderr)
    assert 60 <= int(memory) < 200

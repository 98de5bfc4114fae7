"""A finished run of a small grid in a copy of the project, and dry runs after changes to the copy.

The tests edit code, rules and data, so they work on a copy.
"""

import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

import planner
import yaml

from listed_jobs import read_dry_run
from seggrid.grid.run.dry_run import PlannedJob

PAIRS = ("one", "two", "three")


def pair(name: str) -> dict:
    """The config of a pair."""
    return {
        "source": {
            "language": "A",
            "text": f"data/{name}.a",
            "format": "tsv",
            "morphemes": {"file": f"data/{name}.morphemes"},
        },
        "target": {"language": "B", "text": f"data/{name}.b"},
        "gold": {"file": f"data/{name}.gold"},
    }


CONFIG = {
    "learn_merges": 30,
    "batch": 2,
    # The third pair is not used.
    "pairs": {name: pair(name) for name in PAIRS},
    "experiments": {
        "plain": {"pairs": ["one"], "merges": [10, 20], "aligner": "fast_align"},
        "side": {"pairs": ["two"], "merges": 10, "sides": "source", "aligner": "fast_align"},
        "probable": {
            "pairs": ["two"],
            "merges": 10,
            "sides": "source",
            "aligner": "gibbs",
            "aggregate": "posterior-0.5",
        },
        "knockout": {
            "pairs": ["one"],
            "merges": 20,
            "sides": "source",
            "knockout": "blame-0.5",
            "aligner": "fast_align",
        },
        "dropout": {
            "pairs": ["one"],
            "merges": 20,
            "dropout": 0.1,
            "aligner": "fast_align",
            "samples": [3, 4],
            "aggregate": ["union", 0.5],
        },
    },
    "export": {
        "mine": {"experiments": "probable"},
        "cut": {"experiments": "side", "parts": 30, "sample": 20, "format": "gz"},
        "twice": {"experiments": "probable", "tokens": "none", "models": False, "parts": 30},
    },
    "report": {"resamples": 100},
}

# Each job records its arguments, the package's modules that it loaded, and the results that it opened for
# reading. The modules are those of its script: what the fork server or job.py have loaded is forgotten, so
# that the script loads its imports anew.
TRACER = """
    import functools, json, os, runpy, sys

    opened = set()

    def watch(event, values):
        if event == "open" and isinstance(values[0], str):
            name, mode, flags = values
            if not flags & (os.O_WRONLY | os.O_RDWR):
                opened.add(os.path.relpath(name))

    def own():
        return [name for name in sys.modules if name.split(".")[0] == "seggrid"]

    def run_path(*arguments, run=runpy.run_path, **options):
        for name in own():
            del sys.modules[name]
        opened.clear()
        sys.addaudithook(watch)
        names = run(*arguments, **options)
        main = names["main"]

        @functools.wraps(main)
        def traced(**given):
            try:
                main(**given)
            finally:
                results = [name for name in opened if name.startswith("results/")]
                with open(os.path.join(folder, f"{os.getpid()}.json"), "w") as file:
                    json.dump([sys.argv, own(), results], file)

        return names | {"main": traced}

    folder = os.environ.get("SEGGRID_TRACE")
    if folder:
        runpy.run_path = run_path
    """


def write_pair(folder: Path, name: str, seed: int) -> None:
    """A made-up parallel text in which each word has one translation, at the same position."""
    draw = random.Random(seed)
    words = [
        tuple(
            "".join(draw.choices(letters, k=draw.randint(3, 7))) for letters in ("abcd", "uvwxyz")
        )
        for _ in range(40)
    ]
    sentences = [draw.choices(words, k=draw.randint(2, 7)) for _ in range(50)]
    # Every word has two parts.
    halves = (f"{word}\t{word[:2]} {word[2:]}" for word in sorted({a for a, _ in words}))
    (folder / f"{name}.morphemes").write_text("\n".join(halves) + "\n")
    for side, suffix in enumerate("ab"):
        lines = [" ".join(word[side] for word in sentence) for sentence in sentences]
        if suffix == "a":
            # Long sentence ids: above 1 MB, Snakemake by default does not compute checksums.
            lines = [f"{number:030000}\t{line}" for number, line in enumerate(lines)]
        (folder / f"{name}.{suffix}").write_text("\n".join(lines) + "\n")
    gold = (" ".join(f"{i}-{i}" for i in range(len(sentence))) for sentence in sentences)
    (folder / f"{name}.gold").write_text("\n".join(gold) + "\n")


Change = Callable[[dict], None]
"""A function that edits a config in place."""


class Project:
    """A copy of the project with results, and dry runs of Snakemake in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = deepcopy(CONFIG)
        self._universe: dict[str, list[PlannedJob]] = {}
        self._package = self._times()

    def _times(self) -> dict[Path, int]:
        """When each module of the package was changed."""
        return {file: file.stat().st_mtime_ns for file in self.folder.glob("src/**/*.py")}

    def dry_run(self, change: Change | None = None) -> tuple[list[PlannedJob], list[PlannedJob]]:
        """The jobs that would run with a changed config, and all jobs of that config.

        The latter depend only on the config and are computed once.
        """
        config = deepcopy(self.config)
        if change is not None:
            change(config)
        text = yaml.safe_dump(config)
        (self.folder / "config.yaml").write_text(text)
        logs = {"plan": [], "all": ["--forceall"]}
        if text in self._universe:
            logs.pop("all")
        calls = [
            (self.folder / f"{name}.log", [*_COMMAND, "--dry-run", "--quiet", "host", *options])
            for name, options in logs.items()
        ]
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["planner"])
        anew = self._times() != self._package
        process = context.Process(target=planner.snakemake, args=(self.folder, calls, anew))
        # The first start also starts the process that all are forked from.
        os.environ[planner.COPY] = str(self.folder)
        process.start()
        del os.environ[planner.COPY]
        process.join()
        printed = [log.read_text() for log, _ in calls]
        assert process.exitcode == 0, printed
        planned, *rest = (
            [job for job in read_dry_run(jobs) if job.rule != "all"] for jobs in printed
        )
        return planned, self._universe.setdefault(text, *rest)

    def traces(self) -> list[tuple[PlannedJob, str, list[str], list[str]]]:
        """The run's jobs, their scripts, the package's modules that they loaded, and the results that they
        read.

        Without the job of the list of cells, which reruns when its content would change, not when its code
        does.
        """
        _, jobs = self.dry_run()
        found = []
        for file in (self.folder / "trace").iterdir():
            arguments, loaded, read_files = json.loads(file.read_text())
            if arguments[0].startswith(_SCRIPTS) and "cells.py" not in arguments[0]:
                # The command of a job also names the files of other jobs that it reads.
                values = {re.sub("^--[a-z-]+=", "", argument) for argument in arguments}
                named = [job for job in jobs if set(job.outputs) <= values]
                read = {file for job in named for file in job.inputs}
                (job,) = (job for job in named if read.isdisjoint(job.outputs))
                found.append((job, arguments[0], loaded, read_files))
        return found

    @contextmanager
    def edited(self, file: str, edit: Callable[[str], str]):
        """Change the text of a file of the copy until the block ends.

        Files in data/ keep their time of change, as after `cp -p`: only their content counts.
        """
        path = self.folder / file
        text, status = path.read_text(), path.stat()
        changed = edit(text)
        assert changed != text, f"{file}: the edit changes nothing"
        path.write_text(changed)
        if file.startswith("data/"):
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        try:
            yield
        finally:
            path.write_text(text)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


_SCRIPTS = "workflow/scripts/", "src/seggrid/studies/"
_COMMAND = ["--snakefile", "workflow/Snakefile", "--cores", "2", "--configfile", "config.yaml"]


def output(job: PlannedJob) -> str:
    """The name of a job in these tests: its first output."""
    return job.outputs[0]


def following(jobs: Iterable[PlannedJob], starts: Callable[[PlannedJob], bool]) -> set[str]:
    """The jobs that match a description, and all jobs that depend on them."""
    jobs = list(jobs)
    made: set[str] = set()
    found: set[str] = set()
    grown = True
    while grown:
        grown = False
        for job in jobs:
            if output(job) not in found and (starts(job) or not made.isdisjoint(job.inputs)):
                found.add(output(job))
                made.update(job.outputs)
                grown = True
    return found


def finish(root: Path, folder: Path) -> Project:
    """Copy the project and run the small grid in the copy."""
    for part in ("src", "workflow"):
        shutil.copytree(root / part, folder / part)
    (folder / "src/sitecustomize.py").write_text(textwrap.dedent(TRACER))
    for part in ("data", "trace"):
        (folder / part).mkdir()
    for seed, name in enumerate(PAIRS):
        write_pair(folder / "data", name, seed)
    project = Project(folder)
    (folder / "config.yaml").write_text(yaml.safe_dump(project.config))
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *_COMMAND],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(folder / "src"),
            "SEGGRID_TRACE": str(folder / "trace"),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return project

"""The cost of the workflow itself: planning, a run with nothing to do, overhead, a large pair in parts.

    python benchmarks/workflow.py plan --cells 10000
    python benchmarks/workflow.py no-op --cells 1000
    python benchmarks/workflow.py run --config config/thesis.yaml --cores 2
    python benchmarks/workflow.py parts --pairs 1000000 --parts 100000 --whole

`plan` times a dry run of a grid without any outputs, as `seggrid plan` calls it, `no-op` a run of a grid with
all outputs. Both grids are dropout on the built-in pair with six aggregates per setting, as in
config/thesis.yaml. For `no-op` each output is a single byte that `snakemake --touch` has recorded as made, so
that Snakemake finds all files, times, checksums and records that it looks for.

`run` runs a grid from an empty folder and prints for each stage the number of jobs and the time of the
algorithms in them (which each script logs); the CPU time of the whole run and where the rest of it goes; and
the shares of CPU time and of wall time × cores spent outside the algorithms. On a machine with other work
only the first share means anything.

`parts` runs a grid on the first 5,000 sentence pairs and exports its cells for all pairs, in parts: BPE with
2,000 merges, lower-cased, aligned by gibbs (links of a probability above 0.4) and fast_align, whose models
are those of a sample as large as a part. A pair is two of the built-in pair, drawn at random and joined; the
first 2,000 have gold. With `--whole`, the grid also has both cells on all pairs, each aligned by one job. It
prints what `run` prints for each stage, the largest process of all, and F1.
"""

import argparse
import contextlib
import csv
import ctypes
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path

import yaml

import seggrid
from seggrid.grid.grid import Grid
from seggrid.grid.jobs.script import TOOK
from seggrid.grid.run.dry_run import read_jobs
from seggrid.grid.run.this_run import PLAN
from timing import cpu_time, timed

ROOT = Path(__file__).resolve().parent.parent
AGGREGATES = ["union", "intersection", 0.3, 0.5, 0.7, 0.9]
# Settings per number of merges: spaces × rates × kinds, and cells per setting.
SETTINGS = 2 * 4 * 2
PER_MERGES = SETTINGS * len(AGGREGATES) + 2
GRID, GOLD = 5000, 2000
CELL = {"merges": 2000, "case": "lower"}
CELLS = {
    "gibbs": {**CELL, "aligner": "gibbs", "aggregate": "posterior-0.4"},
    "fast_align": {**CELL, "aligner": "fast_align"},
}


def main():
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["plan", "no-op", "run", "parts"])
    parser.add_argument(
        "--cells", type=int, help="of the planned grids; 10,000 and 1,000 if not given"
    )
    parser.add_argument("--config", type=Path, default=ROOT / "config/config.yaml", help="of run")
    parser.add_argument("--pairs", type=int, default=20_000, help="sentence pairs, of parts")
    parser.add_argument("--parts", type=int, default=5_000, help="sentence pairs of a part")
    parser.add_argument("--whole", action="store_true", help="align all pairs by one job as well")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of run and parts")
    parser.add_argument("--folder", type=Path, help="run here, and leave the results")
    arguments = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if arguments.what == "plan":
            plan(folder, arguments.cells or 10_000)
        elif arguments.what == "no-op":
            no_op(folder, arguments.cells or 1_000)
        elif arguments.what == "run":
            run(folder, arguments.config, arguments.cores)
        else:
            run_in_parts(folder, arguments)
    print(f"load after: {os.getloadavg()[0]:.1f}")


# A run of seggrid refuses --touch, since it would pass off old files as those of changed settings.
TOUCHING = """
from snakemake.cli import main
from argparse import Namespace
from seggrid.grid.run import options
from seggrid.grid.run.this_run import Run
options.last = Namespace()
Run.start = Run.succeed = lambda run: None
main()
"""


def snakemake(folder, *options, start=("-m", "snakemake")):
    """Run Snakemake to the end; return its output, wall time and CPU time."""
    command = [sys.executable, *start, "--snakefile", ROOT / "workflow/Snakefile", *options]
    done, wall, cpu = timed(
        partial(subprocess.run, command, cwd=folder, capture_output=True, text=True)
    )
    if done.returncode:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    return done.stdout + done.stderr, wall, cpu


def planned_grid(folder, cells):
    """Write a config of about this many cells; return Snakemake's options for it."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    config["experiments"] = {
        "dropout": {
            "merges": [10 * n for n in range(1, max(1, round(cells / PER_MERGES)) + 1)],
            "spaces": [True, False],
            "dropout": [0.05, 0.1, 0.15, 0.2],
            "dropout_kind": ["occurrence", "merge"],
            "samples": 10,
            "aggregate": AGGREGATES,
        }
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    link(folder, "resources")
    count = len(Grid(config).experiments)
    return count, ["--configfile", "config.yaml", "--cores", "2"]


def link(folder, name):
    """Link a folder of the project into the working folder, where the config expects it."""
    if not (folder / name).exists():
        (folder / name).symlink_to(ROOT / name)


def planned_jobs(folder, options):
    """The jobs of a dry run as `seggrid plan` calls it, its wall time and CPU time."""
    os.environ[PLAN] = str(folder / "plan.json")
    _, wall, cpu = snakemake(folder, *options, "--dry-run", "--quiet", "rules", "progress")
    del os.environ[PLAN]
    return read_jobs(folder / "plan.json"), wall, cpu


def plan(folder, cells):
    """Time a dry run of a grid without any outputs."""
    count, options = planned_grid(folder, cells)
    jobs, wall, cpu = planned_jobs(folder, options)
    jobs = len(jobs)
    print(f"plan of {count:,} cells ({jobs:,} jobs): {wall:.1f} s, {cpu:.1f} s of CPU", flush=True)


def no_op(folder, cells):
    """Time a run of a grid with all outputs."""
    count, options = planned_grid(folder, cells)
    jobs, _, _ = planned_jobs(folder, options)
    folders = {file for job in jobs if job.rule == "figures" for file in job.outputs}
    for job in jobs:
        for file in job.outputs:
            path = folder / file / "figure" if file in folders else folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x")
    # Without --forceall it would touch none, since none is missing, and record nothing.
    snakemake(folder, *options, "--touch", "--forceall", start=("-c", TOUCHING))
    text, wall, cpu = snakemake(folder, *options)
    if "Nothing to be done" not in text or "missing provenance" in text:
        sys.exit(text[-3000:])
    print(
        f"no-op of {count:,} finished cells ({len(jobs):,} jobs): {wall:.1f} s, {cpu:.1f} s of CPU"
    )


def run(folder, config, cores):
    """Run a grid from an empty folder; print how its time and disk space are spent."""
    for name in ("resources", "config"):
        link(folder, name)
    mirror = yaml.safe_load(config.read_text(encoding="utf-8")).get("mirror")
    if mirror:
        os.environ.setdefault("SEGGRID_MIRROR", str((ROOT / mirror).resolve()))
    for name in ("results", ".snakemake"):
        shutil.rmtree(folder / name, ignore_errors=True)
    options = ["--configfile", config.resolve(), "--cores", str(cores)]
    adopt_orphans()
    _, wall, main = snakemake(folder, *options)
    served = cpu_of_orphans()
    stages = accounts(folder / "results")
    print(f"{config.name}: {wall:.0f} s on {cores} cores")
    print_accounts(stages)
    algorithms, cpu = (sum(stage[of] for stage in stages.values()) for of in ("algorithm", "cpu"))
    print(f"CPU: {main + served:.1f} s = {main:.1f} s of Snakemake and the programs that it starts")
    print(
        f"    + {served:.1f} s of the fork server and the jobs in it, {cpu:.1f} s of it algorithms"
    )
    print(f"outside the algorithms: {1 - cpu / (main + served):.1%} of the CPU time")
    print(f"outside the algorithms: {1 - algorithms / (wall * cores):.1%} of wall time × cores")


def adopt_orphans():
    """Become the parent of processes whose own parent ends first, as that of the fork server does."""
    subreaper = 36  # PR_SET_CHILD_SUBREAPER, prctl(2)
    ctypes.CDLL(None).prctl(subreaper, 1)


def cpu_of_orphans():
    """Wait for the adopted processes; return their CPU time in seconds and that of their children."""
    before = cpu_time()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return cpu_time() - before


def accounts(results):
    """For each stage, the number of jobs and the time that their scripts logged for the algorithm."""
    stages = defaultdict(lambda: dict.fromkeys(("jobs", *FIGURES), 0))
    for log in results.glob("logs/**/*.log"):
        # A stage has a folder of logs, or a single log if it has one job.
        stage = log.relative_to(results / "logs").parts[0].removesuffix(".log")
        stages[stage]["jobs"] += 1
        for wall, cpu, memory in TOOK.findall(log.read_text(encoding="utf-8")):
            stages[stage]["algorithm"] += float(wall)
            stages[stage]["cpu"] += float(cpu)
            stages[stage]["memory"] = max(stages[stage]["memory"], float(memory or 0))
    return stages


FIGURES = ("algorithm", "cpu", "memory")


def print_accounts(stages):
    """A line for each stage."""
    print(f"{'stage':12}{'jobs':>6}{'algorithm s':>13}{'of CPU':>9}{'peak MB':>9}")
    for stage, account in stages.items():
        print(
            f"{stage:12}{account['jobs']:6}{account['algorithm']:13.1f}{account['cpu']:9.1f}"
            f"{account['memory']:9.0f}"
        )


def run_in_parts(folder, arguments):
    """Run a grid, and export its cells for all pairs of a long text."""
    write_joined_pairs(folder, arguments.pairs)
    sizes = {name: {**cell, "sentences": GRID} for name, cell in CELLS.items()}
    whole = {f"{name}-whole": cell for name, cell in CELLS.items()} if arguments.whole else {}
    parts = {"parts": arguments.parts, "sample": arguments.parts, "format": "zst"}
    sides = {"source": {"text": "eng.txt"}, "target": {"text": "deu.txt"}}
    config = {
        "learn_merges": CELL["merges"],
        "pairs": {"p": {**sides, "gold": {"file": "gold.txt"}}},
        "experiments": sizes | whole,
        "export": {"parts": {"experiments": list(CELLS), **parts}},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    options = ["--cores", str(arguments.cores), "--configfile", "config.yaml", "--quiet", "all"]
    adopt_orphans()
    _, wall, _ = snakemake(folder, *options, "--", "results/scores.csv", "exports")
    cpu_of_orphans()  # else the jobs are not among the processes that ended
    print(f"{arguments.pairs:,} pairs: {wall:.0f} s by the clock")
    print_accounts(accounts(folder / "results"))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(f"the largest process had {peak:,.0f} MB")
    for row in csv.DictReader((folder / "results/scores.csv").open()):
        if not row["experiment"]:  # a cell that others are compared with
            continue
        links, more = folder / f"results/export/parts/{row['cell']}/links.txt.zst", ""
        if links.exists():
            more = f"; in parts, of all pairs: {seggrid.score(links, folder / 'gold.txt').f1:.4f}"
        print(f"{row['aligner']}, {row['sentences']} pairs: F1 {float(row['f1']):.4f}{more}")


def write_joined_pairs(folder, count):
    """Write sentence pairs that are two of the built-in pair, drawn at random, and gold of the first ones."""
    builtin = ROOT / "resources/builtin"
    eng, deu, gold = (
        (builtin / f"{name}.txt").read_text("utf-8").splitlines() for name in ("eng", "deu", "gold")
    )
    draw = random.Random(1)
    drawn = [(draw.randrange(len(eng)), draw.randrange(len(eng))) for _ in range(count)]
    for name, lines in (("eng", eng), ("deu", deu)):
        text = "".join(f"{lines[a]} {lines[b]}\n" for a, b in drawn)
        (folder / f"{name}.txt").write_text(text, "utf-8")
    with (folder / "gold.txt").open("w", encoding="utf-8") as file:
        for a, b in drawn[:GOLD]:
            first = len(eng[a].split()), len(deu[a].split())
            marks = (re.split("([-p])", mark) for mark in gold[b].split())
            moved = (f"{int(i) + first[0]}{kind}{int(j) + first[1]}" for i, kind, j in marks)
            print(gold[a], *moved, file=file)


if __name__ == "__main__":
    main()

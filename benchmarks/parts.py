"""A large pair through the workflow in parts: time, memory, and F1 beside that of the pair as a whole.

    python benchmarks/parts.py --pairs 20000 --parts 5000 --sample 5000 --whole
    python benchmarks/parts.py --pairs 1000000 --parts 100000 --sample 100000

A sentence pair is two of the built-in pair, drawn at random and joined; the first 2,000 have gold. The
grid is run on `--grid` sentences: lower-cased BPE with 2,000 merges, aligned by gibbs (links of a
probability above 0.4) and fast_align. Both cells are exported for all pairs, in parts. With `--whole`
the grid has both cells on all pairs as well, each aligned by one job.

For each rule: jobs, seconds of their work by the clock and of CPU, and the memory that one of them
had at most. Then the largest process of all, Snakemake's own included, and F1.
"""

import argparse
import csv
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import yaml

from seggrid.workflow.jobs.script import TOOK

ROOT = Path(__file__).resolve().parents[1]
GOLD = 2000
CELL = {"merges": 2000, "case": "lower"}
CELLS = {
    "gibbs": {**CELL, "aligner": "gibbs", "aggregate": "posterior-0.4"},
    "fast_align": {**CELL, "aligner": "fast_align"},
}


def main():
    """Parse the arguments, generate, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--parts", type=int, default=5_000, help="sentence pairs of a part")
    parser.add_argument(
        "--sample",
        type=int,
        default=5_000,
        help="sentence pairs of the sample, for fast_align and for exported models",
    )
    parser.add_argument("--grid", type=int, default=5_000, help="sentence pairs of the grid")
    parser.add_argument("--aligners", nargs="+", choices=list(CELLS), default=list(CELLS))
    parser.add_argument("--whole", action="store_true", help="align all pairs by one job as well")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="to work in; by default, one that is removed")
    arguments = parser.parse_args()
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        measure(arguments, arguments.folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(arguments, Path(folder))


def measure(arguments, folder):
    """Run the workflow in a folder, and print what it took."""
    write_joined_pairs(folder, arguments.pairs)
    (folder / "config.yaml").write_text(yaml.safe_dump(config(arguments)))
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "workflow/Snakefile"]
    options = ["--cores", str(arguments.cores), "--configfile", "config.yaml", "--quiet", "all"]
    targets = ["results/scores.csv", "results/export/parts/cells.csv"]
    start = time.perf_counter()
    subprocess.run([*command, *options, "--", *targets], cwd=folder, check=True)
    print(f"{arguments.pairs:,} pairs: {time.perf_counter() - start:.0f} s by the clock")
    print_rules(folder / "results/logs")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(f"the largest process had {peak:,.0f} MB")
    print_scores(folder / "results")


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


def config(arguments):
    """The grid and its export."""
    experiments = {
        name: {**CELLS[name], "sentences": min(arguments.grid, arguments.pairs)}
        for name in arguments.aligners
    }
    if arguments.whole:
        experiments |= {f"{name}-whole": CELLS[name] for name in arguments.aligners}
    return {
        "learn_merges": CELL["merges"],
        "pairs": {
            "p": {
                "source": {"text": "eng.txt"},
                "target": {"text": "deu.txt"},
                "gold": {"file": "gold.txt"},
            }
        },
        "experiments": experiments,
        "export": {
            "parts": {
                "experiments": list(arguments.aligners),
                "parts": arguments.parts,
                "sample": arguments.sample,
                "format": "zst",
            }
        },
    }


def print_rules(logs):
    """A line for each rule, from what its jobs have logged."""
    took = defaultdict(list)
    for log in logs.glob("**/*.log"):
        for found in re.finditer(TOOK, log.read_text("utf-8")):
            rule = log.relative_to(logs).parts[0].removesuffix(".log")
            took[rule].append([float(number or 0) for number in found.groups()])
    print(f"{'rule':14}{'jobs':>6}{'clock s':>10}{'CPU s':>10}{'peak MB':>10}")
    for rule, rows in sorted(took.items()):
        clock, cpu, memory = zip(*rows, strict=True)
        print(f"{rule:14}{len(rows):6}{sum(clock):10.1f}{sum(cpu):10.1f}{max(memory):10,.0f}")


def print_scores(results):
    """F1 of each aligner's cells and of what was exported in parts."""
    with (results / "scores.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["experiment"]]
    with (results / "export/parts/cells.csv").open(encoding="utf-8") as file:
        exported = {row["cell"]: row for row in csv.DictReader(file)}
    for row in rows:
        parts = exported.get(row["cell"])
        more = f"; in parts, of all pairs: {float(parts['f1']):.4f}" if parts else ""
        size = row["sentences"]
        print(f"{row['aligner']}, sentences: {size}: F1 {float(row['f1']):.4f}{more}")


if __name__ == "__main__":
    main()

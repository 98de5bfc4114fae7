"""Fuzz all code that reads a user's file, and count the outcomes.

    python tests/fuzz/fuzz_campaign.py --inputs 20000 --dry-runs 100

Each input is a valid set of files with some damage, drawn by hypothesis. Its outcome must be a right result
or a readable refusal (`InputError`): no other exception, no crash, no hang over 20 s, at most 1 GiB of
memory, no overflow, nothing written outside its folder, nothing of the user's lost. Any other outcome is a
violation: it is minimized and printed, and the exit status is 1. Violations are kept in `.hypothesis/`, and
the next campaign begins with them. A short form (test_fuzz.py) is part of the tests.
"""

import argparse
import contextlib
import functools
import io
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from isolation import LENGTH, LINES, WALL_SECONDS, Outcome, Worker

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))  # for modules of the tests, as in pytest

from kinds import KINDS  # noqa: E402

Counts = Counter[tuple[str, str]]


class Violated(AssertionError):
    """A violation; each signature has a class of its own, which hypothesis minimizes by itself."""


@functools.cache
def violated(signature: str) -> type[Violated]:
    """The class of a signature."""
    return type("Violated", (Violated,), {"signature": signature})


def campaign(
    kind: str, inputs: int, seed: int, worker: Worker, counts: Counts, *, keep: bool = False
) -> list[str]:
    """Run inputs of a kind.

    Args:
        kind: a name in `KINDS`.
        inputs: how many.
        seed: of the draws.
        worker: runs them.
        counts: of kinds and statuses, added to.
        keep: whether to begin with the violations that were kept, and keep those found.

    Returns:
        For each signature of a violation, its smallest input.
    """
    database = DirectoryBasedExampleDatabase(ROOT / ".hypothesis/fuzz") if keep else None

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=inputs,
        deadline=None,
        database=database,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def run(rnd: random.Random) -> None:
        files, options = KINDS[kind].draw(rnd)
        outcome = worker(kind, files, options)
        counts[kind, outcome.status] += 1
        if outcome.status == "violation":
            what = f"{kind}: {outcome.signature}: {outcome.detail}\n{options}"
            contents = (f"{name}: {data[:2000]!r}" for name, data in files.items())
            # All are raised here, so that hypothesis tells them apart by their classes.
            raise violated(outcome.signature)("\n".join([what, *contents]))

    try:
        run()
    except Violated as found:
        return [str(found)]
    except BaseExceptionGroup as found:
        return list(map(str, found.exceptions))
    return []


def warm_up(kinds: list[str]) -> None:
    """Make the valid inputs, and compile the kernels that they need, before processes are forked."""
    for kind in kinds:
        # What may take all memory is only run in a process of its own.
        for number in range(0 if kind == "bomb" else 12):
            files, options = KINDS[kind].make(random.Random(number))
            with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
                for file, data in files.items():
                    Path(name, file).write_bytes(data)
                # A violation here is reported later, where all inputs are judged.
                with (
                    contextlib.suppress(Exception),
                    contextlib.redirect_stderr(io.StringIO()),
                    contextlib.redirect_stdout(io.StringIO()),
                ):
                    KINDS[kind].run(Path(name), options)


def dry_run(files: dict[str, bytes]) -> Outcome:
    """Run `snakemake -n` on a config: it must plan, or refuse with a readable message."""
    with tempfile.TemporaryDirectory(prefix="seggrid-fuzz-") as name:
        for file, data in files.items():
            Path(name, file).write_bytes(data)
        command = [sys.executable, "-m", "snakemake", "--dry-run", "--cores", "1", "--snakefile"]
        command += [str(ROOT / "workflow" / "Snakefile"), "--configfile", "config.yaml"]
        try:
            done = subprocess.run(command, cwd=name, capture_output=True, timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            return Outcome("violation", f"more than {WALL_SECONDS} s", "hangs")
        said = (done.stderr + (done.stdout if done.returncode else b"")).decode("utf-8", "replace")
        left = set(os.listdir(name)) - files.keys() - {".snakemake", "results"}
    lines = said.strip().split("\n")
    if left:
        return Outcome("violation", f"leaves {sorted(left)}", "writes elsewhere")
    if "in load_configfile" in said:
        # Snakemake's own traceback on a file that is not UTF-8, before the workflow is read. `seggrid run`
        # and `seggrid plan` read the file first.
        return Outcome("refused", said)
    if "Traceback" in said or done.returncode not in (0, 1):
        return Outcome("violation", f"status {done.returncode}\n{said[-3000:]}", "traceback")
    if done.returncode == 0:
        return Outcome("right")
    if len(lines) > LINES + 10 or max(map(len, lines)) > LENGTH:
        return Outcome("violation", f"{len(lines)} lines: {said[:500]}", "long refusal")
    # Snakemake reads the files first, and has its own message for invalid YAML.
    reasons = ("error: ", "Config file is not valid JSON or YAML", "Config file must be given as")
    if not any(line.startswith(reasons) for line in lines):
        return Outcome("violation", said[-1000:], "no reason is told")
    return Outcome("refused", said)


def through_snakemake(inputs: int, seed: int) -> list[str]:
    """Dry runs of damaged configs; the violations among them."""
    draws = (KINDS["config"].draw(random.Random(f"{seed}:{k}"))[0] for k in range(inputs))
    outcomes = ((files, dry_run(files)) for files in draws)
    return [
        f"{outcome.signature}: {outcome.detail}\n{files['config.yaml']!r}"
        for files, outcome in outcomes
        if outcome.status == "violation"
    ]


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all of them (1)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--dry-runs", type=int, default=0, help="configs through snakemake (0)")
    arguments = parser.parse_args()
    warm_up(arguments.kinds)
    counts: Counts = Counter()
    found: list[str] = []
    shares = sum(KINDS[kind].share for kind in arguments.kinds)
    print(f"{'kind':12}{'right':>8}{'refused':>9}{'violations':>12}")
    with Worker({name: kind.run for name, kind in KINDS.items()}) as worker:
        for kind in arguments.kinds:
            inputs = -(-arguments.inputs * KINDS[kind].share // shares)
            found += campaign(kind, inputs, arguments.seed, worker, counts, keep=True)
            row = [counts[kind, status] for status in ("right", "refused", "violation")]
            print(f"{kind:12}{row[0]:8}{row[1]:9}{row[2]:12}", flush=True)
    found += through_snakemake(arguments.dry_runs, arguments.seed)
    print(f"{counts.total()} inputs, {arguments.dry_runs} dry runs, seed {arguments.seed}")
    print(*found, sep="\n\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()

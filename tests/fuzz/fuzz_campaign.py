"""Fuzz all code that reads a user's file, and count the outcomes.

    python tests/fuzz/fuzz_campaign.py --inputs 20000 --dry-runs 100
    python tests/fuzz/fuzz_campaign.py --rerun violations/pair-1a2b3c4d

Each input is a valid set of files with some damage. Its outcome must be a right result or a readable refusal
(`InputError`): no other exception, no crash, no hang over 20 s, at most 4 GiB of memory, no overflow, nothing
written outside its folder. Any other outcome is a violation: it is printed, minimized and saved for
`--rerun`, and the exit status is 1. A short form (test_fuzz.py) is part of the tests.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command_line import dry_run
from isolation import Outcome, Worker
from kinds import KINDS

TRIES, SECONDS = 150, 20
"""Maximum number of inputs tried, and seconds spent, to minimize a violation."""


@dataclass(frozen=True)
class Case:
    """One input: its kind, files and options."""

    kind: str
    files: dict[str, bytes]
    options: dict[str, Any]

    def save(self, folder: Path, outcome: Outcome) -> Path:
        """Write it for `load`; the folder is named after kind and signature."""
        digest = hashlib.sha256(outcome.signature.encode()).hexdigest()[:8]
        folder = folder / f"{self.kind}-{digest}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        about = {"kind": self.kind, "options": self.options, "files": list(self.files)}
        about |= {"signature": outcome.signature, "detail": outcome.detail}
        (folder / "case.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
        return folder

    @classmethod
    def load(cls, folder: Path) -> "Case":
        """Read an input that `save` wrote."""
        about = json.loads((folder / "case.json").read_text("utf-8"))
        files = {name: (folder / name).read_bytes() for name in about["files"]}
        return cls(about["kind"], files, about["options"])


def draw(seed: int, number: int, kinds: list[str]) -> Case:
    """Input `number` of a seed; the same for each call."""
    rnd = random.Random(f"{seed}:{number}")
    kind = rnd.choices(kinds, [KINDS[name].share for name in kinds])[0]
    return Case(kind, *KINDS[kind].draw(rnd))


def warm_up(kinds: list[str]) -> None:
    """Make the valid inputs, and compile the kernels that they need, before processes are forked."""
    home = os.getcwd()
    for kind in kinds:
        for number in range(12):
            files, options = KINDS[kind].make(random.Random(number))
            with tempfile.TemporaryDirectory() as name:
                for file, data in files.items():
                    Path(name, file).write_bytes(data)
                os.chdir(name)
                # A violation here is reported later, where all inputs are judged.
                with contextlib.suppress(Exception, SystemExit), quiet():
                    KINDS[kind].run(Path(name), options)
                os.chdir(home)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Print nothing."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        yield


def shrink(case: Case, signature: str, worker: Worker) -> Case:
    """Minimize an input: remove halves, quarters, ... of its files as long as the violation remains."""
    tries, end = 0, time.monotonic() + SECONDS
    for name in case.files:
        size = len(case.files[name]) // 2
        while size and tries < TRIES and time.monotonic() < end:
            start = 0
            while start < len(case.files[name]) and tries < TRIES and time.monotonic() < end:
                data = case.files[name]
                smaller = {**case.files, name: data[:start] + data[start + size :]}
                tries += 1
                if worker(case.kind, smaller, case.options).signature == signature:
                    case = Case(case.kind, smaller, case.options)
                else:
                    start += size
            size //= 2
    return case


def campaign(
    inputs: int, seed: int, kinds: list[str], folder: Path | None = None, first: int = 0
) -> Iterator[tuple[Case, Outcome]]:
    """Run inputs; yields violations, minimized and saved, once per signature."""
    seen: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    began = time.monotonic()
    with Worker({name: kind.run for name, kind in KINDS.items()}) as worker:
        for number in range(first, first + inputs):
            case = draw(seed, number, kinds)
            outcome = worker(case.kind, case.files, case.options)
            counts[case.kind, outcome.status] += 1
            if outcome.status == "violation":
                seen[case.kind, outcome.signature] += 1
                if seen[case.kind, outcome.signature] == 1:
                    if folder:
                        if outcome.signature != "hangs":
                            case = shrink(case, outcome.signature, worker)
                        print(f"input {number}: {case.save(folder, outcome)}: {outcome.signature}")
                        print(f"  {outcome.detail.splitlines()[0]}", flush=True)
                    yield case, outcome
            if folder and (number + 1) % 1000 == 0:
                print(f"{number + 1 - first} inputs, {time.monotonic() - began:.0f} s", flush=True)
    if folder:
        print(f"\n{'kind':12}{'right':>8}{'refused':>9}{'violations':>12}")
        for kind in kinds:
            row = [counts[kind, status] for status in ("right", "refused", "violation")]
            print(f"{kind:12}{row[0]:8}{row[1]:9}{row[2]:12}")
        total = [
            sum(n for (_, s), n in counts.items() if s == t)
            for t in ("right", "refused", "violation")
        ]
        print(f"{'all':12}{total[0]:8}{total[1]:9}{total[2]:12}   {sum(total)} inputs, seed {seed}")
        for (kind, signature), n in seen.most_common():
            print(f"  {n:6} {kind}: {signature}")


def through_snakemake(inputs: int, seed: int, folder: Path | None = None) -> list[Outcome]:
    """Dry runs of damaged configs; yields violations."""
    counts: Counter[str] = Counter()
    found = []
    for number in range(inputs):
        case = draw(seed, number, ["config"])
        outcome = dry_run(case.files)
        counts[outcome.status] += 1
        if outcome.status == "violation":
            found.append(outcome)
            if folder:
                print(
                    f"dry run {number}: {case.save(folder, outcome)}: {outcome.signature}",
                    flush=True,
                )
    if folder:
        print(f"{inputs} dry runs: {dict(counts)}")
    return found


def main() -> None:
    """Run the campaign, or rerun saved inputs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all of them (1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--output", type=Path, default=Path("violations"), help="where they are saved"
    )
    parser.add_argument(
        "--dry-runs", type=int, default=0, help="also configs through snakemake (0)"
    )
    parser.add_argument("--rerun", type=Path, nargs="+", help="folders of saved violations")
    arguments = parser.parse_args()
    if arguments.rerun:
        cases = [Case.load(folder) for folder in arguments.rerun]
        warm_up(sorted({case.kind for case in cases}))
        with Worker({name: kind.run for name, kind in KINDS.items()}) as worker:
            outcomes = [worker(case.kind, case.files, case.options) for case in cases]
        for folder, outcome in zip(arguments.rerun, outcomes, strict=True):
            print(f"{folder}: {outcome.status} {outcome.detail}")
        sys.exit(any(outcome.status == "violation" for outcome in outcomes))
    warm_up(arguments.kinds)
    found = list(
        campaign(
            arguments.inputs, arguments.seed, arguments.kinds, arguments.output, arguments.first
        )
    )
    dry = through_snakemake(arguments.dry_runs, arguments.seed, arguments.output)
    sys.exit(bool(found or dry))


if __name__ == "__main__":
    main()

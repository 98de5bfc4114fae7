"""Break runs of the built-in grid in several ways, resume them, and compare the bytes.

A scenario starts runs, disturbs them and resumes them. It checks that at any moment every existing output is
complete, and that the results at the end are those of an undisturbed run.

    python tests/faults/campaign.py --kills 100

prints a table of scenarios and their outcomes, and exits with status 1 if a check failed. A short form
(test_campaign.py) is part of the tests. The last two scenarios need root.
"""

import argparse
import csv
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import yaml
from disturbances import damage, disk_use, kill_tree, tmpfs

from seggrid.align import ALIGNERS
from seggrid.grid.axes import AXES

ROOT = Path(__file__).resolve().parent.parent.parent

# These contain times, which differ from run to run; the last is not written by a complete run.
NOT_COMPARED = (
    *("results/logs/", "results/cost.csv", "results/report.html", "results/run.json"),
    *("results/partial/", "results/.digests/"),
)

# The process of each job checks whether it is the one that should fail.
SABOTEUR = """
    import os, sys

    victim = os.environ.get("SEGGRID_FAIL")
    values = {argument.removeprefix("--output=") for argument in sys.orig_argv}
    if victim and values.issuperset(victim.split(" ")):
        print("error: made to fail", file=sys.stderr, flush=True)
        os._exit(1)
    """


class Disturbed(AssertionError):
    """A result differs from that of an undisturbed run."""


class Campaign:
    """A copy of the project in which runs are disturbed, and the expected results.

    Args:
        folder: the working folder; all processes run below it.
        config: the grid.
        seed: of the random choices: when to kill, what to damage.
        targets: the files to make; all, if none are named.
        cores: for each run.
    """

    def __init__(
        self, folder: Path, config: dict, seed: int, targets: Sequence[str] = (), cores: int = 2
    ) -> None:
        self.folder, self.config, self.targets, self.cores = folder, config, targets, cores
        self.random = random.Random(seed)
        self.project = folder / "project"
        self.reference: dict[str, str] = {}
        self.duration = self.start_up = 0.0
        self.grown = 0

    def prepare(self) -> None:
        """Copy the project and its compiled kernels, and run its grid undisturbed."""
        for part in ("src", "workflow", "resources"):
            shutil.copytree(ROOT / part, self.project / part)
        job = self.project / "workflow/scripts/job.py"
        job.write_text(textwrap.dedent(SABOTEUR) + job.read_text("utf-8"), "utf-8")
        (self.project / "config.yaml").write_text(yaml.safe_dump(self.config))
        self.duration = self.timed_run()
        self.start_up = self.timed_run()
        self.reference = self.results()
        self.grown = disk_use(self.project)

    def timed_run(self) -> float:
        """Run to the end; return the time."""
        start = time.monotonic()
        self.run()
        return time.monotonic() - start

    # Running

    def command(self, *options: str) -> list[str]:
        files = ["--snakefile", "workflow/Snakefile", "--configfile", "config.yaml"]
        cores = ["--cores", str(self.cores)]
        return [sys.executable, "-m", "snakemake", *self.targets, *files, *cores, *options]

    def start(
        self, *options: str, folder: Path | None = None, log: str = "run.log", **env: str
    ) -> subprocess.Popen:
        """Start a run in a session of its own, as a terminal would."""
        output = (self.folder / log).open("w")
        return subprocess.Popen(
            self.command(*options),
            cwd=folder or self.project,
            env={**os.environ, "PYTHONPATH": "src", **env},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A process that a shell starts in the background ignores SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run(
        self, *options: str, fails: bool = False, folder: Path | None = None, **env: str
    ) -> str:
        """Run to the end; return Snakemake's output."""
        status = self.start(*options, folder=folder, **env).wait()
        text = (self.folder / "run.log").read_text()
        if (status != 0) != fails:
            raise Disturbed(f"status {status} of {' '.join(options)}\n{text[-3000:]}")
        return text

    def unlock(self, folder: Path | None = None) -> None:
        """Run again, as a user does after a run was killed."""
        self.run("--unlock", folder=folder)

    def clear(self) -> None:
        """Remove all results."""
        for part in ("results", ".snakemake"):
            shutil.rmtree(self.project / part, ignore_errors=True)

    # Looking

    def results(self, folder: Path | None = None) -> dict[str, str]:
        """The checksums of all existing outputs."""
        folder = folder or self.project
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((folder / "results").rglob("*"))
            if path.is_file()
            and not (name := path.relative_to(folder).as_posix()).startswith(NOT_COMPARED)
            and path.suffix != ".part"
        }

    def check_whole(self, folder: Path | None = None) -> None:
        """Check that every existing output has its final bytes. (Parts of samples could differ only after a
        change of config.)
        """
        for name, checksum in self.results(folder).items():
            if self.reference.get(name) not in (None, checksum):
                raise Disturbed(f"{name} is not whole")

    def check_equal(self, folder: Path | None = None) -> None:
        """Check that all results exist and have the bytes of the undisturbed run."""
        found = self.results(folder)
        differ = {name for name in self.reference if found.get(name) != self.reference[name]}
        if differ:
            raise Disturbed(f"{len(differ)} files differ, as {sorted(differ)[0]}")

    # Scenarios

    def kills(self, tries: int) -> str:
        """SIGKILL of the whole process tree at random moments while jobs run, each time resumed."""
        tried = amid_jobs = 0
        finished = 1
        # Each run completes some more jobs.
        work = self.duration - self.start_up
        latest = min(work, max(15.0, work / 10))
        started = self.project / ".snakemake/seggrid.started"
        self.clear()
        while tried < tries:
            started.unlink(missing_ok=True)
            process = self.start()
            while not started.exists() and process.poll() is None:
                time.sleep(0.05)
            try:
                process.wait(self.random.uniform(0, latest))
            except subprocess.TimeoutExpired:
                amid_jobs += kill_tree(process) > 0
                tried += 1
                made = len(self.results())
                print(f"{tried} of {tries} kills, {made} files made", file=sys.stderr, flush=True)
                # The next run removes the lock of the dead one.
                self.check_whole()
            else:
                finished += 1
                self.check_equal()
                self.clear()
        self.run()
        self.check_equal()
        return (
            f"{tried} kills, {amid_jobs} of them while jobs ran; {tried} resumed, "
            f"{finished} runs finished, bytes equal"
        )

    def interrupts(self, tries: int) -> str:
        """SIGINT to the whole foreground group, as Ctrl-C sends it."""
        tried = 0
        self.clear()
        while tried < tries:
            process = self.start()
            try:
                process.wait(self.random.uniform(self.start_up, self.duration))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)
                if process.wait(300) == 0:
                    raise Disturbed("an interrupted run ended with status 0") from None
                tried += 1
                self.check_whole()
                if self.locked():
                    self.unlock()
            else:
                self.check_equal()
                self.clear()
        self.run()
        self.check_equal()
        return f"{tried} interrupts, resumed, bytes equal"

    def locked(self) -> bool:
        return any((self.project / ".snakemake/locks").glob("*"))

    def failure(self) -> str:
        """One job fails; the others continue, and the table says which cells are missing, and why."""
        self.clear()
        victim = self.random.choice([name for name in self.reference if "/align/" in name])
        text = self.run(fails=True, SEGGRID_FAIL=victim)
        if "made to fail" not in text:
            raise Disturbed("the failed job's own message is not shown")
        self.check_whole()
        found = self.results()
        held_up = {name for name in self.reference if name not in found}
        sides = "/".join(victim.split("/")[2:5])
        others = [name for name in held_up if "/score/" in name and sides not in name]
        if others:
            raise Disturbed(f"a failed alignment held up {others[0]}")
        self.check_partial(held_up)
        self.run()
        self.check_equal()
        self.stale(victim)
        return f"1 job failed, {len(held_up)} files held up, the rest made; bytes equal after"

    def stale(self, victim: str) -> None:
        """The same failure over results of other settings, which must not count as results of this run."""
        (self.project / "other.yaml").write_text("aligners: {fast_align: {p0: 0.2}}\n")
        other = ("--configfile", "config.yaml", "other.yaml")
        self.run(*other, fails=True, SEGGRID_FAIL=victim)
        sides = victim.split("/")[2:5]
        scores = {name for name in self.reference if "/score/" in name}
        self.check_partial({name for name in scores if name.split("/")[2:5] == sides})
        self.clear()

    def check_partial(self, held_up: set[str]) -> None:
        """Check that the partial table names the missing cells and the failure."""
        with (self.project / "results/cells.tsv").open(newline="") as file:
            cells = csv.DictReader(file, delimiter="\t")
            missing = {row["cell"] for row in cells if row["file"] in held_up}
        with (self.project / "results/partial/scores.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        told = {row["cell"] for row in rows if row["reason"] == "align: made to fail"}
        if not missing or told != missing:
            raise Disturbed(f"missing are {sorted(missing)}, told {sorted(told)}")
        if any(not row["f1"] for row in rows if row["cell"] not in missing):
            raise Disturbed("the table lacks scores that there are")

    def full_disk(self) -> str:
        """A disk with too little space, then with enough."""
        self.clear()
        size = (disk_use(self.project) + self.grown) // 2
        with tmpfs(self.folder / "disk", size) as disk:
            folder = disk / "project"
            shutil.copytree(self.project, folder)
            text = self.run(fails=True, folder=folder)
            if "No space left" not in text:
                raise Disturbed(f"the full disk is not named:\n{text[-2000:]}")
            self.check_whole(folder)
            subprocess.run(["mount", "-o", "remount,size=1g", str(disk)], check=True)
            self.unlock(folder)
            self.run(folder=folder)
            self.check_equal(folder)
        return "ran out of room, said so; bytes equal after there was room"

    def damage(self, tries: int) -> str:
        """Outputs truncated, emptied or edited after the run are found and made again."""
        self.run()
        names = sorted(self.reference)
        for _ in range(tries):
            victims = self.random.sample(names, 3)
            for name, how in zip(victims, ("cut", "empty", "edit"), strict=True):
                damage(self.project / name, how, self.random)
            found = {output_of(victim) for victim in victims}
            for _ in range(2):
                if not all(f"error: {name}:" in self.run(fails=True) for name in found):
                    raise Disturbed(f"a run does not name {found}")
            for path in (self.project / name for name in found):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            self.run("--forcerun", *found)
            self.check_equal()
        return f"{3 * tries} files damaged, all found and made again, bytes equal"

    def twice(self) -> str:
        """Two runs started at once: one of them stops and says so, or both write the same."""
        self.clear()
        logs = ["first.log", "second.log"]
        statuses = [run.wait() for run in [self.start(log=log) for log in logs]]
        if 0 not in statuses:
            raise Disturbed(f"neither of two runs finished: {statuses}")
        for status, log in zip(statuses, logs, strict=True):
            text = (self.folder / log).read_text()
            if status and "is at work in this folder" not in text:
                raise Disturbed(f"a run does not say why it gives way:\n{text[-2000:]}")
        self.check_equal()
        return f"statuses {statuses[0]} and {statuses[1]}, bytes equal"

    def read_only(self) -> str:
        """Read-only results: a run with nothing to do succeeds, another says why not."""
        self.run()
        results = str(self.project / "results")
        subprocess.run(["mount", "--bind", results, results], check=True)
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", results], check=True)
            self.run()
            text = self.run("--forcerun", "collate", fails=True)
            if "Write-protected" not in text:
                raise Disturbed(f"a read-only folder is not named:\n{text[-2000:]}")
        finally:
            subprocess.run(["umount", results], check=True)
        self.run()
        self.check_equal()
        return (
            "a run with nothing to do succeeded, another said why it could not; bytes equal after"
        )


def output_of(name: str) -> str:
    """The output that a file is or belongs to."""
    folder = Path(*Path(name).parts[:2]).as_posix()
    return folder if folder in ("results/figures", "results/tables") else name


def builtin_grid(small: bool) -> dict:
    """The default config, with fast_align instead of aligners whose links differ from run to run.

    Args:
        small: only dropout on one side, and the cells that it is compared with.
    """
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    for experiment in config["experiments"].values():
        aligner = ALIGNERS[experiment.get("aligner", AXES["aligner"].default)]
        if aligner.random and not aligner.seeded:
            experiment["aligner"] = "fast_align"
    if small:
        config["batch"] = 2
        config["learn_merges"] = 100
        config["experiments"] = {
            "dropout": {
                **{"merges": 100, "sides": "source", "aligner": "fast_align"},
                **{"dropout": 0.1, "samples": 2, "aggregate": 0.5},
            }
        }
    return config


def scenarios(campaign: Campaign, kills: int, tries: int) -> Iterator[tuple[str, str]]:
    """Run all scenarios; yields the name and the outcome of each."""
    yield "kill", campaign.kills(kills)
    yield "interrupt", campaign.interrupts(tries)
    yield "failure", campaign.failure()
    yield "damage", campaign.damage(tries)
    yield "two at once", campaign.twice()
    if os.geteuid() == 0:
        yield "read-only", campaign.read_only()
        yield "full disk", campaign.full_disk()
    else:
        yield "read-only", "not tried, nor a full disk: these need root, to mount them"


def report(rows: Iterable[tuple[str, str]]) -> int:
    """Print the table row by row; return the exit status."""
    try:
        for name, outcome in rows:
            print(f"{name:12} {outcome}", flush=True)
    except Disturbed as error:
        print(f"FAILED: {error}", flush=True)
        return 1
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tries", type=int, default=5, help="of the other scenarios")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="a few cells only")
    parser.add_argument("--folder", type=Path, help="work here, and leave it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        campaign = Campaign(folder, builtin_grid(arguments.small), arguments.seed)
        campaign.prepare()
        print(f"{len(campaign.reference)} files; a run takes {campaign.duration:.1f} s")
        status = report(scenarios(campaign, arguments.kills, arguments.tries))
    sys.exit(status)


if __name__ == "__main__":
    main()

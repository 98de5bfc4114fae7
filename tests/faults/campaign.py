"""Break runs of the built-in grid in every way that we know of, resume them, compare the bytes.

A scenario starts runs, disturbs them, lets them resume, and asks two things: that whatever output
is there is whole, at any moment, and that the results in the end are those of an undisturbed run.

    python tests/faults/campaign.py --kills 100

prints a table of what was tried and what came of it, and ends with status 1 if anything was not as
it must be. The short form runs with the tests. It has to run as root for the full disk.
"""

import argparse
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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent

# Times and versions are in these; they differ from run to run by nature.
NOT_COMPARED = ("results/logs/", "results/benchmarks/", "results/report")

# Every Python beside the copied package looks whether it is the one that is meant to fail.
SABOTEUR = """
    import os, sys

    victim = os.environ.get("SEGGRID_FAIL")
    if victim and all(part in sys.orig_argv for part in victim.split(" ")):
        sys.exit("error: made to fail")
    """


class Disturbed(AssertionError):
    """Something is not as an undisturbed run leaves it."""


class Campaign:
    """A copy of the project in which runs are disturbed, and the results that they must have.

    Args:
        folder: where to work; everything that runs is below it.
        config: the grid.
        seed: of the random choices: when to kill, what to damage.
        cores: for each run.
    """

    def __init__(self, folder: Path, config: dict, seed: int, cores: int = 2) -> None:
        self.folder, self.config, self.cores = folder, config, cores
        self.random = random.Random(seed)
        self.project = folder / "project"
        self.reference: dict[str, str] = {}
        self.duration = 0.0

    def prepare(self) -> None:
        """Copy the project and run its grid undisturbed."""
        for part in ("src", "workflow", "resources"):
            shutil.copytree(ROOT / part, self.project / part)
        (self.project / "src/sitecustomize.py").write_text(textwrap.dedent(SABOTEUR))
        (self.project / "config.yaml").write_text(yaml.safe_dump(self.config))
        self.run()  # The first run compiles kernels.
        self.clear()
        start = time.monotonic()
        self.run()
        self.duration = time.monotonic() - start
        self.reference = self.results()
        self.clear()

    # Running

    def command(self, *options: str) -> list[str]:
        files = ["--snakefile", "workflow/Snakefile", "--configfile", "config.yaml"]
        cores = ["--cores", str(self.cores)]
        return [sys.executable, "-m", "snakemake", *files, *cores, *options]

    def start(self, *options: str, folder: Path | None = None, **env: str) -> subprocess.Popen:
        """Start a run in a session of its own, as a terminal would."""
        log = (self.folder / "run.log").open("w")
        return subprocess.Popen(
            self.command(*options),
            cwd=folder or self.project,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(
        self, *options: str, fails: bool = False, folder: Path | None = None, **env: str
    ) -> str:
        """Run to the end; what Snakemake printed."""
        status = self.start(*options, folder=folder, **env).wait()
        text = (self.folder / "run.log").read_text()
        if (status != 0) != fails:
            raise Disturbed(f"status {status} of {' '.join(options)}\n{text[-3000:]}")
        return text

    def unlock(self, folder: Path | None = None) -> None:
        """What a user does after a run was killed."""
        self.run("--unlock", folder=folder)

    def clear(self) -> None:
        """Forget all results."""
        for part in ("results", ".snakemake"):
            shutil.rmtree(self.project / part, ignore_errors=True)

    # Looking

    def results(self, folder: Path | None = None) -> dict[str, str]:
        """The checksum of every output that is there."""
        folder = folder or self.project
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((folder / "results").rglob("*"))
            if path.is_file()
            and not (name := path.relative_to(folder).as_posix()).startswith(NOT_COMPARED)
            and path.suffix != ".part"
        }

    def check_whole(self, folder: Path | None = None) -> None:
        """Whatever is there has its final bytes.

        Parts of samples are cut in another way where a run was broken off and changed, never here.
        """
        for name, checksum in self.results(folder).items():
            if self.reference.get(name) not in (None, checksum):
                raise Disturbed(f"{name} is not whole")

    def check_equal(self, folder: Path | None = None) -> None:
        """All results are there, with the bytes of the undisturbed run."""
        found = self.results(folder)
        differ = {name for name in self.reference if found.get(name) != self.reference[name]}
        if differ:
            raise Disturbed(f"{len(differ)} files differ, as {sorted(differ)[0]}")

    # Scenarios

    def kills(self, tries: int) -> str:
        """SIGKILL of the whole process tree at random moments, each time resumed."""
        resumed = finished = 0
        tried = 0
        while tried < tries:
            process = self.start()
            try:
                process.wait(self.random.uniform(0, min(self.duration, 15)))
            except subprocess.TimeoutExpired:
                kill_tree(process)
                tried += 1
                self.check_whole()
                self.unlock()
                resumed += 1
            else:
                finished += 1
                self.check_equal()
                self.clear()
        self.run()
        self.check_equal()
        self.clear()
        return f"{tried} kills, {resumed} resumed, {finished + 1} runs finished, bytes equal"

    def interrupts(self, tries: int) -> str:
        """SIGINT to the whole foreground group, as Ctrl-C sends it."""
        tried = 0
        while tried < tries:
            process = self.start()
            try:
                process.wait(self.random.uniform(0.3, 0.9) * self.duration)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)
                status = process.wait(60)
                if status == 0:
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
        self.clear()
        return f"{tried} interrupts, resumed, bytes equal"

    def locked(self) -> bool:
        return any((self.project / ".snakemake/locks").glob("*"))

    def failure(self) -> str:
        """One job fails; the others go on, and then nothing but what it held up is left to do."""
        victim = self.random.choice([name for name in self.reference if "/align/" in name])
        text = self.run(fails=True, SEGGRID_FAIL=victim)
        if "made to fail" not in text:
            raise Disturbed("the failed job's own message is not shown")
        self.check_whole()
        found = self.results()
        held_up = [name for name in self.reference if name not in found]
        cell = victim.split("/align/")[1].rsplit("/", 2)[0]
        source = cell.rsplit("/", 1)[0]
        others = [name for name in held_up if "/score/" in name and source not in name]
        if others:
            raise Disturbed(f"a failed alignment held up {others[0]}")
        self.run()
        self.check_equal()
        self.clear()
        return f"1 job failed, {len(held_up)} files held up, the rest made; bytes equal after"

    def full_disk(self) -> str:
        """A disk with too little room, then with enough."""
        size = sum(path.stat().st_size for path in self.project.rglob("*") if path.is_file())
        self.run()
        grown = sum(path.stat().st_size for path in self.project.rglob("*") if path.is_file())
        self.clear()
        with tmpfs(self.folder / "disk", size + (grown - size) // 2) as disk:
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
        """Outputs cut short, emptied or edited after the run; found, and made again."""
        self.run()
        names = sorted(self.reference)
        for _ in range(tries):
            victims = self.random.sample(names, 3)
            for name, how in zip(victims, ("cut", "empty", "edit"), strict=True):
                damage(self.project / name, how, self.random)
            verify = [sys.executable, "workflow/scripts/verify.py"]
            env = {**os.environ, "PYTHONPATH": "src"}
            found = subprocess.run(
                verify, cwd=self.project, env=env, capture_output=True, text=True
            ).stdout.split()
            if sorted(found) != sorted(victims):
                raise Disturbed(f"damaged {victims}, found {found}")
            self.run("--forcerun", *found)
            self.check_equal()
        self.clear()
        return f"{3 * tries} files damaged, all found and made again, bytes equal"

    def twice(self) -> str:
        """Two runs started at once: one of them gives way, or both write the same."""
        first = self.start()
        second = self.start()
        statuses = [first.wait(), second.wait()]
        if 0 not in statuses:
            raise Disturbed(f"neither of two runs finished: {statuses}")
        self.check_equal()
        self.clear()
        first = self.start()
        time.sleep(self.duration / 2)
        text = self.run(fails=True)
        if "locked" not in text:
            raise Disturbed(f"the second run does not say why it gives way:\n{text[-2000:]}")
        first.wait()
        self.check_equal()
        self.clear()
        return f"statuses {statuses} of two at once; a later one gives way; bytes equal"


def kill_tree(process: subprocess.Popen) -> None:
    """SIGKILL a process and all that it started, leaving none the time to react."""
    killed: set[psutil.Process] = set()
    root = psutil.Process(process.pid)
    root.suspend()
    while True:
        alive = {child for child in root.children(recursive=True) if child not in killed}
        for child in alive:
            # A stopped process starts no other while the next ones are looked up.
            for send in (child.suspend, child.kill):
                try:
                    send()
                except psutil.NoSuchProcess:
                    break
        killed |= alive
        if not alive:
            break
    root.kill()
    process.wait()
    psutil.wait_procs(killed, timeout=10)


def damage(path: Path, how: str, draw: random.Random) -> None:
    """Cut a file short, empty it, or change one byte of it."""
    content = bytearray(path.read_bytes())
    if how == "empty":
        content = bytearray()
    elif how == "cut":
        content = content[: draw.randrange(len(content))]
    else:
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


@contextmanager
def tmpfs(folder: Path, size: int) -> Iterator[Path]:
    """A small file system in memory."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def builtin_grid(small: bool) -> dict:
    """The default config without aligners whose links differ from run to run.

    Args:
        small: a few cells of it only, of all kinds.
    """
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    for experiment in config["experiments"].values():
        experiment.pop("aligner", None)
    if small:
        config["batch"] = 2
        config["learn_merges"] = 200
        config["experiments"] = {
            "plain": {"merges": 100, "sides": ["both", "source"]},
            "dropout": {"merges": 100, "dropout": 0.1, "samples": 3, "aggregation": [0.5]},
        }
    return config


def scenarios(campaign: Campaign, kills: int, tries: int) -> Iterator[tuple[str, str]]:
    """Run all scenarios; the name of each and what came of it."""
    yield "kill", campaign.kills(kills)
    yield "interrupt", campaign.interrupts(tries)
    yield "failure", campaign.failure()
    yield "damage", campaign.damage(tries)
    yield "two at once", campaign.twice()
    if os.geteuid() == 0:
        yield "full disk", campaign.full_disk()
    else:
        yield "full disk", "not tried: needs root, to mount a small one"


def report(rows: Iterable[tuple[str, str]]) -> int:
    """Print the table as it grows; the status to end with."""
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

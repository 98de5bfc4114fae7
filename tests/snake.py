"""Snakemake and the workflow's scripts in forks of one process: loading them takes longer than most runs."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
DRY = frozenset({"-n", "--dry-run", "--lint", "--unlock"})
"""Options of Snakemake with which no job starts."""


class Forks:
    """A process that has loaded Snakemake and the package, and forks for each call."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def __call__(
        self, script: str, folder: Path, arguments: list[str], environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run a script, or Snakemake if it is empty, in a folder, as in a process of its own."""
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            # As the workflow sets it before it starts its fork server.
            own = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
            self.process = subprocess.Popen([sys.executable, __file__], env=own, text=True, **pipes)
        asked = [script, str(folder), arguments, {**os.environ, **environment}]
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        status = int(self.process.stdout.readline())
        printed = []
        for log in (folder / ".stdout.log", folder / ".stderr.log"):
            printed.append(log.read_text("utf-8", "replace"))
            log.unlink()
        return subprocess.CompletedProcess([script, *arguments], status, *printed)

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.communicate()


class Snakemake:
    """Calls Snakemake as the command line does."""

    def __init__(self, forks: Forks) -> None:
        self.forks = forks

    def __call__(
        self,
        folder: Path,
        values: Mapping[str, Any] | None = None,
        *arguments: Any,
        check: bool = True,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run the workflow, or the Snakefile of a folder if it has one, in the folder, on one core if the
        arguments (options and targets) have no `--cores`. The values of a config are written to `config.yaml`
        there. A failed run fails the test, unless `check` is false."""
        command = ["--nocolor", "--cores", "1"]
        if not (folder / "Snakefile").exists():
            command += ["--snakefile", str(ROOT / "workflow/Snakefile")]
        if values is not None:
            (folder / "config.yaml").write_text(yaml.safe_dump(values, sort_keys=False), "utf-8")
            command = ["--configfile", "config.yaml", *command]
        done = self.forks("", folder, [*command, *map(str, arguments)], environment)
        assert not check or done.returncode == 0, (done.stdout + done.stderr)[-5000:]
        return done

    def planned(self, folder: Path, values: Mapping[str, Any], *arguments: Any) -> list[Any]:
        """The jobs that a run would start."""
        from listed_jobs import read_dry_run

        done = self(folder, values, "--quiet", "host", "--dry-run", *arguments)
        return read_dry_run(done.stdout + done.stderr)


class Scripts:
    """Calls a script of the workflow as a job does."""

    def __init__(self, forks: Forks) -> None:
        self.forks = forks

    def __call__(
        self, name: str, folder: Path, *arguments: Any, check: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `workflow/scripts/NAME.py` in a folder; for the rest, see `Snakemake`."""
        script = str(script_named(name))
        done = self.forks(script, folder, list(map(str, arguments)), environment)
        assert not check or done.returncode == 0, (done.stdout + done.stderr)[-5000:]
        return done


def rule_files() -> list[Path]:
    """The files of rules, of the grid and of all studies."""
    return sorted(
        [*ROOT.glob("workflow/rules/*.smk"), *ROOT.glob("src/seggrid/studies/*/rules.smk")]
    )


def script_named(name: str) -> Path:
    """The script of a job, of the grid or of a study."""
    folders = (ROOT / "workflow/scripts", *ROOT.glob("src/seggrid/studies/*/jobs"))
    (found,) = (folder / f"{name}.py" for folder in folders if (folder / f"{name}.py").exists())
    return found


def rows_of(file: Path | str) -> list[dict[str, str]]:
    """The rows of a table that a run has made, by column."""
    return list(csv.DictReader(Path(file).read_text("utf-8").splitlines()))


def run_here(name: str, *arguments: Any) -> None:
    """Run `workflow/scripts/NAME.py` in this process."""
    from seggrid.grid.jobs import script

    before, sys.argv = sys.argv, [name, *map(str, arguments)]
    try:
        script.run(str(script_named(name)))
    finally:
        sys.argv = before


def serve() -> None:
    """Load Snakemake and what the Snakefile imports, and fork for each call on standard input."""
    import pkgutil
    from importlib import import_module

    sys.path[0] = ""  # as for `python -m snakemake`
    for name in ("requests", "smart_open", "snakemake.report.html_reporter", "snakemake.cli"):
        import_module(name)
    import seggrid.grid.rules as rules

    for module in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        import_module(module.name)
    warm = False
    while line := sys.stdin.readline():
        script, folder, arguments, environment = json.loads(line)
        has_jobs = not script and DRY.isdisjoint(arguments) and "--snakefile" in arguments
        if has_jobs and not warm:
            load_for_jobs()
            warm = True
        child = os.fork()
        if not child:
            run(script, folder, arguments, environment, with_server=has_jobs)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def load_for_jobs() -> None:
    """Load what the workflow's fork server loads."""
    from seggrid.grid.rules.environment import job_scripts
    from seggrid.grid.run.code_digest import modules_of_scripts
    from seggrid.grid.run.fork_server import preload

    preload(modules_of_scripts(job_scripts()))


def offer_fork_server() -> None:
    """Fork a process that becomes the workflow's fork server when the workflow starts it. It also imports the
    modules that `PRELOADED` names."""
    from importlib import import_module

    from seggrid.grid.rules import environment
    from seggrid.grid.run import fork_server

    if os.environ.get(environment.FORK_SERVER) == "no":
        return
    reading, writing = os.pipe()
    if not os.fork():
        os.close(writing)
        if path := os.read(reading, 4096):
            for name in os.environ.get("PRELOADED", "").split():
                import_module(name)
            fork_server.serve(fork_server.listen(os.fsdecode(path)), reading)
        os._exit(0)
    os.close(reading)

    def start(socket: str, names: Collection[str]) -> None:
        os.write(writing, os.fsencode(socket))
        os.environ[environment.FORK_SERVER] = socket

    environment.start_fork_server = start


def run(
    script: str,
    folder: str,
    arguments: list[str],
    environment: dict[str, str],
    *,
    with_server: bool,
) -> None:
    """Become a process of its own, with its output in files of the folder."""
    os.chdir(folder)
    for descriptor, name in enumerate((os.devnull, ".stdout.log", ".stderr.log")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if descriptor else os.O_RDONLY
        os.dup2(os.open(name, flags, 0o666), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    if with_server:
        offer_fork_server()
    sys.argv = [script or "snakemake", *arguments]
    if script:
        sys.path[0] = os.path.dirname(script)
        from seggrid.grid.jobs import script as scripts

        scripts.run(script)
        sys.exit()
    sys.exit(sys.modules["snakemake.cli"].main(arguments))


if __name__ == "__main__":
    serve()

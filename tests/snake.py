"""Runs of Snakemake in forks of one process, which loads it once: loading takes longer than a small grid."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from seggrid.workflow.run.dry_run import PlannedJob, read_dry_run

ROOT = Path(__file__).parent.parent


class Snakemake:
    """Calls Snakemake as the command line does; for results, see `__call__`."""

    def __init__(self) -> None:
        self.server: subprocess.Popen[str] | None = None

    def __call__(
        self,
        folder: Path,
        values: Mapping[str, Any] | None = None,
        *arguments: Any,
        check: bool = True,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run the workflow, or the Snakefile of a folder if it has one, on one core.

        Args:
            folder: the working folder.
            values: a config, written to `config.yaml` there.
            arguments: options and targets; `--cores N` there overrides the one core.
            check: whether a failed run fails the test.
            environment: more environment variables.
        """
        command = ["--nocolor", "--cores", "1"]
        if not (folder / "Snakefile").exists():
            command += ["--snakefile", str(ROOT / "workflow/Snakefile")]
        if values is not None:
            (folder / "config.yaml").write_text(yaml.safe_dump(values, sort_keys=False), "utf-8")
            command = ["--configfile", "config.yaml", *command]
        command += map(str, arguments)
        status = self._ask(folder, command, {**os.environ, **environment})
        out, err = (read_and_remove(folder / f".{name}.log") for name in ("stdout", "stderr"))
        assert not check or status == 0, (out + err)[-5000:]
        return subprocess.CompletedProcess(command, status, out, err)

    def planned(self, folder: Path, values: Mapping[str, Any], *arguments: Any) -> list[PlannedJob]:
        """The jobs that a run would start."""
        done = self(folder, values, "--dry-run", *arguments)
        return read_dry_run(done.stdout + done.stderr)

    def _ask(self, folder: Path, arguments: list[str], environment: dict[str, str]) -> int:
        if self.server is None:
            self.server = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        print(json.dumps([str(folder), arguments, environment]), file=self.server.stdin, flush=True)
        return int(self.server.stdout.readline())

    def close(self) -> None:
        """End the process."""
        if self.server is not None:
            self.server.communicate()


def read_and_remove(path: Path) -> str:
    """The text of a file that is needed no more."""
    text = path.read_text("utf-8", "replace")
    path.unlink()
    return text


def serve() -> None:
    """Load Snakemake and what the Snakefile imports, and fork for each call on standard input."""
    import pkgutil
    from importlib import import_module

    sys.path[0] = ""  # as for `python -m snakemake`
    for name in ("requests", "smart_open", "snakemake.report.html_reporter", "snakemake.cli"):
        import_module(name)
    import seggrid.workflow.rules as rules

    for module in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        import_module(module.name)
    while line := sys.stdin.readline():
        child = os.fork()
        if not child:
            run(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def run(folder: str, arguments: list[str], environment: dict[str, str]) -> None:
    """Become a Snakemake of its own, with its output in files of the folder."""
    os.chdir(folder)
    for descriptor, name in enumerate((os.devnull, ".stdout.log", ".stderr.log")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if descriptor else os.O_RDONLY
        os.dup2(os.open(name, flags, 0o666), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["snakemake", *arguments]
    sys.exit(sys.modules["snakemake.cli"].main(arguments))


if __name__ == "__main__":
    serve()

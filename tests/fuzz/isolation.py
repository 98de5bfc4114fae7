"""Run one input at a time in a forked process, and report its outcome.

So an input may crash, hang, use too much memory or write where it must not without affecting others. Hangs
are detected by CPU time, so that a busy machine does not look like one.
"""

import contextlib
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from seggrid.base.kernel_cache import kernel_folder
from seggrid.errors import InputError

CPU_SECONDS = 20
WALL_SECONDS = 240
PEAK = 1 << 30
"""Maximum memory of an input above that of the process before it, in bytes."""
MEMORY = 4 << 30
"""Where the process is stopped, so that a machine survives what it tries."""
LINES, LENGTH = 60, 2000
"""Maximum number of lines of a refusal, and maximum length of a line."""
SERVED = 400
"""Inputs per process, so that leaks do not accumulate."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an input.

    Attributes:
        status: `right`, `refused`, or `violation`.
        detail: what was refused, or what went wrong.
        signature: for a violation, a text that other inputs with the same cause share.
    """

    status: str
    detail: str = ""
    signature: str = ""


class Violation(AssertionError):
    """A wrong result."""


Run = Callable[[Path, dict[str, Any]], Any]


class Worker:
    """A process that runs inputs; it is replaced if an input kills it.

    Args:
        runs: the function to call for each kind of input, with its folder, which is the working folder, and
        its options.
    """

    def __init__(self, runs: dict[str, Run]) -> None:
        self.runs = runs
        self.folder = Path(tempfile.mkdtemp(prefix="seggrid-fuzz-"))
        self.pid = self.served = 0

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self) -> None:
        """End the process."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.connection.close()
        self.pid = 0

    def __call__(self, kind: str, files: dict[str, bytes], options: dict[str, Any]) -> Outcome:
        """Write the files, run the input, and remove the files."""
        if not self.pid or self.served >= SERVED:
            self.stop()
            self._start()
        self.served += 1
        case = self.folder / "case"
        shutil.rmtree(case, ignore_errors=True)
        case.mkdir()
        for name, data in files.items():
            (case / name).write_bytes(data)
        self.connection.send((kind, case, options))
        began, cpu = time.monotonic(), _cpu_seconds(self.pid)
        while not self.connection.poll(1.0):
            took, used = time.monotonic() - began, _cpu_seconds(self.pid) - cpu
            if used > CPU_SECONDS or took > WALL_SECONDS:
                self.stop()
                return Outcome("violation", f"{used:.0f} s of CPU, {took:.0f} s", "hangs")
        try:
            return self.connection.recv()
        except EOFError:
            pid, self.pid = self.pid, 0
            self.connection.close()
            _, status = os.waitpid(pid, 0)
            return Outcome("violation", f"killed, wait status {status}", f"killed {status & 127}")

    def _start(self) -> None:
        self.served = 0
        self.connection, theirs = multiprocessing.Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if not self.pid:
            self.connection.close()
            try:
                _serve(self.runs, self.folder, theirs)
            finally:
                os._exit(0)
        theirs.close()


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(field: str) -> int:
    """A figure of this process in bytes: VmRSS now, or VmHWM at most."""
    (line,) = (x for x in Path("/proc/self/status").read_text().split("\n") if x.startswith(field))
    return int(line.split()[1]) << 10


def _serve(runs: dict[str, Run], folder: Path, connection: Connection) -> None:
    """The forked process: run inputs until the parent is gone."""
    os.setsid()
    faulthandler.disable()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    guard = Guard(folder)
    sys.addaudithook(guard)
    while True:
        try:
            kind, case, options = connection.recv()
        except EOFError:
            return
        os.chdir(case)
        guard.trespasses = []
        before = _memory("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the peak is that of this input
        outcome = _judge(runs[kind], case, options)
        if (peak := _memory("VmHWM") - before) > PEAK and outcome.status != "violation":
            outcome = Outcome("violation", f"{peak >> 20} MB", "too much memory")
        if guard.trespasses and outcome.status != "violation":
            outcome = Outcome("violation", guard.trespasses[0], "writes elsewhere")
        connection.send(outcome)


class Guard:
    """Records writes outside a folder, and refuses network access."""

    WRITES = frozenset(
        f"os.{do}" for do in ("mkdir", "remove", "rename", "rmdir", "symlink", "link", "truncate")
    )
    NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.bind")
    PROGRAMS = ("os.exec", "os.posix_spawn", "os.system", "subprocess.Popen")

    def __init__(self, folder: Path) -> None:
        self.folder = os.path.realpath(folder)
        self.trespasses: list[str] = []

    def __call__(self, event: str, arguments: tuple) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self.note(event, path)
        elif event in self.WRITES:
            self.note(event, arguments[0])
        elif event in self.NETWORK:
            raise OSError("no network here")
        elif event in self.PROGRAMS:
            self.trespasses.append(f"starts {arguments[0]!r}")

    def note(self, event: str, path: Any) -> None:
        path = os.path.realpath(os.fsdecode(path)) if isinstance(path, str | bytes) else str(path)
        # Compiled kernels are cached for all processes.
        kept = [self.folder, os.devnull, str(kernel_folder()), "/proc/"]
        if not path.startswith(tuple(kept)) and "__pycache__" not in path:
            self.trespasses.append(f"{event} {path}")


def _judge(run: Run, case: Path, options: dict[str, Any]) -> Outcome:
    """Run an input; any outcome but a result or a readable refusal is a violation."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            run(case, options)
    except InputError as error:
        return _refusal(str(error))
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if "/seggrid/" in f.filename]
        where = (own or frames)[-1] if frames else None
        place = f"{Path(where.filename).name}:{where.name}" if where else ""
        text = traceback.format_exception_only(error)[-1].strip()[:500]
        detail = "".join(traceback.format_tb(error.__traceback__, limit=-6))[-3000:]
        return Outcome("violation", f"{text}\n{detail}", f"{type(error).__name__} in {place}")
    return Outcome("right")


def _refusal(text: str) -> Outcome:
    lines = text.split("\n")
    if not text.strip():
        return Outcome("violation", "refused without a word", "empty refusal")
    if len(lines) > LINES or max(map(len, lines)) > LENGTH:
        size = f"{len(lines)} lines, {max(map(len, lines))} characters"
        return Outcome("violation", f"a refusal of {size}: {text[:300]}", "long refusal")
    odd = next((c for line in lines for c in line if not c.isprintable()), None)
    if odd is not None:
        return Outcome("violation", f"{odd!r} in a refusal: {text[:300]!r}", "control in refusal")
    return Outcome("refused", text)

"""Run tests on damaged input in a process of their own, and judge the outcome of each input."""

import contextlib
import faulthandler
import os
import resource
import select
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from seggrid.base.compiled import kernel_folder
from seggrid.base.errors import InputError

CPU_SECONDS = 20
"""Of an input; what hangs in compiled code is ended only with its process."""
WALL_SECONDS = 1200
MEMORY = 1 << 30
"""Memory of an input above that of its process, in bytes."""
LINES, LENGTH = 60, 2000
"""The most lines of a refusal, and characters of a line."""
WRITES = [
    f"os.{do}" for do in ("mkdir", "remove", "rename", "rmdir", "symlink", "link", "truncate")
]


class Violation(AssertionError):
    """An outcome that is neither right nor a readable refusal."""


def expect(condition: bool, what: str) -> None:
    """Raise a violation unless a condition on the result holds."""
    if not condition:
        raise Violation(what)


def isolated(run: Callable[[], None]) -> None:
    """Call a function in a forked process; what it raises, or what kills it, fails here.

    So an input may crash, hang, take all memory or write where it must not. Only on Linux.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        said = ""
        # A crash that a test wants must not look like one of the tests.
        faulthandler.disable()
        try:
            size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_DATA, (size + MEMORY, size + MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(signal.SIGVTALRM, lambda *_: expect(False, "hangs"))
            sys.addaudithook(_guard)
            run()
        except BaseException:
            said = traceback.format_exc()
        with contextlib.suppress(BaseException):
            os.write(writing, said.encode()[-60_000:])
        os._exit(0)
    os.close(writing)
    if not select.select([reading], [], [], WALL_SECONDS)[0]:
        os.kill(pid, signal.SIGKILL)
    with open(reading, encoding="utf-8", errors="replace") as pipe:
        said = pipe.read()
    status = os.waitpid(pid, 0)[1]
    expect(not status, f"killed by signal {status & 127}: the input is in {CASES}")
    expect(not said, said)


CASES = Path(tempfile.gettempdir(), "seggrid-fuzz")
"""The folder in which each input has a folder of its own; what killed a process is left there."""
KERNELS = str(kernel_folder())
_trespasses: list[str] = []


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    """Record writes outside of `CASES` and programs that are started, and refuse the network."""
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind"):
        raise OSError("no network here")
    if event in ("os.exec", "os.posix_spawn", "os.system", "subprocess.Popen"):
        _trespasses.append(f"starts {arguments[0]!r}")
    writes = event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event in WRITES) and isinstance(arguments[0], str | bytes):
        real = os.path.realpath(os.fsdecode(arguments[0]))
        # Compiled kernels, bytecode and Hypothesis's examples are kept for all processes.
        ours = (f"{CASES.resolve()}/", os.devnull, KERNELS, "/proc/")
        kept = KERNELS.startswith(real) or any(x in real for x in ("__pycache__", ".hypothesis"))
        if not real.startswith(ours) and not kept:
            _trespasses.append(f"{event} {real}")


def judge(run: Callable[[Path], Any], files: Mapping[str, bytes]) -> str:
    """Call a function in a folder with files. Returns `right`, or `refused` if it raises `InputError`; any
    other outcome is a `Violation`."""
    CASES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CASES) as name:
        for file, data in files.items():
            Path(name, file).write_bytes(data)
        _trespasses.clear()
        refusal = None
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
        try:
            with contextlib.chdir(name), warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                run(Path(name))
        except InputError as error:
            refusal = str(error)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        expect(not _trespasses, f"writes elsewhere: {_trespasses[:1]}")
    if refusal is None:
        return "right"
    lines = refusal.split("\n")
    expect(bool(refusal.strip()), "refused without a word")
    short = len(lines) <= LINES and max(map(len, lines)) <= LENGTH
    expect(short, f"a refusal of {len(lines)} lines: {refusal[:300]}")
    expect(all(map(str.isprintable, lines)), f"odd characters in a refusal: {refusal[:300]!r}")
    return "refused"

"""Fork server with preloaded imports: it imports the modules of jobs once, and forks for each job.

    python -m seggrid.grid.run.fork_server LISTENER ALIVE NAMES MODULE...

Importing libraries and loading kernels takes 0.6 s, often more than the work of a job. So
`workflow/scripts/job.py` sends its command to this server; a fork runs the script and answers with its exit
status. Without a server, jobs run in processes of their own and write the same bytes.

LISTENER is the descriptor of a listening socket, made by Snakemake's process, so that the first jobs wait for
the server; NAMES are the segmenters and aligners of the grid, separated by commas, whose kernels it loads, or
compiles if no run has done so; ALIVE that of the reading end of a pipe whose writing end only Snakemake's
process has, so that the server ends with it. A fork ends with the process that sent its command.

A fork first sends one byte; without it, the server ended before the job began. A request is the length of its
body (8 bytes, with the descriptors of the three standard streams), and the body, separated by zero bytes:
working directory, number of words of the command, these words, NAME=VALUE...
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Collection, Iterable
from importlib import import_module
from pathlib import Path

from seggrid.grid.jobs import script
from seggrid.grid.run.output_digests import recorded


def preload(modules: Iterable[str], names: Collection[str] = ()) -> None:
    """Import modules, and load the kernels of some segmenters and aligners, or all."""
    for module in modules:
        import_module(module)
    from seggrid.grid.run import warm  # not above: Snakemake's process needs no kernels

    warm.run_kernels(names)
    # Otherwise garbage collection in each fork would visit all these modules and copy their memory pages.
    gc.collect()
    gc.freeze()


def listen(path: str) -> socket.socket:
    """A listening socket at a path, for this user only; an existing file is replaced."""
    Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(128)
    return listener


def serve(listener: socket.socket, alive: int) -> None:
    """Answer requests at a socket until the descriptor `alive` ends; then remove it."""

    def reap(*_: object) -> None:
        # If the system waited for ended forks, their CPU time would not count as that of children.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    signal.signal(signal.SIGCHLD, reap)
    while alive not in select.select([listener.fileno(), alive], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _answer(connection)
        connection.close()
    Path(listener.getsockname()).unlink(missing_ok=True)
    listener.close()


def _answer(connection: socket.socket) -> None:
    """In a fork: run the requested command, answer with its status, and exit."""
    status = 1
    try:
        os.setpgid(0, 0)  # so that all processes of the job can be ended together
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        connection.sendall(b"+")
        command, done = _receive(connection), threading.Event()
        threading.Thread(target=_watch, args=(connection, done), daemon=True).start()
        status = _run_script(command)
        done.set()
        connection.sendall(bytes([status]))
    except KeyboardInterrupt:
        os.killpg(0, signal.SIGKILL)
    finally:  # also if the client has ended, so that no answer is needed
        os._exit(status)


def _receive(connection: socket.socket) -> list[str]:
    """Take over the client's streams, working directory and environment; return its command."""
    received, streams, _, _ = socket.recv_fds(connection, 8, 3)
    while len(received) < 8 or len(received) < 8 + int.from_bytes(received[:8], "big"):
        more = connection.recv(1 << 16)
        if not more:
            raise ConnectionError("the client ended before its request did")
        received += more
    folder, words, *rest = received[8:].split(b"\0")
    for own, stream in enumerate(streams):
        os.dup2(stream, own)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environb.update(variable.partition(b"=")[::2] for variable in rest[int(words) :])
    return list(map(os.fsdecode, rest[: int(words)]))


def _watch(connection: socket.socket, done: threading.Event) -> None:
    """End this fork, and the processes that it has started, if its client ends before the job."""
    with contextlib.suppress(OSError):
        connection.recv(1)
    if not done.is_set():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)  # in which it may clean up
        os.killpg(0, signal.SIGKILL)


def _run_script(command: list[str]) -> int:
    """Run a script as a process of its own would. Returns its exit status."""
    sys.argv = command
    try:
        try:
            with recorded(command):
                script.run(command[0])
        finally:
            sys.stdout.flush()  # as Python's own end would
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 0 if end.code is None else end.code if isinstance(end.code, int) else 1
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    # Ctrl-C is handled by Snakemake.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    preload(sys.argv[4:], sys.argv[3].split(",") if sys.argv[3] else ())
    serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))

"""A process that has imported what jobs import, and forks a copy of itself for each of them.

    python -m seggrid.workflow.fork_server SOCKET ALIVE

A job that takes a tenth of a second needs six more for its imports and for loading compiled
kernels. Here that is done once a run: `workflow/scripts/job.py` hands a job's command over through
the socket, a fork runs its script and answers with the exit status. What is not there costs nothing
but time: without this process, jobs start by themselves and write the same bytes.

ALIVE is the descriptor of a pipe's reading end; when the process that started this one is gone, the
pipe ends, and so does this. A fork ends when the process that handed the command over does.

The request is one message: the length of what follows (8 bytes, with the descriptors of standard
input, output and error), then, as JSON, the command, the folder and the environment.
"""

from __future__ import annotations

import contextlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from seggrid.workflow import warm
from seggrid.workflow.code_digest import imported_modules

SCRIPTS = Path(__file__).parents[3] / "workflow/scripts"

GRACE = 5.0
"""Seconds that an interrupted job has to tidy up."""


def main() -> None:
    """Import, listen, and fork until the starter is gone."""
    # Ctrl-C is the starter's to handle.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _import()
    serve(Path(sys.argv[1]), int(sys.argv[2]))


def _import() -> None:
    """Everything that scripts import, and every kernel."""
    modules: set[str] = set()
    for script in sorted(SCRIPTS.glob("*.py")):
        modules |= set(imported_modules(script))
    for module in sorted(modules):
        if module.partition(".")[0] == "seggrid":
            import_module(module)
    warm.run_kernels()


def serve(path: Path, alive: int) -> None:
    """Answer requests at a socket until `alive` ends.

    Args:
        path: where the socket is to be; what is there is replaced.
        alive: descriptor of the reading end of a pipe.
    """
    # Forks leave no zombies.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    path.unlink(missing_ok=True)
    with (
        socket.socket(socket.AF_UNIX) as listener,
        selectors.DefaultSelector() as selector,
    ):
        listener.bind(os.fspath(path))
        os.chmod(path, 0o600)
        listener.listen(128)
        selector.register(listener, selectors.EVENT_READ)
        selector.register(alive, selectors.EVENT_READ)
        while all(key.fileobj is listener for key, _ in selector.select()):
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _answer(connection)
            connection.close()
    path.unlink(missing_ok=True)


def _answer(connection: socket.socket) -> NoReturn:
    """Do what is asked for, in a fork, and end it."""
    status = 1
    try:
        # Of its own group, so that whatever the job starts can be ended with it.
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        command = _receive(connection)
        done = threading.Event()
        threading.Thread(target=_watch, args=(connection, done), daemon=True).start()
        status = _run_script(command)
        done.set()
        connection.sendall(bytes([status]))
    except KeyboardInterrupt:
        # With whatever the job has started, which is in the same group.
        os.killpg(0, signal.SIGKILL)
    finally:
        os._exit(status)


def _receive(connection: socket.socket) -> list[str]:
    """Take over the requesting process's streams, folder and environment; its command."""
    head, streams, _, _ = socket.recv_fds(connection, 8, 3)
    rest = bytearray()
    while len(rest) < int.from_bytes(head, "big"):
        rest += connection.recv(1 << 16)
    command, folder, environment = json.loads(rest)
    for own, stream in enumerate(streams):
        os.dup2(stream, own)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return command


def _watch(connection: socket.socket, done: threading.Event) -> None:
    """End this process, and what it started, if the one that asked for it ends before it."""
    with contextlib.suppress(OSError):
        connection.recv(1)
    if not done.is_set():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(GRACE)
        os.killpg(0, signal.SIGKILL)


def _run_script(command: list[str]) -> int:
    """Run a script as Python itself would; its exit status."""
    sys.argv = command
    sys.path[0] = os.path.dirname(command[0])
    status = 0
    try:
        runpy.run_path(command[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = 0 if end.code is None else end.code if isinstance(end.code, int) else 1
    except Exception:
        traceback.print_exc()
        status = 1
    try:
        sys.stdout.flush()
    except OSError as error:
        print(error, file=sys.stderr)
        status = 1
    return status


if __name__ == "__main__":
    main()

"""Run a job's script in a fork of the process that has its imports (`seggrid.workflow.fork_server`).

    python workflow/scripts/job.py SCRIPT ARGUMENT...

Where there is no such process, run it in this one.
"""

import json
import os
import runpy
import socket
import sys


def main() -> None:
    """Hand the command over, or do the work."""
    status = handed_over(os.environ.get("SEGGRID_PRELOADED", ""), sys.argv[1:])
    if status is not None:
        sys.exit(status)
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")


def handed_over(path: str, command: list[str]) -> int | None:
    """The exit status of the command, or None if there is nobody to run it."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except OSError:
            return None
        request = json.dumps([command, os.getcwd(), dict(os.environ)]).encode()
        try:
            socket.send_fds(connection, [len(request).to_bytes(8, "big")], [0, 1, 2])
            connection.sendall(request)
            answer = connection.recv(1)
        except ConnectionError:
            answer = b""
    if not answer:
        print("error: the job was killed", file=sys.stderr)
        return 137
    return answer[0]


if __name__ == "__main__":
    main()

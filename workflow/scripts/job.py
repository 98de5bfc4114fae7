"""Call `main` of a job's script, whose parameters are the options, in a fork of the fork server
(`seggrid.grid.run.fork_server`) or, without a server, in this process.

    python -S workflow/scripts/job.py SCRIPT --PARAMETER=VALUE...

This process only passes the command on, so it starts without site-packages and imports almost nothing: it
takes 20 ms of CPU instead of 50. Python's own modules for sockets and JSON would take most of the rest.
"""

import _socket
import array
import os
import sys


def main() -> None:
    """Send the command to the fork server, or run it here."""
    status = run_in_fork(os.environ.get("SEGGRID_FORK_SERVER", ""), sys.argv[1:])
    if status is not None:
        sys.exit(status)
    # A fork of the server already has these modules.
    import site

    if sys.flags.no_site:
        site.main()
    from seggrid.grid.jobs import script
    from seggrid.grid.run.output_digests import recorded

    sys.argv = sys.argv[1:]
    with recorded(sys.argv):
        script.run(sys.argv[0])


def run_in_fork(path: str, command: list[str]) -> int | None:
    """Run a command in a fork of the server. Returns its exit status, or None if there is no server."""
    connection = _socket.socket(_socket.AF_UNIX)
    try:
        connection.connect(path)
        # The byte comes from a fork; none comes if the server ends while it still imports.
        if not connection.recv(1):
            return None
    except OSError:
        return None
    environment = (b"=".join(pair) for pair in os.environb.items())
    parts = [os.getcwdb(), b"%d" % len(command), *map(os.fsencode, command), *environment]
    request = b"\0".join(parts)
    streams = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
    try:
        connection.sendmsg([len(request).to_bytes(8, "big")], [streams])
        connection.sendall(request)
        answer = connection.recv(1)
    except ConnectionError:
        answer = b""
    if not answer:
        print("error: the job was killed", file=sys.stderr)
        return 137
    return answer[0]


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        # Snakemake shows the log of an interrupted job.
        sys.exit("interrupted")

"""What commands say besides their results."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from seggrid.commands import main

ASK = ["filter", "eng", "deu"]
SAID = "note: 3 of 3 sentence pairs kept; dropped: malformed 0, empty 0, length 0\n"


@pytest.fixture
def folder(builtin):
    return builtin(3)


def test_quiet_leaves_results_and_mistakes(folder, capsys):
    assert main(ASK) == 0
    out, err = capsys.readouterr()
    assert err == SAID
    assert main([*ASK, "--quiet"]) == 0
    assert capsys.readouterr() == (out, "")
    assert main([*ASK, "--quiet", "--links", "eng"]) == 2
    assert capsys.readouterr().err.startswith("error: eng:1: ")


def test_ctrl_c_is_one_line(folder):
    os.mkfifo("endless")
    command = [sys.executable, "-m", "seggrid", "score", "endless", "gold"]
    # Tests that run in the background inherit that Ctrl-C is ignored.
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    opened = None
    while opened is None and process.poll() is None:
        # Fails until the command reads.
        with suppress(OSError):
            opened = os.open("endless", os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.05)
    # Python may miss one that comes just before it begins to wait for the pipe; so a user presses again.
    for _ in range(12):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
            break
    assert process.communicate(timeout=5)[1] == "interrupted\n"
    assert process.returncode == 130

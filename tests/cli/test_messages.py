"""What commands say besides their results: shown or not, kept or not, interrupted, completed by a shell."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from seggrid.cli import main

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


def test_a_log_keeps_the_command_its_notes_and_how_it_ended(folder, capsys):
    assert main([*ASK, "--log", "new/log"]) == 0
    assert capsys.readouterr().err == SAID
    first, *kept = (folder / "new/log").read_text().splitlines(keepends=True)
    assert first.endswith(": seggrid filter eng deu --log new/log\n")
    assert kept == [SAID, "done\n"]
    assert main([*ASK, "--quiet", "--log", "log", "--links", "eng"]) == 2
    first = capsys.readouterr().err.splitlines()[0].removeprefix("error: ")
    assert f"\nended by InputErrors: {first}\n" in (folder / "log").read_text()
    assert main([*ASK, "--log", "eng"]) == 2
    assert "eng: the output would be written over this file of input" in capsys.readouterr().err


def test_ctrl_c_is_one_line(folder):
    os.mkfifo("endless")
    command = [sys.executable, "-m", "seggrid.cli", "score", "endless", "gold"]
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


def test_a_shell_completes_commands_options_and_files(folder, capsys):
    assert main(["completion", "bash"]) == 0
    (folder / "completion.bash").write_text(capsys.readouterr().out)
    if shutil.which("bash") is None:
        pytest.skip("no bash")

    def completed(*words):
        script = f"""
. ./completion.bash
COMP_WORDS=({" ".join(words)})
COMP_CWORD={len(words) - 1}
_shtab_seggrid
printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("seggrid", "sym") == ["symmetrize"]
    assert completed("seggrid", "symmetrize", "--sym") == ["--symmetrization"]
    assert completed("seggrid", "symmetrize", "--symmetrization", "inter") == ["intersect"]
    assert completed("seggrid", "align", "--scores", "en") == ["eng"]
    assert main(["completion", "zsh"]) == 0
    assert "#compdef seggrid" in capsys.readouterr().out

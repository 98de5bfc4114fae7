"""A job in a fork behaves like the same job in a process of its own, and ends with its caller."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from seggrid.grid.rules.environment import job_scripts
from seggrid.grid.run import fork_server
from seggrid.grid.run.code_digest import modules_of_scripts

pytestmark = pytest.mark.tier("check")

# Without the kernels, which take most of its time to load.
SERVE = """
import signal, socket, sys
from seggrid.grid.run import fork_server
signal.signal(signal.SIGINT, signal.SIG_IGN)
fork_server.serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
"""


@contextlib.contextmanager
def serving(folder):
    """A fork server without preloaded imports; yields the process and its end of the pipe."""
    reading, writing = os.pipe()
    with contextlib.chdir(folder), fork_server.listen("socket") as listener:
        command = [sys.executable, "-P", "-c", SERVE, str(listener.fileno()), str(reading)]
        server = subprocess.Popen(command, pass_fds=[listener.fileno(), reading])
    os.close(reading)
    try:
        yield server, writing
    finally:
        server.kill()
        server.wait()


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


HEAD = "import os, subprocess, sys, time\n"


@pytest.fixture
def job(root, tmp_path):
    """Start a script with this body of `main` through job.py."""

    def start(text, *arguments, server="socket"):
        script = tmp_path / "script.py"
        lines = textwrap.indent(textwrap.dedent(text).strip(), "    ")
        script.write_text(f"{HEAD}def main(words: list[str] = []):\n{lines}\n")
        return subprocess.Popen(
            [sys.executable, str(root / "workflow/scripts/job.py"), "script.py", *arguments],
            cwd=tmp_path,
            env=os.environ
            | {"PYTHONSAFEPATH": "1", "SEGGRID_FORK_SERVER": server, "GIVEN": "by the caller"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A process that a shell starts in the background ignores SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    return start


SCRIPTS = {
    "arguments, folder, environment": """
        print(words, os.getcwd(), os.environ["GIVEN"], {"", os.getcwd()} & {*sys.path})
        """,
    "a message and status 1": "print('begun'); sys.exit('error: a mistake')",
    "a status": "sys.exit(3)",
    "no status": "sys.exit()",
    "another program": "subprocess.run(['echo', 'told'], check=True)",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_seen_from_outside_it_is_the_same(job, tmp_path, script):
    arguments = ("--words", "two words", "ü€")
    alone = job(SCRIPTS[script], *arguments, server="no")
    expected = (*alone.communicate(timeout=60), alone.returncode)
    with serving(tmp_path):
        forked = job(SCRIPTS[script], *arguments)
        assert (*forked.communicate(timeout=60), forked.returncode) == expected
    if script.endswith("environment"):
        # Modules of the folder of the run are not imported.
        assert expected[0].endswith(" set()\n")


def test_an_exception_has_its_traceback(job, tmp_path):
    with serving(tmp_path):
        forked = job("1 / 0")
        _, error = forked.communicate(timeout=60)
    assert forked.returncode == 1
    assert "ZeroDivisionError" in error
    assert 'script.py", line 3, in main' in error


@pytest.mark.parametrize("served", [True, False])
def test_an_interrupted_job_has_one_line_in_place_of_a_traceback(job, tmp_path, served):
    text = "open('running', 'w').close(); time.sleep(1000)"
    with serving(tmp_path) if served else contextlib.nullcontext():
        caller = job(text, server="socket" if served else "no")
        wait_for((tmp_path / "running").exists)
        caller.send_signal(signal.SIGINT)
        _, error = caller.communicate(timeout=60)
    assert (caller.returncode, error) == (1, "interrupted\n")


SLEEPER = """
    from seggrid.base.files import atomic_write
    with atomic_write("output") as file:
        child = subprocess.Popen(["sleep", "1000"])
        with open("running.tmp", "w") as note:
            note.write(f"{os.getpid()} {child.pid}")
        os.rename("running.tmp", "running")
        time.sleep(1000)
    """


def running(folder):
    """The processes of a sleeping job: itself and its children."""
    wait_for((folder / "running").exists)
    return [psutil.Process(int(pid)) for pid in (folder / "running").read_text().split()]


def test_a_job_ends_with_its_caller_and_leaves_nothing_half_written(job, tmp_path):
    with serving(tmp_path):
        caller = job(SLEEPER)
        processes = running(tmp_path)
        caller.send_signal(signal.SIGKILL)
        caller.wait()
        wait_for(lambda: not any(process.is_running() for process in processes))
    assert {file.name for file in tmp_path.iterdir()} == {"script.py", "running", "socket"}


def test_a_killed_job_fails_and_says_so(job, tmp_path):
    with serving(tmp_path):
        caller = job(SLEEPER)
        forked, child = running(tmp_path)
        for process in (forked, child):
            process.kill()
        _, error = caller.communicate(timeout=60)
    assert caller.returncode == 137
    assert error == "error: the job was killed\n"


def test_the_process_ends_with_its_starter_and_jobs_go_on_without_it(job, tmp_path):
    with serving(tmp_path) as (server, alive):
        # It ignores the signal from when it serves.
        assert job("pass").wait(60) == 0
        os.kill(server.pid, signal.SIGINT)
        os.close(alive)
        assert server.wait(20) == 0
    assert not (tmp_path / "socket").exists()
    alone = job("print('done')")
    assert alone.communicate(timeout=60) == ("done\n", "")


def test_nothing_is_imported_that_need_not_be_installed(root):
    modules = modules_of_scripts(job_scripts())
    assert "seggrid.morphology.evaluate" in modules
    for module in modules:
        text = Path(find_spec(module).origin).read_text("utf-8")
        assert not re.search(r"^(import|from) (torch|transformers|safetensors)", text, re.M), module
    assert "seggrid.studies.language_model.train" not in modules

"""A job logs only its own time and memory."""

import os
import subprocess
import sys
import textwrap

import pytest

from seggrid.workflow.jobs import script
from seggrid.workflow.jobs.script import TOOK


def test_what_is_logged_can_be_read_with_and_without_memory(capsys, monkeypatch):
    monkeypatch.setattr(script, "_reset_peak", lambda: False)
    with script.timed("learning"):
        pass
    (took,) = TOOK.findall(capsys.readouterr().err)
    assert took[2] == ""
    assert TOOK.findall("x took 1.5 s, 2.5 s of CPU, 30 MB at most") == [("1.5", "2.5", "30")]


JOB = """
    from seggrid.workflow.jobs.script import timed

    with timed("work"):
        held = bytearray(60_000_000)
    """

# 400 MB in the parent, with which the memory counters of its children start.
PARENTS = {
    "forked": """
        import os, runpy
        import seggrid.workflow.jobs.script

        large = bytearray(400_000_000)
        del large
        if not os.fork():
            runpy.run_path("job.py")
            os._exit(0)
        os.wait()
        """,
    "called": """
        import subprocess, sys

        large = bytearray(400_000_000)
        subprocess.run([sys.executable, "job.py"], check=True)
        """,
}


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="not on this system")
@pytest.mark.parametrize("parent", PARENTS.values(), ids=PARENTS)
def test_memory_is_the_jobs_own_and_not_its_parents(tmp_path, parent):
    (tmp_path / "job.py").write_text(textwrap.dedent(JOB))
    command = [sys.executable, "-c", textwrap.dedent(parent)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    ((_, _, memory),) = TOOK.findall(done.stderr)
    assert 60 <= int(memory) < 200

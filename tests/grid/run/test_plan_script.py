"""`seggrid plan` as a user calls it."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.tier("check")

CONFIG = """\
pairs:
  p:
    source: {language: English, text: a.txt}
    target: {language: German, text: b.txt}
    gold: {file: gold.txt}
experiments:
  x: {merges: [5, 10], sides: source}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("the cat\nthe dog\n")
    (tmp_path / "b.txt").write_text("die Katze\nder Hund\n")
    (tmp_path / "gold.txt").write_text("0-0 1-1\n0-0 1-1\n")
    (tmp_path / "config.yaml").write_text(CONFIG)
    return tmp_path


@pytest.fixture
def call(folder):
    def run(*arguments):
        command = [sys.executable, "-m", "seggrid", "plan", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)

    return run


def test_a_plan_counts_cells_and_jobs_beside_a_run_that_goes_on(call, folder):
    locks = folder / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/scores.csv\n")
    done = call("config.yaml", "--cells")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "3 cells: 3 new, 0 again, 0 as they are"
    assert "3 align" in lines[1]
    assert "3 score" in lines[1]
    assert any("merges=10" in line for line in lines)
    assert not (folder / "results").exists()
    assert (locks / "0.output.lock").exists()


def test_without_a_config_that_of_the_folder_is_planned(call):
    done = call()
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 cells: 3 new")


def test_a_plan_repeats_the_remarks_of_the_check_of_files(call, folder):
    (folder / "published.csv").write_text("pair,table,sides,f1\np,t,source,0.5\n")
    (folder / "config.yaml").write_text(CONFIG + "published: published.csv\n")
    done = call("config.yaml")
    assert done.stdout.splitlines()[-1].startswith("note: published.csv:2: the row matches several")


def edit(name, old, new):
    def change(folder):
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


# Of configs and options, see tests/commands/test_run_command.py.
WRONG = {
    "a text that is not there": (lambda folder: (folder / "a.txt").unlink(), []),
    "gold that does not fit": (edit("gold.txt", "1-1\n", "1-7\n"), []),
    "an unknown target": (lambda folder: None, ["results/none"]),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_told_in_lines_and_the_status(call, folder, wrong):
    change, options = WRONG[wrong]
    change(folder)
    done = call("config.yaml", *(["--", *options] if options else []))
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines
    assert all(line.startswith("error: ") for line in lines), done.stderr
    assert all("error:" not in line.removeprefix("error: ")[:20] for line in lines), done.stderr
    assert "rofile" not in done.stderr


def test_a_disk_that_cannot_be_used_is_told_in_one_line(root, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            from pathlib import Path
            from seggrid.base.files import atomic_write

            def main(output: Path) -> None:
                with atomic_write(output) as file:
                    file.write("text")
            """
        )
    )
    for place in ("script.py/inner", "/proc/none"):
        command = [
            sys.executable,
            str(root / "workflow/scripts/job.py"),
            "script.py",
            f"--output={place}",
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.startswith("error: ")
        assert len(done.stderr.splitlines()) == 1

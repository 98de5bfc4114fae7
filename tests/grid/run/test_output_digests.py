"""Outputs changed outside of the workflow are found, by digests that jobs write, before and in each run."""

import os
from pathlib import Path

import pytest

import builtin_pair
from seggrid.base.errors import Refusal
from seggrid.grid.run.output_digests import DIGESTS, changed_outputs, recorded

FILE, FOLDER, INNER = "results/a=1+b.txt", "results/deep/folder", "results/deep/folder/inner"


def job(*arguments, write=None):
    """What a job's process does, with a function in place of its script."""
    with recorded(["script.py", *arguments]):
        if write:
            write()


def write_outputs():
    Path(INNER).parent.mkdir(parents=True)
    Path(FILE).write_text("middle\n")
    Path(INNER).write_text("inner\n")


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job("--output", FILE, f"--folder={FOLDER}", "--gold=resources/g", write=write_outputs)


def read_by_a_job():
    job(FILE, f"--folder={FOLDER}")


def damage(path, content, keep_time):
    status = os.stat(path)
    Path(path).write_text(content)
    if keep_time:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_what_a_job_has_written_is_unchanged_also_once_it_is_touched(made):
    # As Snakemake does after a job.
    os.utime(FILE)
    Path(FOLDER, ".snakemake_timestamp").touch()
    assert changed_outputs() == []
    read_by_a_job()
    os.utime(FILE)
    assert changed_outputs() == []


@pytest.mark.parametrize(
    ("content", "keep_time"),
    [("", False), ("mid", True), ("middle\nmore\n", False), ("mIddle\n", True)],
)
@pytest.mark.parametrize(("path", "output"), [(FILE, FILE), (INNER, FOLDER)])
def test_damage_is_found_by_the_first_reader_and_from_then_on(
    made, path, output, keep_time, content
):
    damage(path, content, keep_time)
    for _ in range(2):
        with pytest.raises(Refusal, match=f"error: {output.replace('+', '.')}: changed or damaged"):
            read_by_a_job()
        assert changed_outputs() == [output]
    os.utime(path)
    assert changed_outputs() == [output]


def test_a_file_missing_in_a_folder_is_found(made):
    read_by_a_job()
    Path(INNER).unlink()
    assert changed_outputs() == [FOLDER]


@pytest.mark.parametrize("name", [".DS_Store", ".nfs0001", ".ipynb_checkpoints/inner"])
def test_hidden_files_that_others_put_into_a_folder_are_no_change(made, name):
    hidden = Path(FOLDER, name)
    hidden.parent.mkdir(exist_ok=True)
    hidden.write_text("")
    assert changed_outputs() == []


def test_an_output_that_is_made_again_has_its_new_digest(made):
    Path(FILE).unlink()
    assert changed_outputs() == []
    job(FILE, write=lambda: Path(FILE).write_text("other\n"))
    assert changed_outputs() == []


def test_a_job_that_is_killed_leaves_no_record_of_an_earlier_output(made):
    Path(FILE).unlink()
    with pytest.raises(KeyboardInterrupt):
        job(
            FILE,
            write=lambda: (
                Path(FILE).write_text("other\n"),
                (_ for _ in ()).throw(KeyboardInterrupt),
            ),
        )
    assert changed_outputs() == []


def test_a_record_that_was_cut_short_says_nothing(made):
    record = Path(DIGESTS, Path(FILE).name)
    record.write_text(record.read_text()[:10])
    Path(FILE).write_text("other\n")
    assert changed_outputs() == []


CONFIG = """
pairs:
  p: {source: {text: eng}, target: {text: deu}, gold: {file: gold}}
experiments:
  x: {merges: 20}
"""


@pytest.fixture(scope="module")
def finished(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    builtin_pair.write_pair(folder, 40)
    (folder / "config.yaml").write_text(CONFIG)

    def run(*options):
        asked = ["--configfile", "config.yaml", *options, "--", "results/scores.csv"]
        return snakemake(folder, None, *asked, check=False)

    done = run()
    assert not done.returncode, done.stderr[-2000:]
    return folder, run


def test_a_run_stops_at_a_damaged_intermediate_each_time_until_it_is_deleted(finished):
    folder, run = finished
    file = next((folder / "results").glob("align/*/*/*/*/*/*.npz"))
    whole, scores = file.read_bytes(), (folder / "results/scores.csv").read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    for options in ([], ["--dry-run"], []):
        done = run(*options)
        assert done.returncode == 1
        errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
        assert len(errors) == 1
        name = file.relative_to(folder)
        assert errors[0].startswith(
            f"error: {name}: changed or damaged since its job wrote it (del"
        )
    file.unlink()
    done = run("--forcerun", "align")
    assert not done.returncode, done.stderr[-2000:]
    assert file.read_bytes() == whole
    assert (folder / "results/scores.csv").read_bytes() == scores


def test_a_lock_is_removed_whatever_the_state_of_the_results(finished):
    folder, run = finished
    file = next((folder / "results").glob("align/*/*/*/*/*/*.npz"))
    whole = file.read_bytes()
    file.write_bytes(b"")
    try:
        assert run("--unlock").returncode == 0
    finally:
        file.write_bytes(whole)

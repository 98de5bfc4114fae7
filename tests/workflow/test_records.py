"""Outputs changed outside of the workflow are found, by the records of a real Snakemake."""

import os
import shutil
import subprocess
import sys

import pytest

from seggrid.errors import InputError
from seggrid.workflow.run.records import changed_outputs

SNAKEFILE = """
rule last:
    input: "out/{0}/middle"
    output: "out/last", directory("out/folder")
    shell: "cat {{input:q}} > {{output[0]}}; mkdir -p {{output[1]}}; cp {{input:q}} {{output[1]}}/inner"

rule middle:
    output: "out/{0}/middle"
    shell: "echo middle > {{output:q}}"
"""
# Too long for a single file name in base 64.
LONG = "/".join("x" * 100 for _ in range(4))
MIDDLE = f"out/{LONG}/middle"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    (folder / "Snakefile").write_text(SNAKEFILE.format(LONG))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "all"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(params=[MIDDLE, "out/last"])
def file(finished, request):
    path = finished / request.param
    content, status = path.read_bytes(), path.stat()
    yield path
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_finished_run_is_unchanged(finished):
    assert changed_outputs(finished) == changed_outputs(finished, contents=True) == []


@pytest.mark.parametrize("content", ["", "mid", "middle\nmore\n", "mIddle\n"])
def test_a_file_cut_short_or_edited_is_found(finished, file, content):
    file.write_text(content)
    assert changed_outputs(finished) == [str(file.relative_to(finished))]


def test_a_file_edited_or_missing_in_a_folder_is_found(tmp_path, finished):
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    assert changed_outputs(tmp_path) == []
    inner = tmp_path / "out/folder/inner"
    inner.write_text("other\n")
    assert changed_outputs(tmp_path) == ["out/folder"]
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    inner.unlink()
    assert changed_outputs(tmp_path) == ["out/folder"]


def test_a_touched_file_is_told_from_an_edited_one_by_its_checksum(finished, file):
    os.utime(file)
    # No job has read the last file, so there is no checksum for it.
    assert changed_outputs(finished) == (["out/last"] if file.name == "last" else [])


def test_an_edit_that_keeps_the_time_is_found_by_reading(finished):
    path = finished / MIDDLE
    content, status = path.read_bytes(), path.stat()
    path.write_text("other!\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    try:
        assert changed_outputs(finished) == []
        assert changed_outputs(finished, contents=True) == [MIDDLE]
    finally:
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_record_that_was_cut_short_is_passed_over(finished):
    record = next(path for path in (finished / ".snakemake/metadata").rglob("*") if path.is_file())
    text = record.read_text()
    record.write_text(text[: len(text) // 2])
    try:
        assert changed_outputs(finished) == []
    finally:
        record.write_text(text)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([], "no records of a run"),
        ([".snakemake/metadata.db"], "in a database"),
        ([".snakemake/metadata/of-another-version"], "no records of a run"),
    ],
)
def test_without_records_in_a_known_form_nothing_is_said_to_be_unchanged(tmp_path, made, said):
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("{}")
    with pytest.raises(InputError, match=said):
        changed_outputs(tmp_path)

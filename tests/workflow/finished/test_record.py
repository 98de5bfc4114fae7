"""The record of a run: what it says of the clone."""

import subprocess

from seggrid.workflow.finished import record


def test_the_commit_of_a_clone_is_named_and_whether_its_files_changed(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("a\n")
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "file"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(record, "PROJECT", tmp_path)
    commit = record.versions()["commit"]
    assert len(commit) == 12
    (tmp_path / "file").write_text("b\n")
    assert record.versions()["commit"] == f"{commit}+"
    monkeypatch.setattr(record, "PROJECT", tmp_path / "elsewhere")
    assert "commit" not in record.versions()

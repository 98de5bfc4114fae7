"""The record of a run: what it says of the clone."""

import subprocess

from seggrid.grid.finished import record


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


def test_a_run_is_finished_only_with_all_tables_that_the_config_makes(tmp_path):
    made = ["scores.csv", "verdict.csv"]
    of_run = {"finished": True, "settings": {"seed": 1}, "inputs": {"a": "0"}}
    both = {"scores.csv": "1", "verdict.csv": "2"}

    def written(run, digests):
        record.write_record(tmp_path, run, digests, made)
        found = record.read_record(tmp_path)
        return found["finished"], found["tables"]

    # As with --omit-from verdict.
    assert written(of_run, {"scores.csv": "1"}) == (False, {"scores.csv": "1"})
    assert written(of_run, {"verdict.csv": "2"}) == (True, both)
    assert written(of_run, {}) == (True, both)
    # It failed before any table.
    assert written({**of_run, "finished": False}, {}) == (False, both)
    assert written({**of_run, "settings": {"seed": 2}}, {}) == (False, {})

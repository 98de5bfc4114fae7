"""Files are identified by their content, and read again only if their metadata has changed."""

import hashlib
import os
import time

import pytest

from seggrid.corpus.digests import Digests
from seggrid.errors import InputError


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file old enough for its digest to be cached."""
    path = tmp_path / "a.txt"
    path.write_text("one")
    later = time.time_ns() + 10_000_000_000
    monkeypatch.setattr("time.time_ns", lambda: later)
    return path


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_file_is_read_once(tmp_path, file, monkeypatch):
    memory = tmp_path / "memory" / "digests.json"
    assert Digests(memory).sha256(file) == sha256("one")
    monkeypatch.setattr("hashlib.file_digest", None)
    assert Digests(memory).sha256(file) == sha256("one")


def test_an_older_file_of_the_same_size_is_another(tmp_path, file):
    digests = Digests(tmp_path / "digests.json")
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    assert digests.sha256(file) == sha256("one")
    file.write_text("two")
    # As after `cp -p`: even the modification time is that of the first file.
    os.utime(file, ns=times)
    assert digests.sha256(file) == sha256("two")


def test_a_file_just_changed_is_not_remembered(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    Digests(tmp_path / "digests.json").sha256(tmp_path / "a.txt")
    assert not (tmp_path / "digests.json").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"a": 1}', b"null", b"{" * 9])
def test_a_damaged_memory_costs_time_only(tmp_path, file, content):
    memory = tmp_path / "digests.json"
    memory.write_bytes(content.replace(b"a", str(file).encode()))
    assert Digests(memory).sha256(file) == sha256("one")


def test_a_memory_that_cannot_be_written_costs_time_only(file):
    assert Digests(file / "digests.json").sha256(file) == sha256("one")


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        Digests().sha256(tmp_path / "none")

"""What tests of the commands share."""

from pathlib import Path

import pytest

import builtin_pair
from seggrid.commands import main


@pytest.fixture
def builtin(tmp_path, monkeypatch):
    """Write the first sentences of the built-in pair with their gold, and work in their folder; with a number
    of merges, learn `model` on the source."""

    def write(count: int, merges: int | None = None) -> Path:
        builtin_pair.write_pair(tmp_path, count)
        monkeypatch.chdir(tmp_path)
        if merges is not None:
            assert main(["learn", "eng", "--merges", str(merges), "-o", "model"]) == 0
        return tmp_path

    return write


@pytest.fixture
def refused(capsys):
    """Call the command, and return the one line that says why it is refused."""

    def call(*arguments: object) -> str:
        capsys.readouterr()
        assert main(list(map(str, arguments))) == 2
        out, err = capsys.readouterr()
        assert not out
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        return err

    return call

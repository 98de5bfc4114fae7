"""What tests of the commands share."""

from pathlib import Path

import pytest


@pytest.fixture
def builtin(root, tmp_path, monkeypatch):
    """Write the first sentences of the built-in pair with their gold, and work in their folder."""

    def write(count: int) -> Path:
        for name in ("eng", "deu", "gold"):
            lines = (root / f"resources/builtin/{name}.txt").read_text("utf-8").splitlines()[:count]
            (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return write

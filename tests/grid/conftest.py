"""Fixtures for tests of configs."""

import pytest

from seggrid.base.errors import InputErrors
from seggrid.grid.config import check_config, read_config


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Messages name files relative to the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def check(folder):
    """Check a config, or several, given as text."""

    def check(*texts, overrides=()):
        files = []
        for number, text in enumerate(texts):
            files.append(folder / ("config.yaml" if not number else f"over{number}.yaml"))
            files[-1].write_text(text, encoding="utf-8")
        return check_config(read_config(files, overrides))

    return check


@pytest.fixture
def lines(check):
    """The lines of the message about a config's mistakes."""

    def lines(*texts, overrides=()):
        with pytest.raises(InputErrors) as caught:
            check(*texts, overrides=overrides)
        found = str(caught.value).split("\n")
        assert len(found) == len(caught.value.errors)
        assert all(len(line) < 1500 for line in found)
        return found

    return lines

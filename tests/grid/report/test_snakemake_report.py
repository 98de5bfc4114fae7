"""Snakemake's own report of a finished grid: it has the page, which works there too."""

import zipfile

import pytest
from browser import text

import builtin_pair

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def unpacked(snakemake, tmp_path_factory):
    """The folder of Snakemake's report of a small grid over the built-in pair."""
    folder = tmp_path_factory.mktemp("report")
    config = {
        "pairs": {"builtin": builtin_pair.SHIPPED},
        "experiments": {"sizes": {"merges": [100, 500], "aligner": "fast_align"}},
        "report": {"resamples": 100},
    }
    snakemake(folder, config)
    snakemake(
        folder, None, "--configfile", "config.yaml", "--report", "report.zip", "--report-after-run"
    )
    with zipfile.ZipFile(folder / "report.zip") as archive:
        archive.extractall(folder / "unpacked")
    return folder


def test_the_page_of_snakemakes_report_is_ours_and_opens(unpacked, open_page):
    page = (unpacked / "results/report.html").read_bytes()
    (shown_there,) = (unpacked / "unpacked").glob("report/data/raw/*/report.html")
    assert shown_there.read_bytes() == page
    shown = open_page(shown_there)
    assert text(shown, ".use").startswith("builtin: use fast_align with")


def test_tables_and_figures_have_their_captions(unpacked):
    main = (unpacked / "unpacked/report/report.html").read_text("utf-8")
    for part in ("interactive report", "verdict.csv", "scores.csv", "Tables"):
        assert part in main

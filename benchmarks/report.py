"""Time of the report of a large grid: intervals and tests, building the page, opening it.

    python benchmarks/report.py [--merges 5] [--page report.html]

The grid is synthetic: 1,204 cells with their counts on 508 gold sentences, and 10 cells of each of
two pairs in the alignment viewer. The page is opened in a headless Chromium.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "report"))

import browser
import synthetic
import synthetic_viewer

from seggrid.report import figures, page, viewer
from seggrid.score.significance import summarize
from timing import timed


def printed(title, work):
    """Do the work; print its wall time and CPU time."""
    result, wall, cpu = timed(work)
    print(f"{title:<42} {wall:7.2f} s wall  {cpu:7.2f} s CPU")
    return result


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--merges", type=int, default=5, help="numbers of merges in the grid")
    parser.add_argument("--page", type=Path, help="keep the page here")
    parser.add_argument("--figures", action="store_true", help="time the static figures too")
    arguments = parser.parse_args()

    table, counts = synthetic.fill(synthetic.scores(merges=synthetic.MERGES[: arguments.merges]))
    chosen = viewer.choose_cells(table)
    pairs = [synthetic_viewer.viewer_pair(table, pair, cells) for pair, cells in chosen.items()]
    print(f"{len(table):,} cells")
    significance = printed("intervals and tests", lambda: summarize(counts, table, seed=1))

    def build():
        return page.build(
            {
                "scores": table,
                "significance": significance,
                "published": synthetic.published(table),
                "claims": synthetic.claims(),
                "morphology": synthetic.morphology(),
                "knockout": synthetic.knockout(),
                "cost": synthetic.cost(table),
            },
            viewer=viewer.viewer_data(pairs),
            about={"title": "A large grid", "seed": 1},
        )

    html = printed("building the page", build)
    print(f"{'size of the page':<42} {len(html.encode()) / 1e6:7.2f} MB")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if arguments.figures:
            files = printed("static figures", lambda: figures.draw_all({"scores": table}, folder))
            print(f"{'files of figures':<42} {len(files):7d}")
        file = arguments.page or Path(folder) / "report.html"
        file.write_text(html, encoding="utf-8")
        if browser.BINARY is None:
            print("no Chromium: the page was not opened")
            return
        with browser.launch() as chromium:
            open_page(chromium, file.resolve().as_uri())


def open_page(chromium, address):
    """Print when controls respond, when the first chart is drawn, and how fast a filter responds."""
    for trial in ("first", "second"):
        shown = chromium.new_page(viewport={"width": 1280, "height": 900})
        shown.goto(address)
        ready = shown.evaluate(
            "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        )
        shown.wait_for_selector("#chart-best svg")
        chart = shown.evaluate("performance.now()")
        print(f"{f'{trial} opening: controls respond after':<42} {ready / 1000:7.2f} s")
        print(f"{f'{trial} opening: first chart drawn by':<42} {chart / 1000:7.2f} s")
        shown.locator("#explorer").scroll_into_view_if_needed()
        shown.wait_for_selector("#chart-explorer svg")
        took = shown.evaluate(
            """async () => {
                const points = () => document.querySelectorAll('#chart-explorer .mark-symbol path').length;
                const before = points();
                const start = performance.now();
                const filter = document.querySelector('#parameters select[name=only_aligner]');
                filter.value = 'eflomal';
                filter.dispatchEvent(new Event('input', { bubbles: true }));
                while (points() === before) await new Promise(requestAnimationFrame);
                return performance.now() - start;
            }"""
        )
        print(f"{f'{trial} opening: filter redrawn in':<42} {took / 1000:7.2f} s")
        shown.close()


if __name__ == "__main__":
    main()

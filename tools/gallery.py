"""Take the pictures of docs/write-up.md from a report, or that of docs/tutorial.md from a page of `show`.

Needs Playwright, and Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

PICTURES = {
    "gallery-best": ("", "#overview"),
    "gallery-explorer": ("#explorer?view=Over%20aggregate", "#chart-explorer svg"),
    "gallery-measures": ("#measures", "#chart-measures svg"),
    "gallery-alignment": ("#alignments?order=differ", ".matrix"),
}
"""The address within the page, and what is in the picture, by the name of its file."""


SHOWN = {"show": ("", "main")}


def take(page: Page, report: Path, folder: Path, pictures: dict[str, tuple[str, str]]) -> None:
    """Take each picture in a page of its own address."""
    for name, (address, part) in pictures.items():
        page.goto("about:blank")
        page.goto(report.resolve().as_uri() + address)
        page.wait_for_function(
            "() => [...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn)"
        )
        page.locator(part).first.screenshot(path=folder / f"{name}.png")


def main() -> None:
    """Open the report and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path, help="a report.html, or the page with --links")
    parser.add_argument("--links", action="store_true", help="it is a page of seggrid show")
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        take(
            browser.new_page(viewport={"width": 1000, "height": 1100}),
            arguments.report,
            arguments.folder,
            SHOWN if arguments.links else PICTURES,
        )
        browser.close()


if __name__ == "__main__":
    main()

"""Take the pictures of README and docs/write-up.md from the report of `make run`, or those of
docs/tutorial.md from its report or its page of `show`.
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
    "run": {
        "report": ("", ""),
        "gallery-best": ("", "#overview"),
        "gallery-explorer": ("#explorer?view=Over%20aggregate", "#chart-explorer svg"),
        "gallery-measures": ("#measures", "#chart-measures svg"),
        "gallery-alignment": ("#alignments?order=differ", ".matrix"),
    },
    "tutorial": {
        "tutorial-explorer": ("#explorer", "#chart-explorer svg"),
        "alignment": ("#alignments?sentence=1", "#viewer"),
    },
    "show": {"show": ("", "main")},
}
"""By page: the address within it, and what is in the picture (else its top), by the name of the file."""


def take(page: Page, report: Path, folder: Path, pictures: dict[str, tuple[str, str]]) -> None:
    """Take each picture in a page of its own address."""
    for name, (address, part) in pictures.items():
        page.goto("about:blank")
        page.goto(report.resolve().as_uri() + address)
        page.wait_for_function(
            "() => [...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn)"
        )
        file = folder / f"{name}.png"
        if part:
            page.locator(part).first.screenshot(path=file)
        else:
            page.screenshot(path=file, clip={"x": 0, "y": 0, "width": 1000, "height": 840})


def main() -> None:
    """Open the report and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", choices=PICTURES, help="which page it is")
    parser.add_argument("file", type=Path, help="the page")
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        take(
            browser.new_page(viewport={"width": 1000, "height": 1300}),
            arguments.file,
            arguments.folder,
            PICTURES[arguments.page],
        )
        browser.close()


if __name__ == "__main__":
    main()

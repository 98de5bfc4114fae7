"""The system's Chromium, driven by Playwright; no browser is downloaded."""

import shutil
from contextlib import contextmanager

BINARY = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@contextmanager
def launch():
    """A headless Chromium; needs `BINARY`."""
    from playwright.sync_api import sync_playwright  # of the extra `check`

    with sync_playwright() as playwright:
        # Without a sandbox, for tests run as root in containers too.
        started = playwright.chromium.launch(
            executable_path=BINARY, args=["--no-sandbox", "--disable-gpu"]
        )
        yield started
        started.close()


class Watch:
    """Records the requests and errors of a page.

    Attributes:
        requests: addresses, in order.
        errors: uncaught exceptions, and whatever the console or the browser's log says.
    """

    def __init__(self, page):
        self.requests, self.errors = [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text))


def text(shown, selector):
    return shown.inner_text(selector)


def section_ids(shown):
    return shown.locator("section").evaluate_all("all => all.map((section) => section.id)")


def wait_for_chart(shown, selector="#plot"):
    shown.wait_for_selector(f"{selector} svg")


def unfold(details):
    """Open a folded table, and wait for its rows: the page fills it on an event after the click."""
    details.locator("summary").click()
    details.locator("tbody tr").first.wait_for()


def set_field(shown, label, value):
    """Choose a value in the select of that label."""
    shown.select_option(f"label.field:has(> span:text-is('{label}')) select", value)


def keep(shown, axis, value):
    """Tick one value in the filter of an axis."""
    menu = shown.locator(f"[data-axis={axis}]")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    menu.locator(f"input[value='{value}']").click()

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


def wait_for_chart(shown, selector="#chart-explorer"):
    shown.wait_for_selector(f"{selector} svg")


def draw_all(shown):
    """Wait until all charts are drawn."""
    shown.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every((c) => c.dataset.drawn)"
    )


def set_field(shown, label, value):
    """Choose a value in the select of that label."""
    shown.select_option(f"label.field:has(> span:text-is('{label}')) select", value)


def choose(shown, parameter, value):
    """Set a parameter of the explorer, and wait until Vega has drawn it."""
    if shown.get_attribute("#explorer details", "open") is None:
        shown.locator("#explorer summary").first.click()
    shown.select_option(f"#parameters select[name={parameter}]", value)
    shown.wait_for_timeout(200)

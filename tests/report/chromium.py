"""A headless Chromium, driven over the DevTools protocol through a pipe.

Chromium reads NUL-ended JSON messages from file descriptor 3 and writes them to 4
(`--remote-debugging-pipe`), so neither a driver nor a port is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import time

BINARY = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


class Chromium:
    """One browser process; `page` opens a page in it."""

    def __init__(self, profile):
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Bash puts the two ends where Chromium looks for them, whatever their numbers are here
        # (sh knows numbers of one digit only).
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}',
                BINARY,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--remote-debugging-pipe",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self.events = []

    def close(self):
        """Ask the browser to end, and wait until it has."""
        self.call("Browser.close")
        self._process.wait(timeout=20)
        os.close(self._write)
        os.close(self._read)

    def call(self, method, session=None, **params):
        """Send a command and return its result; events that come meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        number = self._number
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            answer = self._receive(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)
        raise TimeoutError(method)

    def _receive(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self._read, 1 << 20) if ready else b""
            if not chunk:
                raise TimeoutError("Chromium does not answer")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def page(self, url, width=1280, height=900, dark=False):
        """Open a page of that width, under the light or the dark color scheme."""
        return Page(self, url, width, height, dark)


class Page:
    """One tab. `requests` and `errors` hold what it asked for and complained of since it opened."""

    def __init__(self, browser, url, width, height, dark):
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = "dark" if dark else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def call(self, method, **params):
        """A command to this tab."""
        return self._browser.call(method, session=self._session, **params)

    def run(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def wait(self, expression, seconds=30):
        """Until a JavaScript expression is true."""
        deadline = time.monotonic() + seconds
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def press(self, key):
        """One key, on whatever has the focus."""
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=codes[key],
                **extra,
            )

    def hover(self, x, y):
        """Move the pointer to a place in the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def screenshot(self, path, whole=False):
        """A PNG of the window, or of the whole page."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _seen(self, method):
        return [
            event["params"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event.get("method") == method
        ]

    @property
    def requests(self):
        """The addresses that were asked for; the page itself comes first."""
        self.run("0")
        return [event["request"]["url"] for event in self._seen("Network.requestWillBeSent")]

    @property
    def errors(self):
        """Uncaught exceptions, and what the console and the browser's log say."""
        self.run("0")
        thrown = [
            event["exceptionDetails"].get("exception", {}).get("description", "?")
            for event in self._seen("Runtime.exceptionThrown")
        ]
        console = [
            " ".join(str(a.get("value", a.get("description"))) for a in event["args"])
            for event in self._seen("Runtime.consoleAPICalled")
        ]
        log = [event["entry"]["text"] for event in self._seen("Log.entryAdded")]
        return thrown + console + log

    def close(self):
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)

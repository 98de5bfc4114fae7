"""Make one HTML file with its data and code."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from seggrid.grid.report.theme import style_of_palette

SHARED = tuple(f"{name}.js" for name in ("dom", "cells", "saving", "address"))
"""The files of the code that all pages have, in the order in which they are joined."""

EMBEDDING = (*SHARED, "table.js", "charts.js", "explorer.js")
"""The files that fill the places of charts and tables."""

VIEWER = tuple(f"viewer/{name}.js" for name in ("data", "matrix", "tokens", "viewer"))
"""The files of the alignment viewer's code."""

VIEWER_PLACE = """
<div class="controls" id="viewer-controls"></div>
<div id="viewer" tabindex="0" role="group" aria-label="Alignment of one sentence pair"></div>"""
"""Where the viewer is put."""


def document(*, title: str, body: str, data: str, scripts: Sequence[str]) -> str:
    """A page that loads nothing: its policy allows only its scripts."""
    return _fill(
        _asset("page.html"),
        title=escape(title),
        policy=_policy(*scripts),
        style=_asset("page.css").replace("/* palette */", style_of_palette()),
        body=body,
        data=data,
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def page_scripts(names: Iterable[str]) -> str:
    """Files of the page's code, wrapped in one function so that no name is global."""
    code = "\n".join(map(_asset, names))
    return f'(() => {{\n"use strict";\n{code}\n}})();'


def embedded(data: object) -> str:
    """JSON for use in a script element; it has no `<`, so that it cannot end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def deflated(data: object) -> str:
    """JSON for what a page shows later: deflated (RFC 1951), and encoded in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(compressor.compress(text) + compressor.flush()).decode()


def _asset(name: str) -> str:
    return files("seggrid.grid.report").joinpath("assets", name).read_text(encoding="utf-8")


def _policy(*scripts: str) -> str:
    """The content security policy that allows these scripts and forbids loading anything."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _fill(template: str, **parts: str) -> str:
    """The template with each `{{name}}` replaced in one pass, so that inserted parts are not searched for
    names."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)

"""Make one HTML file with its data and code."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from importlib.resources import files

VIEWER = tuple(f"viewer/{name}.js" for name in ("data", "matrix", "arcs", "tokens", "viewer"))
"""The files of the alignment viewer's code."""


def scripts(names: Iterable[str]) -> str:
    """Files of the page's code, wrapped in one function so that no name is global."""
    code = "\n".join(map(asset, names))
    return f'(() => {{\n"use strict";\n{code}\n}})();'


def asset(name: str) -> str:
    """The text of one of the page's files."""
    return files("seggrid.report").joinpath("assets", name).read_text(encoding="utf-8")


def policy(*scripts: str) -> str:
    """The content security policy that allows these scripts and forbids loading anything."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded(data: object) -> str:
    """JSON for use in a script element; it has no `<`, so that it cannot end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def fill(template: str, **parts: str) -> str:
    """The template with each `{{name}}` replaced in one pass, so that inserted parts are not searched for
    names."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)

"""A hook of mkdocs: links to pages that are in another folder on the site than in the repository."""

import re
from typing import Any

_ELSEWHERE = re.compile(
    r'href="\.\./(?:docs/(?P<page>[a-z-]+)\.md|config/README\.md)(?P<part>#[^"]*)?"'
)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Let `../docs/NAME.md` and `../config/README.md` lead to the pages of the site."""
    return _ELSEWHERE.sub(_link, html)


def _link(match: re.Match[str]) -> str:
    return f'href="../{match["page"] or "config"}/{match["part"] or ""}"'

"""Hooks of mkdocs: links to pages that are in another folder on the site than in the repository, which
pages a search finds first, and the version at the foot of each page."""

import re
import tomllib
from pathlib import Path
from typing import Any

_ELSEWHERE = re.compile(
    r'href="(?:\.\./)?(?P<up>(?:\.\./)*)(?:docs/(?P<page>[a-z/-]+)\.md|config/README\.md)(?P<part>#[^"]*)?"'
)
# Pages that explain a term or a task come before studies that mention it; the changelog mentions everything.
_SEARCH: dict[str, dict[str, Any]] = {
    "changelog.md": {"exclude": True},
    **{
        f"{name}.md": {"boost": boost}
        for boost, names in (
            (16, ("glossary",)),
            (12, ("tutorial",)),
            (8, ("index", "python", "tutorial-tokenizer", "cluster", "outcome")),
            (4, ("commands", "config", "messages", "recommend", "runs")),
        )
        for name in names
    },
}
_STUDIES = {"boost": 0.3}


def on_config(config: Any) -> Any:
    """Say which version the site describes."""
    project = tomllib.loads(Path(config.config_file_path).with_name("pyproject.toml").read_text())
    config.copyright = f"seggrid {project['project']['version']}"
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> None:
    """Say how a search ranks the page."""
    name = page.file.src_uri
    if name in _SEARCH or name.startswith("studies/"):
        page.meta["search"] = _SEARCH.get(name, _STUDIES)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Let `docs/NAME.md`, from whichever folder, and `../config/README.md` lead to the pages of the site."""
    return _ELSEWHERE.sub(_link, html)


def _link(match: re.Match[str]) -> str:
    return f'href="{match["up"]}{match["page"] or "config"}.html{match["part"] or ""}"'

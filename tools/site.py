"""Build the documentation into a folder of its version below site/, beside those of other versions.

`versions.json` lists them for the selector in the head of the pages; `index.html` leads to the newest.
"""

import argparse
import html
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]


def build(site: Path) -> None:
    """Build this version, and list all."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([*command, site.resolve() / version], cwd=ROOT, env=environment, check=True)
    if lost := sorted(broken(site.resolve() / version)):
        raise SystemExit("\n".join(lost))
    known = [folder.parent.name for folder in site.glob("[0-9]*/index.html")]
    known.sort(key=lambda name: [int(part) for part in re.findall(r"\d+", name)], reverse=True)
    listed = [{"version": name, "title": name, "aliases": []} for name in known]
    (site / "versions.json").write_text(json.dumps(listed))
    leads = f'<!doctype html><meta http-equiv="refresh" content="0; url={known[0]}/index.html">'
    (site / "index.html").write_text(leads)


def broken(site: Path) -> set[str]:
    """The links of the pages to a file or a heading of the site that is not there; mkdocs cannot check those
    that `site_links.py` makes."""
    texts = {
        page: page.read_text("utf-8") for page in site.rglob("*.html") if page.name != "404.html"
    }
    anchors = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in texts.items()}
    lost = set()
    for page, text in texts.items():
        for link in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            to = urlsplit(html.unescape(link))
            if to.scheme or to.netloc:
                continue
            target = (page.parent / unquote(to.path)).resolve() if to.path else page
            heading = unquote(to.fragment)
            if not target.exists() or (heading and heading not in anchors.get(target, {heading})):
                lost.add(f"{page.name}: {link} leads nowhere")
    return lost


def main() -> None:
    """Build into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of all versions")
    build(parser.parse_args().site)


if __name__ == "__main__":
    main()

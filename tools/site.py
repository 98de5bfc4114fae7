"""Build the documentation into a folder of its version below site/, beside those of other versions.

`versions.json` lists them for the selector in the head of the pages; `index.html` leads to the newest, whose
pages `llms.txt` lists.
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

import yaml

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
    (site / "llms.txt").write_text(for_models(known[0]), "utf-8")
    leads = f'<!doctype html><meta http-equiv="refresh" content="0; url={known[0]}/index.html">'
    (site / "index.html").write_text(leads)


def for_models(version: str) -> str:
    """The pages of a version with their first sentences, as language models look for them (llmstxt.org)."""
    # The tags of `!!python/name` are of no interest here.
    settings = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), yaml.BaseLoader)
    lines = [f"# {settings['site_name']}", "", f"> {settings['site_description']}"]
    for part in settings["nav"]:
        ((name, pages),) = part.items()
        entries = pages if isinstance(pages, list) else [{name: pages}]
        lines += ["", f"## {name}", ""]
        for entry in entries:
            ((title, page),) = entry.items()
            address = f"{version}/{page.removesuffix('.md')}.html"
            about = first_sentence(ROOT / "docs" / page)
            lines.append(f"- [{title}]({address})" + (f": {about}" if about else ""))
    return "\n".join(lines) + "\n"


def first_sentence(page: Path) -> str:
    """The first sentence of a page, which says whom it is for, without links."""
    paragraphs = page.read_text("utf-8").split("\n\n")
    text = next((one for one in paragraphs if one[:1].isalnum()), "")
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return plain.split(". ")[0]


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

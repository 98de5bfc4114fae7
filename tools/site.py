"""Build the documentation into a folder of its version below site/, beside those of other versions.

`versions.json` lists them for the selector in the head of the pages; `index.html` leads to the newest.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(site: Path) -> None:
    """Build this version, and list all."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([*command, site.resolve() / version], cwd=ROOT, env=environment, check=True)
    known = [folder.parent.name for folder in site.glob("[0-9]*/index.html")]
    known.sort(key=lambda name: [int(part) for part in re.findall(r"\d+", name)], reverse=True)
    listed = [{"version": name, "title": name, "aliases": []} for name in known]
    (site / "versions.json").write_text(json.dumps(listed))
    leads = f'<!doctype html><meta http-equiv="refresh" content="0; url={known[0]}/index.html">'
    (site / "index.html").write_text(leads)


def main() -> None:
    """Build into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of all versions")
    build(parser.parse_args().site)


if __name__ == "__main__":
    main()

"""The project's own files: the site, benchmarks, use as a module, versions and citations."""

import importlib.util
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.mark.tier("check")
def test_the_site_builds(tmp_path):
    """Strictly, so all links must work, and without loading anything from the network; beside the site of
    an earlier version."""
    pytest.importorskip("mkdocs")
    (tmp_path / "0.9.0").mkdir()
    (tmp_path / "0.9.0/index.html").write_text("")
    subprocess.run([sys.executable, ROOT / "tools/site.py", tmp_path], cwd=tmp_path, check=True)
    listed = json.loads((tmp_path / "versions.json").read_text())
    new, old = (entry["version"] for entry in listed)
    assert old == "0.9.0"
    assert f"url={new}/index.html" in (tmp_path / "index.html").read_text()
    for page in (tmp_path / new).glob("**/*.html"):
        text = page.read_text("utf-8")
        assert 'src="http' not in text, page
        assert 'rel="stylesheet" href="http' not in text, page


def test_is_a_module_of_another_workflow(snakemake, tmp_path):
    """As docs/index.md shows: scripts and package from the clone, paths from the working folder."""
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    (tmp_path / "config.yaml").write_text((ROOT / "config" / "config.yaml").read_text("utf-8"))
    (tmp_path / "Snakefile").write_text(
        textwrap.dedent(f"""
            configfile: "config.yaml"

            module seggrid:
                snakefile: "{ROOT}/workflow/Snakefile"
                config: config

            use rule * from seggrid
        """)
    )
    made = "results/corpus/builtin/source/case=keep.txt"
    snakemake(tmp_path, None, made)
    assert (tmp_path / made).is_file()


def test_one_version_is_named_everywhere():
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    assert read_yaml("CITATION.cff")["version"] == version


def test_the_paper_cites_what_its_bibliography_has():
    cited = set(re.findall(r"@(\w+)", (ROOT / "paper/paper.md").read_text("utf-8")))
    assert cited == set(
        re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text("utf-8"), re.M)
    )


PROGRAMS = [
    script
    for folder in ("benchmarks", "docs/studies")
    for script in sorted((ROOT / folder).glob("*.py"))
    if "ArgumentParser" in script.read_text("utf-8")
]


@pytest.mark.tier("check")
@pytest.mark.parametrize("script", PROGRAMS, ids=lambda script: script.stem)
def test_benchmarks_and_scripts_of_studies_start(script):
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout


def test_links_of_the_site_that_lead_nowhere_are_found(tmp_path):
    spec = importlib.util.spec_from_file_location("built_site", ROOT / "tools/site.py")
    built = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(built)
    links = ["b.html", "b.html#here", "#top", "c.html", "b.html#gone", "https://example.org/x"]
    page = '<h1 id="top"></h1>' + "".join(f'<a href="{link}"></a>' for link in links)
    (tmp_path / "a.html").write_text(page, "utf-8")
    (tmp_path / "b.html").write_text('<h2 id="here"></h2><img src="d%20e.png">', "utf-8")
    (tmp_path / "d e.png").touch()
    assert built.broken(tmp_path) == {
        "a.html: c.html leads nowhere",
        "a.html: b.html#gone leads nowhere",
    }

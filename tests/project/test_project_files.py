"""The project's own files: hooks, continuous integration, the catalog, the site, use as a module."""

import json
import os
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


def test_hooks_run_what_make_lints_with_and_need_no_network():
    (repository,) = read_yaml(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}
    makefile = (ROOT / "Makefile").read_text()
    for hook in repository["hooks"]:
        # `ruff check --force-exclude` is a line `ruff check .` there.
        command = hook["entry"].partition(" --")[0]
        assert re.search(rf"^\t{command}\b", makefile, re.M), command


def test_continuous_integration_runs_the_gate_and_the_gate_what_make_has():
    job = read_yaml(".github/workflows/ci.yaml")["jobs"]["gate"]
    gate = ROOT / job["steps"][-1]["run"].split()[-1]
    assert os.access(gate, os.X_OK)
    asked = set(re.findall(r"\bmake ([a-z]+)", gate.read_text()))
    assert asked & {"test", "check"}
    assert asked <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))


def test_the_catalog_says_what_the_workflow_has():
    usage = read_yaml(".snakemake-workflow-catalog.yml")["usage"]
    rules = "".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
    deployment = usage["software-stack-deployment"]
    assert deployment["conda"] == bool(re.search(r"^    conda:", rules, re.M))
    assert deployment["apptainer"] == bool(re.search(r"^    container:", rules, re.M))
    snakefile = (ROOT / "workflow/Snakefile").read_text()
    assert usage["report"] == bool(re.search(r"^report:", snakefile, re.M))


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
        for link in re.findall(r'href="([^"#:]+)(?:#[^"]*)?"', text):
            there = (
                tmp_path / new / link.lstrip("/") if link.startswith("/") else page.parent / link
            )
            assert there.is_file() or (there / "index.html").is_file(), (page, link)


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

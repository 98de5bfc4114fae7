"""The project's own files: hooks, continuous integration, the catalog, the site, use as a module."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
YAML = [".pre-commit-config.yaml", ".github/workflows/ci.yaml", ".snakemake-workflow-catalog.yml"]


@pytest.mark.parametrize("name", YAML)
def test_is_yaml(name):
    assert isinstance(yaml.safe_load((ROOT / name).read_text("utf-8")), dict)


def test_hooks_need_no_network():
    (repository,) = yaml.safe_load((ROOT / YAML[0]).read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}


def test_continuous_integration_runs_the_gate():
    job = yaml.safe_load((ROOT / YAML[1]).read_text("utf-8"))["jobs"]["gate"]
    assert job["steps"][-1]["run"].endswith(".ci/run")


def test_what_the_catalog_asks_for():
    for path in ("workflow/Snakefile", "config/README.md", "config/config.yaml", "LICENSE"):
        assert (ROOT / path).is_file()
    usage = yaml.safe_load((ROOT / YAML[2]).read_text("utf-8"))["usage"]
    assert usage["software-stack-deployment"]["conda"] == any((ROOT / "workflow/envs").iterdir())
    assert usage["report"]


def test_the_site_builds(tmp_path):
    """Strictly, so all links must work, and without loading anything from the network."""
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run([*command, "--site-dir", str(tmp_path)], cwd=ROOT, check=True)
    for page in tmp_path.glob("**/*.html"):
        text = page.read_text("utf-8")
        assert 'src="http' not in text, page
        assert 'rel="stylesheet" href="http' not in text, page
        for link in re.findall(r'href="([^"#:]+)(?:#[^"]*)?"', text):
            there = tmp_path / link.lstrip("/") if link.startswith("/") else page.parent / link
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

"""The plug-ins in `examples`: a study of its own, from its config to the page."""

import ast
import shutil
from importlib import import_module

import pandas as pd
import pytest

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.grid import plugins
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.grid.rules.files import Files
from seggrid.grid.rules.inputs import Inputs
from seggrid.grid.run.code_digest import code_digest
from seggrid.grid.study import STUDIES, every_table

PAIR = builtin_pair.in_config()
CONFIG = {
    "plugins": "frequent/study.py",
    "frequent": [5, 50],
    "pairs": {"p": PAIR},
    "experiments": {"x": {"segmenter": ["words", "bpe"], "merges": 30, "aligner": "fast_align"}},
}


@pytest.fixture
def study(root, tmp_path, monkeypatch):
    """The folder of the example, in an empty folder with a pair."""
    builtin_pair.write_pair(tmp_path, 40)
    shutil.copytree(root / "examples/frequent", tmp_path / "frequent")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "frequent"


@pytest.fixture
def edit(study):
    """Replace a text in a file of the example, once."""

    def edit(name, old, new):
        file = study / name
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")

    return edit


def test_one_import_has_what_it_names(root):
    tree = ast.parse((root / "src/seggrid/plugin.py").read_text("utf-8"))
    typed = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("seggrid.")
        for alias in node.names
    }
    # `seggrid.plugin` itself is the function that loads one.
    plugin = import_module("seggrid.plugin")
    listed = plugin._MODULES.items()
    assert typed == {(f"seggrid.{module}", name) for module, names in listed for name in names}
    assert sorted(name for _, name in typed) == sorted(plugin.__all__)
    assert all(getattr(plugin, name) is not None for name in plugin.__all__)


def test_the_page_has_its_files(root):
    page = (root / "docs/plugins.md").read_text("utf-8")
    for file in sorted((root / "examples/frequent").rglob("*.*")):
        if file.suffix in (".py", ".smk", ".toml"):
            assert f"\n{file.read_text('utf-8')}```\n" in page, file.name


def test_it_passes_the_checks(study, capsys):
    assert main(["check-plugin", "frequent/study.py"]) == 0
    assert capsys.readouterr().out.count("ok      frequent: ") == 6


@pytest.mark.parametrize(
    ("name", "old", "new", "what", "wrong"),
    [
        ("rules.smk", 'result("frequent")', 'table("other.csv")', "made by a rule", "frequent"),
        ("rules.smk", "--types", "--numbers", "the options that it has", "--numbers"),
        ("rules.smk", 'FREQUENT.job("frequent")', 'job("collate")', "the options", "frequent.py"),
        ("rules.smk", "    log:\n", "    benchmark:\n", "has a log", "frequent"),
        ("tables.toml", '"segmentation", "types"]', '"spec"]', "columns of its tables", "'spec'"),
        ("tables.toml", 'section = "frequent"', 'section = "other"', "of the page", "other"),
    ],
)
def test_what_does_not_fit_is_said(study, edit, capsys, name, old, new, what, wrong):
    edit(name, old, new)
    with pytest.raises(SystemExit):
        main(["check-plugin", "frequent/study.py"])
    failed = [line for line in capsys.readouterr().out.splitlines() if "FAILED" in line]
    assert len(failed) == 1
    assert what in failed[0]
    assert wrong in failed[0]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        pytest.param(
            *(
                "study.py",
                'key = "frequent"',
                'key = "published"',
                "the key 'published' is already",
            ),
            marks=pytest.mark.needs_studies("published"),
        ),
        ("study.py", 'key = "frequent"', 'key = "seed"', "'seed', which is one of the grid"),
        ("study.py", "value = (", "other = (", "the key 'frequent' has the value None"),
        ("study.py", "value = (", "value = 3; other = (", "the key 'frequent' has the value 3"),
        ("study.py", 'key = "frequent"', "key = 3", "3 is no key of a config"),
        ("study.py", 'key = "frequent"', 'key = "my key"', "'my key' is no key of a config"),
        ("study.py", "sections = (", 'sections = ("frequent",', "'frequent' in sections"),
        pytest.param(
            *("study.py", 'Section("frequent"', 'Section("knockout"', "the section 'knockout'"),
            marks=pytest.mark.needs_studies("morphology"),
        ),
        ("study.py", "(Study)", "", "no class of Study"),
        (
            "study.py",
            '    key = "f',
            '    stages = {"align": 1}\n    key = "f',
            "'align' is already",
        ),
        (
            "tables.toml",
            "[frequent]",
            "[scores]\ntitle = ''\nrows = ''\nkey = []\ncolumns = []\n[frequent]",
            "the table 'scores' is already",
        ),
        ("tables.toml", "[frequent]", "[frequent", "not a tables.toml"),
    ],
)
def test_what_is_taken_or_missing_is_refused(study, edit, name, old, new, message):
    edit(name, old, new)
    with pytest.raises(InputError, match=message):
        check_config({key: value for key, value in CONFIG.items() if key != "frequent"})


def test_a_study_without_rules_is_refused(study):
    (study / "rules.smk").unlink()
    with pytest.raises(InputError, match=r"no rules\.smk"):
        plugins.load("frequent/study.py")


@pytest.mark.parametrize(
    ("method", "wrong"),
    [("check(cls, config, findings)", "none"), ("sources(cls, grid, files, **_)", "yield none")],
)
def test_a_mistake_in_its_checks_is_one_line_with_its_place(study, edit, method, wrong):
    """Before any job."""
    added = f"    @classmethod\n    def {method}:\n        {wrong}\n\n"
    edit("study.py", "    @classmethod\n", f"{added}    @classmethod\n")
    line = (study / "study.py").read_text("utf-8").splitlines().index(f"        {wrong}") + 1
    with pytest.raises(InputError, match="NameError: name 'none' is not defined") as found:
        check_sources(Grid(CONFIG))
    assert (found.value.file, found.value.line) == ("frequent/study.py", line)


def test_all_files_of_a_package_count(study, tmp_path, monkeypatch):
    """Of which scripts may import any."""
    package = tmp_path / "study_package"
    shutil.move(study, package)
    for name in ("__init__.py", "helper.py"):
        (package / name).touch()
    monkeypatch.syspath_prepend(tmp_path)
    grid = Grid(CONFIG | {"plugins": "study_package.study"})
    own = Inputs(grid, Files(grid.config), STUDIES["frequent"])
    before = own.job("frequent")["code"](None)
    assert own.job("frequent")["code"](None) == before
    (package / "helper.py").write_text("x = 1\n", "utf-8")
    code_digest.cache_clear()
    assert own.job("frequent")["code"](None) != before


def test_its_key_is_one_of_the_config_and_its_files_are_inputs_of_the_run(study):
    with pytest.raises(InputError, match=r"frequent: .*out of range"):
        check_config(CONFIG | {"frequent": 0})
    config = check_config(CONFIG).config
    assert STUDIES["frequent"].given(config) == [5, 50]
    assert "frequent" in [table.name for table in every_table()]
    located = Files(config).located([])
    assert {f"frequent/{name}" for name in ("study.py", "rules.smk", "tables.toml")} < {*located}


def test_from_a_config_to_the_page_and_after_an_edit(study, edit, snakemake, tmp_path):
    snakemake(tmp_path, CONFIG)
    rows = pd.read_csv("results/frequent.csv")
    assert len(rows) == 2 * 2 * 2
    # All words of the text, counted by hand.
    words = (tmp_path / "eng").read_text("utf-8").lower().split()
    share = sum(sorted((words.count(word) for word in {*words}), reverse=True)[:5]) / len(words)
    first = rows[(rows["side"] == "source") & rows["segmentation"].str.startswith("words")]
    assert first.set_index("types")["share"][5] == pytest.approx(share)
    page = (tmp_path / "results/report.html").read_text("utf-8")
    assert '<section id="frequent"' in page
    assert " make up most of a text." in page
    assert (tmp_path / "results/figures/frequent.svg").exists()

    def planned():
        return sorted(job.rule for job in snakemake.planned(tmp_path, CONFIG) if job.rule != "all")

    assert planned() == []
    edit("jobs/frequent.py", "[::-1]", "[::-1] + 0")
    assert planned() == ["figures", "frequent", "page"]
    edit("jobs/frequent.py", "[::-1] + 0", "[::-1]  # as before")
    edit("tables.toml", "Share of the tokens", "The share of the tokens")
    assert planned() == ["figures", "page"]
    edit("tables.toml", "The share of the tokens", "Share of the tokens")
    edit("study.py", "Few types", "A few types")
    assert planned() == ["figures", "page", "verdict"]

"""The paths, links, commands and options in README, docs and the other documents exist, and their Python
runs."""

import ast
import importlib.util
import json
import re
import runpy
import shlex
from pathlib import Path

import pytest
import yaml

from seggrid.base.lines import read_lines
from seggrid.commands import VERBS, main
from seggrid.commands.run import Results

ROOT = Path(__file__).parents[2]
REFERENCE = runpy.run_path(str(ROOT / "tools/reference.py"))
DOCUMENTS = [
    path
    for pattern in ("*.md", "docs/**/*.md", "config/*.md", "workflow/**/*.md", "resources/*/*.md")
    for path in sorted(ROOT.glob(pattern))
]
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
TOP = "src|workflow|config|docs|resources|tests|benchmarks|tools"
# Paths that a run makes or downloads, which may be absent; NAME is a placeholder.
MADE = ("resources/downloads",)


def fenced(text, language):
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


@pytest.fixture(params=DOCUMENTS, ids=NAMES)
def document(request):
    return request.param


@pytest.fixture
def text(document):
    return document.read_text("utf-8")


MOST_WORDS = 50_000
"""Of all pages of docs/, with tables and what is generated, as `cat docs/**/*.md | wc -w` counts them: for
what is added, something that nobody needs goes."""


def test_pages_can_be_read(root):
    assert (
        sum(len(page.read_text("utf-8").split()) for page in (root / "docs").rglob("*.md"))
        <= MOST_WORDS
    )


def test_links_lead_somewhere(document, text):
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"[a-z]+:", target):
            assert (document.parent / target).exists(), target


def test_paths_exist(text):
    named = re.findall(rf"(?<![\w./-])(?:{TOP})/[\w./*-]*[\w/*]", text)
    for path in named:
        if not path.startswith(MADE) and "NAME" not in path:
            assert list(ROOT.glob(path.rstrip("/"))), path


def test_modules_and_their_names_exist(text):
    names = set(re.findall(r"(?<![\w/])seggrid\.[a-z_.]+[\w.]*\w", text))
    # Groups of entry points have names of that form.
    for name in sorted(names - {"seggrid.segmenters", "seggrid.aligners"}):
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            try:
                found = importlib.util.find_spec(".".join(parts[:cut]))
            except ModuleNotFoundError:
                continue
            if found:
                break
        if not parts[cut:]:  # a module, which may need packages that are not here
            continue
        value = importlib.import_module(".".join(parts[:cut]))
        for part in parts[cut:]:
            assert hasattr(value, part), name
            value = getattr(value, part)


def write_builtin(folder, sentences):
    """Write the first sentences of the built-in pair; the files that are no texts, whole."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (ROOT / "resources/builtin").glob("*.t*"):
        lines = file.read_text("utf-8").splitlines()
        few = lines[:sentences] if file.suffix == ".txt" else lines
        (folder / file.name).write_text("\n".join(few) + "\n", "utf-8")


# The page on Python aligns and recommends; README's Python is short.
@pytest.mark.parametrize(
    "document",
    [
        pytest.param(
            path, id=name, marks=[pytest.mark.tier("check")] if name == "docs/python.md" else []
        )
        for path, name in zip(DOCUMENTS, NAMES, strict=True)
        if fenced(path.read_text("utf-8"), "python")
    ],
)
def test_python_runs(text, tmp_path, monkeypatch):
    write_builtin(tmp_path, 40)
    (tmp_path / "links.txt").write_text("0-0 1-1\n" * 40)
    monkeypatch.chdir(tmp_path)
    # A grid of all sentences takes minutes; tests/commands/test_grids_in_python.py runs a small one.
    done = Results(tmp_path, {"scores.csv": tmp_path / "scores.csv"}, None)
    monkeypatch.setattr("seggrid.run", lambda **_: done, raising=False)
    names = {}
    for block in fenced(text, "python"):
        exec(compile(block, "document", "exec"), names)


def test_the_notebook_runs_and_shows_tables(tmp_path, monkeypatch):
    """Each cell, and what a notebook would show of its last line."""
    write_builtin(tmp_path, 40)
    monkeypatch.chdir(tmp_path)
    cells = json.loads((ROOT / "docs/notebook.ipynb").read_text("utf-8"))["cells"]
    names, shown = {}, []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        *before, last = ast.parse("".join(cell["source"])).body
        if not isinstance(last, ast.Expr):
            before.append(last)
        exec(compile(ast.Module(before, []), "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
            shown += [value._repr_html_()] if value is not None else []
    assert [html.count("<table>") for html in shown] == [2, 1, 1, 1]
    assert Path("links.html").stat().st_size > 10_000


def test_yaml_is_yaml(text):
    for block in fenced(text, "yaml"):
        assert isinstance(yaml.safe_load(block), dict)


# Tested elsewhere: what runs a grid; what needs packages that are not small; what a shell reads.
ELSEWHERE = ("new", "run", "plan", "diff", "crate", "reproduce", "tag", "completion")


@pytest.mark.parametrize("name", ["README.md", "docs/commands.md"])
def test_the_commands_for_texts_run(name, tmp_path, monkeypatch, capsys):
    """Run on the first lines of the texts that they name."""
    write_builtin(tmp_path / "resources/builtin", 40)
    # The commands' page shows them as the text of another tokenizer.
    for side in ("eng", "deu"):
        lines = (tmp_path / f"resources/builtin/{side}.txt").read_text("utf-8")
        (tmp_path / f"{side}.txt").write_text(lines.replace(" .", "."), "utf-8")
        (tmp_path / f"tokens.{side}").write_text(lines, "utf-8")
    for file in ("forward.txt", "reverse.txt"):
        (tmp_path / file).write_text("0-0 1-1\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    shown = re.findall(r"^    (seggrid .*)$", (ROOT / name).read_text("utf-8"), re.M)
    found = [line for line in shown if line.split()[1] not in ELSEWHERE]
    assert len(found) > 5
    for line in found:
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    if Path("fast.gz").exists():
        assert read_lines("fast.gz") == read_lines("again.zst")
    assert "f1" in capsys.readouterr().out


def test_the_examples_of_the_help_are_those_that_run():
    page = REFERENCE["PAGE"].read_text("utf-8").replace("resources/builtin/", "")
    for verb, row in VERBS.items():
        for line in row.examples:
            assert f"    seggrid {verb} {line}\n" in page


@pytest.mark.parametrize("page", REFERENCE["tables"](), ids=lambda page: page.stem)
def test_the_reference_is_up_to_date(page):
    text = page.read_text("utf-8")
    made = REFERENCE["with_tables"](text, REFERENCE["tables"]()[page])
    assert made == text, "run python tools/reference.py"


def test_the_reference_describes_each_option_once():
    made = REFERENCE["options_tables"]()
    assert set(made) == set(VERBS)
    rows = [row for table in made.values() for row in re.findall(r"^\| [`T].*", table, re.M)]
    assert [row for row in rows if not row.split(" | ")[-1].rstrip("| ")] == []
    assert len(set(rows)) == len(rows)
    assert re.search(r"As for \[`align`\]\(#align\): .*`--codes`", made["filter"])


def test_the_page_of_messages_has_those_of_the_source():
    tables = runpy.run_path(ROOT / "tools/site_messages.py")["tables"]()
    rows = [line for line in tables.splitlines() if line.startswith("| `")]
    assert [row for row in rows if row.replace("\\|", "").count("|") != 3] == []
    page = (ROOT / "docs/messages.md").read_text("utf-8")
    said = re.search(r"^    error: \S+ (.*) \(", page, re.M)[1]
    template = re.sub(r"\d+", "…", said)
    assert any(f"`{template}`" in row for row in rows)

"""The scripts of evaluations as the rules call them."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from seggrid.segment.byte_level import ByteLevelModel
from seggrid.segment.formats.tokenizer_writer import write_tokenizer
from snake import run_here

REFERENCE = "horseshoe\thorse shoe\nhorse\thorse\nshoes\tshoe s\n"
MERGES = [("h", "o"), ("e", "s"), ("r", "s"), ("ho", "rs"), ("s", "ho"), ("sho", "e")]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "reference.tsv").write_text(REFERENCE)
    (tmp_path / "text").write_text("horse shoes\nhorseshoe\n")
    alphabet = sorted({"Ġ", *"horsehoe"})
    types = [*alphabet, *map("".join, MERGES)]
    model = ByteLevelModel(MERGES, {type_: i for i, type_ in enumerate(types)})
    write_tokenizer(model, tmp_path / "tokenizer.json")
    return tmp_path


@pytest.fixture
def call(folder, monkeypatch, capsys):
    """Run a script in a folder with a reference, a text and a tokenizer; return its output and status."""

    def run(name, *arguments):
        monkeypatch.chdir(folder)
        status = None
        try:
            run_here(name, *arguments)
        except SystemExit as end:
            status = end.code
        return SimpleNamespace(status=status, stderr=capsys.readouterr().err)

    return run


@pytest.fixture
def evaluate(call):
    def run(*arguments, knockout=("none",), evaluation=("full",)):
        return call(
            "morphology", "--name", "x", "--reference", "reference.tsv", "--format", "surface",
            "--tokenizer", "tokenizer.json", "--knockout", *knockout, "--evaluation", *evaluation,
            "--seed", "0", "--output", "x.csv", "--figures", "x.figures.csv", *arguments,
        )  # fmt: skip

    return run


def test_trim_counts_types_by_the_frequencies_of_words(evaluate, folder):
    """A reference has each word once: by that count, every type would be rare."""
    (folder / "counts").write_text("horseshoe\t8\nhorse\t4\n")
    done = evaluate("--frequencies", "counts", knockout=["none", "trim-3", "trim-10"])
    assert done.status is None
    rows = pd.read_csv(folder / "x.csv").groupby("knockout")["tokens_per_word"].first()
    # hors 12, es 8, ho 8, sho 0: at first only that is split.
    assert rows["none"] == pytest.approx(11 / 3)
    assert rows["trim-3"] == 4
    assert rows["trim-10"] > 4
    done = evaluate(knockout=["trim-3"])
    assert "neither a text nor frequencies" in str(done.status)


def test_evaluates(evaluate, folder):
    done = evaluate("--sweep", knockout=["none", "blame-0.50"], evaluation=["full", "holdout-0.50"])
    assert done.status is None
    header, *rows = (folder / "x.csv").read_text().splitlines()
    assert header.startswith("tokenizer,reference,knockout,evaluation")
    assert all(cell.isdigit() for row in rows for cell in row.split(",")[9:13])
    assert [row.split(",")[2:4] for row in rows] == [
        ["none", "full"],
        ["blame-0.5", "full"],
        ["none", "holdout-0.5"],
        ["blame-0.5", "holdout-0.5"],
        ["ideal", "full"],
    ]
    assert (folder / "x.figures.csv").read_text().startswith("tokenizer,reference,figure")


def test_a_tokenizers_own_dropout_is_not_applied(evaluate, folder):
    assert "dropout" not in evaluate("--sweep").stderr
    tables = [(folder / name).read_text() for name in ("x.csv", "x.figures.csv")]
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text())
    content["model"]["dropout"] = 0.9
    file.write_text(json.dumps(content))
    done = evaluate("--sweep")
    assert "tokenizer.json sets a dropout of 0.9" in done.stderr
    assert [(folder / name).read_text() for name in ("x.csv", "x.figures.csv")] == tables


@pytest.mark.parametrize("arguments", [{"knockout": ["blame-1.0e5"]}, {"evaluation": ["half"]}])
def test_names_are_checked_before_any_work(evaluate, folder, arguments):
    done = evaluate(**arguments)
    assert done.status.startswith("error: ")
    assert "\n" not in done.status
    assert not list(folder.glob("x.*"))


def test_tables_are_joined(call, folder):
    """Some may be empty."""
    texts = ["a,b\n1,2\n", "", "a,b\n3,4\n5,6\n"]
    for number, text in enumerate(texts):
        (folder / f"{number}.csv").write_text(text)
    done = call(
        "stack_tables", "--output=all.csv", "--tables", *[f"{n}.csv" for n in range(len(texts))]
    )
    assert done.status is None
    assert (folder / "all.csv").read_text() == "a,b\n1,2\n3,4\n5,6\n"

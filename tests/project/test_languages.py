"""The tables of docs/studies/languages.md, on made-up cells, and a language more for its config."""

import hashlib
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.score.counts import PairCounts
from seggrid.workflow.rules.files import Files


@pytest.fixture
def languages(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "docs/studies")
    return import_module("languages")


@pytest.fixture
def cells():
    """Six pairs of eight cells: F1 rises with x, and falls with y in all pairs but one."""
    rows = []
    for k in range(6):
        for x in range(8):
            y = x if k == 5 else -x
            rows.append((f"p{k}", x, y, 0.5 + 0.03 * k + 0.01 * x))
    return pd.DataFrame(rows, columns=["pair", "x", "y", "f1"])


def test_the_sign_of_a_measure_is_of_the_other_pairs(languages, cells):
    table = languages.left_out(cells, ["y", "x"]).set_index("measure")
    assert table.index.tolist() == ["x", "y", "all"]
    assert table.loc["x", ["spearman", "low", "high", "least"]].tolist() == [1, 1, 1, 1]
    # Right for five pairs, of which the sixth does not change the sign, and wrong for that.
    assert table.loc["y", "spearman"] == pytest.approx((5 - 1) / 6)
    assert table.loc["y", "least"] == -1
    assert table.loc["all", "spearman"] == pytest.approx(1)


def test_a_regression_finds_the_effect_within_pairs(languages, cells):
    pytest.importorskip("statsmodels")
    noise = np.random.default_rng(0).normal(0, 0.001, len(cells))
    table = languages.regression(cells.assign(f1=cells.f1 + noise), ["x"]).set_index("term")
    assert table.effect["x"] == pytest.approx(0.01 * cells.x.std(), abs=0.001)
    assert table.low["x"] < table.effect["x"] < table.high["x"]
    assert table.effect["residual"] == pytest.approx(0.001, rel=0.3)
    assert table.effect["pair"] == pytest.approx(np.std(0.03 * np.arange(6), ddof=1), rel=0.1)


def test_gains_are_paired_and_after_the_development_sentences(languages):
    # One development sentence, then 20 in which the second cell has both links and the first one of them.
    sure = np.array([2] * 21)
    one = np.array([[9, 0, 0]] + [[1, 1, 1]] * 20)
    other = np.array([[9, 0, 0]] + [[2, 2, 2]] * 20)
    counts = PairCounts(np.array(["p/a", "p/b"]), np.array([1, 1]), sure, np.stack([one, other]))
    counts = languages.after_development(counts, 1)
    cells = pd.DataFrame({"cell": ["p/a", "p/b"], "pair": "p", "f1": [2 / 3, 1.0]})
    cells = cells.assign(**dict.fromkeys(languages.SETTING, "x"))
    (row,) = languages.gains(cells, {"p": counts}, {"p/b": "p/a"}).itertuples()
    assert row.gain == row.low == row.high == pytest.approx(1 / 3)


def test_a_language_is_added_by_its_name_and_digests(root, tmp_path, monkeypatch):
    """The example in the config's head, as a second file: all experiments have the pair, and its texts and
    gold are downloaded, though the mirror lacks them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEGGRID_MIRROR", str(tmp_path / "mirror"))
    config = root / "config/languages.yaml"
    head = config.read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    start = next(n for n, line in enumerate(head) if line.startswith("#   eng-"))
    end = next(n for n, line in enumerate(head) if n > start and not line[1:].strip())
    example = "\n".join(line[1:].split("#")[0] for line in head[start:end])
    # dev, test and train, in the order of the example.
    texts = ["a b\tx y\t0-0 1-1\n" * 2, "a c\tx z\t0-0 1-1\n" * 3, "b c\ty z\t0-1\n" * 4]
    for text, url in zip(texts, re.findall(r"https:\S+tsv", example), strict=True):
        file = tmp_path / url.rpartition("/")[2]
        file.write_text(text, encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        example = example.replace(url, file.as_uri()).replace("…", digest, 1)
    example = example.replace("…", "2")
    (tmp_path / "more.yaml").write_text(f"pairs:\n{example}\n", encoding="utf-8")
    inputs = Grid(read_config([config, tmp_path / "more.yaml"]))
    pair = example.split(":")[0].strip()
    cells = inputs.experiments
    assert sum(cell.pair == pair for cell in cells) == sum(cell.pair == "eng-hun" for cell in cells)
    assert inputs.config.pairs[pair].gold.development == 2
    files = Files(inputs.config)
    source, training = files.texts(pair, "source")
    assert source.read_words().words == [["a", "b"]] * 2 + [["a", "c"]] * 3
    assert training.read_words().words == [["b", "c"]] * 4
    assert len(files.gold(pair)) == 2

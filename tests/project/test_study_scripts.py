"""The scripts of studies, on made-up cells: the rows of docs/studies/segmenters.py, the tables of
docs/studies/languages.py and docs/studies/intrinsic.py, and a language more for the former's config."""

import doctest
import hashlib
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.files import Files
from seggrid.score.counts import PairCounts

pytestmark = pytest.mark.tier("check")


@pytest.fixture
def script(root, monkeypatch):
    """Imports a script of docs/studies."""
    monkeypatch.syspath_prepend(root / "docs/studies")
    return import_module


@pytest.fixture
def languages(script):
    return script("languages")


@pytest.fixture
def segmenters(script):
    return script("segmenters")


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


def test_what_a_measure_picks_is_decided_by_the_other_pairs(script, cells):
    intrinsic = script("intrinsic")
    others = dict.fromkeys(("renyi_efficiency", "bigram_entropy", "consensus"), cells["x"])
    cells = cells.assign(**others, fertility=cells["y"], alignability=cells["x"] % 3)
    rows = intrinsic.correlations(cells).set_index(["pair", "measure"])
    assert rows.loc[("p0", "consensus"), ["cells", "spearman", "below"]].tolist() == [8, 1, 0]
    assert rows.loc[("p5", "fertility"), "spearman"] == 1
    # In the other pairs the lowest value is the best: the worst cell is picked.
    assert rows.loc[("p5", "fertility"), "below"] == pytest.approx(0.07)
    low, high = rows.loc[("p0", "alignability"), ["spearman_low", "spearman_high"]]
    assert low < rows.loc[("p0", "alignability"), "spearman"] < high
    table = intrinsic.chosen(rows.reset_index()).set_index("measure")
    assert table.loc["fertility", "mean"] == pytest.approx((1 - 5) / 6)
    assert table.loc["fertility", "below"] == pytest.approx(0.07 / 6)


def test_pruned_models_are_means_over_seeds(script):
    rows = [("p", "0.5", "random", seed, 90, 0.4, 0.3, 1.5, 0.6 + seed / 100) for seed in (1, 2, 3)]
    rows.append(("p", np.nan, "none", 1, 100, 0.5, 0.4, 1.4, 0.7))
    sides = ["boundary_source", "boundary_target"]
    names = ["pair", "threshold", "rule", "seed", "merges", *sides, "fertility", "f1"]
    table = script("intrinsic").summary(pd.DataFrame(rows, columns=names)).set_index("rule")
    assert table.loc["random", ["merges", "f1", "f1_deviation"]].tolist() == pytest.approx(
        [90, 0.62, 0.01]
    )
    assert table.loc["none", "threshold"] == ""


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


# The rows of segmenters.py

PAIRS = ("eng-a", "eng-b", "eng-c")
AXES = {"segmenter": "bpe", "spaces": "yes", "removal": "", "transition": "", "joint": "no"}
AXES |= {"application": "rank"}
# Tokens per word and hits of eight links, of which eight are sure, in every sentence; the size that is better
# on the development sentences.
BPE = [(10, 2.0, 2), (20, 1.6, 4), (40, 1.2, 6)]
CELLS = [
    *(({}, size, tokens, hits, size == 40) for size, tokens, hits in BPE),
    ({"segmenter": "mingram"}, 20, 1.5, 5, True),
    ({"segmenter": "mingram"}, 40, 1.1, 7, False),
    ({"segmenter": "superbpe", "transition": "10"}, 20, 1.3, 3, False),
    ({"segmenter": "superbpe", "transition": "20"}, 40, 1.2, 2, True),
    ({"segmenter": "words"}, None, 1.0, 1, True),
]


@pytest.fixture
def rows(segmenters):
    cells, counts = [], {}
    for pair in PAIRS:
        names = [f"{pair}/{k}" for k in range(len(CELLS))]
        for name, (axes, merges, tokens, hits, chosen) in zip(names, CELLS, strict=True):
            of = {"cell": name, "pair": pair, "merges": merges, "f1": hits / 8, "f1_dev": chosen}
            both = {"fertility_source": tokens - 0.1, "fertility_target": tokens + 0.1}
            cells.append({**AXES, **axes, **of, **both})
        hits = np.array([[[8, hits, hits]] * 5 for *_, hits, _ in CELLS])
        one, sure = np.ones(len(CELLS), dtype=int), np.array([8] * 5)
        counts[pair] = PairCounts(np.array(names), one, sure, hits)
    return segmenters.tabulate(pd.DataFrame(cells), counts, [20, 40])


def test_the_examples_are_right(segmenters):
    assert doctest.testmod(segmenters).failed == 0


def test_sizes_are_chosen_on_the_development_sentences(rows):
    chosen = rows[rows.table == "chosen"].set_index("setting")
    assert sorted(chosen.index) == ["BPE", "MinGram", "SuperBPE, T = 0.5 n", "words"]
    assert (chosen.f1 * 8).to_dict() == {
        "BPE": 6,
        "MinGram": 5,
        "SuperBPE, T = 0.5 n": 2,
        "words": 1,
    }
    assert chosen["rank"].tolist() == chosen.f1.rank(ascending=False).tolist()
    assert chosen["eng-b"].tolist() == chosen.f1.tolist()
    assert (chosen.precision == chosen.recall).all()


def test_differences_are_from_bpe_of_the_same_size_and_of_as_many_tokens(rows):
    own = rows[rows.table == "20"].set_index("setting")
    for name in ("gain", "gain_low", "gain_high"):
        found = own[name] * 8
        assert found.to_dict() == pytest.approx(
            {"BPE": 0, "MinGram": 1, "SuperBPE, T = 0.5 n": -1, "words": -3}
        )
    # BPE with 1.5 tokens per word would have 4.5 hits, and with 1.3, 5.5; none of its sizes has words.
    for name in ("even", "even_low", "even_high"):
        found = own[name] * 8
        assert found.drop("words").to_dict() == pytest.approx(
            {"BPE": 0, "MinGram": 0.5, "SuperBPE, T = 0.5 n": -2.5}
        )
        assert np.isnan(found["words"])

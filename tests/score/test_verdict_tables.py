"""The verdict: differences that are there are claimed, and in grids without any hardly ever one is."""

import numpy as np
import pandas as pd
import pytest
from grids import counts_of, scores_of

from seggrid.grid.report.verdict import claimed, with_sentences
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics
from seggrid.score.selection import families, p_of_best
from seggrid.score.verdict import find, with_more


def found_in(counts, seed=1, rounds=300, **options):
    scores = options.pop("scores", None)
    options = {"defaults": {}, "development": {}, **options}
    return find(
        counts, scores_of(counts) if scores is None else scores, seed=seed, rounds=rounds, **options
    )


def test_p_is_the_share_of_resamples_with_at_least_that_lead():
    f1 = np.array([0.5, 0.6])
    resampled = np.array([[0.5, 0.6], [0.55, 0.6], [0.45, 0.7], [0.4, 0.55]])
    # Centered leads over the first: 0, 0 (its own), 0.15, 0.05; its real lead is -0.1.
    assert p_of_best(f1, resampled).tolist() == [pytest.approx(2 / 5), 1.0]


def test_rivals_that_are_clearly_worse_add_no_noise():
    random = np.random.default_rng(0)
    f1 = np.array([0.6, 0.61, 0.2])
    noise = random.normal(0, 1, (2000, 3)) * [0.001, 0.001, 0.1]
    assert p_of_best(f1, f1 + noise)[0] == pytest.approx(1 / 2001)
    # As good as the others, it might be the best by chance.
    near = np.array([0.6, 0.61, 0.59])
    assert p_of_best(near, near + noise)[0] > 0.3


@pytest.mark.tier("check")
def test_at_most_5_percent_of_null_grids_give_a_claim():
    random = np.random.default_rng(3)
    claims = 0
    for seed in range(60):
        counts = {"p": counts_of(random, [0.55] * 10, sentences=50)}
        (row,) = found_in(counts, seed, 200, defaults={"p": "p/c7"}).verdict.to_dict("records")
        kinds = [kind for kind in ("words", "default") if row[f"{kind}_cell"] != row["cell"]]
        claims += any(claimed(row, kind) for kind in kinds)
    assert claims <= 0.05 * 60


def test_a_difference_that_is_there_is_claimed():
    counts = {"p": counts_of(np.random.default_rng(4), [0.5] * 4 + [0.6] * 2, sentences=200)}
    (row,) = found_in(counts, defaults={"p": "p/c3"}).verdict.to_dict("records")
    assert row["cell"] in ("p/c4", "p/c5")
    assert claimed(row, "words")
    assert claimed(row, "default")
    assert row["alike"] <= 1
    assert row["delta_f1_words_low"] < row["delta_f1_words"] < row["delta_f1_words_high"]


def test_a_grid_without_gold_has_tables_without_rows():
    scores = scores_of({"p": counts_of(np.random.default_rng(5), [0.5, 0.6], sentences=9)})
    found = found_in({}, scores=scores.assign(f1=np.nan))
    for table in (found.verdict, found.selection, found.effects, found.ranks):
        assert len(table.columns)
        assert table.empty


def test_the_choice_is_reported_for_each_family():
    counts = {"p": counts_of(np.random.default_rng(5), [0.5, 0.5, 0.6, 0.55], sentences=60)}
    table = found_in(counts).selection.set_index("family")
    assert list(table.index) == ["all", "words", "segmenter bpe"]
    assert (table["f1"] <= table["best_f1"] + 0.01).all()
    assert table["optimism"].to_numpy() == pytest.approx(table["best_f1"] - table["f1"])
    assert table.loc["words", "cells"] == 3
    assert table.loc["segmenter bpe", "chosen"] == "p/c3 (10)"


def test_families_with_the_same_cells_are_reported_once():
    scores = scores_of({"p": counts_of(np.random.default_rng(0), [0.5] * 4, sentences=4)})
    assert [name for name, _ in families(scores)] == ["all", "words", "segmenter bpe"]
    scores["aligner"] = ["gibbs", "gibbs", "embeddings", "embeddings"]
    assert [name for name, _ in families(scores)] == [
        *("all", "words", "statistical aligners", "neural aligners", "segmenter bpe"),
    ]


def test_a_pair_with_too_little_gold_has_no_verdict():
    counts = {"p": counts_of(np.random.default_rng(0), [0.5] * 4, sentences=1)}
    assert found_in(counts).verdict.empty
    assert len(found_in({"p": counts_of(np.random.default_rng(0), [0.5] * 4, sentences=3)}).verdict)


def test_a_cell_with_the_tokens_of_another_is_left_out():
    counts = {"p": counts_of(np.random.default_rng(0), [0.5] * 5, sentences=20)}
    scores = scores_of(counts)
    scores.loc[4, "equal_cell"] = "p/c3"
    found = found_in(counts, scores=scores)
    assert found.verdict["cells"].tolist() == [4]


def test_with_a_split_the_first_sentences_choose_and_the_others_score():
    random = np.random.default_rng(8)
    counts = {"p": counts_of(random, [0.5, 0.5, 0.55, 0.6], sentences=80)}
    whole = counts["p"]
    halves = [
        PairCounts(whole.cells, whole.replicates, whole.sure[part], whole.counts[:, part])
        for part in (slice(30), slice(30, None))
    ]

    def scores(of):
        sums = of.counts.sum(axis=1)
        return compute_metrics(sums, of.sure.sum())[:, F1]

    chosen = scores(halves[0]).argmax()
    found = found_in(counts, development={"p": 30})
    row = found.selection.set_index("family").loc["all"]
    assert row["chosen"] == f"p/c{chosen} (1)"
    assert row["f1"] == pytest.approx(scores(halves[1])[chosen])
    assert row["best_f1"] == pytest.approx(scores(halves[1]).max())
    verdict = found.verdict.iloc[0]
    assert verdict["cell"] == f"p/c{chosen}"
    assert verdict["f1"] == row["f1"]


def test_rows_of_studies_stand_among_the_selections_of_their_pair():
    counts = {"p": counts_of(np.random.default_rng(0), [0.5] * 4, sentences=20)}
    selection = found_in(counts).selection
    rows = [{"pair": pair, "family": "vote v", "cells": 3, "f1": 0.5} for pair in ("p", "q")]
    both = with_more(selection, rows)
    assert both["best"][: len(selection)].tolist() == selection["best"].tolist()
    assert both[len(selection) :][["family", "cells"]].to_numpy().tolist() == [["vote v", 3]]


def test_the_setting_of_the_other_pairs_is_scored_on_this_one():
    random = np.random.default_rng(6)
    # The third setting is the best on all pairs but c, where the fourth is.
    counts = {
        name: counts_of(random, [0.5, 0.5, *last], sentences=80, pair=name)
        for name, last in {"a": (0.6, 0.5), "b": (0.6, 0.5), "c": (0.5, 0.7)}.items()
    }
    found = found_in(counts)
    rows = found.selection[found.selection["family"] == "setting chosen on the other pairs"]
    assert rows["chosen"].tolist() == ["a/c3", "b/c3", "c/c2"]
    assert rows["best"].tolist() == ["a/c2", "b/c2", "c/c3"]
    assert set(found.ranks["setting"]) == {"c0", "c1", "c2", "c3"}
    assert found_in({"a": counts["a"], "b": counts["b"]}).ranks.empty


SAID = [
    "p: use gibbs with BPE 500.",
    "F1 0.771 (0.760 to 0.780)",
    "+0.050 (+0.040 to +0.060; corrected p ≤ 0.001)",
    *("not a cell of this grid", "2 of the 8 other cells cannot be told apart"),
    *("the only one tried", "ran once", "v (3 cells; gold used: none) 0.800 (0.790 to 0.810)"),
]


@pytest.mark.parametrize(
    ("changed", "parts"),
    [
        ({}, SAID),
        (
            {"p_words": 0.2},
            ["no setting is shown to be better", "no difference from words with the same"],
        ),
        ({"cells": 2, "alike": 0}, ["The other cell is shown to be worse"]),
        ({"cells": 2, "alike": 1}, ["The other cell cannot be told apart"]),
        # A small p and an interval with 0 do not go together with "no difference".
        (
            {"delta_f1_words_low": -0.0004, "p_words": 0.006},
            ["is not certain, as its interval has 0"],
        ),
    ],
)
def test_the_verdict_is_said_in_words(changed, parts):
    row = {
        "pair": "p", "cell": "p/c4", "cells": 9, "alike": 2, "aligner": "gibbs", "aligners": "gibbs",
        "f1": 0.7712, "f1_low": 0.76, "f1_high": 0.78, "words_cell": "p/c0", "default_cell": None,
        "delta_f1_words": 0.05, "delta_f1_words_low": 0.04, "delta_f1_words_high": 0.06,
        "p_words": 0.0005, "delta_f1_default": None, "p_default": None, "replicates": 1,
    }  # fmt: skip
    bpe = "bpe+case=lower+merges=500"
    cell = {"cell": "p/c4", "pair": "p", "source": bpe, "target": bpe, "aligner": "gibbs"}
    scores = pd.DataFrame([cell | {"samples": 1, "aggregate": "none"}])
    vote = {"pair": "p", "family": "vote v", "cells": 3, "chosen": "gold used: none"}
    votes = pd.DataFrame([vote | {"f1": 0.8, "f1_low": 0.79, "f1_high": 0.81}])
    (said,) = with_sentences(pd.DataFrame([row | changed]), scores, votes)["verdict"]
    assert [part for part in parts if part not in said] == []


def test_of_equal_scores_that_of_the_fewest_segmented_sides_is_chosen():
    one = counts_of(np.random.default_rng(0), [0.6], sentences=20)
    counts = PairCounts(
        np.array(["p/both", "p/target", "p/words"]), np.ones(3, dtype=int), one.sure,
        np.repeat(one.counts, 3, axis=0),
    )  # fmt: skip
    scores = scores_of({"p": counts}).assign(
        sides=["both", "target", "none"], segmenter=["bpe", "bpe", "words"]
    )
    found = found_in({"p": counts}, scores=scores)
    assert found.verdict["cell"].tolist() == ["p/words"]
    rows = found.selection.set_index("family")
    assert rows["best"].to_dict() == {
        "all": "p/words", "words": "p/words", "segmenter bpe": "p/target",
    }  # fmt: skip
    assert rows.loc["all", "chosen"] == "p/words (10)"

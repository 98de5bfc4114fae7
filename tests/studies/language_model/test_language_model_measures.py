from dataclasses import fields
from functools import partial

import numpy as np
import pytest

from seggrid.studies.language_model.presets import PRESETS
from seggrid.studies.language_model.scores import (
    ProbeScores,
    SentenceScores,
    TaskScores,
    TrainingProgress,
    bootstrap_interval,
    difference,
    measure_model,
    read_model_scores,
    read_progress,
    write_progress,
    write_scores,
)
from seggrid.studies.language_model.tables import (
    SETTINGS,
    comparison_table,
    loss_table,
    model_table,
)


def scores(sentences, loss, seed=1, shift=0.0):
    """Sentences whose tokens are each predicted with a loss (in nats) that varies a little."""
    generator = np.random.default_rng(seed)
    tokens = generator.integers(5, 30, size=sentences)
    each = loss + generator.normal(0, 0.3, size=sentences) + shift
    none = np.zeros(sentences, dtype=int)
    return SentenceScores(-each * tokens, tokens, 5 * tokens, tokens, none)


def test_what_is_hard_for_both_models_cancels_out():
    ours, theirs = scores(200, 2.0, shift=0.1), scores(200, 2.0)
    apart = bootstrap_interval(partial(measure_model, ours), len(ours.pll), 500, 1)
    (ratio, low, high), *_ = difference(ours, theirs, 500, 1)
    assert ratio == pytest.approx(np.exp(0.1))
    assert high - low < 1e-6 < np.ptp(apart[0])


@pytest.mark.parametrize(
    "written",
    [
        scores(20, 2.0),
        ProbeScores(np.array([1.0, 0.5]), np.array([2, 3]), np.array([0, 1])),
        TaskScores(
            *np.arange(10).reshape(5, 2), np.array([9]), np.array([3, 60]), np.array([4, 10])
        ),
    ],
)
def test_scores_are_read_as_they_were_written(tmp_path, written):
    write_scores(tmp_path / "scores.npz", written)
    read = read_model_scores(tmp_path / "scores.npz", type(written))
    for field in fields(written):
        assert getattr(read, field.name).tolist() == getattr(written, field.name).tolist()


# Tables


def even(loss, sentences=40):
    tokens = np.arange(sentences) % 7 + 3
    return SentenceScores(-loss * tokens, tokens, 4 * tokens, tokens, 0 * tokens)


@pytest.fixture
def models():
    plan = {
        **dict.fromkeys(SETTINGS, ""),
        "size": "tiny",
        "seed": 1,
        "sequence": 32,
        "versus": [],
        "seeds": 1,
    }
    plans = [
        {**plan, "name": "bpe", "continues": None},
        {**plan, "name": "swap", "continues": "bpe"},
        {**plan, "name": "more", "continues": "swap", "versus": ["bpe", "swap", "other"]},
        {**plan, "name": "other", "continues": None},
    ]
    own = {"bpe": even(2.0), "swap": even(3.0), "more": even(2.0), "other": even(2.0, 41)}
    return plans, own


def test_models_are_compared_with_what_they_continue_and_as_asked(models, documented):
    table = comparison_table(*models, rounds=200, seed=1)
    documented("language_model_comparisons.csv", table)
    assert table[["model", "other", "relation", "verdict"]].to_numpy().tolist() == [
        ["swap", "bpe", "continues", "worse"],
        ["more", "swap", "continues", "better"],
        ["more", "bpe", "versus", "not shown"],
        ["more", "other", "versus", "other test sentences"],
    ]
    assert np.isnan(table["pppl_ratio"][3])
    first = table.iloc[0]
    assert first["pppl_ratio"] == pytest.approx(np.e)
    assert first["delta_bits_per_character_low"] == pytest.approx(1 / np.log(2) / 4)


def test_comparisons_of_several_seeds_are_averaged_with_intervals_over_seeds(models):
    plans, _ = models
    losses = {"bpe": (2.0, 2.2, 2.1), "swap": (3.0, 3.1, 3.4)}
    seeded = [
        {**plan, "name": f"{plan['name']}-{k}", "seeds": 3,
         "continues": plan["continues"] and f"{plan['continues']}-{k}"}
        for plan in plans[:2] for k in (1, 2, 3)
    ]  # fmt: skip
    own = {f"{name}-{k + 1}": even(loss[k]) for name, loss in losses.items() for k in range(3)}
    table = comparison_table(seeded, own, rounds=50, seed=1)
    assert table["model"].tolist() == ["swap-1", "swap-2", "swap-3", "swap"]
    assert table["other"].tolist() == ["bpe-1", "bpe-2", "bpe-3", "bpe"]
    assert table["seeds"].tolist() == [1, 1, 1, 3]
    row = table.iloc[3]
    nats = np.array([1.0, 0.9, 1.3])
    # The quantile of Student's distribution with two degrees of freedom.
    half = 4.302653 * nats.std(ddof=1) / 3**0.5
    assert row["delta_bits_per_character"] == pytest.approx(nats.mean() / np.log(2) / 4)
    low, high = (nats.mean() - half) / np.log(2) / 4, (nats.mean() + half) / np.log(2) / 4
    assert row["delta_bits_per_character_low"] == pytest.approx(low)
    assert row["delta_bits_per_character_high"] == pytest.approx(high)
    assert row["pppl_ratio"] == pytest.approx(np.exp(nats.mean()))
    assert row["pppl_ratio_high"] == pytest.approx(np.exp(nats.mean() + half))
    assert row["verdict"] == "worse"


def test_the_table_of_models_has_a_row_each(models):
    plans, own = models
    progress = {
        plan["name"]: TrainingProgress(steps=5, tokens=9, validation_loss=4.5) for plan in plans
    }
    sizes = dict.fromkeys(own, 100)
    table = model_table(plans, progress, sizes, own, rounds=200, seed=1)
    row = table.set_index("model").loc["swap"]
    assert (row["steps"], row["validation_loss"], row["continues"]) == (5, 4.5, "bpe")
    assert row["pppl"] == pytest.approx(np.exp(3.0))
    assert row["pppl_low"] - 1e-9 <= row["pppl"] <= row["pppl_high"] + 1e-9
    # Of tokens 3 to 9 a sentence, none is too long for 30, and 8 and 9 are for 7.
    assert row["cut"] == 0
    short = [{**plan, "sequence": 9} for plan in plans]
    assert model_table(short, progress, sizes, own, rounds=9, seed=1)["cut"][0] == 10 / 40
    assert row["bits_per_word"] == pytest.approx(4 * row["bits_per_character"])


def test_losses_are_read_as_they_were_written(tmp_path):
    written = TrainingProgress(2, 30, "k", True, 4.25, [(1, 0.1 + 0.2, None), (2, 1 / 3, 4.5)])
    write_progress(tmp_path, written)
    assert read_progress(tmp_path) == written
    table = loss_table({"bpe": written})
    assert table["loss"].tolist() == [0.1 + 0.2, 1 / 3]
    assert table["validation_loss"].isna().tolist() == [True, False]


@pytest.mark.parametrize("size", ["tiny", "small", "base"])
def test_a_preset_knows_its_number_of_weights(torch, size):
    from seggrid.studies.language_model.model import make_model

    with torch.device("meta"):
        model = make_model(PRESETS[size], 321, 48, 1)
    assert sum(p.numel() for p in model.parameters()) == PRESETS[size].parameters(321, 48)

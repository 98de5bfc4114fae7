"""Votes across the cells of a grid: which jobs run and rerun, and refusals before a run."""

import random
import re

import pytest
import yaml

from config_edits import with_value
from seggrid.base.errors import InputErrors
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from snake import rows_of

SIDES = {"source": {"text": "a"}, "target": {"text": "b"}}
CONFIG = {
    "pairs": {"p": {**SIDES, "gold": {"file": "gold"}}},
    "learn_merges": 20,
    "experiments": {
        "words": {
            "segmenter": "words",
            "symmetrization": ["intersect", "union"],
            "aligner": "fast_align",
        },
        "bpe": {"merges": [5, 10], "aligner": "fast_align"},
    },
    "ensemble": {
        "given": {"members": ["words", "bpe"], "weights": {"words": 2}, "threshold": "1/3"},
        "chosen": {"members": ["words", "bpe"], "choose": {"folds": 3}},
    },
    "report": {"resamples": 100},
}


def changed(*path, value):
    return with_value(CONFIG, *path, value=value)


TABLES = ("--", "results/ensembles.csv", "results/votes.csv")


@pytest.fixture(scope="module")
def finished(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    draw = random.Random(1)
    words = ["".join(draw.choices("abcd", k=4)) for _ in range(20)]
    lines = [draw.choices(words, k=draw.randint(3, 7)) for _ in range(40)]
    for name, change in (("a", str), ("b", str.upper)):
        text = "".join(" ".join(map(change, line)) + "\n" for line in lines)
        (folder / name).write_text(text)
    gold = (" ".join(f"{i}-{i}" for i in range(len(line))) for line in lines)
    (folder / "gold").write_text("\n".join(gold) + "\n")
    snakemake(folder, CONFIG, *TABLES)
    return folder


def test_every_ensemble_has_a_row_a_pair(finished, documented):
    rows = rows_of(finished / "results/ensembles.csv")
    documented("ensembles.csv", rows[0])
    documented("votes.csv", rows_of(finished / "results/votes.csv")[0])
    assert [(row["ensemble"], row["pair"], row["members"]) for row in rows] == [
        ("given", "p", "4"),
        ("chosen", "p", "4"),
    ]
    assert all(0 <= float(row["aer"]) <= 1 for row in rows)
    votes = rows_of(finished / "results/votes.csv")
    given = [row for row in votes if row["ensemble"] == "given"]
    weights = {row["member"].split("/")[1].split("+")[0]: row["weight"] for row in given}
    assert {name: float(weight) for name, weight in weights.items()} == {"words": 2, "bpe": 1}
    # More than a third of six votes.
    assert {float(row["above"]) for row in given} == {2}
    links = (finished / "results/ensemble/given/p.links").read_text().splitlines()
    assert len(links) == 40


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("ensemble", "given", "threshold"), "1/3", set()),
        (("ensemble", "given", "threshold"), 0.5, {"ensemble", "ensembles", "votes"}),
        (("ensemble", "chosen", "choose", "folds"), 4, {"ensemble", "ensembles", "votes"}),
        # Only the job that draws.
        (("seed",), 2, {"ensemble", "ensembles", "votes"}),
        (("learn_merges",), 30, {"learn", "segment", "align", "score", "ensemble"}),
    ],
)
def test_what_a_change_reruns(snakemake, finished, path, value, expected):
    jobs = snakemake.planned(finished, changed(*path, value=value), *TABLES)
    found = {job.rule for job in jobs}
    assert found - {"ensembles", "votes"} == expected - {"ensembles", "votes"}
    if path == ("seed",):
        assert [job.wildcards["ensemble"] for job in jobs if job.rule == "ensemble"] == ["chosen"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("members",), ["word", "bpe"], "ensemble.given.members: no experiment 'word' (did you"),
        (("weights",), {"bpee": 2}, "ensemble.given.weights.bpee: 'bpee' is not a member (did"),
        (("weights",), {"words": 0, "bpe": 0}, "ensemble.given.weights: no member has a vote"),
        (("threshold",), 1.5, "ensemble.given.threshold: 1.5 is out of range"),
        (("choose",), {}, "ensemble.given.weights: choose finds it (leave out choose or weights)"),
        (("choose",), {"folds": 1}, "ensemble.given.choose.folds: 1 is out of range"),
    ],
)
def test_what_cannot_be_meant_is_refused(path, value, message):
    with pytest.raises(InputErrors) as caught:
        check_config(changed("ensemble", "given", *path, value=value))
    assert any(message in str(error) for error in caught.value.errors), str(caught.value)


def test_weights_are_not_chosen_on_a_pair_without_gold():
    config = changed("pairs", "q", value=SIDES)
    with pytest.raises(InputErrors) as caught:
        check_config(config)
    assert "ensemble.chosen.choose: weights are chosen by gold, and the pair" in str(caught.value)
    assert "given" not in str(caught.value)
    config["experiments"]["bpe"]["pairs"] = ["p"]
    config["experiments"]["words"]["pairs"] = ["p"]
    config["experiments"]["other"] = {"merges": 5}
    check_config(config)
    # One cell of a pair does not vote.
    config["ensemble"]["chosen"]["members"].append("other")
    check_config(config)


def test_one_cell_is_no_vote(finished, monkeypatch):
    monkeypatch.chdir(finished)
    config = changed("ensemble", value={"one": {"members": "bpe"}})
    config["experiments"]["bpe"]["merges"] = 5
    with pytest.raises(InputErrors, match=r"ensemble\.one: its members have fewer than two cells"):
        check_sources(Grid(config))


def test_more_folds_than_sentences_with_gold_are_refused(finished, monkeypatch):
    monkeypatch.chdir(finished)
    config = changed("ensemble", "chosen", "choose", "folds", value=40)
    assert check_sources(Grid(config)) is not None
    config["ensemble"]["chosen"]["choose"]["folds"] = 41
    with pytest.raises(InputErrors, match=r"gold: 40 sentences with gold, fewer than the 41 folds"):
        check_sources(Grid(config))


def test_members_that_two_experiments_share_have_the_larger_weight(snakemake, finished):
    config = changed("ensemble", "given", "members", value=["words", "bpe", "more"])
    config["experiments"]["more"] = {"merges": 10, "aligner": "fast_align"}
    config["ensemble"]["given"]["weights"] = {"more": 5}
    shown = snakemake(finished, config, "-n", "-p", "--forcerun", "ensemble", *TABLES)
    (given,) = re.findall(r"--name=given --pair=p .*--members='(.*?)'", shown.stdout + shown.stderr)
    assert [weight for *_, weight in yaml.safe_load(given)] == [1, 5, 1, 1]

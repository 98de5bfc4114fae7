"""The axes `vocabulary` and `joint` in the workflow: checked before a job, in paths from learning on."""

import pytest

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.grid.config import check_config
from seggrid.grid.grid import Grid
from seggrid.score.table import read_scores
from seggrid.segment.bpe.model import BPEModel, learn

LINES = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vocabulary")
    builtin_pair.write_pair(folder, LINES, ".txt")
    return folder


def config(**experiments):
    return {
        "pairs": {"p": builtin_pair.in_config(ending=".txt")},
        "experiments": {
            name: {"case": "keep", "aggregate": ["union", "intersection", 0.5], **given}
            for name, given in experiments.items()
        },
        "report": {"resamples": 100, "viewer_cells": 2},
    }


def test_from_the_config_to_the_table(folder, snakemake):
    values = config(
        sized={"segmenter": ["bpe", "wordpiece", "unigram"], "vocabulary": [150, 9000]},
        sampled={"vocabulary": 150, "dropout": 0.1, "samples": 2, "aggregate": 0.5},
    )
    snakemake(folder, values, "results/scores.csv")
    scores = read_scores(folder / "results/scores.csv")
    assert (scores["status"] == "ok").all()
    sized = scores[scores["vocabulary"].notna() & (scores["dropout"] == 0)]
    assert len(sized) == 6
    assert sized["merges"].isna().all()
    assert (sized["remark"].str.contains("of 9000 types") == (sized["vocabulary"] == 9000)).all()
    # A cell with dropout is measured against the one without, of the same size.
    sampled = scores[scores["dropout"] > 0].iloc[0]
    plain = scores.set_index("cell").loc[sampled["plain_cell"]]
    assert (plain["vocabulary"], plain["segmenter"]) == (150, "bpe")
    learned = sorted(path.name for path in (folder / "results/learn/p/target").iterdir())
    assert "unigram+case=keep+spaces=yes+vocabulary=150.model" in learned
    assert len(learned) == 6


@pytest.mark.parametrize(
    ("experiment", "said"),
    [
        ({"merges": 5, "vocabulary": 90}, "x.merges: a number of merges together with the size"),
        ({"target": {"merges": 5, "vocabulary": 90}}, "x.target.merges: a number of merges"),
        ({"vocabulary": 1}, "x.vocabulary: 1 is neither none nor a whole number from 2 to"),
        ({"segmenter": "morfessor", "vocabulary": 90}, "x.vocabulary: morfessor would ignore it"),
        ({"segmenter": "words", "vocabulary": 90}, "x.vocabulary: words would ignore it"),
    ],
)
def test_mistakes(experiment, said):
    with pytest.raises(InputError) as error:
        check_config(config(x=experiment))
    assert said in str(error.value)


def test_one_side_may_have_merges_where_the_other_has_a_vocabulary():
    cells = Grid(config(x={"vocabulary": 90, "target": {"merges": 7}})).experiments
    found = {
        (c.source.vocabulary, c.source.merges, c.target.vocabulary, c.target.merges) for c in cells
    }
    assert (90, None, None, 7) in found
    both = Grid(config(x={"vocabulary": ["none", 90], "merges": 7})).experiments
    assert {(c.source.vocabulary, c.source.merges) for c in both} >= {(None, 7), (90, None)}


def test_a_joint_model_is_learned_once_on_both_texts(folder, snakemake, monkeypatch):
    """Each side then has its own threshold; the sides' cells are as if computed in memory."""
    values = config(
        joint={"joint": True, "merges": 80, "knockout": ["none", "trim-5"]},
        small={"joint": True, "vocabulary": 150, "segmenter": "unigram"},
    )
    snakemake(folder, values, "results/scores.csv")
    learned = sorted(path.name for path in (folder / "results/learn/p/both").iterdir())
    assert learned == [
        "bpe+case=keep+spaces=yes+scoring=frequency+joint=yes+learned=20000.model",
        "unigram+case=keep+spaces=yes+joint=yes+vocabulary=150.model",
    ]
    scores = read_scores(folder / "results/scores.csv")
    assert (scores["remark"] == "").all()
    sides = [
        [line.split() for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("eng.txt", "deu.txt")
    ]
    model = BPEModel.read(folder / "results/learn/p/both" / learned[0])
    assert model == learn([*sides[0], *sides[1]], 20_000)
    monkeypatch.chdir(folder)
    grid = Grid(values)
    (cell,) = (c for c in grid.experiments if c.source.knockout == "trim-5")
    for own in grid.both(cell):
        assert own.learned == f"results/learn/p/both/{learned[0]}"
        assert own.texts == [
            f"results/corpus/p/{side}/case=keep.txt" for side in ("source", "target")
        ]
        assert BPEModel.read(own.model).split


def test_two_joint_models_in_one_cell_are_refused():
    with pytest.raises(InputError, match=r"x\.joint: two models, .*case=first.* and .*case=keep"):
        check_config(config(x={"joint": True, "source": {"case": "first"}}))
    check_config(config(x={"joint": True, "source": {"merges": 50}}))
    check_config(config(x={"joint": True, "sides": "source"}))
    with pytest.raises(InputError, match="byte_bpe would ignore it"):
        check_config(config(x={"joint": True, "segmenter": "byte_bpe"}))

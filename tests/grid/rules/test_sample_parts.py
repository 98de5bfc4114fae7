"""The parts of samples that each stage reads, for any files left by earlier runs."""

from pathlib import Path

import pytest

from seggrid.grid.grid import Grid

SIDE = {"language": "x", "text": "t"}
PAIRS = {"p": {"source": SIDE, "target": SIDE, "gold": {"file": "g"}}}


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """The inputs of each score file, when the files of earlier plans exist."""
    monkeypatch.chdir(tmp_path)

    def plan(samples, batch=5, **axes):
        axes = {"dropout": 0.1, "merges": 10, "samples": samples, **axes}
        config = {"pairs": PAIRS, "experiments": {"x": axes}, "batch": batch}
        grid = Grid(config)
        return {file: grid.links(group) for file, group in grid.group_of.items()}

    return plan


def run(plan):
    """Make all files of a plan; return those that did not exist."""
    new = []
    for files in plan.values():
        for file in files:
            if not Path(file).exists():
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                Path(file).touch()
                new.append(file.rpartition("/")[2].removesuffix(".npz"))
    return sorted(new)


@pytest.mark.parametrize("samples", [[3, 10], [10, 3], [4, 3, 10, 7], 12])
@pytest.mark.parametrize("replicates", [1, 3])
def test_a_finished_run_has_nothing_to_do(plan, samples, replicates):
    axes = {"aligner": "eflomal", "replicates": replicates}
    before = plan(samples, **axes)
    run(before)
    for batch in (5, 2, 100):
        again = plan(samples, batch=batch, **axes)
        assert again == before
        assert run(again) == []


def test_cells_of_one_alignment_share_their_samples(plan):
    # 0-0 is the part of the plain cell and of the words.
    assert run(plan([3, 10])) == ["0-0", "0-0", "0-4", "5-9"]


def test_raising_makes_the_new_samples_and_lowering_none(plan):
    assert "0-3" in run(plan(4))
    assert run(plan(10)) == ["4-8", "9-9"]
    assert run(plan(4)) == []
    assert run(plan([4, 10])) == []
    assert run(plan(4, batch=2)) == []
    assert run(plan(12, batch=2)) == ["10-11"]


def test_raising_leaves_the_inputs_of_what_is_scored_as_they_were(plan):
    few = plan(4)
    run(few)
    both = plan([4, 10])
    assert {score: both[score] for score in few} == few


def test_replicates_that_are_added_are_all_that_is_new(plan):
    axes = {"aligner": "eflomal", "sides": "source"}
    run(plan(3, **axes))
    made = run(plan(3, replicates=2, **axes))
    assert made == ["0-0", "0-0", "0-2"]


def test_asking_for_probabilities_makes_no_new_alignment(plan):
    """An alignment keeps the probabilities that its aligner gives, whether or not a cell asks for them."""
    axes = {"aligner": "gibbs", "samples": [2, 5], "symmetrization": ["union", "intersect"]}
    votes = plan(**axes, aggregate=0.5)
    run(votes)
    assert plan(**axes, aggregate=[0.5, "posterior-0.5"]) == votes

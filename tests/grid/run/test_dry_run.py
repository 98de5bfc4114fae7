"""Reading a dry run: its jobs, the changes that cause them, and the cells affected."""

from types import SimpleNamespace

import pytest

from seggrid.grid.run.dry_run import (
    PlannedJob,
    effects_on,
    read_jobs,
    root_causes,
    summarize_cells,
    write_jobs,
)

CODE = (
    "Params have changed since last execution: Union of exclusive params before and now across all output: "
    "before: '0123456789abcdef' now: 'fedcba9876543210' "
)


@pytest.mark.parametrize(
    ("reason", "forced", "causes"),
    [
        (CODE, False, ["its code changed"]),
        (
            "Missing output files: b; Input files updated by another job: a",
            False,
            ["not there yet"],
        ),
        ("Forced execution", True, ["forced"]),
        # By Snakemake itself, after a run was killed.
        ("Forced execution", False, ["cut off while being made"]),
    ],
)
def test_planned_jobs_are_written_and_read(tmp_path, reason, forced, causes):
    def made(rule, outputs):
        named = {"part": "0-4", "source": "a, b=c"}
        return SimpleNamespace(rule=rule, input=["a"], output=outputs, wildcards_dict=named)

    rules = [SimpleNamespace(name=name) for name in ("align", "score")]
    jobs = [made(rules[1], ["s"]), made(rules[0], ["c"]), made(rules[0], ["b, d"])]
    workflow = SimpleNamespace(rules=rules)
    dag = SimpleNamespace(workflow=workflow, needrun_jobs=lambda: jobs, reason=lambda job: reason)
    write_jobs(dag, tmp_path / "plan.json", forced=forced)
    found = read_jobs(tmp_path / "plan.json")
    assert [(job.rule, job.outputs) for job in found] == [
        ("align", ["b, d"]),
        ("align", ["c"]),
        ("score", ["s"]),
    ]
    assert found[0].inputs == ["a"]
    assert found[0].wildcards == {"part": "0-4", "source": "a, b=c"}
    assert all(job.causes == causes for job in found)


def job(rule, outputs, inputs="", reason="Input files updated by another job: x"):
    return PlannedJob(rule, tuple(inputs.split()), tuple(outputs.split()), {}, reason)


def test_reasons_are_followed_to_their_root():
    changed = "Params have changed since last execution: before: '1' now: '2'"
    roots = root_causes(
        [
            job("collate", "t", "s1 s2 s3"),
            job("score", "s1", "a1"),
            job("score", "s2", "a2 old", "Missing output files: s2"),
            job("score", "s3", "a2", "Missing output files: s3"),
            job("align", "a1", "m", "Missing output files: a1"),
            job("align", "a2", "", "Missing output files: a2"),
            job("learn", "m", "c", f"Updated input files: c; {changed}"),
        ]
    )
    learn = {("learn", "input changed"), ("learn", "other settings")}
    assert roots["s1"] == learn
    assert roots["s2"] == {("score", "not there yet"), ("align", "not there yet")}
    assert roots["t"] == learn


def test_cells_are_sorted_by_what_becomes_of_them():
    cells = [{"cell": name, "file": file} for name, file in zip("abcd", "1123", strict=True)]
    jobs = [job("score", "1", "", "Params have changed since"), job("score", "2", "")]
    made = effects_on(jobs, cells, ["a", "d", "gone"])
    assert [cell["cell"] for cell in made.new] == ["b", "c"]
    assert {cause: [cell["cell"] for cell in group] for cause, group in made.again.items()} == {
        frozenset({("score", "other settings")}): ["a"]
    }
    assert (made.kept, made.dropped) == (1, ["gone"])
    assert made.jobs == {"score": 2}


def test_without_a_table_the_scores_that_are_there_are_kept():
    cells = [{"cell": name, "file": name} for name in "abc"]
    jobs = [
        job("score", "a", "", "Missing output files: a"),
        job("score", "b", "", "Params have changed since"),
        job("collate", "scores.csv", "a b c", "Missing output files: scores.csv"),
    ]
    made = effects_on(jobs, cells, [])
    assert [cell["cell"] for cell in made.new] == ["a"]
    assert [cell["cell"] for (group,) in [made.again.values()] for cell in group] == ["b"]
    assert made.kept == 1


def test_long_lists_are_cut_short():
    cells = [{"merges": str(n), "dropout": ""} for n in range(9)]
    assert summarize_cells(cells, ["merges", "dropout"], most=3) == {"merges": "0, 1, 2 and 6 more"}

"""Reading a dry run: its jobs, the changes that cause them, and the cells affected."""

import pytest

from seggrid.errors import InputError
from seggrid.workflow.run.dry_run import (
    PlannedJob,
    parse_dry_run,
    plan,
    read_dry_run,
    root_causes,
    summarize,
)

TEXT = """\
Building DAG of jobs...
Job stats:
job      count
-----  -------
align        2
total        2

[Sat Nov 21 12:17:54 2026]
rule align:
    input: results/learn/s.model, results/gold/eng-deu.gold
    output: results/align/bpe,case=first,merges=100/0-4.npz
    log: results/logs/a.log
    jobid: 2
    reason: Params have changed since last execution: Union of exclusive params before and now \
across all output: before: '0123456789abcdef' now: 'fedcba9876543210' \n\
    wildcards: pair=eng-deu, source=bpe,case=first,merges=100, part=0-4
    resources: tmpdir=/tmp, mem_mb=100, mem=100 MB, mem_mib=96
[Sat Nov 21 12:17:54 2026]
localrule score:
    input: results/align/bpe,case=first,merges=100/0-4.npz
    output: results/score/a.npz
    jobid: 1
    reason: Missing output files: results/score/a.npz; Input files updated by another job: \
results/align/bpe,case=first,merges=100/0-4.npz
    wildcards: pair=eng-deu
    resources: tmpdir=/tmp
Job stats:
job      count
"""


def test_jobs_are_read_with_their_files_and_wildcards():
    align, score = parse_dry_run(TEXT)
    assert (align.rule, score.rule) == ("align", "score")
    assert align.inputs == ("results/learn/s.model", "results/gold/eng-deu.gold")
    assert align.outputs == score.inputs
    assert align.wildcards == {
        "pair": "eng-deu",
        "source": "bpe,case=first,merges=100",
        "part": "0-4",
    }
    assert align.causes == ["its code changed"]
    assert score.causes == ["not there yet"]


def test_nothing_to_do():
    assert parse_dry_run("Nothing to be done (all requested files are present).\n") == []


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
    made = plan(jobs, cells, ["a", "d", "gone"])
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
    made = plan(jobs, cells, [])
    assert [cell["cell"] for cell in made.new] == ["a"]
    assert [cell["cell"] for (group,) in [made.again.values()] for cell in group] == ["b"]
    assert made.kept == 1


def test_long_lists_are_cut_short():
    cells = [{"merges": str(n), "dropout": ""} for n in range(9)]
    assert summarize(cells, ["merges", "dropout"], most=3) == {"merges": "0, 1, 2 and 6 more"}


def test_a_wording_that_is_not_known_is_refused_instead_of_read_as_no_jobs():
    assert len(read_dry_run(TEXT)) == 2
    assert read_dry_run("Nothing to be done (all requested files are present).") == []
    for text in (TEXT.replace("localrule", "lokalrule"), "something else", ""):
        with pytest.raises(InputError):
            read_dry_run(text)

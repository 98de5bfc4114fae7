"""After a failed run: which outputs are up to date, and the table of partial scores."""

import json
import os
import textwrap

import pytest

from seggrid.grid.jobs.logs import NOT_RUN, reason

# Three cells of one pipeline; `fail` makes one of the alignments fail.
SNAKEFILE = """
    import json
    from types import SimpleNamespace
    from seggrid.grid.run.this_run import Run

    onerror:
        with open("current.json", "w") as file:
            json.dump(sorted(Run.current(SimpleNamespace(workflow=workflow))), file)

    rule all:
        input: "one.score", "two.score", "three.score"

    rule align:
        output: "{cell}.align"
        params: setting=lambda wc: config[wc.cell]
        shell: "test {wildcards.cell} != '{config[fail]}' && echo {params.setting} > {output}"

    rule score:
        input: "{cell}.align"
        output: "{cell}.score"
        shell: "cp {input} {output}"
    """


def test_what_a_change_makes_stale_is_not_current_when_its_jobs_fail(snakemake, tmp_path):
    (tmp_path / "Snakefile").write_text(textwrap.dedent(SNAKEFILE))
    keep_going = ("--keep-going", "--config")
    snakemake(tmp_path, None, *keep_going, "one=1", "two=1", "three=1", "fail=none")
    # Two settings change. The outdated score of the second still exists and looks like a result.
    settings = ("one=2", "two=2", "three=1", "fail=two")
    done = snakemake(tmp_path, None, *keep_going, *settings, check=False)
    assert done.returncode == 1
    assert (tmp_path / "two.score").read_text() == "1\n"
    current = (tmp_path / "current.json").read_text()
    assert json.loads(current) == ["one.align", "one.score", "three.align", "three.score"]


@pytest.mark.parametrize(
    ("options", "current"),
    [
        (["--until", "align"], {"one.align", "two.align", "three.align"}),
        (["--omit-from", "two.score"], {"one.score", "three.score"}),
        (["--batch", "all=1/3"], {"one.score"}),
    ],
)
def test_what_a_run_was_told_to_leave_out_is_not_current(snakemake, tmp_path, options, current):
    """Though it exists, made with other settings."""
    text = textwrap.dedent(SNAKEFILE).replace("onerror:", "onsuccess:")
    (tmp_path / "Snakefile").write_text(text)
    for setting in "12":
        given = [*(f"{cell}={setting}" for cell in ("one", "two", "three")), "fail=none"]
        more = options if setting == "2" else []
        snakemake(tmp_path, None, *more, "--config", *given)
    found = set(json.loads((tmp_path / "current.json").read_text()))
    scores = {name for name in found if name.endswith("score")}
    assert (scores or found) == current


ROW = {
    "pair": "p",
    "source": "words+case=keep",
    "target": "words+case=keep",
    "aligner": "fast_align",
    "replicates": "1",
    "symmetrization": "union",
    "samples": "1",
    "file": "results/score/p/words+case=keep/words+case=keep/fast_align/union/replicates=1/samples=1.npz",
}


def test_the_reason_is_the_last_line_of_the_first_log_of_a_failure(tmp_path):
    assert reason(ROW, tmp_path) == NOT_RUN
    log = tmp_path / "align/p/words+case=keep/words+case=keep/fast_align/replicate=0/0-0.log"
    log.parent.mkdir(parents=True)
    log.write_text("algorithm took 1.0 s, 1.0 s of CPU\n")
    assert reason(ROW, tmp_path) == NOT_RUN
    log.write_text("Traceback\nerror: no memory\n")
    assert reason(ROW, tmp_path) == "align: no memory"


def test_a_log_of_an_earlier_run_says_nothing(tmp_path):
    log = tmp_path / "gold/p.log"
    log.parent.mkdir()
    log.write_text("error: of yesterday\n")
    os.utime(log, (1000, 1000))
    assert reason(ROW, tmp_path, since=999) == "gold: of yesterday"
    assert reason(ROW, tmp_path, since=1001) == NOT_RUN

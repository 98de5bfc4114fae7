"""A change reruns exactly the jobs that it can affect.

Each row gives a change, the jobs that it affects first, and the stages that run. Those jobs and all jobs that
depend on them must run, and no others. The stages are given, too, since a job whose output merely got another
name would look like one that must run.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from expectations import (
    EXPORTED,
    FROM_ALIGN,
    FROM_SEGMENT,
    IN_PARTS,
    LIST,
    TABLES,
    WHOLE,
    both,
    check,
    either,
    new,
    nothing,
    of,
    put,
    rules,
    sampled,
)
from finished import finish, following, output, pair

from seggrid.align import ALIGNERS
from seggrid.grid.axes import RESULTS
from seggrid.grid.run.code_digest import imported_modules
from seggrid.grid.run.output_digests import DIGESTS
from seggrid.grid.study import STUDIES
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import parse_spec


@pytest.fixture(scope="module")
def project(root, tmp_path_factory):
    """The finished run. Tests undo what they change."""
    return finish(root, tmp_path_factory.mktemp("contract"))


CONFIG_ROWS = {
    "nothing": (lambda config: None, nothing, ""),
    "a key that no job reads": (put("aligners", "eflomal", value={"model": 1}), nothing, ""),
    "a threshold changed": (
        put("experiments", "dropout", "aggregate", value=["union", 0.8]),
        either(LIST, both(rules("score"), sampled)),
        "score",
    ),
    "a threshold added": (
        put("experiments", "dropout", "aggregate", value=["union", 0.5, 0.8]),
        either(LIST, both(rules("score"), sampled)),
        "score",
    ),
    "an option of the aligner that tells probabilities": (
        put("aligners", "gibbs", value={"samplers": 2}),
        of(aligner="gibbs"),
        f"{FROM_ALIGN} {WHOLE}",
    ),
    "probabilities of more links": (
        put("experiments", "probable", "aggregate", value=["posterior-0.5", "posterior-0.3"]),
        # Those of words, too, with which cells of a threshold are compared.
        either(LIST, both(rules("score"), of(aligner="gibbs"))),
        f"score shared {EXPORTED}",
    ),
    "an option of the aligner": (
        put("aligners", "fast_align", value={"p0": 0.2}),
        both(rules("align", "kept", "slice"), of(aligner="fast_align")),
        f"{FROM_ALIGN} {IN_PARTS}",
    ),
    "the seed": (
        put("seed", value=2),
        either(
            both(rules("segment"), sampled),
            of(aligner="gibbs"),
            rules("significance", "verdict", "page"),
            # It draws a sample of the text.
            rules("kept"),
        ),
        f"{FROM_SEGMENT} {WHOLE} {IN_PARTS}",
    ),
    "larger batches of samples": (put("batch", value=4), nothing, ""),
    "samples raised": (
        put("experiments", "dropout", "samples", value=6),
        LIST,
        f"segment {FROM_ALIGN}",
    ),
    "samples lowered": (put("experiments", "dropout", "samples", value=2), LIST, "score"),
    "merges added below the largest": (
        put("experiments", "plain", "merges", value=[5, 10, 20]),
        LIST,
        FROM_SEGMENT,
    ),
    "merges added above the largest learned": (
        put("experiments", "plain", "merges", value=[10, 20, 40]),
        LIST,
        f"learn {FROM_SEGMENT}",
    ),
    "merges taken away": (put("experiments", "plain", "merges", value=[20]), LIST, ""),
    "part of a text": (
        put("experiments", "side", "sentences", value=["all", 50]),
        LIST,
        f"corpus learn {FROM_SEGMENT} {IN_PARTS}",
    ),
    "a knockout added": (
        put("experiments", "knockout", "knockout", value=["blame-0.5", "random-0.1"]),
        LIST,
        f"prune {FROM_SEGMENT}",
    ),
    # The words of the other side have been made already.
    "a side added": (
        put("experiments", "side", "sides", value=["source", "target"]),
        LIST,
        f"learn {FROM_SEGMENT} {IN_PARTS}",
    ),
    "a symmetrization added": (
        put("experiments", "plain", "symmetrization", value=["grow-diag-final-and", "union"]),
        LIST,
        "score",
    ),
    "an aligner added": (
        put("experiments", "plain", "aligner", value=["fast_align", "eflomal"]),
        LIST,
        FROM_ALIGN,
    ),
    "a pair added": (
        put("experiments", "side", "pairs", value=["two", "three"]),
        LIST,
        f"corpus gold gold_lines learn {FROM_SEGMENT} {IN_PARTS}",
    ),
    "a pair described that no experiment wants": (
        put("pairs", "four", value=pair("three")),
        nothing,
        "",
    ),
    "a pair taken away": (
        lambda config: [config["experiments"].pop("side"), config["export"].pop("cut")],
        LIST,
        "",
    ),
    "an experiment whose cells are there already": (
        put(
            "experiments", "again", value={"pairs": ["one"], "merges": 10, "aligner": "fast_align"}
        ),
        LIST,
        "",
    ),
    "an export taken away": (put("export", value={}), nothing, ""),
    "an export added": (
        put("export", "more", value={"experiments": "plain", "links": "none", "models": False}),
        nothing,
        "export",
    ),
    "an export compressed in another way": (
        put("export", "cut", "format", value="zst"),
        nothing,
        "export",
    ),
    "larger parts": (put("export", "cut", "parts", value=40), nothing, "slice export"),
    "a language's name": (
        put("pairs", "one", "source", "language", value="C"),
        rules("page"),
        "",
    ),
    "the report's title": (put("report", "title", value="Another"), rules("page"), ""),
}


@pytest.mark.parametrize("row", CONFIG_ROWS)
def test_config(project, row):
    change, starts, stages = CONFIG_ROWS[row]
    planned, jobs = project.dry_run(change)
    check(planned, jobs, either(starts, new(project)), stages)


FILE_ROWS = {
    "a text": (
        "data/one.a",
        lambda text: text.replace("a", "b", 1),
        either(
            both(rules("corpus"), of(pair="one", side="source")),
            # The ids of its sentences. The numbers of those with gold are as before.
            both(rules("gold"), of(pair="one")),
        ),
        f"corpus gold learn prune {FROM_SEGMENT}",
    ),
    "the other text": (
        "data/two.b",
        lambda text: text.replace("u", "v", 1),
        both(rules("corpus"), of(pair="two", side="target")),
        f"corpus {FROM_SEGMENT} {WHOLE} {IN_PARTS}",
    ),
    "a gold file": (
        "data/two.gold",
        lambda text: text.replace("0-0", "0p0", 1),
        # The numbers of its sentences are as before, so that nothing is aligned again.
        both(rules("gold"), of(pair="two")),
        "gold score",
    ),
    "a gold file with fewer sentences": (
        "data/two.gold",
        lambda text: "\n".join(text.splitlines()[:-1]) + "\n",
        both(rules("gold", "gold_lines"), of(pair="two")),
        f"gold gold_lines {FROM_ALIGN}",
    ),
    "morphemes": (
        "data/one.morphemes",
        lambda text: f"{text}dddd\tdd dd\n",
        rules("prune"),
        f"prune {FROM_SEGMENT}",
    ),
    "morphemes that no pruning looks at": (
        "data/two.morphemes",
        lambda text: f"{text}dddd\tdd dd\n",
        nothing,
        "",
    ),
    "the text of a shell command": (
        "workflow/rules/score.smk",
        lambda text: text.replace("2> {log:q}", " 2> {log:q}", 1),
        rules("score"),
        "score",
    ),
    "a script": (
        "workflow/scripts/learn.py",
        lambda text: text.replace("def main(", "EDITED = 1\n\n\ndef main("),
        rules("learn"),
        f"learn prune {FROM_SEGMENT} {WHOLE} {IN_PARTS}",
    ),
    "a comment in a script": (
        "workflow/scripts/learn.py",
        lambda text: f"{text}# A comment.\n",
        nothing,
        "",
    ),
    "the report's style sheet": (
        "src/seggrid/grid/report/assets/page.css",
        lambda text: f"{text}\np {{ margin: 0 }}\n",
        # The verdict's sentences are of the same package.
        rules("figures", "page", "verdict"),
        "",
    ),
    "an environment, without --sdm conda": (
        "workflow/envs/seggrid.yaml",
        lambda text: f"{text}# A comment.\n",
        nothing,
        "",
    ),
}


@pytest.mark.parametrize("row", FILE_ROWS)
def test_file(project, row):
    file, edit, starts, stages = FILE_ROWS[row]
    with project.edited(file, edit):
        planned, jobs = project.dry_run()
    check(planned, jobs, starts, stages)


def test_the_page_of_results_has_every_column(project, documented):
    for file in (project.folder / "results").glob("*.csv"):
        documented(file.name, file.read_text("utf-8").split("\n")[0].split(","))


def test_touching_every_file_reruns_nothing(project):
    """Texts above 1 MB, too, for which Snakemake's default compares times of change."""
    assert (project.folder / "data/one.a").stat().st_size > 1_000_000
    later = time.time() + 10
    touched = {}
    for folder in ("src", "workflow", "data", "config.yaml"):
        path = project.folder / folder
        for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
            if "__pycache__" not in file.parts:
                touched[file] = file.stat()
                os.utime(file, (later, later))
    try:
        planned, _ = project.dry_run()
        assert planned == []
    finally:
        for file, status in touched.items():
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_deleted_score_file_is_made_again(project):
    (file, *_) = sorted((project.folder / "results/score").rglob("*.npz"))
    content, status = file.read_bytes(), file.stat()
    file.unlink()
    try:
        planned, _ = project.dry_run()
        assert {job.rule for job in planned} - TABLES - {"export"} == {"score"}
        assert str(file.relative_to(project.folder)) in map(output, planned)
    finally:
        file.write_bytes(content)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def modules(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.glob("src/seggrid/**/*.py")
    )


def test_comments_and_docstrings_in_every_module_rerun_nothing(project):
    texts = {}
    for module in modules(project.folder):
        path = project.folder / module
        texts[path] = path.read_text()
        path.write_text(texts[path] + '\n"""Another docstring."""\n# A comment.\n')
    try:
        planned, _ = project.dry_run()
        assert planned == []
    finally:
        for path, text in texts.items():
            path.write_text(text)


# Registries of plugins, which digests leave out: a job's parameters contain what they say about its plugin.
NO_CODE_OF_JOBS = {"seggrid.align", "seggrid.segment", "seggrid.grid.study"}


# The modules that a rule's script imports by name.
def of_aligner(wc):
    return [ALIGNERS[wc["aligner"]].__module__]


def of_segmenters(wc):
    specs = [wc[name] for name in ("spec", "source", "target") if name in wc]
    return [SEGMENTERS[parse_spec(spec).segmenter].__module__ for spec in specs]


def of_studies(wc):
    return [study.__module__ for study in STUDIES.values()]


BY_NAME = {
    **dict.fromkeys(("verdict", "figures", "page"), of_studies),
    "align": of_aligner,
    "whole": of_aligner,
    "learn": of_segmenters,
    "segment": of_segmenters,
    "measure": of_segmenters,
    "kept": lambda wc: of_aligner(wc) + of_segmenters(wc),
    "slice": lambda wc: of_aligner(wc) + of_segmenters(wc),
    "counted": lambda wc: of_aligner(wc) + of_segmenters(wc),
    "summed": of_aligner,
    "shared": lambda wc: of_aligner(wc) + of_segmenters(wc),
}


@pytest.fixture(scope="module")
def traces(project):
    """The jobs, their scripts, and the modules and results that they recorded."""
    return project.traces()


@pytest.fixture(scope="module")
def digested(project):
    """Gives the modules that the digest of a job covers."""

    def modules_of(job, script):
        by_name = BY_NAME[job.rule](job.wildcards) if job.rule in BY_NAME else []
        file, package = project.folder / script, project.folder / "src/seggrid"
        return {*imported_modules(file, by_name, package)}

    return modules_of


def test_digests_cover_what_jobs_load(traces, digested):
    """So that no edit is missed. Classes of other segmenters and aligners are loaded for their axes alone."""
    assert {job.rule for job, *_ in traces} >= set(BY_NAME) | TABLES - {"cells"}
    code = "import sys, seggrid.segment.axes, seggrid.align; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    with_axes = {*found.stdout.split()}
    for job, script, loaded, _ in traces:
        assert {*loaded} - digested(job, script) <= with_axes, script


def test_jobs_read_no_results_but_their_inputs(traces):
    """So that every file that a job reads is made before it, and made again if it is missing."""
    for job, script, _, read in traces:
        # Logs contain times; no job depends on them. What a job writes, it may read for its digest.
        results = {
            file for file in read if not file.startswith("results/logs/") and ".part/" not in file
        }
        # Before the script starts, the inputs are compared with the digests that their jobs recorded.
        digests = {
            str(DIGESTS / Path(file).relative_to(RESULTS))
            for file in job.inputs
            if file.startswith(f"{RESULTS}/")
        }
        named = {*job.inputs, *job.outputs, *digests}
        # An input may be a folder.
        others = {file for file in results - named if not named & set(map(str, Path(file).parents))}
        assert others == set(), script
    (page,) = (set(read) for job, _, _, read in traces if job.rule == "page")
    assert any(file.startswith("results/score/") for file in page)


def module_name(file):
    name = file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
    return name.replace("/", ".")


@pytest.fixture(scope="module")
def users(project, traces, digested):
    """For each module, as a file, the jobs whose code it is."""
    files = {module_name(file): file for file in modules(project.folder)}
    found = {file: set() for file in files.values()}
    for job, script, *_ in traces:
        for name in digested(job, script) & files.keys() - NO_CODE_OF_JOBS:
            found[files[name]].add(output(job))
    return found


def test_code_edited_in_any_module_reruns_what_loads_it(project, users):
    """For each job, of the modules that it loads, that which the fewest load; and one that none loads. That
    digests cover all modules is tested above."""
    file_of = {frozenset(jobs): file for file, jobs in users.items()}
    narrowest = {
        min((jobs for jobs in file_of if job in jobs), key=lambda jobs: (len(jobs), file_of[jobs]))
        for job in frozenset().union(*file_of)
    }
    for jobs in {*narrowest, frozenset()} & file_of.keys():
        file = file_of[jobs]
        with project.edited(file, lambda text: f"{text}\nEDITED = 1\n"):
            planned, all_jobs = project.dry_run()
        assert {output(job) for job in planned} == following(
            all_jobs, lambda job, jobs=jobs: output(job) in jobs
        ), file

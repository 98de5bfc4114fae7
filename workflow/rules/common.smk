"""Definitions for all stages: the checked config, its grid, and functions for calling scripts.

Config: all keys; only this file reads and checks them, before any job starts. The files are read again by
seggrid.workflow.rules.given_config, instead of using the config that Snakemake merged.
"""

import gc
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(str(workflow.current_basedir), "..", "../src").resolve()))

try:
    from seggrid.align import ALIGNERS, ENCODING, read_alignment
    from seggrid.data import result_tables
    from seggrid.errors import InputError, Refusal, refuse
    from seggrid.workflow.rules import environment, resources
    from seggrid.workflow.run import run_state, terminal, this_run
    from seggrid.grid.axes import path, pattern, tables_folder
    from seggrid.segment.side import parse_corpus_spec, parse_spec
    from seggrid.workflow.run.code_digest import code_digest, remember_in
    from seggrid.workflow.rules.check import check_sources
    from seggrid.workflow.rules.given_config import config_files, given_config
    from seggrid.workflow.rules.inputs import Inputs
    from seggrid.workflow.run.records import changed, changed_outputs
except ModuleNotFoundError as error:
    raise SystemExit(
        f"error: the module {error.name} is not installed (run pip install 'seggrid[grid]', or in a clone "
        "pip install -e '.[grid]', in the environment of snakemake: it plans the grid)"
    ) from None

# Attached here and not in the profile; the module says why.
TERMINAL = terminal.attach(logger, workflow.output_settings) if workflow.is_main_process else None

# A grid of thousands of jobs has millions of objects that stay alive. Repeated garbage collection of them
# takes a tenth of the planning time.
gc.collect()
gc.freeze()
gc.set_threshold(200_000, 50, 1000)

environment.plan_faster()

SCRIPTS = Path(str(workflow.current_basedir), "..", "scripts")

# Resolved, since messages would otherwise name a copy in Snakemake's cache.
DEFAULT_CONFIG = str(Path(str(workflow.current_basedir), "../../config/config.yaml").resolve())
CONFIG_FILES = config_files(workflow, DEFAULT_CONFIG)

try:
    CONFIG = given_config(workflow, config, CONFIG_FILES)
    GRID = Inputs(CONFIG)
    if workflow.is_main_process:
        deployed = bool(workflow.deployment_settings.deployment_method)
        for remark in check_sources(GRID, deployed=deployed):
            print(f"note: {remark}", file=sys.stderr, flush=True)
except InputError as error:
    # Without `Refusal`, Snakemake would print a traceback around the message.
    raise Refusal(error) from None

if not workflow.output_settings.dryrun:
    environment.prepare(CONFIG.root.plain(), Path(".snakemake/seggrid"))


if workflow.is_main_process and not workflow.output_settings.dryrun:
    if message := run_state.remove_stale_locks():
        print(message, file=sys.stderr, flush=True)

# Results are not checked if the user asked to delete them, or to remove a lock.
if workflow.is_main_process and not set(sys.argv) & set(run_state.CLEANING):
    if warning := run_state.dated_ahead():
        print(warning, file=sys.stderr, flush=True)
    try:
        refuse(map(changed, changed_outputs()))
    except InputError as error:
        raise Refusal(error) from None


def table(name):
    """The path of a table, a figure or the report of this config. Files of stages are shared by all configs."""
    return str(tables_folder(GRID.config.study) / name)


# The tables of results that this config makes, in the order of the registry.
RESULTS = {
    made.name: made
    for made in result_tables.made_by(
        [
            *(
                key
                for key in ("experiments", "ensemble", "morphology", "language_models")
                if getattr(GRID.config, key)
            ),
            *(["probes"] if GRID.language_models.probes else []),
            *(["tasks"] if GRID.language_models.tasks else []),
            *(["lexical"] if GRID.sides.lexical else []),
        ]
    )
}


RUN = this_run.Run(
    workflow,
    config=CONFIG,
    config_files=CONFIG_FILES,
    inputs=GRID,
    made=[made.file for made in RESULTS.values()],
    terminal=TERMINAL,
    logger=logger,
)


def result(name, category="Scores", caption=None):
    """A table of results as an output, with its place in Snakemake's report."""
    entry = result_tables.BY_NAME[name]
    return report(
        table(entry.file),
        caption=f"../report/{caption or name}.rst",
        category=category,
        labels={"table": entry.title},
    )


def named(tables):
    """Names and files of some tables of results, as arguments of a script."""
    return [f"{made.name}={table(made.file)}" for made in tables]


script = this_run.command_of

remember_in(Path(".snakemake/seggrid/code.json"))


def code(name, *modules):
    """A digest of all the project's code that a script runs, so that an edit reruns its jobs.

    `modules` are the modules that it imports by name, those of segmenters and aligners. Their registries are left
    out of the digest, so that adding a segmenter or aligner reruns nothing.
    """
    return code_digest(SCRIPTS / f"{name}.py", modules, ("seggrid.segment", "seggrid.align"))


# These functions parse the wildcards of a job; all other code gets typed values.


def side(wc):
    """The segmentation of one side."""
    return GRID.sides.of(wc.pair, wc.side, parse_spec(wc.spec))


def both(wc):
    """The segmentations of source and target."""
    return GRID.sides.both(wc.pair, parse_spec(wc.source), parse_spec(wc.target))


def aligner(wc):
    """The name of the aligner, without its axes."""
    return read_alignment(wc.aligner)[0]


def group(wc):
    """The cell that represents all cells that a job scores."""
    return GRID.alignments.groups[path("score", **wc)]


def modules(wc):
    """The modules of the segmenters and the aligner."""
    return [*(own.module for own in both(wc)), ALIGNERS[aligner(wc)].module]


def morphemes(wc):
    """The config entry of a side's morphological reference, or None."""
    return GRID.config.pairs[wc.pair].side(wc.side).morphemes


def with_axes(aligners):
    """A pattern for the part of a path that names one of these aligners and the values of its axes."""
    return f"({'|'.join(aligners)})([+][^/]*)?"


def needs(stage):
    """Memory and time of a stage's jobs, from the size of the pair's text."""

    def text_mb(wc):
        given = {key: wc[key] for key in ("pair", "name", "drawn", "lines") if key in wc.keys()}
        return GRID.sizes.text_mb(**given)

    def samples(wc):
        if {"drawn", "lines", "parts"} & {*wc.keys()}:
            return int(wc.samples)
        return resources.samples_of(wc.part) if "part" in wc.keys() else 1

    return {
        "mem_mb": lambda wc, attempt: resources.mem_mb(stage, text_mb(wc), attempt),
        "runtime": lambda wc, attempt: resources.runtime(stage, text_mb(wc), samples(wc), attempt),
    }


wildcard_constraints:
    pair="|".join(map(re.escape, GRID.config.pairs)),
    side="source|target",
    spec="[^/]+",
    source="[^/]+",
    target="[^/]+",
    aligner="[^/]+",
    symmetrization="[^/]+",
    replicate=r"\d+",
    replicates=r"\d+",
    samples=r"\d+",
    part=r"\d+-\d+",
    lines=r"\d+-\d+",
    drawn=r"\d+",
    parts=r"\d+",
    aggregate="[^/]+",
    lm="|".join(map(re.escape, GRID.language_models.plans)) or "none",
    probe="[^/]+",
    task="[^/]+",
    tuning=r"\d+",


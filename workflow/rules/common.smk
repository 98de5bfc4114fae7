"""What every file of rules builds on: the checked config, its grid, its files, and what rules are made of.

Config: all keys; only this file reads and checks them, before any job starts.

Four objects answer all questions: CONFIG, the settings; GRID, the cells and what follows from them, such as
segmentations and parts of samples; FILES, the files from outside; INPUTS, the inputs, parameters and resources of
the rules (src/seggrid/grid/rules/inputs.py).
"""

import gc
import json
import re
import sys
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(str(workflow.current_basedir), "..", "../src").resolve()))

try:
    from seggrid.grid import plugins
    from seggrid.align import ALIGNERS, ENCODING
    from seggrid.base.errors import raise_mistakes, refusing
    from seggrid.grid.axes import path, pattern
    from seggrid.grid.grid import Grid
    from seggrid.grid.study import asked_studies, rules_of_studies
    from seggrid.grid.rules import environment
    from seggrid.grid.rules.check import check_sources
    from seggrid.grid.rules.files import Files
    from seggrid.grid.rules.given_config import config_files, given_config
    from seggrid.grid.rules.inputs import (
        TUNED,
        Inputs,
        environment_file,
        format_of,
        log_of,
        names,
        options,
        with_axes,
    )
    from seggrid.grid.run import options as options_of_run
    from seggrid.grid.run import terminal
    from seggrid.grid.run import this_run
    from seggrid.grid.run.locks import remove_stale_locks
    from seggrid.grid.run.output_digests import changed, changed_outputs
    from seggrid.grid.run.unrecorded import unrecorded_outputs
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

# Resolved, since messages would otherwise name a copy in Snakemake's cache.
DEFAULT_CONFIG = str(Path(str(workflow.current_basedir), "../../config/config.yaml").resolve())
CONFIG_FILES = config_files(workflow, DEFAULT_CONFIG)

# Otherwise Snakemake would print a traceback around the message of a mistake.
with refusing():
    # Those of Snakemake's own calls, for jobs on a cluster, are not the user's.
    ASKED = options_of_run.asked_options() if workflow.is_main_process else None
    SOURCE = given_config(workflow, config, CONFIG_FILES)
    GRID = Grid(SOURCE)
    CONFIG = GRID.config
    FILES = Files(CONFIG)
    plugins.pass_on()
    if workflow.is_main_process:
        deployed = bool(workflow.deployment_settings.deployment_method)
        for remark in check_sources(GRID, FILES, deployed=deployed):
            print(f"note: {remark}", file=sys.stderr, flush=True)

if not workflow.output_settings.dryrun:
    environment.prepare_jobs(SOURCE.plain(), Path(".snakemake/seggrid"))
    if workflow.is_main_process and (message := remove_stale_locks()):
        print(message, file=sys.stderr, flush=True)

# Results are not checked if the user asked to delete them, or to remove a lock.
if ASKED and not options_of_run.cleans(ASKED):
    with refusing():
        raise_mistakes(chain(map(changed, changed_outputs()), unrecorded_outputs()))


INPUTS = Inputs(GRID, FILES)
table, result, outside, content = INPUTS.table, INPUTS.result, INPUTS.outside, INPUTS.content
job, needs = INPUTS.job, INPUTS.needs

# The tables of results that this config makes, in the order of the registry.
RESULTS = INPUTS.results

RUN = this_run.Run(
    workflow,
    SOURCE,
    CONFIG_FILES,
    FILES,
    GRID.pairs,
    [made.file for made in RESULTS.values()],
    TERMINAL,
    logger,
    lambda: INPUTS.about(CONFIG_FILES),
    {own.spec.segmenter for own in GRID.sides} | {cell.aligner for cell in GRID.experiments},
)


wildcard_constraints:
    pair="|".join(map(re.escape, CONFIG.pairs)),
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
    aggregate="[^/]+",

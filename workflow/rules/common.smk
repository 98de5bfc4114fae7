"""What every file of rules builds on: the checked config, its grid, its files, and what rules are made of.

Config: all keys; only this file reads and checks them, before any job starts.

Three objects answer all questions: CONFIG, the settings; GRID, the cells and what follows from them, such as
segmentations and parts of samples; FILES, the files from outside. The functions that give rules their inputs and
parameters are in inputs/: those of several files of rules in inputs/common.smk, the others in the file of the same
name.
"""

import gc
import json
import re
import sys
from pathlib import Path

from snakemake.io import is_flagged

sys.path.insert(0, str(Path(str(workflow.current_basedir), "..", "../src").resolve()))

try:
    from seggrid import plugins
    from seggrid.align import ALIGNERS, ENCODING, read_alignment
    from seggrid.align.aligner import Counts, Keeps
    from seggrid.base.rational import spell_rational
    from seggrid.data import result_tables
    from seggrid.data.sides import SIDES
    from seggrid.errors import refuse, refusing
    from seggrid.grid.axes import STAGES, path, pattern, tables_folder
    from seggrid.grid.grid import Grid
    from seggrid.grid.samples import Part
    from seggrid.segment import SEGMENTERS
    from seggrid.segment.side import CORPUS, parse_spec
    from seggrid.workflow.jobs.logs import LOGS
    from seggrid.workflow.rules import costs, environment
    from seggrid.workflow.rules.check import check_sources
    from seggrid.workflow.rules.files import Files, size_mb
    from seggrid.workflow.rules.given_config import config_files, given_config
    from seggrid.workflow.run import terminal, this_run
    from seggrid.workflow.run.code_digest import code_digest
    from seggrid.workflow.run.locks import remove_stale_locks
    from seggrid.workflow.run.output_digests import changed, changed_outputs
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

SCRIPTS = Path(str(workflow.current_basedir), "..", "scripts")

# Resolved, since messages would otherwise name a copy in Snakemake's cache.
DEFAULT_CONFIG = str(Path(str(workflow.current_basedir), "../../config/config.yaml").resolve())
CONFIG_FILES = config_files(workflow, DEFAULT_CONFIG)

# Otherwise Snakemake would print a traceback around the message of a mistake.
with refusing():
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
    environment.prepare(SOURCE.plain(), Path(".snakemake/seggrid"))
    if workflow.is_main_process and (message := remove_stale_locks()):
        print(message, file=sys.stderr, flush=True)

# Results are not checked if the user asked to delete them, or to remove a lock.
if workflow.is_main_process and not set(sys.argv) & set(this_run.CLEANING):
    with refusing():
        refuse(map(changed, changed_outputs()))


def table(name):
    """The path of a table, a figure or the report of this config. Files of stages are shared by all configs."""
    return str(tables_folder(CONFIG.study) / name)


def log_of(stage):
    """The log of a stage's jobs: below results/logs, where their output is below results."""
    output = pattern(stage).removesuffix(STAGES[stage].suffix)
    return f"{LOGS}/{output.partition('/')[2]}.log"


def parts_of_config():
    """The parts of the config that make tables."""
    named = ("experiments", "ensemble", "morphology", "language_models")
    made = {key: getattr(CONFIG, key) for key in named} | {"lexical": GRID.lexical}
    for asked in ("probes", "tasks"):
        made[asked] = any(getattr(own, asked) for own in GRID.language_models.values())
    return [part for part, given in made.items() if given]


# The tables of results that this config makes, in the order of the registry.
RESULTS = {made.name: made for made in result_tables.made_by(parts_of_config())}

MADE = [made.file for made in RESULTS.values()]
RUN = this_run.Run(workflow, SOURCE, CONFIG_FILES, FILES, GRID.pairs, MADE, TERMINAL, logger)


def result(name, category="Scores"):
    """A table of results as an output, with its place in Snakemake's report."""
    entry = result_tables.BY_NAME[name]
    return report(
        table(entry.file),
        caption="../report/table.rst",
        category=category,
        labels={"table": entry.title},
    )


def named(tables):
    """Names and files of some tables of results, as an argument of a script."""
    return json.dumps({made.name: table(made.file) for made in tables})


def job(name, modules=None):
    """The parameters of all rules: the command of the script, and a digest of the code that it runs.

    The command runs workflow/scripts/NAME.py through job.py, in a process that has its libraries loaded; `script:`
    would start Python and load them for each of thousands of short jobs (`seggrid.workflow.run.fork_server`). Its
    options are the parameters of `main`; an empty value is that of an option which is left out. `modules` gives, for
    the wildcards, the segmenters and aligners that it imports by name. Their registries are left out of the digest,
    so that adding one reruns nothing.
    """
    registries = ("seggrid.segment", "seggrid.align")

    def code(wc):
        by_name = tuple(modules(wc)) if modules else ()
        return code_digest(SCRIPTS / f"{name}.py", by_name, registries)

    return {"script": environment.command_of(name), "code": code}


def outside(entry):
    """A file from outside that the config names, in a list; an empty list if it names none.

    Jobs depend on the content of these files (`content`), not on their times.
    """
    return ancient(FILES.of(entry))


def from_outside(wc, inputs):
    """The files from outside among the files of some input functions."""
    found = (made(wc) for made in inputs)
    files = (file for own in found for file in ([own] if isinstance(own, str) else own))
    return [file for file in files if is_flagged(file, "ancient")]


def content(*inputs):
    """A parameter: a digest of the files from outside among the files of some input functions.

    (It must not be made from `input`, since Snakemake ignores changes of such parameters.)
    """
    return lambda wc: FILES.content(*from_outside(wc, inputs))


def options(settings):
    """Options of a script by name, without those that are None or have no values."""
    given = (value for value in settings.items() if value[1] is not None and value[1] != [])
    return [argument for name, value in given for argument in option(name, value)]


def option(name, value):
    """An option as words of a command; a list is many words."""
    flag = f"--{name.replace('_', '-')}"
    return [flag, *map(str, value)] if isinstance(value, list) else [f"{flag}={value}"]


def with_axes(aligners):
    """A pattern for the part of a path that names one of these aligners and the values of its axes."""
    return f"({'|'.join(aligners)})([+][^/]*)?"


def names(entries):
    """A pattern for the names of some entries of the config; without any, it matches nothing."""
    return "|".join(map(re.escape, entries)) or "(?!)"


def text_mb(wc):
    """The size of the text that a job reads: that of its pair, or of all pairs."""
    return FILES.text_mb([wc.pair] if "pair" in wc.keys() else GRID.pairs)


def number_of_samples(wc):
    """The number of samples that a job computes."""
    return part(wc).size if "part" in wc.keys() else 1


def needs(stage, mb=text_mb, samples=number_of_samples):
    """Memory and time of a stage's jobs, from the size of what they read."""
    return {
        "mem_mb": lambda wc, attempt: costs.mem_mb(stage, mb(wc), attempt),
        "runtime": lambda wc, attempt: costs.runtime(stage, mb(wc), samples(wc), attempt),
    }


include: "inputs/common.smk"


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
    lines=r"\d+-\d+",
    drawn=r"\d+",
    parts=r"\d+",
    aggregate="[^/]+",
    lm=names(GRID.language_models),
    probe="[^/]+",
    task="[^/]+",
    tuning=r"\d+",

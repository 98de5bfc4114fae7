"""The inputs, parameters and resources of the grid's rules, from the wildcards of a job.

A file of rules asks `Inputs`, and that of a study the class derived from it in the study's `inputs.py`.
Wildcards are any mapping with the names as attributes, too; only these methods parse them.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from snakemake.io import ancient, is_flagged
from snakemake.io import report as reported

from seggrid.align import ALIGNERS, ENCODING, read_alignment
from seggrid.base.extras import PROJECT
from seggrid.base.result_tables import ResultTable
from seggrid.grid import costs
from seggrid.grid.axes import STAGES, path, pattern, tables_folder
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.jobs.logs import LOGS
from seggrid.grid.plugins import is_file
from seggrid.grid.recipes import DEFAULT, read_recipe
from seggrid.grid.rules import environment
from seggrid.grid.rules.files import Files
from seggrid.grid.run.code_digest import code_digest
from seggrid.grid.samples import Part
from seggrid.grid.study import STUDIES, Study, every_table, table_named, tables_of
from seggrid.segment.side import parse_spec

Wildcards = Any
Function = Callable[[Wildcards], Any]
"""Gives the files of an input of a rule, or the value of a parameter."""
F = TypeVar("F", bound=Callable[..., Any])

TUNED = f"{ENCODING}[+][^/]*tuning=self"
"""`embeddings` with an encoder that is tuned, as a pattern; `tuning` is the last of its axes."""

ENVIRONMENTS = {"eflomal": "eflomal"}
"""The environments of aligners that are not code of this package alone."""


def options(settings: Mapping[str, Any]) -> list[str]:
    """Options of a script by name, without those that are None or have no values.

    >>> options({"spec": "words", "model_format": None, "dropout": [0.1, 0.2]})
    ['--spec=words', '--dropout', '0.1', '0.2']
    """
    given = (value for value in settings.items() if value[1] is not None and value[1] != [])
    return [argument for name, value in given for argument in _option(name, value)]


def _option(name: str, value: Any) -> list[str]:
    flag = f"--{name.replace('_', '-')}"
    return [flag, *map(str, value)] if isinstance(value, list) else [f"{flag}={value}"]


def with_axes(aligners: Iterable[str]) -> str:
    """A pattern for the part of a path that names one of these aligners and the values of its axes."""
    return f"({'|'.join(aligners)})([+][^/]*)?"


def names(entries: Iterable[str]) -> str:
    """A pattern for the names of some entries of the config; without any, it matches nothing."""
    return "|".join(map(re.escape, entries)) or "(?!)"


def log_of(stage: str) -> str:
    """The log of a stage's jobs: below results/logs, where their output is below results."""
    output = pattern(stage).removesuffix(STAGES[stage].suffix)
    return f"{LOGS}/{output.partition('/')[2]}.log"


def environment_file(name: str) -> str:
    """The file of an environment for jobs."""
    return str(PROJECT / f"workflow/envs/{name}.yaml")


def format_of(entry: Any) -> str:
    """The format of an entry of the config; empty without one."""
    return (entry.format or "") if entry else ""


def stating_parameters(function: F) -> F:
    """The function with its signature beside it: for each job, Snakemake asks three times what parameters it
    has, and to find that out takes longer than most of these functions."""
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return function


def from_outside(wc: Wildcards, inputs: Iterable[Function]) -> list[str]:
    """The files from outside among the files of some input functions."""
    found = (made(wc) for made in inputs)
    files = (file for own in found for file in ([own] if isinstance(own, str) else own))
    return [file for file in files if is_flagged(file, "ancient")]


class Inputs:
    """What rules ask, for a checked config, its grid and its files; those of a study name it, or have a class
    derived from this one beside them."""

    def __init__(self, grid: Grid, files: Files, study: type[Study] | None = None) -> None:
        self.grid, self.files, self.config = grid, files, grid.config
        self.study = study

    # What all rules are made of.

    def table(self, name: str) -> str:
        """The path of a table, a figure or the report of this config. Files of stages are shared by all
        configs."""
        return str(tables_folder(self.config.study) / name)

    @cached_property
    def results(self) -> dict[str, ResultTable]:
        """The tables of results that this config makes, by name."""
        return {made.name: made for made in tables_of(self.grid)}

    def result(self, name: str, category: str = "Scores") -> Any:
        """A table of results as an output, with its place in Snakemake's report."""
        entry = table_named(name)
        caption = str(PROJECT / "workflow/report/table.rst")
        labels = {"table": entry.title}
        return reported(self.table(entry.file), caption=caption, category=category, labels=labels)

    def named(self, tables: Iterable[ResultTable]) -> str:
        """Names and files of some tables of results, as an argument of a script."""
        return json.dumps({made.name: self.table(made.file) for made in tables})

    @cached_property
    def scripts(self) -> Path:
        """The folder of the scripts of these rules: that of a study's own, or of the grid."""
        if self.study is not None:
            return self.study.folder() / "jobs"
        own = Path(inspect.getfile(type(self))).parent / "jobs"
        return PROJECT / "workflow/scripts" if type(self) is Inputs else own

    def job(
        self, script: str, modules: Callable[[Wildcards], Collection[str]] | None = None
    ) -> dict[str, Any]:
        """The parameters of all rules: the command of the script, and a digest of the code that it runs.

        The command runs the script through job.py, in a process that has its libraries loaded; `script:`
        would start Python and load them for each of thousands of short jobs
        (`seggrid.grid.run.fork_server`). Its options are the parameters of `main`; an empty value is that
        of an option which is left out. `modules` gives, for the wildcards, the segmenters, aligners and
        studies that it imports by name. Their registries are left out of the digest, so that adding one
        reruns nothing.
        """
        registries = ("seggrid.segment", "seggrid.align", "seggrid.grid.study", "seggrid.plugin")
        file = self.scripts / f"{script}.py"
        # All files of a package of the user count, of which its scripts may import any.
        own = self.study.__module__ if self.study is not None else ""
        package = () if not own or is_file(own) or own.startswith("seggrid.") else (own,)

        @stating_parameters
        def code(wc: Wildcards) -> str:
            by_name = (*package, *(modules(wc) if modules else ()))
            return code_digest(file, by_name, registries)

        command = environment.command_of(file)

        # A function of `output`, since Snakemake compares no such parameter with that of an earlier run:
        # where the scripts are must not count, only their code. (`threads` would serve as well, but then
        # Snakemake evaluates the resources of every job, a sixth of the time of a plan.)
        @stating_parameters
        def script_of(wc: Wildcards, output: Any) -> list[str]:
            return command

        return {"script": script_of, "code": code}

    def outside(self, entry: Any) -> Any:
        """A file from outside that the config names, in a list; an empty list if it names none.

        Jobs depend on the content of these files (`content`), not on their times.
        """
        return ancient(self.files.placed(self.files.of(entry)))

    def outside_all(self, entries: Iterable[Any]) -> Any:
        """As `outside`, for several."""
        return ancient(self.files.placed(map(self.files.file, entries)))

    def content(self, *inputs: Function) -> Callable[[Wildcards], str]:
        """A parameter: a digest of the files from outside among the files of some input functions.

        (It must not be made from `input`, since Snakemake ignores changes of such parameters.)
        """
        return stating_parameters(lambda wc: self.files.content(*from_outside(wc, inputs)))

    def text_mb(self, wc: Wildcards) -> float:
        """The size of the text that a job reads: that of its pair, or of all pairs."""
        return self.files.text_mb([wc.pair] if hasattr(wc, "pair") else self.grid.pairs)

    def samples(self, wc: Wildcards) -> int:
        """The number of samples that a job computes."""
        return self.part(wc).size if hasattr(wc, "part") else 1

    def needs(
        self,
        stage: str,
        mb: Callable[[Wildcards], float] | None = None,
        samples: Callable[[Wildcards], int] | None = None,
    ) -> dict[str, Callable[[Wildcards, int], int]]:
        """Memory and time of a stage's jobs, from the size of what they read."""
        size, number = mb or self.text_mb, samples or self.samples
        return {
            "mem_mb": lambda wc, attempt: costs.mem_mb(stage, size(wc), attempt),
            "runtime": lambda wc, attempt: costs.runtime(stage, size(wc), number(wc), attempt),
        }

    # What the wildcards name.

    def side(self, wc: Wildcards) -> Segmented:
        """The segmentation of one side."""
        return self.grid.segmented(wc.pair, wc.side, parse_spec(wc.spec))

    def source(self, wc: Wildcards) -> Segmented:
        """The segmentation of the source."""
        return self.grid.segmented(wc.pair, "source", parse_spec(wc.source))

    def target(self, wc: Wildcards) -> Segmented:
        """The segmentation of the target."""
        return self.grid.segmented(wc.pair, "target", parse_spec(wc.target))

    def part(self, wc: Wildcards) -> Part:
        """The range of samples."""
        return Part.from_text(wc.part)

    def aligner(self, wc: Wildcards) -> str:
        """The name of the aligner, without its axes."""
        return read_alignment(wc.aligner)[0]

    def aligner_options(self, wc: Wildcards) -> str:
        """The options of the aligner in the config, as JSON."""
        return json.dumps(self.config.aligners.options(self.aligner(wc)), sort_keys=True)

    def of_aligner(self, wc: Wildcards) -> list[str]:
        """The module of the aligner."""
        return [ALIGNERS[self.aligner(wc)].__module__]

    def of_segmenter(self, wc: Wildcards) -> list[str]:
        """The module of the segmenter."""
        return [self.side(wc).registered.__module__]

    def of_all(self, wc: Wildcards) -> list[str]:
        """The modules of the segmenters and the aligner."""
        sides = [own.registered.__module__ for own in (self.source(wc), self.target(wc))]
        return [*sides, *self.of_aligner(wc)]

    # Functions, since jobs on a cluster, each of which reads the rules, then need not list all cells.

    def all_scores(self, wc: Wildcards) -> list[str]:
        """The scores of all cells."""
        return list(self.grid.group_of)

    def all_measures(self, wc: Wildcards) -> list[str]:
        """The measures of all segmentations."""
        return [own.path("measure") for own in self.grid.sides]

    # Texts and gold.

    def text_files(self, wc: Wildcards) -> Any:
        """The files of a text."""
        return ancient(self.files.placed(self.files.text_files(wc.pair, wc.side)))

    def lines_that_stay(self, wc: Wildcards) -> list[str]:
        """The numbers of the sentences with gold, if only some sentences are used."""
        chosen = parse_spec(wc.spec).sentences is not None
        return [path("gold_lines", pair=wc.pair)] if chosen else []

    def gold_files(self, wc: Wildcards) -> Any:
        """The files with gold."""
        return ancient(self.files.placed(self.files.gold(wc.pair)))

    def gold_texts(self, wc: Wildcards) -> Any:
        """The text with the ids that the gold uses; both texts, if links outside sentences are left out."""
        return ancient(self.files.placed(self.files.gold_text_files(wc.pair)))

    # Models and tokens of a side.

    def in_original_case(self, wc: Wildcards) -> str:
        """A text in its original case."""
        spec = parse_spec(wc.spec).spec("corpus", case="keep")
        return path("corpus", pair=wc.pair, side=wc.side, spec=spec)

    def given(self, wc: Wildcards) -> Any:
        """The file that a segmenter learns with."""
        return self.outside(self.side(wc).given)

    def morphemes(self, wc: Wildcards) -> Any:
        """The reference that pruning needs."""
        return self.outside(self.side(wc).morphemes)

    def morphemes_of_text(self, wc: Wildcards) -> Any:
        """The reference of a text, whether or not pruning needs it."""
        return self.outside(self.side(wc).settings.morphemes)

    def model(self, wc: Wildcards) -> Any:
        """The model of a segmentation, or the file of a tokenizer from elsewhere."""
        return self.model_of(self.side(wc))

    def model_of(self, own: Segmented) -> Any:
        """The model of a segmentation; an empty list if it has none."""
        return own.model or self.outside(own.tokenizer)

    def model_format(self, wc: Wildcards) -> str:
        """The format of a tokenizer's file; empty for a learned model."""
        return format_of(self.side(wc).tokenizer)

    # Alignments.

    def source_tokens(self, wc: Wildcards) -> str:
        """The tokens of the source."""
        return self.source(wc).path("segment", self.part(wc))

    def target_tokens(self, wc: Wildcards) -> str:
        """The tokens of the target."""
        return self.target(wc).path("segment", self.part(wc))

    def of_tuned_aligner(self, wc: Wildcards) -> list[str]:
        """The modules of the aligner and of its training."""
        return [*self.of_aligner(wc), "seggrid.score.tuning"]

    def conda_of_aligner(self, wc: Wildcards) -> str:
        """The file of the aligner's environment."""
        return environment_file(ENVIRONMENTS.get(self.aligner(wc), "seggrid"))

    def kept_layers(self, wc: Wildcards) -> list[int]:
        """The layers whose vectors are saved for a side; without any, all are."""
        keep = self.config.aligners.options(ENCODING)["keep_layers"]
        return [] if keep == "all" else sorted(self.grid.layers[self.side(wc)])

    # Tables and the page.

    def default_cells(self, wc: Wildcards) -> str:
        """By pair, the cell with the default settings of the commands, if the grid has it. If several differ
        only in their number of replicates, the one with the most, which comes last."""
        recipe = read_recipe(DEFAULT)
        pairs = self.grid.pairs
        wanted = {pair: recipe.cells(pair, types=self.files.types(pair))[0] for pair in pairs}
        cells = self.grid.experiments
        found = (cell for cell in cells if replace(cell, replicates=1) == wanted[cell.pair])
        return json.dumps({cell.pair: str(cell) for cell in found})

    def development(self, wc: Wildcards) -> str:
        """By pair, how many of its first gold sentences are used to choose settings, and so are not
        scored."""
        golds = {pair: self.config.pairs[pair].gold for pair in self.grid.pairs}
        chosen = {
            pair: gold.development for pair, gold in golds.items() if gold and gold.development
        }
        return json.dumps(chosen)

    @property
    def shown(self) -> list[ResultTable]:
        """The tables that the page shows; the table of costs is made together with it."""
        return [made for made in self.results.values() if made.section and made.name != "cost"]

    @property
    def selected(self) -> list[ResultTable]:
        """The tables whose rows stand among the selections."""
        return [made for made in self.results.values() if made.selected]

    @property
    def printed(self) -> list[ResultTable]:
        """The tables of figures, and of tables for papers."""
        return [made for made in self.results.values() if made.drawn or made.latex]

    def of_studies(self, wc: Wildcards) -> list[str]:
        """The modules of the studies, which the page and the figures import by name."""
        return [study.__module__ for study in STUDIES.values()]

    def captions(self, wc: Wildcards) -> str:
        """A digest of what tables of results are called and what is said of them, which the page, the figures
        and the tables for papers show."""
        return hashlib.sha256(repr(every_table()).encode()).hexdigest()[:16]

    def about(self, config_files: Iterable[str]) -> dict[str, Any]:
        """What the page says about the study."""
        return {
            "title": self.config.report.title,
            "about": self.config.report.about,
            "seed": self.config.seed,
            "languages": {pair: self.config.pairs[pair].languages for pair in self.grid.pairs},
            "configuration": ", ".join(Path(file).name for file in config_files),
        }

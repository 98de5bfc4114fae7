"""What a study is: something else that a config may ask for, beside the cells of its grid.

A study is a folder, `seggrid.studies.NAME`, and a line in `STUDIES`; that of a plug-in is a folder alone.
In it lie `study.py`, a class derived from `Study`; `rules.smk`, its rules, which are parsed only if a config
asks for it; `inputs.py`, what gives these rules inputs and parameters; `jobs/`, their scripts; `tables.toml`,
its tables of results; and `charts.py`. Config, checks, forecasts, tables and the page ask the registry. A
study imports no other study, and nothing else imports a study.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from seggrid.base import result_tables
from seggrid.base.errors import InputError
from seggrid.base.registry import Registry
from seggrid.base.result_tables import ResultTable
from seggrid.grid.axes import STAGES, Stage
from seggrid.grid.cost import Cost, Work

if TYPE_CHECKING:
    from seggrid.grid.config import Config
    from seggrid.grid.config.read import ConfigFindings
    from seggrid.grid.grid import Grid, Segmented

Check = Callable[[], Sequence[str] | None]
"""Raises `InputError` if something from outside is wrong; may return remarks, one line each."""


@dataclass(frozen=True)
class Section:
    """A section of the page: its tables are those of results that name it.

    Attributes:
        id: its name, and its anchor in the page.
        title: its heading.
        note: a paragraph below the heading.
        charts: beginnings of the names of its charts.
        folded: whether it is closed at first.
    """

    id: str
    title: str
    note: str = ""
    charts: tuple[str, ...] = ()
    folded: bool = False


_OF_STAGE: dict[str, str] = {}
"""The modules of the studies that have brought a stage."""


class Study:
    """A study; all of it but the key and its value may be left out.

    Attributes:
        key: its key of a config; empty if other settings ask for it.
        part: what asks for it, as documentation says it; by default, its key.
        value: the type and the field of that key, as for pydantic's `create_model`.
        alone: whether a config may ask for it without any experiment.
        of_experiments: whether its entries name experiments or cells.
        stages: its stages, of which files are shared by all configs.
        costs: the costs of its rules' jobs.
        sections: its sections of the page.
    """

    key: ClassVar[str] = ""
    part: ClassVar[str] = ""
    value: ClassVar[Any] = None
    alone: ClassVar[bool] = False
    of_experiments: ClassVar[bool] = False
    stages: ClassVar[Mapping[str, Stage]] = {}
    costs: ClassVar[Mapping[str, Cost]] = {}
    sections: ClassVar[tuple[Section, ...]] = ()

    def __init_subclass__(cls) -> None:
        for stage in cls.stages:
            if stage in STAGES and _OF_STAGE.get(stage) != cls.__module__:
                raise InputError(
                    f"the stage {stage!r} is already there", hint="give it another name"
                )
            _OF_STAGE[stage] = cls.__module__
        STAGES.update(cls.stages)

    @classmethod
    def given(cls, config: Config) -> Any:
        """What the config says about it."""
        return getattr(config, cls.key)

    @classmethod
    def parts(cls, grid: Grid) -> list[str]:
        """The parts of the config, as its tables name them, that ask for it; none if nothing does."""
        return [cls.part or f"`{cls.key}`"] if cls.given(grid.config) else []

    @classmethod
    def check(cls, config: Config, findings: ConfigFindings) -> None:
        """Add mistakes for values that contradict each other."""

    @classmethod
    def pairs(cls, config: Config) -> Iterable[str]:
        """The pairs whose texts it uses beside those of cells."""
        return ()

    @classmethod
    def segmentations(cls, grid: Grid) -> Iterable[Segmented]:
        """The segmentations that it uses beside those of cells."""
        return ()

    @classmethod
    def sources(cls, grid: Grid, files: Any, *, deployed: bool) -> Iterator[Check]:
        """Checks of files and packages, before any job (`seggrid.grid.rules.files.Files`); packages need
        not be here if jobs are `deployed` in environments of their own."""
        yield from ()

    @classmethod
    def targets(cls, grid: Grid) -> list[str]:
        """Files to make beside its tables."""
        return []

    @classmethod
    def work(cls, grid: Grid, rule: str, wildcards: Mapping[str, str]) -> Work | None:
        """The work of a job of its rules, if that does not depend on a text as in other jobs."""
        return None

    @classmethod
    def logs(cls, grid: Grid) -> list[str]:
        """Its logs of which the table of costs has the time and memory, as `STAGE/NAME`."""
        return []

    @classmethod
    def charts(cls, results: Mapping[str, Any]) -> Iterator[Any]:
        """Charts of tables of results that have rows (`seggrid.grid.report.charts.chart.Chart`)."""
        yield from ()

    @classmethod
    def rows(cls) -> Mapping[str, Callable[[Any], Any]]:
        """What chooses or computes the rows of its tables for readers, by their names. The rows keep the
        index of those from which they are made, by which their cells are found."""
        return {}

    @classmethod
    def selections(cls, results: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Rows of selection.csv in which nothing is chosen, from its tables that are `selected`."""
        return []

    @classmethod
    def sentences(cls, selection: Any, pair: str) -> list[str]:
        """What its rows of selection.csv add to the verdict on a pair."""
        return []

    @classmethod
    def folder(cls) -> Path:
        """The folder with its files."""
        return Path(inspect.getfile(cls)).parent

    @classmethod
    @cache
    def tables(cls) -> tuple[ResultTable, ...]:
        """Its tables of results."""
        file = cls.folder() / "tables.toml"
        return result_tables.read_tables(file, cls.part or f"`{cls.key}`") if file.exists() else ()


def reads(files: Any, read: Callable[..., Any], entry: Any, *arguments: Any) -> Iterator[Check]:
    """The check that a file from outside can be read, if the config names it."""
    if entry is not None:
        yield lambda: read(files.file(entry), *arguments) and None


STUDIES: Registry[Study] = Registry(
    {
        "published": "seggrid.studies.published.study:Published",
        "votes": "seggrid.studies.votes.study:Votes",
        "morphology": "seggrid.studies.morphology.study:Evaluations",
        "lexical": "seggrid.studies.lexical.study:LexicalWords",
        "language_model": "seggrid.studies.language_model.study:LanguageModels",
        "export": "seggrid.studies.export.study:Exports",
    }
)
"""The studies by name."""


def asked_studies(grid: Grid) -> list[type[Study]]:
    """The studies that a config asks for."""
    return [study for study in STUDIES.values() if study.parts(grid)]


_RULE = re.compile(r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)(?: with)?:", re.MULTILINE)


def rules_of_studies() -> set[str]:
    """The names of the rules of all studies, whether or not a config asks for them."""
    files = (study.folder() / "rules.smk" for study in STUDIES.values())
    return {name for file in files for name in _RULE.findall(file.read_text("utf-8"))}


def every_table() -> list[ResultTable]:
    """All tables of results, those of the grid first."""
    return [
        *result_tables.TABLES,
        *(table for study in STUDIES.values() for table in study.tables()),
    ]


def table_named(name: str) -> ResultTable:
    """The table of results with a name."""
    return next(table for table in every_table() if table.name == name)


def tables_of(grid: Grid) -> list[ResultTable]:
    """The tables that a config makes, in the order of the documents."""
    parts = {part for study in asked_studies(grid) for part in study.parts(grid)}
    parts |= {result_tables.GRID} if grid.experiments else set()
    return [table for table in every_table() if table.part in parts]

"""The study `published`: its key of a config, its checks, and its place on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from seggrid.base.settings import OneOrMore
from seggrid.grid.config.values import FilePath
from seggrid.grid.grid import Grid
from seggrid.grid.study import Check, Section, Study


class Published(Study):
    """Published figures beside those of the matching cells."""

    key = "published"
    value: ClassVar[Any] = (
        OneOrMore[FilePath],
        Field(
            [],
            description="Tables of published figures to compare with ours, such as those in "
            "resources/published.",
        ),
    )
    sections = (
        Section(
            "published",
            "Published",
            "Each published score compared with that of the same cell in this grid.",
            ("published-tables", "differences", "published"),
            folded=True,
        ),
    )

    @classmethod
    def parts(cls, grid: Grid) -> list[str]:
        """Tables of published figures are compared only with cells."""
        return super().parts(grid) if grid.experiments else []

    @classmethod
    def sources(cls, grid: Grid, files: Any, *, deployed: bool) -> Iterator[Check]:
        """Read each table, and find its rows that will have no figure of ours."""
        for table in cls.given(grid.config):
            yield partial(_remarks, grid, files, table)

    @classmethod
    def charts(cls, results: Mapping[str, Any]) -> Iterator[Any]:
        """Published figures beside ours."""
        from seggrid.studies.published.charts import of_published

        if "published" in results and "scores" in results:
            scores = results["scores"]
            yield from of_published(
                results["published"], scores[scores["f1"].notna()].set_index("cell")
            )

    @classmethod
    def rows(cls) -> Mapping[str, Callable[[Any], Any]]:
        """The table beside the page."""
        from seggrid.studies.published.charts import with_stand_ins

        return {"published": with_stand_ins}


def _remarks(grid: Grid, files: Any, table: str) -> list[str]:
    # Imported here, so that not every start of a run waits for pandas.
    import pandas as pd

    from seggrid.studies.published.compare import check_published, remark_on_several

    file = files.file(table)
    remarks = check_published(file, grid.pairs, grid.config.pairs)
    return remarks + remark_on_several(file, pd.DataFrame(grid.table()))

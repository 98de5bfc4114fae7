"""A study as a plug-in: how much of a text the most frequent types make up."""

from typing import Annotated

from pydantic import Field

from seggrid.plugin import LINES, Chart, OneOrMore, Section, Study, curve, joined, looks


class Frequent(Study):
    key = "frequent"
    value = (
        OneOrMore[Annotated[int, Field(ge=1)]],
        Field([], description="Numbers of types, the most frequent first, whose share is taken."),
    )
    sections = (
        Section("frequent", "Frequent types", "Few types make up most of a text.", ("frequent",)),
    )

    @classmethod
    def charts(cls, results):
        rows = results.get("frequent", [])
        if len(rows):
            lines = rows.groupby(["pair", "side", "segmentation"], sort=False)
            frame = joined(
                curve(f"{pair}, {side}", segmentation, line["types"], line["share"])
                for (pair, side, segmentation), line in lines
            )
            series = looks(rows["segmentation"].unique())
            title = "Share of tokens by number of types"
            yield Chart("frequent", title, LINES, frame, "Types", "Share", looks=series, log=True)


STUDIES = {"frequent": Frequent}

"""The config's experiments and the options of its aligners, from the table of axes and the aligners."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, create_model

from seggrid.align import ALIGNERS
from seggrid.base.axis import Axis
from seggrid.base.settings import OneOrMore
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.models.generated import Generated
from seggrid.grid.config.values import value_of


def _fields(axes: dict[str, Axis[Any]], defaults: bool) -> dict[str, Any]:
    """The fields of a model that has axes as keys, each one value or a list of them."""
    fields = {}
    for name, axis in axes.items():
        values = Annotated[OneOrMore[value_of(axis)], Field(min_length=1, max_length=1000)]
        default = axis.default if isinstance(axis.default, list) else [axis.default]
        fields[name] = (
            (values, Field(default, description=axis.description))
            if defaults
            else (values | None, Field(None, description=axis.description))
        )
    return fields


SideAxes = create_model(
    "SideAxes",
    __base__=Generated,
    __doc__="Axes of one side only, over those of the experiment.",
    **_fields({name: axis for name, axis in SIDE_AXES.items() if not axis.shared}, defaults=False),
)


class _ExperimentBase(Generated):
    pairs: Annotated[OneOrMore[str], Field(min_length=1)] | None = Field(
        None, description="Which pairs; by default, all."
    )
    source: SideAxes | None = None
    target: SideAxes | None = None


Experiment = create_model(
    "Experiment",
    __base__=_ExperimentBase,
    __doc__="A sub-grid. Every axis is one value or a list of values.",
    **_fields({**SIDE_AXES, **CELL_AXES}, defaults=True),
)

Aligners = create_model(
    "Aligners",
    __base__=Generated,
    __doc__="Options of the aligners, which hold for all cells.",
    **{
        name: (options, Field(default_factory=options, description=options.__doc__))
        for name, options in ((name, entry.load_options()) for name, entry in ALIGNERS.items())
    },
)

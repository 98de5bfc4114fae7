"""The config's experiments and the options of its aligners, from the table of axes and the aligners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model

from seggrid.align import ALIGNERS
from seggrid.base.axis import Axis
from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.config.models.generated import Generated
from seggrid.grid.config.values import value_of


def _values(axis: Axis[Any]) -> Any:
    """The type of a key that has one value of an axis or a list of them."""
    one_or_more: Any = OneOrMore
    return Annotated[one_or_more[value_of(axis)], Field(min_length=1, max_length=1000)]


def _default(axis: Axis[Any]) -> Any:
    """The field of a key with the default of an axis, which the schema spells as a config does."""
    default = axis.default if isinstance(axis.default, list) else [axis.default]
    return Field(
        default_factory=default.copy,
        description=axis.description,
        json_schema_extra={"default": [axis.plain(value) for value in default]},
    )


class AxisKeys(Generated):
    """A group of settings with axes as keys, each of which has a list of values."""

    def values(self, axis: str) -> list[Any]:
        """The values of an axis; an empty list if it is not set."""
        return getattr(self, axis, None) or []

    def given(self) -> dict[str, list[Any]]:
        """The axes that are set, in the order of the table of axes, with their values."""
        axes = (*SIDE_AXES, *CELL_AXES)
        return {axis: getattr(self, axis) for axis in axes if axis in self.model_fields_set}


class ExperimentKeys(AxisKeys):
    """The keys of an experiment besides the axes."""

    pairs: Annotated[OneOrMore[str], Field(min_length=1)] | None = Field(
        None, description="Which pairs; by default, all."
    )
    source: AxisKeys | None = None
    target: AxisKeys | None = None

    def side(self, name: str) -> AxisKeys | None:
        """The axes that one side sets for itself."""
        return self.source if name == "source" else self.target


class AlignerKeys(Generated):
    """The keys of the aligners."""

    def options(self, aligner: str) -> dict[str, Any]:
        """The options of an aligner, as keywords; those of a plug-in are its defaults."""
        options: Settings | None = getattr(self, aligner, None)
        return options.model_dump(exclude_none=True) if options else {}


if TYPE_CHECKING:
    # The models are made below; a type checker needs their names as types.
    class SideAxes(AxisKeys): ...

    class Experiment(ExperimentKeys): ...

    class Aligners(AlignerKeys): ...
else:
    SideAxes = create_model(
        "SideAxes",
        __base__=AxisKeys,
        __doc__="Axes of one side only, over those of the experiment.",
        **{
            name: (_values(axis) | None, Field(None, description=axis.description))
            for name, axis in SIDE_AXES.items()
            if not axis.shared
        },
    )
    Experiment = create_model(
        "Experiment",
        __base__=ExperimentKeys,
        __doc__="A sub-grid. Every axis is one value or a list of values.",
        source=(SideAxes | None, None),
        target=(SideAxes | None, None),
        **{name: (_values(axis), _default(axis)) for name, axis in (SIDE_AXES | CELL_AXES).items()},
    )
    Aligners = create_model(
        "Aligners",
        __base__=AlignerKeys,
        __doc__="Options of the aligners, which hold for all cells.",
        **{
            name: (options, Field(default_factory=options, description=options.__doc__))
            for name, options in ((name, entry.load_options()) for name, entry in ALIGNERS.items())
        },
    )

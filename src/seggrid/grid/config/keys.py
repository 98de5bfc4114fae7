"""Models with keys that follow from tables to which plug-ins may add: made when a config is checked.

`Experiment` has a key for each axis, `Aligners` one for each aligner. Their classes declare the other keys
and the methods; `with_keys` derives the model of now, also of a model in whose fields they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, create_model

from seggrid.align import ALIGNERS
from seggrid.base.axis import Axis
from seggrid.base.settings import Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES

M = TypeVar("M", bound=BaseModel)

Keys = Mapping[str, tuple[Any, Any]]
"""Type and field of each key."""


class Keyed(Settings):
    """Settings with keys from a table, besides the fields that the class declares."""

    @classmethod
    def keys(cls) -> Keys:
        """The keys from the table, as it is now."""
        raise NotImplementedError


def axes() -> dict[str, Axis[Any]]:
    """The axes of sides and of cells, those of plug-ins among them."""
    return {**SIDE_AXES, **CELL_AXES}


_made: dict[type[BaseModel], type[BaseModel]] = {}
_tables: list[Mapping[str, Any]] = []
"""The models that were made, and the tables as they were then."""


def with_keys(model: type[M]) -> type[M]:
    """A model with all keys, derived from it; the same until a plug-in is loaded."""
    tables: list[Mapping[str, Any]] = [axes(), dict(ALIGNERS)]
    if tables != _tables:
        _made.clear()
        _tables[:] = tables
    if model not in _made:
        _made[model] = _derived(model)
    return cast("type[M]", _made[model])


def _derived(model: type[BaseModel]) -> type[BaseModel]:
    keys: dict[str, Any] = {
        name: (inner, field)
        for name, field in model.model_fields.items()
        if (inner := _type_with_keys(field.annotation)) != field.annotation
    }
    if issubclass(model, Keyed):
        keys |= model.keys()
    if not keys:
        return model
    return create_model(
        model.__name__,
        __base__=model,
        __doc__=model.__doc__,
        __module__=model.__module__,
        **keys,
    )


def _type_with_keys(kind: Any) -> Any:
    """A type, such as `dict[str, Experiment] | None`, whose models have all keys."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return with_keys(kind)
    parts = get_args(kind)
    if (inner := tuple(map(_type_with_keys, parts))) == parts:
        return kind
    origin = get_origin(kind)
    return reduce(or_, inner) if origin is UnionType else cast("Any", origin)[inner]

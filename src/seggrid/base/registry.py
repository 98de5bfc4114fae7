"""Registries: classes by name, each imported when it is asked for, so that names are known at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(MutableMapping[str, type[T]], Generic[T]):
    """Classes by name, at first each as its module and its name, `"package.module:Name"`."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places: dict[str, str | type[T]] = dict(places)

    def __getitem__(self, name: str) -> type[T]:
        found = self._places[name]
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            found = self._places[name] = getattr(import_module(module), attribute)
        return found

    def __setitem__(self, name: str, entry: type[T]) -> None:
        self._places[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

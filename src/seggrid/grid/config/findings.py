"""Collect the mistakes and remarks of a config."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from seggrid.errors import InputError, InputErrors, suggestion
from seggrid.grid.config.read import Node

MAX_MISTAKES = 50
"""The most mistakes that are reported."""

Key = tuple[str, ...]
"""The path of keys to a value."""


class Findings:
    """The mistakes and remarks of a config, each reported once, by the lines of its files."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self._mistakes: dict[str, InputError] = {}
        self._remarks: dict[str, InputError] = {}

    def mistake(self, key: Key, message: str, hint: str | None = None) -> None:
        """Add a mistake in the value at a key."""
        error = self._error(key, message, hint)
        self._mistakes.setdefault(str(error), error)

    def unknown(self, key: Key, what: str, name: str, known: Collection[str]) -> None:
        """Add a mistake if a name is none of the known ones: `what` is what it should be the name of."""
        if name not in known:
            # Similar names are looked for only as long as a mistake is surely shown: it takes long.
            few = len(self._mistakes) < MAX_MISTAKES
            self.mistake(key, f"no {what} {name!r}", suggestion(name, list(known)) if few else None)

    def remark(self, key: Key, message: str) -> None:
        """Add a remark on a value that is allowed but may not be intended."""
        remark = self._error(key, message, None)
        self._remarks.setdefault(str(remark), remark)

    def setting(self, axis: str, groups: Sequence[Key]) -> Key:
        """The key that sets an axis, in the first group that does; if none does, in the last."""
        of = (group for group in groups if axis in self.root.at(group).value)
        return (*next(of, groups[-1]), axis)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks, in the order of lines."""
        return tuple(map(str, _by_line(self._remarks.values())))

    def __bool__(self) -> bool:
        """Whether there is a mistake."""
        return bool(self._mistakes)

    def refuse(self) -> None:
        """Raise the mistakes, if there are any, in the order of lines."""
        found = _by_line(self._mistakes.values())
        if len(found) > MAX_MISTAKES:
            more = f"and {len(found) - MAX_MISTAKES:,} more mistakes"
            found[MAX_MISTAKES:] = [InputError(more, file=found[MAX_MISTAKES].file)]
        if found:
            raise InputErrors(found)

    def _error(self, key: Key, message: str, hint: str | None) -> InputError:
        node = self.root.at(key)
        where = ".".join(key)
        return InputError(
            f"{where}: {message}" if where else message, file=node.file, line=node.line, hint=hint
        )


def _by_line(errors: Iterable[InputError]) -> list[InputError]:
    # The command line comes last.
    return sorted(errors, key=lambda e: (e.line is None, str(e.file), e.line or 0))

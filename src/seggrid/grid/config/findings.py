"""Collect the mistakes and remarks of a config."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from seggrid.errors import InputError, InputErrors, suggestion
from seggrid.grid.config.read import Source

MAX_MISTAKES = 50
"""The most mistakes that are reported."""

Key = tuple[str, ...]
"""The path of keys to a value."""


class Findings:
    """The mistakes and remarks of one config, each reported once.

    Args:
        source: the config, with the mistakes in its files.
    """

    def __init__(self, source: Source) -> None:
        self.root = source.root
        self._order = {file: position for position, file in enumerate(source.files)}
        self._mistakes = {str(error): error for error in source.mistakes}
        self._remarks: dict[str, InputError] = {}
        self._misread = {(error.file, error.line) for error in source.mistakes}

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

    def is_misread(self, key: Key) -> bool:
        """Whether the line of a key has a mistake in how it is written."""
        node = self.root.at(key)
        return (node.file, node.line) in self._misread

    def written(self, path: Sequence[str | int]) -> str | None:
        """The text of a number, truth value or null in the file; None for other values."""
        node = self.root.at(path)
        return node.text if not isinstance(node.value, str | dict | list) and node.text else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks, in the order of files and lines."""
        return tuple(map(str, self._by_line(self._remarks)))

    def __bool__(self) -> bool:
        """Whether there is a mistake."""
        return bool(self._mistakes)

    def refuse(self) -> None:
        """Raise the mistakes, if there are any.

        Raises:
            InputErrors: the mistakes, in the order of files and lines.
        """
        found = self._by_line(self._mistakes)
        if len(found) > MAX_MISTAKES:
            more = f"and {len(found) - MAX_MISTAKES:,} more mistakes"
            found[MAX_MISTAKES:] = [InputError(more, file=found[MAX_MISTAKES].file)]
        if found:
            raise InputErrors(found)

    def _by_line(self, errors: Mapping[str, InputError]) -> list[InputError]:
        return sorted(
            errors.values(),
            key=lambda error: (self._order.get(str(error.file), len(self._order)), error.line or 0),
        )

    def _error(self, key: Key, message: str, hint: str | None) -> InputError:
        node = self.root.at(key)
        where = ".".join(key)
        return InputError(
            f"{where}: {message}" if where else message, file=node.file, line=node.line, hint=hint
        )

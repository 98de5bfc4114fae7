"""Read config files: YAML in which every value keeps its file and line, and mistakes in them.

Snakemake reads the same files before the code of a workflow runs, but it keeps only the last of two equal
keys, reads `no:` as False and `1:30` as 90, and keeps no line numbers. So the files are read again here,
and Snakemake's values are not used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isinf
from pathlib import Path
from typing import Any, NoReturn

import yaml

from seggrid.base.errors import InputError, InputErrors, suggestion
from seggrid.base.lines import read_utf8

MAX_BYTES = 2_000_000
MAX_DEPTH = 30
_DEEP, _BRACKETS = f"values nested more than {MAX_DEPTH} deep", "check the brackets"
MAX_VALUES = 200_000
"""The most values in a file; a value with aliases counts each time it is used."""

_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null"), None),
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
    **{sign + ".inf": float(sign + "inf") for sign in ("", "+", "-")},
    ".nan": float("nan"),
}
# A number with a leading zero, octal in YAML 1.1, must be a typing error or a text.
_INTEGER = re.compile(r"[+-]?(0|[1-9][\d_]{0,999})", re.ASCII)
_FLOAT = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_SYNTAX = (
    "check quotes, brackets, and indentation without tabs; quote a text with a colon and a space"
)


@dataclass(frozen=True)
class ConfigNode:
    """A value of a config, and where it is set.

    Attributes:
        value: None, a truth value, a number or a text; a dict of nodes; a list of nodes.
        file: file in which it is set.
        line: line of its key, from 1; None if it has no key.
    """

    value: Any
    file: str
    line: int | None = None

    def plain(self) -> Any:
        """The value without files and lines."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def at(self, path: Sequence[str]) -> ConfigNode:
        """The value at some keys; if it does not exist, the innermost value on the path that does."""
        node = self
        for key in path:
            if not isinstance(node.value, dict) or key not in node.value:
                break
            node = node.value[key]
        return node


def read_config(
    files: Sequence[str | Path],
    overrides: Sequence[str] = (),
    keys: str = "pairs: and experiments:",
) -> ConfigNode:
    """Read config files and merge them, as Snakemake does: mappings are merged key by key, and any other
    value replaces an earlier one. `overrides` are `key=value` from the command line, with the value as YAML;
    `keys` are those that a file begins with, for hints.
    """
    root, found = ConfigNode({}, str(files[-1]) if files else "config"), []
    readers = [partial(_read_file, Path(file), keys) for file in files]
    for read in (*readers, *(partial(_read_override, entry) for entry in overrides)):
        try:
            root = _over(root, read())
        except InputErrors as several:
            found += several.errors
        except InputError as error:
            found.append(error)
    if found:
        raise InputErrors(found)
    return root


def _read_file(path: Path, keys: str) -> ConfigNode:
    # Messages name a file relative to the working directory if it is below it.
    shown = str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
    hint = f"begin it with {keys}"
    root = _Reader(read_utf8(shown, hint, MAX_BYTES), shown).document()
    if not isinstance(root.value, dict):
        raise InputError("not a mapping of keys to values", file=shown, line=root.line, hint=hint)
    return root


def _read_override(entry: str) -> ConfigNode:
    key, _, text = entry.partition("=")
    value = _Reader(text, f"--config {key}", numbered=False).document()
    return ConfigNode({key: value}, value.file)


def from_plain(value: Any, file: str = "config") -> ConfigNode:
    """Make a node from plain values, which have no line numbers."""
    if isinstance(value, Mapping):
        return ConfigNode({str(key): from_plain(inner, file) for key, inner in value.items()}, file)
    if isinstance(value, list | tuple):
        return ConfigNode([from_plain(inner, file) for inner in value], file)
    return ConfigNode(value, file)


def _over(below: ConfigNode, above: ConfigNode) -> ConfigNode:
    if not isinstance(below.value, dict) or not isinstance(above.value, dict):
        return above
    joined = dict(below.value)
    for key, node in above.value.items():
        joined[key] = _over(joined[key], node) if key in joined else node
    return replace(above, value=joined)


class _Reader:
    """Make nodes from the parser's events."""

    def __init__(self, text: str, file: str, numbered: bool = True) -> None:
        self.text, self.file, self.numbered = text, file, numbered
        self.events: Iterator[Any] = iter(())
        self.anchors: dict[str, tuple[ConfigNode, int]] = {}
        self.values = 0
        self.twice: list[InputError] = []

    def document(self) -> ConfigNode:
        """The only document; if there is none, the value is None."""
        raw = self.text.encode("utf-8", "surrogateescape")
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.events = (event for event in yaml.parse(raw, parser) if event.start_mark)
        root = ConfigNode(None, self.file, 1 if self.numbered else None)
        try:
            for event in self.events:
                if isinstance(event, yaml.DocumentStartEvent):
                    if self.values:
                        self.fail("a second document", event, "remove the line ---")
                    root = self.node(next(self.events), 0)
        except yaml.reader.ReaderError as error:
            line = raw.count(b"\n", 0, error.position) + 1
            raise self.error(f"not YAML: {error.reason}", line, "remove it") from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = min(mark.line if mark else 0, self.text.count("\n")) + 1
            # libyaml 0.2.6, in the wheels of PyYAML 6.0.4, has a limit of its own, far above ours.
            if "nesting depth" in str(error.problem):
                raise self.error(_DEEP, line, _BRACKETS) from None
            raise self.error(f"not YAML: {error.problem}", line, _SYNTAX) from None
        if self.twice:
            raise InputErrors(self.twice)
        return root

    def node(self, event: Any, depth: int) -> ConfigNode:
        """The value that begins with an event."""
        if depth > MAX_DEPTH:
            self.fail(_DEEP, event, _BRACKETS)
        line, before = self.line(event), self.values
        self.count(1, event)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                self.fail(f"no value &{event.anchor} before its alias", event, "write it out")
            known, size = self.anchors[event.anchor]
            self.count(size, event)
            return replace(known, line=line)
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            self.fail(f"the tag {event.tag}", event, "remove it")
        if isinstance(event, yaml.ScalarEvent):
            value = _typed(event.value) if event.implicit[0] else event.value
            found = ConfigNode(value, self.file, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                items.append(self.node(inner, depth + 1))
            found = ConfigNode(items, self.file, line)
        else:
            found = ConfigNode(self.mapping(depth), self.file, line)
        if event.anchor:
            self.anchors[event.anchor] = found, self.values - before
        return found

    def mapping(self, depth: int) -> dict[str, ConfigNode]:
        """The entries of a mapping; those of other mappings, merged by `<<`, come first."""
        own: dict[str, ConfigNode] = {}
        merged: dict[str, ConfigNode] = {}
        while not isinstance(name := next(self.events), yaml.MappingEndEvent):
            if not isinstance(name, yaml.ScalarEvent):
                self.fail(
                    "a key that is not a plain name",
                    name,
                    "quote a name that begins with [, {, * or &",
                )
            # Keys are names: `no` and `1` are texts, not False and a number.
            key, value = name.value, self.node(next(self.events), depth + 1)
            if key == "<<" and name.implicit[0]:
                for other in value.value if isinstance(value.value, list) else [value]:
                    if not isinstance(other.value, dict):
                        hint = "give it an alias of a mapping"
                        self.fail("<< of something that is not a mapping", name, hint)
                    self.count(len(other.value), name)
                    merged = {**other.value, **merged}
            elif key in own:
                before = f", after line {own[key].line}" if self.numbered else ""
                message = f"the key {key!r} a second time{before}"
                hint = "keep one of the two, or rename one"
                self.twice.append(self.error(message, self.line(name), hint))
            else:
                own[key] = replace(value, line=self.line(name))
        return merged | own

    def count(self, values: int, event: Any) -> None:
        self.values += values
        if self.values > MAX_VALUES:
            self.fail(f"more than {MAX_VALUES:,} values", event, "use fewer aliases")

    def line(self, event: Any) -> int | None:
        return event.start_mark.line + 1 if self.numbered else None

    def fail(self, message: str, event: Any, hint: str) -> NoReturn:
        raise self.error(message, self.line(event), hint)

    def error(self, message: str, line: int | None, hint: str) -> InputError:
        return InputError(message, file=self.file, line=line if self.numbered else None, hint=hint)


def _typed(text: str) -> Any:
    """The value of a scalar without quotes: a number, a truth value, or its text."""
    lower = text.lower()
    if lower in _WORDS and text in (lower, lower.upper(), lower.capitalize()):
        return _WORDS[lower]
    if _INTEGER.fullmatch(text):
        return int(text.rstrip("_").replace("_", ""))
    if _FLOAT.fullmatch(text):
        value = float(text)
        # A number that is too large or too small for a float stays a text, which is then refused.
        if not isinf(value) and (value or not re.search("[1-9].*[eE]", text)):
            return value
    return text


MAX_MISTAKES = 50
"""The most mistakes that are reported."""

Key = tuple[str, ...]
"""The path of keys to a value."""


class ConfigFindings:
    """The mistakes and remarks of a config, each reported once, by the lines of its files."""

    def __init__(self, root: ConfigNode) -> None:
        self.root = root
        self._mistakes: dict[str, InputError] = {}
        self._remarks: dict[str, InputError] = {}

    def mistake(self, key: Key, message: str, hint: str | None = None) -> None:
        """Add a mistake in the value at a key."""
        self._add(self._mistakes, key, message, hint)

    def unknown(self, key: Key, what: str, name: str, known: Collection[str]) -> None:
        """Add a mistake if a name is none of the known ones: `what` is what it should be the name of."""
        if name not in known:
            # Similar names are looked for only as long as a mistake is surely shown: it takes long.
            few = len(self._mistakes) < MAX_MISTAKES
            self.mistake(key, f"no {what} {name!r}", suggestion(name, list(known)) if few else None)

    def remark(self, key: Key, message: str) -> None:
        """Add a remark on a value that is allowed but may not be intended."""
        self._add(self._remarks, key, message, None)

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

    def _add(self, found: dict[str, InputError], key: Key, message: str, hint: str | None) -> None:
        node = self.root.at(key)
        text = ": ".join(filter(None, [".".join(key), message]))
        error = InputError(text, file=node.file, line=node.line, hint=hint)
        found.setdefault(str(error), error)


def _by_line(errors: Iterable[InputError]) -> list[InputError]:
    # The command line comes last.
    return sorted(errors, key=lambda e: (e.line is None, str(e.file), e.line or 0))

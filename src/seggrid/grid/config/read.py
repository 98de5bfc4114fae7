"""Read config files: YAML in which every value keeps its spelling, file and line.

Snakemake reads the same files before the code of a workflow runs, but it keeps only the last of two equal
keys, reads `no:` as False and `1:30` as 90, and keeps no line numbers. So the files are read again here,
and Snakemake's values are not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isinf
from pathlib import Path
from typing import Any, NoReturn

import yaml

from seggrid.errors import InputError, InputErrors

MAX_BYTES = 2_000_000
MAX_DEPTH = 30
MAX_NODES = 200_000
MAX_DIGITS = 17
"""The most digits of a number, which are those that a floating-point number distinguishes."""

COMMAND_LINE = "--config"
"""Takes the place of a file's name for values from the command line."""

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[+-]?(0|[1-9]\d*(_\d+)*)", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_REFUSED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\ufeff")
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null"), None),
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
    ".inf": float("inf"),
    "+.inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}


@dataclass(frozen=True)
class Node:
    """A value of a config.

    Attributes:
        value: None, a truth value, a number or a text; a dict of nodes; a list of nodes.
        file, line: where it is set; the line is that of its key if it has one.
        text: the spelling of a scalar.
        size: number of values in it, including itself; aliases count each time they are used.
    """

    value: Any
    file: str
    line: int | None = None
    text: str = ""
    size: int = 1

    def plain(self) -> Any:
        """The value without files and lines."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def at(self, path: Sequence[str | int]) -> Node:
        """The value at a path; if it does not exist, the innermost value on the path that does."""
        node = self
        for step in path:
            inside = node.value
            if isinstance(step, int):
                if not isinstance(inside, list) or step >= len(inside):
                    break
            elif not isinstance(inside, dict) or step not in inside:
                break
            node = inside[step]
        return node


@dataclass(frozen=True)
class Source:
    """A config as it is written in its files.

    Attributes:
        root: its values.
        files: the files; later ones override earlier ones.
        mistakes: mistakes in how the files are written; the values are usable apart from these.
    """

    root: Node
    files: tuple[str, ...] = ()
    mistakes: list[InputError] = field(default_factory=list)


def read_config(files: Sequence[str | Path], overrides: Sequence[str] = ()) -> Source:
    """Read config files and merge them, as Snakemake does: mappings are merged key by key, and any other
    value replaces an earlier one.

    Args:
        files: the files; later ones override earlier ones.
        overrides: `key=value` from the command line, with the value as YAML, which override all files.

    Raises:
        InputErrors: a file cannot be read, or is not YAML.
    """
    shown = [_shown(file) for file in files]
    root = Node({}, shown[-1] if files else "config")
    mistakes: list[InputError] = []
    unreadable: list[InputError] = []

    def lay_over(read: Callable[[], tuple[Node, list[InputError]]]) -> None:
        nonlocal root
        try:
            node, found = read()
        except InputError as error:
            unreadable.append(error)
            return
        root = _over(root, node)
        mistakes.extend(found)

    for file, name in zip(files, shown, strict=True):
        lay_over(partial(_read_file, Path(file), name))
    for entry in overrides:
        lay_over(partial(_read_override, entry))
    if unreadable:
        raise InputErrors(unreadable)
    return Source(root, tuple(shown), mistakes)


def _read_file(path: Path, name: str) -> tuple[Node, list[InputError]]:
    reader = _Reader(name, _read_text(path, name))
    return reader.read(), reader.mistakes


def _read_override(entry: str) -> tuple[Node, list[InputError]]:
    key, _, text = entry.partition("=")
    reader = _Reader(f"{COMMAND_LINE} {key}", text, numbered=False)
    value = reader.value()
    return Node({key: value}, value.file, size=value.size + 1), reader.mistakes


def from_plain(value: Any, file: str = "config") -> Node:
    """Make a node of plain values, which have no lines."""
    if isinstance(value, Mapping):
        inner = {str(key): from_plain(inside, file) for key, inside in value.items()}
        return Node(inner, file, size=1 + sum(node.size for node in inner.values()))
    if isinstance(value, list | tuple):
        items = [from_plain(inside, file) for inside in value]
        return Node(items, file, size=1 + sum(node.size for node in items))
    return Node(value, file)


def _over(below: Node, above: Node) -> Node:
    if not isinstance(below.value, dict) or not isinstance(above.value, dict):
        return above
    joined = dict(below.value)
    for key, node in above.value.items():
        joined[key] = _over(joined[key], node) if key in joined else node
    return replace(above, value=joined, size=1 + sum(node.size for node in joined.values()))


def _shown(file: str | Path) -> str:
    """A file's name in messages: relative to the working directory if it is below it."""
    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def _read_text(path: Path, shown: str) -> str:
    try:
        if path.is_dir():
            raise InputError("a folder, not a file", file=shown, hint="name the config file in it")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", file=shown, hint="check its name") from None
    if len(content) > MAX_BYTES:
        raise InputError(
            f"more than {MAX_BYTES / 1e6:g} MB", file=shown, hint="name the config, not a corpus"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte {content[error.start]:#04x}",
            file=shown,
            line=content.count(b"\n", 0, error.start) + 1,
            hint="save it as UTF-8",
        ) from None


class _Reader:
    """Read the document of one text from the events of the YAML parser."""

    def __init__(self, file: str, text: str, numbered: bool = True) -> None:
        self.file, self.text, self.numbered = file, text, numbered
        self.mistakes: list[InputError] = []
        self.anchors: dict[str, Node | None] = {}

    def read(self) -> Node:
        """The document, which must be a mapping."""
        node = self.value()
        if not isinstance(node.value, dict):
            self.fail(
                "not a mapping of keys to values",
                node.line,
                "begin it with pairs: and experiments:",
            )
        return node

    def value(self) -> Node:
        """The document, which may be any value."""
        if found := _REFUSED.search(self.text):
            self.fail(
                f"the character U+{ord(found[0]):04X}, which YAML does not allow",
                self.text.count("\n", 0, found.start()) + 1,
                "remove it",
            )
        try:
            self.events = self.parse()
            event = next(self.events)
            if isinstance(event, yaml.StreamEndEvent):
                return Node(None, self.file, self.line(event))
            node = self.node(next(self.events), 0)
            next(self.events)
            if not isinstance(event := next(self.events), yaml.StreamEndEvent):
                self.fail("a second document", self.line(event), "remove the line ---")
            return node
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self.fail_syntax(
                error.problem or "", mark.line if mark else 0, mark.column if mark else 0
            )

    def fail_syntax(self, problem: str, line: int, column: int) -> NoReturn:
        lines = self.text.splitlines() or [""]
        written = lines[min(line, len(lines) - 1)]
        hint = "check indentation, quotes and brackets there and in the line before"
        if "\t" in written[: column + 1]:
            hint = "a tab: indent with spaces"
        elif "mapping values are not allowed" in problem:
            hint = "quote a value that holds a colon and a space"
        self.fail(f"not YAML: {problem}", min(line, len(lines) - 1) + 1, hint)

    def parse(self) -> Iterator[yaml.Event]:
        for event in yaml.parse(self.text, Loader=_PARSER):
            if not isinstance(event, yaml.StreamStartEvent):
                yield event

    def line(self, event: yaml.Event) -> int | None:
        return event.start_mark.line + 1 if self.numbered else None

    def node(self, event: yaml.Event, depth: int) -> Node:
        line = self.line(event)
        if depth > MAX_DEPTH:
            self.fail(f"values nested more than {MAX_DEPTH} deep", line, "check the brackets")
        if isinstance(event, yaml.AliasEvent):
            found = self.anchors.get(event.anchor)
            if found is None:
                inside = event.anchor in self.anchors
                problem = (
                    "inside the value that it names" if inside else "without an anchor before it"
                )
                self.fail(
                    f"the alias *{event.anchor} {problem}", line, f"define &{event.anchor} first"
                )
            return found
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            node = self.scalar(event, line)
        else:
            if event.tag is not None:
                self.fail(f"the tag {event.tag}", line, "remove it")
            inner = self.sequence if isinstance(event, yaml.SequenceStartEvent) else self.mapping
            node = inner(line, depth)
            if node.size > MAX_NODES:
                self.fail(f"more than {MAX_NODES:,} values", line, "use fewer aliases")
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def sequence(self, line: int | None, depth: int) -> Node:
        items, size = [], 1
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
            size += items[-1].size
        return Node(items, self.file, line, size=size)

    def mapping(self, line: int | None, depth: int) -> Node:
        own: dict[str, Node] = {}
        merged: list[Node] = []
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            at = self.line(event)
            if not isinstance(event, yaml.ScalarEvent):
                self.fail(
                    "a key that is not a plain name",
                    at,
                    "quote a name that begins with [, {, * or &",
                )
            # A key is a name: `no` and `1` are texts, not False and a number.
            key = event.value
            node = self.node(next(self.events), depth + 1)
            if key == "<<" and not event.style:
                merged += node.value if isinstance(node.value, list) else [node]
                continue
            if key in own:
                before = f", after line {own[key].line}" if self.numbered else ""
                self.mistakes.append(
                    InputError(
                        f"the key {key!r} a second time{before}",
                        file=self.file,
                        line=at,
                        hint="keep one of the two, or rename one",
                    )
                )
                continue
            own[key] = replace(node, line=at)
        if len(merged) > MAX_DEPTH:
            self.fail(f"<< of more than {MAX_DEPTH} mappings", line, "write the keys out")
        for node in merged:
            if not isinstance(node.value, dict):
                self.fail(
                    "<< of something that is not a mapping", line, "give it an alias of a mapping"
                )
            own = {**node.value, **own}
        return Node(own, self.file, line, size=1 + sum(node.size for node in own.values()))

    def scalar(self, event: yaml.ScalarEvent, line: int | None) -> Node:
        text = event.value
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            self.fail(f"the tag {event.tag}", line, "remove it")
        if event.style or event.tag is not None:
            return Node(text, self.file, line, text)
        return Node(self.typed(text, line), self.file, line, text)

    def typed(self, text: str, line: int | None) -> Any:
        """The value of a scalar without quotes: a number, a truth value, or its text."""
        lower = text.lower()
        if lower in _WORDS and text in (lower, lower.upper(), lower.capitalize()):
            return _WORDS[lower]
        number = _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)
        # A number that YAML 1.1 reads as octal is a typing error or a text.
        if number is None or _LEADING_ZERO.match(text):
            return text
        significand = re.split("[eE]", text)[0].strip("+-")
        digits = sum(character.isdigit() for character in significand.lstrip("0."))
        value = 0.0 if digits > MAX_DIGITS else float(text.replace("_", ""))
        problem = f"a number of {digits} digits" if digits > MAX_DIGITS else ""
        if not problem and (isinf(value) or (digits and not value)):
            problem = f"{text} is too large or too small for a number"
        if problem:
            hint = "quote it if it is text"
            self.mistakes.append(InputError(problem, file=self.file, line=line, hint=hint))
            return text
        return int(text.replace("_", "")) if _INTEGER.fullmatch(text) else value

    def fail(self, message: str, line: int | None, hint: str) -> NoReturn:
        at = line if self.numbered else None
        raise InputError(message, file=self.file, line=at, hint=hint)

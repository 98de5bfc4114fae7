"""Read config files: YAML in which every value keeps its spelling, file and line.

Snakemake reads the same files before the code of a workflow runs, but it keeps only the last of two equal
keys, reads `no:` as False and `1:30` as 90, and keeps no line numbers. So the files are read again here,
and Snakemake's values are not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isinf
from pathlib import Path
from typing import Any, NoReturn

import yaml
import yaml.composer

from seggrid.errors import InputError, InputErrors

MAX_BYTES = 2_000_000
MAX_DEPTH = 30
MAX_NODES = 200_000
MAX_DIGITS = 17
"""The most digits of a number: as many as a floating-point number distinguishes."""

COMMAND_LINE = "--config"
"""Stands for the file name of values from the command line."""


PLAIN, OTHER = "plain", "other"
"""Tags of scalars without quotes, and of all other values without an explicit tag."""
_TEXT = "tag:yaml.org,2002:str"

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
        file, line: where it is set; the line of its key, if it has a key.
        text: the spelling of a scalar in the file.
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
        mistakes: mistakes in how the files are written; all other values are usable.
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
    """Make a node from plain values, which have no line numbers."""
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


_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# With the composer written in Python, since values nested 100,000 deep crash that of libyaml.
_BASES = (_PARSER,) if _PARSER is yaml.SafeLoader else (yaml.composer.Composer, _PARSER)
_LOADER: Any = type("_LOADER", _BASES, {})


class _Composer(_LOADER):  # type: ignore[misc]
    """PyYAML's composer, whose nodes keep positions, duplicate keys and aliases. This one refuses deep
    nesting, and marks scalars without quotes by a tag."""

    def __init__(self, text: str) -> None:
        _PARSER.__init__(self, text)
        yaml.composer.Composer.__init__(self)
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> yaml.Node | None:
        if self._depth > MAX_DEPTH:
            message = f"values nested more than {MAX_DEPTH} deep"
            line = self.peek_event().start_mark.line + 1
            raise InputError(message, line=line, hint="check the brackets")
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def descend_resolver(self, parent: Any, index: Any) -> None:
        """Do nothing: tags depend only on the scalar itself."""

    def ascend_resolver(self) -> None:
        """Do nothing: tags depend only on the scalar itself."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        return PLAIN if kind is yaml.ScalarNode and implicit[0] else OTHER


class _Reader:
    """Read the document of one text."""

    def __init__(self, file: str, text: str, numbered: bool = True) -> None:
        self.file, self.text, self.numbered = file, text, numbered
        self.mistakes: list[InputError] = []
        self.read_nodes: dict[int, Node | None] = {}
        self.merged_keys = 0

    def read(self) -> Node:
        """The document, which must be a mapping."""
        node = self.value()
        if not isinstance(node.value, dict):
            hint = "begin it with pairs: and experiments:"
            self.fail("not a mapping of keys to values", node.line, hint)
        return node

    def value(self) -> Node:
        """The document, which may be any value."""
        if found := _REFUSED.search(self.text):
            message = f"the character U+{ord(found[0]):04X}, which YAML does not allow"
            self.fail(message, self.text.count("\n", 0, found.start()) + 1, "remove it")
        try:
            root = _Composer(self.text).get_single_node()
        except yaml.MarkedYAMLError as error:
            self.fail_syntax(error)
        except InputError as error:
            self.fail(error.message, error.line, error.hint)
        return Node(None, self.file, self.line(1)) if root is None else self.node(root)

    def fail_syntax(self, error: yaml.MarkedYAMLError) -> NoReturn:
        mark, problem = error.problem_mark or error.context_mark, error.problem or ""
        lines = self.text.splitlines() or [""]
        line = min(mark.line if mark else 0, len(lines) - 1)
        if problem == "but found another document":
            self.fail("a second document", line + 1, "remove the line ---")
        hint = "check indentation, quotes and brackets there and in the line before"
        if "\t" in lines[line][: (mark.column if mark else 0) + 1]:
            hint = "a tab: indent with spaces"
        elif "mapping values are not allowed" in problem:
            hint = "quote a value that holds a colon and a space"
        elif "alias" in problem:
            hint = "an alias *name needs an anchor &name before it"
        self.fail(f"not YAML: {problem}", line + 1, hint)

    def line(self, number: int) -> int | None:
        return number if self.numbered else None

    def node(self, node: yaml.Node) -> Node:
        line = self.line(node.start_mark.line + 1)
        # A value with aliases is read only once.
        if id(node) in self.read_nodes:
            if (known := self.read_nodes[id(node)]) is None:
                self.fail("an alias inside the value that it names", line, "write the value out")
            return known
        self.read_nodes[id(node)] = None
        if node.tag not in (PLAIN, OTHER, _TEXT):
            self.fail(f"the tag {node.tag}", line, "remove it")
        if isinstance(node, yaml.ScalarNode):
            value = self.typed(node.value, line) if node.tag == PLAIN else node.value
            found = Node(value, self.file, line, node.value)
        elif isinstance(node, yaml.SequenceNode):
            items = list(map(self.node, node.value))
            found = Node(items, self.file, line, size=1 + sum(item.size for item in items))
        else:
            assert isinstance(node, yaml.MappingNode)
            found = self.mapping(node, line)
        if found.size > MAX_NODES:
            self.fail(f"more than {MAX_NODES:,} values", line, "use fewer aliases")
        self.read_nodes[id(node)] = found
        return found

    def mapping(self, node: yaml.MappingNode, line: int | None) -> Node:
        own: dict[str, Node] = {}
        merged: list[Node] = []
        for name, value_node in node.value:
            at = self.line(name.start_mark.line + 1)
            if not isinstance(name, yaml.ScalarNode):
                hint = "quote a name that begins with [, {, * or &"
                self.fail("a key that is not a plain name", at, hint)
            # Keys are names: `no` and `1` are texts, not False and a number.
            key, value = name.value, self.node(value_node)
            if key == "<<" and name.tag == PLAIN:
                merged += value.value if isinstance(value.value, list) else [value]
            elif key in own:
                before = f", after line {own[key].line}" if self.numbered else ""
                self.mistake(
                    f"the key {key!r} a second time{before}",
                    at,
                    "keep one of the two, or rename one",
                )
            else:
                own[key] = replace(value, line=at)
        if len(merged) > MAX_DEPTH:
            self.fail(f"<< of more than {MAX_DEPTH} mappings", line, "write the keys out")
        for other in merged:
            if not isinstance(other.value, dict):
                hint = "give it an alias of a mapping"
                self.fail("<< of something that is not a mapping", line, hint)
            # Each mapping is a copy of what it merges, even if it is in a list of many.
            self.merged_keys += len(other.value)
            if self.merged_keys > MAX_NODES:
                self.fail(f"<< of more than {MAX_NODES:,} keys", line, "use fewer aliases")
            own = {**other.value, **own}
        return Node(own, self.file, line, size=1 + sum(value.size for value in own.values()))

    def typed(self, text: str, line: int | None) -> Any:
        """The value of a scalar without quotes: a number, a truth value, or its text."""
        lower = text.lower()
        if lower in _WORDS and text in (lower, lower.upper(), lower.capitalize()):
            return _WORDS[lower]
        number = _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)
        # A number with a leading zero, octal in YAML 1.1, must be a typing error or a text.
        if number is None or _LEADING_ZERO.match(text):
            return text
        significand = re.split("[eE]", text)[0].strip("+-")
        digits = sum(character.isdigit() for character in significand.lstrip("0."))
        value = 0.0 if digits > MAX_DIGITS else float(text.replace("_", ""))
        problem = f"a number of {digits} digits" if digits > MAX_DIGITS else ""
        if not problem and (isinf(value) or (digits and not value)):
            problem = f"{text} is too large or too small for a number"
        if problem:
            self.mistake(problem, line, "quote it if it is text")
            return text
        return int(text.replace("_", "")) if _INTEGER.fullmatch(text) else value

    def mistake(self, message: str, line: int | None, hint: str) -> None:
        self.mistakes.append(InputError(message, file=self.file, line=line, hint=hint))

    def fail(self, message: str, line: int | None, hint: str | None) -> NoReturn:
        at = line if self.numbered else None
        raise InputError(message, file=self.file, line=at, hint=hint)

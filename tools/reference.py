"""The references on pages: options of commands, from their parsers, keys of the config, columns
of tables, measures, the glossary.

`python tools/reference.py` rewrites the parts of the pages between markers.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seggrid.base.errors import either
from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write
from seggrid.base.parameters import COMPRESSED
from seggrid.base.parsers import groups_of
from seggrid.base.result_tables import GRID, ResultTable
from seggrid.commands import parser_of
from seggrid.grid.axes import AXES
from seggrid.grid.config.schema import json_schema
from seggrid.grid.report.terms import GLOSSARY
from seggrid.grid.run import options as options_of_run
from seggrid.grid.study import every_table
from seggrid.segment.measures import MEASURES

PAGE = PROJECT / "docs/commands.md"
_HEAD = ["| option | value | meaning |", "| --- | --- | --- |"]


def options_tables() -> dict[str, str]:
    """The arguments and options of each verb, in the order of the page; a row that a verb before has is only
    named."""
    order = re.findall(r"^<!-- ([a-z-]+) -->$", PAGE.read_text(encoding="utf-8"), re.M)
    first: dict[str, str] = {}
    return {verb: _options_table(verb, first) for verb in order}


def _options_table(verb: str, first: dict[str, str]) -> str:
    """One table for each group of a verb's help; `first` has the verb at which each row stands. Axes, which
    are keys of a config too, are only named."""
    parser = parser_of(verb)
    groups = [
        (group, [_row(own) for own in actions if own.dest != "help" and not _is_axis(own)])
        for group, actions in groups_of(parser)
        if group.title != "messages"  # which all commands have
    ]
    axes = [
        f"`{own.option_strings[0]}`"
        for _, own_actions in groups_of(parser)
        for own in own_actions
        if _is_axis(own)
    ]
    again: dict[str, list[str]] = {}
    for _, rows in groups:
        for row in rows:
            if first.setdefault(row, verb) != verb:
                again.setdefault(first[row], []).append(row.split(" | ")[0].removeprefix("| "))
    # The two groups of argparse itself, arguments and options, make one table without a title.
    tables = [(None, [row for _, rows in groups[:2] for row in rows]), *groups[2:]]
    parts = []
    for group, rows in tables:
        if own := [row for row in rows if first[row] == verb]:
            parts += ["", f"*{group.title}*"] if group else []
            parts += ["", _escape(group.description)] if group and group.description else []
            parts += ["", *_HEAD, *own]
    if axes:
        keys = "[keys of an experiment](../config/README.md#keys-below-experiments)"
        if (other := first.setdefault(named := ", ".join(axes), verb)) != verb:
            parts += ["", f"With the {keys} that [`{other}`](#{other}) has."]
        else:
            parts += ["", f"With the values and meanings of the {keys}: {named}."]
    for other, names in again.items():
        parts += ["", f"As for [`{other}`](#{other}): {', '.join(names)}."]
    epilog = (parser.epilog or "").partition("examples:")[0]  # which the page itself has
    if epilog.startswith("recipes:"):
        title, *lines = epilog.splitlines()
        parts += ["", title.capitalize(), "", *(f"- {_escape(line)}" for line in lines)]
    return "\n".join(parts)


def columns_table(table: ResultTable) -> str:
    """What a table of results has a row for, when it is made, where it is shown, and its columns."""
    shown = [f"`{table.section}`"] if table.section else []
    shown += ["figures"] if table.drawn else []
    shown += ["tables for papers"] if table.latex else []
    made = f" Made if the config has {table.part}." if table.part != GRID else ""
    parts = [f"### {table.file}\n", f"One row per {table.rows}.{made}"]
    parts[-1] += f" Shown: {', '.join(shown)}.\n" if shown else "\n"
    parts.append("| column | unit | meaning |\n| --- | --- | --- |")
    for column in table.columns:
        names = ", ".join(f"`{name}`" for name in column.names)
        parts.append(f"| {names} | {column.unit} | {column.meaning} |")
    return "\n".join([*parts, ""])


def glossary() -> str:
    """The terms, part by part."""
    return "\n".join(
        f"## {part}\n\n" + "\n".join(f"### {term}\n\n{said}\n" for term, said in terms.items())
        for part, terms in GLOSSARY.items()
    )


def measures_table() -> str:
    """The table of measures in docs/methods.md."""
    rows = [
        f"| `{name}` | {own.meaning}{own.detail and '; ' + own.detail} |".replace("|V|", r"\|V\|")
        for name, own in MEASURES.items()
    ]
    head = ["| column (with `_source` or `_target`) | meaning |", "| --- | --- |"]
    return "\n".join([*head, *rows])


def snakemake_table() -> str:
    """The options of Snakemake that are refused, always or with some values; those that are refused for the
    same reason share a row."""
    rows = options_of_run.option_table()
    said = [(f"`--{name}`", why) for name, why in rows["refused"].items()]
    for rule, how in (
        ("only", "with other values than {}"),
        ("never", "as {}"),
        ("beside", "without {}"),
    ):
        for name, (words, why) in rows[rule].items():
            named = words.split()
            values = either([f"`{'--' * (rule == 'beside')}{word}`" for word in named])
            values = "all values together" if len(named) > 3 else values
            said.append((f"`--{name}` {how.format(values)}", why))
    alike: dict[str, list[str]] = {}
    for name, why in said:
        alike.setdefault(re.sub(r"\| leave it out[:;]? ?", "| ", why), []).append(name)
    lines = (f"| {', '.join(names)} | {why.strip()} |" for why, names in alike.items())
    return "\n".join(["| refused | why: it | note |", "| --- | --- | --- |", *lines])


# The keys of the config.

Schema = Mapping[str, Any]


def _resolve(node: Schema, root: Schema) -> Schema:
    """A JSON schema with its `$ref` resolved. Of alternatives, the last is taken: for one or more values, the
    list."""
    while "$ref" in node or "anyOf" in node:
        own = {key: value for key, value in node.items() if key not in ("$ref", "anyOf")}
        inner = node["anyOf"][-1] if "anyOf" in node else root["$defs"][node["$ref"][8:]]
        node = {**inner, **own}
    return node


KEYS_HEAD = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n"


def keys_tables(schema: Schema) -> str:
    """A row for each key: its path, type, default and description. Keys of one value are in the first table;
    each mapping has a table of its own, below a heading."""
    values, mappings = KEYS_HEAD, []
    for name, key in schema["properties"].items():
        rows = "".join(
            _key_row(path, own, schema)
            for path, own in _walk({"properties": {name: key}}, schema, "", {})
        )
        if rows.count("\n") == 1:
            values += rows
        else:
            mappings.append(f"### Keys below `{name}`\n\n{KEYS_HEAD}{rows}")
    return "\n".join([values, *mappings])


def _key_row(path: str, key: Schema, schema: Schema) -> str:
    default = f"`{_inline(key['default'])}`" if "default" in key else ""
    meaning = " ".join(key.get("description", "").split()).replace("|", "\\|")
    return f"| `{path}` | {_kind(key, schema)} | {default} | {meaning} |\n"


def _walk(
    node: Schema, root: Schema, path: str, walked: dict[str, str]
) -> Iterator[tuple[str, Schema]]:
    """All keys below a node. Keys with the same schema (`source`, `target`) are walked once."""
    children = list(node.get("properties", {}).items())
    if isinstance(node.get("additionalProperties"), dict):
        children.append(("NAME", node["additionalProperties"]))
    for name, child in children:
        key = _resolve(child, root)
        here = f"{path}.{name}" if path else name
        reference = child.get("$ref", here) if "properties" in key else here
        if reference in walked:
            yield here, {**key, "description": f"The same keys as `{walked[reference]}`."}
            continue
        walked[reference] = here
        if here != _EXPERIMENT:
            key = _with_axes_named(key, root)
        yield here, key
        yield from _walk(key, root, here, walked)


_EXPERIMENT = "experiments.NAME"


def _with_axes_named(key: Schema, root: Schema) -> Schema:
    """A key whose description names those of its keys that an experiment has, too, in place of their rows."""

    def described(properties: Schema) -> dict[str, object]:
        return {name: _resolve(own, root).get("description") for name, own in properties.items()}

    experiment = _resolve(root["properties"]["experiments"]["additionalProperties"], root)
    own = key.get("properties", {})
    axes = dict(described(own).items() & described(experiment["properties"]).items())
    if not axes:
        return key
    named = ", ".join(f"`{name}`" for name in own if name in axes)
    there = f"[`{_EXPERIMENT}`](#keys-below-experiments)"
    return {
        **key,
        "description": f"{key['description']} Keys as in {there}: {named}.",
        "properties": {name: own[name] for name in own if name not in axes},
    }


def _kind(key: Schema, root: Schema) -> str:
    if "enum" in key:
        return either([f"`{_inline(value)}`" for value in key["enum"]])
    if "oneOf" in key:
        return "path, or `url` and `sha256`"
    kind = key.get("type", "")
    if kind == "array":
        return "one or more: " + _kind(_resolve(key["items"], root), root)
    if isinstance(kind, list):
        return " or ".join(_KINDS[one] for one in kind)
    return _KINDS[kind] + (_limits(key) if kind in ("integer", "number") else "")


_KINDS = {
    "object": "mapping",
    "boolean": "yes or no",
    "string": "text",
    "integer": "whole number",
    "number": "number",
}


def _limits(key: Schema) -> str:
    low = f"{key['minimum']:,g}" if "minimum" in key else f"above {key['exclusiveMinimum']:,g}"
    high = f"{key['maximum']:,}" if "maximum" in key else f"below {key['exclusiveMaximum']:,g}"
    return f", {low} to {high.removesuffix('.0')}"


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return "{}" if isinstance(value, dict) else str(value)


# The pages.


def tables() -> dict[Path, dict[str, str]]:
    """The tables of each page by their markers, `<!-- NAME -->` and `<!-- /NAME -->`."""
    return {
        PAGE: options_tables(),
        PROJECT / "docs/methods.md": {"measures": measures_table()},
        PROJECT / "config/README.md": {"keys": keys_tables(json_schema())},
        PROJECT / "docs/glossary.md": {"terms": glossary()},
        PROJECT / "docs/runs.md": {"snakemake": snakemake_table()},
        PROJECT / "docs/results.md": {"tables": "\n".join(map(columns_table, every_table()))},
    }


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """The page with updated tables between their markers."""
    for name, table in tables.items():
        marked = rf"<!-- {name} -->.*<!-- /{name} -->"
        written = f"<!-- {name} -->\n\n{table.strip()}\n\n<!-- /{name} -->"
        page, found = re.subn(marked, written.replace("\\", r"\\"), page, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"a page has {marked} {found} times")
    return page


def _row(action: argparse.Action) -> str:
    """A row of a table; what holds for every output is said at the head of the page."""
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    if names:
        value = _value(action)
    else:
        names = f"`{action.metavar or action.dest}`"
        many = {"+": "one or more", "*": "any number", "?": "may be left out"}
        value = many.get(str(action.nargs), "")
    is_told = action.default not in (None, False, [], argparse.SUPPRESS)
    default = f"; by default `{action.default}`" if is_told else ""
    required = " (required)" if action.required and action.option_strings else ""
    text = _escape((action.help or "").replace("%%", "%").replace(COMPRESSED, ""))
    return f"| {names} | {value} | {text}{default}{required} |"


def _is_axis(action: argparse.Action) -> bool:
    """Whether an option sets an axis as a config does, with the same words."""
    axis = AXES.get(action.dest)
    plain = (
        text.replace("`", "") for text in (axis.description if axis else "", action.help or "")
    )
    said, told = plain
    return axis is not None and told.startswith(said)


def _value(action: argparse.Action) -> str:
    """How the value of an option is written: its choices, or its placeholder, repeated if it takes
    several."""
    if action.nargs == 0:
        return ""
    if action.choices is not None:
        return ", ".join(f"`{choice}`" for choice in action.choices)
    times = action.nargs if isinstance(action.nargs, int) else 1
    name = action.metavar or action.dest.upper()
    values = " ".join(f"`{one}`" for one in (name if isinstance(name, tuple) else [name] * times))
    return f"{values} …" if action.nargs in ("+", "*") else values


def _escape(text: str) -> str:
    """Help text as Markdown in a table cell; code between backticks is not changed."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        piece if piece.startswith("`") else piece.replace("<", "&lt;").replace("|", "\\|")
        for piece in pieces
    )


if __name__ == "__main__":
    for path, own in tables().items():
        page = with_tables(path.read_text(encoding="utf-8"), own)
        with atomic_write(path) as file:
            file.write(page)

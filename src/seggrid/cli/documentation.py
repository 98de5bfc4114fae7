"""The reference of the command, from its parsers: `python -m seggrid.cli.documentation`.

It rewrites the parts of docs/commands.md between the markers of each command: its usage and its options.
A test fails if the page is out of date.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib import import_module

from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write
from seggrid.cli import VERBS, module_of

PAGE = PROJECT / "docs/commands.md"
_HEAD = ["| option | value | default | meaning |", "| --- | --- | --- | --- |"]


def options_table(verb: str) -> str:
    """The arguments and options of a verb, in one table for each group of its help."""
    parser = argparse.ArgumentParser(prog=f"seggrid {verb}")
    import_module(module_of(verb)).add_arguments(parser)
    groups = [
        (group, [action for action in group._group_actions if action.dest != "help"])
        for group in parser._action_groups
    ]
    # The two groups of argparse itself, arguments and options, make one table without a title.
    own = [action for _, actions in groups[:2] for action in actions]
    parts = [*_HEAD, *(_row(action, parser) for action in own)]
    for group, actions in groups[2:]:
        about = [_escape(group.description), ""] if group.description else []
        rows = [_row(action, parser) for action in actions]
        parts += ["", f"*{group.title}*", "", *about, *_HEAD, *rows]
    title, *lines = (parser.epilog or "").splitlines() or [""]
    if lines:  # the recipes
        parts += ["", title.capitalize(), "", *(f"- {_escape(line)}" for line in lines)]
    return "\n".join(parts)


def with_tables(page: str) -> str:
    """The page with updated tables between the markers `<!-- VERB -->` and `<!-- /VERB -->`.

    Raises:
        ValueError: the markers of a verb are missing.
    """
    for verb in VERBS:
        begin, end = f"<!-- {verb} -->", f"<!-- /{verb} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"docs/commands.md has no {begin} … {end}")
        page = f"{before}{begin}\n\n{options_table(verb)}\n\n{end}{after}"
    return page


def _row(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{_metavar(action)}`"
    value = " ".join(_value(action)) if action.option_strings else _many(action)
    default = (
        "" if action.default in (None, False, [], argparse.SUPPRESS) else f"`{action.default}`"
    )
    text = action.help or ""
    required = " (required)" if action.required and action.option_strings else ""
    return f"| {names} | {value} | {default} | {_escape(text % {'prog': parser.prog})}{required} |"


def _value(action: argparse.Action) -> Iterator[str]:
    """How the value of an option is written: its choices, or its placeholder, repeated if it takes
    several."""
    if action.nargs == 0:
        return
    if action.choices is not None:
        yield ", ".join(f"`{choice}`" for choice in action.choices)
        return
    times = action.nargs if isinstance(action.nargs, int) else 1
    values = action.metavar if isinstance(action.metavar, tuple) else [_metavar(action)] * times
    yield " ".join(f"`{value}`" for value in values)
    if action.nargs in ("+", "*"):
        yield "…"


def _many(action: argparse.Action) -> str:
    return {"+": "one or more", "*": "any number", "?": "may be left out"}.get(
        str(action.nargs), ""
    )


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    return action.dest.upper() if action.option_strings else action.dest


def _escape(text: str) -> str:
    """Help text as Markdown in a table cell; code between backticks is not changed."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        piece if piece.startswith("`") else piece.replace("<", "&lt;").replace("|", "\\|")
        for piece in pieces
    )


def main() -> None:
    """Update the page."""
    text = with_tables(PAGE.read_text(encoding="utf-8"))
    with atomic_write(PAGE) as file:
        file.write(text)


if __name__ == "__main__":
    main()

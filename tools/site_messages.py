"""A hook of mkdocs: the tables of docs/messages.md, from the calls in the source that make the messages."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SOURCE = Path(__file__).parents[1] / "src/seggrid"
_MARKER = "<!-- messages -->"
_ROOMS = {
    "text": "Texts, gold and links",
    "segment": "Segmenters and their models",
    "align": "Aligners and their models",
    "score": "Scores",
    "morphology": "Morphology",
    "grid": "Configs, runs and the report",
    "studies": "Studies",
    "commands": "Commands and Python",
    "base": "Files and values",
}
"""The folders of the package, and what their messages are about."""


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the tables of messages where the page has its marker."""
    return markdown.replace(_MARKER, tables()) if _MARKER in markdown else markdown


def tables() -> str:
    """A table for each folder of the package: what a message says, and the hint after it."""
    parts = []
    for room, title in _ROOMS.items():
        rows = sorted(set(_messages(_SOURCE / room)))
        if rows:
            cells = (f"| {_cell(said)} | {_cell(hint)} |" for said, hint in rows)
            parts += [f"## {title}", "", "| message | hint |", "| --- | --- |", *cells, ""]
    return "\n".join(parts)


def _messages(folder: Path) -> Iterator[tuple[str, str]]:
    """Message and hint of each `InputError(…)` whose text is written there, and of mistakes in configs."""
    for path in folder.rglob("*.py"):
        calls = (
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
        )
        for call in calls:
            match ast.unparse(call.func), call.args:
                case "InputError", [message, *_]:
                    hints = [given.value for given in call.keywords if given.arg == "hint"]
                case "Mistake", [_, message, hint]:
                    hints = [hint]
                case _:
                    continue
            if len((said := _text(message)).replace("…", "").strip()) >= 4:
                yield said, "".join(map(_text, hints)).removeprefix("…")


def _text(node: ast.expr) -> str:
    """The text of a literal, with `…` for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) for part in parts)
        case ast.IfExp(body=one, orelse=other):
            return " / ".join(filter(None, (_text(one), _text(other))))
        case _:
            return "…"


def _cell(text: str) -> str:
    return f"`{text.replace('`', chr(39)).replace('|', chr(92) + '|')}`" if text else ""

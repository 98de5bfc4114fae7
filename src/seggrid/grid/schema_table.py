"""The config's reference, as Markdown, from its schema: `python -m seggrid.grid.schema_table`.

It rewrites the part of config/README.md between the two markers; a test keeps them equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from seggrid.data.files import atomic_write
from seggrid.grid.config import resolve

BEGIN, END = "<!-- keys -->", "<!-- /keys -->"
_ROOT = Path(__file__).parents[3]
SCHEMA = _ROOT / "workflow/schemas/config.schema.yaml"
README = _ROOT / "config/README.md"


def keys_table(schema: Mapping[str, Any]) -> str:
    """One row a key: its path, type, default and description."""
    lines = ["| key | value | default | meaning |", "| --- | --- | --- | --- |"]
    for path, key in _walk(schema, schema, "", {}):
        default = f"`{_inline(key['default'])}`" if "default" in key else ""
        meaning = " ".join(key.get("description", "").split()).replace("|", "\\|")
        lines.append(f"| `{path}` | {_kind(key, schema)} | {default} | {meaning} |")
    return "\n".join(lines)


def with_table(readme: str, schema: Mapping[str, Any]) -> str:
    """The text with the table between its markers brought up to date."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{keys_table(schema)}\n{END}{after}"


def _walk(
    node: Mapping[str, Any], root: Mapping[str, Any], path: str, walked: dict[str, str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every key below a node. What is built alike (`source`, `target`) is walked once."""
    children = list(node.get("properties", {}).items())
    if isinstance(node.get("additionalProperties"), Mapping):
        children.append(("NAME", node["additionalProperties"]))
    for name, child in children:
        key = resolve(child, root)
        here = f"{path}.{name}" if path else name
        reference = child.get("$ref", here) if "properties" in key else here
        if reference in walked:
            yield here, {**key, "description": f"The same keys as `{walked[reference]}`."}
            continue
        walked[reference] = here
        yield here, key
        yield from _walk(key, root, here, walked)


def _kind(key: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    if "enum" in key:
        return " or ".join(f"`{_inline(value)}`" for value in key["enum"])
    if "oneOf" in key:
        return "path, or `url` and `sha256`"
    kind = key.get("type", "")
    if kind == "array":
        return "list of " + _kind(resolve(key["items"], root), root)
    if isinstance(kind, list):
        return " or ".join(kind)
    return {"object": "mapping", "boolean": "yes or no"}.get(kind, kind)


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return "{}" if value == {} else str(value)


def main() -> None:
    """Bring config/README.md up to date."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    updated = with_table(README.read_text(encoding="utf-8"), schema)
    with atomic_write(README) as file:
        file.write(updated)


if __name__ == "__main__":
    main()

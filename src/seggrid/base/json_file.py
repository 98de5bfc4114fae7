"""Read JSON files given by the user, strictly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from seggrid.base.errors import InputError
from seggrid.base.lines import read_utf8


def read_json(path: str | Path) -> Any:
    """Read the value in a file.

    In addition to the grammar of the standard, the keys of an object must be distinct, and text must not
    contain halves of surrogate pairs, which UTF-8 cannot represent.
    """
    return parse_json(read_utf8(path, hint="give a JSON file"), path)


def parse_json(text: str, path: str | Path) -> Any:
    """The value in the text of a file; errors as in `read_json`."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at character {error.colno}"
        raise InputError(message, file=path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"JSON that is not accepted: {error}", file=path) from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} twice in one object")
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")

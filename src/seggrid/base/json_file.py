"""Read JSON files given by the user, strictly."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from seggrid.base.lines import read_utf8
from seggrid.errors import InputError, one_line

DIGITS = 100
"""The most digits of a number."""


def read_json(path: str | Path) -> Any:
    """Read the value in a file.

    In addition to the grammar of the standard, the keys of an object must be distinct, a number must be
    finite and have at most `DIGITS` digits, and text must not contain halves of surrogate pairs, which UTF-8
    cannot represent. Lists and objects may be nested as deep as Python's reader allows, some hundred levels.
    """
    return parse_json(read_utf8(path, hint="give a JSON file"), path)


def parse_json(text: str, path: str | Path) -> Any:
    """The value in the text of a file; errors as in `read_json`."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_refuse_constant,
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at character {error.colno}"
        raise InputError(message, file=path, line=error.lineno) from None
    except RecursionError:
        raise _refused("nested too deep").at(path) from None
    except UnicodeEncodeError:
        raise _refused("half of a surrogate pair").at(path) from None
    except InputError as error:
        raise error.at(path) from None
    return value


def _refused(what: str) -> InputError:
    """The mistake of JSON that is valid, but not accepted."""
    return InputError(f"JSON that is not accepted: {what}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        key = next(key for key, count in counts.items() if count > 1)
        raise _refused(f"the key {one_line(key, 80)!r} twice in one object")
    return found


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise _refused(f"a number of {len(text):,} digits")
    return int(text)


def _float(text: str) -> float:
    if len(text) > DIGITS:
        raise _refused(f"a number of {len(text):,} characters")
    if not math.isfinite(number := float(text)):
        raise _refused(f"{text}, which is too large to be stored")
    return number


def _refuse_constant(text: str) -> NoReturn:
    raise _refused(f"{text} is not a number")

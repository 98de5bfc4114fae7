"""Types of single values of the config: names, paths, URLs, rates.

Wrong values are refused with specific hints, which types and ranges alone could not give.
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from seggrid.base.axis import Axis
from seggrid.base.rational import read_decimal, read_rational
from seggrid.base.settings import Settings, show
from seggrid.errors import InputError
from seggrid.grid.axes import canonical_aggregate
from seggrid.morphology.variants import canonical_evaluation, canonical_knockout
from seggrid.segment.sampling import canonical_sampling

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)
MAX_NAME = 100
MAX_TEXT = 1000


def _check_name(name: str) -> str:
    if _NAME.fullmatch(name) is None or len(name) > MAX_NAME:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-_.")[:MAX_NAME]
        raise InputError(
            f"{name!r} cannot be a name, which is part of paths",
            hint=f"use letters, digits, '_', '-' and '.'{f', such as {plain}' if plain else ''}",
        )
    return name


def _check_text(text: str) -> str:
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise InputError(
                f"{text!r} holds the character U+{ord(character):04X}", hint="remove it"
            )
    return text


def _check_path(path: str) -> str:
    _check_text(path)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        raise InputError(
            f"{path} is not a path", hint=f"write {{url: {path}, sha256: …}} for a file to download"
        )
    if set(path) & set("{}"):
        raise InputError(
            f"the path {path} has braces, which Snakemake takes for wildcards",
            hint="rename the file or its folder",
        )
    return path


def _check_url(url: str) -> str:
    _check_text(url)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    place = parts.path if parts.scheme == "file" else parts.hostname
    if parts.scheme not in ("http", "https", "ftp", "file") or not place or " " in url:
        raise InputError(
            f"{url!r} is not a URL",
            hint="begin it with https://, http://, ftp:// or file://, or give a local file as text",
        )
    if set(unquote(parts.path)) & set("{}"):
        raise InputError(
            f"the URL {url} has braces, which Snakemake takes for wildcards",
            hint="give the downloaded file as a path",
        )
    if not PurePosixPath(unquote(parts.path)).name:
        raise InputError(f"{url!r} names no file", hint="end it with the file's name")
    return url


def _check_sha256(digest: str) -> str:
    if re.fullmatch(r"[0-9A-Fa-f]{64}", digest) is None:
        raise InputError(
            f"{digest!r} is not a sha256",
            hint="give 64 hexadecimal digits, as sha256sum prints them",
        )
    return digest.lower()


def _check_rate(value: object) -> object:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InputError(f"{show(value)} is not a number", hint="give 0 to 1, such as 0.1 or 1/3")
    if read_rational(value) > 1:
        raise InputError(f"{value} is out of range", hint="give 0 to 1, such as 0.1 or 1/3")
    return value


def _check_aggregate(value: object) -> object:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InputError(
            f"{show(value)} is neither union, intersection nor a threshold from 0 to 1",
            hint="write a threshold as 0.7, as 1/3, or, of probabilities, as posterior-0.7",
        )
    canonical_aggregate(value)
    return value


def _check_count(axis: Axis[Any], value: object) -> object:
    most = axis.most or 0
    if value != axis.uncounted and not (type(value) is int and axis.least <= value <= most):
        raise InputError(
            f"{show(value)} is neither {axis.uncounted} nor a whole number from {axis.least:,} "
            f"to {most:,}",
            hint=f"give {axis.uncounted}, or a number such as 2000",
        )
    return value


def _check_decimal(value: object) -> object:
    read_decimal(value)
    return value


_NUMBER_OR_TEXT = WithJsonSchema({"type": ["number", "string"]})
Name = Annotated[str, AfterValidator(_check_name)]
Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_check_text)]
FilePath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_check_path)]
Folder = Annotated[str, Field(max_length=4096), AfterValidator(_check_path)]
TokenizerFormat = Literal[
    "huggingface", "sentencepiece", "tokens-@@", "tokens-##", "tokens-▁", "tokens-</w>"
]
Rate = Annotated[Any, BeforeValidator(_check_rate), _NUMBER_OR_TEXT]
Decimal = Annotated[Any, BeforeValidator(_check_decimal), _NUMBER_OR_TEXT]
Aggregate = Annotated[Any, BeforeValidator(_check_aggregate), _NUMBER_OR_TEXT]
KnockoutName = Annotated[str, AfterValidator(canonical_knockout)]
EvaluationName = Annotated[str, AfterValidator(canonical_evaluation)]


class Download(Settings):
    """A file to download."""

    url: Annotated[str, Field(max_length=4096), AfterValidator(_check_url)]
    """URL of the file."""

    sha256: Annotated[str, AfterValidator(_check_sha256)]
    """SHA-256 digest that the file must have."""

    path: FilePath | None = None
    """Path of the file in the mirror; by default, the last part of the URL."""


def _kind_of_file(value: object) -> str:
    return "(object)" if isinstance(value, dict | Download) else "(string)"


File = Annotated[
    Annotated[FilePath, Tag("(string)")] | Annotated[Download, Tag("(object)")],
    Discriminator(_kind_of_file),
    Field(
        description="A local path, or a file to download. A path is relative to the folder in which "
        "snakemake runs."
    ),
]


# The axes whose values are texts with a grammar of their own.
_GRAMMARS = {
    "aggregate": Aggregate,
    "knockout": KnockoutName,
    "sampling": Annotated[str, AfterValidator(canonical_sampling)],
    "tokenizer": Name,
}


def _flag_or(choices: tuple[str, ...]) -> Any:
    """The type of yes, no or one of some names."""

    def check(value: object) -> object:
        if isinstance(value, bool) or value in choices:
            return value
        names = f"yes, {', '.join(('no', *choices)[:-1])} or {choices[-1]}"
        hint = f"write it without quotes: {value}" if value in ("yes", "no") else "write yes"
        raise InputError(f"{show(value)} is not {names}", hint=hint)

    schema = WithJsonSchema({"enum": [True, False, *choices]})
    return Annotated[Any, BeforeValidator(check), schema]


def value_of(axis: Axis[Any]) -> Any:
    """The type of one value of an axis."""
    if axis.kind == "flag":
        return _flag_or(axis.choices) if axis.choices else bool
    if axis.kind == "rate":
        return Rate
    if axis.kind == "number":
        return Decimal
    if axis.kind == "integer":
        return Annotated[int, Field(ge=axis.least, le=axis.most)]
    if axis.kind == "count":
        return Annotated[Any, BeforeValidator(partial(_check_count, axis)), _NUMBER_OR_TEXT]
    return Literal[axis.choices] if axis.kind == "choice" else _GRAMMARS[axis.name]

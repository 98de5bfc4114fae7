"""Types of single values of the config: names, paths, URLs, rates.

Wrong values are refused with specific hints, which the checks of types and ranges could not give.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from seggrid.base.axis import Axis, check_name, read_rate
from seggrid.base.errors import InputError
from seggrid.base.settings import Settings
from seggrid.segment.variants import canonical_knockout

# Control characters, ends of lines, and halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Wildcards, and what Snakemake 9.27 calls pathvars: a file in `data<results>` was read from `dataresults`.
_REPLACED = re.compile("[{}]|<[a-z][a-z0-9_]*>")


def _check_text(text: str) -> str:
    if found := _CONTROL.search(text):
        message = f"{text!r} holds the character U+{ord(found[0]):04X}"
        raise InputError(message, hint="remove it")
    return text


def _check_path(path: str) -> str:
    _check_text(path)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        raise InputError(
            f"{path} is not a path", hint=f"write {{url: {path}, sha256: …}} for a file to download"
        )
    if found := _REPLACED.search(path):
        raise InputError(
            f"the path {path} has {found[0]}, which Snakemake replaces",
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
    if found := _REPLACED.search(unquote(parts.path)):
        raise InputError(
            f"the URL {url} has {found[0]}, which Snakemake replaces",
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


_NUMBER_OR_TEXT = WithJsonSchema({"type": ["number", "string"]})
Name = Annotated[str, AfterValidator(check_name)]
Text = Annotated[str, Field(max_length=1000), AfterValidator(_check_text)]
FilePath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_check_path)]
Folder = Annotated[str, Field(max_length=4096), AfterValidator(_check_path)]
Rate = Annotated[Fraction, BeforeValidator(read_rate), _NUMBER_OR_TEXT]
KnockoutName = Annotated[str, AfterValidator(canonical_knockout)]


class Download(Settings):
    """A file to download."""

    url: Annotated[str, Field(max_length=4096), AfterValidator(_check_url)]
    """URL of the file."""

    sha256: Annotated[str, AfterValidator(_check_sha256)]
    """SHA-256 digest that the file must have."""

    path: FilePath | None = None
    """Path of the file in the mirror; by default, the last part of the URL."""

    member: FilePath | None = None
    """Name of a file in it, with its folders, if it is an archive (tar, tar.gz, tar.zst, zip)."""


File = Annotated[
    Annotated[FilePath, Tag("(string)")] | Annotated[Download, Tag("(object)")],
    Discriminator(lambda one: "(object)" if isinstance(one, dict | Download) else "(string)"),
    Field(
        description="A local path, or a file to download. A path is relative to the folder in which "
        "snakemake runs."
    ),
]


def value_of(axis: Axis[Any]) -> Any:
    """The type of one value of an axis, as cells have it."""
    if axis.kind == "choice" and isinstance(axis.choices, tuple):
        return Literal[axis.choices]
    if axis.kind == "choice":
        schema = WithJsonSchema({"enum": list(axis.choices), "type": "string"})
        return Annotated[str, AfterValidator(axis.value), schema]
    if axis.kind == "integer":
        return Annotated[int, Field(ge=axis.least, le=axis.most)]
    if axis.kind == "flag":
        schema = WithJsonSchema({"enum": [True, False, *axis.choices]})
        return Annotated[Any, BeforeValidator(axis.value), schema] if axis.choices else bool
    if axis.kind == "text" and not axis.or_number:
        return Annotated[str, AfterValidator(axis.canonical)]
    return Annotated[Any, BeforeValidator(axis.value), _NUMBER_OR_TEXT]

"""Translation memories (TMX 1.4): the sentences of one language.

A unit (`tu`) is a sentence pair; its variant (`tuv`) of a language holds the sentence (`seg`). The content
of formatting codes (`bpt`, `ept`, `it`, `ph`, `ut`) is left out, and a run of white space is one space. An
entity that an external DTD may define is read if it is one of HTML's (`&eacute;`): the DTD is not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from pathlib import Path
from xml.parsers import expat

from seggrid.errors import InputError, refuse

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})
_WHITE = re.compile(r"[ \t\r\n]+")


def read_tmx(path: str | Path, text: str, language: str) -> list[tuple[int, str]]:
    """The sentences of a language, each with the line on which its unit begins.

    Args:
        path: the file, for messages.
        text: its content.
        language: a code as in `xml:lang`, in any case; `en` also matches `en-GB`.

    Raises:
        InputError: the file is not TMX, has no units, or a unit has no or several variants in the language.
    """
    units = _Units(language)
    parser = expat.ParserCreate("utf-8")
    units.listen(parser)
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise InputError(
            f"not XML: {what}", file=path, line=error.lineno, hint="fetch or make the TMX again"
        ) from None
    except _Refused as error:
        raise InputError(
            str(error), file=path, line=parser.CurrentLineNumber, hint="give a TMX file"
        ) from None
    if not units.found:
        raise InputError("no translation unit", file=path, hint="give a TMX file with some")
    refuse(_mistakes(path, language, units))
    return [(line, sentences[0]) for line, sentences in units.found]


def _mistakes(path: str | Path, language: str, units: _Units) -> Iterator[InputError]:
    """The units that do not have one sentence of the language."""
    known = ", ".join(sorted(units.languages)[:10])
    for line, sentences in units.found:
        if not sentences:
            yield InputError(
                f"no sentence in {language!r} in this unit",
                file=path,
                line=line,
                hint=f"take the unit out, which moves later sentences up against gold; the file has {known}",
            )
        elif len(sentences) > 1:
            yield InputError(
                f"{len(sentences)} sentences in {language!r} in one unit",
                file=path,
                line=line,
                hint="keep one of them, or name the language in full, such as en-GB",
            )


class _Refused(Exception):
    """Content that the parser accepts but TMX does not allow."""


class _Units:
    """The sentences that a parser found in a file.

    Attributes:
        found: for each unit, the line on which it begins and its sentences in the language.
        languages: all languages of the file.
    """

    def __init__(self, language: str) -> None:
        self.found: list[tuple[int, list[str]]] = []
        self.languages: set[str] = set()
        self._wanted = language.lower()
        self._path: list[str] = []
        self._language = ""
        self._text: list[str] | None = None

    def listen(self, parser: expat.XMLParserType) -> None:
        """Register the parser's handlers."""
        self._parser = parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        parser.buffer_text = True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "tmx":
            raise _Refused(f"<{name}> at the top, where TMX has <tmx>")
        self._path.append(name)
        if name == "tu":
            self.found.append((self._parser.CurrentLineNumber, []))
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or ""
            self.languages.add(self._language)
        elif name == "seg" and self._is_wanted():
            if not self.found:
                raise _Refused("a sentence outside a unit")
            self._text = []

    def _is_wanted(self) -> bool:
        own = self._language.lower()
        return own == self._wanted or own.partition("-")[0] == self._wanted

    def _characters(self, text: str) -> None:
        if self._text is not None and not _CODES.intersection(self._path):
            self._text.append(text)

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == "seg" and self._text is not None:
            self.found[-1][1].append(_WHITE.sub(" ", "".join(self._text)).strip(" "))
            self._text = None

    def _skipped(self, name: str, is_parameter: bool) -> None:
        """Read an entity that the file itself does not define, which expat leaves out."""
        if is_parameter:
            return
        if (text := html5.get(f"{name};")) is None:
            raise _Refused(f"&{name};, an entity that is not defined in the file")
        self._characters(text)

    def _entity(self, *_: object) -> None:
        raise _Refused("a definition of an entity")

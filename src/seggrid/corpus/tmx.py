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

from seggrid.errors import SHOWN, InputError, refuse

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})
_WHITE = re.compile(r"[ \t\r\n]+")


class TmxReader:
    """Reads the sentences of a language, block by block.

    Args:
        path: the file, for messages.
        language: a code as in `xml:lang`, in any case; `en` also matches `en-GB`.
    """

    def __init__(self, path: str | Path, language: str) -> None:
        self._path, self._language = path, language
        self._units, self._parser = _Units(language), expat.ParserCreate("utf-8")
        self._units.listen(self._parser)
        self._read = 0
        self._wrong: list[tuple[int, int]] = []

    def feed(self, block: bytes) -> list[tuple[int, str]]:
        """The sentences of the units that end in a block, each with the line on which its unit begins.

        Raises:
            InputError: the file is not TMX.
        """
        return self._parse(block, is_last=False)

    def close(self) -> list[tuple[int, str]]:
        """The sentences of the last units, at the end of the file.

        Raises:
            InputError: the file is not TMX, has no units, or a unit has no or several variants in the
                language.
        """
        rows = self._parse(b"", is_last=True)
        if not self._read:
            raise InputError(
                "no translation unit", file=self._path, hint="give a TMX file with some"
            )
        refuse(self._mistakes())
        return rows

    def _parse(self, block: bytes, *, is_last: bool) -> list[tuple[int, str]]:
        parser = self._parser
        try:
            parser.Parse(block, is_last)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            hint = "fetch or make the TMX again"
            raise InputError(
                f"not XML: {what}", file=self._path, line=error.lineno, hint=hint
            ) from None
        except _Refused as error:
            raise InputError(
                str(error), file=self._path, line=parser.CurrentLineNumber, hint="give a TMX file"
            ) from None
        found = self._units.taken(is_last)
        self._read += len(found)
        self._wrong += [(line, len(own)) for line, own in found if len(own) != 1]
        del self._wrong[SHOWN + 1 :]
        return [(line, own[0] if own else "") for line, own in found]

    def _mistakes(self) -> Iterator[InputError]:
        """A mistake for each unit that does not have exactly one sentence in the language."""
        language, known = self._language, ", ".join(sorted(self._units.languages)[:10])
        for line, sentences in self._wrong:
            if not sentences:
                yield InputError(
                    f"no sentence in {language!r} in this unit",
                    file=self._path,
                    line=line,
                    hint="take the unit out, which moves later sentences up against gold; the file has "
                    f"{known}",
                )
            else:
                yield InputError(
                    f"{sentences} sentences in {language!r} in one unit",
                    file=self._path,
                    line=line,
                    hint="keep one of them, or name the language in full, such as en-GB",
                )


class _Refused(Exception):
    """Content that the parser accepts but TMX does not allow."""


class _Units:
    """The sentences that a parser found in a file.

    Attributes:
        found: for each unit that was not taken out yet, the line on which it begins and its sentences in the
            language.
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
            if "tu" not in self._path:
                raise _Refused("a sentence outside a unit")
            self._text = []

    def taken(self, is_last: bool) -> list[tuple[int, list[str]]]:
        """Take out the units that have ended; all units, if `is_last`."""
        keep = 0 if is_last or "tu" not in self._path else 1
        taken = self.found[: len(self.found) - keep]
        del self.found[: len(taken)]
        return taken

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
        """Handle an entity that the file itself does not define; expat would leave it out."""
        if is_parameter:
            return
        if (text := html5.get(f"{name};")) is None:
            raise _Refused(f"&{name};, an entity that is not defined in the file")
        self._characters(text)

    def _entity(self, *_: object) -> None:
        raise _Refused("a definition of an entity")

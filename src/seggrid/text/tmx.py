"""Translation memories (TMX 1.4): the sentences of one language.

A unit (`tu`) is a sentence pair; its variant (`tuv`) of a language holds the sentence (`seg`). The content
of formatting codes (`bpt`, `ept`, `it`, `ph`, `ut`) is left out; a placeholder (`ph`), which stands for
something such as a line break, is a space. A run of white space is one space. An entity that an external DTD
may define is read if it is one of HTML's (`&eacute;`): the DTD is not fetched.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from xml.parsers import expat

from seggrid.base.errors import InputError
from seggrid.base.lines import file_pieces
from seggrid.text.text_formats import SKIP, HalfEmpty, SentenceRow

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})
_WHITE = re.compile(r"[ \t\r\n]+")

_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']""")
_BEGINS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0\0\0": "utf-32-le",
    b"\0\0\0<": "utf-32-be",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
"""The encodings of files that begin with some bytes; UTF-32 stands before UTF-16, since its mark begins with
that of UTF-16."""
_HEAD = 1 << 10
"""The encoding is declared within so many bytes."""


def xml_blocks(path: str | Path) -> Iterator[bytes]:
    """The text of an XML file in blocks of UTF-8. Its encoding is that of its first bytes, else the one that
    it declares, else UTF-8."""
    pieces, head = file_pieces(path), b""
    while len(head) < _HEAD and (piece := next(pieces, None)) is not None:
        head += piece
    if not head:
        raise InputError("an empty file", file=path, hint="give a TMX file")
    name = _encoding_of(head, path)
    decoder, line = codecs.getincrementaldecoder(name)(), 1
    for piece, is_last in chain(((piece, False) for piece in chain([head], pieces)), [(b"", True)]):
        try:
            block = decoder.decode(piece, is_last).encode()
        except UnicodeError as error:
            if isinstance(error, UnicodeDecodeError):
                line += error.object.count(b"\n", 0, error.start)
            hint = "declare the encoding that it has, or save it as UTF-8"
            raise InputError(f"not {name.upper()}", file=path, line=line, hint=hint) from None
        line += block.count(b"\n")
        yield block


def _encoding_of(head: bytes, path: str | Path) -> str:
    """The name of the encoding of a file that begins with these bytes."""
    for begin, name in _BEGINS.items():
        if head.startswith(begin):
            return name
    declared = _DECLARED.match(head)
    name = declared[1].decode().lower() if declared else "utf-8"
    if name.startswith(("utf-16", "utf-32", "ucs-2", "iso-10646-ucs")):
        return "utf-8"  # The declaration would not be readable in these.
    try:
        "".encode(name)  # which refuses codecs that are not of texts, too
        codecs.getincrementaldecoder(name)
    except LookupError:
        hint = "save it as UTF-8"
        raise InputError(f"unknown encoding {name}", file=path, line=1, hint=hint) from None
    return name


class TmxReader:
    """Reads the sentences of a language, block by block. Its code is as in `xml:lang`, in any case; `en` also
    matches `en-GB`. `path` is for messages."""

    def __init__(self, path: str | Path, language: str) -> None:
        self._path, self._language = path, language
        self._wanted, self._languages = language.lower(), set[str]()
        self._found: list[tuple[int, list[str]]] = []  # each unit's line and sentences
        self._units = 0
        # How many of the open elements are of each name; asked for each piece of text, so never searched.
        self._open: Counter[str] = Counter()
        self._codes = 0
        self._own = ""  # the language of the open variant
        self._text: list[str] | None = None
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        parser.buffer_text = True

    def feed(self, block: bytes) -> list[SentenceRow]:
        """The units that end in a block."""
        return self._parse(block, is_last=False)

    def close(self) -> list[SentenceRow]:
        """The last units, at the end of the file, which must have some."""
        units = self._parse(b"", is_last=True)
        if not self._units:
            hint = "give a TMX file with some"
            raise InputError("no translation unit", file=self._path, hint=hint)
        return units

    def _row(self, line: int, sentences: list[str]) -> SentenceRow:
        """The sentence of a unit, or its mistake if it has none in the language, or several."""
        if len(sentences) == 1:
            return SentenceRow(line, None, sentences[0])
        if not sentences:
            known = ", ".join(sorted(self._languages)[:10])
            message = f"no sentence in {self._language!r} in this unit"
            hint = f"{SKIP}; languages of the file up to here: {known}"
            return SentenceRow(line, None, "", HalfEmpty(message, hint=hint))
        message = f"{len(sentences)} sentences in {self._language!r} in one unit"
        hint = "keep one of them, or name the language in full, such as en-GB"
        return SentenceRow(line, None, sentences[0], InputError(message, hint=hint))

    def _parse(self, block: bytes, *, is_last: bool) -> list[SentenceRow]:
        parser = self._parser
        try:
            parser.Parse(block, is_last)
        except expat.ExpatError as error:
            what = f"not XML: {expat.ErrorString(error.code)}"
            hint = "fetch or make the TMX again"
            raise InputError(what, file=self._path, line=error.lineno, hint=hint) from None
        except InputError as error:
            raise error.at(self._path, parser.CurrentLineNumber) from None
        is_within = not is_last and bool(self._open["tu"])
        units = self._found[: len(self._found) - is_within]
        del self._found[: len(units)]
        self._units += len(units)
        return [self._row(line, sentences) for line, sentences in units]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._open["tmx"] and name != "tmx":
            raise _refused(f"<{name}> at the top, where TMX has <tmx>")
        self._open[name] += 1
        if name == "ph":
            self._characters(" ")
        if name in _CODES:
            self._codes += 1
        elif name == "tu":
            self._found.append((self._parser.CurrentLineNumber, []))
        elif name == "tuv":
            self._own = attributes.get("xml:lang") or attributes.get("lang") or ""
            self._languages.add(self._own)
        elif name == "seg" and self._wanted in (
            self._own.lower(),
            self._own.lower().partition("-")[0],
        ):
            if not self._open["tu"]:
                raise _refused("a sentence outside a unit")
            self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None and not self._codes:
            self._text.append(text)

    def _end(self, name: str) -> None:
        self._open[name] -= 1
        self._codes -= name in _CODES
        if name == "seg" and self._text is not None:
            self._found[-1][1].append(_WHITE.sub(" ", "".join(self._text)).strip(" "))
            self._text = None

    def _skipped(self, name: str, is_parameter: bool) -> None:
        """Handle an entity that the file itself does not define; expat would leave it out."""
        if is_parameter:
            return
        from html.entities import html5

        if (text := html5.get(f"{name};")) is None:
            raise _refused(f"&{name};, an entity that is not defined in the file")
        self._characters(text)

    def _entity(self, *_: object) -> None:
        raise _refused("a definition of an entity")


def _refused(what: str) -> InputError:
    """Content that the parser accepts but TMX does not allow."""
    return InputError(what, hint="give a TMX file")

"""Read and write text files. This module defines what a line is.

A text file is UTF-8. A line ends only with `\\n` or `\\r\\n`: U+0085 and U+2028, which end a line for some
tools, are ordinary characters, and a lone `\\r` is refused. A byte order mark and a missing last newline are
accepted. A file may be compressed (`seggrid.base.compressed`).
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seggrid.base.compressed import read_pieces, write_text
from seggrid.base.errors import SHOWN, InputError, raise_mistakes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1 << 28
"""The most bytes of a file of settings, gold, a model or a tokenizer; real ones have at most a tenth of
this."""
LARGEST_TEXT = 2 * 10**9
"""The most bytes of a text; larger ones would take more memory than jobs ask for."""
UNSEEN = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
"""Invisible characters that tools treat differently, as part of a pattern's `[...]`: control
characters and the Unicode line separators, but not tab and newline, which formats use."""


def read_lines(
    path: str | Path, hint: str = "check that it is the right one", limit: int = LARGEST
) -> list[str]:
    """The lines of a file, without line ends. Arguments as for `read_utf8`; errors also as for
    `split_lines`."""
    return split_lines(read_utf8(path, hint, limit), path)


def split_lines(text: str, path: str | Path) -> list[str]:
    """The lines of a text, without their line ends; a `\\r` inside a line is refused."""
    text = text.replace("\r\n", "\n")
    position = text.find("\r")
    if position >= 0:
        raise lone_return(path, text.count("\n", 0, position) + 1)
    # A newline at the end of the file ends the last line; there is no empty line after it.
    return text.removesuffix("\n").split("\n")


T = TypeVar("T")


def parse_lines(
    path: str | Path, lines: Iterable[tuple[int, str]], parse: Callable[[str], T]
) -> Iterator[tuple[int, T]]:
    """Parse numbered lines of a file; yield the number and the parsed value of each. The mistakes of all are
    raised together, after the last one."""
    mistakes: list[InputError] = []
    for number, line in lines:
        try:
            entry = parse(line)
        except InputError as error:
            mistakes.append(error.at(path, number))
            if len(mistakes) > SHOWN:
                break
        else:
            yield number, entry
    raise_mistakes(mistakes)


def lone_return(path: str | Path, line: int) -> InputError:
    """The error of a `\\r` inside a line."""
    return InputError(
        "a carriage return (U+000D) inside a line",
        file=path,
        line=line,
        hint="save the file with line ends \\n or \\r\\n",
    )


def read_utf8(
    path: str | Path, hint: str = "check that it is the right one", limit: int = LARGEST
) -> str:
    """The text of a file, without a byte order mark. The file may be a pipe; it is read once."""
    raw = bytearray()
    for block in utf8_blocks(path, hint):
        raw += block
        if len(raw) > limit:
            raise InputError(f"more than {limit:,} bytes", file=path, hint="split the file")
    return raw.decode()


def utf8_blocks(
    path: str | Path,
    hint: str = "check that it is the right one",
    *,
    checked: bool = True,
) -> Iterator[bytes]:
    """The text of a file in blocks of whole lines, so that it is never in memory as a whole; without a byte
    order mark, and without a lone `\\r` at the end. The file may be a pipe; it is read once.
    """
    rest = bytearray()
    before = lines = looked = 0
    mark_taken = False
    for piece in file_pieces(path):
        rest += piece
        if len(rest) < _BLOCK:
            continue
        if not mark_taken:
            mark_taken, before = True, _take_mark(path, rest)
        cut = rest.rfind(b"\n", looked) + 1
        looked = 0 if cut else len(rest)
        if not cut and len(rest) > LARGEST:
            message = f"no line end in {LARGEST:,} bytes"
            raise InputError(message, file=path, hint="check that it is a text")
        if cut:
            block = bytes(memoryview(rest)[:cut])
            del rest[:cut]
            if checked:
                _check_utf8(path, block, before, lines)
            yield block
            before += len(block)
            lines += len(line_ends(block))
    if not mark_taken:
        before = _take_mark(path, rest)
        if not rest:
            raise InputError("an empty file", file=path, hint=hint)
    if rest.endswith(b"\r"):
        del rest[-1:]
    if rest:
        if checked:
            _check_utf8(path, bytes(rest), before, lines)
        yield bytes(rest)


_last: tuple[bytes, NDArray[np.int64] | None] = (b"", None)


def line_ends(block: bytes) -> NDArray[np.int64]:
    """Where the lines of a block end, ascending. All who read a block ask for its ends, so those of the last
    one are kept."""
    global _last
    known, ends = _last
    if known is not block or ends is None:
        import numpy as np  # which files of settings, of less than a block, do not need

        ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
        _last = block, ends
    return ends


def file_pieces(path: str | Path) -> Iterator[bytes]:
    """The content of a file as `read_pieces` gives it; if it cannot be read, that is an `InputError`."""
    try:
        yield from read_pieces(path)
    except FileNotFoundError:
        raise InputError("no such file", file=path, hint="check the path") from None
    except IsADirectoryError:
        hint = "name the file in it"
        raise InputError("a folder, not a file", file=path, hint=hint) from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", file=path) from None


_BLOCK = 1 << 18
"""The least number of bytes of a block, except the last."""


def _take_mark(path: str | Path, start: bytearray) -> int:
    """Remove a byte order mark, and return its length."""
    if start.startswith(_UTF32):
        raise InputError("UTF-32, not UTF-8", file=path, hint="save it as UTF-8")
    if start.startswith(_UTF16):
        raise InputError("UTF-16, not UTF-8", file=path, hint="save it as UTF-8")
    if not start.startswith(codecs.BOM_UTF8):
        return 0
    del start[: len(codecs.BOM_UTF8)]
    return len(codecs.BOM_UTF8)


_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)  # the first begins as that of UTF-16
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _check_utf8(path: str | Path, block: bytes, before: int, lines: int) -> None:
    """Refuse a block that is not UTF-8; `before` bytes and `lines` lines precede it."""
    try:
        block.isascii() or block.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte 0x{block[error.start]:02x} at offset {before + error.start}",
            file=path,
            line=lines + block.count(b"\n", 0, error.start) + 1,
            hint="convert the file to UTF-8",
        ) from None


def write_lines(path: str | Path, lines: Sequence[str]) -> None:
    """Write lines, without line ends in them, atomically; compressed if the ending of the name says so."""
    text = "".join(f"{line}\n" for line in lines)
    if "\r" in text or text.count("\n") != len(lines):
        number = next(n for n, line in enumerate(lines, 1) if "\r" in line or "\n" in line)
        raise InputError("a line end inside a line", file=path, line=number)
    with write_text(path) as file:
        file.write(text)

"""The exceptions whose messages are for users."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

LIMIT = 400
"""The most characters that are shown of a message, a hint or a file name."""


class InputError(ValueError):
    """A mistake in the user's input (config, corpus, gold, model file).

    Its text is one line of bounded length: where the mistake is, what is wrong, and how to correct it.
    Scripts and the Snakefile print only that line, without a traceback.

    Attributes:
        message: what is wrong.
        file, line: where, with the line counted from 1; None if it is not in a file, or not in a line.
        hint: the likely fix, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.message, self.file, self.line, self.hint = message, file, line, hint
        name = "" if file is None else one_line(str(file))
        where = "" if file is None else f"{name}:{line}: " if line is not None else f"{name}: "
        super().__init__(f"{where}{one_line(message)}" + (f" ({one_line(hint)})" if hint else ""))

    def at(self, file: str | Path | None = None, line: int | None = None) -> InputError:
        """The same mistake at a place that only the caller knows; what is not given stays.

        >>> InputError("no tab", line=3).at("text.tsv")
        InputError('text.tsv:3: no tab')
        """
        file, line = self.file if file is None else file, self.line if line is None else line
        return InputError(self.message, file=file, line=line, hint=self.hint)


class Note(UserWarning):
    """Something that the user should know about the input, but not a mistake."""


def note(lines: Iterable[str]) -> None:
    """Issue each line as a warning; the command prints it after `note:`."""
    for line in lines:
        warnings.warn(line, Note, stacklevel=4)


def from_here(file: str) -> str:
    """The path of a file from the working directory, if it is below it."""
    path = os.path.relpath(file)
    return file if path.startswith("..") else path


def of_result(function: Any, message: str, hint: str | None = None) -> InputError:
    """A mistake in what a function of a plug-in gave, at the line that defines it."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:  # written in C
        return InputError(message, hint=hint)
    return InputError(
        message, file=from_here(code.co_filename), line=code.co_firstlineno, hint=hint
    )


def of_system(error: OSError) -> InputError:
    """An error of a file or disk as an `InputError`. One without a file name concerns standard output, since
    all other files are opened by name."""
    # If a temporary file could not be moved, the second name is that of the actual file.
    file = error.filename2 or error.filename or "standard output"
    return InputError(error.strerror or str(error), file=os.fsdecode(file))


class InputErrors(InputError):
    """Several mistakes that were found together, one line each.

    Attributes:
        errors: the mistakes, in the order of their lines.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        first = errors[0]
        super().__init__(first.message, file=first.file, line=first.line, hint=first.hint)
        # A hint that is that of the mistake before is said once.
        self.errors = [
            InputError(one.message, file=one.file, line=one.line)
            if k and one.hint == errors[k - 1].hint
            else one
            for k, one in enumerate(errors)
        ]
        self.args = ("\n".join(map(str, self.errors)),)


SHOWN = 10
"""The most mistakes in a file that are reported at once."""


def raise_mistakes(mistakes: Iterable[InputError]) -> None:
    """Raise the first mistakes in a file together, if there are any.

    Raises:
        InputError: there is one mistake.
        InputErrors: there are several.
    """
    found = list(islice(mistakes, SHOWN + 1))
    if len(found) > SHOWN:
        last = found[SHOWN]
        found[SHOWN] = InputError("and more like these", file=last.file, line=last.line)
    if len(found) > 1:
        raise InputErrors(found)
    if found:
        raise found[0]


class RunError(RuntimeError):
    """A job of a grid failed, or its run was stopped: no mistake in the input."""


class Refusal(SystemExit):
    """Ends a program with the lines of an `InputError` on stderr and status 1.

    Python prints only its text, without a traceback, and so does Snakemake while it reads a workflow.

    Attributes:
        error: the error.
    """

    def __init__(self, error: InputError) -> None:
        self.error = error
        errors = error.errors if isinstance(error, InputErrors) else [error]
        super().__init__("\n".join(f"error: {one}" for one in errors))


@contextmanager
def refusing() -> Iterator[None]:
    """End the program with a `Refusal` after a mistake, or after an error of a file or disk."""
    try:
        yield
    except InputError as error:
        raise Refusal(error) from None
    except OSError as error:
        raise Refusal(of_system(error)) from error


def one_line(text: str, limit: int = LIMIT) -> str:
    """A text made fit for a line: control characters are escaped, and the middle is left out if it is long.

    >>> one_line("a\\nb"), one_line("0123456789", limit=5)
    ('a\\\\nb', '01…89')
    """
    if len(text) > limit:
        half = limit // 2
        text = f"{text[:half]}…{text[-half:]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def either(values: Sequence[Any]) -> str:
    """A list of values, the last joined by `or`.

    >>> either(["a", "b", "c"]), either([True])
    ('a, b or c', 'yes')
    """
    *most, last = map(_plain, values)
    return f"{', '.join(most)} or {last}" if most else last


def quoted_value(value: Any) -> str:
    """The spelling of a value in a config, with texts in quotes.

    >>> quoted_value(True), quoted_value("3"), quoted_value(3), quoted_value(float("nan"))
    ('yes', "'3'", '3', '.nan')
    """
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return repr(value) if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[str(value)]
    return str(value)


def suggestion(given: str, known: Sequence[str]) -> str | None:
    """A hint for an unknown name: the most similar known name, or all of them; None if there are none.

    >>> suggestion("mergers", ["merges", "spaces"]), suggestion("x", ["merges", "spaces"])
    ("did you mean 'merges'?", 'use merges or spaces')
    """
    lower = {name.lower(): name for name in known}
    close = get_close_matches(given.lower(), lower, n=1, cutoff=0.6)
    if close:
        return f"did you mean {lower[close[0]]!r}?"
    return f"use {either(known)}" if known else None

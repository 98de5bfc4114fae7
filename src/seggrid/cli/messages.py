"""The messages of a command on standard error: whether they are shown (`--quiet`) and kept in a file
(`--log`)."""

from __future__ import annotations

import argparse
import io
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import IO

from seggrid import __version__
from seggrid.base.steps import shown
from seggrid.cli.files import output_file


def add_messages(parser: argparse.ArgumentParser) -> None:
    """Add these options, which all verbs have except those that pass options on to Snakemake."""
    group = parser.add_argument_group("messages")
    group.add_argument("--quiet", action="store_true", help="print nothing but mistakes")
    group.add_argument(
        "--log",
        type=output_file,
        metavar="FILE",
        help="write the command and its messages into a file",
    )


@contextmanager
def messages(quiet: bool, log: str | None, arguments: Sequence[str]) -> Iterator[None]:
    """Show and keep messages on standard error as the options say.

    Args:
        quiet: whether nothing is shown, except an error that ends the command, which the caller prints.
        log: the file in which messages are kept; None for none.
        arguments: the arguments of the command.
    """
    if not (quiet or log):
        with shown(sys.stderr):
            yield
        return
    if log:
        Path(log).parent.mkdir(parents=True, exist_ok=True)
    with open(log or os.devnull, "w", encoding="utf-8", buffering=1) as file:
        print(f"seggrid {__version__}: seggrid {shlex.join(arguments)}", file=file)
        said = _Said(sys.stderr, quiet, file)
        try:
            with redirect_stderr(said), shown(said):
                yield
        except BaseException as error:
            print(f"ended by {type(error).__name__}: {error}".removesuffix(": "), file=file)
            raise
        print("done", file=file)


class _Said(io.StringIO):
    """Takes the place of standard error. Output only for terminals, such as a progress bar, is not kept in
    the log.

    Attributes:
        stream: the stream on which messages are shown.
        quiet: whether nothing is shown.
        log: the file in which messages are kept.
    """

    def __init__(self, stream: IO[str], quiet: bool, log: IO[str]) -> None:
        super().__init__()
        self.stream, self.quiet, self.log = stream, quiet, log

    def write(self, text: str) -> int:
        if not self.quiet:
            self.stream.write(text)
        if not text.startswith("\r"):
            self.log.write(text)
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def isatty(self) -> bool:
        return not self.quiet and self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

"""`seggrid completion`: print a script by which a shell completes commands, options and files."""

from __future__ import annotations

import argparse

from seggrid.cli.files import NameOrInputFile, input_file, output_file, output_folder

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(arguments: argparse.Namespace) -> None:
    """Print the script."""
    import shtab

    from seggrid.cli import command_parser

    parser = command_parser()
    for verb in _parsers(parser):
        for action in verb._actions:
            if action.type in (input_file, output_file) or isinstance(action.type, NameOrInputFile):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.type is output_folder:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    print(shtab.complete(parser, shell=arguments.shell))


def _parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of the verbs."""
    (verbs,) = (own for own in parser._actions if isinstance(own, argparse._SubParsersAction))
    return list(verbs.choices.values())

"""`seggrid completion`: a script by which a shell completes verbs, options and their values. shtab makes it
from the parsers, hence from the signatures of the verbs."""

from __future__ import annotations

import argparse
from typing import Annotated, Any, Literal

from seggrid.base.parameters import Help, input_file, output_file, output_folder
from seggrid.base.parsers import actions_of, verbs_of
from seggrid.commands import command_parser
from seggrid.commands.files import NameOrInputFile

Shell = Literal["bash", "zsh", "fish", "tcsh"]
_OF_FILES = ("FILE", "CONFIG", "PLUGIN", "FOLDER")


def completion(shell: Shell) -> str:
    """The script for a shell."""
    import shtab

    parser = command_parser(whole=True)
    for verb in verbs_of(parser).values():
        action: Any
        for action in actions_of(verb):
            if action.type is output_folder:
                action.complete = shtab.DIRECTORY
            elif _names_file(action):
                action.complete = shtab.FILE
    return str(shtab.complete(parser, shell=shell))


def _names_file(action: argparse.Action) -> bool:
    """Whether the value of an option, or an argument, is the path of a file."""
    is_file = action.type in (input_file, output_file) or isinstance(action.type, NameOrInputFile)
    return action.choices is None and (is_file or action.metavar in _OF_FILES)


def command(shell: Annotated[Shell, Help("bash, zsh, fish or tcsh")], /) -> None:
    """Print the script."""
    print(completion(shell))

"""What an argument parser has, in attributes that are private to argparse: they are named here alone."""

from __future__ import annotations

from argparse import (
    Action,
    ArgumentParser,
    _ActionsContainer,
    _ArgumentGroup,
    _StoreAction,
    _SubParsersAction,
)
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

Parser: TypeAlias = _ActionsContainer
"""A parser, or a group of its options."""
Store: TypeAlias = _StoreAction
"""What an option does that keeps its last value."""


def actions_of(parser: ArgumentParser) -> list[Action]:
    """The options and arguments of a parser."""
    return parser._actions


def options_by_name(parser: ArgumentParser) -> Mapping[str, Action]:
    """The options of a parser, by each of their spellings."""
    return parser._option_string_actions


def groups_of(parser: ArgumentParser) -> Iterator[tuple[_ArgumentGroup, list[Action]]]:
    """The groups of a parser's help, with their options and arguments."""
    for group in parser._action_groups:
        yield group, group._group_actions


def verbs_of(parser: ArgumentParser) -> Mapping[str, ArgumentParser]:
    """The parsers of a parser's verbs, by name."""
    (verbs,) = (action for action in parser._actions if isinstance(action, _SubParsersAction))
    return cast("Mapping[str, ArgumentParser]", verbs.choices)

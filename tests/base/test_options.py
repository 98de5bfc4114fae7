"""The options of a command are the parameters of its function, and their types say what may be given."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict, Unpack

import pytest
from annotated_types import Interval

from seggrid.base.errors import InputError
from seggrid.base.options import add_options, call_with_options
from seggrid.base.parameters import (
    Defaults,
    Group,
    Help,
    InputFile,
    PassedOn,
    Seed,
    Share,
    checked,
    input_file,
)

TOLD = Help("told")
GROUP = Group("group", "About it.")
Size = Annotated[int, Interval(ge=1, le=9), Help("a size", metavar="N")]


@dataclass(frozen=True)
class Written:
    """A group of options, one of them under another name."""

    format: Annotated[Literal["a", "b"] | None, Help("format", ("--links-format",))] = None
    base: Annotated[Literal[0, 1] | None, TOLD] = None


def command(
    texts: Annotated[tuple[InputFile, ...], TOLD],
    /,
    *,
    written: Annotated[Written, GROUP],
    pair: Annotated[tuple[str, str] | None, TOLD] = None,
    more: Annotated[Sequence[tuple[InputFile, ...]], TOLD] = (),
    size: Size | None = None,
    share: Annotated[Share, TOLD] = 0.5,
    seed: Seed = 1,
    flag: Annotated[bool, TOLD] = False,
    one: Annotated[bool, TOLD, GROUP._replace(exclusive=True)] = False,
    other: Annotated[bool, TOLD, GROUP._replace(exclusive=True)] = False,
) -> tuple:
    return texts, written, pair, more, size, share, seed, flag, one, other


def parser():
    made = argparse.ArgumentParser(exit_on_error=False)
    add_options(made, command)
    return made


def read(line):
    return call_with_options(command, vars(parser().parse_args(line.split())))


def test_what_is_given_arrives_as_its_type():
    assert read("x") == (("x",), Written(), None, (), None, 0.5, 1, False, False, False)
    found = read(
        "x y --links-format b --base 1 --pair p q --more a --more b c --size 3 --share 1 --seed 0 "
        "--flag --other"
    )
    assert found == (
        ("x", "y"), Written("b", 1), ("p", "q"), (("a",), ("b", "c")), 3, 1.0, 0, True, False, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("--size 10", "10 is not within 1 to 9"),
        ("--size x", "'x' is not a whole number"),
        ("--share 2", "'2' is not a number from 0 to 1"),
        ("--share nan", "'nan' is not a number from 0 to 1"),
        ("--links-format c", "invalid choice: 'c'"),
        ("--base 2", "invalid choice: 2"),
        ("--one --other", "not allowed with"),
    ],
)
def test_what_the_types_do_not_allow_is_refused(wrong, said):
    with pytest.raises(argparse.ArgumentError) as caught:
        parser().parse_args(["x", *wrong.split()])
    assert said in str(caught.value)


def test_files_are_known_as_such_and_groups_are_parts_of_the_help():
    made = parser()
    assert [own.dest for own in made._actions if own.type is input_file] == ["texts", "more"]
    (group,) = (own for own in made._action_groups if own.title == "group")
    assert group.description == "About it."
    assert [own.dest for own in group._group_actions] == ["links_format", "base", "one", "other"]


@checked
def function(
    size: Size | None = None, share: Share = 0.5, name: str = "", kind: Literal["a", 1] = "a"
) -> None:
    """One for callers in Python."""


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"size": 0}, "size=0 (give a whole number from 1 to 9, or None)"),
        ({"size": True}, "size=True"),
        ({"size": 2.0}, "size=2.0"),
        ({"share": float("nan")}, "share=nan (give a number from 0 to 1)"),
        ({"name": 5}, "name=5 (give a text)"),
        ({"kind": True}, "kind=True (give 'a' or 1)"),
    ],
)
def test_the_same_types_check_callers_in_python(wrong, said):
    function(size=9, share=1, name="x", kind=1)
    function(size=None)
    with pytest.raises(InputError) as caught:
        function(**wrong)
    assert said in str(caught.value)


class Gold(TypedDict, total=False):
    """Parameters that several functions pass on."""

    size: Size
    base: Annotated[Literal[0, 1] | None, TOLD]


@dataclass
class Usual:
    """Their defaults."""

    size: int = 3
    base: int | None = None


def score(
    file: Annotated[InputFile, TOLD], /, *, gold: Annotated[Gold, Defaults(Usual()), GROUP]
) -> tuple:
    return file, gold


@checked
def scored(file: str, **gold: Unpack[Gold]) -> dict:
    return {**gold}


def test_a_typed_dictionary_is_a_group_of_options_and_of_keywords():
    made = argparse.ArgumentParser(exit_on_error=False)
    add_options(made, score)
    parsed = vars(made.parse_args(["f", "--base", "1"]))
    assert call_with_options(score, parsed) == ("f", {"size": 3, "base": 1})
    assert scored("f", size=9) == {"size": 9}
    with pytest.raises(InputError, match="give a whole number from 1 to 9"):
        scored("f", size=0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'sizes'"):
        scored("f", sizes=9)


def run(*, cores: Annotated[int, TOLD] = 1, rest: Annotated[tuple, PassedOn("OPTION")] = ()):
    return cores, rest


def test_what_is_passed_on_is_no_option():
    made = argparse.ArgumentParser()
    add_options(made, run)
    assert made.get_default("passed_on").name == "OPTION"
    assert call_with_options(run, {"cores": 2, "passed_on": ["-n"]}) == (2, ("-n",))

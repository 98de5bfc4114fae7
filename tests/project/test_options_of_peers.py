"""docs/align-step.md names every option of the programs that it compares with, and only options of ours that
there are."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from seggrid.align import ALIGNERS
from seggrid.cli import command_parser

# Of fast_align.cc: getopt_long(argc, argv, "i:rI:df:m:t:q:T:ova:Np:b:s", ...).
FAST_ALIGN = [[f"-{letter}"] for letter in "irIdfmtqTovaNpbs"]
ROW = re.compile(r"^\| (.*?) \| (.*?) \| (.*?)\|$", re.M)
CODE = re.compile(r"`([^`]+)`")


@pytest.fixture(scope="module")
def tables(root):
    """The rows of each table, by its head: the options of the program, and what is here."""
    page = (root / "docs/align-step.md").read_text("utf-8").replace("` ||| `", "bars")
    found = {}
    for table in re.findall(r"(?:^\|.*\n)+", page, re.M):
        (head, *_), _, *rows = ROW.findall(table)
        found[head] = [
            ([w for code in CODE.findall(a) for w in code.split()], b) for a, b, _ in rows
        ]
    return found


def options(parser):
    return [
        action.option_strings for action in parser._actions if "--help" not in action.option_strings
    ]


def of_program(name):
    """The options that the help of a program lists."""
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    listed = re.findall(r"^  (-[^\n]*?)(?:  |$)", done.stdout, re.M)
    return [
        names for line in listed if "--help" not in (names := re.findall(r"(?<!\S)-[-\w]+", line))
    ]


def of_subword_nmt(name):
    pytest.importorskip("subword_nmt")
    module = {"learn-joint-bpe-and-vocab": "learn_joint_bpe_and_vocab"}.get(
        name, name.replace("-", "_")
    )
    return options(import_module(f"subword_nmt.{module}").create_parser())


def of_simalign(_):
    if not (spec := find_spec("simalign")):
        pytest.skip("simalign is not installed")
    # Its import takes seconds.
    tree = ast.parse(Path(spec.origin).with_name("simalign.py").read_text("utf-8"))
    (aligner,) = (n for n in tree.body if getattr(n, "name", "") == "SentenceAligner")
    (start,) = (n for n in aligner.body if getattr(n, "name", "") == "__init__")
    return [[argument.arg] for argument in start.args.args[1:]]


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("fast_align", lambda _: FAST_ALIGN),
        ("eflomal", lambda _: of_program("eflomal-align")),
        ("eflomal-makepriors", of_program),
        ("simalign", of_simalign),
        ("learn-bpe", of_subword_nmt),
        ("apply-bpe", of_subword_nmt),
        ("learn-joint-bpe-and-vocab", of_subword_nmt),
        ("get-vocab", of_subword_nmt),
    ],
)
def test_every_option_of_a_program_is_in_its_table(tables, name, listed):
    named = [option for given, _ in tables[name] for option in given]
    known = listed(name)
    assert known
    assert [names for names in known if not set(names) & set(named)] == []
    short = {option for names in known for option in names}
    assert {option for option in named if option != "atools"} <= short | {"-j", "-c"}


def test_what_is_named_here_exists(tables):
    (verbs,) = (a.choices for a in command_parser()._actions if isinstance(a.choices, dict))
    flags = {
        flag for parser in verbs.values() for a in parser._actions for flag in a.option_strings
    }
    for rows in tables.values():
        for _, here in rows:
            for code in CODE.findall(here):
                assert all(word in flags for word in re.findall(r"--[\w-]+", code)), code
                if option := re.search(r"--set (\w+)\.(\w+)=", code):
                    assert option[2] in ALIGNERS[option[1]].load_options().model_fields, code

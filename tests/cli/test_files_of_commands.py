"""What holds for the files of every command: empty values, standard input, folders, pipes."""

import os
import shutil
import subprocess
import sys

import pytest

from seggrid.cli import VERBS, main, parser_of
from seggrid.cli.files import input_file, output_file, output_folder
from seggrid.segment.bpe.model import BPEModel


@pytest.fixture
def folder(builtin):
    return builtin(20, merges=30)


OF_GRIDS = ("check-plugin", "new", "plan", "run", "diff", "crate", "reproduce")
OF_TEXTS = [verb for verb in VERBS if verb not in OF_GRIDS]


@pytest.mark.parametrize("verb", OF_TEXTS)
def test_every_option_for_a_file_is_checked(verb):
    files = [
        action
        for action in parser_of(verb)._actions
        if (action.metavar in ("FILE", "FOLDER", "DIR") and action.dest not in ("merges", "plugin"))
        or action.dest
        in ("text", "texts", "training", "model", "links", "gold", "forward", "reverse", "input")
    ]
    assert files
    for action in files:
        assert action.type in (input_file, output_file, output_folder), action.dest


def test_a_recipe_that_ships_is_no_file_of_that_name(folder):
    """A folder or an output may have its name, and is written again."""
    for output in ("--keep", "-o"):
        ask = ["align", "eng", "deu", "--recipe", "words-fast_align", output, "words-fast_align"]
        if output == "--keep":
            ask += ["-o", "links"]
        else:
            shutil.rmtree("words-fast_align")
        assert main(ask) == main(ask) == 0


def test_a_device_takes_any_output(folder):
    ask = ["align", "eng", "deu", "--recipe", "words", "-o", "/dev/null"]
    assert main([*ask, "--probabilities", "/dev/null"]) == 0


def test_a_pipe_under_the_name_of_a_descriptor_is_written_to(folder):
    """As `-o /dev/stdout | head` and `-o >(gzip > x)`."""
    read, write = os.pipe()
    assert main(["segment", "eng", "--segmenter", "words", "-o", f"/dev/fd/{write}"]) == 0
    os.close(write)
    with open(read, encoding="utf-8") as lines:
        assert len(lines.readlines()) == 20


def run(*arguments, **options):
    command = [sys.executable, "-m", "seggrid.cli", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, **options)


def test_closed_standard_output_of_a_result(folder):
    (folder / "a").write_text("0-0\n")
    ran = run("symmetrize", "a", "a", preexec_fn=lambda: os.close(1))
    assert ran.stderr == "error: standard output: Bad file descriptor\n"
    assert ran.returncode == 2


def test_a_reference_that_spells_the_words_in_another_form_is_remarked_on(folder, capsys):
    (folder / "reference").write_text("Houses\tHouse s\nReds\tRed s\nsmall\tsmall\n")
    (folder / "text").write_text("the houses reds small\n")
    ask = ["prune", "model", "--morphemes", "reference", "-o", "pruned"]
    capsys.readouterr()
    assert main([*ask, "--text", "text"]) == 0
    assert capsys.readouterr().err == (
        "note: reference: 1 of 3 words are in the text; 2 in lower case, such as houses: only words that are "
        "spelled alike count\n"
    )
    assert main([*ask, "--text", "eng"]) == 0
    assert not capsys.readouterr().err
    BPEModel([("▁h", "o")]).write(folder / "model")
    assert main(ask) == 0
    assert "2 words have upper-case letters, and the model none" in capsys.readouterr().err

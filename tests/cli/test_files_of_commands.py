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


def test_a_recipe_in_a_file_is_an_input(folder, refused):
    (folder / "own.yaml").write_text("description: x\ncell: {aligner: fast_align}\n")
    said = refused("align", "eng", "deu", "--recipe", "own.yaml", "-o", "own.yaml")
    assert said.startswith("error: own.yaml: --output own.yaml would change this input")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["align", "eng", "deu", "--recipe", ""], "--recipe"),
        (["align", "eng", "deu", "--models", ""], "--models"),
        (["align", "eng", "deu", "--keep="], "--keep"),
        (["align", "eng", "deu", "--training", "eng", ""], "--training"),
        (["align", "eng", "deu", "--name", ""], "--name"),
        (["segment", "", "-m", "model"], "text"),
        (["segment", "eng", "-m", "model", "-o", ""], "--output"),
        (["prune", "model", "--morphemes", "", "-o", "p"], "--morphemes"),
        (["tree", "model", "house", ""], "WORD"),
        (["new", ""], "FOLDER"),
        (["plan", ""], "CONFIG"),
        (["run", ""], "CONFIG"),
    ],
)
def test_an_empty_value_is_refused(folder, refused, command, option):
    assert f"error: {option}: an empty value (an unset variable?" in refused(*command)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("align eng deu --keep mine", "mine: the folder would be replaced, and eng in it is not"),
        ("align mine/eng deu --keep mine", "mine/eng: --keep mine would change this input"),
        (
            "align eng deu -o new/links --keep new",
            "new: --output and --keep are one file, or one is",
        ),
        (
            "align eng deu --keep new --probabilities new/a/p",
            "--probabilities and --keep are one file, or one",
        ),
        (
            "align eng deu --keep kept --recipe kept/recipe.yaml",
            "kept/recipe.yaml: --keep kept would change",
        ),
        ("align eng deu --keep kept/deeper -o kept/deeper", "kept/deeper: --output and --keep are"),
        (
            "align eng deu --models kept -o kept/recipe.yaml",
            "kept: --output kept/recipe.yaml would change",
        ),
        ("align eng deu --models kept -o kept/links", "kept: --output kept/links would change"),
        ("align eng deu -o loop", "loop: cannot be written: Too many levels of symbolic links"),
        ("segment eng -m model -o eng", "eng: --output eng would change this input"),
        ("segment eng -m model -o linked", "eng: --output linked would change"),
        ("segment eng -m model -o ./model", "model: --output ./model would change"),
        (
            "align eng deu --training eng deu --training gold model -o model",
            "model: --output model would",
        ),
        ("align eng deu -o new --probabilities new", "new: --output and --probabilities are one"),
        ("align eng deu -o new --keep ./new", "./new: --output and --keep are one file"),
        ("score links gold -o links", "links: --output links would change"),
        ("align pair --format moses --codes en de -o pair.en", "pair.en: --output pair.en would"),
        ("align - - --recipe words", "standard input twice"),
        ("align - deu --training - deu", "standard input twice"),
        ("prune pruned.model --knockout random-0.5 --folder .", "pruned.model: --folder ."),
        (
            "prune model --knockout random-0.5 --text eng -o D/pruned.model --folder D",
            "D: --output and --folder are one file, or one is in the folder",
        ),
        ("prune model --knockout random-0.5 --text eng --folder mine", "mine: the folder would be"),
        ("prune model --knockout random-0.5 --folder D", "characters that are in no merge would"),
    ],
)
def test_nothing_of_the_user_is_lost(folder, refused, monkeypatch, command, message):
    (folder / "mine").mkdir()
    for name in ("recipe.yaml", "eng", "thesis.tex"):
        (folder / "mine" / name).write_bytes((folder / "eng").read_bytes())
    (folder / "pruned.model").write_bytes((folder / "model").read_bytes())
    os.symlink("loop", folder / "loop")
    os.symlink("eng", folder / "linked")
    for name, other in (("eng", "pair.en"), ("deu", "pair.de")):
        (folder / other).write_bytes((folder / name).read_bytes())
    ask = ["align", "eng", "deu", "--recipe", "words-fast_align", "--keep", "kept", "-o", "links"]
    assert main(ask) == 0
    assert main(ask) == 0
    before = contents(folder)
    monkeypatch.setattr("seggrid.api.aligner.align_cell", lambda *_, **__: pytest.fail("late"))
    assert message in refused(*command.split())
    assert contents(folder) == before
    assert os.readlink(folder / "loop") == "loop"


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--heuristic union", "unrecognized arguments: --heuristic union ("),
        ("--symetrization=union", "--symetrization=union: did you mean --symmetrization? ("),
        ("--symmetrization x", "argument --symmetrization: invalid choice: 'x'"),
    ],
)
def test_a_mistaken_option_is_one_line_that_names_the_help(capsys, options, said):
    with pytest.raises(SystemExit) as end:
        main(["symmetrize", "a", "b", *options.split()])
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.startswith("error: ")
    assert err.endswith(" (seggrid symmetrize --help lists the options)\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("verb", ["align", "recommend", "score"])
def test_the_help_shows_no_default_where_there_is_none(verb, capsys):
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    shown = capsys.readouterr().out
    for nothing in ("(default: (None", "(default: [])", "(default: False)"):
        assert nothing not in shown


@pytest.mark.parametrize("word", ["a\x07b", "a b"])
def test_what_is_drawn_as_a_tree_is_a_word(folder, refused, word):
    assert "is not a word (give words one by one" in refused("tree", "model", word)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("libraries", "no analysis of 'libraries' (CELEX has lemmas: librarian, library)"),
        ("Library", "(CELEX has it in lower case: library)"),
        ("haus", "(CELEX has it capitalized: Haus)"),
        ("bäcker", "(CELEX has it transcribed: baecker)"),
        ("zebra", "(CELEX has lemmas alone)"),
    ],
)
def test_the_form_that_a_reference_has_of_a_word_is_said(folder, refused, word, said):
    lemmas = "library", "librarian", "Haus", "baecker"
    (folder / "celex").write_text("".join(f"{lemma}\t({lemma})[N]\n" for lemma in lemmas))
    assert said in refused("tree", "model", word, "--morphemes", "celex")


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

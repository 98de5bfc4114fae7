"""What holds for the files of every command: empty values, standard input, folders, pipes."""

import argparse
import os
import shutil
import subprocess
import sys
import threading
from importlib import import_module

import pytest

from seggrid.align import gibbs
from seggrid.align.gibbs import _ramp
from seggrid.base.compressed import write_text
from seggrid.cli import VERBS, main, module_of
from seggrid.cli.files import input_file, output_file, output_folder


@pytest.fixture
def folder(builtin):
    folder = builtin(20)
    assert main(["learn", "eng", "--merges", "30", "-o", "model"]) == 0
    return folder


def refused(capsys, *arguments):
    capsys.readouterr()
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("verb", [verb for verb in VERBS if ".texts." in module_of(verb)])
def test_every_option_for_a_file_is_checked(verb):
    parser = argparse.ArgumentParser()
    import_module(module_of(verb)).add_arguments(parser)
    files = [
        action
        for action in parser._actions
        if (action.metavar in ("FILE", "FOLDER", "DIR") and action.dest != "merges")
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


def test_a_recipe_in_a_file_is_an_input(folder, capsys):
    (folder / "own.yaml").write_text("description: x\ncell: {aligner: fast_align}\n")
    said = refused(capsys, "align", "eng", "deu", "--recipe", "own.yaml", "-o", "own.yaml")
    assert said.startswith("error: own.yaml: the output would be written over this file of input")


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
        (["verify", ""], "FOLDER"),
        (["plan", ""], "CONFIG"),
        (["run", ""], "CONFIG"),
    ],
)
def test_an_empty_value_is_refused(folder, capsys, command, option):
    assert f"error: {option}: an empty value (an unset variable?" in refused(capsys, *command)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "align eng deu --keep mine",
            "mine: the folder would be replaced, and eng in it is not",
        ),
        ("align mine/eng deu --keep mine", "mine/eng: a file of input in the folder of --keep"),
        (
            "align eng deu -o new/links --keep new",
            "new/links: --output lies in the folder of --keep",
        ),
        (
            "align eng deu --keep new --probabilities new/a/p",
            "--probabilities lies in the folder of",
        ),
        (
            "align eng deu --keep kept --recipe kept/recipe.yaml",
            "a file of input in the folder of --k",
        ),
        ("align eng deu --keep kept/deeper -o kept/deeper", "kept/deeper: --output and --keep are"),
        (
            "align eng deu --models kept -o kept/recipe.yaml",
            "kept/recipe.yaml: the output would be",
        ),
        (
            "align eng deu --models kept -o kept/links",
            "kept/links: the output would be written into a",
        ),
        ("align eng deu -o loop", "loop: cannot be written: Too many levels of symbolic links"),
        ("align - - --recipe words", "standard input twice"),
        ("align - deu --training - deu", "standard input twice"),
        (
            "prune pruned.model --knockout random-0.5 --folder .",
            "pruned.model: a file of input in the",
        ),
        (
            "prune model --knockout random-0.5 --text eng -o D/pruned.model --folder D",
            "D/pruned.model: --output lies in the folder of --folder",
        ),
        ("prune model --knockout random-0.5 --text eng --folder mine", "mine: the folder would be"),
        ("prune model --knockout random-0.5 --folder D", "characters that are in no merge would"),
    ],
)
def test_nothing_of_the_user_is_lost(folder, capsys, monkeypatch, command, message):
    (folder / "mine").mkdir()
    for name in ("recipe.yaml", "eng", "thesis.tex"):
        (folder / "mine" / name).write_bytes((folder / "eng").read_bytes())
    (folder / "pruned.model").write_bytes((folder / "model").read_bytes())
    os.symlink("loop", folder / "loop")
    ask = ["align", "eng", "deu", "--recipe", "words-fast_align", "--keep", "kept", "-o", "links"]
    assert main(ask) == 0
    assert main(ask) == 0
    before = contents(folder)
    monkeypatch.setattr("seggrid.api.aligner.align_cell", lambda *_, **__: pytest.fail("late"))
    assert message in refused(capsys, *command.split())
    assert contents(folder) == before
    assert os.readlink(folder / "loop") == "loop"


def test_a_folder_of_a_pruned_tokenizer_is_written_again(folder, capsys):
    ask = ["prune", "model", "--knockout", "latest-0.3", "--text", "eng", "--folder", "D"]
    assert main(ask) == 0
    assert main(ask) == 0
    assert {"tokenizer.json", "merges.txt", "vocab.json"} < set(os.listdir("D"))


PAIRS = {"bars": " ||| ", "columns": "\t"}


def test_a_pipe_is_read_once_whatever_the_format(folder, capsys):
    ask = ["--recipe", "words-fast_align"]
    capsys.readouterr()
    assert main(["align", "eng", "deu", *ask]) == 0
    links = capsys.readouterr().out
    (folder / "links").write_text(links)
    english, german = ((folder / name).read_text().splitlines() for name in ("eng", "deu"))
    texts = {
        format: "".join(f"{e}{mark}{d}\n" for e, d in zip(english, german, strict=True))
        for format, mark in PAIRS.items()
    }
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{e}</seg></tuv><tuv xml:lang="de"><seg>{d}</seg></tuv></tu>\n'
        for e, d in zip(english, german, strict=True)
    )
    texts["tmx"] = f'<tmx version="1.4"><body>{units}</body></tmx>'
    for format, text in texts.items():
        codes = ["--codes", "en", "de"] if format == "tmx" else []
        with piped(text.encode()) as name:
            assert main(["align", name, "--format", format, *codes, *ask]) == 0
        assert capsys.readouterr().out == links
    for command in ("score - gold", "symmetrize - links", "score links -"):
        file = "gold" if command.endswith("-") else "links"
        with open(file, "rb") as given:
            ran = subprocess.run(
                [sys.executable, "-m", "seggrid.cli", *command.split()],
                stdin=given,
                capture_output=True,
                check=True,
            )
        assert ran.stdout
    with piped((folder / "model").read_bytes()) as name:
        assert main(["convert", name, "--to", "tokenizer", "--text", "eng", "-o", "t.json"]) == 0
    with piped((folder / "t.json").read_bytes()) as name:
        assert main(["convert", name, "--to", "model", "-o", "again"]) == 0
    assert (folder / "again").read_bytes() == (folder / "model").read_bytes()
    with piped((folder / "t.json").read_bytes()) as name:
        ask = ["--segmenter", "external", "--model-format", "huggingface"]
        assert main(["segment", "eng", "-m", name, *ask, "-o", "tokens"]) == 0


@pytest.mark.tier("check")
def test_a_large_text_has_the_same_links_from_any_file(folder, capsys, monkeypatch):
    monkeypatch.setattr(gibbs, "LARGE", 0)
    monkeypatch.setattr(_ramp, "FIRST", 5)
    ask = ["--merges", "30", "--set", "gibbs.relative_iterations=0.05", "--probabilities", "P"]
    sides = [(folder / name).read_text().splitlines() for name in ("eng", "deu")]
    both = "".join(f"{e}\t{d}\n" for e, d in zip(*sides, strict=True))
    with write_text(folder / "both.tsv.zst") as file:
        file.write(both)
    with write_text(folder / "eng.gz") as file:
        file.write((folder / "eng").read_text())
    found = []
    with piped(both.encode()) as pipe:
        for texts in (
            ["eng", "deu"],
            ["eng", "deu", "--threads", "2"],
            ["both.tsv.zst", "--format", "columns"],
            ["eng.gz", "deu"],
            [pipe, "--format", "columns"],
        ):
            capsys.readouterr()
            assert main(["align", *texts, *ask]) == 0
            found.append((capsys.readouterr().out, (folder / "P").read_bytes()))
    assert len(found[0][0].splitlines()) == 20
    assert found == found[:1] * 5


class piped:
    """A pipe with some content, by the name that a shell gives a process substitution."""

    def __init__(self, content):
        self.content = content

    def __enter__(self):
        self.read, write = os.pipe()

        def feed():
            with open(write, "wb") as file:
                file.write(self.content)

        self.writer = threading.Thread(target=feed)
        self.writer.start()
        return f"/dev/fd/{self.read}"

    def __exit__(self, *_):
        self.writer.join()
        os.close(self.read)


def test_an_output_of_a_dash_is_standard_output(folder, capsys):
    capsys.readouterr()
    assert main(["segment", "eng", "--segmenter", "words", "-o", "-"]) == 0
    assert capsys.readouterr().out == (folder / "eng").read_text()


def run(*arguments, **options):
    command = [sys.executable, "-m", "seggrid.cli", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, **options)


def test_a_closed_standard_output_is_one_line():
    ran = run("symmetrize", "a", "a", preexec_fn=lambda: os.close(1))
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


def test_closed_standard_output_of_a_result(folder):
    (folder / "a").write_text("0-0\n")
    ran = run("symmetrize", "a", "a", preexec_fn=lambda: os.close(1))
    assert ran.stderr == "error: standard output: Bad file descriptor\n"
    assert ran.returncode == 2


def test_an_unknown_option_names_the_help_of_its_verb(capsys):
    with pytest.raises(SystemExit) as end:
        main(["symmetrize", "a", "b", "--heuristic", "union"])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said == (
        "error: unrecognized arguments: --heuristic union (seggrid symmetrize --help lists the options)\n"
    )


def test_a_mistyped_option_gets_a_suggestion(capsys):
    with pytest.raises(SystemExit):
        main(["symmetrize", "a", "b", "--symetrization=union"])
    assert "--symetrization=union: did you mean --symmetrization? (" in capsys.readouterr().err


def test_a_mistaken_option_is_one_line_that_names_the_help(capsys):
    with pytest.raises(SystemExit) as end:
        main(["symmetrize", "a", "b", "--symmetrization", "x"])
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("error: argument --symmetrization: invalid choice: 'x'")
    assert err.endswith(" (seggrid symmetrize --help lists the options)\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("verb", ["align", "recommend", "score"])
def test_the_help_shows_no_default_where_there_is_none(verb, capsys):
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    shown = capsys.readouterr().out
    for nothing in ("(default: (None", "(default: [])", "(default: False)"):
        assert nothing not in shown


def test_the_help_has_a_line_for_each_recipe_and_example(capsys):
    with pytest.raises(SystemExit):
        main(["align", "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert (
        "  words: The words as they are, aligned by gibbs; links of a probability above 0.4."
        in lines
    )
    assert "  seggrid align eng.txt deu.txt -o links.txt" in lines


def test_an_interruption_is_one_line(monkeypatch, capsys, folder):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("seggrid.cli.texts.symmetrize.read_links", interrupt)
    assert main(["symmetrize", "eng", "eng"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize("word", ["a\x07b", "a b", "a\tb", "a\u2028b"])
def test_what_is_drawn_as_a_tree_is_a_word(folder, capsys, word):
    assert "is not a word (give words one by one" in refused(capsys, "tree", "model", word)


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
def test_the_form_that_a_reference_has_of_a_word_is_said(folder, capsys, word, said):
    lemmas = "library", "librarian", "Haus", "baecker"
    (folder / "celex").write_text("".join(f"{lemma}\t({lemma})[N]\n" for lemma in lemmas))
    assert said in refused(capsys, "tree", "model", word, "--morphemes", "celex")


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
    (folder / "model").write_text("#seggrid-bpe 1 spaces=yes scoring=frequency\n▁h o\n")
    assert main(ask) == 0
    assert "2 words have upper-case letters, and the model none" in capsys.readouterr().err

"""What holds for the files of every command: standard input, folders, pipes, gaps."""

import errno
import os
import shutil
import subprocess
import sys
import threading

import pytest

from seggrid.base.parameters import input_file, output_file, output_folder
from seggrid.commands import VERBS, main, parser_of
from seggrid.segment.bpe.model import BPEModel


@pytest.fixture
def folder(builtin):
    return builtin(20, merges=30)


OF_GRIDS = ("check-plugin", "new", "plan", "run", "diff", "crate", "reproduce")
OF_TEXTS = [verb for verb in VERBS if verb not in (*OF_GRIDS, "completion")]


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
    command = [sys.executable, "-m", "seggrid", *arguments]
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
        "note: 30 merges, 0 pruned, 30 left, by 3 words of reference\n"
    )
    assert main([*ask, "--text", "eng"]) == 0
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("note: 30 merges")
    BPEModel([("▁h", "o")]).write(folder / "model")
    assert main(ask) == 0
    assert "2 words have upper-case letters, and the model none" in capsys.readouterr().err
    (folder / "text").write_text("the Houses small\n")
    assert main([*ask, "--text", "text"]) == 0
    assert "1 words have upper-case letters, and the model none" in capsys.readouterr().err


@pytest.fixture
def forty(builtin):
    return builtin(40)


def test_sentence_pairs_with_an_empty_side_get_no_links(forty):
    lines = (forty / "eng").read_text().splitlines()
    kept = [k for k in range(40) if k not in (3, 17)]
    german = (forty / "deu").read_text().splitlines()
    for name, text in (("e", lines), ("d", german)):
        (forty / name).write_text("\n".join(text[k] for k in kept) + "\n")
    (forty / "gaps").write_text("\n".join(lines[k] if k != 3 else "" for k in range(40)) + "\n")
    (forty / "gaps.d").write_text("\n".join(german[k] if k != 17 else "" for k in range(40)) + "\n")
    both = "--probabilities {0}.p -o {0}"
    assert main(f"align e d {both.format('without')}".split()) == 0
    assert main(f"align gaps gaps.d --empty-lines skip {both.format('with')}".split()) == 0
    for ending in ("", ".p"):
        rows = (forty / f"with{ending}").read_text().splitlines()
        assert rows[3] == rows[17] == ""
        assert [rows[k] for k in kept] == (forty / f"without{ending}").read_text().splitlines()


def test_links_are_written_before_models_that_cannot_be(forty, refused, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "k")

    monkeypatch.setattr("seggrid.commands.aligner.write_models", full)
    ask = ["align", "eng", "deu", "--recipe", "words-fast_align", "--keep", "k", "-o", "links"]
    assert "k: No space left on device" in refused(*ask)
    assert len((forty / "links").read_text().splitlines()) == 40


def test_a_symbolic_link_stays_one_and_a_pipe_is_written_to(forty):
    os.symlink("target", forty / "link")
    assert main(["segment", "eng", "--segmenter", "words", "-o", "link"]) == 0
    assert (forty / "link").is_symlink()
    assert (forty / "target").read_text() == (forty / "eng").read_text()
    os.mkfifo(forty / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((forty / "pipe").read_text()))
    reader.start()
    assert main(["segment", "eng", "--segmenter", "words", "-o", "pipe"]) == 0
    reader.join()
    assert read == [(forty / "eng").read_text()]


def test_lines_of_gold_without_links_can_be_skipped(forty, capsys, refused):
    (forty / "g").write_text("0-0\n\n1-1\n")
    (forty / "l").write_text("0-0\n0-0\n0-1\n")
    assert "--empty-gold-lines skip" in refused("score", "l", "g")
    assert main(["score", "l", "g", "--empty-gold-lines", "skip"]) == 0
    assert "precision\t0.5000" in capsys.readouterr().out

"""Inputs at the edge: what the commands refuse in one line, and what they must not get wrong silently."""

import errno
import os
import threading

import pytest

from seggrid.cli import main


@pytest.fixture
def folder(builtin):
    """The first sentences of the built-in pair, and a model of the source."""
    return builtin(40, merges=30)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "convert merges --to model -o m",
            "merges:2: the merge '##h ##e', which marks words otherwise",
        ),
        ("align eng deu --merges 5 --vocabulary 90", "--merges together with --vocabulary"),
        ("align eng deu --models kept --recipe words", "give --models alone"),
        ("align empty deu", "skip such pairs (empty_lines: skip for the pair, --empty-lines skip)"),
        ("segment eng -m model --spaces no", "model: learned with spaces: yes"),
        ("segment eng -m hidden", "hidden: learned with spaces: hidden"),
        ("segment eng --segmenter unigram -m pieces --merges 5", "pieces: 40 types, and the"),
        ("segment ~no-such-user/x --segmenter words", "~no-such-user/x: no such file"),
        ("measure eng --segmenter words --size 2", "--size 2, but "),
        ("symmetrize far far", "far:1: the link 0-999999999: position 999999999 is in no sentence"),
        ("learn nothing --segmenter byte_bpe --raw --vocabulary 300 -o m", "nothing: no such file"),
        ("learn eng -o .", "error: .: Is a directory"),
        ("learn eng -o eng/m", "eng/m: cannot be written: "),
        ("recommend eng deu --gold outside --bad-links drop -o r", "every sure link lies outside"),
        ("recommend eng deu --gold from-one --bad-links drop -o r", "no link of 40 sentences uses"),
    ],
)
def test_mistakes_are_one_line(folder, refused, arguments, said):
    assert main(["convert", "model", "--marking", "start", "--to", "merges", "-o", "merges"]) == 0
    assert main(["learn", "eng", "--merges", "30", "--spaces", "hidden", "-o", "hidden"]) == 0
    assert main(["learn", "eng", "--segmenter", "unigram", "--merges", "40", "-o", "pieces"]) == 0
    (folder / "far").write_text("0-999999999\n")
    (folder / "outside").write_text("0p0 99-99\n" + "0p0\n" * 39)
    shifted = [
        " ".join(
            f"{int(i) + 1}{kind}{int(j) + 1}"
            for link in line.split()
            for kind in ("p" if "p" in link else "-")
            for i, j in [link.split(kind)]
        )
        for line in (folder / "gold").read_text().splitlines()
    ]
    (folder / "from-one").write_text("\n".join(shifted) + "\n")
    (folder / "empty").write_text("\n" + "a\n" * 39)
    assert said in refused(*arguments.split())


def test_sentence_pairs_with_an_empty_side_get_no_links(folder):
    lines = (folder / "eng").read_text().splitlines()
    kept = [k for k in range(40) if k not in (3, 17)]
    german = (folder / "deu").read_text().splitlines()
    for name, text in (("e", lines), ("d", german)):
        (folder / name).write_text("\n".join(text[k] for k in kept) + "\n")
    (folder / "gaps").write_text("\n".join(lines[k] if k != 3 else "" for k in range(40)) + "\n")
    (folder / "gaps.d").write_text(
        "\n".join(german[k] if k != 17 else "" for k in range(40)) + "\n"
    )
    both = "--probabilities {0}.p -o {0}"
    assert main(f"align e d {both.format('without')}".split()) == 0
    assert main(f"align gaps gaps.d --empty-lines skip {both.format('with')}".split()) == 0
    for ending in ("", ".p"):
        rows = (folder / f"with{ending}").read_text().splitlines()
        assert rows[3] == rows[17] == ""
        assert [rows[k] for k in kept] == (folder / f"without{ending}").read_text().splitlines()


def test_links_are_written_before_models_that_cannot_be(folder, refused, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "k")

    monkeypatch.setattr("seggrid.api.aligner.write_models", full)
    ask = ["align", "eng", "deu", "--recipe", "words-fast_align", "--keep", "k", "-o", "links"]
    assert "k: No space left on device" in refused(*ask)
    assert len((folder / "links").read_text().splitlines()) == 40


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("align eng deu --keep eng", "eng: --keep eng would change this input"),
        ("align eng deu --keep eng/k", "eng: --keep eng/k would change this input"),
        ("align eng deu --keep /proc/k", "/proc/k: cannot be written: "),
        ("align eng deu -o full", "full: Is a directory"),
        ("align eng deu --probabilities eng/p", "eng/p: cannot be written: "),
        ("recommend eng deu -o eng/r", "eng/r: cannot be written: "),
    ],
)
def test_outputs_that_cannot_be_written_are_refused_first(
    folder, refused, monkeypatch, output, said
):
    (folder / "full").mkdir()
    monkeypatch.setattr("seggrid.api.aligner.align_cell", lambda *_, **__: pytest.fail("late"))
    before = sorted(folder.rglob("*"))
    assert said in refused(*output.split())
    assert sorted(folder.rglob("*")) == before


def test_a_symbolic_link_stays_one_and_a_pipe_is_written_to(folder):
    os.symlink("target", folder / "link")
    assert main(["segment", "eng", "--segmenter", "words", "-o", "link"]) == 0
    assert (folder / "link").is_symlink()
    assert (folder / "target").read_text() == (folder / "eng").read_text()
    os.mkfifo(folder / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((folder / "pipe").read_text()))
    reader.start()
    assert main(["segment", "eng", "--segmenter", "words", "-o", "pipe"]) == 0
    reader.join()
    assert read == [(folder / "eng").read_text()]


def test_lines_of_gold_without_links_can_be_skipped(folder, capsys, refused):
    (folder / "g").write_text("0-0\n\n1-1\n")
    (folder / "l").write_text("0-0\n0-0\n0-1\n")
    assert "--empty-gold-lines skip" in refused("score", "l", "g")
    assert main(["score", "l", "g", "--empty-gold-lines", "skip"]) == 0
    assert "precision\t0.5000" in capsys.readouterr().out

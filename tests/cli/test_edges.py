"""Inputs at the edge: what the commands must not get wrong silently."""

import errno
import os
import threading

import pytest

from seggrid.cli import main


@pytest.fixture
def folder(builtin):
    """The first sentences of the built-in pair, and a model of the source."""
    return builtin(40, merges=30)


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

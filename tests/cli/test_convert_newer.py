"""Hugging Face's library cuts text by what `convert` writes as `segment` does, or it is not written."""

import re

import pytest
from tokenizers import Tokenizer

from seggrid.cli import main

# How a model is learned, converted and applied.
WAYS = {
    "rank": (["--merges", "300"], [], []),
    "left": (["--merges", "300"], ["--application", "left"], ["--application", "left"]),
    "least": (["--merges", "300"], ["--application", "least"], ["--application", "least"]),
    "superbpe": (
        ["--segmenter", "superbpe", "--merges", "400", "--transition", "200"],
        [],
        ["--segmenter", "superbpe"],
    ),
    "superbpe-0": (
        ["--segmenter", "superbpe", "--merges", "200", "--transition", "0"],
        [],
        ["--segmenter", "superbpe"],
    ),
    "mingram": (["--segmenter", "mingram", "--merges", "300"], [], ["--segmenter", "mingram"]),
}


@pytest.fixture
def folder(builtin):
    folder = builtin(300)
    # Most of the text is unseen, and a long word has several segmentations of equally many tokens.
    lines = (folder / "eng").read_text().splitlines()
    (folder / "part").write_text("\n".join(lines[:120]) + "\n")
    (folder / "eng").write_text("\n".join([*lines, "e" * 30, "ing" * 50, "the the : the"]) + "\n")
    return folder


def written(capsys, *arguments):
    capsys.readouterr()
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("way", WAYS)
def test_the_library_cuts_alike(way, folder, capsys):
    learned, converted, applied = WAYS[way]
    written(capsys, "learn", "part", *learned, "-o", "model")
    written(
        capsys, "convert", "model", "--to", "tokenizer", "--text", "eng", *converted, "-o", "t.json"
    )
    tokenizer = Tokenizer.from_file(str(folder / "t.json"))
    ours = written(capsys, "segment", "eng", "-m", "model", *applied).splitlines()
    lines = (folder / "eng").read_text().splitlines()
    assert len(ours) == len(lines)
    for line, cut in zip(lines, ours, strict=True):
        theirs = " ".join(tokenizer.encode(line).tokens)
        if way in ("rank", "left"):
            theirs = re.sub("(^| )(?!##)", r"\1▁", theirs).replace("##", "")
        assert theirs == cut

"""Every file that a command reads may be a pipe, which is read once: `-` for standard input, or the name that
a shell gives a process substitution."""

import gzip
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
import zstandard

import builtin_pair
from seggrid.align.gibbs import _training
from seggrid.commands import main


@contextmanager
def fed(content):
    """The reading end of a pipe with some content."""
    read, write = os.pipe()

    def feed():
        with open(write, "wb") as file:
            file.write(content)

    writer = threading.Thread(target=feed)
    writer.start()
    try:
        yield read
    finally:
        os.close(read)
        writer.join()


@contextmanager
def standard_input(content):
    """Put a pipe with some content in the place of standard input."""
    kept = os.dup(0)
    with fed(content) as read:
        os.dup2(read, 0)
        try:
            yield "-"
        finally:
            os.dup2(kept, 0)
            os.close(kept)


@contextmanager
def substitution(content):
    """The name of a pipe with some content."""
    with fed(content) as read:
        yield f"/dev/fd/{read}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of all kinds and formats that commands read."""
    folder = tmp_path_factory.mktemp("pipes")
    text = {name: builtin_pair.lines_of(name)[:12] for name in ("eng", "deu", "gold")}
    english, german = text["eng"], text["deu"]
    both = list(zip(english, german, strict=True))
    unit = '<tu><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="de"><seg>{}</seg></tuv></tu>'
    tmx = ['<tmx version="1.4"><body>', *(unit.format(*pair) for pair in both), "</body></tmx>"]
    gold = [f"{k}\t{line}" for k, line in enumerate(text["gold"], 1)]
    tagged = [" ".join(f"{word}|x|noun" for word in line.split()) for line in english]
    files = {
        **text,
        "both": [" ||| ".join(pair) for pair in both],
        "columns": ["\t".join(pair) for pair in both],
        "tmx": tmx,
        "gold.ids": gold,
        "tagged": tagged,
        "merges.txt": ["#version: 0.2", "h o"],
        "vocab.json": [json.dumps({type_: k for k, type_ in enumerate([*"Ġhouse", "ho"])})],
        "ids": [str(k) for k in range(1, 13)],
        "celex": ["house\t(house)[N]"],
        "reference": ["houses\thouse s"],
    }
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (folder / "eng.gz").write_bytes(gzip.compress((folder / "eng").read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        fast = "--recipe words-fast_align"
        for command in (
            "learn eng --merges 20 -o model",
            "learn tagged --segmenter lexical -o lexical",
            f"align eng deu {fast} --keep models --scores scores -o links --forward f --reverse r",
            "align eng deu --recipe words --set gibbs.relative_iterations=0.01 --keep gibbs -o l",
            "convert model --to tokenizer --text eng -o t.json",
            "prune merges.txt --vocab vocab.json --knockout random-0.4 -o byte.json",
            "convert model --marking start --to merges -o merges",
        ):
            assert main([*command.split(), "--quiet"]) == 0
        recipe = (folder / "models/recipe.yaml").read_bytes()
        (folder / "recipe").write_bytes(recipe)
    return folder


FAST = "--recipe words-fast_align"
READS = [
    f"align @eng deu {FAST}",
    f"align eng @deu {FAST}",
    f"align @eng.gz deu {FAST}",
    f"align @columns --format columns {FAST}",
    f"align @tmx --format tmx --codes en de {FAST}",
    f"align eng deu --training @both {FAST}",
    "align eng deu --recipe @recipe",
    "align eng deu --recipe words --set gibbs.relative_iterations=0.01 --priors @gibbs/aligner-0.priors",
    f"align eng deu --tokenizer @t.json --tokenizer-format huggingface {FAST}",
    "align @both --models models",
    "convert @t.json --to model -o -",
    "convert @merges --marking start --to model -o -",
    "convert model --to vocabulary --text @eng -o -",
    "filter @both --longest 9",
    "filter eng deu --links @links --unaligned 0.1",
    "filter both --scores @scores --least-score -4",
    "learn @tagged --segmenter lexical -o -",
    "learn @eng --segmenter byte_bpe --vocabulary 290 -o -",
    "measure eng -m model --morphemes @reference",
    "measure eng -m model --against bpe @model",
    "measure eng -m model --beside @deu",
    "prune model --morphemes @celex --morphemes-format celex -o -",
    "prune @byte.json --knockout random-0.5 -o -",
    "prune merges.txt --vocab @vocab.json --knockout random-0.5 -o -",
    "remap links --source @eng eng --target deu deu",
    "score links @gold",
    "score links gold.ids --gold-format pharaoh-ids --ids @ids",
    "score links gold --text @both",
    "segment @eng -m model",
    "segment tagged -m @lexical --segmenter lexical",
    "segment eng -m @eng --segmenter external --model-format tokens-@@",
    "symmetrize f @r",
    "tree @model house",
]
"""A command for each kind of file; @ stands before the file that is a pipe."""


@pytest.mark.parametrize(
    ("pipe", "command"),
    # `-` becomes the name of a pipe for all options alike.
    [*((substitution, command) for command in READS), (standard_input, "segment @eng -m model")],
)
def test_a_pipe_is_read_as_the_file_is(folder, monkeypatch, capfd, pipe, command):
    monkeypatch.chdir(folder)
    words = command.split()
    (place,) = (k for k, word in enumerate(words) if word.startswith("@"))
    file = words[place] = words[place][1:]
    if file == "t.json":
        pytest.importorskip("tokenizers")
    assert main(words) == 0
    expected = capfd.readouterr().out
    assert expected
    with pipe((folder / file).read_bytes()) as words[place]:
        assert main(words) == 0
    # A signature of scores names the file of the gold.
    found = capfd.readouterr().out
    assert re.sub(r"\|gold:\d+\|", f"|gold:{file}|", found) == expected


def test_what_is_written_to_standard_output_is_appended_where_the_shell_appends(folder):
    command = f"{sys.executable} -m seggrid convert model --to model -o - >> appended"
    done = subprocess.run(["sh", "-c", f"echo first > appended; {command}"], cwd=folder)
    assert done.returncode == 0
    assert (folder / "appended").read_text() == "first\n" + (folder / "model").read_text()


@pytest.mark.tier("check")
def test_a_large_text_has_the_same_links_from_any_file(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(_training, "FIRST", 5)
    ask = ["--merges", "30", "--set", "gibbs.relative_iterations=0.05", "--probabilities", "P"]
    columns = (folder / "columns").read_bytes()
    (folder / "columns.zst").write_bytes(zstandard.compress(columns))
    found = []
    with substitution(columns) as pipe:
        for texts in (
            ["eng", "deu"],
            ["eng", "deu", "--threads", "2"],
            ["columns.zst", "--format", "columns"],
            ["eng.gz", "deu"],
            [pipe, "--format", "columns"],
        ):
            capsys.readouterr()
            assert main(["align", *texts, *ask]) == 0
            found.append((capsys.readouterr().out, (folder / "P").read_bytes()))
    assert len(found[0][0].splitlines()) == 12
    assert found == found[:1] * 5


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_is_utf_8_in_any_locale(stream):
    code = (
        "import sys; from seggrid.commands import _open_standard_streams; _open_standard_streams(); "
        f"print(chr(0x2264), file=sys.{stream})"
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | plain, capture_output=True, check=True
    )
    assert getattr(done, stream) == "≤\n".encode()

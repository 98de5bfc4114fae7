"""Sentence pairs are left out by rules, whose counts are told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import seggrid
from seggrid.base.errors import InputError, Note
from seggrid.commands import main
from seggrid.text.links import Links

SOURCE = ["the house", "a b c d e f", "", "the red house", "x y", "so it is"]
TARGET = ["das haus", "a b", "y", "das rote haus", "u v", "so ist es"]
LINKS = [[(0, 0), (1, 1)], [], [], [(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)]]
SCORES = [[-1, -2], [-1, -1], [np.nan] * 2, [-1, -1], [-2, -9], [-3, -3]]
RULES = {"shortest": 2, "longest": 9, "ratio": 2, "unaligned": 0.5, "least_score": -5}


def test_the_first_rule_that_drops_a_pair_counts():
    found = seggrid.filter(SOURCE, TARGET, links=LINKS, scores=np.array(SCORES), **RULES)
    assert found.rules == ["", "ratio", "empty", "unaligned", "score", ""]
    assert found.kept.tolist() == [not rule for rule in found.rules]
    assert found.dropped == {
        "malformed": 0,
        "empty": 1,
        "length": 0,
        "ratio": 1,
        "unaligned": 1,
        "score": 1,
    }


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {
        "source": SOURCE,
        "target": TARGET,
        "links": Links.from_sets(LINKS).lines(),
        "scores": ["" if a != a else f"0\t0\t{a}\t{b}" for a, b in SCORES],
    }
    for name, lines in rows.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


OPTIONS = [part for rule, at in RULES.items() for part in (f"--{rule.replace('_', '-')}", str(at))]


def test_the_command_writes_what_is_kept_and_says_what_is_not(files, capsys):
    ask = ["filter", "source", "target", *OPTIONS, "--links", "links", "--scores", "scores"]
    assert main(ask) == 0
    out, err = capsys.readouterr()
    assert out == "the house ||| das haus\nso it is ||| so ist es\n"
    assert err.endswith(
        "\nnote: 2 of 6 sentence pairs kept; dropped: malformed 0, empty 1, length 0, ratio 1, unaligned 1, "
        "score 1\n"
    )
    assert main([*ask, "--outputs", "s", "t"]) == 0
    assert (files / "s").read_text() == "the house\nso it is\n"
    assert (files / "t").read_text() == "das haus\nso ist es\n"
    assert main([*ask, "-o", "kept.tsv.gz"]) == 0
    assert main(["filter", "kept.tsv.gz", "-o", "again"]) == 0
    assert (files / "again").read_text() == out


BAD = [b"w " * 6000, b"x ||| y", b"x\ty", b"x\ry", b"x\xffy", b"x\x01y", b"x\xe2\x80\xa8y"]
"""Lines that no text may hold."""


def test_bad_lines_are_dropped_and_counted_and_never_stop(files, capsys):
    rows = [b"the house", *BAD, "\u2581the \u2581house".encode(), b"a car"]
    (files / "s").write_bytes(b"".join(row + b"\n" for row in rows))
    (files / "t").write_bytes(b"ein auto\n" * len(rows))
    for texts in (["s", "t"], ["t", "s"]):
        assert main(["filter", *texts, "-o", "kept"]) == 0
        assert "malformed 7, empty 0, length 0" in capsys.readouterr().err
    assert (files / "kept").read_text().splitlines() == [
        "ein auto ||| the house",
        "ein auto ||| \u2581the \u2581house",
        "ein auto ||| a car",
    ]
    found = seggrid.filter("s", "t")
    assert found.rules == ["", *["malformed"] * 7, "", ""]
    assert seggrid.filter(["a", "x\ty"], ["b", "c"]).rules == ["", "malformed"]


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("b.txt", "a ||| x\n\nb\nc ||| y ||| z\nd\te ||| z\ne ||| z\n", [0, 5]),
        ("b.tsv", "a\tx\n\nGo.\tGeh.\tCC-BY\nb\tx\n", [0, 3]),
    ],
)
def test_bad_lines_of_both_sides(files, capsys, name, text, kept):
    (files / name).write_text(text)
    assert main(["filter", name, "-o", "kept"]) == 0
    sides = [line.split("\t" if name.endswith("tsv") else " ||| ") for line in text.splitlines()]
    assert (files / "kept").read_text() == "".join(f"{' ||| '.join(sides[k])}\n" for k in kept)
    assert ", empty 1, " in capsys.readouterr().err


def test_a_file_in_another_encoding_is_still_refused(files, capsys):
    (files / "s").write_text("a\n", "utf-16")
    assert main(["filter", "s", "s"]) == 2
    assert "s: UTF-16, not UTF-8" in capsys.readouterr().err


def test_numbers_of_sentences_must_be_equal():
    with pytest.raises(InputError, match="1 source sentences and 2 of target"):
        seggrid.filter(["a"], ["b", "c"])


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1), st.integers(1, 4))
def test_pairs_are_kept_whose_lengths_and_ratio_fit(lengths, ratio):
    source, target = (["w " * length for length in side] for side in zip(*lengths, strict=True))
    found = seggrid.filter(source, target, longest=5, ratio=ratio)
    expected = [min(a, b) > 0 and max(a, b) <= min(5, ratio * min(a, b)) for a, b in lengths]
    assert found.kept.tolist() == expected
    assert sum(found.dropped.values()) == expected.count(False)


def test_links_of_a_line_that_is_dropped_are_not_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("s", "a b\nx ||| y z\nc\n"),
        ("t", "u v\nw\nq\n"),
        ("links", "0-0 1-1\n3-0\n0-0\n"),
    ):
        (tmp_path / name).write_text(text)
    assert main(["filter", "s", "t", "--links", "links", "--unaligned", "0.5"]) == 0
    assert capsys.readouterr().out == "a b ||| u v\nc ||| q\n"
    found = seggrid.filter("s", "t", links="links", unaligned=0.5)
    assert found.kept.tolist() == [True, False, True]


def test_what_has_no_effect_is_noted_and_a_limit_is_a_number(files, capsys):
    with pytest.warns(Note, match="^links have no effect without unaligned$"):
        seggrid.filter(["a"], ["b"], links=[[(0, 0)]])
    with pytest.warns(Note, match="^scores have no effect without least_score$"):
        seggrid.filter(["a"], ["b"], scores=np.zeros((1, 2)))
    with pytest.raises(SystemExit):
        main(["filter", "source", "target", "--least-score", "nan"])
    assert "argument --least-score: 'nan' is not a number (" in capsys.readouterr().err

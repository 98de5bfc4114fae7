"""Ids and bases of gold are read by one rule in score, recommend and configs."""

import pytest

from checked_pair import check_files
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.text.link_notation import Notation

NAMES = ["9", "3", "7", "1", "12"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Texts with numbers for ids in no order, their links, and gold that names the ids."""
    monkeypatch.chdir(tmp_path)
    words = [["a", "b", "c"], ["b", "c"], ["c"], ["d", "a"], ["e", "f"]]
    links = [[(i, i) for i in range(len(row))] for row in words]
    for name in ("source", "target"):
        rows = (f"{id}\t{' '.join(row)}\n" for id, row in zip(NAMES, words, strict=True))
        (tmp_path / name).write_text("".join(rows))
        (tmp_path / f"{name}.plain").write_text("".join(f"{' '.join(row)}\n" for row in words))
    spelled = [" ".join(f"{i}-{j}" for i, j in row) for row in links]
    (tmp_path / "links").write_text("\n".join(spelled) + "\n")
    gold = [f"{id}\t{row}" for id, row in zip(NAMES, spelled, strict=True)]
    (tmp_path / "gold").write_text("\n".join(gold[::-1]) + "\n")
    (tmp_path / "ids").write_text("\n".join(NAMES) + "\n")
    (tmp_path / "numbered").write_text("".join(f"{k}\t{row}\n" for k, row in enumerate(spelled)))
    return tmp_path


def f1(capsys):
    rows = dict(line.split("\t")[:2] for line in capsys.readouterr().out.splitlines())
    return rows["f1"] if "f1" in rows else rows["F1"]


@pytest.mark.parametrize(
    "ask",
    [
        "gold --ids ids",
        "gold --text source target --format tsv",
        "numbered --numbered",
        "numbered --text source.plain target.plain",
    ],
)
def test_ids_are_those_of_the_text(folder, capsys, ask):
    assert main(["score", "links", *ask.split(), "--gold-format", "pharaoh-ids"]) == 0
    assert float(f1(capsys)) == 1


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        ("gold", "gold: pharaoh-ids names sentences, but the text is not given (give the texts"),
        ("gold --numbered", "gold:2: the sentence 1 after 12, so these may be ids, not line"),
        ("gold --text source.plain target.plain", "gold:2: the sentence 1 after 12, so these may"),
        ("gold --ids short", "links: 5 lines of links, but the ids are 2"),
        ("gold --text source --format bars", "source:1: no |||, where `source ||| target`"),
        ("numbered --text more more", "links: 5 lines of links, but the text has 1"),
        ("numbered --text wide target.plain", "links:1: the link 1-1 lies outside its sentence"),
        ("numbered --numbered --bad-links drop", "--bad-links drop needs the texts"),
        ("numbered --numbered --format tsv", "--format without --text"),
    ],
)
def test_ids_are_not_taken_for_line_numbers(folder, capsys, ask, message):
    (folder / "short").write_text("1\n2\n")
    (folder / "more").write_text("a b c\n")
    (folder / "wide").write_text("abc\n" * 5)
    assert main(["score", "links", *ask.split(), "--gold-format", "pharaoh-ids"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"error: {message}")


def test_numbers_in_another_order_are_refused_in_configs_too(folder):
    with pytest.raises(InputError, match="the sentence 1 after 12, so these may be ids"):
        check_files("source.plain", "target.plain", "gold", Notation("pharaoh-ids"))
    check_files("source", "target", "gold", Notation("pharaoh-ids"), ("tsv", "tsv"))


@pytest.mark.parametrize("link", ["{0}-{0}", "{0}-0"])
def test_gold_that_counts_from_one_is_refused_by_all(folder, capsys, link):
    words = [f"w{k} x y" for k in range(30)]
    (folder / "text").write_text("\n".join(words) + "\n")
    (folder / "from-one").write_text("\n".join(f"{link.format(1)} 2-2" for _ in words) + "\n")
    (folder / "found").write_text("0-0 1-1\n" * 30)
    message = "from-one: no link of 30 sentences uses position 0, on"
    with pytest.raises(InputError, match=message):
        check_files("text", "text", "from-one")
    for ask in (
        ["score", "found", "from-one"],
        ["score", "found", "from-one", "--text", "text", "text"],
        ["recommend", "text", "text", "--gold", "from-one", "-o", "r"],
    ):
        assert main(ask) == 2
        assert message in capsys.readouterr().err


def test_sentences_that_begin_with_a_marker_are_scored_with_their_texts(folder, capsys):
    (folder / "text").write_text("".join(f"# {k} a\n" for k in range(30)))
    (folder / "marked").write_text("1-1 2-2\n" * 30)
    (folder / "found").write_text("0-0 1-1\n" * 30)
    assert main(["score", "found", "marked"]) == 2
    assert "give the texts with --text" in capsys.readouterr().err
    assert main(["score", "found", "marked", "--text", "text", "text"]) == 0


def test_a_hint_on_the_format_of_the_texts_names_the_option_for_it(folder, capsys):
    (folder / "tsv").write_text("s1\ta b\ns2\ta b\n")
    (folder / "two").write_text("0-0\n0-0\n")
    capsys.readouterr()
    assert main(["score", "two", "two", "--text", "tsv", "tsv"]) == 2
    said = capsys.readouterr().err
    assert said.count("set format: tsv (--format tsv)") == 1
    assert main(["score", "two", "two", "--text", "tsv", "tsv", "--format", "tsv"]) == 0


@pytest.mark.parametrize(
    ("format", "lines"),
    [
        ("pharaoh-ids", "{k}\t0-0 1-1"),
        ("naacl", "{k} 0 0\n{k} 1 1"),
        ("rwth", "SENT: {k}\nS 0 0\nS 1 1"),
    ],
)
def test_line_numbers_from_one_with_words_from_zero_are_refused_by_all(
    folder, capsys, format, lines
):
    (folder / "text").write_text("".join(f"w{k} x y\n" for k in range(30)))
    (folder / "found").write_text("0-0 1-1\n" * 30)
    (folder / "gold").write_text("\n".join(lines.format(k=k) for k in range(1, 25)) + "\n")
    message = "gold: the first sentence is 1: line numbers may count from 0, as words do, or from 1"
    with pytest.raises(InputError, match=message):
        check_files("text", "text", "gold", Notation(format))
    for ask in (
        ["score", "found", "gold", f"--gold-format={format}", "--numbered"],
        ["score", "found", "gold", f"--gold-format={format}", "--text", "text", "text"],
        ["recommend", "text", "text", "--gold=gold", f"--gold-format={format}", "-o", "r"],
    ):
        assert main(ask) == 2
        assert message in capsys.readouterr().err
    (folder / "numbers").write_text("".join(f"{k}\n" for k in range(1, 31)))
    assert main(["score", "found", "gold", f"--gold-format={format}", "--ids", "numbers"]) == 0
    assert float(f1(capsys)) == 1

"""Lexicons of linked words."""

from seggrid.align.lexicon import lexicon
from seggrid.cli import main
from seggrid.data.links import Links


def test_the_word_null_is_not_the_empty_word():
    found = lexicon(
        Links.from_lines(["0-0 2-2", "0-0"]),
        [["the", "NULL", "value"], ["NULL"]],
        [["der", "NULL", "Wert"], ["NULL"]],
    )
    rows = {(e.source, e.target): (e.forward, e.reverse, e.times) for e in found}
    assert rows == {
        ("the", "der"): (1, 1, 1),
        ("value", "Wert"): (1, 1, 1),
        ("NULL", "NULL"): (0.5, 0.5, 1),
        ("NULL", None): (0.5, 1, 1),
        (None, "NULL"): (1, 0.5, 1),
    }


def test_the_tables_hold_no_entry_of_the_word_null(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("s", "the NULL value too\n"),
        ("t", "der NULL Wert ja\n"),
        ("links", "0-0 1-2 2-2\n"),
    ):
        (tmp_path / name).write_text(text)
    assert main(["lexicon", "s", "t", "--links", "links", "--moses", "f", "e", "-o", "rows"]) == 0
    assert "left out: 2 pairs of the word NULL" in capsys.readouterr().err
    assert (tmp_path / "rows").read_text().splitlines() == [
        "NULL\tja\t0.5\t1\t1",
        "the\tder\t1\t1\t1",
        "too\tNULL\t1\t1\t1",
        "value\tWert\t1\t0.5\t1",
    ]
    assert "ja NULL 0.5000000" in (tmp_path / "f").read_text().splitlines()

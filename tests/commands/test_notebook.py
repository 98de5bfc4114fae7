"""What Python's results show in a notebook, and as frames and dictionaries."""

import json

import pytest

import seggrid
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.commands.measured import FURTHER, GROUPS, Measures, for_terminal, meaning_of
from seggrid.segment.measures import MEASURES

ENGLISH = ["the <b> house", "a house"]
GERMAN = ["das <b> haus", "ein haus"]


@pytest.fixture(scope="module")
def links():
    return seggrid.align(ENGLISH, GERMAN, "words-fast_align")


def test_a_notebook_shows_tables_in_which_words_are_escaped(links):
    html = links._repr_html_()
    assert html.count("<table>") == 2
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    scores = seggrid.score(links, links)
    assert "<td>f1</td><td>1.0</td>" in scores._repr_html_()
    measures = seggrid.measure(ENGLISH, seggrid.Segmenter.load(segmenter="words"))
    assert "<td>fertility</td><td>1.0</td><td>tokens per word</td>" in measures._repr_html_()
    # What is not defined is empty.
    assert "<td>vocabulary_use</td><td></td>" in measures._repr_html_()


def test_scores_and_links_are_frames(links):
    pytest.importorskip("pandas", reason="needs the extra grid")
    found = links.frame()
    assert len(found) == sum(map(len, links))
    first = found.iloc[0]
    assert first["source_word"] == ENGLISH[first["sentence"]].split()[first["source"]]
    scores = seggrid.score(links, links)
    assert scores.frame().loc["f1", "value"] == 1
    assert seggrid.Segmenter  # the frame of measures has a row for each
    measures = Measures({"fertility": 1.5, "mine": 2.0})
    assert measures.frame()["group"].tolist() == [next(iter(GROUPS)), FURTHER]


def test_the_dictionary_of_scores_is_what_the_command_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "links").write_text("0-0 1-1\n" * 30)
    (tmp_path / "gold").write_text("0-0 1-0\n" * 30)
    assert main(["score", "links", "gold", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == seggrid.score("links", "gold").as_dict()


def test_every_measure_that_is_printed_says_what_it_is():
    text = ["the house", "houses"]
    bpe = seggrid.Segmenter.learn(text, merges=3)
    found = seggrid.measure(text, bpe, against=bpe, beside=text)
    grouped = [name for names in GROUPS.values() for name in names]
    assert [name for name in [*found, *MEASURES, *grouped] if not meaning_of(name)] == []
    assert len(grouped) == len(set(grouped))
    assert [row.measure for row in found.rows()] == sorted(found, key=[*grouped, *found].index)


def test_a_terminal_gets_groups_and_a_pipe_lines_with_tabs(tmp_path, monkeypatch, capsys):
    lines = list(for_terminal(Measures({"tokens": 3, "exact_sentences": 1.0}), True, 60))
    assert lines[0] == "how finely it splits"
    assert lines[1].split() == ["tokens", "3", "the", "number", "of", "tokens"]
    assert "" in lines
    assert max(map(len, for_terminal(Measures({"renyi_efficiency": 0.5}), True, 60))) <= 60
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("the house\n")
    assert main(["measure", "text", "--segmenter", "words", "--explain"]) == 0
    assert "fertility\t1\ttokens per word\n" in capsys.readouterr().out


def test_gold_may_be_a_file_lines_or_links(tmp_path, monkeypatch, links):
    monkeypatch.chdir(tmp_path)
    lines = ["0-0 1p1", "0-0"] * 20
    (tmp_path / "gold").write_text("\n".join(lines) + "\n")
    found = [[(0, 0), (1, 1)], [(0, 0)]] * 20
    gold = seggrid.read_gold("gold")
    assert gold.sure.lines() == ["0-0", "0-0"] * 20
    assert seggrid.score(found, lines) == seggrid.score(found, gold) == seggrid.score(found, "gold")
    assert seggrid.score(found, gold.possible) == seggrid.score(found, found)
    assert seggrid.score(found, gold.possible.lines()).f1 == 1
    with pytest.raises(InputError, match="read_gold"):
        seggrid.read_links("gold")
    with pytest.raises(InputError, match="possible links beside lines"):
        seggrid.score(found, lines, possible=found)


def test_a_sentence_in_place_of_a_path_says_how_to_give_it():
    with pytest.raises(InputError, match=r"give \['the house'\]"):
        seggrid.align("the house", ["das Haus"])
    with pytest.raises(InputError, match="check the path"):
        seggrid.measure("nowhere", seggrid.Segmenter.load(segmenter="words"))

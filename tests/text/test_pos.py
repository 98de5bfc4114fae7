"""Parts of speech: from tags to parts of speech, the tagger, files of tags and lexicons."""

import pytest

from seggrid.base.errors import InputError
from seggrid.text.pos import (
    are_chosen,
    check_language,
    part_of_speech,
    read_lexicon,
    read_tags,
    write_tags,
)
from seggrid.text.tagger import tag_words

SENTENCES = [["Ich", "verstehe", "die", "Gesetze", "."], ["Nein", "!"]]
TAGS = [["PPER", "VV(FIN)", "ART", "NN", "$."], ["PTKANT", "$."]]
PARTS = [["other", "verb", "other", "noun", "other"], ["other", "other"]]


@pytest.mark.parametrize(
    ("language", "tag", "part"),
    [
        ("German", "VA(FIN)", "verb"), ("German", "NE", "name"), ("German", "ADJ(D)", "adjective"),
        ("German", "ADV", "adverb"), ("German", "$.", "other"), ("English", "VVG", "verb"),
        ("English", "NN2", "noun"), ("English", "NP0", "name"), ("English", "PNP", "other"),
        ("Dutch", "WW(inf,vrij,zonder)", "verb"), ("Dutch", "N(soort,mv,basis)", "noun"),
        ("Dutch", "N(eigen,mv,basis)", "name"), ("Dutch", "ADJ(vrij,comp,zonder)", "adjective"),
    ],
)  # fmt: skip
def test_parts_of_speech(language, tag, part):
    assert part_of_speech(tag, language) == part


@pytest.mark.parametrize("language", [None, "Hindi", "german"])
def test_a_language_without_a_tagger_is_refused(language):
    with pytest.raises(InputError, match=r"no tagger .*German, English, Dutch"):
        check_language(language)


def test_chosen():
    assert are_chosen(PARTS, "verb") == [[False, True, False, False, False], [False, False]]
    assert are_chosen(PARTS, "any") == [[True] * 5, [True] * 2]


@pytest.mark.tier("test")
def test_the_tagger():
    pytest.importorskip("HanTa")
    assert tag_words(SENTENCES[:1], "German") == TAGS[:1]
    assert tag_words([["We", "understand", "laws", "."]], "English") == [
        ["PNP", "VVB", "NN2", "PUN"]
    ]
    (dutch,) = tag_words([["Wij", "lopen", "."]], "Dutch")
    assert [part_of_speech(t, "Dutch") for t in dutch] == ["other", "verb", "other"]


def test_a_model_in_the_working_folder_is_not_unpickled(tmp_path, monkeypatch):
    pytest.importorskip("HanTa")
    (tmp_path / "morphmodel_ger.pgz").write_bytes(b"not a model")
    monkeypatch.chdir(tmp_path)
    assert tag_words(SENTENCES[:1], "German") == TAGS[:1]


def test_written_and_read_back(tmp_path):
    path = tmp_path / "tags.tsv"
    write_tags(path, SENTENCES, TAGS, "German")
    assert path.read_text("utf-8").startswith("Ich\tPPER\tother\nverstehe\tVV(FIN)\tverb\n")
    lower = [[word.lower() for word in words] for words in SENTENCES]
    assert read_tags(path, SENTENCES) == read_tags(path, lower) == PARTS
    for words in (
        SENTENCES[:1],
        SENTENCES[1:],
        [*SENTENCES, ["x"]],
        [SENTENCES[0][:3], SENTENCES[1]],
    ):
        with pytest.raises(InputError, match=r"tags\.tsv:\d+: .*again"):
            read_tags(path, words)


@pytest.mark.parametrize("line", ["Ich\tPPER", "Ich\tPPER\tpronoun", "Ich\tPPER\tother\tx", ""])
def test_damaged_tags_are_refused(tmp_path, line):
    path = tmp_path / "tags.tsv"
    path.write_text(f"{line}\n\n")
    with pytest.raises(InputError, match=r"tags\.tsv:1: "):
        read_tags(path, [["Ich"]])


def test_a_lexicon(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_text("verstehen\tverb\nHaus\tnoun\n")
    assert read_lexicon(path) == [("verstehen", "verb"), ("Haus", "noun")]
    for line in ("verstehen", "verstehen\tVERB", "zu verstehen\tverb", "\tverb", ""):
        path.write_text(f"Haus\tnoun\n{line}\nHaus\tnoun\n")
        with pytest.raises(InputError, match=r"lexicon\.tsv:2: .*part of speech"):
            read_lexicon(path)

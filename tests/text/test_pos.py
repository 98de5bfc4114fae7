"""Parts of speech: from tags to parts of speech, the tagger, files of tags and lexicons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.lines import write_lines
from seggrid.text.annotated import annotate, without_annotations
from seggrid.text.pos import (
    check_language,
    part_of_speech,
    read_lexicon,
    read_tags,
    tagged,
    word_and_part,
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
    path = tmp_path / "tagged"
    text = tagged(SENTENCES, TAGS, "German")
    assert text[1] == ["Nein|PTKANT|other", "!|$.|other"]
    assert [[word_and_part(word)[1] for word in words] for words in text] == PARTS
    write_lines(path, [" ".join(words) for words in text])
    lower = [[word.lower() for word in words] for words in SENTENCES]
    assert read_tags(path, SENTENCES) == read_tags(path, lower) == TAGS
    for words in (
        SENTENCES[:1],
        SENTENCES[1:],
        [*SENTENCES, ["x"]],
        [SENTENCES[0][:3], SENTENCES[1]],
    ):
        with pytest.raises(InputError, match="where the text has") as caught:
            read_tags(path, words)
        assert caught.value.line in (1, 2, 3)


@pytest.mark.parametrize(
    "word", ["Ich", "Ich|PPER", "Ich|PPER|pronoun", "Ich|PPER|", "|PPER|other"]
)
def test_a_word_without_a_part_of_speech_is_refused(word):
    with pytest.raises(InputError, match="is not a word, its tag and its part of speech"):
        word_and_part(word)


@pytest.mark.parametrize("tag", ["A|B", "A B"])
def test_a_tag_that_would_tear_the_word_apart_is_refused(tag):
    with pytest.raises(InputError, match="bar"):
        annotate("Ich", tag, "other")


@given(st.lists(st.lists(st.text("ab|", min_size=1), max_size=3), max_size=3))
def test_words_are_found_again_even_with_bars_in_them(sentences):
    tags = [["NN" for _ in words] for words in sentences]
    assert list(without_annotations(tagged(sentences, tags, "German"))) == sentences


def test_a_lexicon(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_text("verstehen\tverb\nHaus\tnoun\n")
    assert read_lexicon(path) == [("verstehen", "verb"), ("Haus", "noun")]
    for line in ("verstehen", "verstehen\tVERB", "zu verstehen\tverb", "\tverb", ""):
        path.write_text(f"Haus\tnoun\n{line}\nHaus\tnoun\n")
        with pytest.raises(InputError, match=r"lexicon\.tsv:2: .*part of speech"):
            read_lexicon(path)

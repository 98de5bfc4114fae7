"""Raw text is cut into words, whose links become links of the words between spaces."""

import sys

import pytest

import seggrid
from seggrid.base.errors import InputError, Note
from seggrid.commands import main
from seggrid.commands import texts as tokenization

RAW = ["The house, it's small.", "A small house!", "(The red house.)", "The red car: 3.5 m."]
GERMAN = [
    "Das Haus, es ist klein.",
    "Ein kleines Haus!",
    "(Das rote Haus.)",
    "Das rote Auto: 3.5 m.",
]
CUT = [
    "The house , it's small .",
    "A small house !",
    "( The red house . )",
    "The red car : 3.5 m .",
]


@pytest.mark.parametrize("boundaries", tokenization.BOUNDARIES)
def test_words_end_at_the_boundaries_of_unicode(boundaries):
    if boundaries == "icu":
        pytest.importorskip("icu")
    assert [" ".join(words) for words in seggrid.tokenize(RAW, boundaries)] == CUT
    text = ["𝒳𝒴 a😀b\u00a0c", ""]
    assert seggrid.tokenize(text, boundaries) == [["𝒳𝒴", "a", "😀", "b", "c"], []]
    assert seggrid.tokenize(["a \xad b"], boundaries) == [["a", "\xad", "b"]]


def test_chinese_and_japanese_are_cut_into_characters_or_into_the_words_of_a_dictionary():
    assert seggrid.tokenize(["我们走。", "日本語のテキスト"], "unicode") == [
        ["我", "们", "走", "。"],
        ["日", "本", "語", "の", "テキスト"],
    ]
    pytest.importorskip("icu")
    assert seggrid.tokenize(["日本語のテキスト"], "icu") == [["日本語", "の", "テキスト"]]


@pytest.mark.parametrize("boundaries", tokenization.BOUNDARIES)
def test_separators_are_no_words(boundaries):
    if boundaries == "icu":
        pytest.importorskip("icu")
    text = ["ฉัน\u200bรัก\u200bภาษา a\u200bb", "ሰላም፡ለዓለም", "བོད་ཡིག", "1\u202f234 \u202f: a\u202f!"]
    assert seggrid.tokenize(text, boundaries) == [
        ["ฉัน", "รัก", "ภาษา", "a", "b"],
        ["ሰላም", "ለዓለም"],
        ["བོད", "ཡིག"],
        ["1\u202f234", ":", "a", "!"],
    ]


def test_scripts_that_need_a_dictionary_are_named(recwarn):
    def noted():
        # Libraries that are loaded here warn of other things.
        return [one for one in recwarn if issubclass(one.category, Note)]

    seggrid.tokenize(["ฉัน\u200bรัก", "我们"], "unicode")
    assert not noted()
    seggrid.tokenize(["ฉันรัก", "ភាសា", "ฉันรัก"], "unicode")
    (said,) = noted()
    assert str(said.message).startswith(
        "cut into letters, not words: Khmer and Thai (pip install PyICU"
    )


def test_boundaries_that_are_not_there(monkeypatch):
    monkeypatch.setattr(tokenization, "find_spec", lambda name: None)
    assert tokenization.default_boundaries() == "unicode"
    with pytest.raises(InputError, match="PyICU is not installed"):
        seggrid.tokenize(["a"], "icu")
    with pytest.raises(InputError, match="no boundaries 'moses'"):
        seggrid.tokenize(["a"], "moses")


def test_raw_text_in_links_of_words_between_spaces_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("eng", RAW), ("deu", GERMAN)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    ask = ["align", "eng", "deu", "--recipe", "words-fast_align"]
    both = ["--tokenize", "--word-boundaries", "unicode", "--tokens", "t.eng", "t.deu"]
    assert main([*ask, *both, "-o", "links"]) == 0
    assert capsys.readouterr().err == ""
    assert (tmp_path / "t.eng").read_text().splitlines() == CUT
    cut = seggrid.tokenize("eng", "unicode"), seggrid.tokenize("deu", "unicode")
    found = seggrid.align(*cut, "words-fast_align")
    assert (tmp_path / "links").read_text().splitlines() == found.lines()
    maps = ["--source", "t.eng", "eng", "--target", "t.deu", "deu"]
    assert main(["remap", "links", *maps, "-o", "mapped"]) == 0
    mapped = (tmp_path / "mapped").read_text().splitlines()
    for k, line in enumerate(mapped):
        linked = {tuple(map(int, link.split("-"))) for link in line.split()}
        words = [text[k].split() for text in (RAW, GERMAN)]
        for i, j in found[k]:
            a, b = found.source[k][i], found.target[k][j]
            assert any(a in words[0][x] and b in words[1][y] for x, y in linked), (a, b)
    assert main([*ask, "--tokenize", "-o", "links"]) == 0
    assert "note: words end at the boundaries of" in capsys.readouterr().err
    assert main([*ask, "--tokens", "a", "b"]) == 2
    assert "--tokens without --tokenize" in capsys.readouterr().err


def test_training_text_is_cut_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both").write_text(
        "".join(f"{a} ||| {b}\n" for a, b in zip(RAW, GERMAN, strict=True))
    )
    ask = ["align", "both", "--recipe", "words-fast_align", "--tokenize", "--training", "both"]
    assert main([*ask, "--word-boundaries=unicode", "-o", "links"]) == 0
    cut = seggrid.tokenize(RAW, "unicode"), seggrid.tokenize(GERMAN, "unicode")
    found = seggrid.align(*cut, "words-fast_align", training=[cut])
    assert (tmp_path / "links").read_text().splitlines() == found.lines()


def test_it_needs_icu_only_if_it_is_named():
    if "icu" not in sys.modules:
        seggrid.tokenize(["a"], "unicode")
        assert "icu" not in sys.modules

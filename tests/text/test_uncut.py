"""Notes on texts whose words are not what spaces separate."""

import pytest

import builtin_pair
import seggrid
from seggrid.base.errors import Note
from seggrid.commands import main
from seggrid.text.uncut import remarks_on_words

CHINESE = ["我非常喜欢那座红色的房子", "红色的汽车在这里"] * 6
ENGLISH = ["I like the red house very much", "the red car is here"] * 6


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        (
            CHINESE,
            "Chinese or Japanese has no spaces between words, and what they separate has 10 char",
        ),
        (["我 非常 喜欢 那 座 红色 的 房子"] * 9, ""),
        (["ฉันรักภาษาไทยมากจริง ๆ และเพื่อนของฉันก็เช่นกัน"] * 3, "Thai has no spaces"),
        (["ฉัน รัก ภาษา ไทย มาก"] * 9, ""),
        (["ខ្ញុំស្រឡាញ់ភាសាខ្មែរ"] * 3, "Khmer has no spaces"),
        (["the house, the car."] * 3, "punctuation is part of words, as in house,"),
        (['she said: "no!"'] * 6, "punctuation is part of words, as in said:"),
        (["the house , the U.S. car ."] * 9, ""),
        (["it is about 3,500 m in the U.S."] * 2, ""),
        (["मैं घर जाता हूँ।"] * 5, "punctuation is part of words, as in हूँ।"),
        (["Donaudampfschifffahrt"] * 9, ""),
        # Punctuation of other scripts: Ethiopic, Armenian, Urdu, Khmer, full-width.
        (["እኔ በቤት ሩዝ እበላለሁ።"] * 5, "punctuation is part of words, as in እበላለሁ።"),
        (["ես տանը բրինձ եմ ուտում։"] * 5, "punctuation is part of words, as in ուտում։"),
        (["میں گھر میں چاول کھاتا ہوں۔"] * 5, "punctuation is part of words, as in ہوں۔"),
        (["ខ្ញុំ ញ៉ាំ បាយ នៅ ផ្ទះ។"] * 5, "punctuation is part of words, as in ផ្ទះ។"),
        (["እኔ በቤት ሩዝ እበላለሁ ።"] * 5, ""),
        # Words that end at a separator other than a space.
        (["እኔ፡በቤት፡ሩዝ፡እበላለሁ"] * 5, "U+1361 stands for the spaces between words, as in እኔ፡በቤት፡"),
        (["আমি\u200bবাড়ি\u200bযাই"] * 5, "U+200B stands for the spaces between words"),
        (["བཀྲ་ཤིས་བདེ་ལེགས་ཞུ"] * 5, "Tibetan has no spaces between words"),
        (["བཀྲ་ཤིས་ བདེ་ལེགས་ ཞུ"] * 5, ""),
    ],
)
def test_what_is_said_of_sentences(sentences, said):
    found = remarks_on_words(sentences, "text")
    assert [one.startswith(f"text: {said}") for one in found] == [True] * bool(said)


def test_the_built_in_texts_are_cut_into_words():
    for code in ("eng", "deu"):
        assert not remarks_on_words(list(map(" ".join, builtin_pair.words_of(code))), code)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("e", ENGLISH), ("z", CHINESE)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    both = zip(ENGLISH, CHINESE, strict=True)
    (tmp_path / "t.tsv").write_text("".join(f"{one}\t{other}\n" for one, other in both), "utf-8")
    (tmp_path / "config.yaml").write_text(
        "pairs: {p: {source: {text: e}, target: {text: z}}}\n"
        "experiments: {w: {segmenter: words, aligner: fast_align}}\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        "align e z",
        "align e z --recipe words-fast_align",
        "align t.tsv",
        "recommend e z -o r",
        "filter e z --ratio 9 -o f",
        "learn z --merges 9 -o m",
        "segment z --segmenter words",
        "measure z --segmenter words",
        pytest.param("plan", marks=pytest.mark.tier("check")),
    ],
)
def test_every_verb_notes_it_once(files, capsys, command):
    assert main(command.split()) == 0
    out, err = capsys.readouterr()
    assert (out + err).count("(align --tokenize cuts") == 1


def test_python_notes_it_and_nobody_who_cuts_the_text(files, capsys, recwarn):
    with pytest.warns(Note, match="target: Chinese or Japanese has no spaces"):
        seggrid.align(ENGLISH, CHINESE, "words-fast_align")
    recwarn.clear()
    seggrid.tokenize(CHINESE, "unicode")
    assert not recwarn.list
    assert main(["align", "e", "z", "--tokenize", "--word-boundaries", "unicode"]) == 0
    assert "has no spaces" not in capsys.readouterr().err

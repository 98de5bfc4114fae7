"""Words of a glossary, which every segmenter leaves whole, and learns nothing from."""

from fractions import Fraction

import pytest
from tokenizers import decoders

import builtin_pair
import seggrid
import sides
from seggrid import segment as registry
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.morphology.evaluate import cuts_of
from seggrid.segment.bpe import MARKINGS
from seggrid.segment.bpe.model import learn
from seggrid.segment.external import External
from seggrid.segment.glossary import matches
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import (
    learn_model,
    learns_from_counts,
    measures_of,
    segment_text,
    segment_words,
)
from seggrid.text.boundary import unmarked
from seggrid.text.words import WordCounts
from tokenizer_kinds import trained_on_bytes

GLOSSARY = r"[A-Z].*n|und|.*ä.*"
SENTENCES = builtin_pair.words_of("deu")[:200]
SEGMENTERS = [
    name
    for name in sides.READING_TEXT
    if name != "words" and not registry.SEGMENTERS[name].crosses_words
]


def is_kept(word):
    return word == "und" or "ä" in word or ("A" <= word[0] <= "Z" and word[1:].endswith("n"))


def by_word(cut, sentences):
    """The tokens of each word of each sentence, without those of marks alone."""
    for s, words in enumerate(sentences):
        rows = range(cut.offsets[s], cut.offsets[s + 1])
        for j, word in enumerate(words):
            yield word, [cut.types[cut.ids[r]] for r in rows if cut.first[r] == cut.last[r] == j]


@pytest.mark.tier("check")
@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_segmenter_leaves_the_words_whole(name):
    size = {} if name == "characters" else {"merges": 60}
    side, plain = sides.side_of(name, glossary=GLOSSARY, **size), sides.side_of(name, **size)
    model = learn_model(SENTENCES, side) if side.learns else None
    (cut,) = segment_text(SENTENCES, side, model, [0])
    # Nothing is learned from them: other words are cut as by a model of the other words.
    rest = [[word for word in words if not is_kept(word)] for words in SENTENCES]
    other = learn_model(rest, plain) if side.learns else None
    (all_cut,) = segment_text(SENTENCES, plain, other, [0])
    pairs = list(zip(by_word(cut, SENTENCES), by_word(all_cut, SENTENCES), strict=True))
    assert all(own == cut_as for own, cut_as in pairs if not is_kept(own[0]))
    kept = [own for own, _ in pairs if is_kept(own[0])]
    assert len(kept) > 50
    assert all(len(tokens) == 1 for _, tokens in kept)
    words = ["und", "Häuser", "untergegangenes"]
    (alone,) = segment_words(side, model, words, [0])
    assert [cuts_of(alone).word(w) for w in range(2)] == [[], []]
    (cut_as,) = segment_words(plain, other, words[2:], [0])
    assert cuts_of(alone).word(2) == cuts_of(cut_as).word(0)
    found = measures_of(side, model, cut, SENTENCES, SENTENCES)
    assert found["exact_sentences"] == 1
    assert not found["vocabulary_use"] > 1


@pytest.mark.parametrize("marking", MARKINGS)
@pytest.mark.parametrize("dropout", [0, Fraction(1, 2)])
def test_a_joined_word_has_the_mark_of_its_model(marking, dropout):
    model = learn(SENTENCES, 20, marking=marking)
    side = sides.side_of(merges=20, glossary="und|Stadt", dropout=dropout)
    (cut,) = segment_text([["und", "so", "Stadt"]], side, model, [3])
    tokens = cut.sentence(0)
    assert tokens[0] == ("und</w>" if marking == "end" else "▁und")
    assert tokens[-1] == ("Stadt</w>" if marking == "end" else "▁Stadt")
    assert "".join(map(unmarked, tokens)) == "undsoStadt"
    assert (cut.first[0], cut.last[0], cut.first[-1], cut.last[-1]) == (0, 0, 2, 2)


def test_a_tokenizer_of_bytes(tmp_path):
    tokenizer = trained_on_bytes([], 256)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(tmp_path / "t.json"))
    model = External.read(tmp_path / "t.json")
    side = sides.side_of("external", tokenizer="t", glossary="Häuser")
    (cut,) = segment_text([["a", "Häuser"]], side, model, [0])
    assert cut.sentence(0) == ["a", "ĠHÃ¤user"]
    found = measures_of(side, model, cut, [["a", "Häuser"]], [])
    assert (found["incomplete_tokens"], found["exact_sentences"]) == (0, 1)
    assert found["vocabulary_use"] == 2 / 257


def test_counts_and_sentences_give_one_model():
    side = sides.side_of(merges=40, glossary=GLOSSARY)
    assert learns_from_counts(side)
    assert learn_model(WordCounts.of(SENTENCES), side) == learn_model(SENTENCES, side)


def test_python_and_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = ["the USA and 12 usages", "the 34 USA"] * 3
    cut = seggrid.Segmenter.learn(text, merges=2, glossary=r"\d+|USA").segment(text[:1])
    assert {"▁USA", "▁12"} < set(cut[0])
    (tmp_path / "t").write_text("".join(f"{line}\n" for line in text))
    ask = ["t", "--glossary", r"\d+|USA"]
    assert main(["learn", *ask, "--merges", "2", "-o", "m"]) == 0
    capsys.readouterr()
    assert main(["segment", *ask, "-m", "m"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split(" ") == cut[0]
    assert main(["segment", "t", "--glossary", "terms.txt", "-m", "m"]) == 0
    assert "note: the glossary 'terms.txt'" in capsys.readouterr().err


@pytest.mark.parametrize("glossary", [r"NATO|[A-Z]{2,}|\d+\Sx", "file:names"])
def test_in_lower_case_a_glossary_is_lower_cased_too(tmp_path, monkeypatch, glossary):
    """Its sets of characters stay: in lower case, `[A-Z]{2,}` would be every word."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("NATO\n/[A-Z]{2,}/\n/\\d+\\Sx/\n")
    side = sides.side_of("characters", glossary=glossary, case="lower")
    assert matches(side, ["nato", "met", "12yx", "12 x"]).tolist() == [1, 0, 1, 0]
    (cut,) = segment_text([["the", "NATO"]], side, None, [0])
    assert "▁nato" in cut.sentence(0)


@pytest.mark.parametrize(
    ("glossary", "said"),
    [
        ("the", ""),
        (
            "EU|USA|NA[|]TO",
            "2 of 3 entries of the glossary 'EU|USA|NA[|]TO' match no word of the text: USA, ",
        ),
        ("(EU|USA)", ""),
        ("USA", "the glossary 'USA' matches no word of the text"),
        ("file:names", "1 of 3 entries of the glossary 'file:names#"),
    ],
)
def test_entries_that_match_no_word_are_noted_by_each_verb(
    tmp_path, monkeypatch, capsys, glossary, said
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("EU\nUSA\n/.*e/\n")
    (tmp_path / "t").write_text("the EU\nthe old EU\n" * 3)
    for verb in ("learn t --merges 3 -o m", "segment t -m m", "measure t -m m",
                 "align t t --case keep --merges 3", "align t t --segmenter characters"):  # fmt: skip
        if "characters" in verb and said:
            said = said.replace("of the text", "in lower case").replace("USA, ", "usa, ")
        assert main([*verb.split(), "--glossary", glossary]) == 0
        err = capsys.readouterr().err
        sides_of = ["source: ", "target: "] if verb.startswith("align") else [""]
        for side in sides_of:
            assert (f"note: {side}{said}" in err) if said else ("glossary" not in err)


def test_the_expression_is_part_of_the_path():
    side = sides.side_of(merges=5, glossary=r"\d+/\d+|a+b=c")
    assert parse_spec(str(side)) == side
    assert "/" not in str(side)
    assert str(sides.side_of("words", glossary="a")) == str(sides.side_of("words"))


@pytest.mark.parametrize("wrong", ["(", "", "[a", "(?P<x"])
def test_what_is_no_expression(wrong):
    with pytest.raises(InputError, match="not a regular expression"):
        seggrid.Segmenter.learn(["a b"], glossary=wrong)


@pytest.mark.parametrize("axes", [{"spaces": False}, {"spaces": "hidden"}])
def test_tokens_across_words_have_no_glossary(axes):
    with pytest.raises(InputError, match="parts of several words"):
        seggrid.Segmenter.learn(["a b"], merges=1, glossary="a", **axes)


def test_a_file_of_words_and_expressions_is_as_the_expression(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("/[A-Z].*n/\t\nund\n z.B \n/.*ä.*/ \n")
    of_file = seggrid.Segmenter.learn(SENTENCES, merges=60, glossary="file:names")
    of_text = seggrid.Segmenter.learn(SENTENCES, merges=60, glossary=GLOSSARY)
    (tokens,) = of_file.segment([["und", "Häuser", "z.B", "zxB"]])
    assert tokens[:3] == ["▁und", "▁Häuser", "▁z.B"]
    assert "▁zxB" not in tokens
    assert of_file.segment(SENTENCES) == of_text.segment(SENTENCES)


def test_expressions_in_a_file_have_groups_and_flags_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("/(x)y/\n/(o)\\1/\n/(?i)usa/\n", "utf-8")
    side = sides.side_of("characters", glossary="file:names")
    assert matches(side, ["xy", "oo", "ox", "Usa", "us"]).tolist() == [1, 1, 0, 1, 0]


def test_the_path_of_a_file_of_words_changes_with_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("und\n")
    side = sides.side_of("characters", glossary="file:names")
    assert parse_spec(str(side)) == side
    (tmp_path / "names").write_text("und\noder\n")
    assert str(sides.side_of("characters", glossary="file:names")) != str(side)
    # A job of the earlier path would have other tokens.
    with pytest.raises(InputError, match="names: the glossary has changed"):
        segment_text(SENTENCES, parse_spec(str(side)), None, [0])
    (tmp_path / "names").write_text("und\n/(/\n")
    with pytest.raises(InputError, match=r"names:2: '\(' is not a regular expression"):
        sides.side_of("characters", glossary="file:names")
    with pytest.raises(InputError, match="none: no such file"):
        sides.side_of("characters", glossary="file:none")


def test_a_line_of_a_file_is_one_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("Rom\nNew York\n")
    with pytest.raises(InputError, match="names:2: 'New York' is more than one word"):
        sides.side_of("characters", glossary="file:names")


@pytest.mark.tier("check")
def test_the_plan_of_a_grid_names_entries_that_match_no_word(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in "ed":
        (tmp_path / name).write_text("the EU house\nthe old house\n" * 3)
    (tmp_path / "config.yaml").write_text(
        "pairs: {p: {source: {text: e}, target: {text: d}}}\n"
        "experiments: {c: {segmenter: characters, glossary: 'EU|USA', case: lower, aligner: fast_align}}\n"
    )
    assert main(["plan"]) == 0
    out, err = capsys.readouterr()
    said = "1 of 2 entries of the glossary 'EU|USA' match no word in lower case: usa"
    assert (out + err).count(said) == 2
    assert f"p source: {said}" in out + err

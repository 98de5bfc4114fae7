"""MorphScore, the edits of MorphBPE and agreement, by hand and against their definitions word by word."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

import seggrid
from seggrid.commands import main
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.evaluate import evaluate_segmentation
from seggrid.morphology.morphscore import against_morphemes, agreement, edit_distance, morphscore
from seggrid.segment.external.tokenizer_file import read_tokenizer

pieces = st.lists(st.text("ab", min_size=1, max_size=2), min_size=1, max_size=4)


def test_the_examples_of_morphscore():
    """Those of its documentation, by the rules of its second version: a whole word is right."""
    aldiz = Cuts.from_pieces([["aldi", "z"]])
    assert morphscore(Cuts.from_pieces([["al", "diz"]]), aldiz) == (0, 0)
    # The end of the word counts as a boundary.
    assert morphscore(aldiz, aldiz) == (1 / 2, 1)
    greek = Cuts.from_pieces([["Αδριανή", "ς"]])
    assert morphscore(Cuts.from_pieces([["Α", "δρ", "ιανή", "ς"]]), greek) == (1 / 4, 1)
    assert morphscore(Cuts.from_pieces([["samráðs"]]), Cuts.from_pieces([["samráð", "s"]])) == (
        1,
        1,
    )
    # Of two cuts one is found; a word of one morpheme does not count.
    gold = Cuts.from_pieces([["un", "do", "ing"], ["cat"]])
    assert morphscore(Cuts.from_pieces([["un", "doing"], ["c", "at"]]), gold) == (1 / 2, 1 / 2)
    nothing = Cuts.from_pieces([["cat"]])
    assert all(map(math.isnan, morphscore(nothing, nothing)))


@given(st.lists(st.tuples(pieces, pieces), max_size=8))
def test_morphscore_word_by_word(words):
    """As morphscore.py has it, with other code: boundaries at the ends of all tokens."""
    both = [(tokens, [*gold]) for tokens, gold in words]
    # The same letters for both, so that both cut one word.
    both = [(_as_long(tokens, gold), gold) for tokens, gold in both]
    points = []
    for tokens, gold in both:
        if len(gold) == 1:
            continue
        if len(tokens) == 1:
            points.append((1, 1))
            continue
        ends = [sum(map(len, tokens[: k + 1])) for k in range(len(tokens))]
        wanted = [sum(map(len, gold[: k + 1])) for k in range(len(gold) - 1)]
        found = sum(end in ends for end in wanted)
        points.append((found / len(ends), found / len(wanted)))
    found = morphscore(*(Cuts.from_pieces([word[k] for word in both]) for k in (0, 1)))
    if not points:
        assert all(map(math.isnan, found))
    else:
        expected = [sum(point[k] for point in points) / len(points) for k in (0, 1)]
        assert found == pytest.approx(expected, abs=1e-9)


def _as_long(tokens, gold):
    """The word of `gold`, cut into pieces of the lengths of `tokens` as far as it goes."""
    word, cut = "".join(gold), []
    for token in tokens[:-1]:
        if len(word) > len(token):
            cut.append(word[: len(token)])
            word = word[len(token) :]
    return [*cut, word]


@given(pieces, pieces)
def test_edits_by_recursion(tokens, morphemes):
    @cache
    def distance(i, j):
        if not i or not j:
            return i + j
        same = tokens[i - 1] == morphemes[j - 1]
        return min(
            distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (not same)
        )

    assert edit_distance(tokens, morphemes) == distance(len(tokens), len(morphemes))


@given(st.lists(st.tuples(pieces, pieces, st.integers(1, 3)), max_size=8))
def test_agreement_word_by_word(words):
    both = [(_as_long(tokens, other), other, weight) for tokens, other, weight in words]
    alike = [tokens == other for tokens, other, weight in both for _ in range(weight)]
    cuts = [
        [
            {(i, k, sum(map(len, cut[:end]))) for end in range(1, len(cut))}
            for i, (*two, weight) in enumerate(both)
            for k in range(weight)
            for cut in [two[side]]
        ]
        for side in (0, 1)
    ]
    one, other = (set().union(*of) for of in cuts)
    found = agreement(
        *(Cuts.from_pieces([word[k] for word in both]) for k in (0, 1)),
        np.array([weight for *_, weight in both], dtype=np.int64),
    )
    expected = [
        sum(alike) / len(alike) if alike else math.nan,
        len(one & other) / len(one | other) if one | other else math.nan,
    ]
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_a_worked_example(read):
    reference = read("horseshoe\thorse shoe\nhorse\thorse\nshoe\tshoe\ncup\tcup\n")
    cuts = Cuts.from_pieces([["hors", "es", "hoe"], ["hors", "e"], ["shoe"], ["cup"]])
    found = against_morphemes(cuts, reference, np.ones(4, dtype=np.bool_))
    assert found["morpheme_edits"] == (3 + 2) / 4
    assert (found["morphscore_precision"], found["morphscore_recall"]) == (0, 0)


def test_words_that_a_tokenizer_does_not_know_are_no_words_left_whole(tmp_path, read, capsys):
    """Otherwise a tokenizer that knows fewer words would be better."""
    words = ["dog s", "cat s", "house s", "box es", "maze s"]
    read("".join(f"{word.replace(' ', '')}\t{word}\n" for word in words))
    (tmp_path / "text").write_text(f"{' '.join(words)}\n".replace(" s", "s").replace(" es", "es"))
    ask = ["measure", str(tmp_path / "text"), "--segmenter", "external", "--model-format"]
    ask += ["huggingface", "--morphemes", str(tmp_path / "reference.tsv"), "-m"]
    for name, more in (("less", []), ("more", ["house", "box", "##es"])):
        vocabulary = ["[UNK]", "dog", "cat", "##s", *more]
        numbered = {text: id for id, text in enumerate(vocabulary)}
        tokenizer = Tokenizer(models.WordPiece(numbered, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        tokenizer.save(str(tmp_path / name))
        assert main([*ask, str(tmp_path / name)]) == 0
        out, err = capsys.readouterr()
        assert "morphscore_precision\t0.5\nmorphscore_recall\t1\n" in out
        assert f"{1 if more else 3} of 5 words" in err
    cut = read_tokenizer(tmp_path / name).segment_words(["dogs", "mazes"])
    reference = read("dogs\tdog s\nmazes\tmaze s\n")
    (row,) = evaluate_segmentation(cut, reference, unknown="[UNK]")
    # One cut of dogs is right, and one of two words has it.
    assert (row["macro_precision"], row["macro_recall"]) == (1, 0.5)
    (row,) = evaluate_segmentation(cut.take([1]), reference.take(np.array([1])), unknown="[UNK]")
    assert math.isnan(row["macro_precision"])


def test_each_of_two_segmenters_cuts_words_in_its_own_case(tmp_path, capsys):
    text = ["the other The", "The THE weather"] * 3
    keep, lower = (seggrid.Segmenter.learn(text, merges=6, case=case) for case in ("keep", "lower"))
    words = [word for line in text for word in line.split()]
    sizes = [
        [
            [len(token.strip("@")) for token in one.segment([own(word)], style="@@")[0]]
            for word in words
        ]
        for one, own in ((keep, str), (lower, str.lower))
    ]
    alike = float(np.mean([one == other for one, other in zip(*sizes, strict=True)]))
    assert 0 < alike < 1
    for one, other in ((keep, lower), (lower, keep)):
        assert seggrid.measure(text, one, against=other)["words_alike"] == alike
    lower.save(tmp_path / "lower")
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in text))
    ask = [str(tmp_path / "text"), "--case", "lower", "-m", str(tmp_path / "lower")]
    assert main(["measure", *ask, "--against", "bpe", str(tmp_path / "lower")]) == 0
    assert "words_alike\t1\n" in capsys.readouterr().out

"""Boundary scores of any segmenter, compared with the evaluation of BPE, brute force and morphoeval."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from morphoeval.boundary import bpr
from morphoeval.common import AnalysisSet

import builtin_pair
import sides
from seggrid.base.errors import InputError
from seggrid.morphology.evaluate import cuts_of, evaluate, evaluate_segmentation
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import read_word_model
from seggrid.segment.external import External
from seggrid.segment.external.tokenizer_file import read_tokenizer
from seggrid.segment.marks import MarkedText
from seggrid.segment.measures import OF_TOKENS, measure_segmentation
from seggrid.segment.side_segmenter import learn_model, segment_cased, segment_words
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation
from tokenizer_kinds import trained_on_bytes

SPELLING = [name for name in sides.READING_TEXT if name != "byte_bpe"]


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:300]


@pytest.fixture(scope="module")
def reference(root):
    return read_reference(root / "resources/builtin/deu.morphemes.tsv", "surface")


side_of = partial(sides.side_of, merges=200)


def tokens_of(side, model, words, seeds=(0,)):
    """The tokens of each word without `▁`, as the segmenter splits texts of one word."""
    (cut, *_) = segment_cased(side, model, [[word] for word in words], seeds)
    rows = ([t.replace("▁", "") for t in cut.sentence(s)] for s in range(len(words)))
    return [[token for token in row if token] for row in rows]


@pytest.mark.tier("check")
@pytest.mark.parametrize("name", SPELLING)
def test_cuts_lie_where_tokens_that_spell_the_word_begin(name, sentences, reference):
    side = side_of(name)
    model = learn_model(sentences, side)
    (laid,) = segment_words(side, model, reference.words, [0])
    cuts = cuts_of(laid)
    for e, row in enumerate(tokens_of(side, model, reference.words)):
        if "<unk>" not in row:
            ends = np.cumsum([len(token) for token in row]).tolist()
            assert ends.pop() == len(reference.words[e])
            assert cuts.word(e) == ends


def test_cuts_by_brute_force():
    """Tokens of any kind: only a boundary mark, bytes that split a character, characters without a token."""
    rng = random.Random(3)
    words, first, last = [], [], []
    for _ in range(300):
        row, at = [], rng.choice([0, 0, 1])
        for _ in range(rng.randint(0, 5)):
            end = at + rng.randint(0, 3)
            row.append((at, at - 1) if rng.random() < 0.2 else (at, end))
            at = end + rng.choice([0, 1, 1, 1, 2])
        words.append(row)
        first += [a for a, _ in row]
        last += [b for _, b in row]
    lengths = [len(row) for row in words]
    ids = np.zeros(len(first), dtype=np.int32)
    arrays = (np.array(values, dtype=np.int32) for values in (first, last))
    cuts = cuts_of(Segmentation(["x"], ids, offsets_of(lengths), *arrays))
    assert len(cuts) == len(words)
    for w, row in enumerate(words):
        real = [(a, b) for a, b in row if b >= a]
        wanted = {
            a for k, (a, _) in enumerate(real) if k and all(reached < a for _, reached in real[:k])
        }
        assert cuts.word(w) == sorted(wanted)


def test_bpe_has_the_rows_of_its_own_evaluation(sentences, reference):
    """Two ways to the same table; the column `vocabulary`, which each counts otherwise, is given."""
    side = side_of("bpe", merges=400)
    model = learn_model(sentences, side)
    (plain,) = segment_words(side, model, reference.words, [0])
    counts = {word: len(word) for word in reference.words[::3]}
    for evaluation in ("full", "holdout-0.5"):
        theirs = evaluate(model, reference, "none", evaluation, frequencies=counts)
        ours = evaluate_segmentation(
            plain,
            reference,
            evaluation,
            vocabulary=theirs[0]["vocabulary"],
            size=model.vocabulary_size([[word] for word in reference.words], side),
            frequencies=counts,
        )
        assert ours == theirs
        assert len(ours) == 2


def test_a_byte_level_tokenizer_has_the_rows_of_its_own_evaluation(sentences, reference, tmp_path):
    """Its library splits each word as our merges do."""
    file = tmp_path / "tokenizer.json"
    trained_on_bytes(map(" ".join, sentences), 700).save(str(file))
    (theirs,) = evaluate(read_word_model(file), reference)
    plain = read_tokenizer(file).segment_words(reference.words)
    (ours,) = evaluate_segmentation(plain, reference, vocabulary=700)
    # The library has a token for a single space, which never occurs in the words of this text.
    assert ours == {**theirs, "vocabulary": 700}


def test_the_tokens_of_a_text_say_nothing_of_words():
    side = side_of("external", tokenizer="cut")
    with pytest.raises(InputError, match="say nothing of other words"):
        segment_words(side, External(MarkedText([["ab"]], "##")), ["ab"], [0])


def test_samples_are_means(sentences, reference):
    side = side_of("unigram", sampling="alpha-0.2")
    model = learn_model(sentences, side)
    (plain,) = segment_words(side_of("unigram"), model, reference.words, [0])
    samples = segment_words(side, model, reference.words, [1, 2, 3])
    (row,) = evaluate_segmentation(plain, reference, samples=samples)
    single = [evaluate_segmentation(plain, reference, samples=[one])[0] for one in samples]
    assert row["runs"] == 3
    for column in ("precision", "macro_recall", "macro_f1", "tokens_per_word"):
        assert row[column] == pytest.approx(np.mean([run[column] for run in single]))
    assert row["predicted"] is None
    (without,) = evaluate_segmentation(plain, reference)
    assert row["tokens_per_word_before"] == without["tokens_per_word"] < row["tokens_per_word"]


@pytest.mark.parametrize("name", ["bpe", "unigram", "words"])
def test_intrinsic_measures_are_those_of_the_words_as_a_text(name, sentences, reference):
    side = side_of(name)
    model = learn_model(sentences, side)
    (laid,) = segment_words(side, model, reference.words, [0])
    frequencies = {word: number % 4 for number, word in enumerate(reference.words)}
    rows = evaluate_segmentation(laid, reference, vocabulary=500, frequencies=frequencies)
    times = {"types": [1] * len(reference), "tokens": [frequencies[w] for w in reference.words]}
    assert {row["unit"] for row in rows} == set(times)
    for row in rows:
        repeated = np.repeat(np.arange(len(reference)), times[row["unit"]])
        text = [[reference.words[word]] for word in repeated]
        # A word is a sentence of characters in `laid`; in a text, it is one word.
        tokens = laid.take(repeated)
        tokens = replace(tokens, first=tokens.first * 0, last=tokens.last * 0)
        expected = measure_segmentation(tokens, text, 500)
        for measured in OF_TOKENS:
            assert row[measured] == pytest.approx(expected[measured], abs=1e-12), measured
        assert row["fertility"] == row["tokens_per_word"]


@pytest.mark.parametrize("name", ["bpe", "unigram", "words", "characters"])
def test_macro_measures_are_those_of_morphoeval(name, sentences, read):
    """Words with one and with several analyses, of one letter, without a boundary."""
    words = sorted({w for row in sentences for w in row})
    rng = random.Random(5)
    gold, predicted = AnalysisSet(), AnalysisSet()
    lines = []
    for word in words:
        for _ in range(rng.choice([1, 1, 2, 3])):
            places = sorted(rng.sample(range(1, len(word)), rng.randint(0, min(3, len(word) - 1))))
            pieces = [word[a:b] for a, b in zip([0, *places], [*places, len(word)], strict=True)]
            gold.add(word, pieces)
            lines.append(f"{word}\t{' '.join(pieces)}\n")
    reference = read("".join(lines))
    side = side_of(name)
    model = learn_model(sentences, side)
    for word, row in zip(words, tokens_of(side, model, words), strict=True):
        predicted.add(word, row)
    (plain,) = segment_words(side, model, reference.words, [0])
    (row,) = evaluate_segmentation(plain, reference)
    precision, recall = bpr(gold, predicted)
    assert row["macro_precision"] == pytest.approx(precision, abs=1e-12)
    assert row["macro_recall"] == pytest.approx(recall, abs=1e-12)
    assert row["macro_f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert Fraction(0) < row["macro_recall"] <= 1

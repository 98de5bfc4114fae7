"""Cutting each distinct word once by a unigram model of sentencepiece, as the library cuts sentences."""

import io
from itertools import chain
from math import inf

import numpy as np
import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from seggrid.segment.external.by_word import DistinctWords
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.external.unigram_lead import UNKNOWN, PieceScores, are_cut_alone

SHORT = st.text("ab", min_size=1, max_size=3)


@pytest.fixture(scope="module")
def german(texts):
    return texts["deu"]


@pytest.fixture(scope="module")
def model(german):
    """A model that does not know every character of its text."""
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(words) for words in german),
        model_writer=file,
        model_type="unigram",
        vocab_size=8000,
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=2,
    )
    return file.getvalue()


def scores_of_all(word, pieces):
    """The scores of all segmentations of a word, an unknown character being a piece of its own."""
    if not word:
        return [0.0]
    unknown = min(pieces.values(), default=0.0) - UNKNOWN
    found = []
    for length in range(1, len(word) + 1):
        head = word[:length]
        if head in pieces or length == 1:
            own = pieces.get(head, unknown)
            found += [own + rest for rest in scores_of_all(word[length:], pieces)]
    return found


@given(
    st.dictionaries(SHORT, st.integers(-40, 0).map(lambda k: k / 4), min_size=1),
    st.lists(st.text("abc", min_size=1, max_size=7), min_size=1, max_size=5),
)
def test_leads_are_those_over_all_segmentations(pieces, words):
    score, lead = PieceScores.from_pieces(list(pieces), list(pieces.values())).lead(words)
    for k, word in enumerate(words):
        best, *others = sorted(scores_of_all(word, pieces), reverse=True)
        assert score[k] == best
        assert lead[k] == (best - others[0] if others else inf)


def test_many_pieces_are_all_found():
    pieces = [chr(0x4E00 + k // 90) + chr(0x4E00 + k % 90) for k in range(8000)]
    scores, lead = PieceScores.from_pieces(pieces, [-1 - k for k in range(8000)]).lead(pieces)
    assert scores.tolist() == [-1 - k for k in range(8000)]
    assert (lead > 8000).all(), "two unknown characters"


def test_a_lead_counts_against_the_whole_sentence():
    score, symbols = np.array([-10.0, -10.0]), np.array([4, 4])
    occurrences, lengths = np.array([0, 0, 0, 1, 0], dtype=np.int32), np.array([3, 2])

    def safe(*lead):
        return are_cut_alone(score, np.array(lead), symbols, occurrences, lengths).tolist()

    assert safe(1.0, 1.0) == [True, True]
    assert safe(1.0, 0.0) == [True, False]
    assert safe(0.0, inf) == [False, False]
    # 4 (4 + 1) 2^-23 for each unit of a sentence's score: 31 and 21.
    assert safe(25 * 20 * 2.0**-23, inf) == [False, True]


def test_sentences_are_cut_as_the_library_cuts_them(model, german):
    ours = SentencePiece(model)
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model)
    # Sums of more numbers round more: three sentences in one.
    long = [list(chain.from_iterable(german[k : k + 3])) for k in range(0, len(german), 3)]
    texts = [*german, *long, ["\u0301", "e\u0301", "x"], ["☃", "☃☃", "ﬁ", "a☃b"]]
    found = ours.segment(texts)
    lines = [" ".join(words) for words in texts]
    for s, tokens in enumerate(theirs.Encode(lines, out_type=str, emit_unk_piece=True)):
        assert found.sentence(s) == tokens
    each = ours._segment(texts, " ", lambda *what: theirs.Encode(what[0], return_type=what[1]))
    assert np.array_equal(found.first, each.first)
    assert np.array_equal(found.last, each.last)


@pytest.mark.needs_mirror
def test_nearly_all_sentences_are_cut_by_words_and_rounding_is_not_missed(model, german):
    ours = SentencePiece(model)
    words = DistinctWords.from_sentences(german, False)
    cut = ours._processor.Encode(words.texts)
    counts = np.array(list(map(len, cut)))
    alone = ours._cut_alone(words, np.concatenate(cut).astype(np.int32), counts)
    assert 0.99 < alone.mean() < 1
    whole = ours._processor.Encode([" ".join(sentence) for sentence in german])
    by_words, at = [], iter(words.occurrences.tolist())
    for sentence in german:
        by_words.append([token for _ in sentence for token in cut[next(at)]])
    differ = np.array([mine != theirs for mine, theirs in zip(by_words, whole, strict=True)])
    assert differ.any(), "rounding decides somewhere, which is why leads are computed"
    assert not (differ & alone).any()

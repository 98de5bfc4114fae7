"""Tokens in the styles of other programs are read back as the same segmentation, or are refused."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import seggrid
from seggrid.base.errors import InputError
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel, learn
from seggrid.segment.formats.merges import parse_merges
from seggrid.segment.marks import MARKINGS, MarkedText, styled
from seggrid.text.segmentation import Segmentation

words = st.lists(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1), min_size=1)


@given(words, st.sampled_from(MARKINGS), st.sampled_from(["start", "end", "own"]))
def test_what_is_written_is_read_as_the_same_tokens(sentences, style, marking):
    learned = learn(sentences, 5, min_frequency=1).merges
    merges = [tuple(part.replace("▁", "") for part in merge) for merge in learned]
    model = BPEModel([m for m in merges if all(m)], marking=marking)
    cut = apply(model, sentences)
    lines = list(styled(cut, sentences, style))
    again = MarkedText([line.split(" ") for line in lines], style).segment(sentences)
    read = MarkedText([], style).bare
    # A ▁ by itself, where words have a mark of their own, is no token of the other styles.
    assert spelled(again, read) == spelled(cut, lambda t: t.replace("▁", "").removesuffix("</w>"))


def spelled(cut, bare):
    rows = zip((bare(cut.types[i]) for i in cut.ids), cut.first.tolist(), strict=True)
    return [(text, word) for text, word in rows if text]


def test_the_style_of_subword_nmt_is_what_it_writes(texts):
    apply_bpe = pytest.importorskip("subword_nmt.apply_bpe")
    sentences = texts["eng"][:60]
    merges = learn(sentences, 200).merges
    codes = ["#version: 0.2"]
    codes += [f"{a} {b}</w>" for a, b in merges if not a.startswith("▁")]
    model = parse_merges(codes, "codes")
    theirs = apply_bpe.BPE(io.StringIO("".join(f"{line}\n" for line in codes)))
    ours = list(styled(apply(model, sentences), sentences, "@@"))
    assert ours == [theirs.process_line(" ".join(words)).strip() for words in sentences]
    assert any("@@ " in line for line in ours)


@pytest.mark.parametrize(
    ("types", "first", "last", "word", "message"),
    [
        (["Ġh", "i"], [0, 0], [0, 0], "hi", "do not spell the word 'hi'"),
        (["[UNK]"], [0], [0], "hi", "'[UNK]' do not spell"),
        (["h▁i"], [0], [1], "h", "is of several words"),
        (["h@@"], [0], [0], "h@@", "has the mark @@ in its own text"),
    ],
)
def test_what_a_style_cannot_say_is_refused(types, first, last, word, message):
    rows = np.array([first, last], dtype=np.int32)
    ids = np.arange(len(types), dtype=np.int32)
    cut = Segmentation(types, ids, np.array([0, len(types)]), *rows)
    with pytest.raises(InputError) as error:
        list(styled(cut, [[word, "x"][: max(last) + 1]], "@@"))
    assert message in str(error.value)


def test_marks_of_other_tokenizers_are_taken_away():
    rows = np.zeros(2, dtype=np.int32)
    cut = Segmentation(["go", "##ing"], np.arange(2, dtype=np.int32), np.array([0, 2]), rows, rows)
    assert list(styled(cut, [["going"]], "@@")) == ["go@@ ing"]


def test_tokens_across_words_are_written_as_sentencepiece_does():
    own = seggrid.Segmenter.learn(["a b a b", "b a b"], merges=3, spaces=False)
    text = ["a b a b"]
    assert own.segment(text, style="▁") == own.segment(text)
    with pytest.raises(InputError, match="of several words"):
        own.segment(text, style="@@")

"""From tokens to an encoder's pieces, with small vocabularies of both common kinds."""

import numpy as np
import pytest

from seggrid.align.embeddings.pieces import Pieces
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation


class Tokenizer:
    """The part of a transformers tokenizer that `Pieces` uses: longest match, from the left."""

    all_special_tokens = ("<s>", "[UNK]")
    all_special_ids = (0, 1)
    unk_token_id = 1

    def __init__(self, *pieces):
        self.pieces = ["<s>", "[UNK]", *pieces]

    def get_vocab(self):
        return {piece: number for number, piece in enumerate(self.pieces)}

    def __call__(self, texts, **options):
        assert options["is_split_into_words"]
        return {"input_ids": [[p for word in words for p in self.cut(word)] for words in texts]}

    def cut(self, word):
        vocabulary = self.get_vocab()
        metaspace = "▁" in vocabulary
        text, found = "▁" * metaspace + word, []
        while text:
            prefix = "##" if found and not metaspace else ""
            end = next((k for k in range(len(text), 0, -1) if prefix + text[:k] in vocabulary), 0)
            if not end:
                return [1]
            found.append(vocabulary[prefix + text[:end]])
            text = text[end:]
        return found


SENTENCEPIECE = Tokenizer("▁", "▁the", "▁ca", "t", "ts", "s", "▁s", "▁of", "▁the▁", "the")
WORDPIECE = Tokenizer("the", "ca", "##t", "##ts", "##s", "s", "of")


def tokens(*sentences):
    """A segmentation of sentences given as (text, first word, last word)."""
    flat = [token for sentence in sentences for token in sentence]
    types = sorted({text for text, _, _ in flat})
    return Segmentation(
        types,
        np.array([types.index(text) for text, _, _ in flat], dtype=np.int32),
        offsets_of([len(sentence) for sentence in sentences]),
        np.array([first for _, first, _ in flat], dtype=np.int32),
        np.array([last for _, _, last in flat], dtype=np.int32),
    )


def pieces_of(tokenizer, segmentation):
    """For each sentence, the pieces of each of its tokens as text."""
    offsets, ids, token = Pieces(tokenizer).cut(segmentation)
    found = []
    for s in range(len(segmentation)):
        rows = range(offsets[s], offsets[s + 1])
        found.append(
            [
                [tokenizer.pieces[ids[row]] for row in rows if token[row] == k]
                for k in range(segmentation.lengths[s])
            ]
        )
    return found


def test_words_are_cut_as_the_encoder_cuts_them():
    words = Segmentation.from_words([["the", "cats"], [], ["cat", "the", "cats"]])
    assert pieces_of(SENTENCEPIECE, words) == [
        [["▁the"], ["▁ca", "ts"]],
        [],
        [["▁ca", "t"], ["▁the"], ["▁ca", "ts"]],
    ]
    assert pieces_of(WORDPIECE, words)[0] == [["the"], ["ca", "##ts"]]


def test_a_token_of_the_vocabulary_is_one_piece_where_it_stands_in_its_word():
    segmentation = tokens([("▁the", 0, 0), ("▁ca", 1, 1), ("t", 1, 1), ("s", 1, 1)])
    assert pieces_of(SENTENCEPIECE, segmentation) == [[["▁the"], ["▁ca"], ["t"], ["s"]]]
    assert pieces_of(WORDPIECE, segmentation) == [[["the"], ["ca"], ["##t"], ["##s"]]]


def test_another_token_is_cut_within_its_word():
    # "cat" begins a word in one place, and continues one in the other.
    segmentation = tokens([("▁cat", 0, 0), ("▁s", 1, 1), ("ts", 1, 1), ("cats", 1, 1)])
    assert pieces_of(SENTENCEPIECE, segmentation) == [
        # The vocabulary has no piece "ca" that continues a word, only one that begins one.
        [["▁ca", "t"], ["▁s"], ["ts"], ["▁ca", "ts"]]
    ]
    assert pieces_of(WORDPIECE, segmentation) == [[["ca", "##t"], ["s"], ["##ts"], ["ca", "##ts"]]]
    assert pieces_of(SENTENCEPIECE, tokens([("▁s", 0, 0), ("sts", 0, 0)])) == [
        [["▁s"], ["s", "ts"]]
    ]


def test_a_token_across_words_and_one_of_a_boundary_alone():
    across = tokens([("of▁the", 0, 1), ("▁", 2, 1), ("t", 2, 2), ("s▁", 2, 2), ("s", 3, 3)])
    assert pieces_of(SENTENCEPIECE, across) == [[["▁of", "▁the"], [], ["▁", "t"], ["s"], ["▁s"]]]
    assert pieces_of(WORDPIECE, across) == [[["of", "the"], [], ["[UNK]"], ["##s"], ["s"]]]


def test_special_pieces_stand_for_no_token():
    segmentation = tokens([("▁<s>", 0, 0), ("<s>", 0, 0)])
    assert pieces_of(WORDPIECE, segmentation) == [[["[UNK]"], ["[UNK]"]]]


def test_a_vocabulary_without_marks_is_not_looked_into():
    segmentation = tokens([("▁ab", 0, 0), ("b", 0, 0), ("ab", 0, 0)])
    assert pieces_of(Tokenizer("ab", "b"), segmentation) == [[["ab"], ["b"], ["ab"]]]


@pytest.mark.parametrize("tokenizer", [SENTENCEPIECE, WORDPIECE])
def test_no_sentences_have_no_pieces(tokenizer):
    offsets, ids, token = Pieces(tokenizer).cut(tokens())
    assert (offsets.tolist(), ids.tolist(), token.tolist()) == ([0], [], [])


@pytest.mark.parametrize("tokenizer", [SENTENCEPIECE, WORDPIECE])
def test_tokens_that_mark_ends_of_words_have_the_pieces_of_those_that_mark_starts(tokenizer):
    start = tokens([("▁the", 0, 0), ("▁ca", 1, 1), ("ts", 1, 1)])
    end = tokens([("the</w>", 0, 0), ("ca", 1, 1), ("ts</w>", 1, 1)])
    assert pieces_of(tokenizer, end) == pieces_of(tokenizer, start)

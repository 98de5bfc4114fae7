import numpy as np
import pytest

from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.language_model.vocabulary import (
    SPECIAL,
    UNKNOWN,
    Vocabulary,
    read_vocabulary,
    write_vocabulary,
)


def tokens(*types):
    """A sentence of these tokens."""
    return Segmentation.from_words([types])


def test_every_character_of_the_text_is_a_type_at_the_begin_of_a_word_and_within():
    vocabulary = Vocabulary.from_types({"▁ab", "ba"}, "ab")
    assert vocabulary.types == (*SPECIAL, "▁", "a", "b", "▁a", "▁b", "ba", "▁ab")
    ids = vocabulary.encode(tokens("▁ab", "ba", "a", "c"))
    assert [vocabulary.types[i] for i in ids] == ["▁ab", "ba", "a", "<unk>"]


def test_a_token_of_the_text_that_is_spelled_like_a_special_type_is_unknown():
    vocabulary = Vocabulary.from_types({"<s>", "</s>"}, "s")
    assert vocabulary.encode(tokens("<s>", "</s>", "s")).tolist()[:2] == [UNKNOWN, UNKNOWN]
    assert len(set(vocabulary.types)) == len(vocabulary)


def test_a_vocabulary_is_read_as_it_was_written(tmp_path):
    vocabulary = Vocabulary.from_types({"▁ab", "\u2028b"}, "ab\u2028")
    write_vocabulary(tmp_path / "types.txt", vocabulary)
    assert read_vocabulary(tmp_path / "types.txt") == vocabulary


@pytest.mark.parametrize("text", ["a\nb\n", "\n".join([*SPECIAL, "a", "a"]) + "\n"])
def test_what_is_no_vocabulary_is_refused(tmp_path, text):
    (tmp_path / "types.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a vocabulary of a language model"):
        read_vocabulary(tmp_path / "types.txt")


def test_ids_are_those_of_the_occurrences():
    vocabulary = Vocabulary.from_types({"▁ab"}, "ab")
    segmented = Segmentation.from_words([["▁ab", "b"], ["b", "▁ab"]])
    ids = vocabulary.encode(segmented)
    assert ids.dtype == np.int32
    assert ids[0] == ids[3] != ids[1] == ids[2]

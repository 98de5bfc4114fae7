import pytest

import builtin_pair
import sides
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.studies.language_model.text import EncodedText
from seggrid.studies.language_model.tokenizers_file import make_tokenizer
from seggrid.studies.language_model.vocabulary import (
    SPECIAL,
    UNKNOWN,
    Vocabulary,
    read_vocabulary,
)
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import apply_case


def tokens(*types):
    """A sentence of these tokens."""
    return Segmentation.from_words([types])


def test_every_character_of_the_text_is_a_type_at_the_begin_of_a_word_and_within():
    vocabulary = Vocabulary.from_types({"▁ab", "ba"}, "ab")
    assert vocabulary.types == (*SPECIAL, "▁", "a", "b", "▁a", "▁b", "ba", "▁ab")
    ids = vocabulary.encode(tokens("▁ab", "ba", "a", "c"))
    assert [vocabulary.types[i] for i in ids] == ["▁ab", "ba", "a", "<unk>"]


def test_every_token_of_a_model_that_marks_ends_of_words_is_known():
    sentences = [["abc", "cab"], ["b"], ["b", "ca"]]
    cut = apply(learn(sentences, 0, marking="end"), sentences)
    text = EncodedText.from_segmentation(sentences, cut, 1, types=set())
    assert {"a</w>", "b</w>", "c</w>"} <= set(text.vocabulary.types)
    assert UNKNOWN not in text.vocabulary.encode(cut)


def test_a_token_of_the_text_that_is_spelled_like_a_special_type_is_unknown():
    vocabulary = Vocabulary.from_types({"<s>", "</s>"}, "s")
    assert vocabulary.encode(tokens("<s>", "</s>", "s")).tolist()[:2] == [UNKNOWN, UNKNOWN]
    assert len(set(vocabulary.types)) == len(vocabulary)


def test_a_vocabulary_is_read_as_it_was_written(tmp_path):
    vocabulary = Vocabulary.from_types({"▁ab", "\u2028b"}, "ab\u2028")
    write_lines(tmp_path / "types.txt", vocabulary.types)
    assert read_vocabulary(tmp_path / "types.txt") == vocabulary


# Wordmap leaves words whole that no type of it covers, and Morfessor is slow.
@pytest.mark.parametrize(
    "name", [name for name in sides.LEARNING if name not in ("wordmap", "morfessor")]
)
def test_every_token_of_the_text_is_known(tmp_path, name):
    """`<unk>` is not predicted in training, so that a model could not score it."""
    sentences = builtin_pair.words_of("deu")[:300]
    side = sides.side_of(name, merges=200)
    model = learn_model(sentences, side)
    (cut,) = segment_text(sentences, side, model, [0])
    read = sides.read_back(name, model, tmp_path)
    characters = {c for words in sentences for word in words for c in word}
    vocabulary = Vocabulary.from_types(read.types(side), characters)
    assert UNKNOWN not in vocabulary.encode(cut)


@pytest.mark.parametrize("case", ["keep", "lower"])
def test_the_tokenizer_of_a_plain_text_gives_the_same_ids(case):
    sentences = apply_case(builtin_pair.words_of("deu")[:100], case)
    model = learn(sentences, 200)
    cut = apply(model, sentences)
    characters = {c for words in sentences for word in words for c in word}
    vocabulary = Vocabulary.from_types({"".join(merge) for merge in model.merges}, characters)
    tokenizer, takes_text = make_tokenizer(vocabulary, model, lower=case == "lower")
    assert takes_text
    for s, line in enumerate(builtin_pair.lines_of("deu")[:100]):
        assert tokenizer.encode(line).ids[1:-1] == vocabulary.encode(cut.take([s])).tolist()


@pytest.mark.parametrize(
    ("word", "merges", "characters", "lower", "takes_text"),
    [
        ("λόγος", 2, "λόγος", False, True),
        # Put in lower case one by one, the characters of a word would end in another one.
        ("λόγος", 2, "λόγος", True, False),
        # Merges that a model was continued with, and did not have before.
        ("abc", 1, "abc", False, True),
        ("abc", 2, "abc", False, False),
        # Characters that only the other language of a joint model has.
        ("für", 3, "fr", False, False),
    ],
)
def test_what_the_library_cannot_do_is_left_to_the_segmenter(
    word, merges, characters, lower, takes_text
):
    model = learn([[word, word, word[:2]]], merges)
    known = {"".join(merge) for merge in model.merges[: 1 if word == "abc" else merges]}
    vocabulary = Vocabulary.from_types(known, characters)
    assert make_tokenizer(vocabulary, model, lower=lower)[1] == takes_text

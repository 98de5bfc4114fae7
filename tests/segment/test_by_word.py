"""Words cut once, compared with the sentences cut as they are."""

import json

import numpy as np
import pytest
from tokenizer_kinds import KINDS, TRAINED
from tokenizers import AddedToken

import builtin_pair
from seggrid.data.words import Words
from seggrid.segment.by_word import WordCutter, is_ordinary
from seggrid.segment.external.huggingface import HuggingFace

ODD = ["x\u00a0y", "\u00a0", "\ufffd", "\u0301e", "´", "日本", "ﬁne", "don't", "\u200b", "ﷺ", "Σας"]
WHOLE = {"raw spaces", "unigram across words"}
"""Kinds whose tokens may have parts of two words."""


def text_of(sentences, number=2_000, seed=0):
    """Sentences of a text's words, so that each word is seen beside many others; some words are odd."""
    draw = np.random.default_rng(seed)
    words = sorted({word for sentence in sentences for word in sentence})[::20] + ODD
    weights = 1 / (np.arange(len(words)) + 5)
    draw.shuffle(words)
    lengths = draw.integers(1, 8, number)
    return [draw.choice(words, length, p=weights / weights.sum()).tolist() for length in lengths]


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:300]


def trained(kind, sentences, added=()):
    tokenizer, trainer = KINDS[kind]()
    lines = [" ".join(words)[:40] for words in sentences]
    tokenizer.train_from_iterator(lines, trainer)
    TRAINED.get(kind, lambda tokenizer: None)(tokenizer)
    tokenizer.no_truncation()
    tokenizer.add_tokens([*added])
    return tokenizer.to_str()


def read(text, **changes):
    content = json.loads(text)
    content["model"] |= changes
    return HuggingFace(json.dumps(content), content)


def equal_parts(ours, theirs):
    return all(
        np.array_equal(np.concatenate(own), np.concatenate(their))
        for own, their in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
    )


ADDED = [
    AddedToken("<mask>", lstrip=True),
    AddedToken("<sep>", rstrip=True),
    AddedToken("das", single_word=True),
    AddedToken("x", normalized=False),
]


@pytest.mark.parametrize("added", [(), ADDED], ids=["plain", "added"])
@pytest.mark.parametrize("kind", KINDS)
def test_words_have_the_tokens_that_sentences_have(kind, added, sentences):
    """Where words are cut once, the library sees at most a part of the text."""
    tokenizer = read(trained(kind, sentences, added))
    text = text_of(sentences)
    text += [["<mask>", *text[0]], [*text[1], "<mask>", *text[2]], ["a", "<sep>", "b<sep>", "das"]]
    assert tokenizer.local == (kind not in WHOLE)
    seen = []

    def tokenize(part):
        seen.append(len(part))
        return tokenizer._tokenized(part)

    whole = tokenizer._tokenized(text)
    cutter = WordCutter(tokenize, tokenizer.boundary, tokenizer.added)
    for _ in range(2):
        if tokenizer.local:
            assert equal_parts(cutter.segment(Words.of(text)), whole)
    assert sum(seen) < 2 * len(text)


@pytest.mark.parametrize("kind", ["byte-level", "Llama 2", "Llama 3", "metaspace, byte fallback"])
def test_a_knocked_out_tokenizer(kind, sentences):
    """Without some merges whose products remain types: no pair makes these, though some engines join any two
    tokens that spell a type."""
    text = trained(kind, sentences)
    merges = json.loads(text)["model"]["merges"]
    pruned = read(text, merges=[merge for k, merge in enumerate(merges) if k % 7 != 3])
    words = builtin_pair.words_of("deu")
    own = pruned.segment(words)
    lines = [" ".join(sentence) for sentence in words]
    theirs = pruned._tokenizer.encode_batch(lines, add_special_tokens=False)
    assert sum(map(len, words)) > 10_000
    assert [own.sentence(s) for s in range(len(own))] == [
        [token.replace(" ", "▁") for token in encoding.tokens] for encoding in theirs
    ]
    assert own.digest() != read(text).segment(words).digest()


def test_a_tokenizer_that_only_seems_local_gets_whole_sentences(sentences):
    """A sample of the text is tokenized as it is."""
    tokenizer = read(trained("raw spaces", sentences))
    whole = tokenizer.segment(sentences * 5)
    tokenizer.local = True
    assert tokenizer.segment(sentences * 5).digest() == whole.digest()


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("normalizer", {"type": "Replace", "pattern": {"Regex": "a b"}, "content": "ab"}),
        ("normalizer", {"type": "Replace", "pattern": {"String": "s"}, "content": " "}),
        ("pre_tokenizer", {"type": "Digits", "individual_digits": True}),
        (
            "pre_tokenizer",
            {
                "type": "Split",
                "pattern": {"Regex": r"\w+ \w+"},
                "behavior": "Isolated",
                "invert": False,
            },
        ),
        ("added_tokens", [{"content": "der Hund", "id": 0}]),
        ("added_tokens", [{"content": "der▁Hund", "id": 0}]),
    ],
)
def test_what_is_not_known_to_be_local(part, changes, sentences):
    from seggrid.segment.formats.locality import is_local

    content = json.loads(trained("byte-level", sentences))
    assert is_local(content, [])
    assert not is_local({**content, part: changes}, [])


def test_ordinary_words():
    assert [word for word in ODD if is_ordinary(word)] == ["日本", "ﬁne", "don't", "Σας"]

"""Words cut once, compared with the sentences cut as they are."""

import io
import json
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
import sentencepiece
from tokenizers import AddedToken

import builtin_pair
from seggrid.segment.by_word import WordCutter, is_ordinary
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.variants import Sampling
from seggrid.text.words import Words
from tokenizer_kinds import KINDS, TRAINED

ODD = ["x\u00a0y", "\u00a0", "\ufffd", "\u0301e", "´", "日本", "ﬁne", "don't", "\u200b", "ﷺ", "Σας"]
WHOLE = {"raw spaces", "unigram across words"}
"""Kinds whose tokens may have parts of two words."""


def text_of(sentences, number=2_000):
    """Sentences of a text's words, so that each word is seen beside many others; some words are odd."""
    draw = np.random.default_rng(0)
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
    for cut in (None, tokenizer.cut):
        cutter = WordCutter(tokenize, tokenizer.boundary, tokenizer.added, cut)
        for _ in range(2):
            if tokenizer.local:
                assert equal_parts(cutter.segment(Words.of(text)), whole)
    assert sum(seen) < 4 * len(text)


PATTERNED = {"byte-level", "byte-level, prefix", "Llama 3"}


@pytest.mark.parametrize("kind", KINDS)
def test_which_kinds_have_a_pattern_that_divides_words(kind, sentences):
    words = [word for word in text_of(sentences, 1)[0] if is_ordinary(word)] + [
        "don't",
        "ſ'ſ",
        "3½",
    ]
    tokenizer = read(trained(kind, sentences))
    for at_start in (False, True):
        found = tokenizer.cut(words, at_start)
        assert (found is not None) == (kind in PATTERNED)
        if found is not None:
            text = [[word] if at_start else ["a", word] for word in words]
            ids, first, _, counts = map(
                np.concatenate, zip(*tokenizer._tokenized(text), strict=True)
            )
            own = first == (not at_start)
            assert np.array_equal(found[0], ids[own])
            assert np.array_equal(found[1], counts - (not at_start))


def test_words_are_not_divided_by_a_pattern_that_another_library_reads_otherwise(sentences):
    tokenizer = read(trained("byte-level", sentences))
    tokenizer._pattern = (r" ?[\p{L}½]+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", "")
    assert tokenizer.cut(["ab"], False) is not None
    assert tokenizer.cut(["a½"], False) is None


def test_words_with_added_tokens_are_not_divided(sentences):
    tokenizer = read(trained("byte-level", sentences, ["<mask>"]))
    assert tokenizer.cut(["mask", "<a>"], False) is not None
    assert tokenizer.cut(["a<mask>"], False) is None


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


def model_of(sentences, **options):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(words) for words in sentences),
        model_writer=file,
        minloglevel=2,
        **{"vocab_size": 600, "hard_vocab_limit": False, "character_coverage": 0.99, **options},
    )
    proto = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    proto.ParseFromString(file.getvalue())
    return proto


MODELS = {
    "bpe": {"model_type": "bpe"},
    "bpe, bytes": {"model_type": "bpe", "vocab_size": 900, "byte_fallback": True},
    "bpe, no prefix": {"model_type": "bpe", "add_dummy_prefix": False},
    "bpe, own symbols": {"model_type": "bpe", "user_defined_symbols": ["sch", "▁de", "10"]},
    "bpe, suffix": {"model_type": "bpe", "treat_whitespace_as_suffix": True},
    "unigram": {"model_type": "unigram"},
    "unigram, bytes": {"model_type": "unigram", "vocab_size": 900, "byte_fallback": True},
    "unigram, lower case": {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc_cf"},
    "unigram, no prefix": {"model_type": "unigram", "add_dummy_prefix": False},
    "unigram, own symbols": {"model_type": "unigram", "user_defined_symbols": ["sch", "10"]},
    "unigram, suffix": {"model_type": "unigram", "treat_whitespace_as_suffix": True},
    "unigram, phrases": {"model_type": "unigram", "split_by_whitespace": False},
}
LOCAL = {
    *("bpe", "bpe, bytes", "bpe, no prefix", "bpe, own symbols"),
    *("unigram", "unigram, bytes", "unigram, lower case"),
}


@pytest.mark.parametrize("kind", MODELS)
def test_sentencepiece_has_the_words_of_its_offsets(kind, sentences):
    """By word, by what pieces spell, and by the offsets of the library."""
    model = SentencePiece(model_of(sentences, **MODELS[kind]).SerializeToString())
    text = text_of(sentences)
    assert model.local == (kind in LOCAL)
    by_offsets = super(SentencePiece, model)._tokenized(text)
    assert equal_parts(model._tokenized(text), by_offsets)
    if model.local:
        how = (model.boundary, model.added, model.cut, model.longest)
        cutter = WordCutter(model._tokenized, *how)
        assert equal_parts(cutter.segment(Words.of(text)), by_offsets)


def test_words_with_two_ways_to_cut_them_are_left_to_whole_sentences(sentences):
    """`ααβ` as `α`, `αβ` or `αα`, `β`: sums of the same numbers, of which the rounding of what is before
    chooses one."""
    proto = model_of(sentences, **MODELS["unigram"])
    for text, score in (("α", -3.1), ("αβ", -5.3), ("αα", -5.3), ("β", -3.1)):
        proto.pieces.add(piece=text, score=score)
    model = SentencePiece(proto.SerializeToString())
    ids, counts = model.cut(["und", "ααβ", "x" * 40], False)
    assert counts.tolist() == [len(ids), 0, 0]
    draw = np.random.default_rng(0)
    words = [word for sentence in sentences for word in sentence]
    words = draw.choice(words + ["ααβ"] * len(words), 60_000).tolist()
    text = [words[k : k + 1 + k // 60 % 90] for k in range(0, len(words), 60)]
    how = (model.boundary, model.added, model.cut)
    whole = model._tokenized(text)
    for longest in (model.longest, 50):
        assert equal_parts(
            WordCutter(model._tokenized, *how, longest).segment(Words.of(text)), whole
        )
    ways = {tuple(ids.tolist()) for ids in ways_of(model, text, "ααβ")}
    assert len(ways) > 1


def ways_of(model, text, word):
    """The types of each occurrence of a word in a text that is cut as whole sentences."""
    for ids, first, _, counts in model._tokenized(text):
        ends = np.cumsum(counts)
        for words, begin, end in zip(text, ends - counts, ends, strict=True):
            for place, own in enumerate(words):
                if own == word:
                    yield ids[begin:end][first[begin:end] == place]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_samples_do_not_depend_on_what_follows(kind, sentences):
    """No word is drawn but those of the text, one after another."""
    model = SentencePiece(model_of(sentences, **MODELS[kind]).SerializeToString())
    own = model.drawing(Sampling(Fraction(1, 10)), 7)
    first, whole = own.segment(sentences[:50]), own.segment(sentences * 20)
    assert whole.take(range(50)).digest() == first.digest()


@pytest.mark.parametrize("kind", ["bpe", "bpe, bytes", "unigram"])
def test_a_knocked_out_model_of_sentencepiece(kind, sentences):
    proto = model_of(sentences, **MODELS[kind])
    whole = SentencePiece(proto.SerializeToString())
    normal = [piece for piece in proto.pieces if piece.type == 1 and len(piece.piece) > 2]
    for piece in normal[::7]:
        proto.pieces.remove(piece)
    pruned = SentencePiece(proto.SerializeToString())
    words = builtin_pair.words_of("deu")
    own = pruned.segment(words)
    lines = [" ".join(sentence) for sentence in words]
    assert sum(map(len, words)) > 10_000
    theirs = pruned._processor.Encode(lines, out_type=str, emit_unk_piece=True)
    assert [own.sentence(s) for s in range(len(own))] == theirs
    assert own.digest() != whole.segment(words).digest()


def test_a_table_that_replaces_spaces(sentences):
    """A space before `a` is no longer one, so that words depend on each other."""
    proto = model_of(sentences, **MODELS["bpe"])
    units = np.zeros(512, dtype="<u4")
    leaf, value = 0x100, 2**31
    for place, unit in ((0, 0), (32, 32 | 256 << 10), (257, value)):
        units[place] = unit
    units[32 ^ 256 ^ ord("a")] = ord("a") | leaf | 1 << 10
    units[32 ^ 256 ^ ord("a") ^ 1] = value
    table = len(units.tobytes()).to_bytes(4, "little") + units.tobytes() + b"x\0"
    proto.normalizer_spec.precompiled_charsmap = table
    model = SentencePiece(proto.SerializeToString())
    assert not model.local
    assert model.segment([["das", "aß"]]).sentence(0)


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

"""Tokenizers from elsewhere, compared with their libraries token by token, and mapped to words."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from types import SimpleNamespace

import numpy as np
import pytest
import sentencepiece
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
)

import seggrid
from seggrid.base.errors import InputError, Note
from seggrid.base.extras import install_command
from seggrid.morphology.evaluate import cuts_of
from seggrid.segment.external import External
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.sentencepiece import SentencePiece
from seggrid.segment.external.tokenizer_file import read_tokenizer
from seggrid.segment.marks import MarkedText
from seggrid.segment.variants import Sampling
from tokenizer_kinds import (
    KINDS,
    TRAINED,
    metaspace,
    word_piece,
)

ODD = [
    ["ﬁne", "Ω½", "日本語", "x\u00a0y", "E\u0301te\u0301", "´"],
    ["a"],
    ["10\u00a0000", "İstanbul", "ẞ", "don't", "(sic)", "...", "naïve"],
]
"""Characters that NFKC, lower-casing or splitting into bytes changes."""


@pytest.fixture(scope="module")
def sentences(texts):
    """German lines and odd ones."""
    return [*texts["deu"][:300], *ODD]


def lines_of(sentences):
    return [" ".join(words) for words in sentences]


def words_of(sentence, begin, end):
    """The words with a character between two offsets of their line."""
    found, at = [], 0
    for j, word in enumerate(sentence):
        if begin < at + len(word) and end > at:
            found.append(j)
        at += len(word) + 1
    return found


@pytest.fixture(scope="module", params=KINDS)
def tokenizer_file(request, sentences, tmp_path_factory):
    tokenizer, trainer = KINDS[request.param]()
    lines = lines_of(sentences)
    if "across" in request.param or request.param == "raw spaces":
        lines = [line[:40] for line in lines]
    tokenizer.train_from_iterator(lines, trainer)
    TRAINED.get(request.param, lambda tokenizer: None)(tokenizer)
    file = tmp_path_factory.mktemp("tokenizers") / "tokenizer.json"
    tokenizer.save(str(file))
    return file


def test_hugging_face_tokens_are_the_librarys_on_the_words_of_their_offsets(
    tokenizer_file, sentences
):
    """Tokens by id, since some models show the text of an unknown token. Truncation is only for training."""
    theirs = Tokenizer.from_file(str(tokenizer_file))
    theirs.no_truncation()
    ours = read_tokenizer(tokenizer_file).segment(sentences)
    for s, line in enumerate(lines_of(sentences)):
        encoding = theirs.encode(line, add_special_tokens=False)
        expected = map(theirs.id_to_token, encoding.ids)
        assert [token.replace(" ", "▁") for token in expected] == ours.sentence(s), line
        rows = range(ours.offsets[s], ours.offsets[s + 1])
        for token, (begin, end), row in zip(encoding.tokens, encoding.offsets, rows, strict=True):
            own = list(range(ours.first[row], ours.last[row] + 1))
            if set(token) <= set("▁Ġ "):
                assert own == []
            else:
                assert own == words_of(sentences[s], begin, end), (line, token)


IN_TEXT = ["unverständlich", "ab", "10", "don't", "(sic)", "naïve", "日本"]


def test_a_word_is_cut_as_in_the_middle_of_a_text(tokenizer_file):
    """The cuts within a word are those that the library makes between two such words."""
    theirs = Tokenizer.from_file(str(tokenizer_file))
    theirs.no_truncation()
    ours = cuts_of(read_tokenizer(tokenizer_file).segment_words(IN_TEXT))
    for e, word in enumerate(IN_TEXT):
        for one in (word, "\ue000"):
            encoding = theirs.encode(f"{one} {word} {one}", add_special_tokens=False)
            start, stop = len(one) + 1, len(one) + 1 + len(word)
            if not any(
                a < start - 1 < start < b or a < stop < stop + 1 < b for a, b in encoding.offsets
            ):
                break
        spans = [
            (max(a, start) - start, min(b, stop) - start)
            for token, (a, b) in zip(encoding.tokens, encoding.offsets, strict=True)
            if b > start and a < stop and not set(token) <= set("▁Ġ ")
        ]
        reached = np.maximum.accumulate([end for _, end in spans])
        wanted = {a for k, (a, _) in enumerate(spans) if k and a >= reached[k - 1]}
        assert ours.word(e) == sorted(wanted), word


def trained(lines, **options):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=file,
        num_threads=1,
        minloglevel=2,
        **{"vocab_size": 500, "hard_vocab_limit": False, **options},
    )
    return file.getvalue()


FOLDED = {"byte_fallback": True, "character_coverage": 0.98} | {
    "normalization_rule_name": "nmt_nfkc_cf"
}
MODELS = {
    "bpe": {"model_type": "bpe"},
    "unigram": {"model_type": "unigram"},
    "bpe, bytes, folded": {"model_type": "bpe", "vocab_size": 700, **FOLDED},
    "unigram, bytes, folded": {"model_type": "unigram", "vocab_size": 700, **FOLDED},
    "bpe across words": {"model_type": "bpe", "split_by_whitespace": False},
    "bpe, suffix": {"model_type": "bpe", "treat_whitespace_as_suffix": True},
    "bpe, own symbols": {"model_type": "bpe", "user_defined_symbols": ["sch", "▁de", "10"]},
    "unigram, own symbols": {"model_type": "unigram", "user_defined_symbols": ["sch", "▁de", "10"]},
    "words": {"model_type": "word"},
    "characters": {"model_type": "char"},
}


@pytest.fixture(scope="module", params=MODELS)
def model(request, sentences):
    return trained(lines_of(sentences), **MODELS[request.param])


def test_sentencepiece_tokens_are_the_librarys_on_the_words_of_their_offsets(model, sentences):
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = SentencePiece(model).segment(sentences)
    placed = 0
    for s, line in enumerate(lines_of(sentences)):
        assert theirs.Encode(line, out_type=str, emit_unk_piece=True) == ours.sentence(s)
        found = theirs.Encode(line, out_type="immutable_proto")
        rows = range(ours.offsets[s], ours.offsets[s + 1])
        for piece, row in zip(found.pieces, rows, strict=True):
            k, begin, end = piece.id, piece.begin, piece.end
            own = list(range(ours.first[row], ours.last[row] + 1))
            expected = words_of(sentences[s], begin, end)
            if not theirs.id_to_piece(k).replace("▁", ""):
                assert own == []
            # Of the bytes of a character only the last one has offsets.
            elif expected:
                assert own == expected
                placed += 1
    assert placed > 3000
    # Every word has a token, except words of a character that becomes a space.
    for s, sentence in enumerate(sentences[:-3]):
        rows = slice(ours.offsets[s], ours.offsets[s + 1])
        covered = {
            j
            for first, last in zip(ours.first[rows], ours.last[rows], strict=True)
            for j in range(first, last + 1)
        }
        assert covered == set(range(len(sentence)))


@pytest.mark.parametrize(
    ("kind", "sampling"),
    [
        ("bpe", Sampling(0.3)),
        ("unigram", Sampling(0.2)),
        ("unigram", Sampling(0.5, 8)),
        ("unigram, bytes, folded", Sampling(0.2)),
    ],
)
def test_samples_follow_from_their_seeds(sentences, kind, sampling):
    own = SentencePiece(trained(lines_of(sentences), **MODELS[kind]))
    drawn = [own.drawing(sampling, seed).segment(sentences) for seed in (1, 1, 2**63)]
    one, again, other = (sample.lines() for sample in drawn)
    assert one == again != other
    assert one != own.segment(sentences).lines()


def sample(data, sentences):
    return SentencePiece(data).drawing(Sampling(0.3), 7).segment(sentences).lines()


@pytest.mark.tier("check")
@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_samples_are_the_same_in_every_process(sentences, kind):
    """From version 0.2.2 on, those of the library are not."""
    given = trained(lines_of(sentences), **MODELS[kind]), sentences[:20]
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(sample, given) == sample(*given)


PLAIN = [["verstehen", "das"], ["Haus"]]


def test_marked_tokens_of_other_programs(sentences, tmp_path):
    """Texts segmented by sentencepiece and BERT are mapped to words as by the offsets of their libraries."""
    data = trained(lines_of(sentences), **MODELS["bpe, bytes, folded"])
    theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
    # `´` becomes a space and an accent, and Turkish İ two letters: both are mapped, too.
    tokens = [theirs.Encode(line, out_type=str) for line in lines_of(sentences)]
    marked = MarkedText(tokens, "▁").segment(sentences)
    whole = SentencePiece(data).segment(sentences)
    assert [marked.sentence(s) for s in range(len(marked))] == tokens
    same = (marked.first == whole.first) & (marked.last == whole.last)
    assert same[: whole.offsets[300]].all()
    assert (~same).sum() <= 3

    tokenizer, trainer = word_piece()
    kept = sentences[:300]
    tokenizer.train_from_iterator(lines_of(kept), trainer)
    tokenizer.no_truncation()
    tokenizer.save(str(tmp_path / "bert.json"))
    bert = read_tokenizer(tmp_path / "bert.json").segment(kept)
    rows = [bert.sentence(s) for s in range(len(kept))]
    known = [s for s, row in enumerate(rows) if "[UNK]" not in row]
    again = MarkedText([rows[s] for s in known], "##").segment([kept[s] for s in known])
    part = bert.take(known)
    assert np.array_equal(again.first, part.first)
    assert np.array_equal(again.last, part.last)


def test_letters_that_folding_changes_are_found_in_the_text():
    """A sigma at the end of a word is folded to that within words, and ß to two letters."""
    text = [["λόγος", "ΟΔΟΣ", "οδος", "Straße", "STRASSE"]] * 20
    data = trained(lines_of(text), **MODELS["bpe, bytes, folded"] | {"vocab_size": 300})
    tokens = sentencepiece.SentencePieceProcessor(model_proto=data).Encode(
        lines_of(text), out_type=str
    )
    marked, whole = MarkedText(tokens, "▁").segment(text), SentencePiece(data).segment(text)
    assert np.array_equal(marked.first, whole.first)
    assert np.array_equal(marked.last, whole.last)


def write(folder, name, content):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def refusal(action, *arguments):
    with pytest.raises(InputError) as error:
        action(*arguments)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "it has no model"),
        ('{"model": {"type": "Magic"}}', "unknown type 'Magic'"),
        ('{"model": {"type": "BPE", "vocab": 3}}', "not a tokenizer.json: "),
        ('{"model": {"type": "BPE"', ":1: not JSON"),
    ],
)
def test_a_broken_tokenizer_json(tmp_path, content, said):
    file = write(tmp_path, "t.json", content)
    assert said in refusal(External.read, file, "huggingface")


@pytest.mark.parametrize("suffix", [False, True])
def test_a_space_at_either_end_of_what_a_library_decodes_is_no_difference(tmp_path, suffix):
    data = trained(["the house", "a house", "the car"], treat_whitespace_as_suffix=suffix)
    own = seggrid.Segmenter.load(write(tmp_path, "m.model", data))
    assert seggrid.measure(["the house", "a car"], own)["exact_sentences"] == 1


def test_a_broken_model_of_sentencepiece(sentences, tmp_path):
    data = trained(lines_of(sentences), **MODELS["bpe"])
    for cut in (0, 10, 1000, len(data) // 2, len(data) - 1, len(data) - 240_000):
        said = refusal(External.read, write(tmp_path, "m", data[:cut]), "sentencepiece")
        assert "model of sentencepiece" in said
    assert "not a model of sentencepiece" in refusal(
        External.read, write(tmp_path, "m", "some text"), "sentencepiece"
    )
    assert "cannot be read" in refusal(External.read, tmp_path / "none", "sentencepiece")
    at = data.index("▁d".encode())
    broken = write(tmp_path, "m", data[:at] + b"\xff" + data[at + 1 :])
    assert "a type that is not UTF-8" in refusal(External.read, broken, "sentencepiece")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("ver@@ stehen das\n", "1 lines of tokens for a text of 2 sentences"),
        ("ver@@ stehen das\nHof\n", "t:2: the token 'Hof' where the text goes on with 'haus'"),
        ("ver@@ stehen\nHaus\n", "t:1: no tokens for the rest of the sentence, 'das'"),
    ],
)
def test_tokens_of_another_text(tmp_path, lines, said):
    marked = MarkedText.read(write(tmp_path, "t", lines), "@@")
    assert said in refusal(marked.segment, PLAIN)


def test_a_library_that_is_not_installed(tmp_path, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    for format in ("huggingface", "sentencepiece"):
        said = refusal(External.read, write(tmp_path, "t", "[]"), format)
        assert f"run {install_command('tokenizers')}" in said


def test_only_what_can_be_sampled_is():
    side = SimpleNamespace(tokenizer="mine", dropout=0.1, sampling="none")
    assert "mine cannot be sampled by dropout" in refusal(External(MarkedText([], "▁")).check, side)
    side = SimpleNamespace(tokenizer="mine", dropout=0, sampling="alpha-0.1")
    assert "cannot be sampled by sampling" in refusal(External(MarkedText([], "▁")).check, side)


def test_a_tokenizer_that_cannot_be_sampled_is_named_by_its_file(tmp_path):
    Tokenizer(models.WordLevel({"a": 0}, unk_token="a")).save(str(tmp_path / "t.json"))
    own = seggrid.Segmenter.load(tmp_path / "t.json", "external", format="huggingface", dropout=0.1)
    assert f"{tmp_path / 't.json'} cannot be sampled by dropout" in refusal(own.segment, ["a a"])


def test_a_sentence_without_tokens(tmp_path):
    for model, said in (
        (models.BPE({"a": 0}, []), "makes no token of sentence 2"),
        (models.WordLevel({"a": 0}), "cannot cut 'b': WordLevel error"),
    ):
        tokenizer = Tokenizer(model)
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        tokenizer.save(str(tmp_path / "t.json"))
        read = read_tokenizer(tmp_path / "t.json")
        assert said in refusal(read.segment, [["a"], ["b"]])


def test_words_that_a_tokenizer_leaves_out_are_counted(tmp_path):
    tokenizer = Tokenizer(models.BPE({"a": 0}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "t.json"))
    own = seggrid.Segmenter.load(tmp_path / "t.json", "external", format="huggingface")
    with pytest.warns(Note, match="makes no token of 2 of 4 words, such as b$"):
        assert own.segment(["a b a c"]) == [["a", "a"]]
    with pytest.warns(Note, match="source: the tokenizer makes no token of 2 of 4 words"):
        seggrid.align(["a b"] * 2, ["a a"] * 2, tokenizers=tmp_path / "t.json")


def test_dropout_of_a_file_is_not_applied(sentences):
    tokenizer, trainer = metaspace()
    tokenizer.train_from_iterator(lines_of(sentences), trainer)
    content = json.loads(tokenizer.to_str())
    plain, dropping = content, {**content, "model": {**content["model"], "dropout": 0.9}}
    one, other = (HuggingFace(json.dumps(own), own) for own in (plain, dropping))
    assert one.segment(sentences).lines() == other.segment(sentences).lines()


def test_ids_without_a_type_do_not_count(tmp_path):
    """Pruned tokenizers keep the ids of the types that remain."""
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "b": 3, "<unk>": 5}, unk_token="<unk>"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    read = read_tokenizer(tmp_path / "tokenizer.json")
    assert read.vocabulary == {"a", "b", "<unk>"}


def test_a_model_that_adds_no_space_gets_the_words_with_theirs(sentences):
    options = {"model_type": "bpe", "add_dummy_prefix": False}
    data = trained(lines_of(sentences), **options)
    cut = SentencePiece(data).segment_words(["das", "Haus"])
    theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert cut.sentence(0) == theirs.Encode("x das", out_type=str)[1:]
    assert cut.sentence(0) != theirs.Encode("das", out_type=str)


def test_two_ids_of_one_text_are_decoded_by_the_library(tmp_path):
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "▁": 1, " ": 2, "b": 3, "<unk>": 4}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "isolated")
    tokenizer.decoder = decoders.Fuse()
    tokenizer.save(str(tmp_path / "t.json"))
    ours = read_tokenizer(tmp_path / "t.json")
    cut = ours.segment([["a", "b"]])
    assert cut.sentence(0) == ["a", "▁", "b"]
    assert ours.decode([cut.sentence(0)], ["a b"]) == [tokenizer.decode([0, 2, 3])]


def test_samples_of_several_threads_are_those_of_one(sentences):
    own = SentencePiece(trained(lines_of(sentences), **MODELS["bpe"]))

    def sample(seed):
        return own.drawing(Sampling(0.3), seed).segment(sentences[:40]).lines()

    alone = list(map(sample, range(24)))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(sample, range(24))) == alone


def test_replacements_that_explode(tmp_path):
    grow = [normalizers.Replace("a", "a" * 40) for _ in range(4)]
    tokenizer = Tokenizer(models.WordLevel({"a": 0}))
    tokenizer.normalizer = normalizers.Sequence(grow)
    tokenizer.save(str(tmp_path / "t.json"))
    assert "too long" in refusal(read_tokenizer, tmp_path / "t.json")


def trie(root, others):
    """A double array of 256 units: that of the root, and others by their place."""
    units = np.zeros(256, dtype="<u4")
    units[0] = root
    for place, unit in others.items():
        units[place] = unit
    return len(units.tobytes()).to_bytes(4, "little") + units.tobytes()


LEAF, A = 0x100, ord("a")


@pytest.mark.parametrize(
    ("table", "sound"),
    [
        (trie(0, {}) + b"x\0", True),
        (trie(0, {A: A | LEAF | 1 << 10, A ^ 1: 0}) + b"x\0", True),
        (trie(0, {A: A | LEAF | 1 << 10, A ^ 1: 2}) + b"x\0", False),
        (trie(0, {A: A | 1 << 18}) + b"x\0", False),
        (trie(256 << 10, {}) + b"x\0", False),
        (trie(0, {}) + b"x", False),
        (b"\xff" * 30, False),
    ],
)
def test_a_table_of_characters_that_leads_out_of_itself(sentences, tmp_path, table, sound):
    """It may end the process in the library."""
    proto = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    proto.ParseFromString(trained(lines_of(sentences), **MODELS["bpe, bytes, folded"]))
    proto.normalizer_spec.precompiled_charsmap = table
    file = write(tmp_path, "m", proto.SerializeToString())
    if sound:
        assert SentencePiece.read(file).segment([["ab"]]).sentence(0)
    else:
        assert "a damaged table of characters" in refusal(SentencePiece.read, file)

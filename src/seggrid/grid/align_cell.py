"""Compute one cell of the grid in memory, from two texts to word links, in one call.

The workflow computes the same in jobs that share results. Equal settings give equal links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.align import ALIGNERS, gives_probabilities, without_posteriors
from seggrid.align.aligner import CountingAligner, Keeps
from seggrid.align.memory import check_memory
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import combine_directions
from seggrid.base.errors import InputError, note
from seggrid.grid.cell import Cell
from seggrid.grid.samples import alignment_names, sample_seeds
from seggrid.score.votes import LinkVotes, Means, is_posterior
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.text.links import Links, Posteriors
from seggrid.text.segmentation import Segmentation
from seggrid.text.sides import SIDES
from seggrid.text.words import Words

Sentences = Sequence[list[str]]


@dataclass(frozen=True)
class Models:
    """The models that were learned on a pair, which can be applied to other text: the segmenter's of each
    side (None if it learns none), and the aligner's of each sample."""

    segmenters: tuple[Any, Any]
    aligners: list[Any]


@dataclass(frozen=True)
class Aligned:
    """The result of a cell for S sentence pairs.

    Attributes:
        links: word links.
        tokens: segmentation of either side in the first sample.
        means: word links, each with its mean probability over samples, or with the share of samples that
            have it; None if neither is known.
        models: the learned models of the cell, or of each cell of a vote; None if not requested.
        directions: word links of the forward and of the reverse direction; with several samples, the links
            that more than half of the samples have.
        scores: forward and reverse log-probability of each sentence pair, averaged over samples, float64,
            shape (S, 2); None if not requested.
    """

    links: Links
    tokens: tuple[Segmentation, Segmentation]
    means: Means | None
    models: list[Models] | None
    directions: tuple[Links, Links]
    scores: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Request:
    """What is asked for besides links.

    Attributes:
        probabilities: whether probabilities of links are.
        keep: whether the models are.
        scores: whether scores of the sentence pairs are.
        wanted: the number of sentence pairs whose links are returned, the first ones; the others are only
            learned from, so an encoder does not read them unless it is tuned. By default, all.
    """

    probabilities: bool = False
    keep: bool = False
    scores: bool = False
    wanted: int | None = None


@dataclass(frozen=True)
class Earlier:
    """What was learned on other text.

    Attributes:
        models: all models; if given, nothing is learned.
        segmenters: those of both segmenters; if given, only the aligner learns.
        priors: a model of the aligner, from which each sample starts.
    """

    models: Models | None = None
    segmenters: tuple[Any, Any] | None = None
    priors: Any = None


@dataclass(frozen=True)
class Process:
    """How cells are computed.

    Attributes:
        seed: the seed of all samples. The name of the pair is part of theirs, as in the workflow.
        threads: how many threads may be used.
        memory: bytes that the process may take; None for no limit.
        progress: called with messages on progress.
        tune: `seggrid.score.tuning.tune`, if aligners are to be tuned.
    """

    seed: int = 1
    threads: int = 1
    memory: int | None = None
    progress: Callable[[str], None] = lambda text: None
    tune: Callable[..., Any] | None = None


def align_cell(
    cell: Cell,
    source: Sentences,
    target: Sentences,
    request: Request = Request(),
    *,
    options: Mapping[str, Any] | None = None,
    earlier: Earlier = Earlier(),
    process: Process = Process(),
    others: Sequence[tuple[Means, float]] = (),
) -> Aligned:
    """Align all sentence pairs with the settings of a cell.

    Args:
        cell: the settings. Models are not pruned.
        source, target: the words of S sentence pairs.
        request: what is asked for besides links.
        options: those of the aligner.
        earlier: what was learned on other text.
        process: how it is computed.
        others: the links of the cells before it in a vote, by which an aligner is tuned.
    """
    wanted = len(source) if request.wanted is None else request.wanted
    models, seed, threads = earlier.models, process.seed, process.threads
    own_options = ALIGNERS[cell.aligner].settings(**(options or {}))
    aligner = ALIGNERS[cell.aligner](own_options, **dict(cell.own))
    aligner.check()
    keeps = request.keep or request.scores
    refuse_unknown(cell, replace(request, keep=request.keep or models is not None))
    by_probability = gives_probabilities(cell.aligner) and (
        request.probabilities or is_posterior(cell.aggregate)
    )
    saved = models.segmenters if models else earlier.segmenters
    sides, used = _segment_sides(cell, (source, target), saved, process)
    named = alignment_names(cell.pair, str(cell.source), str(cell.target), cell.alignment, 0)
    seeds = sample_seeds(seed, named, (0, cell.samples - 1))
    words, probable, kept = [], [], []
    ways: list[tuple[Links, Links]] = []
    scored: list[NDArray[np.float64]] = []
    for number, (left, right, own) in enumerate(zip(*sides, seeds, strict=True)):
        many = f" sample {number + 1} of {cell.samples}" if cell.sampled else ""
        process.progress(f"aligning{many}")
        if number == 0:
            check_memory(cell.aligner, left, right, threads=threads, limit=process.memory)
        model = earlier.priors if models is None else models.aligners[number]
        if earlier.priors is not None and number == 0 and isinstance(aligner, CountingAligner):
            note([aligner.remark(earlier.priors, left, right)])
        if aligner.tuned and model is None and process.tune:
            how = {"seed": own, "threads": threads, "progress": process.progress}
            model = process.tune(aligner, left, right, others, **how)
        if aligner.encodes:
            left, right = left.block(0, wanted), right.block(0, wanted)
        found = aligner.align_sample(
            left,
            right,
            threads=threads,
            seed=own,
            probabilities=by_probability,
            keep=keeps and isinstance(aligner, Keeps) and model is None,
            model=model,
        )
        kept.append(found.model)
        if request.scores and isinstance(aligner, Keeps):
            scored.append(aligner.score(model or found.model, left, right)[:wanted])
        left, right = left.block(0, wanted), right.block(0, wanted)
        both = found.links[0].block(0, wanted), found.links[1].block(0, wanted)
        forward, reverse = (project(links, left, right) for links in both)
        ways.append((forward, reverse))
        if found.posteriors is not None:
            likely, other = (own.block(0, wanted) for own in found.posteriors)
            probable.append(project_posteriors(likely, other, left, right))
        if not is_posterior(cell.aggregate):
            words.append(project(combine_directions(*both, cell.symmetrization), left, right))
    # Links between tokens are as large as those between words.
    del found, both
    links, means = _aggregated(cell, words, probable)
    return Aligned(
        links,
        (sides[0][0], sides[1][0]),
        means,
        [Models((used[0], used[1]), kept)] if request.keep else None,
        _directions(ways),
        np.mean(scored, axis=0) if request.scores else None,
    )


def _segment_sides(
    cell: Cell, texts: tuple[Sentences, Sentences], saved: Sequence[Any] | None, process: Process
) -> tuple[list[list[Segmentation]], list[Any]]:
    """The segmentations of each side for all samples of a cell, by saved models or by those that are learned
    on the texts; and these models."""
    sides, used = [], []
    for k, (name, sentences) in enumerate(zip(SIDES, texts, strict=True)):
        side = getattr(cell, name)
        process.progress(f"segmenting the {name} side")
        named = [cell.pair, name, side.seed_spec]
        seeds = sample_seeds(process.seed, named, (0, cell.samples - 1))
        text = Words.joined(list(map(Words.of, texts))) if side.joint else sentences
        used.append(saved[k] if saved else learn_model(text, side))
        samples = segment_text(sentences, side, used[-1], seeds, process.threads, name)
        sides.append(samples * cell.samples if len(samples) == 1 else samples)
    return sides, used


def _aggregated(
    cell: Cell, words: Sequence[Links], probable: Sequence[Posteriors]
) -> tuple[Links, Means | None]:
    """The links of a cell, from the word links of its samples or from their probabilities; and the
    probabilities of links, if there are any."""
    means = Means.from_samples(probable) if probable else None
    if is_posterior(cell.aggregate):
        assert means is not None, "an aligner without probabilities is refused"
        return means.keep(cell.aggregate), means
    votes = LinkVotes.from_samples(words)
    if means is None and cell.samples > 1:
        means = Means(votes.links, votes.counts / votes.samples)
    return votes.keep(cell.aggregate), means


def align_vote(
    cells: Mapping[Cell, float],
    above: str,
    source: Sentences,
    target: Sentences,
    request: Request = Request(),
    *,
    options: Mapping[str, Mapping[str, Any]],
    models: Sequence[Models] | None = None,
    process: Process = Process(),
) -> Aligned:
    """Align with several cells of one pair, each with a weight, and keep the links whose probabilities, means
    over the cells, are above a threshold: the aggregate `above` (`Means.keep`).

    If an aligner has no probabilities, a link of its cell gets the share of the cell's samples that have it.
    An encoder that does not know the languages (see `SURE`) has no vote, and a note says so; one that is
    tuned learns from the cells before it. `options` are by aligner, `models` of each cell; all others are as
    for `align_cell`. A vote has probabilities, and no scores.
    """
    wanted = len(source) if request.wanted is None else request.wanted
    members: list[tuple[Means, float]] = []
    tunes = False
    tokens = None
    mixed = not all(ALIGNERS[cell.aligner].encodes for cell in cells)
    for name, axes in dict.fromkeys((cell.aligner, cell.own) for cell in cells):
        # Say at once what is not installed.
        settings = ALIGNERS[name].settings.from_values(options.get(name, {}))
        aligner = ALIGNERS[name](settings, **dict(axes))
        aligner.check()
        tunes |= aligner.tuned
    learned: list[Models] = []
    ways: list[tuple[Links, Links]] = []
    for number, (cell, weight) in enumerate(cells.items(), 1):
        process.progress(
            f"cell {number} of {len(cells)} of the vote: {cell.source}, {cell.aligner}"
        )
        encodes = ALIGNERS[cell.aligner].encodes
        # One that is tuned learns from the links of all; whether it knows the languages is judged on enough.
        least = SEEN if encodes else len(source) if tunes else 0
        count = min(max(wanted, least), len(source))
        found = align_cell(
            cell,
            source,
            target,
            Request(gives_probabilities(cell.aligner), request.keep, wanted=count),
            options=options.get(cell.aligner),
            earlier=Earlier(None if models is None else models[number - 1]),
            process=process,
            others=members,
        )
        learned += found.models or []
        tokens = tokens or found.tokens
        own = found.means or Means(found.links, np.ones(len(found.links.pairs)))
        sure = own.probability[own.probability > 0.5].sum()
        words = (sum(map(len, source[:count])) + sum(map(len, target[:count]))) / 2
        if encodes and mixed and sure / words < SURE:
            note(["the encoder has no vote: it is sure of few links, and may not know a language"])
            continue
        members.append((own, weight))
        ways.append(found.directions)
    assert tokens is not None, "a vote has cells"
    every, weights = zip(*members, strict=True)
    means = Means.from_members([own.block(0, wanted) for own in every], weights)
    links, kept = means.keep(above), learned if request.keep else None
    own_ways = [(one.block(0, wanted), other.block(0, wanted)) for one, other in ways]
    return Aligned(links, tokens, means, kept, _directions(own_ways))


SEEN = 100
"""Of a text with training text, an encoder in a vote reads at least so many sentence pairs, to see whether it
knows the languages."""

SURE = 0.4
"""An encoder with a smaller sum of probabilities above 0.5, for each word of a side, is taken not to know the
languages. It has at least 0.49 on nine pairs, and at most 0.32 if the letters of one side are replaced by
other letters, or by those of a script that it does not know (docs/studies/neural.md)."""


def _directions(ways: Sequence[tuple[Links, Links]]) -> tuple[Links, Links]:
    """The links of each direction that more than half of the samples have."""
    forward, reverse = (LinkVotes.from_samples(way).keep("0.5") for way in zip(*ways, strict=True))
    return forward, reverse


def refuse_unknown(cell: Cell, request: Request) -> None:
    """Refuse to compute probabilities, models (kept or applied) or scores if the aligner has none."""
    entry = ALIGNERS[cell.aligner]
    learns = issubclass(entry, Keeps)
    asks = is_posterior(cell.aggregate)
    if not gives_probabilities(cell.aligner) and (
        asks or (request.probabilities and cell.samples == 1)
    ):
        message, hint = without_posteriors(cell.aligner)
        where = f"{cell.aggregate}: " if asks else ""
        raise InputError(f"{where}{message}", hint=hint)
    # An encoder learns nothing that would have to be kept.
    if (request.keep and not (learns or entry.encodes)) or (request.scores and not learns):
        others = " or ".join(name for name, other in ALIGNERS.items() if issubclass(other, Keeps))
        lacks = "keeps no model" if request.keep else "gives no scores of sentence pairs"
        raise InputError(f"{cell.aligner} {lacks}", hint=f"use the aligner {others}")

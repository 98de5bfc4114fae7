"""Find the segmentation and the threshold on links that are likely best for a pair."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log2
from os import PathLike
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Unpack

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from seggrid.base.errors import note
from seggrid.base.parameters import (
    Files,
    NameOfPair,
    Progress,
    Seed,
    Threads,
    checked,
    paths_of,
)
from seggrid.base.resampling import bootstrap_weights
from seggrid.commands.aligner import Aligner, Training
from seggrid.commands.notebook import frame, html_table
from seggrid.commands.scoring import Pairs, gold_in, known_in
from seggrid.commands.texts import Filled, Texts, words_in
from seggrid.grid.align_cell import Request
from seggrid.grid.recipes import DEFAULT, Recipe, read_recipe, word_types
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import MUTUAL, Means, consensus, evidence
from seggrid.segment.side_segmenter import learn_model
from seggrid.text.gold import Gold, gold_of_nothing
from seggrid.text.parameters import GoldWritten, notation_of
from seggrid.text.words import Words

if TYPE_CHECKING:
    import pandas as pd

MERGES = (500, 1000, 2000, 4000, 8000)
THRESHOLDS = ("0.25", "0.3", "0.35", "0.4", "0.45")
RESAMPLES = 1000
MEASURED = 1000
"""With fewer sentence pairs, a recommendation without gold gets a warning: the smallest text on which
consensus was compared with gold has so many."""

CERTAIN = 0.9
"""A candidate is called better, or worse, than the default if this is at least so probable."""

_OF_CONSENSUS, _DEVIATION = 1.59, 0.022
"""Without gold, a gain in F1 is estimated as so many times the gain in consensus, with an error of this
standard deviation. Both were fitted to all pairs with gold; docs/studies/recommend.md tests them by leaving
out each pair."""

_OF_RUNS = 0.003
"""The standard deviation of F1 over seeds of gibbs (docs/studies/thesis-gibbs.md)."""


class Trial(NamedTuple):
    """A candidate before it is tried.

    Attributes:
        label: how messages call it.
        recipe: its settings.
        tokenizers: files of a tokenizer in place of a segmenter.
    """

    label: str
    recipe: Recipe
    tokenizers: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """A candidate that was tried.

    Attributes:
        label: how messages call it.
        recipe: its settings.
        threshold: its threshold on links.
        value: its F1 or consensus at that threshold.
        low, high: the 95% interval of `value`.
        gain: its F1 minus that of the default; an estimate without gold.
        better: the probability that it is better than the default; NaN for the default itself.
    """

    label: str
    recipe: Recipe
    threshold: str
    value: float
    low: float
    high: float
    gain: float
    better: float


@dataclass(frozen=True)
class Recommendation:
    """The result of `recommend`.

    Attributes:
        candidates: all candidates that were tried, the default first.
        best: the index of the recommended candidate: the default, unless another is better with a probability
            of at least `CERTAIN`.
        measure: the measure by which they were compared, `F1` or `consensus`.
        sentences: the number of sentence pairs that were aligned.
        not_tried: the labels of candidates for which the budget was too small.
    """

    candidates: list[Candidate]
    best: int
    measure: str
    sentences: int
    name: str
    not_tried: Sequence[str] = ()

    @property
    def recipe(self) -> Recipe:
        """The recommended settings, for `seggrid.align(recipe=...)`; `recipe.write(path)` writes them."""
        chosen = self.candidates[self.best]
        values = {**chosen.recipe.values, "aggregate": f"{MUTUAL}{chosen.threshold}"}
        return Recipe(
            f"Recommended by seggrid for the texts {self.name}.", values, chosen.recipe.options
        )

    @property
    def alike(self) -> list[str]:
        """The labels of the candidates that may be better than the default or worse."""
        return [one.label for one in self.candidates[1:] if 1 - CERTAIN < one.better < CERTAIN]

    def as_dict(self) -> dict[str, Any]:
        """The same in the types of JSON; NaN where a value is not defined."""
        return {
            "measure": self.measure,
            "sentences": self.sentences,
            "best": self.candidates[self.best].label,
            "candidates": [
                {name: value for name, value in one._asdict().items() if name != "recipe"}
                for one in self.candidates
            ],
            "alike": self.alike,
            "not_tried": list(self.not_tried),
        }

    def frame(self) -> pd.DataFrame:
        """The candidates as a frame, a row for each; needs pandas."""
        return frame(self.as_dict()["candidates"], "label")

    def _repr_html_(self) -> str:
        head, *rows = (line.split("\t") for line in str(self).split("\n"))
        return html_table(head, rows)

    def __str__(self) -> str:
        """The table of candidates, one per line, with values separated by tabs."""
        rows = [f"candidate\tthreshold\t{self.measure}\tlow\thigh\tgain\tbetter"]
        for one in self.candidates:
            values = "\t".join(f"{value:.3f}" for value in (one.value, one.low, one.high))
            default = one.better != one.better
            compared = "\t" if default else f"{one.gain:+.3f}\t{one.better:.0%}"
            rows.append(f"{one.label}\t{one.threshold}\t{values}\t{compared}")
        return "\n".join(rows)

    def __repr__(self) -> str:
        best = self.candidates[self.best]
        return f"<Recommendation: {best.label}, {MUTUAL}{best.threshold}, by {self.measure}>"


@checked
def recommend(
    source: Texts,
    target: Texts,
    gold: Gold | str | PathLike[str] | Pairs | None = None,
    *,
    ids: Sequence[str] | None = None,
    training: Training = (),
    tokenizers: str | PathLike[str] | Sequence[Files] = (),
    tokenizer_format: str | None = None,
    budget: Annotated[float, Interval(ge=0)] | None = None,
    seed: Seed = 1,
    threads: Threads = 1,
    name: NameOfPair = "pair",
    progress: Progress = lambda text: None,
    **written: Unpack[GoldWritten],
) -> Recommendation:
    """Compare segmentations and thresholds on a pair, as `seggrid recommend` does.

    Args:
        source, target, training, seed, threads: as for `seggrid.align`.
        gold: gold links, as for `seggrid.score`; if given, candidates are compared by F1, otherwise by
            consensus.
        ids, written: as for `seggrid.score`.
        tokenizers: further candidates, or one, each given by the files of a tokenizer, as for `Aligner`.
        tokenizer_format: format of these files, as for `Aligner`.
        budget: wall-clock seconds within which candidates are tried; None for no limit. The default and words
            are always tried, others only if they are expected to end in time: so the result depends on the
            machine.
        name: name of the pair, on which seeds depend.
        progress: called with messages on progress.
    """
    begin = time.monotonic()
    words = words_in(source, "source"), words_in(target, "target")
    filled = Filled.of(*words, training)
    links = None
    if gold is not None:
        known = known_in(words, ids)
        links, remarks = gold_in(gold, None, notation_of(**written), known)
        note(remarks)
    # Without gold, a part of the sentences is enough.
    shown = gold_of_nothing(filled.lines) if links is None else links
    types = word_types(filled.source, filled.target)
    trials = candidates(filled.source, filled.target, types)
    own = [tokenizers] if isinstance(tokenizers, str | PathLike) else tokenizers
    trials[2:2] = [_own(files) for files in own]
    found: list[Means] = []
    tried: list[Trial] = []
    slowest = 0.0
    for number, trial in enumerate(trials, 1):
        start, alignments = time.monotonic(), trial.recipe.values.get("samples", 1)
        spent = start - begin
        needed = spent + slowest * alignments
        if budget is not None and len(found) > 1 and needed > budget:
            continue
        time_used = "" if budget is None else f", {spent / 60:.1f} of {budget / 60:.1f} minutes"
        progress(f"trying {trial.label}: {number} of {len(trials)}{time_used}")
        aligner = Aligner(
            trial.recipe,
            seed=seed,
            threads=threads,
            name=name,
            tokenizers=trial.tokenizers,
            tokenizer_format=tokenizer_format,
        )
        aligned, _ = aligner.run(filled, *words, Request(probabilities=True))
        assert aligned.means is not None
        found.append(aligned.means.take(shown.sentences))
        tried.append(trial)
        slowest = max(slowest, (time.monotonic() - start) / alignments)
    if links is None:
        measure, rows = "consensus", _by_consensus(tried, found, seed)
    else:
        measure, rows = "F1", _by_gold(tried, found, links, seed)
    best = max(range(len(rows)), key=lambda c: rows[c].gain)
    if best and not rows[best].better >= CERTAIN:
        best = 0
    late = [trial.label for trial in trials if trial not in tried]
    return Recommendation(rows, best, measure, len(filled.source), name, late)


def candidates(source: Words, target: Words, types: int) -> list[Trial]:
    """The candidates, in the order in which they are tried: the default, words, other sizes of BPE (those
    near the default first), a unigram model and WordPiece of the default's size, and three samples of BPE
    with dropout 0.1, for texts with that number of word types.

    Numbers of merges that neither text has are left out: they would repeat a segmentation, and equal
    candidates would raise each other's consensus.
    """
    words, bpe = read_recipe("words"), read_recipe(DEFAULT).fitted(types)
    usual = bpe.values["merges"]

    def sized(merges: int, label: str, **values: Any) -> Trial:
        recipe = replace(bpe, values={**bpe.values, "merges": merges, **values})
        return Trial(f"{label} {merges:,}", recipe)

    largest = sized(MERGES[-1], "BPE").recipe.cells("pair")[0].source
    most = max(learn_model(text, largest).learned for text in (source, target))
    different = {min(usual, most): usual}
    for merges in MERGES:
        different.setdefault(min(merges, most), merges)
    sizes = sorted({*different.values()} - {usual}, key=lambda n: abs(log2(n / usual)))
    dropout = {"dropout": 0.1, "dropout_kind": "merge", "samples": 3}
    return [
        sized(usual, "BPE"),
        Trial("words", words),
        *(sized(merges, "BPE") for merges in sizes),
        sized(usual, "unigram", segmenter="unigram"),
        sized(usual, "WordPiece", segmenter="wordpiece"),
        sized(usual, "BPE with dropout", **dropout),
    ]


def _own(files: Files) -> Trial:
    """The candidate for a tokenizer given by the user."""
    paths = paths_of(files)
    label = " ".join(Path(path).name for path in paths)
    values = {**read_recipe("words").values, "segmenter": "external", "tokenizer": "own"}
    return Trial(label, Recipe(f"The tokenizer {label}.", values), paths)


def _by_consensus(trials: Sequence[Trial], found: list[Means], seed: int) -> list[Candidate]:
    """The candidates compared by consensus, at the threshold of the default."""
    (default,) = trials[0].recipe.cells("pair")
    threshold = default.aggregate.removeprefix(MUTUAL)
    values = _resampled(evidence(found, [default.aggregate]), consensus, seed)[..., 0]
    gains = _OF_CONSENSUS * (values[0] - values[0, 0])
    return _rows(trials, [threshold] * len(trials), values, gains, _probability(gains / _DEVIATION))


def _by_gold(trials: Sequence[Trial], found: list[Means], gold: Gold, seed: int) -> list[Candidate]:
    """The candidates compared by F1, each at its threshold with the highest F1."""
    kept = [[cell.keep(f"{MUTUAL}{t}") for t in THRESHOLDS] for cell in found]
    hits = [[count_hits(links, gold.sure, gold.possible) for links in row] for row in kept]
    counts = np.array(hits)
    sure = np.broadcast_to(np.diff(gold.sure.offsets)[:, None], (*counts.shape[:-1], 1))
    every = _resampled(
        np.concatenate([counts, sure], axis=-1),
        lambda sums: compute_metrics(sums[..., :3], sums[..., 3])[..., F1],
        seed,
    )
    best = every[0].argmax(axis=1)
    values = np.take_along_axis(every, best[None, :, None], axis=2)[..., 0]
    gains = values[0] - values[0, 0]
    spread = np.std(values[1:] - values[1:, :1], axis=0)
    better = _probability(gains / np.hypot(spread, _OF_RUNS * 2**0.5))
    return _rows(trials, [THRESHOLDS[t] for t in best], values, gains, better)


def _probability(deviations: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability that a difference is above 0, from its size in standard deviations of its error."""
    return np.array([NormalDist().cdf(one) for one in deviations.tolist()])


def _rows(
    trials: Sequence[Trial],
    thresholds: Sequence[str],
    values: NDArray[np.float64],
    gains: NDArray[np.float64],
    better: NDArray[np.float64],
) -> list[Candidate]:
    """The candidates; `values` has the values on all sentences, then on each resample, shape (1 + R, C)."""
    bounds = np.percentile(values[1:], [2.5, 97.5], axis=0)
    better[0] = np.nan
    return [
        Candidate(trial.label, trial.recipe, *row)
        for trial, *row in zip(
            trials,
            thresholds,
            *(column.tolist() for column in (values[0], *bounds, gains, better)),
            strict=True,
        )
    ]


def _resampled(
    counts: NDArray[Any], measure: Callable[[NDArray[Any]], NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """The measure on all sentences and on R resamples, of candidates and thresholds, shape (1 + R, C, T)."""
    weights = bootstrap_weights(counts.shape[2], RESAMPLES, seed)
    resampled = np.einsum(
        "rs,ctsk->rctk", np.asarray(weights, dtype=np.float64), counts, optimize=True
    )
    return np.concatenate([measure(counts.sum(axis=2))[None], measure(resampled)])

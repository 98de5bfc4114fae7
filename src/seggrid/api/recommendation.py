"""Find the segmentation and the threshold on links that are likely best for a pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.api.aligner import Training
from seggrid.api.scoring import Pairs, gold_in
from seggrid.api.texts import Filled, Sentences, Texts
from seggrid.base.resampling import bootstrap_weights
from seggrid.corpus.gold import Gold, GoldFormat, gold_of_nothing
from seggrid.grid.recipes import Recipe, read_recipe
from seggrid.grid.run import align_cell, learn_model
from seggrid.score.consensus import consensus, evidence
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import Means
from seggrid.segment import SEGMENTERS

MERGES = (500, 1000, 2000, 4000, 8000)
THRESHOLDS = ("0.3", "0.4", "0.5")
RESAMPLES = 1000
MEASURED = 1000
"""The number of sentence pairs below which a recommendation without gold gets a warning: the smallest pair on
which consensus was compared with gold has 1,212."""


class Candidate(NamedTuple):
    """A recipe with its best threshold, and its value there: F1 or consensus, with a 95% interval."""

    recipe: Recipe
    threshold: str
    value: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """Its segmentation."""
        merges = self.recipe.values.get("merges")
        return "words" if merges is None else f"BPE {merges:,}"


@dataclass(frozen=True)
class Recommendation:
    """What `recommend` found.

    Attributes:
        candidates: all that were tried.
        best: the index of the best of these.
        share: the share of resamples in which it is the best.
        measure: how they were compared, `F1` or `consensus`.
        sentences: the number of sentence pairs that were aligned.
        name: of the pair.
    """

    candidates: list[Candidate]
    best: int
    share: float
    measure: str
    sentences: int
    name: str

    @property
    def recipe(self) -> Recipe:
        """The recommended settings, for `seggrid.align(recipe=...)`; `recipe.write(path)` writes them."""
        chosen = self.candidates[self.best]
        values = {**chosen.recipe.values, "aggregate": f"posterior-{chosen.threshold}"}
        return Recipe(f"Recommended for {self.name}.", values, chosen.recipe.options)

    @property
    def not_tried(self) -> list[int]:
        """The numbers of merges that were left out, since neither text has as many."""
        tried = [one.recipe.values.get("merges") for one in self.candidates]
        return [merges for merges in MERGES if merges not in tried]

    def __str__(self) -> str:
        """The table of the candidates, a line each, values between tabs."""
        rows = [f"candidate\tthreshold\t{self.measure}\tlow\thigh"]
        for one in self.candidates:
            rows.append(
                f"{one.label}\t{one.threshold}\t{one.value:.3f}\t{one.low:.3f}\t{one.high:.3f}"
            )
        return "\n".join(rows)

    def __repr__(self) -> str:
        best = self.candidates[self.best]
        return f"<Recommendation: {best.label}, posterior-{best.threshold}, by {self.measure}>"


def recommend(
    source: Texts,
    target: Texts,
    gold: Gold | str | PathLike[str] | Pairs | None = None,
    *,
    format: GoldFormat = "pharaoh",
    training: Training = (),
    seed: int = 1,
    threads: int = 1,
    name: str = "pair",
    progress: Callable[[str], None] = lambda text: None,
) -> Recommendation:
    """Compare segmentations and thresholds on a pair, as `seggrid recommend` does.

    Args:
        source, target, training, seed, threads: as for `seggrid.align`.
        gold: gold links, as for `seggrid.score`; if given, the best F1 is chosen, else the best consensus.
        format: format of a gold file.
        name: name of the pair, on which seeds depend.
        progress: called with messages on progress.

    Raises:
        InputError: a text or the gold is wrong.
    """
    tried = Filled.of(source, target, training)
    links = None if gold is None else gold_in(gold, format=format)
    # Without gold, a part of the sentences is enough.
    shown = gold_of_nothing(tried.lines) if links is None else links
    recipes, found = candidates(tried.source, tried.target), []
    for recipe in recipes:
        cell = recipe.cell(name)
        progress(f"trying {Candidate(recipe, '', 0, 0, 0).label}")
        aligned = align_cell(
            cell,
            tried.source,
            tried.target,
            options=recipe.options.get(cell.aligner),
            seed=seed,
            threads=threads,
            probabilities=True,
        )
        assert aligned.probable is not None
        found.append(tried.by_line(aligned.probable).take(shown.sentences))
    if links is None:
        values = _resampled(evidence(found, list(map(float, THRESHOLDS))), consensus, seed)
    else:
        values = _by_gold(found, links, seed)
    all_sentences, resamples = values[0], values[1:]
    best = int(all_sentences.max(axis=1).argmax())
    rows = []
    for c, recipe in enumerate(recipes):
        t = int(all_sentences[c].argmax())
        low, high = np.percentile(resamples[:, c, t], [2.5, 97.5])
        rows.append(
            Candidate(recipe, THRESHOLDS[t], float(all_sentences[c, t]), float(low), float(high))
        )
    share = float((resamples.max(axis=2).argmax(axis=1) == best).mean())
    measure = "consensus" if links is None else "F1"
    return Recommendation(rows, best, share, measure, len(tried.source), name)


def candidates(source: Sentences, target: Sentences) -> list[Recipe]:
    """The candidates: words, and BPE with several numbers of merges, each without dropout, aligned by gibbs.

    Numbers of merges that neither text has are left out: they would repeat a segmentation, and repeated
    candidates would raise each other's consensus.
    """
    words, bpe = read_recipe("words"), read_recipe("bpe")

    def with_merges(merges: int) -> Recipe:
        return replace(bpe, values={**bpe.values, "merges": merges}, merges={})

    largest = with_merges(MERGES[-1]).cell("pair").source
    segmenter = SEGMENTERS["bpe"].load()
    there = max(segmenter.learned(learn_model(text, largest)) for text in (source, target))
    sizes = [n for k, n in enumerate(MERGES) if k == 0 or MERGES[k - 1] < there]
    return [words, *map(with_merges, sizes)]


def _by_gold(found: list[Means], gold: Gold, seed: int) -> NDArray[np.float64]:
    """F1 of each candidate and threshold; see `_resampled`."""
    kept = [[cell.keep(f"posterior-{t}") for t in THRESHOLDS] for cell in found]
    hits = [[count_hits(links, gold.sure, gold.possible) for links in row] for row in kept]
    counts = np.array(hits)
    sure = np.broadcast_to(np.diff(gold.sure.offsets)[:, None], (*counts.shape[:-1], 1))
    return _resampled(
        np.concatenate([counts, sure], axis=-1),
        lambda sums: compute_metrics(sums[..., :3], sums[..., 3])[..., F1],
        seed,
    )


def _resampled(
    counts: NDArray[Any], measure: Callable[[NDArray[Any]], NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """The measure of all sentences and of R resamples, for each candidate and threshold: (1 + R, C, T)."""
    weights = bootstrap_weights(counts.shape[2], RESAMPLES, seed)
    resampled = np.einsum(
        "rs,ctsk->rctk", np.asarray(weights, dtype=np.float64), counts, optimize=True
    )
    return np.concatenate([measure(counts.sum(axis=2))[None], measure(resampled)])

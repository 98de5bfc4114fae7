"""`seggrid recommend`: find the segmentation and the threshold on links that are likely best for a pair, and
write them as a recipe."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.resampling import bootstrap_weights
from seggrid.cli.arguments import (
    LARGEST_SEED,
    Aligned,
    Sentences,
    add_pair,
    progress,
    read_pair,
    whole_number,
)
from seggrid.cli.files import input_file, output_file
from seggrid.cli.texts.score import add_gold, read_gold_of
from seggrid.corpus.gold import Gold, gold_of_nothing
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, gold, seed, output."""
    add_pair(parser)
    group = parser.add_argument_group("gold")
    group.add_argument(
        "--gold",
        type=input_file,
        metavar="FILE",
        help="gold links; if given, the best F1 is chosen",
    )
    add_gold(group, "--gold-format")
    parser.add_argument(
        "--threads", type=whole_number(1, 1024), default=1, help="number of threads of the aligner"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of all random choices"
    )
    parser.add_argument("--name", default="pair", help="name of the pair, on which seeds depend")
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="FILE", required=True, help="the recipe"
    )


def candidates(source: Sentences, target: Sentences) -> list[Recipe]:
    """The candidates: words, and BPE with several numbers of merges, each without dropout, aligned by gibbs.

    Numbers of merges that neither text has are left out: they would repeat a segmentation, and repeated
    candidates would raise each other's consensus.
    """
    words, bpe = read_recipe("words"), read_recipe("bpe")

    def with_merges(merges: int) -> Recipe:
        return replace(bpe, values={**bpe.values, "merges": merges})

    largest = with_merges(MERGES[-1]).cell("pair").source
    segmenter = SEGMENTERS["bpe"].load()
    there = max(segmenter.learned(learn_model(text, largest)) for text in (source, target))
    sizes = [n for k, n in enumerate(MERGES) if k == 0 or MERGES[k - 1] < there]
    return [words, *map(with_merges, sizes)]


def run(arguments: argparse.Namespace) -> None:
    """Align by each candidate, compare them, write the best as a recipe."""
    pair = read_pair(arguments.texts, arguments)
    tried = Aligned.of(pair, arguments)
    gold = read_gold_of(arguments, pair) if arguments.gold else None
    # Without gold, a part of the sentences is enough.
    shown = gold_of_nothing(tried.lines) if gold is None else gold
    recipes, found = candidates(tried.source, tried.target), []
    sizes = [recipe.values["merges"] for recipe in recipes if "merges" in recipe.values]
    if left := [merges for merges in MERGES if merges not in sizes]:
        named = " and ".join(f"{merges:,}" for merges in left)
        print(f"note: {named} merges are not tried: their tokens are those of {sizes[-1]:,}")
    for recipe in recipes:
        cell = recipe.cell(arguments.name)
        progress(f"trying {_label(recipe)}")
        aligned = align_cell(
            cell,
            tried.source,
            tried.target,
            options=recipe.options.get(cell.aligner),
            seed=arguments.seed,
            threads=arguments.threads,
            probabilities=True,
        )
        assert aligned.probable is not None
        found.append(tried.by_line(aligned.probable).take(shown.sentences))
    if gold is None:
        if len(tried.source) < MEASURED:
            print(
                f"warning: {len(tried.source):,} sentence pairs: how good a choice without gold is was "
                "measured on texts of 1,212 and more, not on so small ones",
                file=sys.stderr,
            )
        values = _resampled(
            evidence(found, list(map(float, THRESHOLDS))), consensus, arguments.seed
        )
    else:
        counts = np.array([[_hits(cell, gold, t) for t in THRESHOLDS] for cell in found])
        sure = np.diff(gold.sure.offsets)
        with_sure = np.concatenate(
            [counts, np.broadcast_to(sure[:, None], (*counts.shape[:-1], 1))], axis=-1
        )
        values = _resampled(
            with_sure,
            lambda sums: compute_metrics(sums[..., :3], sums[..., 3])[..., F1],
            arguments.seed,
        )
    best, share = _report(recipes, values, "consensus" if gold is None else "F1")
    chosen, threshold = recipes[best[0]], THRESHOLDS[best[1]]
    by = "by consensus with the other candidates" if gold is None else "by the gold"
    described = f"{_label(chosen)}, gibbs, links of a probability above {threshold}"
    print(f"recommended: {described}; best {by}, in {share:.0%} of resamples")
    if gold is None:
        print(
            "note: on four pairs with gold, of 1,212 to 10,508 sentence pairs, the candidate chosen by "
            "consensus had an F1 0.002 to 0.014 below the best (docs/recommend.md)"
        )
    if chosen.values.get("merges") in (sizes[0], MERGES[-1]):
        print("note: that is the smallest or largest size tried; a further one may be better")
    values_of = {**chosen.values, "aggregate": f"posterior-{threshold}"}
    Recipe(f"Recommended for {arguments.name}.", values_of, chosen.options).write(arguments.output)


def _label(recipe: Recipe) -> str:
    merges = recipe.values.get("merges")
    return "words" if merges is None else f"BPE {merges:,}"


def _hits(cell: Means, gold: Gold, threshold: str) -> NDArray[np.int32]:
    return count_hits(cell.keep(f"posterior-{threshold}"), gold.sure, gold.possible)


def _resampled(
    counts: NDArray[Any], measure: Callable[[NDArray[Any]], NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """The measure of all sentences and of R resamples, for each candidate and threshold: (1 + R, C, T)."""
    weights = bootstrap_weights(counts.shape[2], RESAMPLES, seed)
    resampled = np.einsum(
        "rs,ctsk->rctk", np.asarray(weights, dtype=np.float64), counts, optimize=True
    )
    return np.concatenate([measure(counts.sum(axis=2))[None], measure(resampled)])


def _report(
    recipes: Sequence[Recipe], values: NDArray[np.float64], name: str
) -> tuple[tuple[int, int], float]:
    """Print the results. Returns the best candidate and threshold, and the share of resamples in which that
    candidate is the best."""
    all_sentences, resamples = values[0], values[1:]
    best = np.unravel_index(int(all_sentences.argmax()), all_sentences.shape)
    print(f"candidate\tthreshold\t{name}\tlow\thigh")
    for c, recipe in enumerate(recipes):
        t = int(all_sentences[c].argmax())
        low, high = np.percentile(resamples[:, c, t], [2.5, 97.5])
        print(
            f"{_label(recipe)}\t{THRESHOLDS[t]}\t{all_sentences[c, t]:.3f}\t{low:.3f}\t{high:.3f}"
        )
    same = resamples.max(axis=2).argmax(axis=1) == best[0]
    return (int(best[0]), int(best[1])), float(same.mean())

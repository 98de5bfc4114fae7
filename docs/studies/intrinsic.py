"""Compare numbers without gold, and ways of pruning a BPE, on texts with gold: the tables of
docs/studies/intrinsic.md.

    python docs/studies/intrinsic.py ../shared/data CACHE [--texts TEXT ...]

What CACHE has is kept; all else takes about 15 minutes of one core. Words are lower-cased. Numbers without
gold are compared with F1 of gibbs, whose links are those with a probability above 0.5; pruned models are
aligned by fast_align. `eng-deu:1000` is the first 1,000 pairs of a text.
The script writes intrinsic-cells.csv, intrinsic-measures.csv, intrinsic-chosen.csv and intrinsic-pruning.csv.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
from neural import TABLES, XLWA, Text, read
from numpy.typing import NDArray

import seggrid
from seggrid.align.alignability import one_to_one
from seggrid.align.gibbs import Gibbs
from seggrid.align.project import project_posteriors
from seggrid.base.errors import InputError
from seggrid.grid.align_cell import Earlier, align_cell
from seggrid.morphology.evaluate import evaluate_segmentation
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.references import Reference, read_reference
from seggrid.morphology.respelling import as_in_text
from seggrid.morphology.word_segmentation import count_types
from seggrid.score.correlations import correlation_interval, spearman
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import Means, consensus, evidence
from seggrid.segment.bpe.model import learn
from seggrid.segment.side_segmenter import segment_words
from seggrid.text.gold import gold_of_nothing
from seggrid.text.segmentation import Segmentation
from seggrid.text.sides import SIDES
from seggrid.text.text_files import apply_case

SIZES = (250, 500, 1000, 2000, 4000, 8000)
SEGMENTERS = {
    "bpe": SIZES,
    "unigram": SIZES[1:5],
    "wordpiece": SIZES[4:],
    "greedtok": SIZES[2:5:2],
}
"""The sizes of the models of each segmenter; words are a cell, too."""

MEASURES = ("alignability", "fertility", "renyi_efficiency", "bigram_entropy", "consensus")
ABOVE = "posterior-0.5"
TEXTS = ("eng-ces", *XLWA, "eng-hin", "eng-jpn", "eng-deu:2000")
MORPHEMES = {
    "eng-deu": (("celex/celex_morphology_en.txt", "celex"), ("celex/celex_morphology_de.txt", "celex")),
    "eng-ces": (("sigmorphon2022/eng.surface.tsv", "surface"), ("sigmorphon2022/ces.surface.tsv", "surface")),
}  # fmt: skip
"""The references of both sides of the texts whose models are pruned."""

MERGES, THRESHOLDS = 4000, ("0.5", "0.8")
"""The size of the models that are pruned, and the blame ratios from which knockout prunes; the other rules
prune as many merges."""
RULES = ("latest", "leaves", "residues", "random")
SEEDS = (1, 2, 3)
"""Of pruning at random."""

ALIGNED = "bpe-fast_align"
"""How texts are aligned whose models are pruned; nothing in it is random."""

Segmenters = tuple[seggrid.Segmenter, seggrid.Segmenter]


def aligned(cuts: tuple[Segmentation, Segmentation]) -> tuple[Means, float]:
    """The word links of a text that is cut into tokens, with their probabilities, and its alignability: the
    mean of the shares of both languages."""
    found = Gibbs().align_sample(*cuts, seed=1, probabilities=True)
    assert found.posteriors is not None, "gibbs gives probabilities"
    pairs, *tokens = one_to_one(*found.links, *cuts).tolist()
    links = Means.from_samples([project_posteriors(*found.posteriors, *cuts)])
    return links, float(np.mean([pairs / own for own in tokens]))


def f1_of(hits: NDArray[np.integer], text: Text) -> float:
    """F1 on all sentences with gold, from the counts of each, shape (G, 3)."""
    return float(compute_metrics(hits.sum(axis=0), np.diff(text.sure.offsets).sum())[F1])


def segmenters(text: Text) -> Iterator[tuple[str, Segmenters]]:
    """The cells of a text: the same segmenter and size on both sides."""
    sides = (text.source, text.target)
    words = seggrid.Segmenter.load(segmenter="words", case="lower")
    yield "words", (words, words)
    for name, sizes in SEGMENTERS.items():
        for size in sizes:
            how = {"merges": size, "case": "lower"}
            source, target = (seggrid.Segmenter.learn(side, name, **how) for side in sides)
            yield f"{name} {size}", (source, target)


def measured(text: Text, name: str) -> pd.DataFrame:
    """A row for each segmentation of a text: its measures without gold, and F1. Of segmentations that are
    equal, since the text has no more merges, the first is kept."""
    sides = (text.source, text.target)
    shown = gold_of_nothing(np.arange(len(text.source))).sentences
    rows, some, seen = [], [], set()
    for label, both in segmenters(text):
        cuts = tuple(own.samples(side)[0] for own, side in zip(both, sides, strict=True))
        key = tuple(cut.ids.tobytes() for cut in cuts)
        if key in seen:
            continue
        seen.add(key)
        links, alignability = aligned(cuts)
        kept = links.take(text.places).keep(ABOVE)
        hits = count_hits(kept, text.sure, text.possible)
        found = [seggrid.measure(side, own) for own, side in zip(both, sides, strict=True)]
        some.append(links.take(shown))
        values = {name: np.mean([own[name] for own in found]) for name in MEASURES[1:4]}
        rows.append({"pair": name, "cell": label, "f1": f1_of(hits, text), **values})
        rows[-1]["alignability"] = alignability
        print(name, label, f"{rows[-1]['f1']:.3f}", flush=True)
    agreed = consensus(evidence(some, [0.5]).sum(axis=2))[:, 0]
    return pd.DataFrame(rows).assign(consensus=agreed)


def halves(file: Path, format: str, side: Sequence[list[str]]) -> tuple[Reference, Reference]:
    """A reference, spelled as in a text: the words that decide what is pruned, and those that are scored."""
    words = {word for sentence in apply_case(side, "lower") for word in sentence}
    reference = as_in_text(read_reference(file, format), words, "lower")
    learn, score = reference.holdout(Fraction(1, 2))
    return reference.take(learn), reference.take(score)


def ways(side: Sequence[list[str]], known: Reference) -> Iterator[tuple[str, str, int, object]]:
    """The models of one side: threshold, rule, seed and model."""
    text = apply_case(side, "lower")
    whole = seggrid.Segmenter.learn(side, merges=MERGES, case="lower").model
    yield "", "none", 1, whole
    yield "", "MorphBPE", 1, learn(text, MERGES, boundaries=known.boundaries)
    words = Counter(word for sentence in text for word in sentence)
    counts = count_types(whole, words)
    for threshold in THRESHOLDS:
        pruned = prune_model(whole, f"blame-{threshold}", known)
        left = len(pruned.merges)
        yield threshold, "knockout", 1, pruned
        yield threshold, "MorphBPE", 1, learn(text, left, boundaries=known.boundaries)
        share = f"{1 - left / len(whole.merges):.6f}"
        for rule in RULES:
            for seed in SEEDS if rule == "random" else SEEDS[:1]:
                try:
                    model = prune_model(whole, f"{rule}-{share}", counts=counts, seed=seed)
                except InputError as error:
                    print(error)
                else:
                    assert len(model.merges) == left
                    yield threshold, rule, seed, model


def pruned(text: Text, name: str, data: Path) -> pd.DataFrame:
    """A row for each way of pruning the models of both sides, and seed: boundary F1 on the words of each
    reference that did not decide what is pruned, tokens per word, and F1 of links."""
    sides = (text.source, text.target)
    files = MORPHEMES[name.partition(":")[0]]
    parts = [
        halves(data / file, form, side) for (file, form), side in zip(files, sides, strict=True)
    ]
    aligner = seggrid.Aligner(ALIGNED, merges=MERGES)
    cell, options = aligner.cell, aligner.recipe.options[aligner.cell.aligner]
    both = (ways(side, known) for side, (known, _) in zip(sides, parts, strict=True))
    rows = []
    for (threshold, rule, seed, source), (*_, target) in zip(*both, strict=True):
        models, scores = (source, target), {}
        found = align_cell(cell, *sides, options=options, earlier=Earlier(segmenters=models))
        for name_of_side, model, (_, score) in zip(SIDES, models, parts, strict=True):
            (cut,) = segment_words(cell.source, model, score.words, [0])
            scores[f"boundary_{name_of_side}"] = evaluate_segmentation(cut, score)[0]["f1"]
        tokens = [len(cut.ids) for cut in found.tokens]
        words = [sum(map(len, side)) for side in sides]
        hits = count_hits(found.links.take(text.places), text.sure, text.possible)
        row = {
            **{"pair": name, "threshold": threshold, "rule": rule, "seed": seed},
            "merges": np.mean([len(model.merges) for model in models]),
            **scores,
            "fertility": np.mean([own / of for own, of in zip(tokens, words, strict=True)]),
            "f1": f1_of(hits, text),
        }
        rows.append(row)
        print(*row.values(), flush=True)
    return pd.DataFrame(rows)


def correlations(cells: pd.DataFrame) -> pd.DataFrame:
    """For each pair and measure, the rank correlation with F1 and its interval, how far the F1 of the cell
    that the measure picks is below the best, and the rank correlation with tokens per word. Whether the cell
    with the highest or with the lowest value is picked is decided by the other pairs' mean correlation."""
    rho = pd.DataFrame(
        {
            pair: {measure: spearman(own[measure], own["f1"]) for measure in MEASURES}
            for pair, own in cells.groupby("pair", sort=False)
        }
    )
    rows = []
    for pair, own in cells.groupby("pair", sort=False):
        for measure in MEASURES:
            low, high = correlation_interval(rho.loc[measure, pair], len(own))
            sign = np.sign(rho.loc[measure].drop(pair).mean())
            below = own["f1"].max() - own["f1"][(sign * own[measure]).idxmax()]
            row = (pair, measure, len(own), rho.loc[measure, pair], low, high, below)
            rows.append((*row, spearman(own[measure], own["fertility"])))
    names = ["pair", "measure", "cells", "spearman", "spearman_low", "spearman_high", "below"]
    return pd.DataFrame(rows, columns=[*names, "with_fertility"])


def chosen(rows: pd.DataFrame) -> pd.DataFrame:
    """For each measure, over pairs: the mean correlation, the least and the greatest, in how many pairs its
    interval is above or below 0, the mean of `below`, and of the correlation with tokens per word."""
    found = []
    for measure, own in rows.groupby("measure", sort=False):
        rho = own["spearman"]
        sure = ((own["spearman_low"] > 0).sum(), (own["spearman_high"] < 0).sum())
        means = own[["below", "with_fertility"]].mean()
        found.append((measure, rho.mean(), rho.min(), rho.max(), *sure, *means))
    names = ["measure", "mean", "least", "greatest", "above_0", "below_0", *means.index]
    return pd.DataFrame(found, columns=names)


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over seeds, and the standard deviation of F1."""
    keys = ["pair", "threshold", "rule"]
    grouped = rows.fillna({"threshold": ""}).groupby(keys, sort=False)
    means = grouped.mean(numeric_only=True).drop(columns="seed")
    return means.assign(f1_deviation=grouped["f1"].std()).reset_index()


def main() -> None:
    """Compute what the cache lacks, and write the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--texts", nargs="+", default=list(TEXTS))
    given = parser.parse_args()
    given.cache.mkdir(exist_ok=True)
    cells, pruning = [], []
    for name in given.texts:
        pair, _, part = name.partition(":")
        text = read(given.data, pair)
        lines = int(part) if part else None
        text = text._replace(source=text.source[:lines], target=text.target[:lines])
        file, own = given.cache / f"{name}.csv", given.cache / f"{name}.pruned.csv"
        if pair in MORPHEMES and not own.exists():
            pruned(text, name, given.data).to_csv(own, index=False)
        if pair in MORPHEMES:
            pruning.append(pd.read_csv(own, dtype={"threshold": str}))
        if not file.exists():
            measured(text, name).to_csv(file, index=False)
        cells.append(pd.read_csv(file))
    rows = correlations(every := pd.concat(cells))
    tables = {"cells": every, "measures": rows, "chosen": chosen(rows)}
    if pruning:
        tables["pruning"] = summary(pd.concat(pruning))
    for name, table in tables.items():
        file = TABLES / f"intrinsic-{name}.csv"
        table.round(4).to_csv(file, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()

"""Compare the settings of a run of config/segmenters-newer.yaml: rows for docs/studies/segmenters.md.

    python docs/studies/segmenters.py results config/segmenters-newer.yaml --rows CSV

The same for config/segmenters-sampling.yaml, where development sentences choose rates and thresholds, too.

F1 is that of the sentences with gold after those of `development`, which choose sizes.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from languages import chosen, read_run
from numpy.typing import NDArray

from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, PRECISION, RECALL
from seggrid.score.selection import mean_ranks
from seggrid.score.significance import resampled_metrics

NAMES = {
    "words": "words",
    "bpe": "BPE",
    "unigram": "Unigram",
    "greedtok": "GreedTok",
    "mingram": "MinGram",
    "bilingual": "bilingual Unigram",
    "boundless": "BoundlessBPE",
    "parity": "BPE, joint, parity",
}
BASE = "BPE"
DRAWN = {"alpha": "sampled", "grampa": "GRaMPa", "stochastok": "StochasTok"}
ROUNDS = 2000


def label(cell: pd.Series) -> str:
    """The setting of a cell without its size, for a reader.

    >>> label(pd.Series({"segmenter": "superbpe", "transition": 250, "merges": 1000}))
    'SuperBPE, T = 0.25 n'
    >>> label(pd.Series({"segmenter": "unigram", "sampling": "grampa-0.5", "joint": "no", "samples": 5}))
    'Unigram, GRaMPa, 5 samples'
    """
    if "dropout" in cell and float(cell.dropout or 0):
        return f"{NAMES[cell.segmenter]}, dropout of merges, {int(cell.samples)} samples"
    if str(cell.get("sampling")).partition("-")[0] in DRAWN:
        way = DRAWN[cell.sampling.partition("-")[0]]
        return f"{NAMES[cell.segmenter]}, {way}, {int(cell.samples)} samples"
    if cell.segmenter == "superbpe":
        return f"SuperBPE, T = {int(cell.transition) / cell.merges:g} n"
    if cell.segmenter == "picky":
        return f"PickyBPE, τ = {cell.removal}"
    if cell.segmenter == "unigram" and cell.joint == "yes":
        return "Unigram, joint"
    if cell.segmenter != "bpe":
        return NAMES[cell.segmenter]
    if cell.joint == "yes":
        return "BPE, joint"
    if cell.spaces == "no":
        return "BPE, across spaces"
    return BASE if cell.application == "rank" else f"BPE, `{cell.application}`"


def at_tokens(sizes: Sequence[float], wanted: float) -> NDArray[np.float64] | None:
    """Weights of cells whose numbers of tokens per word are `sizes`, that interpolate to one between them.

    Linear between the two neighbors; None if it lies outside.

    >>> at_tokens([2.0, 1.5, 1.1], 1.7)
    array([0.4, 0.6, 0. ])
    >>> at_tokens([2.0, 1.5, 1.1], 1.0)
    """
    order = np.argsort(sizes)
    ascending = np.array(sizes)[order]
    if not ascending[0] <= wanted <= ascending[-1]:
        return None
    weights = [np.interp(wanted, ascending, row) for row in np.eye(len(order))]
    return np.array(weights)[np.argsort(order)]


def resampled(
    counts: PairCounts, cells: Sequence[str], seed: int
) -> dict[str, NDArray[np.float64]]:
    """The metrics of cells in each resample of a pair's sentences, last on all of them, shape (B + 1, 4)."""
    weights = bootstrap_weights(len(counts.sure), ROUNDS, seed)
    weights = np.vstack([weights, np.ones_like(weights[:1])])
    place = counts.place
    metrics = resampled_metrics(counts, np.array([place[name] for name in cells]), weights)
    return {name: metrics[:, n] for n, name in enumerate(cells)}


def gained(
    name: str, ours: Sequence[NDArray[np.float64]], base: Sequence[NDArray[np.float64]]
) -> dict[str, float]:
    """The mean difference over pairs and its 95% interval, of F1 in B resamples and on all."""
    of_resamples = np.mean(ours, axis=0) - np.mean(base, axis=0)
    low, high = np.quantile(of_resamples[:-1], [0.025, 0.975])
    return {name: of_resamples[-1], f"{name}_low": low, f"{name}_high": high}


def compare(
    best: pd.DataFrame, bpe: pd.DataFrame, metrics: Mapping[str, NDArray[np.float64]]
) -> pd.DataFrame:
    """A row for each setting, the best first: its scores, difference from BPE, and mean rank.

    Args:
        best: a cell for each setting and pair.
        bpe: the cells of BPE, of all sizes, with `tokens` per word.
        metrics: see `resampled`.

    Returns:
        `even` is the difference from a BPE with as many tokens per word, between two of its sizes; empty
        where a pair's lie outside of these.
    """
    across = best.pivot(index="setting", columns="pair", values="f1")
    ranks = mean_ranks(across, seed=1).set_index("setting")
    pairs = list(across)
    f1 = {cell: of[:, F1] for cell, of in metrics.items()}
    curves = {pair: own for pair, own in bpe.groupby("pair")}  # noqa: C416
    cells = {setting: own.set_index("pair").loc[pairs] for setting, own in best.groupby("setting")}
    base = [f1[cell] for cell in cells[BASE].cell]
    rows = []
    for setting, own in cells.items():
        ours = [f1[cell] for cell in own.cell]
        same = []
        for pair, tokens in own.tokens.items():
            weights = at_tokens(curves[pair].tokens.tolist(), tokens)
            if weights is not None:
                same.append(weights @ [f1[cell] for cell in curves[pair].cell])
        means = np.mean([metrics[cell][-1] for cell in own.cell], axis=0)
        rows.append(
            {
                "setting": setting,
                **across.loc[setting],
                "f1": own.f1.mean(),
                "precision": means[PRECISION],
                "recall": means[RECALL],
                "tokens_source": own.fertility_source.mean(),
                "tokens_target": own.fertility_target.mean(),
                "rank": ranks.mean_rank[setting],
                "critical_difference": ranks.critical_difference[setting],
                "p": ranks.p[setting],
                **gained("gain", ours, base),
                **(gained("even", ours, same) if len(same) == len(pairs) else {}),
            }
        )
    return pd.DataFrame(rows).sort_values("f1", ascending=False, kind="stable")


def tabulate(
    cells: pd.DataFrame, counts: Mapping[str, PairCounts], sizes: Sequence[int]
) -> pd.DataFrame:
    """The rows of all tables: with the size `chosen` on development sentences, and with each of the sizes.

    Args:
        cells: see `languages.scores_of`; every pair has the same settings.
        counts: by pair, those of the scored sentences.
        sizes: the sizes that every setting has.
    """
    cells = cells.assign(
        setting=[label(cell) for _, cell in cells.iterrows()],
        tokens=(cells.fertility_source + cells.fertility_target) / 2,
    )
    metrics = {}
    for k, (pair, own) in enumerate(cells.groupby("pair")):
        metrics |= resampled(counts[pair], own.cell.tolist(), k + 1)
    tables = []
    for name, allowed in {"chosen": sizes, **{str(size): [size] for size in sizes}}.items():
        fitting = cells[cells.merges.isin(allowed) | (cells.setting == "words")]
        table = compare(chosen(fitting, ["setting", "pair"]), cells[cells.setting == BASE], metrics)
        tables.append(table.assign(table=name))
    return pd.concat(tables, ignore_index=True)


def main() -> None:
    """Read the run and write its rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the tables of the run, such as results")
    parser.add_argument("config", nargs="+", help="the configs of the run")
    parser.add_argument("--aligner", help="only its cells")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000])
    parser.add_argument("--rows", type=Path, required=True, help="where to write them, as CSV")
    arguments = parser.parse_args()
    _, cells, scored = read_run(arguments.folder, arguments.config)
    if arguments.aligner:
        cells = cells[cells.aligner == arguments.aligner]
    rows = tabulate(cells, scored, arguments.sizes)
    rows.round(4).to_csv(arguments.rows, index=False)


if __name__ == "__main__":
    main()

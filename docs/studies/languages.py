"""Answer the questions of docs/studies/languages.md from a finished run of config/languages.yaml.

    python docs/studies/languages.py results/studies/languages CONFIG... --morphemes CELEX --rows CSV

The configs may include config/languages-knockout.yaml. F1 is that of the sentences with gold after those of
`development`, on which sizes and bounds are chosen. Needs `pip install statsmodels`.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

import seggrid
from seggrid.base.resampling import bootstrap_weights
from seggrid.grid.config import check_config, read_config
from seggrid.grid.config.pairs import Pair
from seggrid.score.correlations import spearman
from seggrid.score.counts import PairCounts, read_counts
from seggrid.score.metrics import F1, compute_metrics
from seggrid.score.selection import FEWEST, mean_ranks
from seggrid.score.significance import resampled_metrics
from seggrid.segment.measures import MEASURES
from seggrid.text.text_files import read_text

TYPES = {
    "Hungarian": "agglutinative",
    "Estonian": "agglutinative",
    "Japanese": "agglutinative",
    "Russian": "Slavic",
    "Czech": "Slavic",
    "Spanish": "Romance",
    "Dutch": "Germanic",
    "German": "Germanic",
    "Hindi": "Indo-Aryan",
}
SETTING = ("segmenter", "merges", "sides", "dropout_kind", "samples", "aligner", "aggregate")
ROUNDS = 2000


def scores_of(folder: Path, development: Mapping[str, int]) -> pd.DataFrame:
    """The cells of a run, with their F1 on development sentences (`f1_dev`) and on the others (`f1`)."""
    cells = pd.read_csv(folder / "scores.csv", keep_default_na=False, na_values=[""])
    counts = read_counts(folder / "counts.npz")
    rows = []
    for pair, of_pair in counts.items():
        chosen = development.get(pair, 0)
        for name, part in (("f1_dev", slice(chosen)), ("f1", slice(chosen, None))):
            sums = of_pair.counts[:, part].sum(axis=1)
            metrics = compute_metrics(sums, of_pair.sure[part].sum())[:, F1]
            rows += [(cell, name, f1) for cell, f1 in zip(of_pair.cells, metrics, strict=True)]
    found = pd.DataFrame(rows, columns=["cell", "part", "value"])
    wide = found.pivot(index="cell", columns="part", values="value")
    return cells.drop(columns="f1").merge(wide, left_on="cell", right_index=True)


def after_development(of_pair: PairCounts, first: int) -> PairCounts:
    """The counts of the sentences after the development ones."""
    return PairCounts(
        of_pair.cells, of_pair.replicates, of_pair.sure[first:], of_pair.counts[:, first:]
    )


def read_run(
    folder: Path, configs: Sequence[str]
) -> tuple[dict[str, Pair], pd.DataFrame, dict[str, PairCounts]]:
    """The pairs of a run, its cells as `scores_of` gives them, and its counts after development sentences."""
    pairs = check_config(read_config(configs)).config.pairs
    first = {name: (pair.gold and pair.gold.development) or 0 for name, pair in pairs.items()}
    counts = read_counts(folder / "counts.npz")
    scored = {pair: after_development(of, first[pair]) for pair, of in counts.items()}
    return pairs, scores_of(folder, first), scored


def gains(
    cells: pd.DataFrame, counts: Mapping[str, PairCounts], over: Mapping[str, str]
) -> pd.DataFrame:
    """F1 of each cell minus that of another of its pair, with a 95% interval over sentences.

    Args:
        cells: see `scores_of`.
        counts: by pair, those of the scored sentences.
        over: for the name of a cell, the one that it is compared with.
    """
    rows = []
    for pair, own in cells[cells.cell.isin(over)].groupby("pair", sort=False):
        of_pair = counts[pair]
        place = of_pair.place
        weights = bootstrap_weights(len(of_pair.sure), ROUNDS, 1)
        ours, theirs = (
            resampled_metrics(of_pair, np.array([place[name] for name in names]), weights)[..., F1]
            for names in (own.cell, own.cell.map(over))
        )
        low, high = np.quantile(ours - theirs, [0.025, 0.975], axis=0)
        f1 = cells.set_index("cell").f1
        gain = f1[own.cell].to_numpy() - f1[own.cell.map(over)].to_numpy()
        rows.append(own[["pair", *SETTING, "f1"]].assign(gain=gain, low=low, high=high))
    return pd.concat(rows, ignore_index=True)


def regression(cells: pd.DataFrame, terms: Sequence[str]) -> pd.DataFrame:
    """A linear model of F1 with a random intercept for each pair.

    Args:
        cells: rows with `f1`, `pair` and the terms, which are standardized over all rows.

    Returns:
        One row for each term: the change in F1 for one standard deviation, its 95% interval and p; and the
        rows `residual` (standard deviation; as `high`, the largest absolute one in standard deviations; p of
        Shapiro and Wilk's test that they are normal) and `pair` (standard deviation).
    """
    from scipy.stats import shapiro
    from statsmodels.regression.mixed_linear_model import MixedLM

    known = cells.dropna(subset=list(terms))
    x = known[list(terms)]
    x = ((x - x.mean()) / x.std()).assign(intercept=1.0)
    fit = MixedLM(known.f1.to_numpy(), x, groups=known.pair).fit(reml=True)
    interval = fit.conf_int()
    rows = [
        (term, fit.params[term], *interval.loc[term], fit.pvalues[term], len(known))
        for term in terms
    ]
    residual = np.asarray(fit.resid)
    spread, pairs = float(np.sqrt(fit.scale)), float(np.sqrt(fit.cov_re.to_numpy()[0, 0]))
    largest, normal = float(abs(residual).max() / spread), float(shapiro(residual).pvalue)
    rows.append(("residual", spread, np.nan, largest, normal, len(known)))
    rows.append(("pair", pairs, np.nan, np.nan, np.nan, known.pair.nunique()))
    return pd.DataFrame(rows, columns=["term", "effect", "low", "high", "p", "rows"])


def left_out(cells: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """How well a measure, with the sign that it has on all other pairs, ranks the cells of a pair.

    Args:
        cells: rows with `f1`, `pair` and the measures.

    Returns:
        One row for each measure, the best first: the mean over pairs of Spearman's correlation with F1, times
        the sign of the mean of the others, its 95% interval by bootstrap over pairs, the least and the
        largest.
        The last row, `all`, ranks by a linear model of all measures, fitted on the other pairs, in which
        measures and F1 are relative to their means over the cells of a pair.
    """
    pairs = list(dict.fromkeys(cells.pair))
    by_pair = {pair: cells[cells.pair == pair] for pair in pairs}
    known = [measure for measure in measures if cells[measure].notna().all()]
    rows = {}
    for measure in known:
        found = np.array([spearman(own[measure].astype(float), own.f1) for own in by_pair.values()])
        others = (np.nansum(found) - np.nan_to_num(found)) / max(len(found) - 1, 1)
        rows[measure] = found * np.sign(others)
    centered = {
        pair: own[[*known, "f1"]].astype(float) - own[[*known, "f1"]].astype(float).mean()
        for pair, own in by_pair.items()
    }
    scale = pd.concat(centered.values())[known].std().replace(0, 1)
    fitted = []
    for pair in pairs:
        rest = pd.concat([of for name, of in centered.items() if name != pair])
        weights, *_ = np.linalg.lstsq(
            np.vstack([rest[known] / scale, np.eye(len(known))]),  # ridge of 1: measures are alike
            np.concatenate([rest.f1, np.zeros(len(known))]),
            rcond=None,
        )
        own = centered[pair]
        predicted = (own[known] / scale).to_numpy() @ weights
        fitted.append(spearman(pd.Series(predicted), own.f1.reset_index(drop=True)))
    table = []
    drawn = np.random.default_rng(1).integers(0, len(pairs), (ROUNDS, len(pairs)))
    for name, found in [*rows.items(), ("all", np.array(fitted))]:
        low, high = np.nanquantile(np.nanmean(found[drawn], axis=1), [0.025, 0.975])
        table.append((name, np.nanmean(found), low, high, np.nanmin(found), np.nanmax(found)))
    shown = pd.DataFrame(table, columns=["measure", "spearman", "low", "high", "least", "largest"])
    last = shown[shown.measure == "all"]
    rest = shown[shown.measure != "all"].sort_values("spearman", ascending=False, kind="stable")
    return pd.concat([rest, last], ignore_index=True)


def boundaries(cells: pd.DataFrame, corpus: Path, morphemes: Path) -> pd.Series:
    """F1 of the boundaries of the English tokens of each cell against those of morphemes.

    Args:
        cells: cells with BPE, unigram or WordPiece on the source.
        corpus: the folder of the texts, `results/corpus`.
        morphemes: English CELEX.
    """
    known = {}
    for pair, segmenter, merges in cells[["pair", "segmenter", "merges"]].drop_duplicates().values:
        sentences, _ = read_text(corpus / pair / "source" / "case=lower.txt", "lines")
        learned = seggrid.Segmenter.learn(sentences, segmenter, merges=int(merges), case="lower")
        found = seggrid.measure(sentences, learned, morphemes=morphemes, format="celex")
        known[pair, segmenter, merges] = found["boundary_f1"]
    keys = zip(cells.pair, cells.segmenter, cells.merges, strict=True)
    return pd.Series([known[key] for key in keys], index=cells.index)


def pruning(cells: pd.DataFrame, counts: Mapping[str, PairCounts]) -> pd.DataFrame:
    """Pruning by morphology, as many merges at random, and the difference of the two.

    Args:
        cells: see `scores_of`; one sample each, of one aligner and aggregate. Where one side is pruned, it is
            so by `blame-0.5` or by `random-blame-0.5-seedN`.
        counts: by pair, those of the scored sentences.

    Returns:
        Three rows for each pair and pruned side: F1 of `blame`, and the mean F1 of `random` over its seeds,
        each minus that of the model that is not pruned; and `difference`, blame minus random. Intervals are
        by bootstrap over sentences; the seeds are fixed.
    """
    rows = []
    pruned = [
        cells[side].str.extract(r"knockout=([^+/]+)")[0].fillna("none")
        for side in ("source", "target")
    ]
    for side, own, other in (("source", *pruned), ("target", *pruned[::-1])):
        found = cells.assign(knockout=own)[(own != "none") & (other == "none")]
        for (pair, merges), of in found.groupby(["pair", "merges"], sort=False):
            whole = (cells.sides == "both") & (cells.segmenter == "bpe") & (cells.merges == merges)
            groups = {
                "none": cells[whole & (cells.pair == pair)],
                "blame": of[of.knockout == "blame-0.5"],
                "random": of[of.knockout.str.startswith("random-blame-0.5")],
            }
            place = counts[pair].place
            sentences = len(counts[pair].sure)
            # The first resample is the sentences themselves.
            weights = np.vstack([np.ones(sentences), bootstrap_weights(sentences, ROUNDS, 1)])
            f1 = {
                name: resampled_metrics(
                    counts[pair],
                    np.array([place[one] for one in group.cell]),
                    weights.astype(np.float32),
                )[..., F1].mean(axis=1)
                for name, group in groups.items()
            }
            for name, ours, theirs in (
                ("blame", "blame", "none"),
                ("random", "random", "none"),
                ("difference", "blame", "random"),
            ):
                gain = f1[ours] - f1[theirs]
                low, high = np.quantile(gain[1:], [0.025, 0.975])
                rows.append((pair, "bpe", merges, side, name, f1[ours][0], gain[0], low, high))
    names = ["pair", "segmenter", "merges", "sides", "knockout", "f1", "gain", "low", "high"]
    return pd.DataFrame(rows, columns=names).assign(aligner=cells.aligner.iloc[0])


def tables(
    cells: pd.DataFrame,
    counts: Mapping[str, PairCounts],
    aligner: str,
    corpus: Path,
    morphemes: Path | None,
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The table of each question, with its title, for the cells of one aligner."""
    cells = cells[cells.aligner == aligner]
    links = "posterior-0.4" if aligner == "gibbs" else "none"
    single = cells[(cells.samples == 1) & (cells["aggregate"] == links)]
    if (single.sides == "mixed").any():
        yield "Pruning by morphology and at random", pruning(single, counts)
    cells, single = cells[cells.sides != "mixed"], single[single.sides != "mixed"]
    words = single[single.segmenter == "words"].set_index("pair").cell
    if words.empty:  # a run of the pruned models alone
        return
    over = dict(zip(single.cell, single.pair.map(words), strict=True))
    yield "F1 minus that of words", gains(single, counts, over)
    whole = single[single.sides.isin(["both", "none"])]
    best = chosen(whole, ["pair", "segmenter"])
    yield (
        "The same, sizes chosen on development sentences",
        gains(cells, counts, {cell: over[cell] for cell in best.cell[best.segmenter != "words"]}),
    )
    across = best.pivot(index="segmenter", columns="pair", values="f1").dropna()
    if across.shape[1] >= FEWEST:
        yield (
            "Mean ranks over pairs, sizes chosen on development sentences",
            mean_ranks(across, seed=1),
        )
    both = whole[~whole.segmenter.isin(["words", "characters"])]
    learned = both[both.segmenter.isin(["bpe", "unigram", "wordpiece"])].copy()
    terms = ["fertility_source", "fertility_target"]
    names = [f"{measure}_{side}" for measure in MEASURES for side in ("source", "target")]
    names = [name for name in (*names, "parity") if name in cells]
    # The size of a text is the same for all its cells.
    names = [name for name in names if both.groupby("pair")[name].nunique().min() > 1]
    if both.groupby("pair").size().min() > len(terms) + 1:
        if morphemes is not None:
            learned["boundary_f1"] = boundaries(learned, corpus, morphemes)
            terms.append("boundary_f1")
        # WordPiece's many short tokens are an outlier that any measure of length tells.
        for suffix, out in (("", ()), (", without WordPiece", ("wordpiece",))):
            rest = learned[~learned.segmenter.isin(out)]
            yield f"Regression of F1 on standardized measures{suffix}", regression(rest, terms)
            rest = both[~both.segmenter.isin(out)]
            yield f"Rank correlation with F1 on a pair left out{suffix}", left_out(rest, names)
    one = single[single.sides.isin(["source", "target"])]
    if len(one):
        plain = both[both.segmenter == "bpe"].set_index(["pair", "merges"]).cell
        over = {row.cell: plain[row.pair, row.merges] for row in one.itertuples()}
        yield "One side minus both", gains(cells, counts, over)
    # With gibbs, the bound of a cell's links or votes is chosen, too.
    bounded = cells[cells["aggregate"] != "none"] if aligner == "gibbs" else cells
    sampled = chosen(bounded[bounded.samples > 1], ["pair", "merges", "dropout_kind", "samples"])
    if len(sampled):
        alone = bounded[
            (bounded.samples == 1) & (bounded.segmenter == "bpe") & (bounded.sides == "both")
        ]
        plain = chosen(alone, ["pair", "merges"]).set_index(["pair", "merges"]).cell
        over = {row.cell: plain[row.pair, row.merges] for row in sampled.itertuples()}
        yield "Samples of dropout minus the same merges", gains(cells, counts, over)


def chosen(cells: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Of each group, the cell with the highest F1 on development sentences."""
    ordered = cells.sort_values("f1_dev", kind="stable")
    return ordered.groupby(list(by), sort=False).tail(1).sort_index()


def main() -> None:
    """Read the run and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the tables, such as results/studies/languages")
    parser.add_argument("configs", nargs="+", help="the configs of the run")
    parser.add_argument("--aligners", nargs="+", default=["gibbs", "fast_align", "eflomal"])
    parser.add_argument("--corpus", type=Path, default=Path("results/corpus"))
    parser.add_argument("--morphemes", type=Path, help="English CELEX")
    parser.add_argument("--rows", type=Path, help="write the differences as CSV")
    arguments = parser.parse_args()
    pairs, cells, counts = read_run(arguments.folder, arguments.configs)
    cells["type"] = cells.pair.map(lambda pair: TYPES.get(pairs[pair].languages["target"], ""))
    written = []
    for aligner in arguments.aligners:
        for title, table in tables(cells, counts, aligner, arguments.corpus, arguments.morphemes):
            print(f"\n{title}: {aligner}\n\n{table.round(4).to_string(index=False)}")
            if "gain" in table:
                written.append(table.assign(table=title))
    if arguments.rows:
        pd.concat(written).round(4).to_csv(arguments.rows, index=False)


if __name__ == "__main__":
    main()

"""A grid that was never run: all inputs of the report, of any size, with hostile text."""

from io import StringIO
from itertools import product

import numpy as np
import pandas as pd

from seggrid.base.result_tables import NAME, TEXT
from seggrid.grid.grid import Grid
from seggrid.grid.jobs.viewer_inputs import ViewerCell, ViewerPair
from seggrid.grid.study import every_table, table_named
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import METRICS, compute_metrics
from seggrid.score.table import read_scores
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

HOSTILE = [
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><b>bold</b>",
    "'quoted' & \"doubly\"",
    "שלום עולם",
    "naïve😀",
    "${1+1}{{2}}",
]

ENGLISH = "the a house city water parliament president question answer debate session new old we"
GERMAN = (
    "das der Haus Stadt Wasser Parlament Präsident Frage Antwort Entschließung Aussprache neu wir"
)
VOCABULARY = [*ENGLISH.split(), "institutional", "transparency", "Rahmenabkommen", "(10th)"]

MERGES = [100, 200, 500, 1000, 2000, 4000, 8000]
AGGREGATES = ["union", "intersection", 0.3, 0.5, 0.7]


def scores(pairs=("eng-deu", "built-in"), merges=MERGES):
    """A table of scores like `results/scores.csv`, without metrics: the cells of a grid of every kind."""
    side = {"text": "text", "morphemes": {"file": "morphemes"}}
    pair = {"source": side, "target": side, "gold": {"file": "gold"}}
    bpe = {"segmenter": "bpe", "merges": merges}
    random = {
        **bpe,
        "dropout": [0.1, 0.2, 0.3],
        "dropout_kind": "occurrence",
        "spaces": [True, False],
    }
    ten, thirty = {"samples": 10, "aggregate": AGGREGATES}, {"samples": 30, "aggregate": [0.5, 0.7]}
    experiments = {
        "words": {"segmenter": "words"},
        "plain": {**bpe, "spaces": [True, False]},
        "source": {**bpe, "sides": "source"},
        "pruned": {**bpe, "knockout": "blame-0.5"},
        "ten": {**random, **ten},
        "thirty": {**random, **thirty},
        "probable": {**random, "samples": 10, "aggregate": "posterior-0.4", "aligner": "gibbs"},
        "ten-source": {**random, **ten, "sides": "source", "dropout": 0.1, "spaces": True},
        "thirty-source": {**random, **thirty, "sides": "source", "dropout": 0.1, "spaces": True},
    }
    every = {"case": "first", "aligner": ["fast_align", "gibbs"], "replicates": 3}
    config = {
        "pairs": dict.fromkeys(pairs, pair),
        "experiments": {name: {**every, **own} for name, own in experiments.items()},
    }
    table = read_scores(StringIO(pd.DataFrame(Grid(config).table()).to_csv(index=False)))
    table = table.sort_values(
        "pair", key=lambda of: of.map(pairs.index), ignore_index=True, kind="stable"
    )
    return table.assign(status="ok", equal_cell="")


def fill(table, seed=1, sentences=508):
    """Random scores of every cell with counts per sentence that agree; three cells failed."""
    generator = np.random.default_rng(seed)
    table = table.copy()
    missing = table.index[5 :: max(len(table) // 3, 1)][:3]
    table.loc[missing, "status"] = "missing"
    counts = {}
    for pair, rows in table.groupby("pair", sort=True):
        sure = generator.integers(4, 35, sentences)
        ease = generator.normal(0, 0.12, sentences)
        kept = rows[rows.status == "ok"]
        cells = []
        for _ in kept.index:
            recall, precision = generator.uniform(0.4, 0.9, 2)
            hits = generator.binomial(sure, np.clip(recall + ease, 0.02, 0.99))
            others = generator.poisson(np.maximum(hits * (1 / precision - 1) * 1.15, 0))
            cells.append(
                np.stack([hits + others, hits, hits + generator.binomial(others, 0.13)], 1)
            )
        names, replicates = kept.cell.to_numpy(dtype=str), np.ones(len(kept), dtype=np.int32)
        counts[pair] = PairCounts(names, replicates, sure, np.array(cells, dtype=np.int32))
        totals = counts[pair].counts.sum(axis=1)
        table.loc[kept.index, list(METRICS)] = compute_metrics(totals, sure.sum())
        table.loc[kept.index, "links"] = totals[:, 0]
        table.loc[rows.index, "gold_sentences"] = sentences
    f1 = dict(zip(table.cell, table.f1, strict=True))
    for name in ("words", "plain"):
        table[f"delta_f1_{name}"] = table.f1 - table[f"{name}_cell"].map(f1)
    table["fertility_target"] = 1 + 8 / np.log2(table.merges.astype(float).fillna(10**6) + 2)
    table["remark"] = np.where(table.merges == table.merges.max(), f"few merges {HOSTILE[0]}", "")
    table["f1_sd"] = np.where(table.replicates > 1, 0.002, np.nan)
    return table, counts


def published(table):
    """Some cells with made-up published figures."""
    generator = np.random.default_rng(3)
    rows = table[(table.pair == "eng-deu") & (table.aligner == "fast_align")]
    rows = rows[(rows.samples < 30) & ~rows["aggregate"].isin(["0.3"]) & (rows.sides != "none")]
    names = ("BPE without spaces" if spaces == "no" else "BPE" for spaces in rows.spaces)
    settings = zip(names, rows.sides, rows.dropout, rows["aggregate"], strict=True)
    result = rows[["cell", "pair", "merges", "aligner"]].assign(
        table=[
            name
            + (f", {sides} only" if sides != "both" else "")
            + (f", dropout {rate:g}, {how}" if rate else "")
            for name, sides, rate, how in settings
        ]
    )
    for metric in METRICS:
        noise = generator.normal(0, 0.002 + 0.02 * (rows.dropout > 0), len(rows))
        result[f"published_{metric}"] = (rows[metric] + noise).round(3)
        result[metric] = rows[metric]
        result[f"delta_{metric}"] = result[metric] - result[f"published_{metric}"]
    return result


def morphology():
    """Rows as from `seggrid.morphology.evaluate`, for a sweep of every kind."""
    variants = ["none", *(f"blame-{t / 10:g}" for t in range(1, 10))]
    variants += [f"{way}-{t / 20:g}" for way in ("random", "latest") for t in range(1, 8)]
    rows = []
    for boundaries, variant in product(["morphemes", "whole words"], variants):
        amount = float(variant.partition("-")[2] or 0)
        known = variant == "none" and boundaries == "morphemes"
        rows.append(
            {
                "tokenizer": "bpe-40k", "reference": "celex", "knockout": variant,
                "evaluation": "full", "dropout": 0.0, "vocabulary": 40000 - int(10000 * amount),
                "boundaries": boundaries, "unit": "types", "precision": 0.43 + amount / 8,
                "recall": 0.5 + amount / 4, "f1": 0.46 + amount / 6,
                "published_f1": 0.461 if known else None, "tokens_per_word": 1.9 + amount,
                "pruned": amount,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def knockout(seed=7):
    """Bars of each histogram, and the shares of leaves."""
    generator = np.random.default_rng(seed)
    pruned, learned = (
        {"tokenizer": "bpe-40k", "reference": "celex", "knockout": variant}
        for variant in ("blame-0.5", "none")
    )
    bars = [
        (pruned, "position", k, k + 2000, generator.poisson(160)) for k in range(0, 40000, 2000)
    ]
    changes = [(-1, 200), (0, 24000), (1, 9000), (2, 2200), (3, 300)]
    bars += [(pruned, "change", change - 0.5, change + 0.5, n) for change, n in changes]
    bars += [
        (learned, figure, number - 0.5, number + 0.5, n)
        for figure in ("morphemes", "stepping_stones")
        for number, n in [(1, 9000), (2, 15000), (3, 4000)]
    ]
    leaves = [
        {**learned, "figure": "leaves", "pruned": n / 20, "leaves": 0.95 - n / 80}
        for n in range(1, 21)
    ]
    return pd.DataFrame(
        [
            {**own, "figure": figure, "low": low, "high": high, "count": count}
            for own, figure, low, high, count in bars
        ]
        + leaves
    )


def cost(table, seed=4):
    generator = np.random.default_rng(seed)
    rows = []
    scale = {"learn": 1.5, "segment": 0.8, "align": 3.0, "score": 0.7}
    cells = table.drop_duplicates(["source", "target", "aligner"])
    for stage, seconds in scale.items():
        for name in cells.cell:
            wall = seconds * generator.lognormal(0, 0.4)
            rows.append((stage, name, wall, wall * 0.95, generator.normal(180, 20)))
    rows.append(("corpus", HOSTILE[2], 0.4, 0.3, 60.0))
    return pd.DataFrame(rows, columns=["stage", "cell", "seconds", "cpu_seconds", "max_rss_mb"])


MODELS = {"bpe": "", "swap": "bpe", "swap-30": "swap", f"other {HOSTILE[0]}": ""}


def language_models():
    """Four models of two texts, one of which continues another."""
    from seggrid.studies.language_model.scores import MEASURES

    rows = []
    for number, (name, continues) in enumerate(MODELS.items()):
        row = {
            "model": name, "continues": continues, "pair": "eng-deu" if number < 3 else "built-in",
            "side": "source", "text": "", "size": "tiny", "vocabulary": 4100 + number,
            "steps": [1000, 1000, 1300, 1000][number], "tokens_per_word": 1.3,
        }  # fmt: skip
        for at, measure in enumerate(MEASURES):
            value = (100, 2.5, 12)[at] * (1 + 0.1 * number)
            row |= {measure: value, f"{measure}_low": 0.95 * value, f"{measure}_high": 1.05 * value}
        rows.append(row)
    return pd.DataFrame(rows)


def filled(name, rows):
    """A table of results; a column that its rows leave out has 0.5, or an empty text."""
    own = table_named(name)
    usual = dict.fromkeys(own.column_names(), 0.5)
    usual |= dict.fromkeys(own.column_names((NAME, TEXT)), "")
    return pd.DataFrame([usual | row for row in rows])


def model_comparisons():
    """The models that the middle two are compared with."""
    rows = [("swap", "bpe", "continues", "worse"), ("swap-30", "bpe", "versus", "better")]
    keys = ("model", "other", "relation", "verdict")
    return filled("language_model_comparisons", (dict(zip(keys, row, strict=True)) for row in rows))


def model_probes():
    """Two probes of two models, one at chance."""
    rows = [
        ("bpe", "order", 0.61, "above chance"),
        ("swap", "order", 0.52, "not shown"),
        (list(MODELS)[3], HOSTILE[1], 0.3, "below chance"),
    ]
    keys = ("model", "probe", "accuracy", "verdict")
    return filled("language_model_probes", (dict(zip(keys, row, strict=True)) for row in rows))


def model_tasks():
    """A task of two models."""
    task = {"task": "pos", "labels": "silver (HanTa)", "measure": "accuracy"}
    good = {"model": "bpe", "score": 0.91, "verdict": "above baseline"}
    poor = {"model": list(MODELS)[3], "score": 0.8, "verdict": "below baseline"}
    return filled("language_model_tasks", [task | good, task | poor])


def losses():
    """Ten losses per hundred steps, with the held-out loss at every second one, including those of the base
    model."""
    rows = []
    for name, steps in zip(MODELS, (1000, 1000, 1300, 1000), strict=True):
        for step in range(100, steps + 1, 100):
            held_out = 5 - step / 1000 if step % 200 == 0 or step == steps else None
            rows.append((name, step, 5.1 - step / 1000, held_out))
    return pd.DataFrame(rows, columns=["model", "step", "loss", "validation_loss"])


def ensembles(scores):
    """Two ensembles of the cells of one pair; the second has a hostile name."""
    members = _members(scores)
    row = {
        "pair": members.pair.iloc[0],
        "members": len(members),
        "best_member": members.cell.iloc[0],
    }
    row |= {"gold_used": "none", "p": 0.0004, "f1_low": 0.45, "f1_high": 0.55}
    names = ["every", HOSTILE[0]]
    deltas = [dict.fromkeys(("delta_f1", "delta_aer"), -0.1 - k / 100) for k in range(2)]
    rows = (row | {"ensemble": name} | delta for name, delta in zip(names, deltas, strict=True))
    return filled("ensembles", rows)


def votes(scores):
    """The weight of each member in each ensemble; that of the last member is the largest."""
    members = _members(scores).rename(columns={"cell": "member"})
    members = members[["pair", "member", "f1", "aer"]].assign(weight=np.arange(len(members)) * 1.0)
    parts = [members.assign(ensemble=name) for name in ensembles(scores).ensemble]
    return pd.concat(parts, ignore_index=True)


def _members(scores):
    return scores[scores.f1.notna() & (scores.pair == scores.pair.iloc[0])].head(4)


def segmentation(sentences, spec):
    if spec.startswith("words"):
        return Segmentation.from_words(sentences)
    return apply(learn(sentences, 100, spaces="spaces=yes" in spec), sentences)


def viewer_pair(table, pair, cells, sentences):
    """Sentences, gold and links for the viewer; the first sentences contain the hostile words."""
    generator = np.random.default_rng(5)
    lengths = generator.integers(3, 42, sentences)
    german = GERMAN.split()
    source = [[VOCABULARY[i] for i in generator.integers(0, len(VOCABULARY), n)] for n in lengths]
    target = [
        [german[i] for i in generator.integers(0, len(german), max(2, n + d))]
        for n, d in zip(lengths, generator.integers(-2, 3, sentences), strict=True)
    ]
    source[0] = [w for word in HOSTILE for w in word.split()]
    target[0] = [w for word in reversed(HOSTILE) for w in word.split()]
    sure, possible = [], []
    for words, others in zip(source, target, strict=True):
        diagonal = {
            (i, min(len(others) - 1, max(0, i + int(generator.integers(-1, 2)))))
            for i in range(len(words))
        }
        sure.append({link for link in diagonal if generator.random() < 0.85})
        more = {(i, (j + 1) % len(others)) for i, j in diagonal if j % 5 == 0}
        possible.append(sure[-1] | more)
    shown = []
    for row in table.set_index("cell").loc[cells].itertuples():
        links = []
        for s in range(sentences):
            kept = {link for link in sure[s] if generator.random() < 0.7}
            noise = {
                (int(generator.integers(len(source[s]))), int(generator.integers(len(target[s]))))
                for _ in range(len(source[s]) // 4)
            }
            links.append(kept | noise | {k for k in possible[s] if generator.random() < 0.4})
        sides = segmentation(source, row.source), segmentation(target, row.target)
        shown.append(ViewerCell(row.Index, Links.from_sets(links), *sides))
    names = [HOSTILE[0], *map(str, range(1, sentences))]
    gold = Links.from_sets(sure), Links.from_sets(possible)
    return ViewerPair(pair, source, target, *gold, shown, names, 1234)


def of_studies(scores):
    """The tables of all studies that there are."""
    made = {
        "published": lambda: published(scores),
        "ensembles": lambda: ensembles(scores),
        "votes": lambda: votes(scores),
        "morphology": morphology,
        "knockout": knockout,
        "language_model": language_models,
        "language_model_losses": losses,
        "language_model_comparisons": model_comparisons,
        "language_model_probes": model_probes,
        "language_model_tasks": model_tasks,
    }
    there = {table.name for table in every_table()}
    return {name: make() for name, make in made.items() if name in there}

"""A grid that was never run: all inputs of the report, of any size, with hostile text."""

from itertools import product

import numpy as np
import pandas as pd

from seggrid.score.counts import PairCounts
from seggrid.score.metrics import METRICS, compute_metrics
from seggrid.segment.side import parse_spec

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

SIDES = ("source", "target")
MERGES = [100, 200, 500, 1000, 2000, 4000, 8000]
AGGREGATES = ["union", "intersection", "0.3", "0.5", "0.7", "0.9"]


def spec(segmenter, **values):
    return "+".join([segmenter, *(f"{axis}={value}" for axis, value in values.items())])


def scores(pairs=("eng-deu", "built-in"), merges=MERGES):
    """A table of scores like `results/scores.csv`, with empty metrics."""
    rows = []
    for pair, aligner in product(pairs, ["fast_align", "eflomal"]):
        words = spec("words", case="first")
        rows.append(cell(pair, words, words, "none", aligner, segmenter="words"))
        for spaces, sides, m in product(["yes", "no"], ["both", "source"], merges):
            if spaces == "no" and sides == "source":
                continue
            axes = {"case": "first", "spaces": spaces, "merges": m, "application": "rank"}
            side = spec("bpe", **axes)
            known = {"segmenter": "bpe", "spaces": spaces, "merges": m, "application": "rank"}
            other = side if sides == "both" else words
            rows.append(cell(pair, side, other, sides, aligner, **known))
            if spaces == "yes" and sides == "both":
                pruned = spec("bpe", **axes, knockout="blame-0.5")
                rows.append(
                    cell(pair, pruned, pruned, sides, aligner, **known, knockout="blame-0.5")
                )
            for rate, (samples, aggregate) in product(
                ["0.1", "0.2", "0.3"],
                [*((10, how) for how in AGGREGATES), (30, "0.5"), (30, "0.7")],
            ):
                if sides == "source" and rate != "0.1":
                    continue
                dropped = spec("bpe", **axes, dropout=rate, dropout_kind="occurrence")
                rows.append(
                    cell(
                        pair,
                        dropped,
                        dropped if sides == "both" else words,
                        sides,
                        aligner,
                        **known,
                        dropout=float(rate),
                        dropout_kind="occurrence",
                        samples=samples,
                        aggregate=aggregate,
                    )
                )
    return with_partners(pd.DataFrame(rows))


def with_partners(table):
    """The cells that each cell is compared with, as the grid names them."""

    def names(of_side):
        sides = (table[side].map(lambda spec: str(of_side(parse_spec(spec)))) for side in SIDES)
        return list(zip(table.pair, table.aligner, *sides, strict=True))

    own = dict(zip(names(lambda side: side), table.cell, strict=True))
    words = [own[key] for key in names(lambda side: side.words())]
    plain = [own[key] for key in names(lambda side: side.plain())]
    plain = ["" if name == cell else name for name, cell in zip(plain, table.cell, strict=True)]
    return table.assign(words_cell=words, plain_cell=plain, equal_cell="")


def cell(pair, source, target, sides, aligner, **known):
    row = {
        "cell": "",
        "pair": pair,
        "source": source,
        "target": target,
        "sides": sides,
        "segmenter": "",
        "spaces": "",
        "case": "first",
        "vocabulary": None,
        "merges": None,
        "scoring": "frequency",
        "knockout": "none",
        "application": "",
        "dropout": 0.0,
        "dropout_kind": "",
        "samples": 1,
        "aligner": aligner,
        "replicates": 3 if aligner == "eflomal" else 1,
        "symmetrization": "grow-diag-final-and",
        "aggregate": "none",
        "experiment": "dropout" if known.get("dropout") else "plain;words",
        "status": "ok",
        **known,
    }
    row["cell"] = "/".join(
        str(row[axis])
        for axis in ("pair", "source", "target", "aligner", "symmetrization", "samples")
    ) + (f"/{row['aggregate']}")
    return row


def expected(row):
    """Plausible recall and precision of a cell with these settings."""
    quality = {"fast_align": 0.6, "eflomal": 0.72}[row.aligner]
    quality += 0.15 if row.pair != "eng-deu" else 0
    recall = precision = quality
    if row.segmenter == "bpe":
        scale = np.log10(row.merges)
        best = 3.1 if row.spaces == "yes" else 2.3
        loss = 0.03 * (scale - best) ** 2 + (0.12 if row.spaces == "no" else -0.01)
        loss += 0.02 if row.sides == "source" else 0
        loss -= 0.008 if row.knockout != "none" else 0
        if row.dropout:
            loss -= 0.035 - abs(row.dropout - 0.15) * 0.1
            shift = {"union": -0.25, "intersection": 0.25}.get(row.aggregate)
            shift = float(row.aggregate) * 0.4 - 0.24 if shift is None else shift
            precision, recall = precision + 0.8 * shift, recall - shift
            loss += abs(shift) * 0.1 - 0.0002 * row.samples
        precision, recall = precision - loss, recall - loss
    return np.clip(recall, 0.05, 0.97), np.clip(precision, 0.05, 0.97)


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
        for row in kept.itertuples():
            recall, precision = expected(row)
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
    names = {"yes": "BPE", "no": "BPE without spaces"}
    result = pd.DataFrame(
        {
            "cell": rows.cell,
            "table": [
                names[row.spaces]
                + (f", {row.sides} only" if row.sides != "both" else "")
                + (f", dropout {row.dropout:g}, {row.aggregate}" if row.dropout else "")
                for row in rows.itertuples()
            ],
            "pair": rows.pair,
            "merges": rows.merges,
            "aligner": rows.aligner,
        }
    )
    for metric in METRICS:
        result[f"published_{metric}"] = (
            rows[metric] + generator.normal(0, 0.002 + 0.02 * (rows.dropout > 0), len(rows))
        ).round(3)
        result[metric] = rows[metric]
        result[f"delta_{metric}"] = result[metric] - result[f"published_{metric}"]
    return result


def claims():
    return pd.DataFrame(
        [
            (
                "Dropout beats plain BPE at rate 0.1 and threshold 0.7",
                "Berasategi",
                "6.2",
                "holds",
                "",
                "+0.021 to",
            ),
            (
                "Union has recall, intersection precision",
                "Berasategi",
                "6.2",
                "holds",
                "",
                "recall 0.81, 0.38",
            ),
            (
                "With eflomal, BPE alone does not beat words",
                "Berasategi",
                "6.1",
                "fails",
                "",
                "0.723 against 0.720",
            ),
            (HOSTILE[0], "Berasategi", "6.5", "not run", "", HOSTILE[1]),
        ],
        columns=["claim", "whose", "source", "verdict", "intervals", "evidence"],
    )


def morphology(seed=6):
    """Rows as from `seggrid.morphology.evaluate`, for a sweep of every kind."""
    variants = [
        "none",
        *(f"blame-{t / 10:g}" for t in range(1, 10)),
        *(f"random-{t / 20:g}" for t in range(1, 8)),
        *(f"latest-{t / 20:g}" for t in range(1, 8)),
    ]
    rows = []
    for boundaries, variant in product(["morphemes", "whole words"], variants):
        method, _, amount = variant.partition("-")
        t = float(amount or 0)
        gain = {"none": 0, "blame": 0.2 - (t - 0.4) ** 2, "random": -t / 5, "latest": -t / 6}[
            method
        ]
        precision, recall = 0.43 + gain / 2, 0.5 + abs(gain)
        rows.append(
            {
                "tokenizer": "bpe-40k",
                "reference": "celex",
                "knockout": variant,
                "evaluation": "full",
                "dropout": 0.0,
                "vocabulary": 40000 - int(10000 * t),
                "boundaries": boundaries,
                "unit": "types",
                "precision": precision,
                "recall": recall,
                "f1": 2 * precision * recall / (precision + recall),
                "published_f1": 0.461 if variant == "none" and boundaries == "morphemes" else None,
                "tokens_per_word": 1.9 + t,
                "pruned": 0.25 * (1 - t) if method == "blame" else t,
            }
        )
    return pd.DataFrame(rows)


def knockout(seed=7):
    """Positions of pruned types, and changes in the number of tokens per word."""
    generator = np.random.default_rng(seed)
    common = {"tokenizer": "bpe-40k", "reference": "celex", "knockout": "blame-0.5"}
    positions = [
        {**common, "figure": "position", "low": low, "high": low + 2000, "count": count}
        for low, count in zip(range(0, 40000, 2000), generator.poisson(160, 20), strict=True)
    ]
    changes = [
        {**common, "figure": "change", "low": c - 0.5, "high": c + 0.5, "count": n}
        for c, n in [(-1, 200), (0, 24000), (1, 9000), (2, 2200), (3, 300)]
    ]
    learned = {**common, "knockout": "none"}
    whole = [
        {**learned, "figure": figure, "low": n - 0.5, "high": n + 0.5, "count": count}
        for figure in ("morphemes", "stepping_stones")
        for n, count in [(1, 9000), (2, 15000), (3, 4000)]
    ]
    leaves = [
        {**learned, "figure": "leaves", "pruned": n / 20, "leaves": 0.95 - n / 80}
        for n in range(1, 21)
    ]
    return pd.DataFrame(positions + changes + whole + leaves)


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

"""The grid whose cells are exported: a pair with gold and training text, and one without gold."""

SENTENCES, GOLD, TRAINING = 120, 60, 40

CONFIG = {
    "learn_merges": 200,
    "seed": 7,
    "pairs": {
        "p": {
            "source": {"text": "eng", "training": "more.eng"},
            "target": {"text": "deu", "training": "more.deu"},
            "empty_lines": "skip",
            "gold": {"file": "gold"},
        },
        # Without gold, nothing is scored.
        "none": {"source": {"text": "plain.eng"}, "target": {"text": "plain.deu"}},
    },
    "experiments": {
        "one": {"pairs": "p", "merges": 60, "aligner": "fast_align"},
        "votes": {
            "pairs": "p",
            "merges": 60,
            "case": "lower",
            "dropout": 0.2,
            "aligner": "fast_align",
            "samples": [2, 3],
            "aggregate": ["1/3", "union"],
            "symmetrization": "union",
        },
        "probable": {
            "pairs": "p",
            "merges": 60,
            "case": "lower",
            "sides": "source",
            "aligner": "gibbs",
            "replicates": 2,
            "aggregate": ["posterior-0.4", "posterior-0.6"],
        },
        "own": {
            "pairs": "none",
            "merges": 60,
            "case": "lower",
            "dropout": [0, 0.2],
            "samples": 2,
            "aggregate": 0.5,
            "aligner": ["fast_align", "gibbs"],
        },
    },
    "ensemble": {
        "given": {"members": ["one", "votes"], "weights": {"one": 2}, "threshold": "1/3"},
        "chosen": {"members": ["votes", "probable"], "choose": {"folds": 3}},
        "without": {"members": "own"},
    },
    "batch": 2,
    "report": {"resamples": 100},
}
EXPORT = {
    "whole": {"experiments": ["one", "votes", "probable"]},
    "all": {"experiments": ["one", "own"], "links": "all", "tokens": "all", "format": "gz"},
    "ensembles": {"ensembles": ["given", "chosen", "without"], "tokens": "none", "models": False},
    "parts": {
        "experiments": ["votes", "probable"],
        "links": "all",
        "parts": 50,
        "sample": 100,
        "format": "zst",
    },
    "single": {
        "experiments": ["own"],
        "links": "all",
        "tokens": "all",
        "parts": 1000,
        "sample": 1000,
        "format": "gz",
    },
    "sampled": {
        "experiments": ["one", "own"],
        "links": "all",
        "tokens": "all",
        "parts": 70,
        "sample": 1000,
        "format": "gz",
    },
}

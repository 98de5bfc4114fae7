"""Configs: those of config/ on a small pair, damaged."""

import functools
import hashlib
import os
import random
from pathlib import Path
from typing import Any

import yaml
from isolation import Violation

from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.segment.side import parse_spec
from seggrid.workflow.rules.check import check_sources

ROOT = Path(__file__).resolve().parents[2]
BUILTIN = ROOT / "resources" / "builtin"
NAMES = ("eng.txt", "deu.txt", "gold.txt", "eng.morphemes.tsv", "deu.morphemes.tsv")


@functools.cache
def sources() -> dict[str, bytes]:
    """A small pair with gold and morphemes."""
    found = {}
    for name in NAMES:
        lines = (BUILTIN / name).read_text("utf-8").split("\n")[:20]
        found[name] = ("\n".join(lines) + "\n").encode()
    lines = (ROOT / "resources/published/thesis.csv").read_text("utf-8").split("\n")[:5]
    found["published.csv"] = ("\n".join(lines) + "\n").encode()
    return found


def small_pair(rnd: random.Random) -> dict[str, Any]:
    """The pair's settings, some of them spelled out."""
    pair: dict[str, Any] = {
        "source": {"language": "English", "text": "eng.txt"},
        "target": {"language": "German", "text": "deu.txt"},
        "gold": {"file": "gold.txt"},
    }
    if rnd.random() < 0.5:
        pair["source"]["morphemes"] = {"file": "eng.morphemes.tsv", "format": "surface"}
        pair["target"]["morphemes"] = {"file": "deu.morphemes.tsv"}
    if rnd.random() < 0.3:  # to download, but found in the mirror
        digest = hashlib.sha256(sources()["eng.txt"]).hexdigest()
        pair["source"]["text"] = {"url": "https://localhost/texts/eng.txt", "sha256": digest}
    if rnd.random() < 0.3:
        pair["gold"] |= {"format": "pharaoh", "base": 0, "swapped": False}
    return pair


EXPERIMENTS: dict[str, dict[str, Any]] = {
    "plain": {"merges": [10, 20], "spaces": [True, False], "case": "lower"},
    "words": {"segmenter": ["words", "characters"]},
    "others": {"segmenter": ["wordpiece", "unigram", "wordmap"], "merges": [10, 20]},
    "drop": {
        "merges": 10,
        "dropout": [0, 0.1, "1/3"],
        "samples": [3, 10],
        "aggregate": ["union", 0.5],
    },
    "sides": {"sides": ["source", "target"], "merges": [5]},
    "unlike": {"source": {"segmenter": "words"}, "target": {"merges": [10], "dropout": 0.2}},
    "aligners": {"merges": 10, "aligner": ["eflomal", "fast_align"], "replicates": 3},
    "ways": {"merges": 10, "symmetrization": ["union", "intersect", "grow-diag"]},
    "scores": {
        "merges": 10,
        "scoring": ["likelihood", "mutual_information"],
        "application": "replace",
    },
}
PRUNED = {"merges": 10, "knockout": ["none", "blame-0.5", "random-0.1", "trim-2", "iterate-0.5x3"]}
REST: dict[str, Any] = {
    "aligners": {"fast_align": {"iterations": 3, "p0": 0.1, "tension": 4.0, "no_null": True}},
    "learn_merges": 100,
    "batch": 5,
    "seed": 1,
    "published": ["published.csv"],
    "report": {"title": "A study", "viewer_sentences": 10, "resamples": 100},
}


def make_config(rnd: random.Random) -> tuple[dict[str, bytes], dict[str, Any]]:
    """A config of some experiments, with the files that it names."""
    config: dict[str, Any] = {"pairs": {"eng-deu": small_pair(rnd)}, "mirror": "."}
    if rnd.random() < 0.3:
        config["pairs"]["deu-eng"] = {
            "source": {"language": "German", "text": "deu.txt"},
            "target": {"language": "English", "text": "eng.txt"},
            "gold": {"file": "gold.txt", "swapped": True},
        }
    names = rnd.sample(list(EXPERIMENTS), rnd.choice((1, 2, 4)))
    config["experiments"] = {name: EXPERIMENTS[name] for name in names}
    if "morphemes" in config["pairs"]["eng-deu"]["source"] and rnd.random() < 0.5:
        config["experiments"]["pruned"] = {**PRUNED, "pairs": ["eng-deu"]}
    for key in rnd.sample(list(REST), rnd.randrange(len(REST))):
        config[key] = REST[key]
    if rnd.random() < 0.3:
        config["morphology"] = {
            "learned": {
                "reference": {"file": "eng.morphemes.tsv"},
                "learned": {"pair": "eng-deu", "side": "source", "merges": 50},
                "knockout": ["none", "blame-0.5"],
                "evaluation": ["full", "holdout-0.5"],
                "dropout": [0.1],
            }
        }
    text = yaml.safe_dump(config, sort_keys=False, default_flow_style=rnd.choice((None, False)))
    return {"config.yaml": text.encode(), **sources()}, {}


def run_config(folder: Path, options: dict[str, Any]) -> None:
    """Check a config as the Snakefile does, and check the paths of the files that the grid would make."""
    os.environ.pop("SEGGRID_MIRROR", None)
    grid = Grid(read_config([Path("config.yaml")]))
    check_sources(grid)
    files = list(grid.group_of)
    if len(set(files)) != len(files):
        raise Violation("two groups of cells have one file")
    names = set()
    cells = grid.experiments
    for cell in cells:
        for side in (cell.source, cell.target):
            if parse_spec(str(side)) != side:
                raise Violation(f"{side} is not read back from its path")
        names.add(tuple(cell)) if isinstance(cell, tuple) else names.add(cell)
    if len(names) != len(cells):
        raise Violation("one cell twice")
    for file in files:
        path = os.path.normpath(file)
        if not path.startswith("results" + os.sep) or path != file or any(map(odd, file)):
            raise Violation(f"a path that is none: {file!r}")
        if max(map(len, file.split("/"))) > 255:
            raise Violation(f"a name that no file system takes: {file[:300]}")
    table = grid.table()
    if len(table) != len(cells):
        raise Violation("the table of cells has other cells")
    for name in grid.config.morphology:
        grid.evaluated(name)


def odd(character: str) -> bool:
    """Whether a character is special to a shell, to Snakemake or to the parser of paths."""
    return not character.isprintable() or character in "{}$`'\"\\ *?;|&<>\n"

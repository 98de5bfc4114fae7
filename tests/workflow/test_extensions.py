"""A segmenter, an aligner, and an axis of each, added to a copy of the package, up to scored cells.

Each is a module of its own and lines at the end of a registry; nothing else knows of it.
"""

import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest
import yaml

import builtin_pair

pytestmark = pytest.mark.tier("check")

SEGMENTERS, ALIGNERS = "src/seggrid/segment/__init__.py", "src/seggrid/align/__init__.py"

CLUMPS = '''"""Characters, some of which stay with the one before them: those of an axis, others at random."""

from fractions import Fraction

import numpy as np

from seggrid.base.axis import Axis
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation
from seggrid.segment.segmenter import Segmenter


class Clumps(Segmenter):
    name = label = "clumps"
    axes = ("glued", "clumping")
    own_axes = (
        Axis("glued", "glued", "Characters that stay with the one before them.", kind="text",
             stage="segment", default="none", neutral="none", phrase="{value} glued"),
        Axis("clumping", "clumping", "Share of characters that are joined to the one before them.",
             kind="rate", stage="segment", default=Fraction(0), neutral=Fraction(0), random=True),
    )

    def segment(self, sentences, side, seeds, threads):
        return [cut(sentences, side, np.random.default_rng(seed)) for seed in seeds]


def cut(sentences, side, draw):
    index, ids, words_of, offsets = {}, [], [], [0]
    for words in sentences:
        for number, word in enumerate(words):
            for part in clumps(BOUNDARY + word, side, draw):
                ids.append(index.setdefault(part, len(index)))
                words_of.append(number)
        offsets.append(len(ids))
    words_of = np.array(words_of, dtype=np.int32)
    ids = np.array(ids, dtype=np.int32)
    return Segmentation(list(index), ids, np.array(offsets), words_of, words_of)


def clumps(word, side, draw):
    parts = [word[:2]]
    for character in word[2:]:
        glued = side.glued != "none" and character in side.glued
        if glued or draw.random() < side.clumping:
            parts[-1] += character
        else:
            parts.append(character)
    return parts
'''

NEAR = '''"""Links of fast_align between tokens whose numbers differ little."""

from typing import Annotated

import numpy as np

from seggrid.align.fast_align import FastAlign
from seggrid.base.axis import axis
from seggrid.data.links import Links


class Near(FastAlign):
    reach: Annotated[
        int, axis("reach", "The farthest that a link reaches.", kind="integer", most=1000)
    ] = 1000

    def align(self, source, target, *, threads=1, seed=0):
        return tuple(near(links, self.reach) for links in super().align(source, target))


def near(links, reach):
    kept = np.abs(links.pairs[:, 0] - links.pairs[:, 1]) <= reach
    counts = np.bincount(links.sentence_of[kept], minlength=len(links))
    return Links(np.concatenate([[0], np.cumsum(counts)]), links.pairs[kept])
'''

NEAR_REGISTERED = """
ALIGNERS["near"] = "seggrid.align.near:Near"
AXES |= ALIGNERS["near"].axes()
"""

REGISTERED = """
SEGMENTERS["clumps"] = "seggrid.segment.clumps:Clumps"
"""

ADDED = {
    SEGMENTERS: REGISTERED,
    "src/seggrid/segment/clumps.py": CLUMPS,
    ALIGNERS: NEAR_REGISTERED,
    "src/seggrid/align/near.py": NEAR,
}
"""What is written at the end of files of the package, or into new ones."""

CLUMPED = {"samples": 3, "aggregate": "1/3"}
EXPERIMENTS = {
    "text": (
        {"segmenter": "clumps", "glued": ["none", "e", "1of3 a+b=é/n"]},
        [{"glued": "none"}, {"glued": "e"}, {"glued": "1of3 a+b=é/n"}],
    ),
    "random": (
        {"segmenter": "clumps", "clumping": [0, "1/3"], **CLUMPED},
        [{"clumping": 0.0, "samples": 1, "aggregate": "none"}, {"clumping": 1 / 3, **CLUMPED}],
    ),
    "number": (
        {"segmenter": ["words", "clumps"], "aligner": "near", "reach": [0, 1000]},
        [{"segmenter": s, "reach": r} for s in ("clumps", "words") for r in ("0", "1000")],
    ),
}
"""Experiments that use them, and some columns of their cells."""


@pytest.fixture(scope="module")
def scores(root, tmp_path_factory):
    """The scores of the experiments, by a copy of the package and the workflow."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("src/seggrid", "workflow"):
        shutil.copytree(root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in ADDED.items():
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write(text)
    folder = copy / "study"
    folder.mkdir()
    builtin_pair.write_pair(folder, 40, ".txt")
    texts = {"source": {"text": "eng.txt"}, "target": {"text": "deu.txt"}}
    config = {
        "pairs": {"p": {**texts, "gold": {"file": "gold.txt"}}},
        "experiments": {name: asked for name, (asked, _) in EXPERIMENTS.items()},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    workflow = ["-m", "snakemake", "--snakefile", str(copy / "workflow/Snakefile"), "--cores", "1"]
    for command in (
        [*workflow, "results/scores.csv", "--configfile", "config.yaml"],
        # Installing compiles what the aligners need.
        ["-c", "from seggrid.workflow.run import warm; warm._sides = list; warm.run_kernels()"],
    ):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(copy / "src")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-5000:]
    return pd.read_csv(folder / "results/scores.csv", keep_default_na=False)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_its_cells_are_scored(scores, name):
    own = scores[[name in experiment.split(";") for experiment in scores["experiment"]]]
    expected = EXPERIMENTS[name][1]
    assert (own["status"] == "ok").all()
    assert (own["f1"].astype(float) > 0).all()
    found = own[list(expected[0])].to_dict("records")
    assert sorted(map(str, found)) == sorted(map(str, expected))
    # Another value of an axis is another segmentation or other links.
    assert len(own[["tokens_source", "f1"]].drop_duplicates()) == len(expected)

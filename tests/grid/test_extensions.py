"""Axes of plug-ins of all kinds up to scored cells: a text with odd characters, a random rate, a number."""

import pandas as pd
import pytest

import builtin_pair

pytestmark = pytest.mark.tier("check")

CLUMPS = '''"""Characters, some of which stay with the one before them: those of an axis, others at random."""

from fractions import Fraction

import numpy as np

from seggrid.base.axis import Axis
from seggrid.text.boundary import BOUNDARY
from seggrid.text.segmentation import Segmentation
from seggrid.segment.segmenter import Segmenter


class Clumps(Segmenter):
    label = "clumps"
    axes = ("glued", "clumping")
    own_axes = (
        Axis("glued", "Characters that stay with the one before them.", kind="text",
             stage="segment", default="none", neutral="none", phrase="{value} glued"),
        Axis("clumping", "Share of characters that are joined to the one before them.",
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


SEGMENTERS = {"clumps": Clumps}
'''

NEAR = '''"""Links of fast_align between tokens whose numbers differ little."""

import numpy as np

from seggrid.align.fast_align import FastAlign
from seggrid.base.axis import Axis
from seggrid.text.links import Links


class Near(FastAlign):
    own_axes = (
        Axis("reach", "How far a link reaches.", kind="integer", most=1000, default=1000),
    )

    def align(self, source, target, *, threads=1, seed=0):
        return tuple(near(links, self.reach) for links in super().align(source, target))


def near(links, reach):
    kept = np.abs(links.pairs[:, 0] - links.pairs[:, 1]) <= reach
    counts = np.bincount(links.sentence_of[kept], minlength=len(links))
    return Links(np.concatenate([[0], np.cumsum(counts)]), links.pairs[kept])


ALIGNERS = {"near": Near}
'''

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
def scores(snakemake, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    builtin_pair.write_pair(folder, 40, ".txt")
    (folder / "clumps.py").write_text(CLUMPS, "utf-8")
    (folder / "near.py").write_text(NEAR, "utf-8")
    config = {
        "plugins": ["clumps.py", "near.py"],
        "pairs": {"p": builtin_pair.in_config(ending=".txt")},
        "experiments": {name: asked for name, (asked, _) in EXPERIMENTS.items()},
    }
    snakemake(folder, config, "results/scores.csv")
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

"""The five kinds of extension, each made in a copy of the package within a few files, up to a scored cell."""

import os
import shutil
import subprocess
import sys
from typing import NamedTuple

import pandas as pd
import pytest
import yaml

import builtin_pair

pytestmark = pytest.mark.tier("check")

LINES = 40
MOST_FILES = 3

AXES = "src/seggrid/segment/axes.py"
SEGMENTERS = "src/seggrid/segment/__init__.py"
CHARACTERS = "src/seggrid/segment/characters.py"
ALIGNERS = "src/seggrid/align/__init__.py"
FAST_ALIGN = "src/seggrid/align/fast_align/__init__.py"

# What the five edits of files look for.
LAST_ROW = "\n\n\nAXES = rows("
CHARACTERS_ENTRY = (
    '"characters": Registered("seggrid.segment.characters", "characters", ("spaces",)'
)
TOKENS = "                tokens = [BOUNDARY + word[0], *word[1:]]\n"

TEXT_ROW = """
    glued: str | None = row(
        "glued",
        "Characters that stay with the one before them.",
        kind="text",
        stage="segment",
        default="none",
        neutral="none",
        phrase="{value} glued",
    )"""

GLUE = """                tokens = [BOUNDARY + word[0]]
                for character in word[1:]:
                    if side.glued != "none" and character in side.glued:
                        tokens[-1] += character
                    else:
                        tokens.append(character)
"""

RANDOM_ROW = """
    clumping: Fraction | None = row(
        "clumping",
        "Share of characters that are joined to the one before them.",
        kind="rate",
        stage="segment",
        default=Fraction(0),
        neutral=Fraction(0),
        random=True,
    )"""

CLUMP = """                tokens = [BOUNDARY + word[0]]
                for character in word[1:]:
                    if draw.random() < side.clumping:
                        tokens[-1] += character
                    else:
                        tokens.append(character)
"""

NUMBER_ROW = """
    reach: int | None = row(
        "reach",
        "The farthest that a link reaches.",
        kind="integer",
        default=1000,
        most=1000,
    )"""

WITHOUT_REACH = '    threads: int = 1,\n) -> tuple[Links, Links]:\n    """Align two'

LINKS = "    return links_of(one, other, chosen[0], False), links_of(other, one, chosen[1], True)\n"

NEAR = """    forward = links_of(one, other, chosen[0], False)
    reverse = links_of(other, one, chosen[1], True)
    return _near(forward, reach), _near(reverse, reach)


def _near(links: Links, reach: int) -> Links:
    apart = np.abs(links.pairs[:, 0] - links.pairs[:, 1])
    kept = [(s, i, j) for s, (i, j), d in zip(links.sentence_of, links.pairs, apart) if d <= reach]
    counts = np.bincount([s for s, _, _ in kept], minlength=len(links))
    pairs = np.array([(i, j) for _, i, j in kept], dtype=np.int32).reshape(-1, 2)
    return Links(np.concatenate([[0], np.cumsum(counts)]), pairs)
"""

HALVES = '''"""Two halves of each word."""

import numpy as np

from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation


def segment(model, sentences, side, seeds, threads):
    index, ids, words_of, offsets = {}, [], [], [0]
    for words in sentences:
        for number, word in enumerate(words):
            middle = (len(word) + 1) // 2
            for half in filter(None, (BOUNDARY + word[:middle], word[middle:])):
                ids.append(index.setdefault(half, len(index)))
                words_of.append(number)
        offsets.append(len(ids))
    words_of = np.array(words_of, dtype=np.int32)
    ids = np.array(ids, dtype=np.int32)
    return [Segmentation(list(index), ids, np.array(offsets), words_of, words_of)]
'''

DIAGONAL = '''"""Links between tokens of the same number."""

import numpy as np

from seggrid.base.settings import Settings
from seggrid.data.links import Links


class Options(Settings):
    """Options of diagonal; there are none."""


def align(source, target, *, options, threads):
    lengths = [min(a, b) for a, b in zip(np.diff(source.offsets), np.diff(target.offsets))]
    pairs = np.array([(k, k) for n in lengths for k in range(n)], dtype=np.int32)
    links = Links(np.concatenate([[0], np.cumsum(lengths)]), pairs)
    return links, links
'''


class Extension(NamedTuple):
    """An extension of the package.

    Attributes:
        edits: the edited files, each with texts and what is written in their place; a new file with its text.
        experiment: an experiment that uses it.
        cells: the values of some columns of the cells of this experiment.
    """

    edits: dict[str, str | dict[str, str]]
    experiment: dict[str, object]
    cells: list[dict[str, object]]


EXTENSIONS = {
    "text axis of a segmenter": Extension(
        {
            AXES: {LAST_ROW: f"{TEXT_ROW}{LAST_ROW}"},
            SEGMENTERS: {CHARACTERS_ENTRY: CHARACTERS_ENTRY.replace('"spaces",', '"spaces", "glued"')},
            CHARACTERS: {TOKENS: GLUE},
        },
        {"segmenter": "characters", "glued": ["none", "e", "1of3 a+b=é/n"]},
        [{"glued": "none"}, {"glued": "e"}, {"glued": "1of3 a+b=é/n"}],
    ),
    "random axis of a segmenter": Extension(
        {
            AXES: {LAST_ROW: f"{RANDOM_ROW}{LAST_ROW}"},
            SEGMENTERS: {CHARACTERS_ENTRY: CHARACTERS_ENTRY.replace('"spaces",', '"spaces", "clumping"')},
            CHARACTERS: {
                TOKENS: CLUMP,
                "    return [\n        Segmentation(": "    return Segmentation(",
                "dtype=np.int32),\n        )\n    ]": "dtype=np.int32),\n    )",
                "def segment(\n": "def segment(model, sentences, side, seeds, threads):\n"
                "    return [_sample(sentences, side, np.random.default_rng(seed)) for seed in seeds]\n"
                "\n\ndef _sample(sentences, side, draw):\n    return _cut(None, sentences, side, draw, 1)\n"
                "\n\ndef _cut(\n",
                "seeds: Sequence[int], threads": "draw: np.random.Generator, threads",
                ") -> list[Segmentation]:": ") -> Segmentation:",
            },
        },
        {
            "segmenter": "characters", "clumping": [0, "1/3"], "samples": 3,
            "aggregate": ["union", "1/3"],
        },
        [
            {"clumping": 0.0, "samples": 1, "aggregate": "none"},
            {"clumping": 1 / 3, "samples": 3, "aggregate": "1/3"},
            {"clumping": 1 / 3, "samples": 3, "aggregate": "union"},
        ],
    ),
    "number axis of an aligner": Extension(
        {
            ALIGNERS: {
                LAST_ROW: f"{NUMBER_ROW}{LAST_ROW}",
                '"seggrid.align.fast_align", keeps=True,': '"seggrid.align.fast_align", axes=("reach",),',
            },
            FAST_ALIGN: {
                WITHOUT_REACH: WITHOUT_REACH.replace("1,\n", "1,\n    reach: int,\n"),
                LINKS: NEAR,
            },
        },
        {"segmenter": "words", "aligner": "fast_align", "reach": [0, 1000]},
        [{"reach": 0}, {"reach": 1000}],
    ),
    "segmenter": Extension(
        {
            SEGMENTERS: {
                CHARACTERS_ENTRY: '"halves": Registered("seggrid.segment.halves", "halves"),\n    '
                + CHARACTERS_ENTRY
            },
            "src/seggrid/segment/halves.py": HALVES,
        },
        {"segmenter": "halves"},
        [{"segmenter": "halves"}],
    ),
    "aligner": Extension(
        {
            ALIGNERS: {
                "\nALIGNERS = {\n": '\nALIGNERS = {\n    "diagonal": Registered("seggrid.align.diagonal"),\n'
            },
            "src/seggrid/align/diagonal.py": DIAGONAL,
            "workflow/envs/diagonal.yaml": "dependencies: [python]\n",
        },
        {"segmenter": ["words", "characters"], "aligner": "diagonal"},
        [
            {"aligner": "diagonal", "segmenter": "characters"},
            {"aligner": "diagonal", "segmenter": "words"},
        ],
    ),
}  # fmt: skip


@pytest.fixture
def copy(root, tmp_path):
    """A copy of the package and the workflow."""
    for folder in ("src/seggrid", "workflow"):
        shutil.copytree(
            root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


@pytest.mark.parametrize("kind", EXTENSIONS)
def test_an_extension_is_within_its_files_and_its_cells_are_scored(copy, kind):
    extension = EXTENSIONS[kind]
    assert len(extension.edits) <= MOST_FILES
    for name, edit in extension.edits.items():
        file = copy / name
        text = edit if isinstance(edit, str) else file.read_text("utf-8")
        for old, new in edit.items() if isinstance(edit, dict) else ():
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        file.write_text(text, "utf-8")
    folder = copy / "study"
    folder.mkdir()
    builtin_pair.write_pair(folder, LINES, ".txt")
    pair = {
        "source": {"text": "eng.txt"},
        "target": {"text": "deu.txt"},
        "gold": {"file": "gold.txt"},
    }
    config = {"pairs": {"p": pair}, "experiments": {"x": extension.experiment}}
    (folder / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(copy / "src")}

    def run(*command):
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    workflow = ["-m", "snakemake", "--snakefile", str(copy / "workflow/Snakefile")]
    run(*workflow, "results/scores.csv", "--cores", "1", "--configfile", "config.yaml")
    scores = pd.read_csv(folder / "results/scores.csv", keep_default_na=False)
    own = scores[scores["experiment"] == "x"]
    assert (own["status"] == "ok").all()
    assert (own["f1"].astype(float) > 0).all()
    columns = list(extension.cells[0])
    found = own[columns].to_dict("records")
    assert sorted(map(str, found)) == sorted(map(str, extension.cells))
    if len(found) > 1:
        assert own[["tokens_source", "f1"]].drop_duplicates().shape[0] > 1
    # Another cell of an axis is another file; installing compiles what the extension needs.
    if "aligner" in kind:
        run("-c", "from seggrid.workflow.run import warm; warm._sides = list; warm.run_kernels()")

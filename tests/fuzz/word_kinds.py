"""Morphological references, and tables of published figures."""

import functools
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

from kind import (
    BUILTIN,
    ROOT,
    Files,
    Options,
    encoded,
    expect,
    lines_of,
    texts,
)

from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.frequencies import read_frequencies
from seggrid.morphology.references import read_reference
from seggrid.score.metrics import METRICS
from seggrid.segment.bpe.learn import learn
from seggrid.thesis.published import read_published

CELEX = [
    "teapot\t((tea)[N],(pot)[N])[N]",
    "unable\t((un)[A|.A],(able)[A])[A]",
    "housework\t((house)[N],(work)[N])[N]",
    "abandonment\t((abandon)[V],(ment)[N|V.])[N]",
    "clearance\t((clear)[A],(ance)[N|A.])[N]",
    "ran\t((run)[V])[F]",
    "o'er\t(o'er)[P]",
    "ability\t((able)[A],(ity)[N|A.])[N]",
    "a\t(a)[D]",
]


def make_surface(rnd: random.Random) -> tuple[Files, Options]:
    known = [lines_of(BUILTIN / f"{name}.morphemes.tsv") for name in ("eng", "deu")]
    known += [texts()["surface"]] if "surface" in texts() else []
    lines = rnd.sample(rnd.choice(known), rnd.choice((1, 3, 40)))
    files = {"reference.tsv": encoded(lines, rnd)}
    if rnd.random() < 0.5:
        counts = [f"{line.split(chr(9))[0]}\t{rnd.randrange(1, 10**6)}" for line in lines]
        files["frequencies.tsv"] = encoded(counts, rnd)
    return files, {"format": "surface"}


def make_celex(rnd: random.Random) -> tuple[Files, Options]:
    known = [texts()[name] for name in ("celex", "celex.deu") if name in texts()] or [CELEX]
    lines = rnd.choice(known)
    lines = rnd.sample(lines, min(len(lines), rnd.choice((3, 5, 40)))) + CELEX[:2]
    return {"reference.tsv": encoded(lines, rnd)}, {"format": "celex"}


@functools.cache
def small_model() -> Any:
    return learn([line.split() for line in texts()["eng"][:300]], 200)


def run_reference(folder: Path, options: Options) -> None:
    path = folder / "reference.tsv"
    reference = read_reference(path, options["format"])
    frequencies = None
    if "frequencies" in options or (folder / "frequencies.tsv").exists():
        frequencies = read_frequencies(folder / "frequencies.tsv")
    if options["format"] == "surface":
        plain: dict[str, set[tuple[str, ...]]] = {}
        for line in path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n"):
            if line.strip():
                word, *analyses = line.rstrip().split("\t")
                pieces = {tuple(p for p in analysis.split(" ") if p) for analysis in analyses}
                plain.setdefault(word, set()).update(pieces)
        expect(set(reference.words) == plain.keys(), "other words are read")
        for e, word in enumerate(reference.words):
            rows = range(reference.analyses[e], reference.analyses[e + 1])
            found = {cut_up(word, list(reference.morphemes.word(row))) for row in rows}
            expect(found == plain[word], f"other morphemes of {word!r} are read")
    for knockout in ("none", "blame-0.5"):
        for row in evaluate(small_model(), reference, knockout, frequencies=frequencies):
            for name in ("precision", "recall", "f1"):
                expect(row[name] is None or 0 <= row[name] <= 1, f"{name} {row[name]}")
            for name in ("true_positives", "predicted", "positives", "tests"):
                expect(row[name] is None or row[name] >= 0, f"{name} {row[name]}")


def cut_up(word: str, cuts: list[int]) -> tuple[str, ...]:
    ends = [0, *cuts, len(word)]
    return tuple(word[a:b] for a, b in pairwise(ends))


def make_published(rnd: random.Random) -> tuple[Files, Options]:
    lines = lines_of(ROOT / "resources" / "published" / "thesis.csv")
    return {"published.csv": encoded(lines[:1] + rnd.sample(lines[1:], 5), rnd)}, {}


def run_published(folder: Path, options: Options) -> None:
    rows = read_published(folder / "published.csv")
    expect(bool(rows), "a table without rows")
    for row in rows:
        for name in METRICS:
            expect(0 <= float(row.get(name) or 0) <= 1, f"a published {name} of {row.get(name)}")

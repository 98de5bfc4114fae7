"""Compare a lexical segmentation with others on words of its part of speech: coverage, pieces, boundaries."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.side_inputs import SideInputs
from seggrid.score.table import write_table
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import segment_words
from seggrid.studies.lexical.lexical_words import TaggedWords, gold_cuts, lexical_rows
from seggrid.text.annotated import annotate
from seggrid.text.pos import ANY, PARTS, word_and_part
from seggrid.text.sides import SIDES
from seggrid.text.words import Words


@dataclass(frozen=True)
class Peers:
    """The segmentations with which one is compared, each with its model."""

    others: list[Side]
    models: list[Path]


def main(
    text: SideInputs,
    pair: str,
    side: Literal[*SIDES],
    language: str,
    morphemes: Path | None,
    format: Literal["surface", "celex"] | None,
    peers: Peers,
    seed: int,
    output: Path,
    resamples: int = 2000,
) -> None:
    """Compare a lexical segmentation of a text with others, and write a table."""
    name, side = side, text.spec
    tagged, model = Words.of(text.sentences()), text.read_model()
    parts = list(map(word_and_part, tagged.types))
    counts = Counter[str]()
    for (word, part), count in zip(parts, np.bincount(tagged.ids).tolist(), strict=True):
        if side.pos in (part, ANY):
            counts[word] += count
    words = list(counts)
    part = PARTS[0] if side.pos == ANY else side.pos
    chosen = [annotate(word, "-", part) for word in words]
    with timed():
        (own,) = segment_words(side, model, chosen, [0])
        segmented = {str(side): own}
        for other, path in zip(peers.others, peers.models, strict=True):
            read = SEGMENTERS[other.segmenter].read
            (segmented[str(other)],) = segment_words(other, read(path), words, [0])
        covers = model.prefix(side.merges).covers(words)
        gold = []
        if morphemes:
            everything = {word for word, _ in parts}
            gold = gold_cuts(morphemes, format, words, everything, side)
        tokens = np.array(list(counts.values()), dtype=np.int64)
        covered = np.array([bool(cover) for cover in covers], dtype=np.bool_)
        table = lexical_rows(
            TaggedWords(words, tokens, covered, gold),
            str(side),
            segmented,
            language=language,
            seed=seed,
            rounds=resamples,
        )
    named = {"pair": pair, "side": name, "lexical": str(side)}
    for place, (column, value) in enumerate(named.items()):
        table.insert(place, column, value)
    write_table(output, table)

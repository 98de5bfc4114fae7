"""Compare a lexical segmentation with others on words of its part of speech: coverage, pieces, boundaries."""

from collections import Counter
from itertools import chain, compress
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
from seggrid.text.pos import are_chosen, read_tags
from seggrid.text.sides import SIDES


def main(
    text: SideInputs,
    tags: Path,
    pair: str,
    side: Literal[*SIDES],
    language: str,
    morphemes: Path | None,
    format: Literal["surface", "celex"] | None,
    others: list[Side],
    models: list[Path],
    seed: int,
    output: Path,
    resamples: int = 2000,
) -> None:
    """Compare a lexical segmentation of a text with others, and write a table."""
    name, side = side, text.spec
    sentences, model = text.sentences(), text.read_model()
    chosen = are_chosen(read_tags(tags, sentences), side.pos)
    counts = Counter(chain.from_iterable(map(compress, sentences, chosen)))
    words = list(counts)
    tagged = [[side.pos] for _ in words]
    with timed():
        (own,) = segment_words(side, model, words, [0], tags=tagged)
        segmented = {str(side): own}
        for other, path in zip(others, models, strict=True):
            read = SEGMENTERS[other.segmenter].read
            (segmented[str(other)],) = segment_words(other, read(path), words, [0])
        covers = model.prefix(side.merges).covers(words)
        gold = []
        if morphemes:
            everything = {word for sentence in sentences for word in sentence}
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

"""Compare a lexical segmentation with others on words of its part of speech: coverage, pieces, boundaries."""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from seggrid.corpus.pos import are_chosen
from seggrid.corpus.tags import read_tags
from seggrid.data.sides import SIDES
from seggrid.morphology.lexical import TaggedWords, lexical_rows
from seggrid.morphology.references import as_in_text, entry_parts, read_reference
from seggrid.score.table import write_table
from seggrid.segment import SEGMENTERS
from seggrid.segment.lexical.apply import covers_of
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.side_arguments import add_side_arguments, read_side


def main() -> None:
    """Parse the arguments, segment the words, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_side_arguments(parser)
    parser.add_argument("--tags", type=Path, required=True)
    parser.add_argument("--pair", required=True)
    parser.add_argument("--side", choices=SIDES, required=True)
    parser.add_argument("--language", required=True)
    parser.add_argument("--morphemes", type=Path, help="a morphological reference")
    parser.add_argument("--format", choices=["surface", "celex"], default="surface")
    parser.add_argument("--others", nargs="*", default=[], help="other segmentations of the text")
    parser.add_argument(
        "--models", nargs="*", default=[], help="the models of these, in their order"
    )
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side, _, model, sentences = read_side(arguments)
    chosen = are_chosen(read_tags(arguments.tags, sentences), side.pos)
    counts = Counter(
        word
        for words, flags in zip(sentences, chosen, strict=True)
        for word, flag in zip(words, flags, strict=True)
        if flag
    )
    words = list(counts)
    tagged = [[side.pos] for _ in words]
    with timed():
        (own,) = SideSegmenter(side).segment_words(model, words, [0], tags=tagged)
        segmented = {arguments.spec: own}
        for spec, path in zip(arguments.others, arguments.models, strict=True):
            other = parse_spec(spec)
            read = SEGMENTERS[other.segmenter].load().read_model
            (segmented[spec],) = SideSegmenter(other).segment_words(read(path), words, [0])
        covers = covers_of(model.prefix(side.merges), words)
        gold = []
        if arguments.morphemes:
            reference = read_reference(arguments.morphemes, arguments.format)
            parts = entry_parts(reference, arguments.format)
            everything = {word for sentence in sentences for word in sentence}
            reference = as_in_text(reference, everything, side.case)
            number = {word: i for i, word in enumerate(words)}
            for entry, (word, part) in enumerate(zip(reference.words, parts, strict=True)):
                if word in number and (side.pos == "any" or part in (None, side.pos)):
                    cuts = reference.morphemes.word(int(reference.analyses[entry]))
                    gold.append((number[word], frozenset(cuts)))
        table = lexical_rows(
            TaggedWords(
                words,
                np.array(list(counts.values()), dtype=np.int64),
                np.array([bool(cover) for cover in covers], dtype=np.bool_),
                gold,
            ),
            arguments.spec,
            segmented,
            language=arguments.language,
            seed=arguments.seed,
            rounds=arguments.resamples,
        )
    for place, name in enumerate(("pair", "side")):
        table.insert(place, name, getattr(arguments, name))
    table.insert(2, "lexical", arguments.spec)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)

"""Let a masked language model answer a probe: which candidate makes the likelier sentence."""

import argparse
from itertools import chain
from pathlib import Path

import numpy as np

from seggrid.corpus.text import apply_case
from seggrid.errors import InputError
from seggrid.language_model.model import predictor, prepare, read_model, sequence_length
from seggrid.language_model.probes import MADE, credits, read_items
from seggrid.language_model.scores import ProbeScores, write_scores
from seggrid.language_model.text import split
from seggrid.language_model.vocabulary import UNKNOWN
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.language_model_arguments import (
    add_text_arguments,
    digest,
    read_text_side,
)
from seggrid.workflow.jobs.language_model_scoring import score_sentences
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.run.code_digest import code_digest


def main() -> None:
    """Parse the arguments, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_text_arguments(parser)
    parser.add_argument("--language-model", type=Path, required=True, help="its folder")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--items", type=Path, help="a file of items")
    kind.add_argument("--make", choices=list(MADE), help="items made from the text")
    arguments = parser.parse_args()
    device = prepare(arguments.threads)
    model, vocabulary = read_model(arguments.language_model)
    side, _, merges, text = read_text_side(arguments)
    if arguments.items:
        items = read_items(arguments.items)
    else:
        words = [tuple(words) for words in apply_case(text, side.case)]
        train, test = split(words, arguments.test)
        items = MADE[arguments.make]([words[i] for i in train], [words[i] for i in test])
        if not items:
            raise InputError(
                f"no held-out sentence has the words that {arguments.make} needs",
                file=arguments.corpus,
                hint="hold out more sentences (language_models.NAME.test), or leave the probe out",
            )
    counts = np.array(list(map(len, items)), dtype=np.int64)
    sentences = apply_case([list(words) for words in chain.from_iterable(items)], side.case)
    tokens, *_ = SideSegmenter(side).segment(merges, sentences, [0], arguments.threads)
    ids = vocabulary.encode(tokens)
    weights = arguments.language_model / "model.safetensors"
    settings = [arguments.spec, arguments.threads, device.type, code_digest(__file__), sentences]
    with timed("scoring"):
        pll = score_sentences(
            predictor(model, device),
            ids,
            tokens.lengths,
            longest=sequence_length(model),
            key=digest(settings, [arguments.model, weights]),
            arguments=arguments,
        )
    item = np.repeat(np.repeat(np.arange(len(items)), counts), tokens.lengths)
    unknown = np.bincount(item[ids == UNKNOWN], minlength=len(items))
    write_scores(arguments.output, ProbeScores(credits(pll, counts), counts, unknown))
    arguments.progress.unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)

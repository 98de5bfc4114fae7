"""Learn a segmenter's model on one side of a pair, or a joint one on both."""

import argparse
from pathlib import Path

from seggrid.corpus.tags import read_lexicon
from seggrid.corpus.text import read_text
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.ready import ready_model
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.side_arguments import add_tags_argument, read_tagged


def main() -> None:
    """Parse the arguments, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, nargs="+", required=True, help="source first")
    parser.add_argument("--spec", required=True, help="the side, as in the path of the output")
    parser.add_argument("--size", type=int, help="merges (or types) to learn, if not in the spec")
    parser.add_argument(
        "--lexicon", type=Path, help="further words, for a segmenter that reads tags"
    )
    parser.add_argument("--ready", type=Path, help="merges that are learned already")
    add_tags_argument(parser)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side = parse_spec(arguments.spec)
    learner = SEGMENTERS[side.segmenter].load_learner()
    if arguments.ready:
        learner.write_model(
            ready_model(arguments.ready, side).prefix(arguments.size), arguments.output
        )
        return
    sentences = [words for file in arguments.corpus for words in read_text(file, "lines")[0]]
    tagged = read_tagged(arguments, sentences)
    if arguments.lexicon:
        tagged["lexicon"] = read_lexicon(arguments.lexicon)
    with timed():
        model = SideSegmenter(side).learn(sentences, arguments.size, **tagged)
    learner.write_model(model, arguments.output)


if __name__ == "__main__":
    run(main)

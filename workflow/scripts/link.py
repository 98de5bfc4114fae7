"""Link the tokens of two encoded sides, sample by sample, by the similarities of their vectors."""

import argparse
from pathlib import Path

from seggrid.align import read_alignment
from seggrid.align.embeddings.encoded import link, read_encoded
from seggrid.data.alignments import meet, write_alignments
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, link, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--alignment", required=True, help="the aligner's axes, as in the path")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    _, values = read_alignment(arguments.alignment)
    sources, targets = meet(
        read_encoded(arguments.source, values["layer"]),
        read_encoded(arguments.target, values["layer"]),
    )
    samples, posteriors = [], []
    with timed():
        for source, target in zip(sources, targets, strict=True):
            links, probable = link([(source, target)], **values)
            samples.append((source.tokens, target.tokens, links, links))
            posteriors.append((probable, probable))
    write_alignments(arguments.output, samples, posteriors)


if __name__ == "__main__":
    run(main)

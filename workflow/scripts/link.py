"""Link the tokens of two encoded sides, sample by sample, by the similarities of their vectors."""

from pathlib import Path

from seggrid.align import read_alignment
from seggrid.align.embeddings.encoded import link, read_encoded
from seggrid.grid.jobs.script import timed
from seggrid.text.links import meet, write_alignments


def main(source: Path, target: Path, alignment: str, output: Path) -> None:
    """Link two encoded sides; `alignment` names the aligner and its axes, as in paths."""
    _, values = read_alignment(alignment)
    del values["tuning"]  # none: a tuned encoder links its tokens in the script align
    sources, targets = meet(
        read_encoded(source, values["layer"]), read_encoded(target, values["layer"])
    )
    samples, posteriors = [], []
    with timed():
        for own, other in zip(sources, targets, strict=True):
            links, probable = link([(own, other)], **values)
            samples.append((own.tokens, other.tokens, links, links))
            posteriors.append((probable, probable))
    write_alignments(output, samples, posteriors)

"""embeddings: links from the contextual vectors of a multilingual encoder, without training.

After SimAlign (Jalili Sabet et al. 2020, "SimAlign: High quality word alignments without parallel
training data using static and contextualized embeddings"). Each sentence pair is aligned by itself. In
the workflow, `encode` runs the encoder once and `align` extracts links from its vectors; here one call
does both.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from seggrid.align import TEMPERATURE
from seggrid.align.embeddings.encoded import Encoded, link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings_options import Options
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.ragged import each_block
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

__all__ = ["Options", "align", "align_with_posteriors"]

BLOCK = 1 << 10
"""Number of sentence pairs that are encoded at a time: the vectors of a pair take about 100 kB."""


def align(source: Segmentation, target: Segmentation, **given: Any) -> tuple[Links, Links]:
    """The links of `align_with_posteriors`, which has the same arguments."""
    return align_with_posteriors(source, target, **given)[0]


def align_with_posteriors(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options | None = None,
    threads: int = 1,
    layer: int = 8,
    extraction: str = "argmax",
    null_threshold: Fraction | float = 1,
    temperature: Fraction | float = TEMPERATURE,
) -> tuple[tuple[Links, Links], tuple[Posteriors, Posteriors], None]:
    """Align all sentence pairs. See `seggrid.align` for the shapes.

    Returns:
        The links, twice: they have no direction, and a token may have several. Probabilities of links, twice,
        which depend on `layer` and `temperature` only.

    Raises:
        InputError: the encoder cannot be loaded, or the sides differ in their number of sentences.
    """
    if len(source) != len(target):
        raise InputError(f"{len(source)} sentences and {len(target)}")
    encoder = Encoder(options or Options(), [layer], threads)

    def blocks() -> Iterator[tuple[Encoded, Encoded]]:
        for ends in each_block(len(source), BLOCK):
            one, other = encoder.encode([source.block(*ends), target.block(*ends)])
            yield one, other

    links, posteriors = link(blocks(), layer, extraction, null_threshold, temperature)
    return (links, links), (posteriors, posteriors), None

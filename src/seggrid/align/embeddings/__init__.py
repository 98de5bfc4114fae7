"""embeddings: links from the contextual vectors of a multilingual encoder, without training.

After SimAlign (Jalili Sabet et al. 2020, "SimAlign: High quality word alignments without parallel
training data using static and contextualized embeddings"). Each sentence pair is aligned by itself. In
the workflow, `encode` runs the encoder once and `align` extracts links from its vectors; here one call
does both.
"""

from __future__ import annotations

from fractions import Fraction

from seggrid.align.embeddings.encoded import link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings_options import Options
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation

__all__ = ["Options", "align"]


def align(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options | None = None,
    threads: int = 1,
    layer: int = 8,
    extraction: str = "argmax",
    null_threshold: Fraction | float = 1,
) -> tuple[Links, Links]:
    """Align all sentence pairs. See `seggrid.align` for the shapes.

    Returns:
        The same links twice: they have no direction, and a token may have several.

    Raises:
        InputError: the encoder cannot be loaded, or a sentence has more pieces than it takes.
    """
    encoder = Encoder(options or Options(), [layer], threads)
    encoded = [encoder.encode([side])[0] for side in (source, target)]
    links = link(encoded[0], encoded[1], layer, extraction, null_threshold)
    return links, links

"""One cell of the grid from two texts to word links, in memory: what the workflow's stages do, in one call.

The workflow computes the same in jobs that share their results; the same settings give the same links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seggrid.align import ALIGNERS, without_posteriors
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.tags import Tags
from seggrid.corpus.text import apply_case
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.samples import alignment_names, sample_seeds
from seggrid.score.aggregates import is_posterior
from seggrid.score.votes import Means, Votes
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side

Sentences = Sequence[Sequence[str]]


def learn_model(sentences: Sentences, side: Side, tags: Tags | None = None) -> Any:
    """The model that a segmentation uses, learned on its own text; None where it uses none.

    Args:
        sentences: the text as it came; the side's case is applied to it.
        side: how it is segmented; without `merges`, as many are learned as there are.
        tags: the part of speech of each word, for a segmenter that looks at them.

    Raises:
        InputError: it looks at them, and there are none.
    """
    if not side.learns:
        return None
    size = 10**7 if side.merges is None else side.merges
    learner = SEGMENTERS[side.segmenter].load_learner()
    cased = apply_case(list(map(list, sentences)), side.case)
    return learner.learn(cased, size, side, **_tagged(side, tags))


def _tagged(side: Side, tags: Tags | None) -> dict[str, Tags]:
    """What a segmenter or learner that looks at parts of speech takes beside the others."""
    if not SEGMENTERS[side.segmenter].tagged:
        return {}
    if tags is None:
        raise InputError(
            f"{side.segmenter} needs the parts of speech of the text",
            hint="seggrid tag writes them, and seggrid learn and segment take them with --tags",
        )
    return {"tags": tags}


def segment_text(
    sentences: Sentences,
    side: Side,
    model: Any,
    seeds: Sequence[int],
    threads: int = 1,
    tags: Tags | None = None,
) -> list[Segmentation]:
    """The samples of one side, one for each seed; the only one where it has no dropout.

    Args and errors as in `learn_model`.
    """
    segmenter = SEGMENTERS[side.segmenter].load()
    own = seeds if side.sampled else seeds[:1]
    cased = apply_case(list(map(list, sentences)), side.case)
    return segmenter.segment(model, cased, side, own, threads, **_tagged(side, tags))


def align_cell(
    cell: Cell,
    source: Sentences,
    target: Sentences,
    *,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> Links:
    """The word links of all sentence pairs.

    Args:
        cell: segmentations, aligner, symmetrization, samples and aggregate; its name of the pair is
            part of the seeds, as in the workflow. Nothing is pruned.
        source, target: the words of S sentence pairs.
        options: the aligner's, by name.
        seed: all random choices follow from it, the cell and the sample.
        threads: no result depends on it.
        progress: told what is being done.

    Raises:
        InputError: the cell asks for probabilities of an aligner that has none.
    """
    entry = ALIGNERS[cell.aligner]
    asks = is_posterior(cell.aggregate)
    if asks and not entry.posteriors:
        message, hint = without_posteriors(cell.aligner)
        raise InputError(f"{cell.aggregate}: {message}", hint=hint)
    sides = []
    for name, side, sentences in (("source", cell.source, source), ("target", cell.target, target)):
        progress(f"segmenting the {name} side")
        seeds = sample_seeds(seed, [cell.pair, name, str(side)], (0, cell.samples - 1))
        model = learn_model(sentences, side)
        samples = segment_text(sentences, side, model, seeds, threads)
        sides.append(samples * cell.samples if len(samples) == 1 else samples)
    aligner = entry.load()
    align = aligner.align_with_posteriors if asks else aligner.align
    named = alignment_names(cell.pair, str(cell.source), str(cell.target), cell.aligner, 0)
    seeds = sample_seeds(seed, named, (0, cell.samples - 1))
    chosen = aligner.Options(**(options or {}))
    given = {axis: getattr(cell, axis) for axis in entry.axes}
    words, probable = [], []
    for number, (left, right, own) in enumerate(zip(*sides, seeds, strict=True), 1):
        progress(f"aligning sample {number} of {cell.samples}" if cell.sampled else "aligning")
        given |= {"seed": own} if entry.seeded else {}
        found = align(left, right, options=chosen, threads=threads, **given)
        if asks:
            probable.append(project_posteriors(*found[1], left, right))
        else:
            words.append(project(symmetrize(*found, cell.symmetrization), left, right))
    samples = Means.from_samples(probable) if asks else Votes.from_samples(words)
    return samples.keep(cell.aggregate)

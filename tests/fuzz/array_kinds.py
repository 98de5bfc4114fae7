"""Arrays: trained models of fast_align, and the files between stages."""

import functools
import random
import tempfile
from pathlib import Path
from typing import Any

from kind import (
    Files,
    Options,
    expect,
    texts,
)

from seggrid.align.fast_align import Model, force_align, train
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.gold import gold_from_links, read_gold, write_gold
from seggrid.corpus.links import Notation, read_gold_links
from seggrid.data.alignments import read_alignments, write_alignments
from seggrid.data.segmentation import Segmentation
from seggrid.score.score_file import read_score_file, score_replicates, write_score_file


@functools.cache
def aligned() -> tuple[Segmentation, Segmentation, Any]:
    sides = [
        Segmentation.from_words([line.split() for line in texts()[name][:12]])
        for name in ("eng", "deu")
    ]
    return (*sides, train(*sides))


@functools.cache
def arrays() -> Files:
    """A file of each kind, as the stages write them."""
    source, target, trained = aligned()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trained.model.save(folder / "model.npz")
        sample = source, target, trained.forward.links, trained.reverse.links
        write_alignments(folder / "align.npz", [sample, sample])
        (folder / "gold.txt").write_text("\n".join(texts()["gold"][:12]) + "\n")
        gold = gold_from_links(read_gold_links(folder / "gold.txt", Notation("pharaoh")))
        write_gold(folder / "gold.npz", gold)
        links = project(symmetrize(*sample[2:]), source, target)
        ways = ["union", "0.5"]
        scored = score_replicates(gold, [[links, links], [links, links]], ways, (source, target))
        write_score_file(folder / "score.npz", scored)
        return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


def make_arrays(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice(("model.npz", "model.npz", "align.npz", "gold.npz", "score.npz"))
    return {name: arrays()[name]}, {"name": name}


def run_arrays(folder: Path, options: Options) -> None:
    path = folder / options["name"]
    if not path.exists():
        return
    source, target, _ = aligned()
    if options["name"] == "model.npz":
        model = Model.load(path)
        for direction in force_align(model, source, target):
            expect(in_range(direction.links, source, target), "a link outside its sentence")
        model.save(folder / "again.npz")
    elif options["name"] == "align.npz":
        for one, other, forward, reverse in read_alignments(path):
            words = project(symmetrize(forward, reverse), one, other)
            expect(len(words) == len(one), "sentences are lost")
            one.lines()
    elif options["name"] == "gold.npz":
        gold = read_gold(path)
        expect(len(gold.sure) == len(gold.possible) == len(gold), "sentences are lost")
        expect(int(gold.sentences.min(initial=0)) >= 0, "a sentence before the first")
        gold.sure.lines()
    else:
        scored = read_score_file(path)
        expect(scored.counts.shape[2] == len(scored.sentences), "sentences are lost")
        expect(len(scored.links) == len(scored.aggregates), "links are lost")
        scored.source.lines()


def in_range(links: Any, source: Segmentation, target: Segmentation) -> bool:
    return all(
        0 <= i < source.lengths[s] and 0 <= j < target.lengths[s]
        for s in range(len(links))
        for i, j in links.sentence(s)
    )

"""Sentences, gold and links of some cells, as the report's viewer gets them."""

import numpy as np
from synthetic import GERMAN, HOSTILE, VOCABULARY

from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.learn import learn
from seggrid.workflow.jobs.viewer_inputs import ViewerCell, ViewerPair


def segmentation(sentences, spec):
    if spec.startswith("words"):
        return Segmentation.from_words(sentences)
    return apply(learn(sentences, 100, spaces="spaces=yes" in spec), sentences)


def viewer_pair(table, pair, cells, sentences=508, seed=5):
    """Sentences, gold and links for the viewer; the first sentences contain the hostile words."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(3, 42, sentences)
    german = GERMAN.split()
    source = [[VOCABULARY[i] for i in generator.integers(0, len(VOCABULARY), n)] for n in lengths]
    target = [
        [german[i] for i in generator.integers(0, len(german), max(2, n + d))]
        for n, d in zip(lengths, generator.integers(-2, 3, sentences), strict=True)
    ]
    source[0] = [w for word in HOSTILE for w in word.split()]
    target[0] = [w for word in reversed(HOSTILE) for w in word.split()]
    sure, possible = [], []
    for words, others in zip(source, target, strict=True):
        diagonal = {
            (i, min(len(others) - 1, max(0, i + int(generator.integers(-1, 2)))))
            for i in range(len(words))
        }
        sure.append({link for link in diagonal if generator.random() < 0.85})
        more = {(i, (j + 1) % len(others)) for i, j in diagonal if j % 5 == 0}
        possible.append(sure[-1] | more)
    shown = []
    for row in table.set_index("cell").loc[cells].itertuples():
        links = []
        for s in range(sentences):
            kept = {link for link in sure[s] if generator.random() < 0.7}
            noise = {
                (int(generator.integers(len(source[s]))), int(generator.integers(len(target[s]))))
                for _ in range(len(source[s]) // 4)
            }
            links.append(kept | noise | {k for k in possible[s] if generator.random() < 0.4})
        sides = segmentation(source, row.source), segmentation(target, row.target)
        shown.append(ViewerCell(row.Index, Links.from_sets(links), *sides))
    names = [HOSTILE[0], *map(str, range(1, sentences))]
    gold = Links.from_sets(sure), Links.from_sets(possible)
    return ViewerPair(pair, source, target, *gold, shown, names)

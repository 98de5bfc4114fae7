"""Sentences, gold and links of some cells, as the report's viewer gets them."""

import numpy as np
from synthetic import GERMAN, HOSTILE, VOCABULARY

from seggrid.data.links import Links
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.workflow.jobs.viewer_inputs import ViewerCell, ViewerPair


def pieces(generator, words, crossing=False):
    """A sentence split at random: its tokens, and the first and last word of each."""
    text, owner = [], []
    for index, word in enumerate(words):
        text += ["▁", *word] if crossing else ["▁" + word[0], *word[1:]]
        owner += [index] * (len(word) + crossing)
    tokens, first, last, start = [], [], [], 0
    for end in range(1, len(text) + 1):
        word_ends = end == len(text) or owner[end] != owner[end - 1]
        cut = generator.random() < (0.35 if not word_ends else 0.7)
        if end == len(text) or cut or (word_ends and not crossing):
            tokens.append("".join(text[start:end]))
            first.append(owner[start])
            last.append(owner[end - 1])
            start = end
    return tokens, first, last


def segmentation(generator, sentences, crossing=False):
    rows = [pieces(generator, words, crossing) for words in sentences]
    tokens = [token for row in rows for token in row[0]]
    index = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    flat = lambda column: np.array([v for row in rows for v in row[column]], dtype=np.int32)  # noqa: E731
    return Segmentation(
        list(index),
        np.array([index[token] for token in tokens], dtype=np.int32),
        offsets_of([len(row[0]) for row in rows]),
        flat(1),
        flat(2),
    )


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
        possible.append({(i, (j + 1) % len(others)) for i, j in diagonal if j % 5 == 0})
    shown = []
    known = table.set_index("cell")
    for name in cells:
        row = known.loc[name]
        links = []
        for s in range(sentences):
            kept = {link for link in sure[s] if generator.random() < 0.7}
            noise = {
                (int(generator.integers(len(source[s]))), int(generator.integers(len(target[s]))))
                for _ in range(len(source[s]) // 4)
            }
            links.append(kept | noise | {k for k in possible[s] if generator.random() < 0.4})
        crossing = row.spaces == "no"
        shown.append(
            ViewerCell(
                name,
                Links.from_sets(links),
                words_or(generator, source, row.source, crossing),
                words_or(generator, target, row.target, crossing),
            )
        )
    names = [HOSTILE[0], *map(str, range(1, sentences))]
    gold = Links.from_sets(sure), Links.from_sets(possible)
    return ViewerPair(pair, source, target, *gold, shown, names)


def words_or(generator, sentences, side, crossing):
    if side.startswith("words"):
        return Segmentation.from_words(sentences)
    return segmentation(generator, sentences, crossing)

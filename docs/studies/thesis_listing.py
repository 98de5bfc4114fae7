"""The learner of Berasategi's thesis without spaces (5.4 and 5.5), written anew from its description.

It is no exact BPE. Counts of pairs are corrected by what lies around each occurrence of the merged *string*,
also inside longer symbols; and a pair whose symbols are no longer side by side in a sentence where it was
counted loses its count in all sentences. Of equally frequent pairs, the one that was counted first is merged.

    python docs/studies/thesis_listing.py deu_with_10k.txt 999 deu.merges [4508]

learns from lines `id<TAB>sentence`, perhaps from the first of them only, with the first word in lower case.
"""

import argparse
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from seggrid.segment.bpe.model import BPEModel

Pair = tuple[str, str]


def learn(sentences: list[list[str]], merges: int) -> list[Pair]:
    """The first merges of sentences, lists of words."""
    texts = [" ▁ ".join(" ".join(word) for word in words) for words in sentences]
    counts, where = Counter(), defaultdict(Counter)
    for i, text in enumerate(texts):
        for pair in pairwise(text.split()):
            counts[pair] += 1
            where[pair][i] += 1
    learned = []
    while len(learned) < merges and counts:
        pair = max(counts, key=counts.__getitem__)
        learned.append(pair)
        merge(pair, texts, counts, where)
    return learned


def merge(pair: Pair, texts: list[str], counts: Counter, where: defaultdict) -> None:
    """Merge a pair where it is thought to be, and correct the counts around it."""
    merged = "".join(pair)
    side_by_side = re.compile(rf"(?<!\S){re.escape(' '.join(pair))}(?!\S)")

    def moved(i: int, old: Pair, new: Pair | None = None) -> None:
        for count, key in ((counts, old), (where[old], i)):
            count[key] -= 1
            if count[key] <= 0:
                del count[key]
        if not where[old]:
            del where[old]
        if new:
            counts[new] += 1
            where[new][i] += 1

    for i in list(where[pair]):
        text = side_by_side.sub(merged.replace("\\", r"\\"), texts[i])
        if text == texts[i]:
            del counts[pair]
            del where[pair][i]
            continue
        texts[i] = text
        for before, after in pairwise(part.split() for part in text.split(merged)):
            if before:
                moved(i, (before[-1], pair[0]), (before[-1], merged))
            if after:
                moved(i, (pair[1], after[0]), (merged, after[0]))
            moved(i, pair)


def main(*arguments: str) -> None:
    """Learn from a file, and write a model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path, help="lines of an id, a tab and a sentence")
    parser.add_argument("merges", type=int, help="how many merges to learn")
    parser.add_argument("model", type=Path, help="the model that is written")
    parser.add_argument("lines", type=int, nargs="?", help="how many lines to read; else all")
    given = parser.parse_args(arguments or None)
    read = given.text.read_text("utf-8").splitlines()[: given.lines]
    sentences = [line.split("\t")[1].split() for line in read]
    for words in sentences:
        words[0] = words[0].lower()
    learned = learn(sentences, given.merges)
    if repeated := len(learned) - len(set(learned)):
        print(f"{repeated} merges are left out, which it learned twice")
    BPEModel(list(dict.fromkeys(learned)), spaces=False).write(given.model)


if __name__ == "__main__":
    main()

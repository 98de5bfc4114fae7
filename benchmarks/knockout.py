"""Time of BPE-knockout in English, stage by stage, and of the pruned tokenizer compared with Hugging Face
tokenizers.

    python benchmarks/knockout.py data [--runs 5]

The stages are those of the paper's Table 2: read and align CELEX, segment its words, blame, knock out,
segment again and score. Hugging Face segments the same words by the unpruned BPE of 40,000 types. All words
are distinct, so no cache helps.
"""

import argparse
import os
from fractions import Fraction
from pathlib import Path

from tokenizers import Tokenizer as Peer

from seggrid.morphology.blame import blame
from seggrid.morphology.evaluate import compare
from seggrid.morphology.merge_graph import knock_out
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import segment, spell, tokenize
from seggrid.segment.bytelevel import ByteLevelModel
from seggrid.segment.formats.tokenizer_json import read_byte_level
from timing import timed


class Clock:
    """The best wall time and CPU time of each stage over several runs."""

    def __init__(self):
        self.best = {}

    def __call__(self, stage, work):
        result, wall, cpu = timed(work)
        known = self.best.get(stage, (wall, cpu))
        self.best[stage] = (min(wall, known[0]), min(cpu, known[1]))
        return result


def table_2(model, celex, clock):
    """The rows base and knockout, types, both boundaries."""
    reference = clock("read and align CELEX", lambda: read_reference(celex, "celex"))
    weights = reference.weights(None)
    spelling = clock("spell the words", lambda: spell(model, reference.words))
    base = clock("segment", lambda: segment(model.merges, spelling))
    found = clock("blame", lambda: blame(base, reference, weights))
    merges = clock("knock out", lambda: knock_out(model.merges, found.at_least(Fraction(1, 2))))
    after = clock("segment after knockout", lambda: segment(merges, spelling))
    rows = clock(
        "score both",
        lambda: [
            compare(run.cuts(), gold, reference, weights)
            for run in (base, after)
            for gold in (reference.morphemes, reference.whole_words)
        ],
    )
    return reference, merges, rows


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with celex and bpe-40k-eng")
    parser.add_argument("--runs", type=int, default=5, help="number of runs; the best is printed")
    arguments = parser.parse_args()
    folder = arguments.data / "bpe-40k-eng"
    celex = arguments.data / "celex" / "celex_morphology_en.txt"
    model = read_byte_level(folder / "merges.txt", folder / "vocab.json")

    table_2(model, celex, Clock())
    clock = Clock()
    for _ in range(arguments.runs):
        reference, merges, rows = clock("all", lambda: table_2(model, celex, clock))
    total = clock.best.pop("all")
    for stage, (wall, cpu) in [*clock.best.items(), ("all of them", total)]:
        print(f"{stage:<28} {wall:7.3f} s wall {cpu:7.3f} s CPU")
    print("F1 " + ", ".join(f"{row['f1']:.4f}" for row in rows))

    words = list(dict.fromkeys(reference.words))
    marked = [f" {word}" for word in words]
    pruned = ByteLevelModel(merges)
    peer = Peer.from_file(str(folder / "BPE_from_words_oscar-en.json"))
    clock = Clock()
    contenders = {
        "pruned, here": lambda: tokenize(pruned, words),
        "plain BPE, peer by word": lambda: [peer.encode(text) for text in marked],
        "plain BPE, peer in one batch": lambda: in_one_batch(peer, marked, threads=False),
        "the same on all threads": lambda: in_one_batch(peer, marked, threads=True),
    }
    for _ in range(arguments.runs):
        for name, work in contenders.items():
            # Otherwise results cached by the run before would be reused.
            peer.model._clear_cache()
            clock(name, work)
    ours = clock.best["pruned, here"]
    print(f"\n{len(words):,} distinct words")
    for name, (wall, cpu) in clock.best.items():
        print(
            f"{name:<34} {len(words) / wall:10,.0f} words/s wall ({wall / ours[0]:5.2f} of ours) "
            f"{len(words) / cpu:10,.0f} words/s CPU ({cpu / ours[1]:5.2f})"
        )


def in_one_batch(peer, texts, threads):
    """Hugging Face on all texts at once."""
    os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads else "false"
    return peer.encode_batch(texts)


if __name__ == "__main__":
    main()

"""fast_align against eflomal, and its growth with the corpus.

    python benchmarks/align.py peers data/thesis/eng-deu/{eng,deu}_with_10k.txt
    python benchmarks/align.py growth --pairs 10000 100000 1000000

`peers` aligns the two texts (`id<TAB>sentence`) in both directions and symmetrizes, on the words and
on BPE with 1,000 merges. All contenders start from the same arrays, in this process, after one run
of ours to warm up, and take turns. eflomal (model 3, its own defaults) runs in a process of its own,
with text files between, which is the only interface it has; its CPU time is counted with ours.
Medians are printed, and eflomal's over ours.

`growth` aligns generated pairs of 25 words on average, each size in a process of its own: seconds
and peak memory, in all and for each pair. Words follow Zipf's law over 50,000 types a side; four in
five target words are the translation of a source word not far off, the others are noise.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from seggrid.align import eflomal, fast_align
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.text import read_text
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.learn import learn

MERGES = 1_000
TYPES, MEAN_LENGTH, FAITHFUL = 50_000, 25, 0.8


def main():
    """Parse the arguments and run one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    race = commands.add_parser("peers")
    race.add_argument("source", type=Path)
    race.add_argument("target", type=Path)
    race.add_argument("--runs", type=int, default=3, help="of eflomal; ours runs thrice as often")
    race.add_argument("--threads", type=int, default=2)
    grow = commands.add_parser("growth")
    grow.add_argument("--pairs", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    grow.add_argument("--threads", type=int, default=2)
    one = commands.add_parser("one-size", help="what growth runs for each size")
    one.add_argument("pairs", type=int)
    one.add_argument("threads", type=int)
    arguments = parser.parse_args()
    if arguments.command == "peers":
        peers(arguments.source, arguments.target, arguments.runs, arguments.threads)
    elif arguments.command == "growth":
        growth(arguments.pairs, arguments.threads)
    else:
        one_size(arguments.pairs, arguments.threads)


def peers(source, target, runs, threads):
    """Race ours and eflomal on words and on BPE."""
    sides = [read_text(path, "tsv")[0] for path in (source, target)]
    print(f"{'':12}{'contender':>18}{'clock s':>10}{'CPU s':>10}  links")
    for title, segmentations in (
        ("words", [Segmentation.from_words(words) for words in sides]),
        (f"BPE {MERGES:,}", [apply(learn(words, MERGES), words) for words in sides]),
    ):
        contenders = {
            f"ours, {count} thread{'s' * (count > 1)}": (fast_align, count, 3)
            for count in sorted({1, threads})
        }
        contenders[f"eflomal, {threads} threads"] = eflomal, threads, 1
        symmetrize(*fast_align.align(*segmentations))
        times = {name: [] for name in contenders}
        links = {}
        for _ in range(runs):
            for name, (aligner, count, turns) in contenders.items():
                for _ in range(turns):
                    wall, cpu = time.perf_counter(), cpu_time()
                    directions = aligner.align(*segmentations, threads=count)
                    links[name] = len(symmetrize(*directions).pairs)
                    times[name].append((time.perf_counter() - wall, cpu_time() - cpu))
        medians = {
            name: [statistics.median(column) for column in zip(*rows, strict=True)]
            for name, rows in times.items()
        }
        *ours, (_, slow) = medians.items()
        for name, (wall, cpu) in medians.items():
            print(f"{title:12}{name:>18}{wall:10.3f}{cpu:10.3f}  {links[name]:,}")
            title = ""
        for name, fast in ours:
            ratios = [slow[k] / fast[k] for k in range(2)]
            print(f"{'':12}{'eflomal / ' + name:>24}{ratios[0]:4.0f}{ratios[1]:10.0f}", flush=True)


def cpu_time():
    """User and system time of this process and of those it has waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def growth(sizes, threads):
    """Run each size in a process of its own, after one to warm up the cache of compiled kernels."""
    command = [sys.executable, os.path.abspath(__file__), "one-size"]
    subprocess.run([*command, "100", str(threads)], check=True, capture_output=True)
    print(
        f"{'pairs':>10}{'positions':>14}{'cells':>14}{'clock s':>10}{'CPU s':>10}{'ms/pair':>10}"
        f"{'peak MB':>10}{'kB/pair':>10}"
    )
    for size in sizes:
        subprocess.run([*command, str(size), str(threads)], check=True)


def one_size(size, threads):
    """Generate, align, symmetrize, and print a line of the table."""
    source, target = generated(size)
    wall, cpu = time.perf_counter(), cpu_time()
    trained = fast_align.train(source, target, threads=threads)
    symmetrize(trained.forward.links, trained.reverse.links)
    wall, cpu = time.perf_counter() - wall, cpu_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{size:10,}{source.lengths @ target.lengths:14,}{trained.cells:14,}{wall:10.1f}{cpu:10.1f}"
        f"{1e3 * wall / size:10.3f}{peak:10,.0f}{1e3 * peak / size:10.1f}",
        flush=True,
    )


def generated(size):
    """A parallel corpus of `size` sentence pairs, the same each time."""
    random = np.random.default_rng(size)
    lengths = random.integers(MEAN_LENGTH - 10, MEAN_LENGTH + 11, size)
    offsets = offsets_of(lengths)
    weights = 1 / np.arange(1, TYPES + 1)
    cumulated = np.cumsum(weights / weights.sum())

    def words(count):
        return np.searchsorted(cumulated, random.random(count)).clip(max=TYPES - 1)

    source = words(offsets[-1])
    # A target word translates the source word at its own place or up to two places off.
    place = np.arange(offsets[-1]) + random.integers(-2, 3, offsets[-1])
    place = place.clip(np.repeat(offsets[:-1], lengths), np.repeat(offsets[1:] - 1, lengths))
    faithful = random.random(offsets[-1]) < FAITHFUL
    target = np.where(faithful, source[place], words(offsets[-1]))
    positions = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    return [
        Segmentation(
            [f"{side}{k}" for k in range(TYPES)],
            ids.astype(np.int32),
            offsets,
            positions,
            positions,
        )
        for side, ids in (("e", source), ("f", target))
    ]


if __name__ == "__main__":
    main()

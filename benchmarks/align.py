"""fast_align and gibbs compared with eflomal: time, quality, and growth with the corpus.

    python benchmarks/align.py peers data/thesis/eng-deu/{eng,deu}_with_10k.txt
    python benchmarks/align.py quality data/thesis/eng-deu/{eng,deu}_with_10k.txt \\
        data/thesis/eng-deu/eng_deu.gold --merges 0 1000 4000 --seeds 10
    python benchmarks/align.py growth --aligners gibbs eflomal --pairs 10000 100000 1000000

`peers` aligns the two texts (`id<TAB>sentence`) in both directions and symmetrizes, for words and for BPE
with 1,000 merges. All programs start from the same arrays and take turns, after a warm-up run of ours. Ours
run in this process;
eflomal (model 3, its defaults, case kept) runs in a process of its own and exchanges text files, its only
interface. The CPU time of that process is included. Prints medians, and the ratios of eflomal's to ours.

`quality` scores the links of gibbs and eflomal, or of other aligners (`--aligners`), against gold links
(`id<TAB>i-j ipj ...`), with lower case and grow-diag-final-and, for words (0 merges) and for BPE with the
numbers of merges given by `--merges`. An aligner may have options, `fast_align,p0=0.2,alpha=0.1`; those of
other libraries (`align_peers`) are skipped if they are not installed. They take turns. Prints means and
standard deviations of F1 and AER over seeds, median times, and CPU time by that of the first aligner.
With `--development N`, F1 of the first N sentences with gold has a column of its own, and the other
scores are of the sentences after them.

`growth` aligns generated sentence pairs of 25 words on average, each corpus size in a process of its own, and
prints seconds and peak memory, in total and per pair, and F1 of the forward links against the truth. Words
follow Zipf's law over 50,000 types per side; four in five target words translate a source word nearby, the
others are noise. Of eflomal, peak memory is that of the program alone, without the process that calls it.
"""

import argparse
import os
import resource
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import yaml

from align_peers import HEURISTIC, PEERS
from seggrid.align import ALIGNERS
from seggrid.align.gibbs import Options
from seggrid.align.project import project
from seggrid.align.symmetrize import combine_directions
from seggrid.score.metrics import AER, F1, compute_metrics, count_hits
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn
from seggrid.text.gold import gold_from_links
from seggrid.text.link_checks import without_bad_links
from seggrid.text.link_files import read_gold_links
from seggrid.text.link_notation import Known, Notation
from seggrid.text.ragged import each_block, offsets_of
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import apply_case, read_text
from seggrid.text.words import Words, places_of
from timing import medians, timed

MERGES = 1_000
TYPES, MEAN_LENGTH, FAITHFUL = 50_000, 25, 0.8


def main():
    """Parse the arguments and run one of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    race = commands.add_parser("peers")
    race.add_argument("source", type=Path)
    race.add_argument("target", type=Path)
    race.add_argument(
        "--runs", type=int, default=3, help="of eflomal and gibbs; fast_align runs thrice as often"
    )
    race.add_argument("--threads", type=int, default=2)
    good = commands.add_parser("quality")
    for name in ("source", "target", "gold"):
        good.add_argument(name, type=Path)
    good.add_argument("--merges", type=int, nargs="+", default=[0, 1000, 4000])
    good.add_argument(
        "--aligners", nargs="+", type=contender, default=[contender("gibbs"), contender("eflomal")]
    )
    good.add_argument(
        "--format",
        choices=["tsv", "lines"],
        default="tsv",
        help="lines: neither texts nor gold have ids",
    )
    good.add_argument("--development", type=int, default=0)
    good.add_argument("--seeds", type=int, default=10)
    good.add_argument("--threads", type=int, default=2)
    grow = commands.add_parser("growth")
    grow.add_argument(
        "--aligners", nargs="+", choices=["fast_align", "gibbs", "eflomal"], default=["fast_align"]
    )
    grow.add_argument("--pairs", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    grow.add_argument("--threads", type=int, default=2)
    one = commands.add_parser("one-size", help="one corpus size; growth calls it")
    one.add_argument("aligner")
    one.add_argument("pairs", type=int)
    one.add_argument("threads", type=int)
    one.add_argument("--warm", action="store_true", help="only compile what the size needs")
    arguments = parser.parse_args()
    if arguments.command == "peers":
        peers(arguments.source, arguments.target, arguments.runs, arguments.threads)
    elif arguments.command == "quality":
        quality(arguments)
    elif arguments.command == "growth":
        growth(arguments.aligners, arguments.pairs, arguments.threads)
    else:
        one_size(arguments.aligner, arguments.pairs, arguments.threads, arguments.warm)


def peers(source, target, runs, threads):
    """Time fast_align and eflomal on words and on BPE."""
    sides = [read_text(path, "tsv")[0] for path in (source, target)]
    print(f"{'':12}{'program':>22}{'wall s':>10}{'CPU s':>10}  links")
    for title, segmentations in (
        ("words", [Segmentation.from_words(words) for words in sides]),
        (f"BPE {MERGES:,}", [apply(learn(words, MERGES), words) for words in sides]),
    ):
        contenders = {
            f"{name}, {count} thread{'s' * (count > 1)}": (ALIGNERS[name](), count, turns)
            for name, turns in (("fast_align", 3), ("gibbs", 1))
            for count in sorted({1, threads})
        }
        contenders[f"eflomal, {threads} threads"] = ALIGNERS["eflomal"](), threads, 1
        warm_up(segmentations)
        times = {name: [] for name in contenders}
        links = {}
        for _ in range(runs):
            for name, (aligner, count, turns) in contenders.items():
                for _ in range(turns):
                    align = partial(aligner.align, *segmentations, threads=count)
                    joined, *seconds = timed(lambda align=align: combine_directions(*align()))
                    links[name] = len(joined.pairs)
                    times[name].append(seconds)
        typical = medians(times)
        *ours, (_, slow) = typical.items()
        for name, (wall, cpu) in typical.items():
            print(f"{title:12}{name:>22}{wall:10.3f}{cpu:10.3f}  {links[name]:,}")
            title = ""
        for name, fast in ours:
            ratios = [slow[k] / fast[k] for k in range(2)]
            print(f"{'':4}{'eflomal / ' + name:>30}{ratios[0]:10.1f}{ratios[1]:10.1f}", flush=True)


def warm_up(segmentations):
    """Read or compile the kernels."""
    combine_directions(*ALIGNERS["fast_align"]().align(*segmentations))
    ALIGNERS["gibbs"](Options(relative_iterations=0.01)).align(*segmentations)


def contender(given):
    """A text such as `fast_align,p0=0.2`; a function (source, target, seed, threads) of symmetrized links."""
    name, *settings = given.split(",")
    if name in PEERS:
        return given, PEERS[name]
    if name not in ALIGNERS or ALIGNERS[name].encodes:
        raise argparse.ArgumentTypeError(f"no such aligner: {name}")
    options = {key: yaml.safe_load(value) for key, _, value in (s.partition("=") for s in settings)}
    aligner = ALIGNERS[name](ALIGNERS[name].settings(**options))
    return given, lambda source, target, seed, threads: combine_directions(
        *aligner.align(source, target, seed=seed, threads=threads), HEURISTIC
    )


def quality(arguments):
    """Compare aligners on words and on BPE."""
    (source, ids), (target, other) = (
        read_text(path, arguments.format) for path in (arguments.source, arguments.target)
    )
    gold_format = "pharaoh-ids" if arguments.format == "tsv" else "pharaoh"
    # The English–Hindi gold has one link outside its sentence.
    links = read_gold_links(arguments.gold, Notation(gold_format), ids or other)
    known = Known.of(Words.of(source), Words.of(target))
    gold = gold_from_links(without_bad_links(links, known), ids or other)
    sizes = np.diff(gold.sure.offsets)
    sides = [apply_case(words, "lower") for words in (source, target)]
    aligners = []
    for name, align in arguments.aligners:
        try:
            align(*(Segmentation.from_words(words[:100]) for words in sides), 0, 1)
            aligners.append((name, align))
        except ModuleNotFoundError as error:
            print(f"{name} is skipped: {error}", flush=True)
    width = max(len(name) for name, _ in aligners)
    print(
        f"{'merges':>8}  {'aligner':{width}}{'dev F1':>9}{'F1':>9}{'sd':>8}{'AER':>9}{'sd':>8}"
        f"{'wall s':>9}{'CPU s':>8}{'ratio':>8}"
    )
    for merges in arguments.merges:
        segmentations = [
            apply(learn(words, merges), words) if merges else Segmentation.from_words(words)
            for words in sides
        ]
        warm_up(segmentations)
        runs = {name: [] for name, _ in aligners}
        for seed in range(arguments.seeds):
            for name, align in aligners:
                links, wall, cpu = timed(partial(align, *segmentations, seed, arguments.threads))
                links = links.take(gold.sentences)
                words = project(links, *(side.take(gold.sentences) for side in segmentations))
                counts = count_hits(words, gold.sure, gold.possible)
                parts = slice(arguments.development), slice(arguments.development, None)
                development, scored = (
                    compute_metrics(counts[part].sum(axis=0), sizes[part].sum()) for part in parts
                )
                runs[name].append((development[F1], scored[F1], scored[AER], wall, cpu))
        first = np.median([row[-1] for row in runs[aligners[0][0]]])
        for name, rows in runs.items():
            development, f1, aer, wall, cpu = np.array(rows).T
            spread = [values.std(ddof=1) if len(rows) > 1 else np.nan for values in (f1, aer)]
            print(
                f"{merges or 'words':>8}  {name:{width}}{development.mean():9.4f}{f1.mean():9.4f}"
                f"{spread[0]:8.4f}{aer.mean():9.4f}{spread[1]:8.4f}{np.median(wall):9.2f}"
                f"{np.median(cpu):8.2f}{np.median(cpu) / first:8.2f}",
                flush=True,
            )


def growth(aligners, sizes, threads):
    """Run each size in a process of its own, after another that fills the cache of kernels: compiling takes
    memory."""
    command = [sys.executable, os.path.abspath(__file__), "one-size"]
    print(
        f"{'aligner':>10}{'pairs':>12}{'positions':>15}{'wall s':>10}{'CPU s':>10}{'ms/pair':>10}"
        f"{'peak MB':>10}{'kB/pair':>10}{'F1':>8}"
    )
    for size in sizes:
        for aligner in aligners:
            run = [*command, aligner, str(size), str(threads)]
            subprocess.run([*run, "--warm"], check=True)
            subprocess.run(run, check=True)


def one_size(aligner, size, threads, warm):
    """Generate, align, symmetrize, and print a line of the table."""
    if aligner != "eflomal":
        # Kernels are compiled or read before the time is taken.
        combine_directions(*ALIGNERS[aligner]().align(*generated(100)[:2], threads=threads))
    if warm:
        return
    source, target, places = generated(size)
    ways = []

    def work():
        ways.extend(ALIGNERS[aligner]().align(source, target, threads=threads))
        combine_directions(*ways)

    with PeakOfChildren("eflomal") as children:
        _, wall, cpu = timed(work)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    peak = children.peak if aligner == "eflomal" else peak
    positions = source.lengths @ target.lengths
    f1 = f1_of_generated(ways[0], places, source.offsets)
    print(
        f"{aligner:>10}{size:12,}{positions:15,}{wall:10.1f}{cpu:10.1f}{1e3 * cpu / size:10.3f}"
        f"{peak:10,.0f}{1e3 * peak / size:10.1f}{f1:8.4f}",
        flush=True,
    )


class PeakOfChildren:
    """The peak memory, in MB, of this process's children of a name: what the system counts for children that
    have ended begins with the memory of the process that started them. Linux only."""

    def __init__(self, name):
        self.peak, self._name, self._ended = 0.0, name, threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _watch(self):
        while not self._ended.wait(0.2):
            for listed in Path("/proc/self/task").glob("*/children"):
                with suppress(OSError):
                    for child in listed.read_text().split():
                        lines = Path(f"/proc/{child}/status").read_text().splitlines()
                        status = dict(line.split(":", 1) for line in lines)
                        # A process that has just ended has a name but no memory.
                        if status["Name"].strip() == self._name and "VmHWM" in status:
                            peak = int(status["VmHWM"].split()[0]) * 1.024e-3
                            self.peak = max(self.peak, peak)


def f1_of_generated(links, places, offsets):
    """F1 of links against the places that target words translate, -1 for noise."""
    hits = 0
    for begin, end in each_block(len(links)):
        block = links.block(begin, end)
        token = offsets[begin:end][block.sentence_of] + block.pairs[:, 1]
        hits += np.count_nonzero(places[token] == block.pairs[:, 0])
    return 2 * hits / (len(links.pairs) + np.count_nonzero(places >= 0))


def generated(size):
    """A generated parallel corpus of `size` sentence pairs, the same for each call; and the place of the
    source word that each target word translates, -1 for noise."""
    random = np.random.default_rng(size)
    lengths = random.integers(MEAN_LENGTH - 10, MEAN_LENGTH + 11, size)
    offsets = offsets_of(lengths)
    weights = 1 / np.arange(1, TYPES + 1)
    cumulated = np.cumsum(weights / weights.sum())

    def words(count):
        return np.searchsorted(cumulated, random.random(count)).clip(max=TYPES - 1)

    # All in parts: the benchmark is to need less memory than what it measures.
    parts = [slice(begin, begin + (1 << 20)) for begin in range(0, offsets[-1], 1 << 20)]

    def drawn(kind, draw):
        numbers = np.empty(offsets[-1], dtype=kind)
        for part in parts:
            numbers[part] = draw(len(numbers[part]))
        return numbers

    source = drawn(np.int32, words)
    # A target word translates the source word at its own place or up to two places off.
    place_of = drawn(np.int8, lambda count: random.integers(-2, 3, count))
    target = np.empty_like(source)
    for begin, end in each_block(size):
        own = slice(offsets[begin], offsets[end])
        first, last = (
            np.repeat(ends[begin:end], lengths[begin:end])
            for ends in (offsets[:-1], offsets[1:] - 1)
        )
        at = (np.arange(own.start, own.stop) + place_of[own]).clip(first, last)
        target[own] = source[at]
        place_of[own] = at - first
    noisy = drawn(np.bool_, lambda count: random.random(count) >= FAITHFUL)
    for part in parts:
        noise = words(len(target[part]))
        target[part] = np.where(noisy[part], noise, target[part])
    place_of[noisy] = -1
    at = places_of(offsets)
    sides = [
        Segmentation([f"{side}{k}" for k in range(TYPES)], ids, offsets, at, at)
        for side, ids in (("e", source), ("f", target))
    ]
    return *sides, place_of


if __name__ == "__main__":
    main()

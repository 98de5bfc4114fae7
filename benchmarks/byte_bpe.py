"""Time of learning a byte-level BPE from raw text, compared with the trainer of Hugging Face's tokenizers.

    python benchmarks/byte_bpe.py data/thesis/eng-deu/eng_with_10k.txt --lines 1000000

The text (`id<TAB>sentence`) is repeated up to the given number of lines; in each repetition every 50th word
is replaced by a made-up one. Both read the file, count its words and learn a vocabulary of 40,000 types
with pairs that occur twice or more. Each runs in a process of its own, on `--threads` threads; ours uses
one. Prints wall time, CPU time, peak memory and the number of common merges.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from external import long_text
from seggrid.base.lines import utf8_blocks
from seggrid.corpus.text import read_text
from seggrid.segment.byte_bpe import ALPHABET, SPECIAL, learn
from seggrid.segment.raw_words import count_words
from timing import timed

OURS, THEIRS = "seggrid", "tokenizers"


def main():
    """Parse the arguments and run both, or one of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--vocabulary", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=[OURS, THEIRS], help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        run = learn_ours if arguments.only == OURS else learn_theirs
        model, wall, cpu = timed(partial(run, str(arguments.text), arguments.vocabulary))
        arguments.output.write_text(model, encoding="utf-8")
        print(wall, cpu, peak_memory())
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments, Path(folder))


def learn_ours(path, vocabulary):
    """The text of a `tokenizer.json`."""
    words = count_words(map(bytes.decode, utf8_blocks(path)))
    return learn(words, vocabulary - ALPHABET)


def learn_theirs(path, vocabulary):
    """The same of the library."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train([path], trainer)
    return tokenizer.to_str()


def compare(arguments, folder):
    """Write the text, run both in turns, print."""
    text = folder / "text"
    sentences = long_text(read_text(arguments.text, "tsv")[0], arguments.lines)
    text.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
    del sentences
    # A first run compiles our kernels.
    small = folder / "small"
    small.write_text("a small text\n" * 3)
    measure(arguments, OURS, small, folder)
    print(f"{arguments.lines:,} lines{'':8}{'clock s':>9}{'CPU s':>9}{'peak MB':>9}{'merges':>9}")
    merges = {}
    for name in (OURS, THEIRS):
        wall, cpu, memory, merges[name] = measure(arguments, name, text, folder)
        print(f"{name:20}{wall:9.1f}{cpu:9.1f}{memory:9.0f}{len(merges[name]):9,}", flush=True)
    print(f"merges of both: {len(merges[OURS] & merges[THEIRS]):,}")


def measure(arguments, name, text, folder):
    """Wall time, CPU time, peak memory in MB, and the merges."""
    output = folder / name
    command = [sys.executable, os.path.abspath(__file__), str(text), "--only", name]
    command += ["--vocabulary", str(arguments.vocabulary), "--output", str(output)]
    threads = {"RAYON_NUM_THREADS": str(arguments.threads), "TOKENIZERS_PARALLELISM": "true"}
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | threads
    )
    wall, cpu, memory = map(float, done.stdout.split())
    content = json.loads(output.read_text())["model"]
    pairs = {tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in content["merges"]}
    return wall, cpu, memory, pairs


def peak_memory():
    """Peak memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()

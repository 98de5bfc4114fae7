"""New text with what was learned on other text: `Aligner.align` beside eflomal with priors.

    python benchmarks/new_text.py
    python benchmarks/new_text.py --texts eng.txt deu.txt --learn 10000 --recipe bpe

Learns on the first `--learn` sentence pairs, then aligns the others: `--single` of them each by itself, the
median of the wall and CPU times of a call, and all of them in one call, CPU seconds, children included.
eflomal (the recipe's tokens are words there) gets the priors that `save` wrote, and writes both directions.
"""

import argparse
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import mean, median

import seggrid
from seggrid.base.lines import read_lines
from timing import timed

ROOT = Path(__file__).resolve().parents[1]
BUILTIN = [ROOT / "resources/builtin" / name for name in ("eng.txt", "deu.txt")]


def main():
    """Parse the arguments, learn, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", nargs=2, type=Path, default=BUILTIN)
    parser.add_argument("--learn", type=int, default=1500)
    parser.add_argument("--single", type=int, default=50)
    parser.add_argument("--recipe", default="words")
    arguments = parser.parse_args()
    texts = [read_lines(file) for file in arguments.texts]
    old, new = (
        [text[part] for text in texts]
        for part in (slice(arguments.learn), slice(arguments.learn, None))
    )
    aligner = seggrid.Aligner(arguments.recipe).fit(*old)
    single = [[[line] for line in pair] for pair in zip(*new, strict=True)][: arguments.single + 1]
    ours = measured(aligner.align, single, new)
    print(f"{len(old[0]):,} sentence pairs learned, {len(new[0]):,} new ones, {arguments.recipe}")
    print("\tone pair, ms\tCPU, ms\tall, CPU s")
    show("ours", ours)
    with tempfile.TemporaryDirectory() as folder:
        words = seggrid.Aligner("words").fit(*old)
        words.save(Path(folder, "models"))
        priors = Path(folder, "models/aligner-0.priors")
        # eflomal has one count a row, ours one for each of four samplers.
        rows = (line.split("\t") for line in read_lines(priors))
        means = ("\t".join([*row[:-4], f"{mean(map(float, row[-4:]))}\n"]) for row in rows)
        priors.write_text("".join(means), "utf-8")
        theirs = measured(lambda *pair: eflomal(Path(folder), *pair), single[:6], new)
    show("eflomal", theirs)
    show("ours / eflomal", [a / b for a, b in zip(ours, theirs, strict=True)])


def eflomal(folder, source, target):
    """Align by a call of the program."""
    for name, lines in (("source", source), ("target", target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines).lower(), "utf-8")
    options = "--overwrite -s source -t target -p models/aligner-0.priors -f forward -r reverse"
    program = Path(sys.executable).parent / "eflomal-align"
    subprocess.run([program, *options.split()], cwd=folder, check=True, capture_output=True)


def measured(align, single, new):
    """Median wall and CPU milliseconds of a pair, after one to warm up; CPU seconds of all new ones."""
    align(*single[0])
    _, wall, cpu = zip(*(timed(partial(align, *pair)) for pair in single[1:]), strict=True)
    return [1000 * median(wall), 1000 * median(cpu), timed(partial(align, *new))[2]]


def show(name, values):
    """Print a row."""
    print("\t".join([name, *(f"{value:.3g}" for value in values)]))


if __name__ == "__main__":
    main()

"""The command `seggrid`: its verbs with damaged files and odd options."""

import contextlib
import io
import random
from pathlib import Path

from kind import Files, Options, encoded, expect, lines_of, plain_text, texts
from model_kinds import LEARNERS, OWN, learned
from word_kinds import make_surface

from seggrid import cli
from seggrid.errors import InputError, InputErrors
from seggrid.segment import SEGMENTERS

ODD = (
    "0",
    "-1",
    "1",
    "3",
    "0.5",
    "1/3",
    "2",
    "1e9",
    "nan",
    "",
    "x",
    "9" * 30,
    "99999999999",
    "yes",
    "٣",
)
NUMBERS = {
    "learn": ("--merges",),
    "segment": ("--merges", "--dropout", "--samples", "--seed"),
    "align": ("--threads", "--samples", "--aggregate", "--seed", "--merges", "--dropout"),
    "prune": ("--knockout", "--seed"),
    "score": ("--base", "--resamples", "--seed"),
    "measure": ("--size", "--merges"),
    "symmetrize": ("--symmetrization", "--links-base", "--above"),
}


def make_command(rnd: random.Random) -> tuple[Files, Options]:
    """A verb with its files, sometimes with an odd option."""
    verb = rnd.choice(list(NUMBERS))
    start, size = rnd.randrange(1900), rnd.choice((1, 3, 20))
    eng, deu, gold = (texts()[name][start : start + size] for name in ("eng", "deu", "gold"))
    sure = [" ".join(mark for mark in line.split() if "-" in mark) for line in gold]
    files = {"eng.txt": encoded(eng, rnd)}
    arguments = ["eng.txt"]
    if verb == "learn":
        arguments += ["--segmenter", rnd.choice(LEARNERS), "--merges", "20", "-o", "out"]
    elif verb in ("segment", "measure"):
        segmenter = rnd.choice(OWN)
        arguments += ["--segmenter", segmenter]
        if segmenter in LEARNERS:
            files["model"] = learned(segmenter)
            # The model has 80, and only a nested one can be cut to fewer.
            merges = "40" if SEGMENTERS[segmenter].nested else "80"
            arguments += ["-m", "model", "--merges", merges]
        if segmenter == "bpe" and verb == "segment":
            arguments += ["--dropout", "0.1", "--samples", "2"]
        arguments += ["-o", "out"]
    elif verb == "align":
        files["deu.txt"] = encoded(deu, rnd)
        arguments += ["deu.txt", "--segmenter", rnd.choice(("words", "characters", "bpe"))]
        arguments += ["-o", "out"]
    elif verb == "prune":
        files = {"model": learned("bpe"), "reference.tsv": make_surface(rnd)[0]["reference.tsv"]}
        arguments = ["model", "--morphemes", "reference.tsv", "-o", "out"]
    elif verb == "score":
        files = {"links": encoded(sure, rnd), "gold.txt": encoded(gold, rnd)}
        arguments = ["links", "gold.txt", "--resamples", "50", "-o", "out"]
    else:
        links, options = written(sure, rnd)
        files = {"forward": encoded(links, rnd), "reverse": encoded(links, rnd)}
        arguments = ["forward", "reverse", "-o", "out", *options]
    if rnd.random() < 0.3:
        arguments += [rnd.choice(NUMBERS[verb]), rnd.choice(ODD)]
        return files, {"arguments": [verb, *arguments], "odd": True}
    return files, {"arguments": [verb, *arguments]}


def written(lines: list[str], rnd: random.Random) -> tuple[list[str], list[str]]:
    """Pharaoh lines in the format of another program, and the options with which they are read."""
    links = [[link.split("-") for link in line.split()] for line in lines]
    format_ = rnd.choice(
        ("pharaoh", "pharaoh-ids", "weighted", "naacl", "giza", "tsinghua", "rwth")
    )
    one = [[(int(i) + 1, int(j) + 1) for i, j in row] for row in links]
    if format_ == "pharaoh-ids":
        lines = [f"{k}\t{line}" for k, line in enumerate(lines)]
    elif format_ == "weighted":
        lines = [" ".join(f"{i}-{j}:{rnd.random():.4g}" for i, j in row) for row in links]
    elif format_ == "naacl":
        lines = [f"{k} {i} {j}" for k, row in enumerate(one, 1) for i, j in row]
        return lines, ["--links-base", "1"]
    elif format_ == "giza":
        lines = []
        for k, row in enumerate(one, 1):
            size = max((i for i, _ in row), default=1)
            words = ["".join(f"{j} " for i, j in row if i == word) for word in range(size + 1)]
            source = " ".join(f"w ({{ {places}}})" for places in words)
            head = f"# Sentence pair ({k}) source length {size} target length 9 alignment score : 1"
            lines += [head, "w " * 9, source]
    elif format_ == "tsinghua":
        lines = [" ".join(f"{i}:{j}/1" for i, j in row) for row in one]
    elif format_ == "rwth":
        lines = [
            line
            for k, row in enumerate(links)
            for line in (f"SENT: {k}", *(f"S {i} {j}" for i, j in row))
        ]
    return lines, ["--links-format", format_]


def call(arguments: list[str], *, odd: bool = False) -> str:
    """Call the command; return what it prints.

    Raises:
        InputError: it refused, with status 2 and a message.
        Violation: it ended in another way.
    """
    said, printed = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(printed):
            status = cli.main(arguments)
    except SystemExit as stop:
        expect(isinstance(stop.code, str) or stop.code == 2, f"status {stop.code}")
        said.write(stop.code if isinstance(stop.code, str) else "")
        status = 2
    if not status:
        return printed.getvalue()
    expect(status == 2, f"status {status}")
    text = said.getvalue().strip()
    if not text.startswith("error: "):
        text = text.split("\n")[-1]  # argparse prints the usage first
    if not odd:
        expect(text.startswith("error: "), f"no reason is told: {text[:200]}")
    raise InputErrors([InputError(line) for line in text.split("\n")])


def run_command(folder: Path, options: Options) -> None:
    """Call the command; its status must be 0 with an output, or 2 with a message."""
    call(options["arguments"], odd="odd" in options)
    out = folder / "out"
    expect(out.is_file(), "no output")
    if options["arguments"][0] == "align":
        # The last line of a text may lack its newline.
        sentences = plain_text(folder / "eng.txt", "lines")
        expect(len(lines_of(out)) == len(sentences), "lines are lost")

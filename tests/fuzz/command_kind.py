"""The command `seggrid`: its verbs with damaged files and odd options."""

import contextlib
import io
import random
from pathlib import Path

from kind import Files, Options, encoded, expect, lines_of, texts
from model_kinds import LEARNERS, OWN, learned
from word_kinds import make_surface

from seggrid import cli
from seggrid.errors import InputError

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
    "\u0663",
)
NUMBERS = {
    "learn": ("--merges",),
    "segment": ("--merges", "--dropout", "--samples", "--seed"),
    "align": ("--threads", "--samples", "--aggregate", "--seed", "--merges", "--dropout"),
    "prune": ("--knockout", "--seed"),
    "score": ("--base", "--resamples", "--seed"),
    "measure": ("--size", "--merges"),
    "symmetrize": ("--symmetrization",),
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
            arguments += ["-m", "model", "--merges", "40"]
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
        files = {"forward": encoded(sure, rnd), "reverse": encoded(sure, rnd)}
        arguments = ["forward", "reverse", "-o", "out"]
    if rnd.random() < 0.3:
        arguments += [rnd.choice(NUMBERS[verb]), rnd.choice(ODD)]
        return files, {"arguments": [verb, *arguments], "odd": True}
    return files, {"arguments": [verb, *arguments]}


def run_command(folder: Path, options: Options) -> None:
    """Call the command; its status must be 0 with an output, or 2 with a message."""
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            status = cli.main(options["arguments"])
    except SystemExit as stop:
        expect(isinstance(stop.code, str) or stop.code == 2, f"status {stop.code}")
        told.write(stop.code if isinstance(stop.code, str) else "")
        status = 2
    if status:
        expect(status == 2, f"status {status}")
        text = told.getvalue().strip()
        if not text.startswith("error: "):
            text = text.split("\n")[-1]  # argparse prints the usage first
        if not options.get("odd"):
            expect(text.startswith("error: "), f"not told: {text[:200]}")
        raise InputError(text) if "\n" not in text else Told(text)
    out = folder / "out"
    expect(out.is_file(), "no output")
    verb = options["arguments"][0]
    if verb == "align":
        expect(len(lines_of(out)) == len(cli.arguments.read_sentences("eng.txt")), "lines are lost")


class Told(InputError):
    """A refusal of several lines."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.args = (text,)

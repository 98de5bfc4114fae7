"""Common parts of the kinds of input.

A run reads its files with the functions of the workflow, does what the workflow would do with them, and
checks the result, by a simple second reader where there is one.
"""

import functools
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isolation import Violation
from mutation import mutate_text

ROOT = Path(__file__).resolve().parents[2]
BUILTIN = ROOT / "resources" / "builtin"
MIRROR = Path(os.environ.get("SEGGRID_MIRROR", ROOT.parent / "shared" / "data"))

Files = dict[str, bytes]
Options = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of input.

    Attributes:
        make: valid files and the options that go with them, drawn at random. With the option `odd` they may
            be refused all the same.
        reads: the function that reads them, called in their folder.
        mutate: for each file, the function that damages it.
        share: how often the kind is drawn, relative to others.
        valid: how many of the inputs stay undamaged.
    """

    make: Callable[[random.Random], tuple[Files, Options]]
    reads: Callable[[Path, Options], Any]
    mutate: dict[str, Callable[[bytes, random.Random], bytes]] = field(default_factory=dict)
    share: int = 1
    valid: float = 0.03

    def draw(self, rnd: random.Random) -> tuple[Files, Options]:
        """Files damaged once or several times; some stay valid."""
        files, options = self.make(rnd)
        if rnd.random() < self.valid:
            return files, {**options, "valid": True}
        for _ in range(rnd.choice((1, 1, 1, 2, 2, 3, 6))):
            formed = [name for name in files if name in self.mutate]
            name = rnd.choice(formed if formed and rnd.random() < 0.95 else list(files))
            files[name] = self.mutate.get(name, mutate_text)(files[name], rnd)
        if rnd.random() < 0.01:
            del files[rnd.choice(list(files))]
        return files, options

    def run(self, folder: Path, options: Options) -> None:
        """Read the files; undamaged ones must not be refused."""
        try:
            self.reads(folder, options)
        except ValueError as error:
            if "valid" in options and "odd" not in options:
                raise Violation(f"valid input refused: {error}") from error
            raise


def expect(condition: bool, what: str) -> None:
    """Raise a violation unless a condition on the result holds."""
    if not condition:
        raise Violation(what)


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


@functools.cache
def texts() -> dict[str, list[str]]:
    """Lines of the built-in pair, and of published corpora if they are available."""
    found = {name: lines_of(BUILTIN / f"{name}.txt") for name in ("eng", "deu", "gold")}
    if MIRROR.is_dir():
        for name, path in {
            "thesis.eng": "thesis/eng-deu/eng_with_10k.txt",
            "thesis.deu": "thesis/eng-deu/deu_with_10k.txt",
            "thesis.gold": "thesis/eng-deu/eng_deu.gold",
            "celex": "celex/celex_morphology_en.txt",
            "celex.deu": "celex/celex_morphology_de.txt",
            "surface": "sigmorphon2022/eng.surface.tsv",
        }.items():
            if (MIRROR / path).exists():
                found[name] = lines_of(MIRROR / path)
    return found


def encoded(lines: list[str], rnd: random.Random) -> bytes:
    """Lines as a file, sometimes with a byte order mark, CRLF, or no newline at the end."""
    text = "\n".join(lines) + "\n"
    if rnd.random() < 0.1:
        text = text.replace("\n", "\r\n")
    if rnd.random() < 0.1:
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if rnd.random() < 0.1 else b"") + text.encode()


def plain_text(path: Path, format_: str) -> list[list[str]]:
    """The content of an accepted text, by the simplest possible reader."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\r")
    lines = text.removesuffix("\n").split("\n")
    if format_ == "tsv":
        lines = [line.split("\t")[1] for line in lines]
    return [[word for word in line.split(" ") if word] for line in lines]

"""Pairs of texts and their gold, as the workflow checks them and as fast_align aligns them."""

import random
import re
from pathlib import Path

from command_kind import call
from kind import Files, Options, encoded, expect, plain_text, texts

from seggrid.align.fast_align import train
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.check import check_pair
from seggrid.corpus.gold import gold_from_links, read_gold, write_gold
from seggrid.corpus.links import Notation, read_gold_links
from seggrid.corpus.text import read_text
from seggrid.data.segmentation import Segmentation
from seggrid.score.score_file import score_replicates

GOLD_FORMATS = ("pharaoh", "pharaoh-ids", "naacl", "tsinghua", "rwth")


def make_pair(rnd: random.Random) -> tuple[Files, Options]:
    size = rnd.choice((1, 2, 5, 30))
    start = rnd.randrange(1900)
    english = texts()["eng"][start : start + size]
    german = texts()["deu"][start : start + size]
    gold = texts()["gold"][start : start + size]
    options: Options = {
        "source_format": "lines",
        "target_format": "lines",
        "gold_format": "pharaoh",
    }
    options |= {"base": rnd.choice((0, 0, 1)), "swapped": rnd.random() < 0.2}
    ids = [str(k + options["base"]) for k in range(size)]
    with_ids = rnd.choice(((), (), ("source",), ("target",), ("source", "target")))
    if with_ids:
        ids = rnd.choice(
            (ids, [f"s{k}" for k in range(size)], [str(7 * k + 1) for k in range(size)])
        )
    if "source" in with_ids:
        options["source_format"] = "tsv"
        english = [f"{name}\t{line}" for name, line in zip(ids, english, strict=True)]
    if "target" in with_ids:
        options["target_format"] = "tsv"
        german = [f"{name}\t{line}" for name, line in zip(ids, german, strict=True)]
    options["gold_format"] = rnd.choice(GOLD_FORMATS)
    if options["gold_format"] == "tsinghua":
        options["base"] = 1
    links = [[(*re.split("[-p]", mark), "p" in mark) for mark in line.split()] for line in gold]
    rows = []
    for row in links:
        numbers = [(int(i) + options["base"], int(j) + options["base"], p) for i, j, p in row]
        rows.append([(j, i, p) if options["swapped"] else (i, j, p) for i, j, p in numbers])
    marks = [" ".join(f"{i}{'p' if p else '-'}{j}" for i, j, p in row) for row in rows]
    if options["gold_format"] == "pharaoh-ids":
        marks = [f"{name}\t{line}" for name, line in zip(ids, marks, strict=True)]
    elif options["gold_format"] == "tsinghua":
        marks = [" ".join(f"{i}:{j}/{int(not p)}" for i, j, p in row) for row in rows]
    elif options["gold_format"] == "rwth":
        marks = [
            line
            for name, row in zip(ids, rows, strict=True)
            for line in (f"SENT: {name}", *(f"{'P' if p else 'S'} {i} {j}" for i, j, p in row), "")
        ]
    elif options["gold_format"] == "naacl":
        if with_ids and not all(name.isdigit() for name in ids):
            options["gold_format"] = "pharaoh-ids"
            marks = [f"{name}\t{line}" for name, line in zip(ids, marks, strict=True)]
        else:
            marks = [
                f"{name} {i} {j} {'P' if p else 'S'}"
                for name, row in zip(ids, rows, strict=True)
                for i, j, p in row
            ]
    files = {"source.txt": english, "target.txt": german, "gold.txt": marks}
    return {name: encoded(lines, rnd) for name, lines in files.items()}, options


def make_odd_pair(rnd: random.Random) -> tuple[Files, Options]:
    """Like `make_pair`, but with options that do not fit the files."""
    files, options = make_pair(rnd)
    options["source_format"] = rnd.choice(("lines", "tsv"))
    options["target_format"] = rnd.choice(("lines", "tsv"))
    options["gold_format"] = rnd.choice(GOLD_FORMATS)
    options |= {"base": rnd.choice((0, 1)), "swapped": rnd.random() < 0.5, "odd": True}
    return files, options


def run_pair(folder: Path, options: Options) -> None:
    paths = [folder / f"{name}.txt" for name in ("source", "target", "gold")]
    formats = {key: options[key] for key in ("source_format", "target_format", "gold_format")}
    how = {key: options[key] for key in ("base", "swapped")}
    check_pair(*paths, **formats, **how)
    source, source_ids = read_text(paths[0], options["source_format"])
    target, target_ids = read_text(paths[1], options["target_format"])
    expect(len(source) == len(target), "sides of different lengths pass the check")
    ids = source_ids if source_ids is not None else target_ids
    gold = gold_from_links(
        read_gold_links(paths[2], Notation(options["gold_format"], **how), ids), ids
    )
    found = {
        s: (set(gold.sure.sentence(k)), set(gold.possible.sentence(k)))
        for k, s in enumerate(gold.sentences.tolist())
    }
    expect(
        found == plain_gold(paths[2], options["gold_format"], ids, **how), "another gold is read"
    )
    for s, (sure, possible) in found.items():
        expect(sure <= possible, "a sure link that is not possible")
        for i, j in possible:
            expect(i < len(source[s]) and j < len(target[s]), "a link outside its sentence passes")
    for path, format_, sentences in (
        (paths[0], options["source_format"], source),
        (paths[1], options["target_format"], target),
    ):
        expect(sentences == plain_text(path, format_), "other words are read")
    write_gold(folder / "gold.npz", gold)
    again = read_gold(folder / "gold.npz")
    expect(again.possible.lines() == gold.possible.lines(), "gold is not read back")
    sides = Segmentation.from_words(source), Segmentation.from_words(target)
    trained = train(*sides)
    words = project(symmetrize(trained.forward.links, trained.reverse.links), *sides)
    scored = score_replicates(gold, [[words.take(gold.sentences)]], ["union"], sides)
    expect(0 <= scored.sample_f1.min() <= scored.sample_f1.max() <= 1, "an F1 outside 0 to 1")


def plain_gold(
    path: Path, format_: str, ids: list[str] | None, base: int, swapped: bool
) -> dict[int, tuple[set, set]]:
    """The content of an accepted gold file, by the simplest possible reader."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\r")
    gold: dict[int, tuple[set, set]] = {}
    name = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n")):
        marks = []
        if format_ == "rwth":
            if not line.strip(" "):
                continue
            kind, *places = line.split()
            if kind == "SENT:":
                (name,) = places
            else:
                marks.append((*map(int, places), kind == "S"))
        elif format_ == "tsinghua":
            for mark in line.split():
                i, j, kind = re.fullmatch(r"(\d+):(\d+)/([01])", mark).groups()
                marks.append((int(i), int(j), kind == "1"))
        elif format_ == "naacl":
            name, i, j, *rest = line.split()
            marks.append((int(i), int(j), rest[:1] != ["P"]))
        else:
            name, _, rest = line.partition("\t") if format_ == "pharaoh-ids" else ("", "", line)
            for mark in rest.split():
                i, kind, j = re.fullmatch(r"(\d+)([-p?])(\d+)", mark).groups()
                marks.append((int(i), int(j), kind == "-"))
        name = name.strip(" ")
        if format_ in ("pharaoh", "tsinghua"):
            sentence = number
        elif ids is None:
            sentence = int(name) - base
        else:
            named = [k for k, known in enumerate(ids) if known == name]
            if format_ == "naacl" and not named:
                named = [k for k, known in enumerate(ids) if known.lstrip("0") == name.lstrip("0")]
            expect(len(named) == 1, f"the id {name!r} is that of sentences {named}")
            sentence = named[0]
        sure, possible = gold.setdefault(sentence, (set(), set()))
        for i, j, is_sure in marks:
            if format_ == "naacl" and base == 1 and 0 in (i, j):
                continue
            link = (j - base, i - base) if swapped else (i - base, j - base)
            possible.add(link)
            if is_sure:
                sure.add(link)
    return gold


def make_plain_texts(rnd: random.Random) -> tuple[Files, Options]:
    start, size = rnd.randrange(1900), rnd.choice((1, 3, 20))
    files = {
        f"{name}.txt": encoded(texts()[name][start : start + size], rnd) for name in ("eng", "deu")
    }
    return files, {}


def run_fast_align(folder: Path, options: Options) -> None:
    ask = ["align", "eng.txt", "deu.txt", "--recipe=words-fast_align", "--scores=out.scores"]
    call([*ask, "--forward=out.fwd", "--reverse=out.rev", "--output=out.sym"])
    lines = [plain_text(folder / name, "lines") for name in ("eng.txt", "deu.txt")]
    links = (folder / "out.sym").read_text().split("\n")[:-1]
    expect(len(links) == len(lines[0]) == len(lines[1]), "lines are lost")

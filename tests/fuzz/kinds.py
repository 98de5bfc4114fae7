"""The kinds of input that are fuzzed: valid files to begin with, how to damage them, what to do with them.

A run reads its files with the functions that the workflow reads them with, goes on as far as the
workflow would, and checks what comes out: against a plain reader of its own where there is one.
"""

import functools
import json
import os
import random
import re
import runpy
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from config_kind import make_config, run_config
from isolation import Violation
from mutation import mutate_json, mutate_npz, mutate_text, mutate_yaml

from seggrid.align.fast_align import Model, force_align, train
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.check import check_pair
from seggrid.corpus.gold import parse_gold, read_gold, write_gold
from seggrid.corpus.text import apply_case, read_text
from seggrid.data.alignments import read_alignments, write_alignments
from seggrid.data.boundary import BOUNDARY
from seggrid.data.npz import read_arrays
from seggrid.data.rational import read_rational
from seggrid.data.segmentation import Segmentation, unpack_segmentations, write_segmentations
from seggrid.morphology.bytelevel import byte_symbols
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.references import read_frequencies, read_reference
from seggrid.morphology.tokenizer import Tokenizer, read_byte_level
from seggrid.score.metrics import METRICS
from seggrid.score.score_file import read_score_file, score_replicates, write_score_file
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.formats import read_merges, read_tokenizer, write_merges, write_tokenizer
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import SCORINGS, WORD_END
from seggrid.segment.side import Side
from seggrid.thesis.published import read_published

ROOT = Path(__file__).resolve().parents[2]
BUILTIN = ROOT / "resources" / "builtin"
MIRROR = Path(os.environ.get("SEGGRID_MIRROR", ROOT.parent / "shared" / "data"))
SIDE = {"merges": 60, "spaces": True, "scoring": "frequency", "knockout": "none"}
SIDE |= {"application": "rank", "case": "keep", "dropout": 0, "dropout_kind": "occurrence"}

Files = dict[str, bytes]
Options = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of input.

    Attributes:
        make: valid files and the options that go with them, drawn at random.
        mutate: for each file, what damages it.
        run: what reads them, in the folder where they are.
        share: how often the kind is drawn, beside others.
    """

    make: Callable[[random.Random], tuple[Files, Options]]
    run: Callable[[Path, Options], Any]
    mutate: dict[str, Callable[[bytes, random.Random], bytes]] = field(default_factory=dict)
    share: int = 1

    def draw(self, rnd: random.Random) -> tuple[Files, Options]:
        """Files that are damaged once or several times; a few that are not."""
        files, options = self.make(rnd)
        if rnd.random() < 0.03:
            return files, {**options, "valid": True}
        for _ in range(rnd.choice((1, 1, 1, 2, 2, 3, 6))):
            name = rnd.choices(list(files), [1 if name in self.mutate else 0.02 for name in files])[
                0
            ]
            name = name if self.mutate else rnd.choice(list(files))
            files[name] = self.mutate.get(name, mutate_text)(files[name], rnd)
        if rnd.random() < 0.01:
            del files[rnd.choice(list(files))]
        return files, options


def refuse_valid(run: Callable[[Path, Options], Any]) -> Callable[[Path, Options], Any]:
    """A run that must not refuse what has not been damaged."""

    @functools.wraps(run)
    def checked(folder: Path, options: Options) -> Any:
        try:
            return run(folder, options)
        except (ValueError, SystemExit) as error:
            if options.get("valid"):
                raise Violation(f"valid input refused: {error}") from error
            raise

    return checked


def expect(condition: bool, what: str) -> None:
    """A result that must hold."""
    if not condition:
        raise Violation(what)


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


@functools.cache
def texts() -> dict[str, list[str]]:
    """Lines of the built-in pair, and of published corpora where they are."""
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


CELEX = [
    "teapot\t((tea)[N],(pot)[N])[N]",
    "unable\t((un)[A|.A],(able)[A])[A]",
    "housework\t((house)[N],(work)[N])[N]",
    "abandonment\t(((abandon)[V]),(ment)[N|V.])[N]",
    "clearance\t((clear)[A],(ance)[N|A.])[N]",
    "ran\t((run)[V])[F]",
    "o'er\t(o'er)[P]",
    "ability\t((able)[A],(ity)[N|A.])[N]",
    "a\t(a)[D]",
]


def encoded(lines: list[str], rnd: random.Random) -> bytes:
    """Lines as a file, now and then with a byte order mark, CRLF, or no newline at its end."""
    text = "\n".join(lines) + "\n"
    if rnd.random() < 0.1:
        text = text.replace("\n", "\r\n")
    if rnd.random() < 0.1:
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if rnd.random() < 0.1 else b"") + text.encode()


# Pairs of texts and their gold


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
    links = [[(*re.split("[-p]", mark), "p" in mark) for mark in line.split()] for line in gold]
    rows = []
    for row in links:
        numbers = [(int(i) + options["base"], int(j) + options["base"], p) for i, j, p in row]
        rows.append([(j, i, p) if options["swapped"] else (i, j, p) for i, j, p in numbers])
    options["gold_format"] = rnd.choice(("pharaoh", "pharaoh-ids", "naacl"))
    marks = [" ".join(f"{i}{'p' if p else '-'}{j}" for i, j, p in row) for row in rows]
    if options["gold_format"] == "pharaoh-ids":
        marks = [f"{name}\t{line}" for name, line in zip(ids, marks, strict=True)]
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
    """Like `make_pair`; the options are not those of the files."""
    files, options = make_pair(rnd)
    options["source_format"] = rnd.choice(("lines", "tsv"))
    options["target_format"] = rnd.choice(("lines", "tsv"))
    options["gold_format"] = rnd.choice(("pharaoh", "pharaoh-ids", "naacl"))
    options["base"], options["swapped"] = rnd.choice((0, 1)), rnd.random() < 0.5
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
    gold = parse_gold(paths[2], options["gold_format"], ids=ids, **how)
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


def plain_text(path: Path, format_: str) -> list[list[str]]:
    """What a text that is accepted says, read in the plainest way."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\r")
    lines = text.removesuffix("\n").split("\n")
    if format_ == "tsv":
        lines = [line.split("\t")[1] for line in lines]
    return [[word for word in line.split(" ") if word] for line in lines]


def plain_gold(
    path: Path, format_: str, ids: list[str] | None, base: int, swapped: bool
) -> dict[int, tuple[set, set]]:
    """What a gold file that is accepted says, read in the plainest way."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\r")
    gold: dict[int, tuple[set, set]] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n")):
        marks = []
        if format_ == "naacl":
            name, i, j, *rest = line.split()
            marks.append((int(i), int(j), rest[:1] != ["P"]))
        else:
            name, _, rest = line.partition("\t") if format_ == "pharaoh-ids" else ("", "", line)
            for mark in rest.split():
                i, kind, j = re.fullmatch(r"(\d+)([-p?])(\d+)", mark).groups()
                marks.append((int(i), int(j), kind == "-"))
        name = name.strip(" ")
        if format_ == "pharaoh":
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


# Morphological references


def make_surface(rnd: random.Random) -> tuple[Files, Options]:
    known = [lines_of(BUILTIN / f"{name}.morphemes.tsv") for name in ("eng", "deu")]
    known += [texts()["surface"]] if "surface" in texts() else []
    lines = rnd.sample(rnd.choice(known), rnd.choice((1, 3, 40)))
    files = {"reference.tsv": encoded(lines, rnd)}
    if rnd.random() < 0.5:
        counts = [f"{line.split(chr(9))[0]}\t{rnd.randrange(1, 10**6)}" for line in lines]
        files["frequencies.tsv"] = encoded(counts, rnd)
    return files, {"format": "surface"}


def make_celex(rnd: random.Random) -> tuple[Files, Options]:
    known = [texts()[name] for name in ("celex", "celex.deu") if name in texts()] or [CELEX]
    lines = rnd.choice(known)
    lines = rnd.sample(lines, min(len(lines), rnd.choice((3, 5, 40)))) + CELEX[:2]
    return {"reference.tsv": encoded(lines, rnd)}, {"format": "celex"}


@functools.cache
def small_model() -> Any:
    return learn([line.split() for line in texts()["eng"][:300]], 200)


def run_reference(folder: Path, options: Options) -> None:
    path = folder / "reference.tsv"
    reference = read_reference(path, options["format"])
    frequencies = None
    if "frequencies" in options or (folder / "frequencies.tsv").exists():
        frequencies = read_frequencies(folder / "frequencies.tsv")
    if options["format"] == "surface":
        plain: dict[str, set[tuple[str, ...]]] = {}
        for line in path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n"):
            if line.strip():
                word, *analyses = line.rstrip().split("\t")
                pieces = {tuple(p for p in analysis.split(" ") if p) for analysis in analyses}
                plain.setdefault(word, set()).update(pieces)
        expect(set(reference.words) == plain.keys(), "other words are read")
        for e, word in enumerate(reference.words):
            rows = range(reference.analyses[e], reference.analyses[e + 1])
            found = {cut_up(word, list(reference.morphemes.word(row))) for row in rows}
            expect(found == plain[word], f"other morphemes of {word!r} are read")
    for knockout in ("none", "blame-0.5"):
        for row in evaluate(small_model(), reference, knockout, frequencies=frequencies):
            for name in ("precision", "recall", "f1"):
                expect(row[name] is None or 0 <= row[name] <= 1, f"{name} {row[name]}")
            for name in ("true_positives", "predicted", "positives", "tests"):
                expect(row[name] is None or row[name] >= 0, f"{name} {row[name]}")


def cut_up(word: str, cuts: list[int]) -> tuple[str, ...]:
    ends = [0, *cuts, len(word)]
    return tuple(word[a:b] for a, b in pairwise(ends))


# Tokenizers from elsewhere


@functools.cache
def byte_level() -> dict[str, Any]:
    """A small byte-level BPE in the layout of tokenizer.json."""
    words = {word for line in texts()["deu"][:200] for word in line.split()}
    symbols = byte_symbols()
    spelled = [["".join(symbols[b] for b in f" {w}".encode())] for w in sorted(words)]
    merges = [
        tuple(part.replace(BOUNDARY, "") for part in merge) for merge in learn(spelled, 300).merges
    ]
    merges = [merge for merge in dict.fromkeys(merges) if all(merge)]
    types = dict.fromkeys([*symbols, *("".join(merge) for merge in merges)])
    return {"merges": merges, "vocabulary": {type_: i for i, type_ in enumerate(types)}}


def make_tokenizer(rnd: random.Random) -> tuple[Files, Options]:
    count = rnd.choice((3, 20, 300))
    merges, vocabulary = byte_level()["merges"][:count], byte_level()["vocabulary"]
    if rnd.random() < 0.4:
        lines = ["#version: 0.2"] * (rnd.random() < 0.7) + [" ".join(merge) for merge in merges]
        files = {"merges.txt": ("\n".join(lines) + "\n").encode()}
        return files | {"vocab.json": json.dumps(vocabulary).encode()}, {}
    step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    inner = {"type": "BPE", "dropout": None, "vocab": vocabulary}
    inner["merges"] = [list(m) if count == 20 else " ".join(m) for m in merges]
    content = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": step}
    content |= {"post_processor": None, "decoder": None, "model": inner}
    return {"tokenizer.json": json.dumps(content, ensure_ascii=False).encode()}, {}


def run_tokenizer(folder: Path, options: Options) -> None:
    if (folder / "merges.txt").exists() or (folder / "vocab.json").exists():
        model = read_byte_level(folder / "merges.txt", folder / "vocab.json")
    else:
        model = read_byte_level(folder / "tokenizer.json")
    words = ["Haus", "unmöglich", "", "a-b", "Straßen😀", "'s", "3.14"]
    symbols = byte_symbols()
    tokenizer = Tokenizer(model)
    for word, tokens in zip(words, tokenizer.tokenize(words), strict=True):
        spelled = "".join(symbols[b] for b in f" {word}".encode()) if word else ""
        expect("".join(tokens) == spelled, f"{word!r} becomes {tokens}")
    tokenizer.write(folder / "again.json")
    expect(Tokenizer.read(folder / "again.json").model == model, "not read back")
    reference = folder / "reference.tsv"
    reference.write_text("Häuser\tHäus er\nunklar\tun klar\n", "utf-8")
    evaluate(model, read_reference(reference, "surface"), "blame-0.5", repeats=1)


# Models that were learned here, and those of other programs


SENTENCES = [
    ["Das", "Haus", "ist", "alt", "."],
    ["unmöglich", "a-b"],
    ["Straßen😀", "ẞ"],
    ["x" * 200],
]


@functools.cache
def learned(name: str) -> bytes:
    """The file of a model of a segmenter, as it writes it."""
    sentences = [line.split() for line in texts()["deu"][:200]]
    with tempfile.TemporaryDirectory() as folder:
        learner = SEGMENTERS[name].load_learner()
        model = learner.learn(sentences, 80, side_of(name, {}))
        learner.write_model(model, Path(folder, "model"))
        return Path(folder, "model").read_bytes()


def side_of(name: str, changes: Options) -> Side:
    return Side.from_values({**SIDE, **changes, "segmenter": name})


LEARNERS = [name for name, registered in SEGMENTERS.items() if registered.learns]


def make_model(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice(LEARNERS)
    lines = learned(name).decode().split("\n")
    lines = lines[: rnd.choice((1, 5, 30, len(lines)))]
    return {"model": "\n".join(lines).encode()}, {
        "segmenter": name,
        "merges": rnd.choice((0, 5, 80)),
    }


def run_model(folder: Path, options: Options) -> None:
    segmenter = SEGMENTERS[options["segmenter"]].load()
    model = segmenter.read_model(folder / "model")
    side = side_of(options["segmenter"], {"merges": options["merges"]})
    for sample in segmenter.segment(model, SENTENCES, side, [1], 1):
        spell_words(sample)


def spell_words(sample: Segmentation, sentences: list[list[str]] = SENTENCES) -> None:
    """Check that the tokens of a segmentation spell the words, and lie where they say."""
    expect(len(sample) == len(sentences), "sentences are lost")
    for s, words in enumerate(sentences):
        tokens = sample.sentence(s)
        text = "".join(tokens).replace(BOUNDARY, "")
        plain = text.replace(WORD_END, "")  # where ends of words are marked
        expect("".join(words) in (text, plain), f"{words} becomes {tokens}")
        rows = slice(sample.offsets[s], sample.offsets[s + 1])
        expect(int(sample.last[rows].max()) == len(words) - 1, f"{words}: a word is lost")


def make_text(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice([name for name in texts() if name.startswith(("eng", "deu", "thesis"))])
    name = "deu" if name == "thesis.gold" else name
    start = rnd.randrange(1900)
    lines = texts()[name][start : start + rnd.choice((1, 5, 40))]
    options = {"segmenter": rnd.choice(list(SEGMENTERS)), "merges": rnd.choice((1, 20, 300))}
    options |= {"format": "tsv" if name.startswith("thesis") else "lines"}
    options["case"] = rnd.choice(("keep", "first", "lower"))
    if options["segmenter"] == "bpe":
        options |= {"spaces": rnd.random() < 0.6, "application": rnd.choice(("rank", "replace"))}
        options["scoring"] = rnd.choice(SCORINGS)
        options["dropout"] = rnd.choice((0, 0, 0.1, 0.9))
        options["dropout_kind"] = rnd.choice(("occurrence", "merge"))
    elif options["segmenter"] == "characters":
        options["spaces"] = rnd.random() < 0.6
    return {"text": encoded(lines, rnd)}, options


def run_text(folder: Path, options: Options) -> None:
    sentences = apply_case(read_text(folder / "text", options["format"])[0], options["case"])
    name = options["segmenter"]
    changes = {key: options[key] for key in options.keys() & SIDE.keys()}
    changes["dropout"] = read_rational(options.get("dropout", 0))
    side, registered = side_of(name, changes), SEGMENTERS[name]
    model = None
    if registered.learns:
        learner = registered.load_learner()
        learner.write_model(learner.learn(sentences, options["merges"], side), folder / "model")
        model = registered.load().read_model(folder / "model")
    for sample in registered.load().segment(model, sentences, side, [1, 2], 1):
        spell_words(sample, sentences)
        write_segmentations(folder / "segmented.npz", [sample])
        (again,) = unpack_segmentations(read_arrays(folder / "segmented.npz"))
        expect(again.lines() == sample.lines(), "a segmentation is not read back")


def make_foreign(rnd: random.Random) -> tuple[Files, Options]:
    with tempfile.TemporaryDirectory() as folder:
        sentences = [line.split() for line in texts()["deu"][:100]]
        count = rnd.choice((2, 10, 60))
        if rnd.random() < 0.5:
            write_merges(learn(sentences, count, marking="end"), Path(folder, "codes"))
            return {"codes": Path(folder, "codes").read_bytes()}, {}
        alphabet = {c for words in sentences for word in words for c in word}
        write_tokenizer(learn(sentences, count), Path(folder, "t.json"), alphabet)
        return {"tokenizer.json": Path(folder, "t.json").read_bytes()}, {}


def run_foreign(folder: Path, options: Options) -> None:
    if (folder / "codes").exists():
        model = read_merges(folder / "codes")
    else:
        model = read_tokenizer(folder / "tokenizer.json")
    for sample in SEGMENTERS["bpe"].load().segment(model, SENTENCES, side_of("bpe", {}), [1], 1):
        spell_words(sample)


# Arrays: a trained model of fast_align, and what stages hand to one another


@functools.cache
def aligned() -> tuple[Segmentation, Segmentation, Any]:
    sides = [
        Segmentation.from_words([line.split() for line in texts()[name][:12]])
        for name in ("eng", "deu")
    ]
    return (*sides, train(*sides))


@functools.cache
def arrays() -> Files:
    """A file of each kind, as the stages write them."""
    source, target, trained = aligned()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trained.model.save(folder / "model.npz")
        sample = source, target, trained.forward.links, trained.reverse.links
        write_alignments(folder / "align.npz", [sample, sample])
        (folder / "gold.txt").write_text("\n".join(texts()["gold"][:12]) + "\n")
        gold = parse_gold(folder / "gold.txt", "pharaoh")
        write_gold(folder / "gold.npz", gold)
        links = project(symmetrize(*sample[2:]), source, target)
        ways = ["union", "0.5"]
        scored = score_replicates(gold, [[links, links], [links, links]], ways, (source, target))
        write_score_file(folder / "score.npz", scored)
        return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


def make_arrays(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice(("model.npz", "model.npz", "align.npz", "gold.npz", "score.npz"))
    return {name: arrays()[name]}, {"name": name}


def run_arrays(folder: Path, options: Options) -> None:
    path = folder / options["name"]
    if not path.exists():
        return
    source, target, _ = aligned()
    if options["name"] == "model.npz":
        model = Model.load(path)
        for direction in force_align(model, source, target):
            expect(in_range(direction.links, source, target), "a link outside its sentence")
        model.lines()
        model.translations("the")
        model.save(folder / "again.npz")
    elif options["name"] == "align.npz":
        for one, other, forward, reverse in read_alignments(path):
            words = project(symmetrize(forward, reverse), one, other)
            expect(len(words) == len(one), "sentences are lost")
            one.lines()
    elif options["name"] == "gold.npz":
        gold = read_gold(path)
        expect(len(gold.sure) == len(gold.possible) == len(gold), "sentences are lost")
        expect(int(gold.sentences.min(initial=0)) >= 0, "a sentence before the first")
        gold.sure.lines()
    else:
        scored = read_score_file(path)
        expect(scored.counts.shape[2] == len(scored.sentences), "sentences are lost")
        expect(len(scored.links) == len(scored.aggregates), "links are lost")
        scored.source.lines()


def in_range(links: Any, source: Segmentation, target: Segmentation) -> bool:
    return all(
        0 <= i < source.lengths[s] and 0 <= j < target.lengths[s]
        for s in range(len(links))
        for i, j in links.sentence(s)
    )


# Programs


def run_script(name: str, *arguments: str) -> None:
    """A script of the workflow in this process."""
    path = ROOT / "workflow" / "scripts" / f"{name}.py"
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, str(path.parent))
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.path.pop(0)


def make_plain_texts(rnd: random.Random) -> tuple[Files, Options]:
    start, size = rnd.randrange(1900), rnd.choice((1, 3, 20))
    files = {
        f"{name}.txt": encoded(texts()[name][start : start + size], rnd) for name in ("eng", "deu")
    }
    return files, {}


def run_fast_align(folder: Path, options: Options) -> None:
    run_script(
        "fast_align", "--source", "eng.txt", "--target", "deu.txt", "--forward", "out.fwd",
        "--reverse", "out.rev", "--symmetrized", "out.sym", "--scores", "out.scores",
    )  # fmt: skip
    lines = [plain_text(folder / name, "lines") for name in ("eng.txt", "deu.txt")]
    links = (folder / "out.sym").read_text().split("\n")[:-1]
    expect(len(links) == len(lines[0]) == len(lines[1]), "lines are lost")


# Tables of published figures


def make_published(rnd: random.Random) -> tuple[Files, Options]:
    lines = lines_of(ROOT / "resources" / "published" / "thesis.csv")
    return {"published.csv": encoded(lines[:1] + rnd.sample(lines[1:], 5), rnd)}, {}


def run_published(folder: Path, options: Options) -> None:
    rows = read_published(folder / "published.csv")
    expect(bool(rows), "a table without rows")
    for row in rows:
        for name in METRICS:
            expect(0 <= float(row.get(name) or 0) <= 1, f"a published {name} of {row.get(name)}")


ARRAYS = ("model.npz", "align.npz", "gold.npz", "score.npz")
KINDS: dict[str, Kind] = {
    "pair": Kind(make_pair, refuse_valid(run_pair), share=5),
    "odd-pair": Kind(make_odd_pair, run_pair, share=1),
    "surface": Kind(make_surface, refuse_valid(run_reference), share=2),
    "celex": Kind(make_celex, refuse_valid(run_reference), share=2),
    "tokenizer": Kind(
        make_tokenizer,
        refuse_valid(run_tokenizer),
        {"tokenizer.json": mutate_json, "vocab.json": mutate_json},
        share=3,
    ),
    "model": Kind(make_model, refuse_valid(run_model), share=3),
    "text": Kind(make_text, refuse_valid(run_text), share=3),
    "foreign": Kind(
        make_foreign, refuse_valid(run_foreign), {"tokenizer.json": mutate_json}, share=1
    ),
    "arrays": Kind(
        make_arrays,
        refuse_valid(run_arrays),
        dict.fromkeys(("model.npz", "align.npz", "gold.npz", "score.npz"), mutate_npz),
        share=4,
    ),
    "fast-align": Kind(make_plain_texts, refuse_valid(run_fast_align), share=1),
    "config": Kind(make_config, refuse_valid(run_config), {"config.yaml": mutate_yaml}, share=5),
    "published": Kind(make_published, refuse_valid(run_published), share=1),
}

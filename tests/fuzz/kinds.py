"""The kinds of input: how valid files are made, how they are damaged, and what is done with them.

`make_…` gives valid files, and the options with which they are read; with `odd` they may be refused. `read_…`
reads them in their folder with the functions of the workflow, does what the workflow would do with them, and
checks the result, by a simple second reader where there is one.
"""

import base64
import contextlib
import functools
import html
import io
import json
import random
import re
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from damaged_files import damaged_json, damaged_text
from isolation import expect

import sides
from checked_pair import check_files
from seggrid import commands as cli
from seggrid.base.errors import InputError, InputErrors
from seggrid.base.json_file import read_json
from seggrid.base.lines import read_lines
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.frequencies import read_frequencies
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import cut_each_word
from seggrid.morphology.word_segmentation import read_word_model as read_any_model
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import learn
from seggrid.segment.byte_level import byte_symbols, bytes_of
from seggrid.segment.external.tokenizer_file import read_tokenizer
from seggrid.segment.formats.merges import write_merges
from seggrid.segment.formats.ranks import parse_ranks, tokenizer_of_ranks
from seggrid.segment.formats.tokenizer_json import parse_tokenizer
from seggrid.segment.formats.tokenizer_writer import write_tokenizer
from seggrid.segment.side_segmenter import segment_cased
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.gold import gold_from_links
from seggrid.text.link_files import read_gold_links
from seggrid.text.link_notation import Notation
from seggrid.text.segmentation import Segmentation
from seggrid.text.text_files import Text, apply_case, read_text
from sides import read_merges

ROOT = Path(__file__).resolve().parents[2]
BUILTIN = ROOT / "resources" / "builtin"
Files = dict[str, bytes]
Options = dict[str, Any]


def damaged(files: Files, rnd: random.Random, damages: int) -> Files:
    """Files that are damaged so many times."""
    for _ in range(damages):
        name = rnd.choice(list(files))
        damage = damaged_json if name.endswith(".json") else damaged_text
        files = files | {name: damage(files[name], rnd)}
    return files


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


@functools.cache
def builtin() -> dict[str, list[str]]:
    """The lines of the built-in pair and of its gold."""
    return {name: lines_of(BUILTIN / f"{name}.txt") for name in ("eng", "deu", "gold")}


def some(rnd: random.Random, *sizes: int) -> dict[str, list[str]]:
    """Some lines of the pair that follow one another."""
    start, size = rnd.randrange(1900), rnd.choice(sizes)
    return {name: lines[start : start + size] for name, lines in builtin().items()}


def encoded(lines: list[str], rnd: random.Random) -> bytes:
    """Lines as a file, sometimes with a byte order mark, CRLF, or no newline at the end."""
    text = "\n".join(lines) + "\n"
    if rnd.random() < 0.1:
        text = text.replace("\n", "\r\n")
    if rnd.random() < 0.1:
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if rnd.random() < 0.1 else b"") + text.encode()


def plain_lines(path: Path) -> list[str]:
    """The lines of an accepted text, by the simplest possible reader."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\r")
    return text.removesuffix("\n").split("\n")


# Pairs and their gold

GOLD = ("pharaoh", "pharaoh-ids", "naacl", "tsinghua")
OTHERS = ("pharaoh", "pharaoh-ids", "weighted", "naacl", "giza", "tsinghua", "rwth")
Marks = list[list[tuple[int, int, bool]]]
"""The links of each sentence, and whether each is only a possible one."""


def marks_of(lines: list[str], base: int) -> Marks:
    """The links of lines of gold, counted from `base`."""
    found = ([(*re.split("[-p]", mark), "p" in mark) for mark in line.split()] for line in lines)
    return [[(int(i) + base, int(j) + base, p) for i, j, p in row] for row in found]


def link_lines(form: str, rows: Marks, names: list[str], rnd: random.Random) -> list[str]:
    """Links of sentences with these names in a format."""
    lines = []
    for number, (name, row) in enumerate(zip(names, rows, strict=True), 1):
        marks = " ".join(f"{i}{'p' if p else '-'}{j}" for i, j, p in row)
        size = max((i for i, _, _ in row), default=1)
        words = ["".join(f"{j} " for i, j, _ in row if i == word) for word in range(size + 1)]
        head = f"# Sentence pair ({number}) source length {size} target length 9 score : 1"
        lines += {
            "pharaoh": [marks],
            "pharaoh-ids": [f"{name}\t{marks}"],
            "weighted": [" ".join(f"{i}-{j}:{rnd.random():.4g}" for i, j, _ in row)],
            "naacl": [f"{name} {i} {j} {'P' if p else 'S'}" for i, j, p in row],
            "giza": [head, "w " * 9, " ".join(f"w ({{ {places}}})" for places in words)],
            "tsinghua": [" ".join(f"{i}:{j}/{int(not p)}" for i, j, p in row)],
            "rwth": [f"SENT: {name}", *(f"{'P' if p else 'S'} {i} {j}" for i, j, p in row)],
        }[form]
    return lines


def make_pair(rnd: random.Random) -> tuple[Files, Options]:
    """Two texts and gold, at times with options that do not fit them."""
    lines = some(rnd, 1, 2, 5, 30)
    form, swapped = rnd.choice(GOLD), rnd.random() < 0.2
    base = 1 if form == "tsinghua" else rnd.choice((0, 0, 1))
    with_ids = rnd.choice(((), (), ("eng",), ("eng", "deu")))
    count = len(lines["eng"])
    names = rnd.choice((range(base, count + base), range(1, 7 * count, 7)))
    ids = list(map(str, names if with_ids else range(base, count + base)))
    marks = marks_of(lines["gold"], base)
    marks = [[(j, i, p) for i, j, p in row] for row in marks] if swapped else marks
    gold = link_lines(form, marks, ids, rnd)
    for name in with_ids:
        lines[name] = [f"{k}\t{line}" for k, line in zip(ids, lines[name], strict=True)]
    options: Options = {"gold": (form, base, swapped)}
    options["formats"] = tuple("tsv" if n in with_ids else "lines" for n in ("eng", "deu"))
    if rnd.random() < 0.15:
        options |= {"gold": (rnd.choice(GOLD), rnd.choice((0, 1)), swapped), "odd": True}
    named = {"source.txt": lines["eng"], "target.txt": lines["deu"], "gold.txt": gold}
    return {name: encoded(content, rnd) for name, content in named.items()}, options


def read_pair(folder: Path, options: Options) -> None:
    paths = [folder / f"{name}.txt" for name in ("source", "target", "gold")]
    notation = Notation(*options["gold"])
    check_files(*paths, notation, options["formats"])
    texts, ids = [], None
    for path, form in zip(paths, options["formats"], strict=False):
        sentences, own = read_text(path, form)
        plain = [line.split("\t")[1] if form == "tsv" else line for line in plain_lines(path)]
        words = [[word for word in line.split(" ") if word] for line in plain]
        expect(sentences == words, "other words are read")
        texts.append(sentences)
        ids = own if ids is None else ids
    expect(len(texts[0]) == len(texts[1]), "sides of different lengths pass the check")
    gold = gold_from_links(read_gold_links(paths[2], notation, ids), ids)
    found = {
        s: (set(gold.sure.sentence(k)), set(gold.possible.sentence(k)))
        for k, s in enumerate(gold.sentences.tolist())
    }
    expect(found == plain_gold(paths[2], *options["gold"], ids), "another gold is read")
    for s, (sure, possible) in found.items():
        expect(sure <= possible, "a sure link that is not possible")
        inside = all(i < len(texts[0][s]) and j < len(texts[1][s]) for i, j in possible)
        expect(inside, "a link outside its sentence passes")


LINKS = {
    "tsinghua": r"(?P<i>\d+):(?P<j>\d+)/(?P<kind>[01])",
    "naacl": r"\S+\s+(?P<i>\d+)\s+(?P<j>\d+)\s*(?P<kind>[SP]?).*",
}


def plain_gold(
    path: Path, form: str, base: int, swapped: bool, ids: list[str] | None
) -> dict[int, tuple[set, set]]:
    """The content of an accepted gold file, by the simplest possible reader."""
    gold: dict[int, tuple[set, set]] = {}
    for sentence, line in enumerate(plain_lines(path)):
        words = line.split()
        if form in ("pharaoh-ids", "naacl"):
            name = line.partition("\t")[0].strip(" ") if form == "pharaoh-ids" else words[0]
            named = [k for k, known in enumerate(ids or []) if known == name]
            if form == "naacl" and not named:
                zeros = name.lstrip("0")
                named = [k for k, known in enumerate(ids or []) if known.lstrip("0") == zeros]
            sentence = int(name) - base if ids is None else named[0]
            words = line.partition("\t")[2].split() if form == "pharaoh-ids" else [line.strip()]
        sure, possible = gold.setdefault(sentence, (set(), set()))
        for word in words:
            link = LINKS.get(form, r"(?P<i>\d+)(?P<kind>[-p?])(?P<j>\d+)")
            found = re.fullmatch(link, word)
            i, j = int(found["i"]), int(found["j"])
            if form == "naacl" and base == 1 and 0 in (i, j):
                continue
            pair = (j - base, i - base) if swapped else (i - base, j - base)
            possible.add(pair)
            if found["kind"] not in ("p", "?", "0", "P"):
                sure.add(pair)
    return gold


LAUGHS = "".join(f"<!ENTITY e{k} '{f'&e{k - 1};' * 10 if k else 'x' * 10}'>" for k in range(9))
DOCTYPES = (
    *("", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n', '<!DOCTYPE tmx [<!ENTITY own "mine">]>\n'),
    '<!DOCTYPE tmx SYSTEM "file:///etc/hostname" [<!ENTITY % a SYSTEM "http://localhost/a">%a;]>\n',
    f'<!DOCTYPE tmx [<!ENTITY f SYSTEM "file:///etc/passwd">{LAUGHS}]>\n',
)
ENTITIES = ("", "", "&amp;", "&#233;", "&eacute;", "&own;", "&f;", "&e8;", "&nbsp;", "&none;")


def make_tmx(rnd: random.Random) -> tuple[Files, Options]:
    lines, units = some(rnd, 4), ""
    plain = rnd.random() < 0.5
    entities, doctypes = (("é", "&#233;"), ("",)) if plain else (ENTITIES, DOCTYPES)
    for pair in zip(lines["eng"], lines["deu"], strict=True):
        units += "<tu>"
        for language, text in zip(("en", "de"), pair, strict=True):
            text = f"{html.escape(text)} caf{rnd.choice(entities)}"
            units += f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>\n'
        units += "</tu>"
    encoding = rnd.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"))
    declared = rnd.choice(("UTF-8", encoding.removesuffix("-sig")))
    head = f'<?xml version="1.0" encoding="{declared}"?>\n{rnd.choice(doctypes)}'
    body = f'{head}<tmx version="1.4"><header/><body>\n{units}</body></tmx>\n'
    return {"text.tmx": body.encode(encoding)}, {"odd": True, "encoding": encoding}


def read_tmx(folder: Path, options: Options) -> None:
    """No entity is dropped: words are read as written, or the file is refused."""
    read = Text((folder / "text.tmx",), "tmx", "en").read_words().words
    written = (folder / "text.tmx").read_bytes().decode(options["encoding"], "replace")
    plain = re.findall('lang="en"><seg>([^<&]* caf)(&amp;|&#233;|&eacute;|&nbsp;|)</seg>', written)
    for text, entity in plain:
        expected = html.unescape(text + entity).split(" ")
        expect(expected in read or "&" in text, f"{expected} is not among what is read")


# Morphological references

CELEX = """
    teapot\t((tea)[N],(pot)[N])[N]
    unable\t((un)[A|.A],(able)[A])[A]
    abandonment\t((abandon)[V],(ment)[N|V.])[N]
    ran\t((run)[V])[F]
    o'er\t(o'er)[P]
    ability\t((able)[A],(ity)[N|A.])[N]
    a\t(a)[D]
"""
CELEX_LINES = [line.strip() for line in CELEX.strip().split("\n")]


def make_reference(rnd: random.Random) -> tuple[Files, Options]:
    if rnd.random() < 0.5:
        return {"reference.tsv": encoded(CELEX_LINES, rnd)}, {"format": "celex"}
    lines = lines_of(BUILTIN / f"{rnd.choice(('eng', 'deu'))}.morphemes.tsv")
    lines = rnd.sample(lines, rnd.choice((1, 3, 40)))
    files = {"reference.tsv": encoded(lines, rnd)}
    if rnd.random() < 0.5:
        counts = [f"{line.split(chr(9))[0]}\t{rnd.randrange(1, 10**6)}" for line in lines]
        files["frequencies.tsv"] = encoded(counts, rnd)
    return files, {"format": "surface"}


@functools.cache
def small_model() -> Any:
    return learn([line.split() for line in builtin()["eng"][:300]], 200)


def read_words(folder: Path, options: Options) -> None:
    path = folder / "reference.tsv"
    reference, frequencies = read_reference(path, options["format"]), None
    if (folder / "frequencies.tsv").exists():
        frequencies = read_frequencies(folder / "frequencies.tsv")
    if options["format"] == "surface":
        plain: dict[str, set[tuple[str, ...]]] = {}
        for line in filter(str.strip, plain_lines(path)):
            word, *analyses = line.rstrip().split("\t")
            pieces = {tuple(p for p in analysis.split(" ") if p) for analysis in analyses}
            plain.setdefault(word, set()).update(pieces)
        expect(set(reference.words) == plain.keys(), "other words are read")
        for e, word in enumerate(reference.words):
            found = set()
            for row in range(reference.analyses[e], reference.analyses[e + 1]):
                ends = [0, *reference.morphemes.word(row), len(word)]
                found.add(tuple(word[a:b] for a, b in pairwise(ends)))
            expect(found == plain[word], f"other morphemes of {word!r} are read")
    for knockout in ("none", "blame-0.5"):
        for row in evaluate(small_model(), reference, knockout, frequencies=frequencies):
            for name in ("precision", "recall", "f1"):
                expect(row[name] is None or 0 <= row[name] <= 1, f"{name} {row[name]}")


# Tokenizers and models

SENTENCES = [
    ["Das", "Haus", "ist", "alt", "."],
    ["unmöglich", "a-b"],
    ["Straßen😀", "ẞ"],
    ["x" * 200],
]
OWN = [name for name in sides.READING_TEXT if not SEGMENTERS[name].requires]
OWN = [name for name in OWN if not SEGMENTERS[name].always_joint]
LEARNERS = [name for name in OWN if SEGMENTERS[name].learns]


@functools.cache
def byte_level() -> tuple[list[tuple[str, ...]], dict[str, int]]:
    """The merges and the vocabulary of a small byte-level BPE."""
    words = {word for line in builtin()["deu"][:200] for word in line.split()}
    symbols = byte_symbols()
    spelled = [["".join(symbols[b] for b in f" {w}".encode())] for w in sorted(words)]
    merges = [tuple(p.replace(BOUNDARY, "") for p in merge) for merge in learn(spelled, 300).merges]
    merges = [merge for merge in dict.fromkeys(merges) if all(merge)]
    types = dict.fromkeys([*symbols, *("".join(merge) for merge in merges)])
    return merges, {type_: i for i, type_ in enumerate(types)}


def make_tokenizer(rnd: random.Random) -> tuple[Files, Options]:
    count, (merges, vocabulary) = rnd.choice((3, 20, 300)), byte_level()
    options: Options = {}
    if rnd.random() < 0.2:  # ids that are far apart take no more memory than others
        vocabulary, options = dict(vocabulary), {"odd": True}
        vocabulary[rnd.choice(sorted(vocabulary))] = rnd.choice(
            (10**6, 2**31 - 1, 2**32, 2**63, -1)
        )
    if rnd.random() < 0.4:
        lines = ["#version: 0.2"] * (rnd.random() < 0.7) + list(map(" ".join, merges[:count]))
        files = {"merges.txt": ("\n".join(lines) + "\n").encode()}
        return files | {"vocab.json": json.dumps(vocabulary).encode()}, options
    step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    spelled = [list(m) if count == 20 else " ".join(m) for m in merges[:count]]
    model = {"type": "BPE", "dropout": None, "vocab": vocabulary, "merges": spelled}
    content = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": step}
    content |= {"post_processor": None, "decoder": None, "model": model}
    return {"tokenizer.json": json.dumps(content, ensure_ascii=False).encode()}, options


def read_bytes(folder: Path, options: Options) -> None:
    names = [
        name for name in ("merges.txt", "vocab.json", "tokenizer.json") if (folder / name).exists()
    ]
    model, symbols = read_any_model(*(folder / name for name in names)), byte_symbols()
    words = ["Haus", "unmöglich", "", "a-b", "Straßen😀", "'s", "3.14"]
    for word, tokens in zip(words, cut_each_word(model, words), strict=True):
        spelled = "".join(symbols[b] for b in f" {word}".encode()) if word else ""
        expect("".join(tokens) == spelled, f"{word!r} becomes {tokens}")
    write_tokenizer(model, folder / "again.json")
    expect(read_any_model(folder / "again.json") == model, "not read back")
    (folder / "reference.tsv").write_text("Häuser\tHäus er\nunklar\tun klar\n", "utf-8")
    evaluate(model, read_reference(folder / "reference.tsv", "surface"), "blame-0.5", repeats=1)


@functools.cache
def learned(name: str) -> bytes:
    """A model file as its segmenter writes it."""
    sentences = [line.split() for line in builtin()["deu"][:200]]
    with tempfile.TemporaryDirectory() as folder:
        SEGMENTERS[name].learn(sentences, 80, sides.side_of(name)).write(Path(folder, "model"))
        return Path(folder, "model").read_bytes()


def spell_words(samples: list[Segmentation], sentences: list[list[str]]) -> None:
    """Check that the tokens of segmentations spell the words that they are mapped to."""
    for sample in samples:
        expect(len(sample) == len(sentences), "sentences are lost")
        for s, words in enumerate(sentences):
            text = "".join(sample.sentence(s)).replace(BOUNDARY, "")
            plain = text.replace(WORD_END, "")  # if ends of words are marked
            expect("".join(words) in (text, plain), f"{words} becomes {sample.sentence(s)}")
            rows = slice(sample.offsets[s], sample.offsets[s + 1])
            expect(int(sample.last[rows].max()) == len(words) - 1, f"{words}: a word is lost")


def make_text(rnd: random.Random) -> tuple[Files, Options]:
    """A text, at times with a model."""
    options: Options = {"segmenter": rnd.choice(OWN), "merges": rnd.choice((0, 1, 20, 80, 300))}
    options["case"] = rnd.choice(("keep", "first", "lower"))
    files = {"text": encoded(some(rnd, 1, 5, 40)[rnd.choice(("eng", "deu"))], rnd)}
    if options["segmenter"] in LEARNERS and rnd.random() < 0.5:
        files["model"] = learned(options["segmenter"])
    elif options["segmenter"] == "bpe":
        options |= {"spaces": rnd.random() < 0.6, "application": rnd.choice(("rank", "replace"))}
        options |= {"scoring": rnd.choice(("frequency", "likelihood", "description_length_gain"))}
        options |= {"dropout": rnd.choice((0, 0, 0.1, 0.9)), "dropout_kind": "merge"}
    return files, options


def read_any_text(folder: Path, options: Options) -> None:
    sentences = apply_case(read_text(folder / "text", "lines")[0], options["case"])
    side, entry, model = sides.side_of(**options), SEGMENTERS[options["segmenter"]], None
    file = folder / "model"
    if entry.learns:
        if not file.exists():
            entry.learn(sentences, options["merges"], side).write(file)
        model = entry.read(file)
    for text in (sentences, SENTENCES):
        spell_words(segment_cased(side, model, text, [1, 2], 1), text)


def make_foreign(rnd: random.Random) -> tuple[Files, Options]:
    """Merges in the files of other programs."""
    sentences = [line.split() for line in builtin()["deu"][:100]]
    count, kind = rnd.choice((2, 10, 60)), rnd.choice(("0.2", "fastBPE", "0.1", "json", "ranks"))
    if kind == "ranks":
        spelled = dict.fromkeys([*byte_symbols(), *map("".join, byte_level()[0][:count])])
        rows = (f"{base64.b64encode(bytes_of(t)).decode()} {id}\n" for id, t in enumerate(spelled))
        return {"ranks": "".join(rows).encode()}, {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file")
        if kind == "json":
            alphabet = {c for words in sentences for word in words for c in word}
            write_tokenizer(learn(sentences, count), file, alphabet)
            return {"tokenizer.json": file.read_bytes()}, {}
        write_merges(learn(sentences, count, marking="end"), file)
        header, *pairs = file.read_text("utf-8").splitlines()
    if kind == "fastBPE":
        pairs = [f"{pair} {len(pairs) - k}" for k, pair in enumerate(pairs)]
    lines = [*{"0.2": [header], "0.1": ["#version: 0.1"]}.get(kind, []), *pairs]
    return {"codes": "".join(f"{line}\n" for line in lines).encode()}, {
        "odd": True
    } if kind == "0.1" else {}


def read_foreign(folder: Path, options: Options) -> None:
    if (folder / "ranks").exists():
        content = tokenizer_of_ranks(
            parse_ranks(read_lines(folder / "ranks"), folder / "ranks"), "gpt2"
        )
        (folder / "t.json").write_text(json.dumps(content), "utf-8")
        tokenizer, lines = read_tokenizer(folder / "t.json"), list(map(" ".join, SENTENCES))
        cut = tokenizer.segment(SENTENCES)
        for s, line in enumerate(lines):
            spelled = b"".join(map(tokenizer.spelled, cut.sentence(s)))
            expect(spelled == line.encode(), f"{line!r} becomes {cut.sentence(s)}")
        return
    codes, file = folder / "codes", folder / "tokenizer.json"
    model = read_merges(codes) if codes.exists() else parse_tokenizer(read_json(file), file)
    side = sides.side_of(merges=60)
    spell_words(model.segment(SENTENCES, side, [1], 1), SENTENCES)


# The command

ODD = ["0", "-1", "3", "0.5", "1/3", "1e9", "nan", "", "x", "9" * 30, "yes", "٣"]
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
    verb, lines, segmenter = rnd.choice(list(NUMBERS)), some(rnd, 1, 3, 20), rnd.choice(OWN)
    form = rnd.choice(OTHERS) if verb == "symmetrize" else "pharaoh"
    base = int(form in ("naacl", "giza", "tsinghua"))
    how = ["--links-base", "1"] if form == "naacl" else ["--links-format", form]
    marks = [[mark for mark in row if not mark[2]] for row in marks_of(lines["gold"], base)]
    names = [str(k + base) for k in range(len(marks))]
    named = {"links": link_lines(form, marks, names, rnd)}
    named |= {"eng": lines["eng"], "deu": lines["deu"], "gold": lines["gold"]}
    files = {name: encoded(content, rnd) for name, content in named.items()}
    arguments = {
        "learn": ["eng", "--segmenter", rnd.choice(LEARNERS), "--merges", "20"],
        "segment": ["eng", "--segmenter", segmenter],
        "align": ["eng", "deu", "--recipe", rnd.choice(("words", "words-fast_align"))],
        "prune": ["model", "--morphemes", "reference.tsv"],
        "score": ["links", "gold", "--resamples", "50"],
        "symmetrize": ["links", "links", *how],
    }
    arguments["measure"] = arguments["segment"]
    if verb in ("segment", "measure") and segmenter in LEARNERS:
        files["model"] = learned(segmenter)
        size = "40" if SEGMENTERS[segmenter].nested else "80"
        arguments[verb] = [*arguments[verb], "-m", "model", "--merges", size]
    if verb == "prune":
        reference, form = make_reference(rnd)
        files |= {"model": learned("bpe"), "reference.tsv": reference["reference.tsv"]}
        arguments[verb] += ["--format", form["format"]]
    odd = [rnd.choice(NUMBERS[verb]), rnd.choice(ODD)] if rnd.random() < 0.3 else []
    options: Options = {"arguments": [verb, *arguments[verb], "-o", "out", *odd]}
    return {name: files[name] for name in files if name in options["arguments"]}, {
        **options,
        **({"odd": True} if odd else {}),
    }


def read_command(folder: Path, options: Options) -> None:
    """Its status is 0 with an output, or 2 with a message."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = cli.main(options["arguments"])
    except SystemExit as stop:
        expect(isinstance(stop.code, str) or stop.code == 2, f"status {stop.code}")
        said.write(stop.code if isinstance(stop.code, str) else "")
        status = 2
    if status:
        expect(status == 2, f"status {status}")
        lines = said.getvalue().strip().split("\n")
        reasons = [line for line in lines if line.startswith("error: ")] or lines[-1:]
        told = "odd" in options or reasons[0].startswith("error: ")
        expect(told, f"no reason is told: {reasons[0][:200]}")
        raise InputErrors([InputError(line) for line in reasons])
    expect((folder / "out").is_file(), "no output")
    if options["arguments"][0] == "align":
        same = len(lines_of(folder / "out")) == len(plain_lines(folder / "eng"))
        expect(same, "lines are lost")


KINDS = {
    "pair": (make_pair, read_pair),
    "tmx": (make_tmx, read_tmx),
    "reference": (make_reference, read_words),
    "tokenizer": (make_tokenizer, read_bytes),
    "text": (make_text, read_any_text),
    "foreign": (make_foreign, read_foreign),
    "command": (make_command, read_command),
}

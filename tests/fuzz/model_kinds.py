"""Tokenizers from elsewhere, models learned here, and models learned on odd texts."""

import base64
import functools
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from kind import (
    Files,
    Options,
    encoded,
    expect,
    texts,
)

import sides
from seggrid.base.lines import read_lines
from seggrid.base.npz import read_arrays
from seggrid.base.rational import read_rational
from seggrid.corpus.text import apply_case, read_text
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.segmentation import Segmentation, unpack_segmentations, write_segmentations
from seggrid.morphology.evaluate import evaluate
from seggrid.morphology.references import read_reference
from seggrid.morphology.tokenizer import Tokenizer, read_byte_level
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.bpe.formats import read_merges, read_tokenizer, write_merges, write_tokenizer
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import SCORINGS
from seggrid.segment.bpe.ranks import parse_ranks, tokenizer_of_ranks
from seggrid.segment.bytelevel import byte_symbols, bytes_of
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.side import Side


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


SENTENCES = [
    ["Das", "Haus", "ist", "alt", "."],
    ["unmöglich", "a-b"],
    ["Straßen😀", "ẞ"],
    ["x" * 200],
]


@functools.cache
def learned(name: str) -> bytes:
    """A model file as its segmenter writes it."""
    sentences = [line.split() for line in texts()["deu"][:200]]
    with tempfile.TemporaryDirectory() as folder:
        learner = SEGMENTERS[name].load_learner()
        model = learner.learn(sentences, 80, side_of(name))
        learner.write_model(model, Path(folder, "model"))
        return Path(folder, "model").read_bytes()


def side_of(name: str, **changes: Any) -> Side:
    return sides.side_of(**{"segmenter": name, "merges": 60, **changes})


OWN = [name for name, r in SEGMENTERS.items() if not (r.outside or r.requires or r.tagged)]
LEARNERS = [name for name in OWN if SEGMENTERS[name].learns]


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
    side = side_of(options["segmenter"], merges=options["merges"])
    for sample in segmenter.segment(model, SENTENCES, side, [1], 1):
        spell_words(sample)


def spell_words(sample: Segmentation, sentences: list[list[str]] = SENTENCES) -> None:
    """Check that the tokens of a segmentation spell the words that they are mapped to."""
    expect(len(sample) == len(sentences), "sentences are lost")
    for s, words in enumerate(sentences):
        tokens = sample.sentence(s)
        text = "".join(tokens).replace(BOUNDARY, "")
        plain = text.replace(WORD_END, "")  # if ends of words are marked
        expect("".join(words) in (text, plain), f"{words} becomes {tokens}")
        rows = slice(sample.offsets[s], sample.offsets[s + 1])
        expect(int(sample.last[rows].max()) == len(words) - 1, f"{words}: a word is lost")


def make_text(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice([name for name in texts() if name.startswith(("eng", "deu", "thesis"))])
    name = "deu" if name == "thesis.gold" else name
    start = rnd.randrange(1900)
    lines = texts()[name][start : start + rnd.choice((1, 5, 40))]
    options = {"segmenter": rnd.choice(OWN), "merges": rnd.choice((1, 20, 300))}
    options |= {"format": "tsv" if name.startswith("thesis") else "lines"}
    options["case"] = rnd.choice(("keep", "first", "lower"))
    if options["segmenter"] == "bpe":
        options |= {"spaces": rnd.random() < 0.6, "application": rnd.choice(("rank", "replace"))}
        options["scoring"] = rnd.choice(SCORINGS)
        options["dropout"] = rnd.choice((0, 0, 0.1, 0.9))
        # Literal replacement has no occurrences to drop.
        kinds = ("occurrence", "merge") if options["application"] == "rank" else ("merge",)
        options["dropout_kind"] = rnd.choice(kinds)
    elif options["segmenter"] == "characters":
        options["spaces"] = rnd.random() < 0.6
    return {"text": encoded(lines, rnd)}, options


def run_text(folder: Path, options: Options) -> None:
    sentences = apply_case(read_text(folder / "text", options["format"])[0], options["case"])
    name = options["segmenter"]
    changes = {key: options[key] for key in options.keys() & AXES.keys()}
    changes["dropout"] = read_rational(options.get("dropout", 0))
    side, registered = side_of(name, **changes), SEGMENTERS[name]
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
            header, *pairs = Path(folder, "codes").read_text("utf-8").splitlines()
            # Of subword-nmt; of fastBPE, with counts; of version 0.1, which is refused.
            kind = rnd.choice(("0.2", "0.2", "fastBPE", "0.1"))
            if kind == "fastBPE":
                pairs = [f"{pair} {len(pairs) - k}" for k, pair in enumerate(pairs)]
            lines = [*{"0.2": [header], "0.1": ["#version: 0.1"]}.get(kind, []), *pairs]
            odd = {"odd": True} if kind == "0.1" else {}
            return {"codes": "".join(f"{line}\n" for line in lines).encode()}, odd
        alphabet = {c for words in sentences for word in words for c in word}
        write_tokenizer(learn(sentences, count), Path(folder, "t.json"), alphabet)
        return {"tokenizer.json": Path(folder, "t.json").read_bytes()}, {}


def make_ranks(rnd: random.Random) -> tuple[Files, Options]:
    """Ranks of tiktoken."""
    merges = byte_level()["merges"][: rnd.choice((0, 5, 200))]
    spelled = dict.fromkeys([*byte_symbols(), *map("".join, merges)])
    lines = (
        f"{base64.b64encode(bytes_of(text)).decode()} {id}\n" for id, text in enumerate(spelled)
    )
    return {"ranks": "".join(lines).encode()}, {}


def run_ranks(folder: Path, options: Options) -> None:
    ranks = parse_ranks(read_lines(folder / "ranks"), folder / "ranks")
    content = tokenizer_of_ranks(ranks, "gpt2")
    (folder / "t.json").write_text(json.dumps(content), "utf-8")
    tokenizer = HuggingFace.read(folder / "t.json")
    lines = [" ".join(words) for words in SENTENCES]
    cut = tokenizer.segment(SENTENCES)
    expect(tokenizer.decode([], lines) == lines, "the tokens do not spell the text")
    for s, line in enumerate(lines):
        spelled = b"".join(map(tokenizer.spelled, cut.sentence(s)))
        expect(spelled == line.encode(), f"{line!r} becomes {cut.sentence(s)}")


def run_foreign(folder: Path, options: Options) -> None:
    if (folder / "codes").exists():
        model = read_merges(folder / "codes")
    else:
        model = read_tokenizer(folder / "tokenizer.json")
    for sample in SEGMENTERS["bpe"].load().segment(model, SENTENCES, side_of("bpe"), [1], 1):
        spell_words(sample)

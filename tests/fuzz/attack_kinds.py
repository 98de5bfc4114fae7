"""What costs a user data, memory or trust: folders to be replaced, ids, pipes, entities, large ids, bombs."""

import bz2
import functools
import gzip
import html
import io
import json
import lzma
import os
import random
import re
import struct
import threading
import zipfile
from pathlib import Path
from typing import Any

import zstandard
from command_kind import call
from kind import Files, Options, encoded, expect, texts
from model_kinds import LEARNERS, learned, make_tokenizer

from seggrid.base.lines import read_utf8, utf8_blocks
from seggrid.base.npz import read_arrays
from seggrid.corpus.links import Notation, read_gold_links
from seggrid.corpus.text import Text, read_text
from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.external import segmenter


def sample_texts(rnd: random.Random, size: int) -> dict[str, list[str]]:
    """Lines of the built-in pair and its gold."""
    start = rnd.randrange(1900)
    return {name: texts()[name][start : start + size] for name in ("eng", "deu", "gold")}


def make_folder(rnd: random.Random) -> tuple[Files, Options]:
    lines = sample_texts(rnd, 3)
    files = {f"{name}.txt": encoded(lines[name], rnd) for name in ("eng", "deu")}
    names = ("recipe.yaml", "thesis.tex", "SHA256SUMS", "eng.txt", ".hidden", "below/x", "loop")
    options: Options = {
        "odd": True,
        "there": rnd.sample(names, rnd.randrange(4)),
        "again": rnd.random() < 0.5,
    }
    options["keep"] = rnd.choice(("K", "K", "K", "./K/", "link", "."))
    options["output"] = rnd.choice(("out", "out", "K/out", "K/SHA256SUMS", "eng.txt", "K"))
    return files, options


def run_folder(folder: Path, options: Options) -> None:
    """Keep models in a folder that may hold files of the user: none of these is changed or lost."""
    text = "eng.txt"
    if options["there"] or options["keep"] == "link":
        (folder / "K").mkdir()
    if options["keep"] == "link":
        (folder / "link").symlink_to("K")
    for name in options["there"]:
        path = folder / "K" / name
        path.parent.mkdir(exist_ok=True)
        if name == "loop":
            path.symlink_to("loop")
        else:
            path.write_bytes((folder / "eng.txt").read_bytes())
            text = "K/eng.txt" if name == "eng.txt" else text
    users = contents(folder)
    command = ["align", text, "deu.txt", "--segmenter=words", "--aligner=fast_align"]
    command += ["--keep", options["keep"], "-o", options["output"]]
    for _ in range(1 + options["again"]):
        try:
            call(command)
        except InputError:
            expect(contents(folder) == users, "refused, and changed a file")
            raise
        now = contents(folder)
        lost = [name for name in users if now.get(name) != users[name]]
        expect(not lost, f"lost or changed: {lost}")
        expect((folder / options["output"]).is_file(), "no output")
        # The second time, the folder is ours and may be replaced; what the user adds is not.
    (folder / options["keep"] / "notes").write_text("mine\n")
    users = contents(folder)
    try:
        call(command)
    except InputError:
        expect(contents(folder) == users, "refused, and changed a file")
    else:
        raise AssertionError("replaced a folder with a file of the user")


def contents(folder: Path) -> dict[str, bytes | str]:
    """All files below a folder, and where its links lead."""
    found: dict[str, bytes | str] = {}
    for place, folders, files in os.walk(folder):
        for name in [*files, *folders]:
            path = Path(place, name)
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif path.is_file():
                found[str(path)] = path.read_bytes()
    return found


def make_ids(rnd: random.Random) -> tuple[Files, Options]:
    lines = sample_texts(rnd, rnd.choice((2, 5, 12)))
    count = len(lines["eng"])
    numbers = rnd.sample(range(count), count) if rnd.random() < 0.7 else list(range(count))
    kind = rnd.choice(("{}", "{}", "s{}", "{:03}"))
    ids = [kind.format(number) for number in numbers]
    gold = [f"{name}\t{row}" for name, row in zip(ids, lines["gold"], strict=True)]
    rnd.shuffle(gold)
    texts_ = {
        f"{side}.txt": [f"{name}\t{row}" for name, row in zip(ids, lines[side], strict=True)]
        for side in ("eng", "deu")
    }
    links = [re.sub(r" ?\d+p\d+", "", row).strip() for row in lines["gold"]]
    files = {"links": links, "gold": gold, "ids": ids, **texts_}
    texts_given = ["--text", "eng.txt", "deu.txt", "--text-format", "tsv"]
    # Who says that ids are line numbers is believed.
    numbered = [["--numbered"]] if ids == [str(number) for number in range(count)] else []
    options: Options = {"how": rnd.choice((["--ids", "ids"], texts_given, [], *numbered))}
    if options["how"] in ([], ["--numbered"]):
        options["odd"] = True
    return {name: ("\n".join(rows) + "\n").encode() for name, rows in files.items()}, options


def run_ids(folder: Path, options: Options) -> None:
    """Links equal to the sure gold have an F1 of 1, or are not scored; ids are not line numbers."""
    before = contents(folder)
    printed = call(["score", "links", "gold", "--format", "pharaoh-ids", *options["how"]])
    expect(contents(folder) == before, "a file changed")
    if "valid" in options:
        rows = dict(line.split("\t")[:2] for line in printed.splitlines())
        found = float(rows.get("f1") or rows["F1"])
        expect(found == 1, f"F1 {found} of links that are the gold")


def make_pipe(rnd: random.Random) -> tuple[Files, Options]:
    verb = rnd.choice(("segment", "learn", "measure"))
    options = {"command": [verb, "--segmenter", "bpe", "--merges", "20"]}
    files = {"text": encoded(sample_texts(rnd, rnd.choice((1, 20)))["eng"], rnd)}
    if rnd.random() < 0.2:
        files["text"] = gzip.compress(files["text"])
    if verb != "learn":
        files["model"] = learned("bpe")
        options["command"] += ["-m", "model"]
    return files, options


def run_pipe(folder: Path, options: Options) -> None:
    """A text from a pipe gives what it gives from a file; a refusal is one, too."""
    verb, *more = options["command"]
    results: list[bytes | str] = []
    if not (folder / "text").exists():
        return
    os.mkfifo("pipe")
    data = (folder / "text").read_bytes()
    for source in ("text", "pipe"):
        if source == "pipe":
            threading.Thread(target=feed, args=("pipe", data), daemon=True).start()
        try:
            call([verb, source, *more, "-o", f"{source}.out"])
            results.append((folder / f"{source}.out").read_bytes())
        except InputError as error:
            results.append(str(error).replace("pipe", "text"))
    expect(isinstance(results[0], bytes) == isinstance(results[1], bytes), f"{results}"[:500])
    if isinstance(results[0], str):
        raise InputError(results[0].removeprefix("error: "))
    expect(results[0] == results[1], "other output from a pipe")


def feed(path: str, data: bytes) -> None:
    """Write to a pipe; whoever reads may stop early."""
    try:
        with open(path, "wb") as pipe:
            pipe.write(data)
    except BrokenPipeError:
        pass


TMX = """<?xml version="1.0" encoding="{declared}"?>
{doctype}<tmx version="1.4"><header/><body>
{units}
</body></tmx>
"""
LAUGHS = "".join(f"<!ENTITY e{k} '{f'&e{k - 1};' * 10 if k else 'x' * 10}'>" for k in range(9))
DOCTYPES = (
    "",
    '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n',
    '<!DOCTYPE tmx [<!ENTITY own "mine">]>\n',
    '<!DOCTYPE tmx SYSTEM "file:///etc/hostname" [<!ENTITY % a SYSTEM "http://localhost/a">%a;]>\n',
    '<!DOCTYPE tmx [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n',
    f"<!DOCTYPE tmx [{LAUGHS}]>\n",
)
ENTITIES = ("", "", "", "&amp;", "&#233;", "&eacute;", "&own;", "&f;", "&e8;", "&nbsp;", "&none;")


def make_tmx(rnd: random.Random) -> tuple[Files, Options]:
    rows = zip(*(sample_texts(rnd, 4)[name] for name in ("eng", "deu")), strict=True)
    units = []
    entities, doctypes = rnd.choice(((ENTITIES, DOCTYPES), (("\u00e9", "&#233;"), ("",))))
    for pair in rows:
        cells = (
            f'<tuv xml:lang="{language}"><seg>{html.escape(text)} caf{rnd.choice(entities)}</seg></tuv>'
            for language, text in zip(("en", "de"), pair, strict=True)
        )
        units.append(f"<tu>{''.join(cells)}</tu>")
    encoding = rnd.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"))
    content = TMX.format(
        declared=rnd.choice(("UTF-8", encoding.removesuffix("-sig"))),
        doctype=rnd.choice(doctypes),
        units="\n".join(units),
    )
    return {"text.tmx": content.encode(encoding)}, {"odd": True, "encoding": encoding}


def run_tmx(folder: Path, options: Options) -> None:
    """No entity is dropped: `caf` and what follows is read as written, or the file is refused."""
    read = Text((folder / "text.tmx",), "tmx", "en").read().words()
    if "valid" in options:
        written = (folder / "text.tmx").read_text(options["encoding"])
        segments = re.findall('lang="en"><seg>(.*?)</seg>', written)
        expected = [html.unescape(text.replace("&own;", "mine")).split(" ") for text in segments]
        expect(read == expected, f"{read} is read for {expected}")


def make_packed(rnd: random.Random) -> tuple[Files, Options]:
    """A text in one or two frames, also with skippable ones and with the widest window of Zstandard."""
    parts = [encoded(sample_texts(rnd, rnd.choice((1, 5)))["eng"], rnd) for _ in range(2)]
    wide = zstandard.ZstdCompressionParameters.from_level(
        3, window_log=31, write_content_size=False
    )
    skipped = struct.pack("<II", 0x184D2A50 + rnd.randrange(16), 4) + rnd.randbytes(4)
    pack = rnd.choice(
        (
            gzip.compress,
            zstandard.compress,
            lambda part: skipped + zstandard.compress(part),
            lambda part: zstandard.ZstdCompressor(compression_params=wide).compress(part),
            bz2.compress,
            lzma.compress,
        )
    )
    files = {"text": b"".join(parts), "packed": b"".join(map(pack, parts))}
    return files, {"odd": True}


def run_packed(folder: Path, options: Options) -> None:
    """Both readers of files agree and, if nothing is damaged, read what was packed."""
    whole = read_utf8(folder / "packed").removesuffix("\r")
    blocks = b"".join(utf8_blocks(folder / "packed")).decode()
    expect(blocks == whole, "the readers of files differ")
    if "valid" in options:
        text = (folder / "text").read_bytes().removeprefix(b"\xef\xbb\xbf").decode()
        expect(whole == text, "another text is unpacked")


def make_large_ids(rnd: random.Random) -> tuple[Files, Options]:
    content = None
    while content is None:
        files, _ = make_tokenizer(rnd)
        content = json.loads(files["tokenizer.json"]) if "tokenizer.json" in files else None
    vocabulary = content["model"]["vocab"]
    for type_ in rnd.sample(sorted(vocabulary), 2):
        vocabulary[type_] = rnd.choice((10**6, 6 * 10**7, 2**31 - 1, 2**32 - 2, 2**32, 2**63, -1))
    return {"tokenizer.json": json.dumps(content).encode()}, {"odd": True}


def run_large_ids(folder: Path, options: Options) -> None:
    """A tokenizer whose ids are far apart takes no more than its types do."""
    model = segmenter.read_model(folder / "tokenizer.json", "huggingface")
    expect(len(model.vocabulary) < 10**6, "types that the file does not have")


@functools.cache
def bomb(name: str, piece: bytes) -> bytes:
    """A small file of more than a gigabyte."""
    out, size = io.BytesIO(), 1200
    packer: Any
    if name == "array.npz":
        packer = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({size << 20},), }}"
        with packer, packer.open("pairs.npy", "w", force_zip64=True) as member:
            member.write(b"\x93NUMPY\x01\x00v\x00" + header.ljust(117).encode() + b"\n")
            for _ in range(size):
                member.write(piece * (1 << 20))
        return out.getvalue()
    packer = gzip.GzipFile("", "wb", 1, out)
    if name == "text.zst":
        packer = zstandard.ZstdCompressor().stream_writer(out, closefd=False)
    with packer:
        for _ in range(size):
            packer.write(piece * ((1 << 20) // len(piece)))
    return out.getvalue()


def make_bomb(rnd: random.Random) -> tuple[Files, Options]:
    name = rnd.choice(("text.gz", "text.zst", "array.npz"))
    readers = ("text", "gold", "model", "recipe", "npz") if name != "array.npz" else ("npz",)
    options = {"name": name, "reader": rnd.choice(readers), "odd": True}
    piece = rnd.choice((b"\0", b"a\n")) if name != "array.npz" else b"\0"
    return {name: bomb(name, piece)}, options


def run_bomb(folder: Path, options: Options) -> None:
    """Every reader refuses, or reads within the memory that `Worker` allows."""
    path = folder / options["name"]
    if not path.exists():
        return
    match options["reader"]:
        case "text":
            read_text(path, "lines")
        case "gold":
            read_gold_links(path, Notation("pharaoh"))
        case "model":
            SEGMENTERS[LEARNERS[0]].load().read_model(path)
        case "recipe":
            (folder / "t").write_text("a\n")
            call(["align", "t", "t", "--recipe", str(path), "-o", "out"])
        case _:
            read_arrays(path)

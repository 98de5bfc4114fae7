"""Damage to files: bytes, lines, trees of JSON and YAML, arrays of npz."""

import io
import json
import random
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import yaml

# Problematic texts: numbers at limits, unusual spaces, line ends, markers of our formats.
_TOKENS = r"""
    0 1 -1 00 007 1e3 0.5 nan inf -0 1_0 ٣ ² +1 2147483647 2147483648 4294967296 9223372036854775807
    9223372036854775808 1048581 65536 1000000000 é ß İ ﬁ 😀 👨‍👩‍👧 한 ก็ 𝒳 ▁ </w> Ġ ## @@ ||| # #split <s </s>
    0-0 0p0 0?0 1-1 0-99 99-0 - 0- 0--0 S P 0.9 ( ) (( [N] [F] ' |. (a)[N] [ ] { } " \ : , &a *a
    !!python/object:os.system % ${x} $(x) {x} ~ <!DOCTYPE &caf; &eacute; <tuv
"""
TOKENS = [
    *_TOKENS.split(),
    "#version: 0.2",
    "<s snum=1>",
    "1 1 1 S",
    "- ",
    "? ",
    "---\n",
    "9" * 400,
    "9" * 5000,
]
TOKENS += ["A" * 300, "\n", "\n\n", "\r\n", "\r", "\t", "\t\t", " ", "  ", "\U0010ffff", "e\u0301"]
TOKENS += list("\x00\x0b\x0c\x1b\x85\u00a0\u3000\u200b\u2028\u2029\u202e\ufeff\ufffd\u00ad")
_TEXTS = """
    a no yes none null 1 1.0 1/3 1/0 1e-9999999 0.10 ٣ a/b .. ../x / ~ ~/x -t.txt --help {x} $(x) ▁ é 😀 bpe
    words unigram blame-0.5 blame-0.50 random-0.1-seed7 iterate-0.5x3 holdout-0.5 holdout-2 union fast_align
"""
TEXTS = [*_TEXTS.split(), "", " ", "a\n", "a\x00b", "a b", "\ud7ff", "x" * 5000, "9" * 5000]
NUMBERS = [0, 1, -1, 2, 10**6, 6 * 10**7, 2**31, 2**63, 10**25, 0.0, -0.5, 0.5, 1.0, 1e300, 1e-320]
NUMBERS += [float("nan"), float("inf")]
TREES: list[Any] = [None, True, False, [], {}, [[]], [{}], [1], ["a"], {"a": 1}, [None]]
TREES += [[True, 1, "1"], ["bpe", "bpe"], [0, 0.1, 0.1], list(range(50)), {"file": "x"}]
TREES += [{"url": "u", "sha256": "0" * 64}]
KEYS = ["", "a", "1", "no", "source", "target", "pairs", "model", "vocab", "x" * 3000, "a/b", "{x}"]
NESTED = "@@nested@@"
"""Placeholder for a value nested a thousand levels deep, which no serializer writes."""


def token(rnd: random.Random) -> bytes:
    """A problematic text."""
    return rnd.choice(TOKENS).encode("utf-8", "surrogatepass")


def mutate_bytes(data: bytes, rnd: random.Random) -> bytes:
    """One change, independent of the format."""
    at, start = rnd.randrange(len(data) + 1), rnd.randrange(len(data) + 1)
    end = min(len(data), at + rnd.choice((1, 1, 2, 5, 20, 200)))
    flipped = data[:at] + bytes([data[at] ^ 1 << rnd.randrange(8)]) if at < len(data) else data
    whole = (b"", b"\n", b" ", b"\xff\xfe" + data, b"\xef\xbb\xbf" + data, b"\x1f\x8b")
    return rnd.choice(
        (
            data[:at],
            data[at:],
            data[:at] + data[end:],
            data[:at] + rnd.randbytes(rnd.choice((1, 1, 2, 8))) + data[at:],
            flipped + data[at + 1 :],
            data[:end] + data[at:end] * rnd.choice((1, 2, 50)) + data[end:],
            data[:at] + data[start : start + rnd.choice((1, 10, 100))] + data[at:],
            rnd.choice(whole),
            data[:at] + token(rnd) + data[at:],
        )
    )


def mutate_text(data: bytes, rnd: random.Random) -> bytes:
    """One change of lines, fields or characters."""
    if rnd.random() < 0.25:
        return mutate_bytes(data, rnd)
    lines = data.split(b"\n")
    k, other = rnd.randrange(len(lines)), rnd.randrange(len(lines))
    line = lines[k]
    separator = rnd.choice((b" ", b"\t"))
    fields = line.split(separator)
    field = rnd.randrange(len(fields))
    match rnd.randrange(10):
        case 0:
            del lines[k]
        case 1:
            lines.insert(other, line)
        case 2:
            lines[k], lines[other] = lines[other], lines[k]
        case 3:
            lines[k] = rnd.choice((b"", token(rnd)))
        case 4:
            lines[k] = separator.join([*fields[:field], token(rnd), *fields[field + 1 :]])
        case 5:
            lines[k] = separator.join([*fields[:field], *fields[field + 1 :]])
        case 6:
            lines[k] = line.replace(separator, rnd.choice((b"\t", b" ", b"  ", b"\xc2\xa0")))
        case 7:
            return data.replace(b"\n", rnd.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b" ")))
        case 8:
            repeats = 100_000 if rnd.random() < 0.02 else rnd.choice((10, 100, 1000))
            lines[k] = (line + b" ") * min(repeats, 2_000_000 // (len(line) + 1)) + lines[other]
        case _:
            at = rnd.randrange(len(line) + 1)
            lines[k] = line[:at] + token(rnd) + line[at:]
    return b"\n".join(lines)


def _nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a tree."""
    if isinstance(tree, dict | list):
        for key in tree if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _nodes(tree[key])


def mutate_tree(tree: Any, rnd: random.Random) -> Any:
    """One change of a tree of dictionaries and lists, in place where it can be."""
    nodes = list(_nodes(tree))
    value = json.loads(json.dumps(rnd.choice(rnd.choice((TEXTS, NUMBERS, TREES, [NESTED])))))
    if not nodes or rnd.random() < 0.01:
        return value
    # Otherwise nearly all changes would hit large lists, such as vocabularies.
    depth = rnd.choice((nodes, nodes[:40], [n for n in nodes if isinstance(n[0], dict)] or nodes))
    holder, key = rnd.choice(depth)
    other, there = rnd.choice(nodes)
    old = holder[key]
    match rnd.randrange(7):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rnd.choice(KEYS)] = rnd.choice((holder.pop(key), value))
        case 1:
            holder.insert(key, value)
        case 2:
            holder[key] = [old]
        case 3 if not isinstance(old, dict | list) and not isinstance(other[there], dict | list):
            holder[key], other[there] = other[there], old
        case 4 if isinstance(old, str):
            holder[key] = mutate_text(old.encode(), rnd).decode("utf-8", "replace")
        case 4 if isinstance(old, int | float):
            holder[key] = rnd.choice((str(old), -old, float(old) + 0.5, 10**12, 6 * 10**7))
        case _:
            holder[key] = value
    return tree


def _nest(text: str, rnd: random.Random) -> bytes:
    levels = rnd.choice((100, 1000, 20_000))
    return text.replace(f'"{NESTED}"', NESTED).replace(NESTED, "[" * levels + "]" * levels).encode()


def mutate_json(data: bytes, rnd: random.Random) -> bytes:
    """One change of a JSON file."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return mutate_text(data, rnd)
    if rnd.random() < 0.15:
        return mutate_text(data, rnd)
    return _nest(json.dumps(mutate_tree(tree, rnd), ensure_ascii=rnd.random() < 0.5), rnd)


def mutate_yaml(data: bytes, rnd: random.Random) -> bytes:
    """One change of a YAML file."""
    try:
        tree = yaml.safe_load(data)
        if rnd.random() < 0.2:
            return mutate_text(data, rnd)
        dumped = yaml.safe_dump(mutate_tree(tree, rnd), allow_unicode=True, sort_keys=False)
    except (ValueError, RecursionError, yaml.YAMLError):
        return mutate_text(data, rnd)
    return _nest(dumped, rnd)


def mutate_npz(data: bytes, rnd: random.Random) -> bytes:
    """One change of a member of an npz, or of the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        return mutate_bytes(data, rnd)
    if rnd.random() < 0.1 or not members:
        return mutate_bytes(data, rnd)
    name, other = rnd.choice(list(members)), rnd.choice(list(members))
    match rnd.randrange(14):
        case 0:
            del members[name]
        case 1:
            members[name], members[other] = members[other], members[name]
        case 2:
            members[name] = mutate_bytes(members[name], rnd)
        case 3:
            members[rnd.choice(("x.npy", "x", "../x.npy", "/x.npy"))] = members.pop(name)
        case choice:
            try:
                array = np.lib.format.read_array(io.BytesIO(members[name]), allow_pickle=False)
                changed = io.BytesIO()
                with np.errstate(all="ignore"):
                    np.lib.format.write_array(changed, mutate_array(array, choice, rnd))
                members[name] = changed.getvalue()
            except Exception:
                members[name] = mutate_bytes(members[name], rnd)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member), content)
    return out.getvalue()


def mutate_array(array: np.ndarray, choice: int, rnd: random.Random) -> np.ndarray:
    """One change of an array: of its shape, its type, or some of its values."""
    array = array.copy()
    flat, part = array.reshape(-1), array[: rnd.randrange(len(array) + 1)]
    k = rnd.randrange(len(flat)) if len(flat) else 0
    if choice == 4:
        return rnd.choice((array[:0], part, np.concatenate([array, part])))
    if choice == 5:
        return rnd.choice((flat, array[None], array[..., None], flat[:1].reshape(())))
    if choice == 6:
        types = ("i1", "u1", "i4", "u8", "f4", "f8", "c16", "U3", "S2", "?", "M8[s]", "O", ">i4")
        return array.astype(rnd.choice(types))
    if choice == 7:
        return flat[::-1].reshape(array.shape)
    if choice == 8:
        return np.zeros(rnd.choice(((0,), (1,), (0, 2), (3, 0), ())), dtype=array.dtype)
    if choice in (9, 10) and array.dtype.kind in "iuf":
        array = array.astype(rnd.choice(("i8", "f8", "u8")))
        values = [-1, -(2**31), 2**31, 2**40, 2**62, 2**20, float("nan"), float("inf"), -0.5]
    elif array.dtype.kind in "iu":
        values = [np.iinfo(array.dtype).min, np.iinfo(array.dtype).max, 0, 1, flat[k - 1]]
    elif array.dtype.kind == "f":
        values = [np.nan, np.inf, -np.inf, -1.0, 2.0, 1e300, 0.0]
    else:
        values = [flat[k - 1]]
    array.reshape(-1)[k] = rnd.choice(values)
    return array

"""Damage to files: bytes, lines, trees of JSON and YAML, arrays of npz."""

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import yaml

# Problematic texts: numbers at limits, unusual spaces, line ends, markers of our formats.
TOKENS = [
    *("0", "1", "-1", "00", "007", "1e3", "0.5", "nan", "inf", "-0", "1_0", "٣", "²", "+1"),
    *("2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808"),
    *("9" * 20, "9" * 400, "9" * 5000, "1048581", "65536", "1000000000"),
    *("\n", "\n\n", "\r\n", "\r", "\t", "\t\t", " ", "  ", "\x00", "\x0b", "\x0c", "\x1b", "\x85"),
    *("\u00a0", "\u3000", "\u200b", "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffd", "\u00ad"),
    *("é", "e\u0301", "ß", "İ", "ﬁ", "😀", "👨‍👩‍👧", "한", "ก็", "\U0010ffff", "𝒳", "A" * 300),
    *("▁", "</w>", "Ġ", "##", "@@", "|||", "#", "#split", "#version: 0.2", "<s snum=1>", "</s>"),
    *(
        "0-0",
        "0p0",
        "0?0",
        "1-1",
        "0-99",
        "99-0",
        "-",
        "0-",
        "-0",
        "0--0",
        "S",
        "P",
        "1 1 1 S",
        "0.9",
    ),
    *(
        "(",
        ")",
        "((",
        "[N]",
        "[F]",
        "'",
        "|.",
        "(a)[N]",
        "[",
        "]",
        "{",
        "}",
        '"',
        "\\",
        ":",
        ",",
        "- ",
    ),
    *("&a", "*a", "!!python/object:os.system", "? ", "---\n", "%", "${x}", "$(x)", "{x}", "~"),
]

VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        10**6,
        2**31,
        2**63,
        10**25,
        0.0,
        -0.5,
        0.5,
        1.0,
        1e300,
        1e-320,
    ),
    *(float("nan"), float("inf"), [], {}, [[]], [{}], [1], ["a"], {"a": 1}, [None], [True, 1, "1"]),
    *(
        "",
        " ",
        "a",
        "no",
        "yes",
        "none",
        "null",
        "1",
        "1.0",
        "1/3",
        "1/0",
        "1e-9999999",
        "0.10",
        "٣",
    ),
    *(
        "a\n",
        "a\x00b",
        "a b",
        "a/b",
        "..",
        "../x",
        "/",
        "~",
        "~/x",
        "-t.txt",
        "--help",
        "{x}",
        "$(x)",
    ),
    *("▁", "é", "\ud7ff", "😀", "x" * 5000, "9" * 5000, "bpe", "words", "unigram", "blame-0.5"),
    *(
        "blame-0.50",
        "random-0.1-seed7",
        "iterate-0.5x3",
        "holdout-0.5",
        "holdout-2",
        "union",
        "fast_align",
    ),
    *(
        ["bpe", "bpe"],
        [0, 0.1, 0.1],
        list(range(50)),
        {"file": "x"},
        {"url": "u", "sha256": "0" * 64},
    ),
]
KEYS = [
    "",
    "a",
    "1",
    "no",
    "source",
    "target",
    "pairs",
    "model",
    "vocab",
    "x" * 3000,
    "a/b",
    "é",
    "{x}",
]
NESTED = "@@nested@@"
"""Placeholder for a value nested a thousand levels deep, which no serializer writes."""

Mutate = Callable[[bytes, random.Random], bytes]


def mutate_bytes(data: bytes, rnd: random.Random) -> bytes:
    """One change, independent of the format."""
    at = rnd.randrange(len(data) + 1)
    end = min(len(data), at + rnd.choice((1, 1, 2, 5, 20, 200)))
    match rnd.randrange(9):
        case 0:
            return data[:at]
        case 1:
            return data[at:]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:at] + rnd.randbytes(rnd.choice((1, 1, 2, 8))) + data[at:]
        case 4 if data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 1 << rnd.randrange(8)]) + data[at + 1 :]
        case 5:
            return data[:end] + data[at:end] * rnd.choice((1, 2, 50)) + data[end:]
        case 6:
            start = rnd.randrange(len(data) + 1)
            return data[:at] + data[start : start + rnd.choice((1, 10, 100))] + data[at:]
        case 7:
            return rnd.choice(
                (b"", b"\n", b" ", b"\xff\xfe" + data, b"\xef\xbb\xbf" + data, b"\x1f\x8b")
            )
    return data[:at] + rnd.choice(TOKENS).encode("utf-8", "surrogatepass") + data[at:]


def mutate_text(data: bytes, rnd: random.Random) -> bytes:
    """One change of lines, fields or characters."""
    if rnd.random() < 0.25:
        return mutate_bytes(data, rnd)
    token = rnd.choice(TOKENS).encode("utf-8", "surrogatepass")
    lines = data.split(b"\n")
    k, other = rnd.randrange(len(lines)), rnd.randrange(len(lines))
    line = lines[k]
    match rnd.randrange(12):
        case 0:
            del lines[k]
        case 1:
            lines.insert(other, line)
        case 2:
            lines[k], lines[other] = lines[other], lines[k]
        case 3:
            lines[k] = b""
        case 4:
            lines[k] = token
        case 5:
            separator = rnd.choice((b" ", b"\t"))
            fields = line.split(separator)
            fields[rnd.randrange(len(fields))] = token
            lines[k] = separator.join(fields)
        case 6:
            fields = line.split(b" ")
            del fields[rnd.randrange(len(fields))]
            lines[k] = b" ".join(fields)
        case 7:
            old, new = rnd.choice(
                ((b" ", b"\t"), (b"\t", b" "), (b" ", b"  "), (b" ", b"\xc2\xa0"))
            )
            lines[k] = line.replace(old, new)
        case 8:
            return data.replace(b"\n", rnd.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b" ")))
        case 9:
            lines[k] = line + b" " + lines[other]
        case 10:
            repeats = 100_000 if rnd.random() < 0.02 else rnd.choice((10, 100, 1000))
            lines[k] = (line + b" ") * min(repeats, 2_000_000 // (len(line) + 1))
        case _:
            at = rnd.randrange(len(line) + 1)
            lines[k] = line[:at] + token + line[at:]
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
    if not nodes or rnd.random() < 0.01:
        return rnd.choice(VALUES)
    # Otherwise nearly all changes would hit large lists, such as vocabularies.
    depth = rnd.choice((nodes, nodes[:40], [n for n in nodes if isinstance(n[0], dict)] or nodes))
    holder, key = rnd.choice(depth)
    other, there = rnd.choice(nodes)
    value = json.loads(json.dumps(rnd.choice(VALUES))) if rnd.random() < 0.97 else NESTED
    match rnd.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rnd.choice(KEYS)] = holder.pop(key)
        case 2 if isinstance(holder, dict):
            holder[rnd.choice(KEYS)] = value
        case 2:
            holder.insert(key, value)
        case 3:
            holder[key] = [holder[key]]
        case 4 if not isinstance(holder[key], dict | list) and not isinstance(
            other[there], dict | list
        ):
            holder[key], other[there] = other[there], holder[key]
        case 5 if isinstance(holder[key], str):
            holder[key] = mutate_text(holder[key].encode(), rnd).decode("utf-8", "replace")
        case 6 if isinstance(holder[key], int | float):
            holder[key] = rnd.choice(
                (str(holder[key]), -holder[key], float(holder[key]) + 0.5, 10**12)
            )
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


def read_members(data: bytes) -> dict[str, bytes]:
    """The members of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_members(members: dict[str, bytes]) -> bytes:
    """A zip file of the given members, with valid checksums."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array, allow_pickle=True)
    return out.getvalue()


def mutate_npz(data: bytes, rnd: random.Random) -> bytes:
    """One change of a member of an npz, or of the archive."""
    try:
        members = read_members(data)
    except Exception:
        return mutate_bytes(data, rnd)
    if rnd.random() < 0.1 or not members:
        return mutate_bytes(data, rnd)
    name, other = rnd.choice(list(members)), rnd.choice(list(members))
    choice = rnd.randrange(14)
    if choice == 0:
        del members[name]
    elif choice == 1:
        members[name], members[other] = members[other], members[name]
    elif choice == 2:
        members[name] = mutate_bytes(members[name], rnd)
    elif choice == 3:
        members[rnd.choice(("x.npy", "x", "../x.npy", "/x.npy"))] = members.pop(name)
    else:
        try:
            array = np.lib.format.read_array(io.BytesIO(members[name]), allow_pickle=False)
            with np.errstate(all="ignore"):
                members[name] = _npy(mutate_array(array, choice, rnd))
        except Exception:
            members[name] = mutate_bytes(members[name], rnd)
    return write_members(members)


def mutate_array(array: np.ndarray, choice: int, rnd: random.Random) -> np.ndarray:
    """One change of an array: of its shape, its type, or some of its values."""
    array = array.copy()
    flat = array.reshape(-1)
    if choice == 4:
        return array[:0]
    if choice == 5:
        return rnd.choice((flat, array[None], array[..., None], array.reshape(-1)[:1].reshape(())))
    if choice == 6:
        types = ("i1", "u1", "i4", "u8", "f4", "f8", "c16", "U3", "S2", "?", "M8[s]", "O", ">i4")
        return array.astype(rnd.choice(types))
    if choice == 7:
        return array[: rnd.randrange(len(array) + 1)]
    if choice == 8:
        return np.concatenate([array, array[: rnd.randrange(len(array) + 1)]])
    if choice == 9 and array.dtype.kind in "iuf":
        wide = array.astype(rnd.choice(("i8", "f8", "u8")))
        values = (-1, -(2**31), 2**31, 2**40, 2**62, 2**20, float("nan"), float("inf"), -0.5)
        wide.reshape(-1)[rnd.randrange(len(flat))] = rnd.choice(values)
        return wide
    if choice == 10:
        return flat[::-1].reshape(array.shape)
    if choice == 11:
        return np.zeros(rnd.choice(((0,), (1,), (0, 2), (3, 0), ())), dtype=array.dtype)
    if len(flat):
        k = rnd.randrange(len(flat))
        if array.dtype.kind in "iu":
            limits = np.iinfo(array.dtype)
            flat[k] = rnd.choice((limits.min, limits.max, 0, 1, flat[k - 1]))
        elif array.dtype.kind == "f":
            flat[k] = rnd.choice((np.nan, np.inf, -np.inf, -1.0, 2.0, 1e300, 0.0))
        else:
            flat[k] = flat[k - 1]
    return array

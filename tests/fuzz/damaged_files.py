"""Damage to files: to bytes, to lines, to trees of JSON and YAML, to arrays of npz."""

import io
import json
import random
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import yaml

_TOKENS = r"""
    0 1 -1 00 007 1e3 0.5 nan inf 1_0 ٣ ² +1 2147483648 9223372036854775808 1048581 é ß İ ﬁ 😀 👨‍👩‍👧 한 ก็ 𝒳
    ▁ </w> Ġ ## @@ ||| # #split <s 0-0 0p0 0?0 0-99 99-0 - 0- 0--0 1:1/1 1:1/2 SENT: S P ( ) (( [N] [F] ' |.
    (a)[N] { } " \ : , &a *a !!python/object:os.system % ${x} $(x) ~ <!DOCTYPE &caf; &eacute; <tuv ({ 1 })
"""
TOKENS = [
    *_TOKENS.split(),
    *("#version: 0.2", "<s snum=1>", "1 1 1 S", "- ", "---\n", "9" * 5000, "A" * 300, "\n\n"),
    *"\n\r\t \x00\x0b\x1b\x85\u00a0\u3000\u200b\u2028\u202e\ufeff\ufffd\U0010ffff",
]
"""Problematic texts: numbers at limits, unusual spaces and line ends, marks of our formats."""
VALUES: list[Any] = [
    *(
        "a",
        "no",
        "none",
        "1",
        "1/3",
        "1/0",
        "1e-9999999",
        "0.10",
        "../x",
        "~",
        "--help",
        "{x}",
        "$(x)",
    ),
    *(
        "▁",
        "😀",
        "bpe",
        "blame-0.5",
        "holdout-2",
        "",
        " ",
        "a\n",
        "a\x00b",
        "\ud7ff",
        "x" * 5000,
        "9" * 5000,
    ),
    *(0, 1, -1, 10**6, 2**31, 2**63, 10**25, -0.5, 0.5, 1e300, 1e-320, float("nan"), float("inf")),
    *(
        None,
        True,
        False,
        [],
        {},
        [[]],
        [{}],
        {"a": 1},
        ["bpe", "bpe"],
        list(range(50)),
        {"file": "x"},
    ),
    {"url": "u", "sha256": "0" * 64},
]
KEYS = ["", "a", "1", "no", "source", "pairs", "model", "vocab", "x" * 3000, "a/b", "{x}"]
NESTED = "@@nested@@"
"""Stands for a value that is nested deeper than any serializer writes."""


def damaged_bytes(data: bytes, rnd: random.Random) -> bytes:
    """One change that knows no format."""
    at = rnd.randrange(len(data) + 1)
    end = min(len(data), at + rnd.choice((1, 2, 20, 200)))
    return rnd.choice(
        (
            data[:at],
            data[at:],
            data[:at] + data[end:],
            data[:at] + rnd.randbytes(rnd.choice((1, 2, 8))) + data[at:],
            data[:end] + data[at:end] * rnd.choice((1, 50)) + data[end:],
            data[:at] + rnd.choice(TOKENS).encode() + data[at:],
            rnd.choice((b"", b"\n", b"\xff\xfe" + data, b"\xef\xbb\xbf" + data, b"\x1f\x8b")),
        )
    )


def damaged_text(data: bytes, rnd: random.Random) -> bytes:
    """One change of a line, a field or a character."""
    if rnd.random() < 0.25:
        return damaged_bytes(data, rnd)
    lines = data.split(b"\n")
    k, other = rnd.randrange(len(lines)), rnd.randrange(len(lines))
    line, separator, token = lines[k], rnd.choice((b" ", b"\t")), rnd.choice(TOKENS).encode()
    fields = line.split(separator)
    place = rnd.randrange(len(fields))
    match rnd.randrange(8):
        case 0:
            del lines[k]
        case 1:
            lines[k], lines[other] = lines[other], rnd.choice((line, lines[other]))
        case 2:
            lines[k] = rnd.choice((b"", token))
        case 3:
            new = rnd.choice(([], [token]))
            lines[k] = separator.join([*fields[:place], *new, *fields[place + 1 :]])
        case 4:
            lines[k] = line.replace(separator, rnd.choice((b"\t", b" ", b"  ", b"\xc2\xa0")))
        case 5:
            return data.replace(b"\n", rnd.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b" ")))
        case 6:
            lines[k] = (line + b" ") * min(rnd.choice((10, 1000)), 2_000_000 // (len(line) + 1))
        case _:
            at = rnd.randrange(len(line) + 1)
            lines[k] = line[:at] + token + line[at:]
    return b"\n".join(lines)


def _nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a tree with each of its keys."""
    if isinstance(tree, dict | list):
        for key in tree if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _nodes(tree[key])


def _damaged_tree(tree: Any, rnd: random.Random) -> Any:
    """One change of a tree, in place where it can be."""
    nodes = list(_nodes(tree))
    value = json.loads(json.dumps(rnd.choice([*VALUES, NESTED])))
    if not nodes or rnd.random() < 0.01:
        return value
    # Otherwise nearly all changes would hit large lists, such as vocabularies.
    holder, key = rnd.choice(rnd.choice((nodes, nodes[:40])))
    old = holder[key]
    match rnd.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rnd.choice(KEYS)] = rnd.choice((holder.pop(key), value))
        case 1:
            holder.insert(key, value)
        case 2:
            holder[key] = [old]
        case 3 if isinstance(old, str):
            holder[key] = damaged_text(old.encode(), rnd).decode("utf-8", "replace")
        case 3 if isinstance(old, int | float):
            holder[key] = rnd.choice((str(old), -old, float(old) + 0.5, 10**12))
        case _:
            holder[key] = value
    return tree


def damaged_tree(data: bytes, rnd: random.Random, read: Any, write: Any) -> bytes:
    """One change of a file of JSON or YAML."""
    try:
        if rnd.random() < 0.2:
            raise ValueError
        text = write(_damaged_tree(read(data), rnd))
    except (ValueError, RecursionError, yaml.YAMLError):
        return damaged_text(data, rnd)
    levels = rnd.choice((100, 1000, 20_000))
    nested = "[" * levels + "]" * levels
    return text.replace(f'"{NESTED}"', nested).replace(NESTED, nested).encode()


def damaged_json(data: bytes, rnd: random.Random) -> bytes:
    """One change of a JSON file."""
    return damaged_tree(data, rnd, json.loads, json.dumps)


def damaged_yaml(data: bytes, rnd: random.Random) -> bytes:
    """One change of a YAML file."""
    return damaged_tree(
        data, rnd, yaml.safe_load, lambda tree: yaml.safe_dump(tree, sort_keys=False)
    )


def damaged_npz(data: bytes, rnd: random.Random) -> bytes:
    """One change of a member of an npz, or of the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        name, other = rnd.choice(list(members)), rnd.choice(list(members))
        kind = rnd.randrange(10)
        if kind == 0:
            del members[name]
        elif kind == 1:
            members[name], members[other] = members[other], members[name]
        elif kind == 2:
            members[rnd.choice(("x.npy", "x", "../x.npy", "/x.npy"))] = members.pop(name)
        elif kind > 3:
            array = np.lib.format.read_array(io.BytesIO(members[name]), allow_pickle=False)
            changed = io.BytesIO()
            with np.errstate(all="ignore"):
                np.lib.format.write_array(changed, _damaged_array(array, rnd))
            members[name] = changed.getvalue()
        else:
            members[name] = damaged_bytes(members[name], rnd)
    except Exception:
        return damaged_bytes(data, rnd)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member), content)
    return out.getvalue()


def _damaged_array(array: np.ndarray, rnd: random.Random) -> np.ndarray:
    """One change of the shape of an array, of its type, or of a value."""
    flat, part = array.reshape(-1), array[: rnd.randrange(len(array) + 1)]
    types = ("i1", "u1", "i4", "u8", "f4", "f8", "c16", "U3", "?", "M8[s]", "O", ">i4")
    values = (-1, 0, -(2**31), 2**31, 2**40, 2**62, float("nan"), float("inf"), -0.5, 2.0)
    changed = array.astype(rnd.choice(("i8", "f8", array.dtype)))
    changed.reshape(-1)[rnd.randrange(len(flat))] = rnd.choice(values)
    return rnd.choice(
        (
            *(array[:0], part, np.concatenate([array, part]), flat, array[None], array[..., None]),
            *(
                flat[:1].reshape(()),
                flat[::-1].reshape(array.shape),
                array.astype(rnd.choice(types)),
            ),
            *(np.zeros(rnd.choice(((0,), (1,), (0, 2), ())), array.dtype), *[changed] * 8),
        )
    )

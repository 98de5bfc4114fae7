"""Damage to files: to bytes, to lines, to trees of JSON."""

import json
import random
from collections.abc import Iterator
from typing import Any

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
VALUES: list[Any] = yaml.safe_load(r"""
    [a, "no", none, "1", 1/3, 1/0, "1e-9999999", "0.10", ../x, "~", --help, "{x}", $(x), ▁, 😀, bpe,
     blame-0.5, holdout-2, "", " ", "a\n", "a\0b", "\uD7FF", 0, 1, -1, 1000000, 2147483648, -0.5, 0.5,
     9223372036854775808, 10000000000000000000000000, 1.0e+300, 1.0e-320, .nan, .inf, null, true, false, [],
     {}, [[]], [{}], {a: 1}, [bpe, bpe], {file: x}]
""")
VALUES += ["x" * 5000, "9" * 5000, list(range(50)), {"url": "u", "sha256": "0" * 64}]
KEYS = ["", "a", "1", "no", "source", "pairs", "model", "vocab", "x" * 3000, "a/b", "{x}"]
NESTED = "@@nested@@"
"""Stands for a value that is nested deeper than any serializer writes."""


def damaged_bytes(data: bytes, rnd: random.Random) -> bytes:
    """One change that knows no format."""
    at = rnd.randrange(len(data) + 1)
    end = min(len(data), at + rnd.choice((1, 2, 20, 200)))
    inserted = rnd.choice((rnd.randbytes(rnd.choice((1, 2, 8))), rnd.choice(TOKENS).encode()))
    repeated = data[at:end] * rnd.choice((1, 50))
    whole = (b"", b"\n", b"\xff\xfe" + data, b"\xef\xbb\xbf" + data, b"\x1f\x8b")
    changes = (
        *(data[:at], data[at:], data[:at] + data[end:], data[:end] + repeated + data[end:]),
        *([data[:at] + inserted + data[at:]] * 2),
    )
    return rnd.choice((*changes, rnd.choice(whole)))


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


def damaged_json(data: bytes, rnd: random.Random) -> bytes:
    """One change of a JSON file."""
    try:
        if rnd.random() < 0.2:
            raise ValueError
        text = json.dumps(_damaged_tree(json.loads(data), rnd))
    except (ValueError, RecursionError):
        return damaged_text(data, rnd)
    levels = rnd.choice((100, 1000, 20_000))
    return text.replace(f'"{NESTED}"', "[" * levels + "]" * levels).encode()

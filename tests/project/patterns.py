"""Ask every regular expression of the package about long texts made for it, and print those that take more
than a second of processor time. Run by `test_patterns.py`; imports every module, so that it needs a process
of its own."""

import ast
import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]

import seggrid

LONG = 10_000
ALPHABET = "1a0 -/.:,_<>(){}[]|&;#'\"=\t\nAZfloprs\u00e9\u0662\u2028\ufffd\x00"
ANCHORED = {"match", "fullmatch"}
SEARCHING = {"search", "sub", "findall", "finditer", "split"}
TAILS = ("", "!", "\x00 ~")


def texts(pattern: re.Pattern[str]) -> Iterator[str]:
    """Texts that the pattern nearly matches: one of its repetitions is long, alone or inside another; the
    others have their smallest number, or at least one."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    groups: dict[int, str] = {}
    found = [text for least in (0, 1) for text in _sequence(tree, tree.state, groups, least)]
    for text in dict.fromkeys(found):
        for tail in TAILS:
            yield text[: LONG - len(tail)] + tail


def _sequence(tree, state, groups, least) -> list[str]:
    """Texts of a sequence: the first is short, and the others have one part that is long."""
    parts = [_node(node, state, groups, least) for node in tree]
    found = ["".join(part[0] for part in parts)]
    for k, part in enumerate(parts):
        before, after = ("".join(p[0] for p in some) for some in (parts[:k], parts[k + 1 :]))
        found += [before + text + after for text in part[1:]]
    return list(dict.fromkeys(found))


def _node(node, state, groups, least) -> list[str]:
    kind, value = node
    if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        fewest, most, item = value
        inner = _sequence(item, state, groups, least)
        short = [text for text in inner if 0 < len(text) < LONG // 10][:12]
        counts = [n for n in (3, LONG) if n <= int(most)]
        pumped = [text * min(n, LONG // len(text)) for n in counts for text in short]
        return [inner[0] * max(fewest, least), *pumped, *inner[1:]]
    if kind is _constants.BRANCH:
        return [text for branch in value[1] for text in _sequence(branch, state, groups, least)]
    if kind is _constants.SUBPATTERN:
        group, _, _, inner = value
        found = _sequence(inner, state, groups, least)
        groups[group] = found[0]
        return found
    if kind is _constants.ATOMIC_GROUP:
        return _sequence(value, state, groups, least)
    if kind is _constants.GROUPREF:
        return [groups[value]]
    if kind is _constants.LITERAL:
        return [chr(value)]
    if kind in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
        return [""]
    one = _compiler.compile(_parser.SubPattern(state, [node]))
    fitting = [c for c in ALPHABET if one.fullmatch(c)]
    return fitting[:2] or ["x"]


def patterns() -> dict[tuple[str, bool], set[str]]:
    """The patterns of the package, and whether they are searched for in a text rather than compared with the
    whole; with the modules that use them."""
    found: dict[tuple[str, bool], set[str]] = {}

    def collect(value: object, where: str, searched: bool) -> None:
        if isinstance(value, re.Pattern):
            plain = value.pattern
            text = plain.decode("latin-1") if isinstance(plain, bytes) else plain
            found.setdefault((text, searched), set()).add(where)
        elif isinstance(value, dict | list | tuple) and len(value) < 100:
            for inner in value.values() if isinstance(value, dict) else value:
                collect(inner, where, searched)

    for module in pkgutil.walk_packages(seggrid.__path__, "seggrid."):
        if module.name.endswith("__main__"):
            continue
        path = Path(module.module_finder.path) / f"{module.name.rpartition('.')[2]}.py"
        if not path.exists():
            path = path.with_suffix("") / "__init__.py"
        calls = [
            (node.func.value.id, node.func.attr, node.args[0] if node.args else None)
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ]
        searched = {name for name, method, _ in calls if method in SEARCHING}
        try:
            for name, value in vars(importlib.import_module(module.name)).items():
                collect(value, module.name, name in searched)
        except ImportError as error:
            print("not imported:", module.name, error, file=sys.stderr)
        for name, method, pattern in calls:
            if (
                name == "re"
                and method in ANCHORED | SEARCHING
                and isinstance(pattern, ast.Constant)
            ):
                collect(re.compile(pattern.value), module.name, method in SEARCHING)
    return found


class Late(Exception):
    """A pattern took too long."""


def late(*_: object) -> None:
    raise Late


def slow(pattern: re.Pattern[str], searched: bool) -> str | None:
    """The beginning of a text on which the pattern takes more than a second; None if there is none."""
    for text in texts(pattern):
        signal.setitimer(signal.ITIMER_VIRTUAL, 1)
        try:
            (pattern.findall if searched else pattern.fullmatch)(text)
        except Late:
            return text[:60]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


if __name__ == "__main__":
    signal.signal(signal.SIGVTALRM, late)
    given = {(one, False): {"argument"} for one in sys.argv[1:]} or patterns()
    for (plain, searched), where in sorted(given.items()):
        text = slow(re.compile(plain), searched)
        if text is not None:
            print(f"slow: {plain!r} of {', '.join(sorted(where))} on {text!r}")
    print(len(given), "patterns")

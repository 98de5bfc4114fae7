"""No circle of files: of two files, at most one needs the other to run, also if it is imported late. (Types
of parameters alone may be in a circle: those that only type checkers import.)"""

from collections.abc import Iterator
from functools import partial

import pytest


def circles(files: set[str], imported_by) -> Iterator[set[str]]:
    """The sets of files of which each leads to each other: strongly connected components (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []

    def visit(file: str) -> Iterator[set[str]]:
        number[file] = lowest[file] = len(number)
        waiting.append(file)
        for other in sorted(imported_by(file)):
            if other not in number:
                yield from visit(other)
                lowest[file] = min(lowest[file], lowest[other])
            elif other in waiting:
                lowest[file] = min(lowest[file], number[other])
        if lowest[file] == number[file]:
            begin = waiting.index(file)
            found = set(waiting[begin:])
            del waiting[begin:]
            if len(found) > 1 or file in imported_by(file):
                yield found

    for file in sorted(files):
        if file not in number:
            yield from visit(file)


def test_circles_are_found():
    graph = {
        "a": {"b"},
        "b": {"c", "d"},
        "c": {"a"},
        "d": {"e"},
        "e": {"d"},
        "f": {"a"},
        "g": {"g"},
    }
    found = sorted(map(sorted, circles(set(graph), graph.__getitem__)))
    assert found == [["a", "b", "c"], ["d", "e"], ["g"]]


def test_no_circle_of_files():
    grimp = pytest.importorskip("grimp", reason="pip install import-linter")
    graph = grimp.build_graph("seggrid", exclude_type_checking_imports=True, cache_dir=None)
    found = circles(graph.modules, partial(graph.find_modules_directly_imported_by))
    assert list(found) == []


def test_few_rooms_lead_to_others():
    """So that a reader can leave most of them alone; 130 between 15 rooms were too many."""
    grimp = pytest.importorskip("grimp", reason="pip install import-linter")
    graph = grimp.build_graph("seggrid", exclude_type_checking_imports=False, cache_dir=None)

    def room(file: str) -> str:
        return ".".join(file.split(".")[:2])

    arrows = {
        (room(file), room(other))
        for file in graph.modules
        for other in graph.find_modules_directly_imported_by(file)
    }
    assert len({(one, other) for one, other in arrows if one != other}) <= 40

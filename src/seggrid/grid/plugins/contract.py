"""What every segmenter, aligner and study must do: for `seggrid check-plugin`, and the tests of our own."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.align import ALIGNERS
from seggrid.base.errors import InputError, one_line
from seggrid.base.options import add_options
from seggrid.base.parsers import options_by_name
from seggrid.grid.axes import AXES as GRID_AXES
from seggrid.grid.plugins import of_frame
from seggrid.grid.study import STUDIES, Study
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.side import Side, parse_spec
from seggrid.segment.side_segmenter import learn_model, measures_of, segment_text
from seggrid.text.segmentation import Segmentation

_TEXT = [
    line.split()
    for line in (
        "the well-known word is in the lexicon",
        "words",
        "a word , and another word",
        "日本 naïve words and the lexicon",
        "unknown",
        "the lexicon knows every known word and words",
    )
]
"""A text with sentences of one word, words of one character, and characters of several alphabets."""

_OTHER = [["word", "¿Ωж𝄞", "q"], ["Ω"]]
"""Words with characters that the text does not have."""

_SIZES = (4, 8)

Checks = Iterator[tuple[str, Callable[[], object]]]
Results = Iterator[tuple[str, str | None]]
"""For each check, what must hold, and what is wrong; None if nothing is."""


class _BrokenError(Exception):
    """What a check found to be wrong."""


def check_segmenter(name: str, folder: Path) -> Results:
    """Check a registered segmenter that needs nothing but a text; models are written into a folder."""
    return _results(_segmenter_checks(name, folder))


def check_aligner(name: str) -> Results:
    """Check a registered aligner."""
    return _results(_aligner_checks(name))


def check_study(name: str) -> Results:
    """Check a registered study: that its rules, scripts and tables fit one another."""
    return _results(_study_checks(STUDIES[name]))


def check_again(name: str, plugin: str) -> Results:
    """Check that a plug-in gives the same in a second process, in which texts have other hashes and nothing
    has been drawn yet."""

    def same() -> None:
        code = (
            "from seggrid.grid.plugins import load; from seggrid.grid.plugins.contract import fingerprint; "
            f"load({plugin!r}); print(fingerprint({name!r}))"
        )
        other = os.environ | {
            "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
        }
        command = [sys.executable, "-P", "-c", code]
        done = subprocess.run(command, env=other, capture_output=True, text=True)
        _must(not done.returncode, done.stderr.strip().rpartition("\n")[2])
        hint = "it must draw only from its seed, and not depend on `hash` or the order of a set"
        _must(done.stdout.split()[-1] == fingerprint(name), f"another result ({hint})")

    if name in STUDIES:
        return
    if name in SEGMENTERS or ALIGNERS[name].seeded or not ALIGNERS[name].random:
        yield from _results(iter([("the same in another process", same)]))


def fingerprint(name: str) -> str:
    """A digest of what a segmenter or an aligner gives for the text of the checks."""
    if name in ALIGNERS:
        words = Segmentation.from_words(_TEXT)
        found = ALIGNERS[name]().align(words, words, threads=1, seed=1)
        parts = [array.tobytes() for links in found for array in (links.pairs, links.offsets)]
    else:
        side, learns = _default_side(name), SEGMENTERS[name].learns
        model = learn_model(_TEXT, side) if learns else None
        parts = [one.digest().encode() for one in segment_text(_TEXT, side, model, [1])]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _default_side(name: str, **values: Any) -> Side:
    """The segmentation by a segmenter with the defaults of its axes."""
    sized = "merges" in SEGMENTERS[name].axes
    defaults = {axis: row.default for axis, row in AXES.items()}
    size = _SIZES[1] if sized else None
    return Side.from_values({**defaults, "segmenter": name, "merges": size, **values})


def _results(checks: Checks) -> Results:
    for what, check in checks:
        wrong = None
        try:
            check()
        except _BrokenError as error:
            wrong = str(error)
        except Exception as error:
            own = error.__cause__ or error
            wrong = one_line(f"{type(own).__name__}: {own}{of_frame(own)}")
        yield what, wrong


def _must(holds: object, message: str) -> None:
    if not holds:
        raise _BrokenError(message)


def _segmenter_checks(name: str, folder: Path) -> Checks:
    entry = SEGMENTERS[name]
    sized = "merges" in entry.axes
    side = _default_side(name)

    @cache
    def model() -> Any:
        return learn_model(_TEXT, side) if entry.learns else None

    def cut(
        text: Sequence[list[str]], side: Side = side, seeds: Sequence[int] = (1,), threads: int = 1
    ) -> list[Segmentation]:
        return segment_text(text, side, model(), [*seeds], threads)

    def spelled() -> None:
        (found,) = cut(_TEXT)
        exact = measures_of(side, model(), found, _TEXT, _TEXT)["exact_sentences"]
        lines = [line.replace("▁", "") for line in found.lines()]
        shown = next((one for one, words in zip(lines, _TEXT, strict=True)
                      if one.replace(" ", "") != "".join(words)), lines[0])  # fmt: skip
        _must(exact == 1, f"the tokens {shown!r} do not spell their sentence")

    def alone() -> None:
        (whole,), (one,) = cut(_TEXT), cut(_TEXT[1:2])
        _must(whole.sentence(1) == one.sentence(0), f"{_TEXT[1][0]!r} is cut in another way alone")

    def spelled_axes() -> None:
        for axis in entry.own_axes:
            written = [axis.plain(axis.default), *axis.choices]
            for value in map(
                axis.value, [*written, True, False] if axis.kind == "flag" else written
            ):
                one = _default_side(name, **{axis.name: value})
                read = parse_spec(str(one))
                _must(read == one, f"{one} is read as {read}")

    yield (
        "tokens are numbered within sentences, and cover all words",
        lambda: _check_form(cut(_TEXT)[0], _TEXT),
    )
    yield "tokens spell the text", spelled
    yield "the same tokens each time", lambda: _the_same(cut(_TEXT), cut(_TEXT), "twice")
    yield (
        "the same tokens with 1 and 2 threads",
        lambda: _the_same(cut(_TEXT), cut(_TEXT, threads=2), "1 and 2 threads"),
    )
    yield "characters that the text does not have", lambda: _check_form(cut(_OTHER)[0], _OTHER)
    yield "the same tokens of a sentence without the others", alone
    if entry.own_axes:
        yield "values of its axes are spelled in paths and read again", spelled_axes
    ways: list[tuple[str, Any]] = [("dropout", Fraction(1, 2))]
    ways += [("sampling", f"{way}-0.5") for way in ("alpha", "grampa", "stochastok")]
    refused = entry.refuses.get("sampling", ())
    for axis, value in ways:
        if axis not in entry.axes or str(value).startswith(refused):
            continue
        random = _default_side(name, **{axis: value})

        def sampled(random: Side = random) -> None:
            both = cut(_TEXT, random, [1, 2])
            _must(len(both) == 2, f"{len(both)} segmentations for 2 seeds")
            _the_same(both, cut(_TEXT, random, [1, 2]), "the same seeds")
            _the_same(both[1:], cut(_TEXT, random, [2]), "a seed alone")

        yield f"with {axis}: {value}, one sample for each seed, the same each time", sampled
    if entry.learns:
        yield from _model_checks(entry, folder, side, sized)


def _model_checks(entry: type[Segmenter], folder: Path, side: Side, sized: bool) -> Checks:
    def learned(side: Side = side) -> Any:
        return learn_model(_TEXT, side)

    def written(model: Any, file: str) -> Path:
        model.write(folder / file)
        return folder / file

    def cut(model: Any, side: Side = side) -> list[Segmentation]:
        return segment_text(_TEXT, side, model, [1])

    def learned_twice() -> None:
        one, two = (written(learned(), file).read_bytes() for file in ("one", "two"))
        _must(one == two, "the files of the two models differ")

    def read_back() -> None:
        model = learned()
        read = entry.read(written(model, "model"))
        _the_same(cut(model), cut(read), "the model as learned and as read")

    def of_its_size() -> None:
        number, most = learned().learned, _SIZES[1]
        _must(0 <= number <= most, f"{number} {entry.size_unit} learned of at most {most}")

    def nested() -> None:
        small = replace(side, merges=_SIZES[0])
        one, other = (cut(learned(each), small) for each in (side, small))
        _the_same(one, other, f"models of {_SIZES[1]} and {_SIZES[0]}, both cut to the latter")

    yield "the same model each time", learned_twice
    yield "a model that is written and read cuts as before", read_back
    if sized and not entry.tolerance:
        yield "no more is learned than asked for", of_its_size
    if sized and entry.nested:
        yield "a model contains the smaller models (`nested`)", nested


def _the_same(one: Sequence[Segmentation], other: Sequence[Segmentation], how: str) -> None:
    digests = [[each.digest() for each in found] for found in (one, other)]
    lines = zip(one[0].lines(), other[0].lines(), strict=False)
    shown = (f"{a!r} and {b!r}" for a, b in lines if a != b)
    _must(digests[0] == digests[1], f"{how}: {next(shown, 'other samples differ')}")


def _check_form(found: Segmentation, text: Sequence[Sequence[str]]) -> None:
    _must(len(found) == len(text), f"{len(found)} sentences of {len(text)}")
    size = len(found.ids)
    _must(found.offsets[0] == 0 and found.offsets[-1] == size, "offsets do not end with the tokens")
    _must(len(found.first) == len(found.last) == size, "first and last are not as many as tokens")
    inside = not size or 0 <= found.ids.min() <= found.ids.max() < len(found.types)
    _must(inside, "a token's number is that of no type")
    _must(len(set(found.types)) == len(found.types), "a type is listed twice")
    for k, words in enumerate(text):
        rows = slice(found.offsets[k], found.offsets[k + 1])
        ranges = zip(found.first[rows].tolist(), found.last[rows].tolist(), strict=True)
        covered = {word for first, last in ranges for word in range(first, last + 1)}
        _must(covered == set(range(len(words))), f"sentence {k + 1}: not the words of its tokens")


def _aligner_checks(name: str) -> Checks:
    entry, aligner = ALIGNERS[name], ALIGNERS[name]()
    source = Segmentation.from_words(_TEXT)
    target = Segmentation.from_words([[*reversed(words), "end"] for words in _TEXT])

    def align(threads: int = 1, source: Segmentation = source) -> Any:
        return aligner.align_sample(source, target, threads=threads, seed=1).links

    def right() -> None:
        # `align` checks this itself, unless a class has an `align_sample` of its own.
        wrong = aligner.wrong(align(), source, target)
        _must(wrong is None, f"align gives {wrong}")

    def the_same(threads: int) -> None:
        for one, other in zip(align(), align(threads), strict=True):
            same = np.array_equal(one.pairs, other.pairs) and np.array_equal(
                one.offsets, other.offsets
            )
            _must(same, "the links differ")

    def empty() -> None:
        try:
            align(source=Segmentation.from_words([*_TEXT[:-1], []]))
        except InputError:
            return
        raise _BrokenError("an empty sentence is aligned (check_parallel refuses it)")

    yield "links of both directions, inside their sentences, at most one for each token", right
    if entry.seeded or not entry.random:
        yield "the same links each time", lambda: the_same(1)
        yield "the same links with 1 and 2 threads", lambda: the_same(2)
    yield "an empty sentence is refused", empty


_RULE = re.compile(r"^(?:use )?rule ", re.MULTILINE)
_SCRIPT = re.compile(r"""\bjob\(\s*["'](\w+)["']""")


def _options_of(script: Path) -> set[str] | None:
    """The options of a job's script; None if a package that it needs is not installed."""
    try:
        main: Any = runpy.run_path(str(script)).get("main")
    except ImportError:
        return None
    _must(main, f"{script.name} has no function main")
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser, main)
    return set(options_by_name(parser))


def _study_checks(entry: type[Study]) -> Checks:
    rules = (entry.folder() / "rules.smk").read_text("utf-8")
    rules = re.sub(r"^\s*#.*", "", rules, flags=re.MULTILINE)
    scripts = {path.stem: path for path in sorted((entry.folder() / "jobs").glob("*.py"))}

    def made() -> None:
        for table in entry.tables():
            makes = f'result("{table.name}")'
            named = re.search(rf'\bresult\(\s*"{table.name}"|"{table.file}"', rules)
            _must(named, f"no rule has the output {makes}")

    def shown() -> None:
        for table in entry.tables():
            named = table.column_names()
            ends = (f"{name}_{end}" for name in named for end in ("low", "high"))
            columns = {*named, *ends, *GRID_AXES, "pair"}
            for key in table.key:
                _must(key in columns, f"{table.name} has no column {key!r}, which is in its key")
            for own in (own for own in table.shown if own.name not in entry.rows()):
                for column, _ in own.columns:
                    _must(
                        column in columns, f"{table.name} has no column {column!r}, which is shown"
                    )

    def placed() -> None:
        from seggrid.grid.report.page import sections

        known = {section.id for section in sections()}
        for table in entry.tables():
            places = {table.section, *(own.section for own in table.shown)} - {""}
            _must(places <= known, f"{table.name}: no section {min(places - known, default='')!r}")

    def called() -> None:
        used = {*_SCRIPT.findall(rules)}
        _must(scripts.keys() <= used, f"no rule calls {min(scripts.keys() - used, default='')}.py")
        for rule in _RULE.split(rules)[1:]:
            own = [scripts[one] for one in _SCRIPT.findall(rule) if one in scripts]
            shell = rule.partition("shell:")[2]
            given = re.findall(r"(?<=[\s\"'])--[\w-]+", shell)
            if len(own) == 1 and given and (known := _options_of(own[0])) is not None:
                for option in given:
                    _must(option in known, f"{own[0].name} has no parameter for {option}")

    def logged() -> None:
        for rule in re.split(r"^rule ", rules, flags=re.MULTILINE)[1:]:
            name = re.split(r"\W", rule, maxsplit=1)[0]
            _must("\n    log:" in rule or "job(" not in rule, f"the rule {name} has no log")

    def drawn() -> None:
        drawn = [chart.name for chart in entry.charts({}) if len(chart.frame)]
        _must(not drawn, f"the chart {drawn[:1]} has points")

    yield "each of its tables is made by a rule", made
    yield "keys and shown columns are columns of its tables", shown
    yield "the sections of its tables are those of the page", placed
    yield "rules give each of its scripts the options that it has", called
    yield "each rule has a log", logged
    yield "without tables there are no charts", drawn

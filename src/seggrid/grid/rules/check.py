"""Check the files that a config names, before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.base.errors import InputError, InputErrors
from seggrid.grid.config.pairs import GoldEntry, OutsideTokenizer
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.plugins import blamed
from seggrid.grid.rules.files import Files
from seggrid.grid.study import asked_studies
from seggrid.morphology.references import read_reference
from seggrid.segment import SEGMENTERS
from seggrid.segment.external import External
from seggrid.segment.glossary import unmatched
from seggrid.segment.marks import MarkedText
from seggrid.text.fetch import Entry
from seggrid.text.pair import check_pair, read_parallel
from seggrid.text.sides import SIDES
from seggrid.text.text_files import Counted, apply_case
from seggrid.text.words import filled_pairs


class Findings:
    """What checks have found: mistakes, by their texts, since several may find the same one; and remarks."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.mistakes: dict[str, InputError] = {}
        self.remarks: list[str] = []

    def check(self, check: Callable[..., Any], *arguments: Any, **settings: Any) -> None:
        """Call a function that raises `InputError`, and may return remarks."""
        try:
            self.remarks += check(*arguments, **settings) or []
        except InputError as error:
            for one in error.errors if isinstance(error, InputErrors) else [error]:
                self.mistakes.setdefault(str(one), one)

    def reads(self, read: Callable[..., Any], entry: Entry | None, *arguments: Any) -> None:
        """Read a file from outside, if the config names it."""
        if entry is not None:
            self.check(lambda: read(self.files.file(entry), *arguments) and None)


def check_sources(grid: Grid, files: Files | None = None, *, deployed: bool = False) -> list[str]:
    """Check everything that the jobs of a config need from outside, and return remarks, one line each. The
    texts and gold of every pair in use are checked whole; other files, and those of studies
    (which are downloaded if necessary), packages and programs must exist. Packages need not be installed here
    if jobs are `deployed` in environments of their own. The first mistakes in each pair, in each other file
    and of each aligner are raised together."""
    found = Findings(files or Files(grid.config))
    segmented = _segmentations(grid)
    _check_texts(found, grid, segmented)
    with blamed():
        for study in asked_studies(grid):
            for check in study.sources(grid, found.files, deployed=deployed):
                found.check(check)
    if not deployed:
        _check_packages(found, grid, segmented)
    if found.mistakes:
        raise InputErrors(list(found.mistakes.values()))
    return found.remarks


def _check_texts(found: Findings, grid: Grid, segmented: set[Segmented]) -> None:
    """Check the texts of pairs, and what segmenters read."""
    config = grid.config
    learned = {pair for study in asked_studies(grid) for pair in study.pairs(config)}
    for pair in sorted({*grid.pairs, *learned}):
        found.check(_check_pair, grid, found.files, pair, segmented)
        for side in map(config.pairs[pair].side, SIDES):
            if side.morphemes is not None:
                found.reads(read_reference, side.morphemes.file, side.morphemes.format)
    for where in sorted(segmented, key=Segmented.order):
        if where.spec.has_glossary:
            found.check(_check_glossary, found.files, where)
        if where.tokenizer is not None:
            found.check(_check_tokenizer, grid, found.files, where, where.tokenizer)
        found.reads(where.registered.read_given, where.given, where.spec)


def _check_packages(found: Findings, grid: Grid, segmented: set[Segmented]) -> None:
    """Check that packages and programs of jobs are installed."""
    config = grid.config
    segmenters = sorted({own.spec.segmenter for own in segmented})
    for segmenter in segmenters:
        found.check(SEGMENTERS[segmenter].check_installed)
    for aligner, own in dict.fromkeys((cell.aligner, cell.own) for cell in grid.experiments):
        found.check(_check_aligner, aligner, config.aligners.options(aligner), dict(own))


def _check_pair(grid: Grid, files: Files, pair: str, segmented: set[Segmented]) -> list[str]:
    gold = grid.config.pairs[pair].gold or GoldEntry()
    training, remarks = 0, list[str]()
    source, target = (files.training(pair, side) for side in SIDES)
    if source and target:
        sides, remarks = read_parallel(source, target, Counted)
        training = len(filled_pairs(*sides))
    chosen = {own.spec.sentences for own in segmented if own.pair == pair}
    return remarks + check_pair(
        files.text(pair, "source"),
        files.text(pair, "target"),
        files.gold(pair),
        gold.notation,
        development=gold.development or 0,
        sentences_kept=sorted(count for count in chosen if count is not None),
        training=training,
    )


def _check_glossary(files: Files, own: Segmented) -> list[str]:
    """Remarks on entries of a glossary that no word of the text matches."""
    texts = files.texts(own.pair, own.side)
    words = dict.fromkeys(word for text in texts for word in text.read_counts().words.types)
    if own.spec.case == "lower":
        words = dict.fromkeys(map(str.lower, words))
    return [f"{own.pair} {own.side}: {remark}" for remark in unmatched(own.spec, [*words])]


def _segmentations(grid: Grid) -> set[Segmented]:
    """Every segmentation of a pair's text that cells or studies use."""
    found = set(grid.sides)
    found.update(own for study in asked_studies(grid) for own in study.segmentations(grid))
    return found


def _check_tokenizer(grid: Grid, files: Files, own: Segmented, given: OutsideTokenizer) -> None:
    """Read a tokenizer from elsewhere; if it is a tokenized text, map its tokens to the words."""
    side, file = own.spec, files.file(given.file)
    model = External.read(file, given.format)
    model.check(side)
    # If sentences are left out, only the jobs know which ones, so the text cannot be checked here.
    left_out = grid.config.pairs[own.pair].skips_empty
    if left_out or not isinstance(model.tokenizer, MarkedText):
        return
    if side.sentences is not None:
        raise InputError(
            f"tokens of the whole text, but the axis sentences asks for {side.sentences} of its sentences",
            file=file,
            hint="leave the axis sentences out for this tokenizer",
        )
    texts = files.texts(own.pair, own.side)
    words = [sentence for text in texts for sentence in text.read_words().words]
    model.tokenizer.segment(apply_case(words, side.case))


def _check_aligner(aligner: str, options: Mapping[str, Any], axes: Mapping[str, Any]) -> None:
    entry = ALIGNERS[aligner]
    entry(entry.settings.from_values(options), **axes).check()

"""Check the files that a config names, before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.base.extras import SNAKEFILE, check_installed
from seggrid.corpus.check import check_pair, read_parallel
from seggrid.corpus.fetch import Entry
from seggrid.corpus.tagging import check_tagger
from seggrid.corpus.tags import read_lexicon
from seggrid.corpus.text import apply_case
from seggrid.data.sides import SIDES
from seggrid.data.words import filled_pairs
from seggrid.errors import InputError, InputErrors, suggestion
from seggrid.grid.cell import Cell
from seggrid.grid.config.models.exports import Export
from seggrid.grid.config.models.morphology import Morphology, TokenizerFiles
from seggrid.grid.grid import Grid
from seggrid.grid.segmented import Segmented
from seggrid.morphology.frequencies import check_wordfreq, read_frequencies
from seggrid.morphology.published import read_published
from seggrid.morphology.references import read_reference
from seggrid.morphology.tokenizer import read_byte_level
from seggrid.plugins import is_plugin
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.ready import ready_model
from seggrid.segment.external.tokens import MarkedText
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import SideSegmenter, types_to_learn
from seggrid.thesis.published import check_published
from seggrid.workflow.rules.files import Files
from seggrid.workflow.rules.language_model_check import checks_of_models


def check_sources(grid: Grid, files: Files | None = None, *, deployed: bool = False) -> list[str]:
    """Check everything that the jobs of a config need from outside.

    The texts and gold of every pair in use and the tables of published figures are checked whole. Other files
    (which are downloaded if necessary), packages and programs must exist.

    Args:
        grid: the grid of the config.
        files: the files that the config names; by default, they are located anew.
        deployed: whether jobs run in environments of their own, so that their packages and programs need not
            be installed here.

    Returns:
        Remarks, one line each, on what is left out of texts and gold, on gold with few sentences, and on
        published rows that are skipped or match several cells.

    Raises:
        InputErrors: the first mistake in each pair, in each other file and of each aligner.
    """
    files = files or Files(grid.config)
    mistakes: dict[str, InputError] = {}
    remarks: list[str] = []
    checks = [_checks_of_files(grid, files), checks_of_models(grid, files, deployed=deployed)]
    if not deployed:
        checks.append(_checks_of_packages(grid))
    for check in chain(*checks, _checks_of_cells(grid, files)):
        try:
            remarks += check() or []
        except InputError as error:
            for one in error.errors if isinstance(error, InputErrors) else [error]:
                mistakes.setdefault(str(one), one)
    if mistakes:
        raise InputErrors(list(mistakes.values()))
    return remarks


Check = Callable[[], list[str] | None]
"""A check that raises `InputError`, and may return remarks."""


def _reads(read: Callable[..., Any], files: Files, entry: Entry, *arguments: Any) -> Check:
    """A check that a file can be read."""

    def check() -> None:
        read(files.file(entry), *arguments)

    return check


def _checks_of_files(grid: Grid, files: Files) -> Iterator[Check]:
    """Checks of the files that the config names, each once, in this order."""
    config, segmented = grid.config, _segmentations(grid)
    entries = config.morphology.values()
    learned = {own.pair for entry in entries if (own := entry.learned)}
    learned |= {entry.pair for entry in config.language_models.values() if entry.pair}
    # A dict, since many evaluations may share a reference.
    references = {(entry.reference.file, entry.reference.format): None for entry in entries}
    for pair in sorted({*grid.pairs, *learned}):
        yield partial(_check_pair, grid, files, pair, segmented)
        for side in map(config.pairs[pair].side, SIDES):
            if side.morphemes is not None:
                references[side.morphemes.file, side.morphemes.format] = None
            if side.lexicon is not None:
                yield _reads(read_lexicon, files, side.lexicon)
    for where in sorted({*segmented, *_with_dropout(grid)}, key=Segmented.order):
        yield partial(_check_tokenizer, grid, files, where)
        if where.ready is not None:
            yield _reads(ready_model, files, where.ready, where.spec)
    for where in _texts_of_vocabularies(grid, segmented):
        yield partial(_check_vocabulary, grid, files, where)
    for reference, form in references:
        yield _reads(read_reference, files, reference, form)
    for entry in entries:
        if entry.reference.frequencies is not None:
            yield _reads(read_frequencies, files, entry.reference.frequencies)
        if entry.tokenizer is not None:
            for file in entry.tokenizer.files().values():
                yield _reads(str, files, file)
            yield partial(_check_evaluated, files, entry, entry.tokenizer)
        if entry.published is not None:
            yield _reads(read_published, files, entry.published)
    for table in config.published:
        yield partial(_check_published, grid, files, table)


def _checks_of_packages(grid: Grid) -> Iterator[Check]:
    """Checks that packages and programs of jobs are installed."""
    config = grid.config
    if any(entry.reference.wordfreq for entry in config.morphology.values()):
        yield check_wordfreq
    if config.language_models:
        yield partial(check_installed, "lm", user="language_models", instead="add --sdm conda")
    segmenters = sorted({where.spec.segmenter for where in _segmentations(grid)})
    for segmenter in segmenters:
        if packages := SEGMENTERS[segmenter].requires:
            user = f"the segmenter {segmenter}"
            yield partial(check_installed, "tokenizers", *packages, user=user)
    for aligner in sorted({cell.aligner for cell in grid.experiments}):
        own = (cell.layer for cell in grid.experiments if cell.aligner == aligner)
        layers = sorted({layer for layer in own if layer is not None})
        yield partial(_check_aligner, aligner, config.aligners.options(aligner), layers)
    if any(SEGMENTERS[segmenter].tagged for segmenter in segmenters):
        yield check_tagger


def _checks_of_cells(grid: Grid, files: Files) -> Iterator[Check]:
    """Checks of what is made of cells."""
    limits = _limits(grid)
    for where in sorted(limits, key=Segmented.order):
        yield partial(_check_lengths, files, where, *limits[where])
    for name in grid.config.ensemble:
        yield partial(_check_ensemble, grid, name)
    for name in grid.config.export:
        yield partial(_check_export, grid, name)


def _check_pair(grid: Grid, files: Files, pair: str, segmented: Iterable[Segmented]) -> list[str]:
    gold = grid.config.pairs[pair].gold
    gold_settings: dict[str, Any] = {}
    if gold is not None:
        gold_settings = {
            "gold_format": gold.format,
            "base": gold.base,
            "swapped": gold.swapped,
            "bad_links": gold.bad_links,
            "empty_gold": gold.empty_lines,
            "development": gold.development or 0,
        }
    training = [text for side in SIDES if (text := files.training(pair, side))]
    filled: Sized = ()
    remarks: list[str] = []
    if training:
        sides, remarks = read_parallel(*training)
        filled = filled_pairs(*sides)
    return remarks + check_pair(
        files.text(pair, "source"),
        files.text(pair, "target"),
        files.gold(pair) or None,
        **gold_settings,
        sentences_kept=sorted(
            {
                sentences
                for own in segmented
                if own.pair == pair and (sentences := own.spec.sentences) is not None
            }
        ),
        training=len(filled),
        folds={
            name: ensemble.choose.folds
            for name, ensemble in grid.config.ensemble.items()
            if ensemble.choose and pair in grid.voting_pairs(name)
        },
    )


def _check_published(grid: Grid, files: Files, table: str) -> list[str]:
    file = files.file(table)
    remarks = check_published(file, grid.pairs, grid.config.pairs)
    # Imported here, so that not every start of a run waits for pandas.
    import pandas as pd

    from seggrid.thesis.comparison import remark_on_several

    return remarks + remark_on_several(file, pd.DataFrame(grid.table()))


def _segmentations(grid: Grid) -> set[Segmented]:
    """Every segmentation of a pair's text that cells, evaluations or language models use."""
    found: set[Segmented] = set()
    for cell in grid.experiments:
        found.update(grid.both(cell))
    found.update(own for name in grid.config.morphology if (own := grid.evaluated(name)))
    for plan in grid.language_models.values():
        if plan.text is None:
            found.add(grid.segmented(plan.pair, plan.side, plan.segmentation))
    return found


def _with_dropout(grid: Grid) -> Iterator[Segmented]:
    """The segmentations with dropout, of pairs' texts, that are evaluated against morphemes."""
    for name, entry in grid.config.morphology.items():
        if own := grid.evaluated(name):
            for rate in filter(None, entry.dropout):
                yield grid.segmented(own.pair, own.side, own.spec.with_dropout(rate))


def _texts_of_vocabularies(grid: Grid, segmented: Iterable[Segmented]) -> list[Segmented]:
    """The segmentations with a vocabulary size; the smallest of those that differ only in this size."""
    smallest: dict[tuple[str, str, Side], int] = {}
    for own in segmented:
        if (size := own.spec.vocabulary) is not None:
            key = (own.pair, own.side, replace(own.spec, vocabulary=None))
            smallest[key] = min(size, smallest.get(key, size))
    found = (
        grid.segmented(pair, name, replace(side, vocabulary=size))
        for (pair, name, side), size in smallest.items()
    )
    return sorted(found, key=Segmented.order)


def _check_vocabulary(grid: Grid, files: Files, own: Segmented) -> None:
    """Refuse a vocabulary that is smaller than the number of single characters of its text.

    If a part of the text is left out, only the jobs know its characters; they then make this check.
    """
    side = own.spec
    if side.sentences is not None or grid.config.pairs[own.pair].empty_lines == "skip":
        return
    sides = SIDES if side.joint else (own.side,)
    sentences = [words for name in sides for words in _words(files, own.pair, name)]
    alphabet = SideSegmenter(side).alphabet_size(apply_case(sentences, side.case))
    try:
        types_to_learn(side.vocabulary or 0, alphabet)
    except InputError as error:
        message = f"the {own.side} side of {own.pair}: {error.message}"
        raise InputError(message, hint=error.hint) from None


def _words(files: Files, pair: str, side: str) -> list[list[str]]:
    """The words of each sentence of a side's text and training text."""
    return [words for text in files.texts(pair, side) for words in text.read().words()]


def _check_evaluated(files: Files, entry: Morphology, tokenizer: TokenizerFiles) -> None:
    """Read a tokenizer from elsewhere that is evaluated against morphemes."""
    found = {key: files.file(file) for key, file in tokenizer.files().items()}
    if "file" not in found:
        read_byte_level(found.get("merges") or found["tokenizer"], found.get("vocabulary"))
        return
    segmenter = SEGMENTERS["external"].load()
    model = segmenter.read_model(found["file"], tokenizer.format)
    for rate in entry.dropout:
        segmenter.check(model, Side("external").with_dropout(rate))


def _check_tokenizer(grid: Grid, files: Files, own: Segmented) -> None:
    """Read a tokenizer from elsewhere; if it is a tokenized text, map its tokens to the words."""
    if own.tokenizer is None:
        return
    side, file = own.spec, files.file(own.tokenizer.file)
    segmenter = SEGMENTERS[side.segmenter].load()
    model = segmenter.read_model(file, own.tokenizer.format)
    segmenter.check(model, side)
    # If sentences are left out, only the jobs know which ones, so the text cannot be checked here.
    if isinstance(model, MarkedText) and grid.config.pairs[own.pair].empty_lines != "skip":
        if side.sentences is not None:
            raise InputError(
                "tokens of the whole text, but the axis sentences asks for "
                f"{side.sentences} of its sentences",
                file=file,
                hint="leave the axis sentences out for this tokenizer",
            )
        model.segment(apply_case(_words(files, own.pair, own.side), side.case))


def _limits(grid: Grid) -> dict[Segmented, tuple[str, int]]:
    """For each segmentation whose tokens can be counted without a model, the aligner with the lowest limit on
    the length of sentences, and this limit."""
    found: dict[Segmented, tuple[str, int]] = {}
    for cell in grid.experiments:
        longest = ALIGNERS[cell.aligner].longest
        # If a part of the text is left out, only the jobs know what is left; they then make this check.
        if longest is None or grid.config.pairs[cell.pair].empty_lines == "skip":
            continue
        for own in grid.both(cell):
            side = own.spec
            countable = side.segmenter in ("words", "characters") and side.sentences is None
            if countable and (own not in found or longest < found[own][1]):
                found[own] = (cell.aligner, longest)
    return found


def _check_lengths(files: Files, own: Segmented, aligner: str, longest: int) -> None:
    """Refuse sentences with more tokens, words or characters, than the aligner takes."""
    side = own.spec
    for text in files.texts(own.pair, own.side):
        read = text.read()
        for number, words in enumerate(read.words()):
            # If spaces are visible, each one is a token between two words.
            spaces = len(words) - 1 if side.spaces is False else 0
            tokens = len(words) if side.segmenter == "words" else sum(map(len, words)) + spaces
            if tokens > longest:
                file, line = read.where(number)
                raise InputError(
                    f"{tokens} tokens as {side.segmenter}; {aligner} takes at most {longest}",
                    file=file,
                    line=line,
                    hint="leave this sentence pair out, or use another aligner",
                )


def _check_ensemble(grid: Grid, name: str) -> None:
    if not grid.voting_pairs(name):
        raise InputError(
            f"ensemble.{name}: its members have fewer than two cells of any pair",
            hint="name more experiments as members, or give these more values",
        )


def _check_export(grid: Grid, name: str) -> None:
    """Refuse an export of cells that do not exist or cannot be exported, with all its mistakes."""
    entry, every = grid.config.export[name], [str(cell) for cell in grid.experiments]
    found = [
        f"no cell {cell!r} ({suggestion(cell, every)})"
        for cell in entry.cells or []
        if cell not in every
    ]
    for cell in grid.exported(name):
        whole = entry.parts is None
        message = _error_as_whole(cell, entry) if whole else _error_in_parts(cell)
        if message:
            found.append(message)
    if found:
        errors = [InputError(f"export.{name}: {message}") for message in dict.fromkeys(found)]
        raise InputErrors(errors)


def _error_as_whole(cell: Cell, entry: Export) -> str | None:
    """Why a cell cannot be exported as a whole; None if it can."""
    aligner = ALIGNERS[cell.aligner]
    aligns = entry.links != "none" or entry.models
    if cell.source.sentences is not None:
        return (
            f"a cell of {cell.source.sentences:,} sentences has no links of the others "
            "(add parts: 100000, or export one with sentences: all)"
        )
    if aligns and aligner.encodes:
        return f"{cell.aligner} encodes only the sentences with gold (use another aligner)"
    if aligns and aligner.random and not aligner.seeded:
        return f"{cell.aligner} would draw links other than the scored ones (use gibbs)"
    return None


def _error_in_parts(cell: Cell) -> str | None:
    """Why a cell cannot be exported in parts; None if it can."""
    if not ALIGNERS[cell.aligner].keeps:
        keeping = " or ".join(name for name, entry in ALIGNERS.items() if entry.keeps)
        return f"{cell.aligner} keeps no model with which parts can be aligned (use {keeping})"
    for side in (cell.source, cell.target):
        segmenter = SEGMENTERS[side.segmenter]
        if segmenter.tagged or segmenter.outside:
            return f"{side.segmenter} cannot cut parts of a text (leave parts out)"
    return None


def _check_aligner(aligner: str, values: Mapping[str, Any], layers: Sequence[int]) -> None:
    environment = SNAKEFILE.with_name("envs") / f"{aligner}.yaml"
    if not (environment.is_file() or is_plugin(ALIGNERS[aligner])):
        # Snakemake finds this out after the first job, and says that a folder cannot be written.
        raise InputError(
            f"no conda environment of the aligner {aligner}",
            file=environment,
            hint="write one, such as a copy of fast_align.yaml if the aligner is code of this package alone",
        )
    options: Any = ALIGNERS[aligner].load_options().from_values(values)
    check = getattr(options, "check", None)
    if check is not None:
        check()
    if layers:
        options.check_layers(layers)

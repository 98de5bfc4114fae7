"""Check the files that a config names, before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
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
from seggrid.errors import InputError, InputErrors
from seggrid.grid.config.models.morphology import Morphology, TokenizerFiles
from seggrid.morphology.frequencies import check_wordfreq, read_frequencies
from seggrid.morphology.published import read_published
from seggrid.morphology.references import read_reference
from seggrid.morphology.tokenizer import read_byte_level
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.ready import ready_model
from seggrid.segment.external.tokens import MarkedText
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import SideSegmenter, types_to_learn
from seggrid.thesis.published import check_published
from seggrid.workflow.rules.inputs import Inputs
from seggrid.workflow.rules.language_model_check import checks_of_models
from seggrid.workflow.rules.morphology import OUTSIDE
from seggrid.workflow.rules.sides import Segmented


def check_sources(grid: Inputs, *, deployed: bool = False) -> list[str]:
    """Check everything that the jobs of a config need from outside.

    The texts and gold of every pair in use and the tables of published figures are checked whole. Other files
    (which are downloaded if necessary), packages and programs must exist.

    Args:
        grid: the grid of the config.
        deployed: whether jobs run in environments of their own, so that their packages and programs need not
            be installed here.

    Returns:
        Remarks, one line each, on what is left out of texts and gold, on gold with few sentences, and on
        published rows that are skipped or match several cells.

    Raises:
        InputErrors: the first mistake in each pair, in each other file and of each aligner.
    """
    mistakes: dict[str, InputError] = {}
    remarks: list[str] = []

    def attempt(action: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return action(*arguments)
        except InputError as error:
            for one in error.errors if isinstance(error, InputErrors) else [error]:
                mistakes.setdefault(str(one), one)

    segmented = _segmentations(grid)
    entries = grid.config.morphology.values()
    learned = {own.pair for entry in entries if (own := entry.learned)}
    learned |= {entry.pair for entry in grid.config.language_models.values() if entry.pair}
    # A dict, since many evaluations may share a reference, which is checked once.
    references = {(entry.reference.file, entry.reference.format): None for entry in entries}
    for pair in sorted({*grid.grid.pairs, *learned}):
        remarks += attempt(_check_pair, grid, pair, segmented) or []
        for side in SIDES:
            settings = grid.config.pairs[pair].side(side)
            if settings.morphemes is not None:
                references[settings.morphemes.file, settings.morphemes.format] = None
            if settings.lexicon is not None:
                attempt(lambda entry: read_lexicon(grid.files.file(entry)), settings.lexicon)
    for where in sorted({*segmented, *_with_dropout(grid)}, key=Segmented.order):
        attempt(_check_tokenizer, grid, where)
        if where.ready is not None:
            attempt(_check_ready, grid, where.ready, where.segmentation)
    for where in _texts_of_vocabularies(grid, segmented):
        attempt(_check_vocabulary, grid, where)
    for reference, form in references:
        attempt(_check_reference, grid, reference, form)
    for frequencies in dict.fromkeys(entry.reference.frequencies for entry in entries):
        if frequencies is not None:
            attempt(_check_frequencies, grid, frequencies)
    for entry in entries:
        if entry.tokenizer is not None:
            for file in entry.tokenizer.files().values():
                attempt(grid.files.file, file)
            attempt(_check_evaluated, grid, entry, entry.tokenizer)
        if entry.reference.wordfreq is not None and not deployed:
            attempt(check_wordfreq)
        if entry.published is not None:
            attempt(lambda table: read_published(grid.files.file(table)), entry.published)
    for action in checks_of_models(grid, deployed=deployed):
        remarks += attempt(action) or []
    if grid.config.language_models and not deployed:
        attempt(_check_torch)
    for table in grid.config.published:
        remarks += attempt(_check_published, grid, table) or []
    segmenters = {where.segmentation.segmenter for where in segmented}
    for segmenter in sorted(segmenters) if not deployed else ():
        attempt(_check_packages, segmenter)
    cells = list(grid.grid.experiments)
    for aligner in sorted({cell.aligner for cell in cells} if not deployed else ()):
        layers = {c.layer for c in cells if c.aligner == aligner and c.layer is not None}
        attempt(_check_aligner, aligner, grid.config.aligners.options(aligner), sorted(layers))
    limits = _limits(grid)
    for where in sorted(limits, key=Segmented.order):
        attempt(_check_lengths, grid, where, *limits[where])
    if any(SEGMENTERS[segmenter].tagged for segmenter in segmenters) and not deployed:
        attempt(check_tagger)
    for name in grid.config.ensemble:
        attempt(_check_ensemble, grid, name)
    for name in grid.config.export:
        attempt(grid.exports.check, name)
    if mistakes:
        raise InputErrors(list(mistakes.values()))
    return remarks


def _check_pair(grid: Inputs, pair: str, segmented: Iterable[Segmented]) -> list[str]:
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
    training = [text for side in SIDES if (text := grid.files.training(pair, side))]
    filled: Sized = ()
    remarks: list[str] = []
    if training:
        sides, remarks = read_parallel(*training)
        filled = filled_pairs(*sides)
    return remarks + check_pair(
        grid.files.text(pair, "source"),
        grid.files.text(pair, "target"),
        grid.files.gold(pair) or None,
        **gold_settings,
        sentences_kept=sorted(
            {
                sentences
                for own in segmented
                if own.pair == pair and (sentences := own.segmentation.sentences) is not None
            }
        ),
        training=len(filled),
        folds={
            name: ensemble.choose.folds
            for name, ensemble in grid.config.ensemble.items()
            if ensemble.choose and pair in grid.ensembles.voting_pairs(name)
        },
    )


def _check_ready(grid: Inputs, entry: Entry, side: Side) -> None:
    ready_model(grid.files.file(entry), side)


def _check_reference(grid: Inputs, entry: Entry, form: str) -> None:
    read_reference(grid.files.file(entry), form)


def _check_frequencies(grid: Inputs, entry: Entry) -> None:
    read_frequencies(grid.files.file(entry))


def _check_published(grid: Inputs, table: str) -> list[str]:
    file = grid.files.file(table)
    remarks = check_published(file, grid.grid.pairs, grid.config.pairs)
    # Imported here, so that not every start of a run waits for pandas.
    import pandas as pd

    from seggrid.thesis.comparison import remark_on_several

    return remarks + remark_on_several(file, pd.DataFrame(grid.grid.table()))


def _check_torch() -> None:
    check_installed("lm", user="language_models", instead="add --sdm conda")


def _check_packages(segmenter: str) -> None:
    packages = SEGMENTERS[segmenter].requires
    if packages:
        check_installed("tokenizers", *packages, user=f"the segmenter {segmenter}")


def _segmentations(grid: Inputs) -> set[Segmented]:
    """Every segmentation of a pair's text that cells, evaluations or language models use."""
    found: set[Segmented] = set()
    for cell in grid.grid.experiments:
        found.update(grid.sides.both(cell.pair, cell.source, cell.target))
    found.update(own for name in grid.config.morphology if (own := grid.morphology.segmented(name)))
    for plan in grid.language_models.plans.values():
        if plan.text is None:
            found.add(grid.sides.of(plan.pair, plan.side, plan.segmentation))
    return found


def _with_dropout(grid: Inputs) -> Iterator[Segmented]:
    """The segmentations with dropout, of pairs' texts, that are evaluated against morphemes."""
    for name, entry in grid.config.morphology.items():
        if own := grid.morphology.segmented(name):
            for rate in filter(None, entry.dropout):
                yield grid.sides.of(own.pair, own.side, own.segmentation.with_dropout(rate))


def _texts_of_vocabularies(grid: Inputs, segmented: Iterable[Segmented]) -> list[Segmented]:
    """The segmentations with a vocabulary size; the smallest of those that differ only in this size."""
    smallest: dict[tuple[str, str, Side], int] = {}
    for own in segmented:
        if (size := own.segmentation.vocabulary) is not None:
            key = (own.pair, own.side, replace(own.segmentation, vocabulary=None))
            smallest[key] = min(size, smallest.get(key, size))
    found = (
        grid.sides.of(pair, name, replace(side, vocabulary=size))
        for (pair, name, side), size in smallest.items()
    )
    return sorted(found, key=Segmented.order)


def _check_vocabulary(grid: Inputs, own: Segmented) -> None:
    """Refuse a vocabulary that is smaller than the number of single characters of its text.

    If a part of the text is left out, only the jobs know its characters; they then make this check.
    """
    side = own.segmentation
    if side.sentences is not None or grid.config.pairs[own.pair].empty_lines == "skip":
        return
    sides = SIDES if side.joint else (own.side,)
    sentences = [words for name in sides for words in _words(grid, own.pair, name)]
    alphabet = SideSegmenter(side).alphabet_size(apply_case(sentences, side.case))
    try:
        types_to_learn(side.vocabulary or 0, alphabet)
    except InputError as error:
        message = f"the {own.side} side of {own.pair}: {error.message}"
        raise InputError(message, hint=error.hint) from None


def _words(grid: Inputs, pair: str, side: str) -> list[list[str]]:
    """The words of each sentence of a side's text and training text."""
    return [words for text in grid.files.texts(pair, side) for words in text.read().words()]


def _check_evaluated(grid: Inputs, entry: Morphology, tokenizer: TokenizerFiles) -> None:
    """Read a tokenizer from elsewhere that is evaluated against morphemes."""
    files = {key: grid.files.file(file) for key, file in tokenizer.files().items()}
    if "file" not in files:
        read_byte_level(files.get("merges") or files["tokenizer"], files.get("vocabulary"))
        return
    segmenter = SEGMENTERS[OUTSIDE].load()
    model = segmenter.read_model(files["file"], tokenizer.format)
    for rate in entry.dropout:
        segmenter.check(model, Side(OUTSIDE).with_dropout(rate))


def _check_tokenizer(grid: Inputs, own: Segmented) -> None:
    """Read a tokenizer from elsewhere; if it is a tokenized text, map its tokens to the words."""
    if own.tokenizer is None:
        return
    side, file = own.segmentation, grid.files.file(own.tokenizer.file)
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
        model.segment(apply_case(_words(grid, own.pair, own.side), side.case))


def _limits(grid: Inputs) -> dict[Segmented, tuple[str, int]]:
    """For each segmentation whose tokens can be counted without a model, the aligner with the lowest limit on
    the length of sentences, and this limit."""
    found: dict[Segmented, tuple[str, int]] = {}
    for cell in grid.grid.experiments:
        longest = ALIGNERS[cell.aligner].longest
        # If a part of the text is left out, only the jobs know what is left; they then make this check.
        if longest is None or grid.config.pairs[cell.pair].empty_lines == "skip":
            continue
        for own in grid.sides.both(cell.pair, cell.source, cell.target):
            side = own.segmentation
            countable = side.segmenter in ("words", "characters") and side.sentences is None
            if countable and (own not in found or longest < found[own][1]):
                found[own] = (cell.aligner, longest)
    return found


def _check_lengths(grid: Inputs, own: Segmented, aligner: str, longest: int) -> None:
    """Refuse sentences with more tokens, words or characters, than the aligner takes."""
    side = own.segmentation
    for text in grid.files.texts(own.pair, own.side):
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


def _check_ensemble(grid: Inputs, name: str) -> None:
    if not grid.ensembles.voting_pairs(name):
        raise InputError(
            f"ensemble.{name}: its members have fewer than two cells of any pair",
            hint="name more experiments as members, or give these more values",
        )


def _check_aligner(aligner: str, values: Mapping[str, Any], layers: Sequence[int]) -> None:
    environment = SNAKEFILE.with_name("envs") / f"{aligner}.yaml"
    if not environment.is_file():
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

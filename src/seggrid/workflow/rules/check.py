"""Check the files that a config names, before any job starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.base.extras import check_installed
from seggrid.corpus.fetch import Entry
from seggrid.corpus.pair import check_pair, read_parallel
from seggrid.corpus.pos import read_lexicon
from seggrid.corpus.tagger import check_tagger
from seggrid.corpus.text import Counted, Text, apply_case
from seggrid.data.sides import SIDES
from seggrid.data.words import filled_pairs
from seggrid.errors import InputError, InputErrors
from seggrid.grid.config.language_models import LanguageModelPlan, Task, each_seed, lineage
from seggrid.grid.config.pairs import Gold, OutsideTokenizer
from seggrid.grid.grid import Grid, Segmented
from seggrid.grid.study import asked
from seggrid.language_model.probes import read_items
from seggrid.language_model.tasks import read_examples
from seggrid.language_model.text import hold_out, read_training_text
from seggrid.morphology.references import read_reference
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import ready_model
from seggrid.segment.external import External
from seggrid.segment.glossary import NONE, unmatched
from seggrid.segment.marks import MarkedText
from seggrid.workflow.rules.files import Files


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
    texts and gold of every pair in use and the tables of published figures are checked whole; other files
    (which are downloaded if necessary), packages and programs must exist. Packages need not be installed here
    if jobs are `deployed` in environments of their own. The first mistakes in each pair, in each other file
    and of each aligner are raised together."""
    found = Findings(files or Files(grid.config))
    segmented = _segmentations(grid)
    _check_texts(found, grid, segmented)
    for study in asked(grid):
        for check in study.sources(grid, found.files, deployed=deployed):
            found.check(check)
    _check_models(found, grid, deployed=deployed)
    if not deployed:
        _check_packages(found, grid, segmented)
    if found.mistakes:
        raise InputErrors(list(found.mistakes.values()))
    return found.remarks


def _check_texts(found: Findings, grid: Grid, segmented: set[Segmented]) -> None:
    """Check the texts of pairs, and what segmenters read."""
    config = grid.config
    learned = {pair for study in asked(grid) for pair in study.pairs(config)}
    learned |= {entry.pair for entry in config.language_models.values() if entry.pair}
    for pair in sorted({*grid.pairs, *learned}):
        found.check(_check_pair, grid, found.files, pair, segmented)
        for side in map(config.pairs[pair].side, SIDES):
            if side.morphemes is not None:
                found.reads(read_reference, side.morphemes.file, side.morphemes.format)
            found.reads(read_lexicon, side.lexicon)
    for where in sorted(segmented, key=Segmented.order):
        if where.spec.glossary not in (None, NONE):
            found.check(_check_glossary, found.files, where)
        if where.tokenizer is not None:
            found.check(_check_tokenizer, grid, found.files, where, where.tokenizer)
        found.reads(ready_model, where.ready, where.spec)


def _check_packages(found: Findings, grid: Grid, segmented: set[Segmented]) -> None:
    """Check that packages and programs of jobs are installed."""
    config = grid.config
    if config.language_models:
        found.check(check_installed, "lm", user="language_models", instead="add --sdm conda")
    segmenters = sorted({own.spec.segmenter for own in segmented})
    for segmenter in segmenters:
        if packages := SEGMENTERS[segmenter].requires:
            user = f"the segmenter {segmenter}"
            found.check(check_installed, "tokenizers", *packages, user=user)
    for aligner, own in dict.fromkeys((cell.aligner, cell.own) for cell in grid.experiments):
        found.check(_check_aligner, aligner, config.aligners.options(aligner), dict(own))
    if any(SEGMENTERS[segmenter].tagged for segmenter in segmenters):
        found.check(check_tagger)


def _check_pair(grid: Grid, files: Files, pair: str, segmented: set[Segmented]) -> list[str]:
    gold = grid.config.pairs[pair].gold or Gold()
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
        bad_links=gold.bad_links,
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
    found.update(own for study in asked(grid) for own in study.segmentations(grid))
    for plan in grid.language_models.values():
        if plan.text is None:
            found.add(grid.segmented(plan.pair, plan.side, plan.segmentation))
    return found


def _check_tokenizer(grid: Grid, files: Files, own: Segmented, given: OutsideTokenizer) -> None:
    """Read a tokenizer from elsewhere; if it is a tokenized text, map its tokens to the words."""
    side, file = own.spec, files.file(given.file)
    model = External.read(file, given.format)
    model.check(side)
    # If sentences are left out, only the jobs know which ones, so the text cannot be checked here.
    left_out = grid.config.pairs[own.pair].empty_lines == "skip"
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


# Language models.

_NAMED = 5
"""The most labels that a message names."""


def _check_models(found: Findings, grid: Grid, *, deployed: bool) -> None:
    """Check the files of each model."""
    files = found.files
    entries = each_seed(grid.config.language_models, grid.config.seed)
    texts = set()
    for name, entry in entries.items():
        own, *before = [grid.language_models[each] for each in lineage(entries, name)]
        text = str(own.text), own.format, own.segmentation.case, own.test
        # Checked once: most models of a config are trained on the same text, which may be large.
        if own.text is not None and text not in texts:
            texts.add(text)
            found.check(_check_text, files, own)
        found.check(_check_other_text, files, own, before)
        for probe in entry.probes.values():
            found.reads(read_items, probe.file)
        for task, settings in entry.tasks.items():
            if settings.kind != "pos":
                found.check(_check_task, files, f"language_models.{name}.tasks.{task}", settings)
            elif not deployed:
                found.check(check_tagger, "tasks of kind pos", "leave them out")


def _check_text(files: Files, own: LanguageModelPlan) -> None:
    """Refuse a text from outside that cannot be read or is too short."""
    assert own.text is not None
    file = files.file(own.text)
    sentences = read_training_text(file, own.format)
    try:
        hold_out(list(map(tuple, apply_case(sentences, own.segmentation.case))), own.test)
    except InputError as error:
        hint = f"hold out fewer (language_models.{own.name}.test), or give a longer text"
        raise InputError(error.message, file=file, hint=hint) from None


def _check_other_text(
    files: Files, own: LanguageModelPlan, before: Sequence[LanguageModelPlan]
) -> None:
    """Refuse a model whose text is the same as that of the model that it continues, under another name: the
    continued model may have been trained on the sentences on which this one is tested."""
    for other in before:
        if (own.text, own.pair, own.side) != (other.text, other.pair, other.side):
            ours, theirs = _text(files, own), _text(files, other)
            same = files.content(*map(str, ours.files)) == files.content(*map(str, theirs.files))
            # Both sides of a pair may be parts of one file.
            if same and ours.part == theirs.part:
                raise InputError(
                    f"the text of {own.name} is that of {other.name}, which it continues and which may have "
                    f"been trained on what {own.name} is tested on",
                    file=ours.files[0],
                    hint=f"leave out what names the text of {own.name}, to test both on the same sentences",
                )


def _text(files: Files, own: LanguageModelPlan) -> Text:
    if own.text is not None:
        return Text((files.file(own.text),), own.format)
    return files.text(own.pair, own.side)


def _check_task(files: Files, name: str, task: Task) -> list[str]:
    """Read both files of a task; return remarks on labels of the test that do not occur in training."""
    found = [files.file(file) for file in (task.train, task.test) if file is not None]
    train, test = (read_examples(file, task.kind) for file in found)
    if files.content(found[0]) == files.content(found[1]):
        raise InputError(
            f"{name}: the test file is the training file", file=found[1], hint="name another file"
        )
    known, tested = ({label for own in some.labels for label in own} for some in (train, test))
    new = sorted(tested - known)
    if not new:
        return []
    some = ", ".join(new[:_NAMED]) + (", …" if len(new) > _NAMED else "")
    message = f"labels that do not occur in training, so that none is predicted: {some}"
    if not tested & known:
        raise InputError(f"{name}: only {message}", file=found[1], hint="check both files")
    return [f"{found[1]}: {name}: {message}"]

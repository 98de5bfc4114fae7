"""Check an evaluation of a tokenizer: whether its keys can be combined."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from seggrid.corpus.pos import ANY, CELEX_PARTS
from seggrid.grid.config.checks.experiments import check_axis, check_side, check_sizes
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models.morphology import Morphology, TokenizerFiles
from seggrid.grid.config.models.pairs import Pair
from seggrid.segment import SEGMENTERS
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import Side
from seggrid.segment.vocabulary import RULES


def check_morphology(
    texts: Mapping[str, Pair], name: str, entry: Morphology, pairs: list[str], findings: Findings
) -> None:
    """Check whether the keys of an evaluation can be combined.

    Args:
        texts: the pairs that fit the config's models.
        name, entry: the evaluation.
        pairs: names of all pairs.
        findings: collects mistakes and remarks.
    """
    key = ("morphology", name)
    if entry.tokenizer is None and entry.learned is None:
        hint = "add learned: {pair: …, side: …, merges: …}"
        findings.mistake(key, "neither tokenizer nor learned", hint)
        return
    if entry.tokenizer is not None and entry.learned is not None:
        findings.mistake(key, "both tokenizer and learned", "keep one of them")
        return
    if entry.tokenizer is not None:
        _check_files(entry.tokenizer, (*key, "tokenizer"), findings)
    elif (learned := entry.learned) and pairs and learned.pair not in pairs:
        findings.unknown((*key, "learned", "pair"), "pair", learned.pair, pairs)
    elif learned and learned.pair in texts:
        _check_learned(texts, entry, key, findings)
    _check_variants(entry, key, findings)
    reference = entry.reference
    if reference.frequencies is not None and reference.wordfreq is not None:
        findings.mistake((*key, "reference"), "both frequencies and wordfreq", "keep one of them")
    for knockout in entry.knockout or []:
        variant = parse_knockout(knockout)
        # Trimming counts types in the text from which a model was learned; for a tokenizer from elsewhere
        # there is none.
        counts = variant.method == "trim" and entry.tokenizer is not None
        if (counts or variant.tokens) and not (reference.frequencies or reference.wordfreq):
            other = f", or use {knockout.removesuffix('-tokens')}" if variant.tokens else ""
            findings.mistake(
                (*key, "knockout"),
                f"{knockout} needs the frequencies of words",
                f"add morphology.{name}.reference.frequencies or wordfreq{other}",
            )


def _check_files(files: TokenizerFiles, key: Key, findings: Findings) -> None:
    """Refuse combinations of files that are not exactly one tokenizer."""
    own = (files.merges, files.vocabulary, files.tokenizer)
    if files.file is not None and any(own):
        findings.mistake(key, "file is a tokenizer by itself", "leave the others out")
    elif files.file is not None and files.format is None:
        hint = "add format: huggingface or format: sentencepiece"
        findings.mistake(key, "no format of the file", hint)
    elif files.file is None and files.format is not None:
        findings.mistake((*key, "format"), "without a file", "give the tokenizer as file")
    elif files.merges is None and files.tokenizer is None and files.file is None:
        findings.mistake(
            key,
            "no file of merges and no tokenizer.json",
            "add merges" if files.vocabulary else "give merges and vocabulary, or tokenizer",
        )
    elif files.tokenizer is not None and (files.merges or files.vocabulary):
        findings.mistake(
            key, "tokenizer holds merges and vocabulary itself", "leave the others out"
        )


def _check_learned(
    texts: Mapping[str, Pair], entry: Morphology, key: Key, findings: Findings
) -> None:
    """Refuse a segmentation that cannot be learned, or that cannot cut single words."""
    learned = entry.learned
    assert learned is not None
    here = (*key, "learned")
    given, side = learned.axes(), learned.segmentation

    def where(axis: str) -> Key:
        return (*here, axis) if axis in given else here

    for axis in given:
        check_axis((*here, axis), [given[axis]], [side.segmenter], findings)
    check_sizes(here, given, findings)
    check_side(texts, learned.pair, learned.side, side, where, findings)
    if side.crosses_words:
        findings.mistake(
            where("segmenter" if SEGMENTERS[side.segmenter].crosses_words else "spaces"),
            "units across words, where words are cut one by one",
            "leave it out: only units within words can be evaluated",
        )
    if SEGMENTERS[side.segmenter].tagged and side.pos != ANY:
        known_parts = CELEX_PARTS.values() if entry.reference.format == "celex" else ()
        if side.pos not in known_parts:
            findings.mistake(
                where("pos"),
                f"the reference does not say which of its words are {side.pos}s",
                f"give a reference of CELEX and one of {', '.join(CELEX_PARTS.values())}, or pos: {ANY}",
            )
    if SEGMENTERS[side.segmenter].outside:
        known = texts[learned.pair].side(learned.side).tokenizers
        format = known[side.tokenizer].format if side.tokenizer in known else ""
        if format.startswith("tokens-"):
            findings.mistake(
                where("tokenizer"),
                f"{side.tokenizer} is the tokens of a text, which say nothing of other words",
                "give the tokenizer itself",
            )
    if entry.dropout:
        _check_dropout(side, entry.dropout, key, findings)


def _check_dropout(side: Side, rates: list[Fraction], key: Key, findings: Findings) -> None:
    if "dropout" not in SEGMENTERS[side.segmenter].axes:
        message, hint = f"{side.segmenter} has none", "leave it out"
        findings.mistake((*key, "dropout"), message, hint)
    elif side.application in ("replace", *RULES) and any(rates):
        message = f"{side.application} has no single occurrences to drop"
        findings.mistake((*key, "dropout"), message, "use application: rank")
    elif side.sampled:
        message, hint = "together with sampling", "evaluate one of the two"
        findings.mistake((*key, "dropout"), message, hint)


def _check_variants(entry: Morphology, key: Key, findings: Findings) -> None:
    """Refuse pruning if the tokenizer has no merges that can be pruned."""
    if entry.can_be_pruned:
        return
    pruning = [name for name in entry.knockout or [] if name != "none"]
    uses = {"knockout": bool(pruning), "figures": entry.figures, "write": entry.write}
    for name in (name for name, is_used in uses.items() if is_used):
        findings.mistake(
            (*key, name),
            "only a BPE whose merges are applied by rank can be pruned",
            "leave it out for this segmenter",
        )

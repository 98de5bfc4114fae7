"""Check an evaluation of a tokenizer: which of its keys go together."""

from __future__ import annotations

from seggrid.data.settings import suggestion
from seggrid.grid.config.findings import Findings
from seggrid.grid.config.models.morphology import Morphology
from seggrid.morphology.variants import parse_knockout


def check_morphology(name: str, entry: Morphology, pairs: list[str], findings: Findings) -> None:
    """Check which keys of an evaluation go together."""
    key = ("morphology", name)
    if entry.tokenizer is None and entry.learned is None:
        hint = "add learned: {pair: …, side: …, merges: …}"
        findings.mistake(key, "neither tokenizer nor learned", hint)
    if entry.tokenizer is not None and entry.learned is not None:
        findings.mistake(key, "both tokenizer and learned", "keep one of them")
    if entry.tokenizer is not None:
        files = entry.tokenizer
        here = (*key, "tokenizer")
        if files.merges is None and files.tokenizer is None:
            findings.mistake(
                here,
                "no file of merges and no tokenizer.json",
                "add merges" if files.vocabulary else "give merges and vocabulary, or tokenizer",
            )
        elif files.tokenizer is not None and (files.merges or files.vocabulary):
            findings.mistake(
                here, "tokenizer holds merges and vocabulary itself", "leave the others out"
            )
    if entry.learned is not None and pairs and entry.learned.pair not in pairs:
        pair = entry.learned.pair
        findings.mistake((*key, "learned", "pair"), f"no pair {pair!r}", suggestion(pair, pairs))
    reference = entry.reference
    if reference.frequencies is not None and reference.wordfreq is not None:
        findings.mistake((*key, "reference"), "both frequencies and wordfreq", "keep one of them")
    for knockout in entry.knockout:
        if parse_knockout(knockout).tokens and not (reference.frequencies or reference.wordfreq):
            findings.mistake(
                (*key, "knockout"),
                f"{knockout} needs the frequencies of words",
                f"add morphology.{name}.reference.frequencies or wordfreq, "
                f"or use {knockout.removesuffix('-tokens')}",
            )

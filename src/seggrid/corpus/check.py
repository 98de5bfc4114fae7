"""Find what is wrong with a pair of texts and their gold before any job starts."""

from pathlib import Path
from typing import Literal

from seggrid.corpus.gold import GoldFormat, GoldLink, parse_gold_links
from seggrid.corpus.text import TextFormat, read_sentences, words_of
from seggrid.errors import InputError


def check_pair(
    source: str | Path,
    target: str | Path,
    gold: str | Path,
    *,
    source_format: TextFormat = "lines",
    target_format: TextFormat = "lines",
    gold_format: GoldFormat = "pharaoh",
    base: Literal[0, 1] = 0,
    swapped: bool = False,
) -> None:
    """Check a language pair: both texts alone, one against the other, and the gold against both.

    Only the words of sentences that have gold are counted, so that the check takes hundredths of
    a second on a text of ten thousand lines and can be run whenever the config is read.

    Args:
        source: text of the source language.
        target: text of the target language.
        gold: word alignment of some of its sentences.
        source_format: see `seggrid.corpus.text.read_text`.
        target_format: likewise.
        gold_format: see `seggrid.corpus.gold`.
        base: what the gold counts from.
        swapped: the gold names the target word first.

    Raises:
        InputError: the first mistake found, with file, line and hint.
    """
    source_sentences, source_ids = read_sentences(source, source_format)
    target_sentences, target_ids = read_sentences(target, target_format)
    if source_ids is not None and target_ids is not None:
        for number, (ours, theirs) in enumerate(zip(source_ids, target_ids, strict=False), 1):
            if ours != theirs:
                raise InputError(
                    f"the id {theirs} where {source} has {ours}",
                    file=target,
                    line=number,
                    hint="the two sides must hold the same ids in the same order",
                )
    if len(source_sentences) != len(target_sentences):
        longer, shorter = (source, target)
        if len(source_sentences) < len(target_sentences):
            longer, shorter = (target, source)
        counts = sorted((len(source_sentences), len(target_sentences)))
        raise InputError(
            f"a sentence without its other half: {counts[1]} lines here, {counts[0]} in {shorter}",
            file=longer,
            line=counts[0] + 1,
            hint="line k of one side must translate line k of the other",
        )

    ids = source_ids if source_ids is not None else target_ids
    links = parse_gold_links(gold, gold_format, base=base, ids=ids, swapped=swapped)
    for sentence, row in links.items():
        if sentence >= len(source_sentences):
            raise InputError(
                f"no sentence {sentence + base}, counted from {base}, in a text of "
                f"{len(source_sentences)} lines",
                file=gold,
                line=row[0].line if row else None,
                hint="remove them, or give the whole text",
            )
        lengths = (
            len(words_of(source_sentences[sentence])),
            len(words_of(target_sentences[sentence])),
        )
        for link in row:
            if link.source >= lengths[0] or link.target >= lengths[1]:
                raise InputError(
                    f"a link from word {link.source + base} to word {link.target + base} in "
                    f"sentence {sentence + base}, which has {lengths[0]} and {lengths[1]} words",
                    file=gold,
                    line=link.line,
                    hint=_likely_mend(links, base),
                )


def _likely_mend(links: dict[int, list[GoldLink]], base: int) -> str:
    """What a link outside its sentence most likely comes from."""
    read = [link for row in links.values() for link in row]
    if base == 0 and all(link.source > 0 and link.target > 0 for link in read):
        return "no link uses position 0: set base: 1 if the gold counts from 1"
    return f"words are counted from {base}, the source first: check base, swapped and the texts"

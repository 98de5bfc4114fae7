"""`seggrid recommend`: the segmentation and the threshold on links that are likely best for a pair, as a
recipe. Its function is `seggrid.recommend`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from seggrid.base.errors import note
from seggrid.base.parameters import (
    Group,
    Help,
    InputFile,
    NameOfPair,
    Output,
    Seed,
    Threads,
)
from seggrid.base.rational import read_time
from seggrid.commands.options import (
    TEXTS,
    FormatOfTokenizer,
    GoldFile,
    Json,
    PairFiles,
    progress,
    read_pair,
    write_json_lines,
)
from seggrid.commands.recommendation import CERTAIN, MEASURED, recommend
from seggrid.text.parameters import GoldOptions, PairAligned

_GOLD = Group("gold", "With gold, candidates are compared by F1.")
_CANDIDATES = Group("candidates")


@dataclass(frozen=True)
class FurtherCandidates:
    """What is tried besides the usual candidates, and for how long."""

    tokenizers: Annotated[
        Sequence[tuple[InputFile, ...]],
        Help(
            "files of the tokenizers of source and target, or of one for both; a further candidate each "
            "time that it is given",
            ("--tokenizer",),
        ),
    ] = ()
    tokenizer_format: FormatOfTokenizer | None = None
    budget: Annotated[
        str | None,
        Help(
            "only try candidates that are expected to end within this time, such as 90s, 10m or 1h; by "
            "default, try all",
            metavar="TIME",
        ),
    ] = None


def command(
    texts: PairFiles,
    /,
    *,
    written: Annotated[PairAligned, TEXTS],
    gold: Annotated[GoldFile | None, _GOLD] = None,
    gold_written: Annotated[GoldOptions, _GOLD],
    candidates: Annotated[FurtherCandidates, _CANDIDATES],
    threads: Threads = 1,
    name: NameOfPair = "pair",
    seed: Seed = 1,
    json: Json = False,
    output: Annotated[Output | None, Help("the recipe; by default, none is written")] = None,
) -> None:
    """Align with each candidate, compare them, and print which is best; write it as a recipe."""
    budget = candidates.budget
    limit = None if budget is None else read_time(budget)
    pair = read_pair(texts, written)
    more = [read_pair(paths, written, training=True) for paths in written.training]
    found = recommend(
        pair.source,
        pair.target,
        gold,
        **gold_written,
        ids=pair.ids,
        training=[(one.source, one.target) for one in more],
        tokenizers=candidates.tokenizers,
        tokenizer_format=candidates.tokenizer_format,
        budget=limit,
        seed=seed,
        threads=threads,
        name=name,
        progress=progress,
    )
    if not gold and found.sentences < MEASURED:
        small = f"how good a choice without gold is was measured on texts of {MEASURED:,} and more"
        note([f"{found.sentences:,} sentence pairs: {small}, not on so small ones"])
    if output is not None:
        found.recipe.write(output)
    if json:
        write_json_lines(None, found.as_dict())
        return
    print(found)
    if found.not_tried:
        print(f"note: not tried within {budget}: {', '.join(found.not_tried)}")
    best = found.candidates[found.best]
    by = "estimated by consensus" if not gold else "by the gold"
    why = f"better than the default with a probability of {best.better:.0%}, {by}"
    if not found.best:
        why = f"the default segmentation; no candidate is better with a probability of {CERTAIN:.0%}, {by}"
    described = f"{best.label}, gibbs, links of a mutual probability above {best.threshold}"
    print(f"recommended: {described}: {why}")
    if found.alike:
        print(f"no difference from the default that this text can show: {', '.join(found.alike)}")
    if best.recipe.values.get("segmenter") == "external":
        print("note: give align this tokenizer, too: the recipe does not hold its files")
    print(
        "note: votes, such as align --recipe vote-small, are better than single cells (docs/recommend.md)"
    )

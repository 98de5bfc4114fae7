"""`seggrid score`: score links against gold links. Its function is `seggrid.score`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from seggrid.base.errors import InputError
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.base.parameters import COMPRESSED, Group, Help, InputFile, Output, Resamples, Seed
from seggrid.commands.options import (
    GoldFile,
    Json,
    read_pair,
    write_json_lines,
    write_output_lines,
)
from seggrid.commands.scoring import known_by_ids, known_in, score
from seggrid.text.parameters import GoldOptions, LinksOrdered, Numbered, PairWritten

_TEXT = Group("text", "Gold that names sentences (pharaoh-ids, naacl, rwth) needs one of these.")
_ONE = _TEXT._replace(exclusive=True)


def command(
    links: Annotated[
        InputFile,
        Help(
            "the links of each sentence, such as Pharaoh lines, `i-j i-j ...` from 0; - is standard input"
        ),
    ],
    gold: GoldFile,
    /,
    *,
    gold_written: GoldOptions,
    links_written: LinksOrdered,
    text_written: Annotated[PairWritten, _TEXT],
    text: Annotated[
        tuple[InputFile, ...] | None,
        Help(
            "the aligned texts, or one file that holds both; links and gold are checked against them",
            metavar="TEXT",
        ),
        _ONE,
    ] = None,
    ids: Annotated[InputFile | None, Help("the ids of the sentences, one a line"), _ONE] = None,
    numbered: Annotated[Numbered, _ONE] = False,
    resamples: Resamples = 2000,
    seed: Annotated[Seed, Help("seed of the resamples")] = 1,
    json: Json = False,
    output: Annotated[Output | None, Help(f"the scores{COMPRESSED}")] = None,
) -> None:
    """Read, score and write."""
    about = _about(text, text_written, ids, numbered)
    found = links_written.read(links, known_in(**about))
    scores = score(found, gold, **gold_written, **about, resamples=resamples, seed=seed)
    if json:
        write_json_lines(output, scores.as_dict())
        return
    rows = [
        f"{name}\t{of['value']:.4f}\t{of['low']:.4f}\t{of['high']:.4f}\t{of['signature']}"
        for name, of in scores.as_dict().items()
    ]
    write_output_lines(output, ["metric\tvalue\tlow\thigh\tsignature", *rows])


def _about(
    text: Sequence[str] | None, written: PairWritten, ids: str | None, numbered: bool
) -> dict[str, Any]:
    """What the options tell of the text, as arguments of `score`."""
    if text:
        pair = read_pair(text, written)
        return {"text": (pair.source, pair.target), "ids": pair.ids}
    if written.format:
        raise InputError("--format without --text", hint="give the texts, or leave it out")
    if not ids:
        return {"text": None, "numbered": numbered}
    hint = "give the id of each sentence, one a line"
    return {"text": None, "ids": known_by_ids(read_lines(ids, hint, LARGEST_TEXT), ids).ids}

"""`seggrid score`: score links against gold links. Its function is `seggrid.score`."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class About:
    """What is told of the text."""

    written: PairWritten
    text: Annotated[
        tuple[InputFile, ...] | None,
        Help(
            "the aligned texts, or one file that holds both; links and gold are checked against them",
            metavar="TEXT",
        ),
        _ONE,
    ] = None
    ids: Annotated[InputFile | None, Help("the ids of the sentences, one a line"), _ONE] = None
    numbered: Annotated[Numbered, _ONE] = False

    def read(self) -> dict[str, Any]:
        """The arguments of `score`."""
        if self.text:
            pair = read_pair(self.text, self.written)
            return {"text": (pair.source, pair.target), "ids": pair.ids}
        if self.written.format:
            raise InputError("--format without --text", hint="give the texts, or leave it out")
        if not self.ids:
            return {"text": None, "numbered": self.numbered}
        lines = read_lines(self.ids, "give the id of each sentence, one a line", LARGEST_TEXT)
        return {"text": None, "ids": known_by_ids(lines, self.ids).ids}


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
    about: Annotated[About, _TEXT],
    resamples: Resamples = 2000,
    seed: Annotated[Seed, Help("seed of the resamples")] = 1,
    json: Json = False,
    output: Annotated[Output | None, Help(f"the scores{COMPRESSED}")] = None,
) -> None:
    """Read, score and write."""
    known = about.read()
    found = links_written.read(links, known_in(**known))
    scores = score(found, gold, **gold_written, **known, resamples=resamples, seed=seed)
    if json:
        write_json_lines(output, scores.as_dict())
        return
    rows = [
        f"{name}\t{of['value']:.4f}\t{of['low']:.4f}\t{of['high']:.4f}\t{of['signature']}"
        for name, of in scores.as_dict().items()
    ]
    write_output_lines(output, ["metric\tvalue\tlow\thigh\tsignature", *rows])

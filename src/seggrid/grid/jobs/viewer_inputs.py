"""Read, from `results/`, data of the report that are not tables: costs, and cells for the viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from seggrid.grid.axes import path
from seggrid.grid.jobs.logs import LOGS, JobLogs, job_logs
from seggrid.grid.jobs.script import TOOK
from seggrid.score.counts import read_score_file
from seggrid.segment.side import parse_spec
from seggrid.text.gold import read_gold_file
from seggrid.text.links import Links, key_bits
from seggrid.text.segmentation import Segmentation
from seggrid.text.selection import gold_places
from seggrid.text.sides import SIDES
from seggrid.text.text_files import read_text


@dataclass(frozen=True)
class ViewerCell:
    """What the viewer shows of a cell, of the gold sentences of its pair.

    Attributes:
        cell: name of the cell.
        links: its word links; with dropout, aggregated over all samples.
        source, target: segmentation of each side; with dropout, of the first sample.
    """

    cell: str
    links: Links
    source: Segmentation
    target: Segmentation


@dataclass(frozen=True)
class ViewerPair:
    """The S gold sentences of a language pair.

    Attributes:
        pair: name of the pair.
        source, target: words of each side's sentences.
        sure: sure links of the gold.
        possible: possible links of the gold, including the sure ones.
        cells: the cells in the order in which the viewer lists them.
        names: id of each sentence in the text, or its line number from 1.
        of: how many sentences the scores are of, of which these are the first.
    """

    pair: str
    source: Sequence[Sequence[str]]
    target: Sequence[Sequence[str]]
    sure: Links
    possible: Links
    cells: Sequence[ViewerCell]
    names: Sequence[str]
    of: int = 0


def read_cost(
    cells: pd.DataFrame, more: Sequence[str] = (), folder: str | Path = LOGS
) -> pd.DataFrame:
    """The time and memory of the work of each job, as `timed` logged them: Snakemake's `benchmark` would
    include the start of a job, and sees nothing of what the fork server does for it. Logs of jobs on which
    none of the cells depends, and not among `more` (`STAGE/NAME`), belong to other grids and are ignored."""
    wanted = {logs for row in cells.to_dict("records") for logs in job_logs(row)}
    wanted |= {
        JobLogs(stage, escape(name)) for stage, _, name in (log.partition("/") for log in more)
    }
    rows = []
    for file in sorted({file for logs in wanted for file in logs.find_used(folder)}):
        stage, *rest = file.relative_to(folder).with_suffix("").parts
        for took in TOOK.findall(file.read_text(encoding="utf-8", errors="replace")):
            figures = (float(figure) if figure else np.nan for figure in took)
            rows.append((stage, "/".join(rest), *figures))
    return pd.DataFrame(rows, columns=["stage", "cell", "seconds", "cpu_seconds", "max_rss_mb"])


def read_viewer(
    cells: pd.DataFrame,
    chosen: Mapping[str, Sequence[str]],
    sentences: int,
) -> list[ViewerPair]:
    """The first sentences with gold of each pair, or of those kept, with links and tokens of chosen cells."""
    rows = cells.set_index("cell")
    pairs = []
    for pair, names in chosen.items():
        if not names:
            continue
        gold = read_gold_file(path("gold", pair=pair))
        kept = np.arange(min(sentences, len(gold.sentences)))
        first = rows.loc[names[0]]
        words = {}
        for side in SIDES:
            spec = parse_spec(first[side])
            file = path("corpus", pair=pair, side=side, spec=spec.spec("corpus"))
            text, _ = read_text(file, "lines")
            places = gold_places(gold.sentences, spec.sentences)[kept]
            words[side] = [text[place] for place in places]
        pairs.append(
            ViewerPair(
                pair,
                words["source"],
                words["target"],
                gold.sure.take(kept),
                gold.possible.take(kept),
                [_viewer_cell(name, rows.loc[name], kept) for name in names],
                gold.names[: len(kept)],
                len(gold.sentences),
            )
        )
    return pairs


def read_agreement(cells: pd.DataFrame, chosen: Sequence[str]) -> dict[str, float]:
    """How far each of some cells of a pair agrees with the others, on the sentences of its score file."""
    rows = cells.set_index("cell").loc[list(chosen)]
    scored = zip(rows["file"], rows["aggregate"], strict=True)
    links = [read_score_file(file).links_of(aggregate) for file, aggregate in scored]
    return dict(zip(chosen, mutual_agreement(links).tolist(), strict=True))


def mutual_agreement(sets: Sequence[Links]) -> NDArray[np.float64]:
    """The mean F1 of each of C sets of links if each other set is taken as gold, shape (C,).

    >>> mutual_agreement([Links.from_lines([line]) for line in ("0-0 1-1", "0-0", "2-2")]).round(3).tolist()
    [0.333, 0.333, 0.0]
    """
    sizes = np.array([len(links.pairs) for links in sets])
    owner = np.repeat(np.arange(len(sets)), sizes)
    keys = np.concatenate([links.keys(key_bits(sets)) for links in sets])
    distinct, link = np.unique(keys, return_inverse=True)
    has = csr_array((np.ones(len(link)), (owner, link)), (len(sets), len(distinct) or 1))
    shared = (has @ has.T).toarray()
    f1 = 2 * shared / np.maximum(1, sizes[:, None] + sizes)
    return np.asarray((f1.sum(axis=1) - f1.diagonal()) / max(1, len(sets) - 1))


def _viewer_cell(name: str, row: pd.Series, kept: np.ndarray) -> ViewerCell:
    scored = read_score_file(row["file"])
    links = scored.links_of(row["aggregate"]).take(kept)
    return ViewerCell(name, links, scored.source.take(kept), scored.target.take(kept))

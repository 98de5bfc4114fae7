"""The study `votes`: its key of a config, its checks, and its place on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from seggrid.base.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.config import Config
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Name
from seggrid.grid.cost import Cost, Most
from seggrid.grid.grid import Grid
from seggrid.grid.study import Check, Section, Study
from seggrid.studies.votes.config import Ensemble, check_ensemble
from seggrid.text.link_checks import counted


class Votes(Study):
    """Votes across the cells of some experiments."""

    key = "ensemble"
    value: ClassVar[Any] = (
        dict[Name, Ensemble],
        Field({}, description="Named votes across cells of any aligners and segmentations."),
    )
    of_experiments = True
    costs: ClassVar = {"ensemble": Cost(most=Most(1000, 100, 5, 1.0))}
    sections = (
        Section(
            "ensembles",
            "Votes",
            "An ensemble keeps the links that enough of its cells have. It is compared with the member "
            "with the lowest AER on the same sentences; p is from a paired test of F1. Members vote, and are "
            "scored here, with their first replicate; elsewhere a cell has the mean over its replicates.",
        ),
    )

    @classmethod
    def check(cls, config: Config, findings: ConfigFindings) -> None:
        """Check each ensemble."""
        for name, ensemble in cls.given(config).items():
            check_ensemble(name, ensemble, config, findings)

    @classmethod
    def sources(cls, grid: Grid, files: Any, *, deployed: bool) -> Iterator[Check]:
        """Each ensemble needs several cells of a pair, and gold for its folds."""
        for name, ensemble in cls.given(grid.config).items():
            pairs = voting_pairs(grid, name)
            yield partial(_check_members, name, pairs)
            for pair in pairs if ensemble.choose else ():
                yield partial(_check_folds, files, pair, name, ensemble.choose.folds)

    @classmethod
    def rows(cls) -> Mapping[str, Callable[[Any], Any]]:
        """The members of each vote, the heaviest first."""
        by = {"by": ["ensemble", "pair", "weight"], "ascending": [True, True, False]}
        return {"members": lambda votes: votes.sort_values(**by)}

    @classmethod
    def selections(cls, results: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Each vote, as a family of its own.

        The links of a vote were found without gold, or with the gold of other folds, as `gold_used` says.
        """
        votes = results["ensembles"].to_dict("records") if "ensembles" in results else ()
        return [
            {
                "pair": vote["pair"],
                "family": f"{_FAMILY}{vote['ensemble']}",
                "cells": vote["members"],
                "best": vote["best_member"],
                "chosen": f"gold used: {vote['gold_used']}",
                **{name: value for name, value in vote.items() if name in _SCORES},
            }
            for vote in votes
        ]

    @classmethod
    def sentences(cls, selection: Any, pair: str) -> list[str]:
        """A sentence on the votes of a pair, each with the gold that it has used."""
        votes = selection[(selection["pair"] == pair) & selection["family"].str.startswith(_FAMILY)]
        parts = [
            f"{row.family.removeprefix(_FAMILY)} ({row.cells} cells; {row.chosen}) {row.f1:.3f} "
            f"({row.f1_low:.3f} to {row.f1_high:.3f})"
            for row in votes[votes["f1"].notna()].itertuples()
        ]
        return [f"Votes of cells have F1: {', '.join(parts)}."] if parts else []


_FAMILY = "vote "
"""Prefix of the families of votes."""

_SCORES = frozenset(
    {
        *(f"{metric}{end}" for metric in ("f1", "aer") for end in ("", "_low", "_high")),
        *("best_f1", "best_aer"),
    }
)


def members(grid: Grid, ensemble: str, pair: str) -> list[Cell]:
    """The cells of a pair that are members of an ensemble."""
    cells = grid.named(Votes.given(grid.config)[ensemble].members)
    return [cell for cell in cells if cell.pair == pair]


def voting_pairs(grid: Grid, ensemble: str) -> list[str]:
    """The pairs with at least two member cells."""
    return [pair for pair in grid.pairs if len(members(grid, ensemble, pair)) > 1]


def _check_members(name: str, pairs: list[str]) -> None:
    if not pairs:
        raise InputError(
            f"ensemble.{name}: its members have fewer than two cells of any pair",
            hint="name more experiments as members, or give these more values",
        )


def _check_folds(files: Any, pair: str, name: str, folds: int) -> None:
    """Refuse more folds than there are sentences with gold."""
    sentences = files.gold_sentences(pair)
    if sentences < folds:
        hint = (
            f"set folds to {sentences} or less" if sentences > 1 else "give weights and threshold"
        )
        raise InputError(
            f"{counted(sentences)} with gold, fewer than the {folds} folds of "
            f"ensemble.{name}.choose",
            file=files.gold(pair)[0],
            hint=f"{hint}, or give more gold",
        )

"""Recipes: settings of single cells or of votes, in YAML, which ship with the package or are written by the
user (docs/recommend.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BeforeValidator, Field

from seggrid.align import gives_probabilities
from seggrid.base.errors import InputError, quoted_value, suggestion
from seggrid.base.files import atomic_write
from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.axes import CELL_AXES, SIDE_AXES, canonical_aggregate
from seggrid.grid.cell import Cell, cells_of
from seggrid.grid.config import fit, from_plain, read_config
from seggrid.grid.config.experiments import Aligners, Experiment, check_read
from seggrid.grid.config.keys import with_keys
from seggrid.grid.config.read import ConfigFindings, Key
from seggrid.grid.plugins import load_installed
from seggrid.score.votes import POSTERIOR, threshold_of, threshold_prefix
from seggrid.segment import SEGMENTERS
from seggrid.text.words import distinct_words

DEFAULT = "bpe"
"""The recipe of a single cell that was chosen on all pairs with gold, and tested by leaving out each pair in
turn (docs/recommend.md)."""

SHIPPED = tuple(sorted(file.stem for file in Path(__file__).parent.glob("*.yaml")))
"""The names of the recipes that ship with the package."""

_OF_GRIDS = {
    "pairs": "the texts are named on the command line",
    "sentences": "all sentences are aligned",
    "replicates": "a text is aligned once",
}
"""Keys of an experiment that have no meaning for a single cell, with the reason."""

T = TypeVar("T")
_Count = Annotated[int, Field(ge=0, le=10_000_000)]
_Types = Annotated[_Count, Field(strict=False)]
_Weights = list[Annotated[float, Field(gt=0, le=1000)]]


def _by_types(weights: Any) -> Any:
    """Weights by numbers of word types; a list is for all texts."""
    if isinstance(weights, list):
        return {0: weights} if weights else {}
    return weights


def _threshold(above: Any) -> Any:
    """The threshold of a vote as an aggregate; a number is one on means."""
    text = f"{POSTERIOR}{above:.12g}" if isinstance(above, float) else str(above)
    text = text if threshold_prefix(text) else f"{POSTERIOR}{text}"
    try:
        aggregate = canonical_aggregate(text)
    except InputError:
        aggregate = None
    if aggregate is None or threshold_of(aggregate) == 1:
        hint = "give a number of 0 or more and less than 1, for means, or mutual-0.35"
        raise InputError(f"{quoted_value(above)} is no threshold of a vote", hint=hint)
    return aggregate


class _File(Settings):
    """The keys of a recipe's file: the axes of one cell, each with one value; or of experiments whose cells
    vote, with the probability that a link needs and the weights of experiments. Numbers of merges and weights
    may depend on the texts: each is used from a number of word types on (see `word_types`)."""

    description: str = ""
    cell: Experiment | None = None
    vote: list[Experiment] = Field(default_factory=list)
    above: Annotated[str, BeforeValidator(_threshold)] = f"{POSTERIOR}0.5"
    weights: Annotated[dict[_Types, _Weights], BeforeValidator(_by_types)] = Field(
        default_factory=dict
    )
    merges: dict[_Types, OneOrMore[_Count]] = Field(default_factory=dict)
    aligners: Aligners = Field(default_factory=lambda: with_keys(Aligners)())

    def experiments(self) -> dict[Key, Experiment]:
        """The experiment of the cell or those of the vote, by their keys."""
        if self.cell is not None:
            return {("cell",): self.cell}
        return {("vote", str(number)): one for number, one in enumerate(self.vote)}


@dataclass(frozen=True)
class Recipe:
    """The settings of a cell or of a vote's cells.

    Attributes:
        description: what the recipe is for.
        values: the key `cell` of its file; empty for a vote.
        options: the key `aligners`.
        merges: numbers of merges by the least number of word types from which they are taken.
        vote: the key `vote`: settings of each cell that votes; empty for a single cell.
        above: the threshold on the probabilities of the vote, an aggregate.
        weights: weight of each entry of `vote`, by the least number of word types from which they are taken;
            empty if all are equal.
    """

    description: str
    values: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    merges: Mapping[int, Sequence[int]] = field(default_factory=dict)
    vote: Sequence[Mapping[str, Any]] = ()
    above: str = f"{POSTERIOR}0.5"
    weights: Mapping[int, Sequence[float]] = field(default_factory=dict)

    def fitted(self, types: int) -> Recipe:
        """The recipe with the numbers of merges and the weights for two texts with this number of word types.

        >>> Recipe("", {"case": "lower"}, merges={0: [1000], 15000: [2000]}).fitted(20000).values
        {'case': 'lower', 'merges': 2000}
        """

        def chosen(by_types: Mapping[int, Sequence[T]]) -> Sequence[T]:
            return by_types[max(least for least in by_types if least <= types)]

        weights = {0: chosen(self.weights)} if self.weights else {}
        if not self.merges:
            return replace(self, weights=weights)
        merges = [*chosen(self.merges)]
        own = {"merges": merges[0] if len(merges) == 1 else merges}
        vote = [{**values, **own} if _has_merges(values) else values for values in self.vote]
        values = {} if self.vote else {**self.values, **own}
        return replace(self, values=values, merges={}, vote=vote, weights=weights)

    def voters(self, pair: str, *, types: int = 0, pruned: bool = False) -> dict[Cell, float]:
        """The cells of a pair that vote, or the recipe's only one, each with its weight. `types` is the
        number of word types of its texts; pruned segmentations are allowed only where models exist already.
        """
        fitted, found = self.fitted(types), dict[Cell, float]()
        for number, values in enumerate(fitted.vote or [fitted.values]):
            experiment = with_keys(Experiment).from_values({"aggregate": 0.5, **complete(values)})
            cells = cells_of(experiment, [pair])
            own = dict.fromkeys(map(_voting, cells) if fitted.vote else cells)
            weights = fitted.weights.get(0)
            found |= dict.fromkeys(own, weights[number] / len(own) if weights else 1.0)
        if fitted.vote and len(found) < 2:
            raise InputError("a vote of one cell", hint="give cell in place of vote")
        if not fitted.vote and len(found) > 1:
            hint = "give each axis one value, without a list"
            raise InputError(f"a recipe of {len(found)} cells", hint=hint)
        if not pruned and any(cell.source.pruned or cell.target.pruned for cell in found):
            raise InputError("a recipe cannot prune", hint="leave knockout out")
        return found

    def cells(self, pair: str, *, types: int = 0, pruned: bool = False) -> list[Cell]:
        """The cells that vote, or the recipe's only one; see `voters`."""
        return [*self.voters(pair, types=types, pruned=pruned)]

    def write(self, path: str | Path) -> None:
        """Write the recipe in the format of `read_recipe`."""
        with atomic_write(path) as file:
            file.write(self.text())

    def text(self) -> str:
        """The content of the recipe's file, as `write` writes it."""
        merges = {k: n[0] if len(n) == 1 else [*n] for k, n in self.merges.items()}
        content: dict[str, Any] = {"description": self.description}
        if self.vote:
            vote = [
                {k: v for k, v in complete(values).items() if k != "aggregate"}
                for values in self.vote
            ]
            content |= {"vote": vote, "above": self.above}
        else:
            content |= {"cell": complete(self.values)}
        weights = {k: [*own] for k, own in self.weights.items()}
        more: dict[str, Any] = {"weights": weights[0] if len(weights) == 1 else weights}
        more |= {"merges": merges, "aligners": dict(self.options)}
        content |= {key: value for key, value in more.items() if value}
        return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def word_types(source: Iterable[Iterable[str]], target: Iterable[Iterable[str]]) -> int:
    """The number of distinct lower-cased words of each text, summed over both; numbers of merges depend on
    it.

    >>> word_types([["The", "the", "house"]], [["das", "Haus"]])
    4
    """
    return sum(len({word.lower() for word in distinct_words(text)}) for text in (source, target))


def _voting(cell: Cell) -> Cell:
    """A cell as a voter: by probabilities if its aligner has them, whatever its aggregate says."""
    if not gives_probabilities(cell.aligner):
        return cell
    usual = CELL_AXES["symmetrization"].default
    return replace(cell, aggregate=f"{POSTERIOR}0.5", symmetrization=str(usual))


def _has_merges(values: Mapping[str, Any]) -> bool:
    """Whether the segmenter in these values, one for both sides, reads a number of merges."""
    segmenter = values.get("segmenter", SIDE_AXES["segmenter"].default)
    named = segmenter if isinstance(segmenter, list) else [segmenter]
    return all("merges" in SEGMENTERS[name].axes for name in named)


def recipe_of(cell: Cell, description: str, options: Mapping[str, Any]) -> Recipe:
    """The recipe with the settings of a cell, without its number of sentences."""
    source, target = (
        {
            name: axis.plain(value)
            for name, axis in SIDE_AXES.items()
            if not axis.shared and (value := getattr(side, name)) is not None
        }
        for side in (cell.source, cell.target)
    )
    values: dict[str, Any] = {"source": source, "target": target}
    if source == target:
        values = dict(source)
    values |= {"aligner": cell.aligner, "symmetrization": cell.symmetrization}
    values |= {name: CELL_AXES[name].plain(value) for name, value in cell.own}
    if cell.sampled:
        values["samples"] = cell.samples
    values |= {"aggregate": cell.aggregate}
    return Recipe(description, values, {cell.aligner: dict(options)} if options else {})


def read_recipe(name: str | Path, *, pruned: bool = False) -> Recipe:
    """Read a recipe that ships with the package, by its name, or a recipe in a file; one in a folder of
    models may prune, and may have keys without effect."""
    path = Path(name).expanduser()
    if str(name) in SHIPPED:
        path = Path(__file__).with_name(f"{name}.yaml")
    elif not path.exists() or path.is_dir():
        hint = suggestion(str(name), list(SHIPPED)) if "/" not in str(name) else "check the path"
        raise InputError(f"no recipe {name}", hint=hint)
    else:
        load_installed()  # whose names a file may have
    source = read_config([path], keys="cell:")
    findings, values = ConfigFindings(source), source.plain()
    if pruned:  # written with all values, but by earlier versions without these
        earlier = {"case": "keep", "aggregate": 0.5}
        values = {
            key: earlier | given if key == "cell" and isinstance(given, dict) else given
            for key, given in values.items()
        }
    read = fit(with_keys(_File), values, findings)
    if read.cell is None and not read.vote:
        findings.mistake((), "the key 'cell' is missing")
    if read.cell is not None and read.vote:
        findings.mistake(("vote",), "together with cell", "leave one of the two out")
    for key, experiment in read.experiments().items() if not pruned else ():
        check_read(experiment, key, findings)
        for reason in _OF_GRIDS.keys() & experiment.model_fields_set:
            message = f"a recipe has none: {_OF_GRIDS[reason]}"
            findings.mistake((*key, reason), message, "leave it out")
    for own in read.weights.values():
        if len(own) != len(read.vote):
            message = f"{len(own)} weights of {len(read.vote)} experiments"
            findings.mistake(("weights",), message, "give one for each, or none")
    for name_of, by_types in (("merges", read.merges), ("weights", read.weights)):
        if by_types and min(by_types):
            findings.mistake((name_of,), f"no {name_of} for few word types", "begin with 0")
    _check_merges(read, findings)
    findings.refuse()
    options, vote = values.get("aligners", {}), values.get("vote", ())
    single = _single(values.get("cell", {}))
    recipe = Recipe(read.description, single, options, read.merges, vote, read.above, read.weights)
    try:
        recipe.voters("pair", pruned=pruned)
    except InputError as error:
        raise error.at(name) from None
    return recipe


def complete(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of axes, with those that are usual for their aligners where they are not set.

    >>> complete({"merges": 500})
    {'merges': 500, 'case': 'lower', 'aggregate': 'mutual-0.35'}
    """
    experiment = with_keys(Experiment).from_values(values)
    first, *others = map(experiment.usual, experiment.values("aligner"))
    agreed = (item for item in first.items() if all(item in other.items() for other in others))
    return {**values, **dict(agreed)}


def check_axes(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Refuse values of axes without effect or in contradiction. Returns remarks on those that may be set on
    purpose, such as samples of what is not random; each begins with the name of the axis."""
    findings = ConfigFindings(from_plain(values, "options"))
    check_read(with_keys(Experiment).from_values(values), (), findings)
    findings.refuse()
    return findings.remarks


def _check_merges(read: _File, findings: ConfigFindings) -> None:
    """Refuse merges by word types together with a size of a cell, or without a segmenter that has any."""
    if not read.merges:
        return
    experiments = read.experiments().values()
    for sizes in ({"merges", "vocabulary"} & {*one.given()} for one in experiments):
        if sizes:
            message = f"together with {min(sizes)} of a cell"
            findings.mistake(("merges",), message, "leave one of the two out")
    if not any(_has_merges({"segmenter": one.values("segmenter")}) for one in experiments):
        message = "no segmenter of the recipe has any"
        findings.mistake(("merges",), message, "leave them out")
    if read.cell and any(len(sizes) > 1 for sizes in read.merges.values()):
        findings.mistake(("merges",), "several for one cell", "give one for each length")


def _single(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of axes; a list of one value is that value."""
    values: dict[str, Any] = {}
    for name, value in given.items():
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        values[name] = _single(one) if isinstance(one, Mapping) else one
    return values

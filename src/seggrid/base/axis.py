"""An axis of the grid: its values, their spelling, and the phrases for them.

The axes are defined in `seggrid.segment` (axes of a segmentation) and `seggrid.grid.axes` (axes of a cell).
Schema, paths, tables, figures and the page are made from these definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

from seggrid.base.rational import read_decimal, read_rational, spell_rational

Stage = Literal["corpus", "learn", "prune", "segment"]
Kind = Literal["choice", "flag", "integer", "count", "rate", "number", "text"]
T = TypeVar("T")

ALL = "all"
"""The value of a `count` that stands for everything."""


@dataclass(frozen=True)
class Axis(Generic[T]):
    """One axis.

    Attributes:
        name: its key in the config, its column in tables, its name in paths.
        label: its name in tables, figures and the page.
        description: its description in the config's reference.
        kind: `choice` (one of `choices`), `flag` (yes or no), `integer`, `count` (an integer, or
            the word `uncounted`, which is None in cells), `rate` (an exact number from 0 to 1),
            `number` (an exact decimal of either sign), or `text` (checked by the code that reads it).
        stage: for an axis of a segmentation, the first stage whose files depend on it.
        default: its value if an experiment does not set it; None if there is none.
        neutral: the value with which the axis has no effect; it is left out of paths.
        needs: another axis; if that one is neutral, this axis has no effect.
        choices: the values of a `choice`; of a `flag`, the values beside yes and no.
        least, most: bounds of an `integer` or a `count`, both allowed.
        uncounted: the value of a `count` that is not a number.
        shared: whether both sides of a pair must have the same value, since it is a property of the pair's
            text. The cells that a cell is compared with then also have it.
        phrase: phrase for a value in the label of a cell; `{label}` and `{value}` stand for both.
        phrases: phrases for single values, by their spelling, in place of `phrase`; "" for values that are
            not mentioned.
        prefixes: phrases for values with a prefix, in which `{value}` stands for the rest.
        drawn: whether figures and the page may distinguish its values.
    """

    name: str
    label: str
    description: str
    kind: Kind = "choice"
    stage: Stage | None = None
    default: T | None = None
    neutral: T | None = None
    needs: str | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    phrase: str = "{label} {value}"
    phrases: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    drawn: bool = True
    uncounted: str = ALL
    shared: bool = False

    def spell(self, value: Any) -> str:
        """The canonical spelling of a value, used in tables.

        >>> Axis("spaces", "spaces", "", kind="flag").spell(True)
        'yes'
        """
        if self.kind == "flag" and value not in self.choices:
            return "yes" if value else "no"
        if self.kind == "count" and value is None:
            return self.uncounted
        return spell_rational(self.exact(value)) if self.kind in ("rate", "number") else str(value)

    def read(self, text: str) -> Any:
        """Parse a spelling.

        >>> Axis("dropout", "dropout", "", kind="rate").read("1/3")
        Fraction(1, 3)
        """
        if self.kind == "flag" and text not in self.choices:
            return text == "yes"
        if self.kind == "count" and text == self.uncounted:
            return None
        if self.kind in ("integer", "count"):
            return int(text)
        return self.exact(text)

    def exact(self, value: Any) -> Any:
        """Convert a value from a config to its type in cells: `Fraction` for a rate or number, None for
        `uncounted`."""
        if self.kind == "count" and value == self.uncounted:
            return None
        if self.kind == "number" and value is not None:
            return read_decimal(value)
        return read_rational(value) if self.kind == "rate" and value is not None else value

    def say(self, text: str) -> str:
        """The phrase for a value, given by its spelling, in the label of a cell.

        >>> Axis("merges", "merges", "", kind="integer", phrase="{value:,}").say("1000")
        '1,000'
        """
        if text in self.phrases:
            return self.phrases[text]
        for prefix, phrase in self.prefixes.items():
            if text.startswith(prefix):
                return phrase.format(value=text.removeprefix(prefix))
        if not text or (self.neutral is not None and text == self.spell(self.neutral)):
            return ""
        value = int(text) if self.kind in ("integer", "count") else text
        return self.phrase.format(label=self.label, value=value)

    def number(self, value: Any) -> Any:
        """Convert a value for a column of numbers: a rate becomes the nearest float."""
        if not isinstance(value, Fraction):
            return value
        return int(value) if value.denominator == 1 else float(value)


def spell_part(axes: Mapping[str, Axis[Any]], values: Mapping[str, Any]) -> list[str]:
    """Spell values of axes for a part of a path, `name=value`; None and neutral values are left out. The
    slash of a fraction, which would end the part, is spelled `of`.

    Args:
        axes: axes by name; a value without an axis is spelled as text.
        values: values by name, in the order of the part.
    """
    parts = []
    for name, value in values.items():
        axis = axes.get(name)
        if value is not None and (axis is None or value != axis.neutral):
            text = str(value) if axis is None else axis.spell(value)
            parts.append(f"{name}={text.replace('/', 'of')}")
    return parts


def read_part(axes: Mapping[str, Axis[Any]], parts: Iterable[str]) -> dict[str, Any]:
    """Parse what `spell_part` spelled; names that are not axes are left out."""
    values = {}
    for part in parts:
        name, _, text = part.partition("=")
        if axis := axes.get(name):
            fraction = text.replace("of", "/") if axis.kind == "rate" else text
            values[name] = axis.exact(axis.read(fraction))
    return values

"""An axis of the grid: the type of its values, their spelling, and the phrases for them.

An axis is declared in one way everywhere: name, description, settings. It stands in `own_axes` of a segmenter
or an aligner; if several segmenters read it, in `seggrid.segment.axes`, as a field that gives its name; or in
`seggrid.grid.axes`. Config, schema, options, paths, tables, figures and the page are made from these rows. (A
row is no annotation of an attribute: those of a segmenter are of its model, and not its settings.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import unquote

from seggrid.base.errors import InputError, either, quoted_value, suggestion
from seggrid.base.rational import read_decimal, read_rational, spell_rational

Stage = Literal["corpus", "learn", "prune", "segment"]
Kind = Literal["choice", "flag", "integer", "count", "rate", "number", "text"]
T = TypeVar("T")

ALL = "all"
"""The value of a `count` that means everything."""


def _as_written(text: str) -> str:
    return text


@dataclass(frozen=True)
class Axis(Generic[T]):
    """One axis. A value has one type from the config to the kernel, which follows from the kind.

    Attributes:
        name: its key in the config, its column in tables, its name in paths.
        description: its description in the config's reference.
        label: its name in tables, figures and the page; by default, `name` with spaces.
        kind: `choice` (one of `choices`; str), `flag` (bool, or one of `choices`), `integer` (int), `count`
            (int, or None for the word `uncounted`), `rate` (from 0 to 1; Fraction), `number` (a decimal of
            either sign; Fraction), or `text` (as `canonical` spells it; str).
        stage: for an axis of a segmentation, the first stage whose files depend on it.
        default: its value if an experiment does not set it, or a list of values.
        neutral: the value with which the axis has no effect; it is left out of paths. None if there is no
            such value or, for a `count`, if it is the word `all`.
        needs: another axis; if that one is neutral, this axis has no effect.
        random: whether the segmentation is random unless its value is neutral.
        choices: the values of a `choice`, the keys of a registry if plug-ins may add some; for a `flag`, the
            values besides yes and no.
        least, most: bounds of an `integer` or a `count`, both allowed.
        uncounted: the word of a `count` for None.
        canonical: gives the canonical spelling of a `text`, and refuses others.
        or_number: whether a `text` may be written as a number.
        shared: whether both sides of a pair must have the same value, since it is a property of the pair's
            text. Cells with which a cell is compared then have the same value too.
        phrase: phrase for a value in the label of a cell; `{label}` and `{value}` stand for both.
        phrases: phrases for single values, by their spelling, in place of `phrase`; "" for values that are
            not mentioned.
        prefixes: phrases for values with a prefix, in which `{value}` stands for the rest.
        drawn: whether figures and the page may distinguish its values.
    """

    name: str
    description: str
    _: KW_ONLY
    label: str = ""
    kind: Kind = "choice"
    stage: Stage | None = None
    default: T | list[T] | None = None
    neutral: T | None = None
    needs: str | None = None
    random: bool = False
    choices: Collection[str] = ()
    least: int = 0
    most: int | None = None
    uncounted: str = ALL
    canonical: Callable[[Any], str] = _as_written
    or_number: bool = False
    shared: bool = False
    phrase: str = "{label} {value}"
    phrases: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    drawn: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name.replace("_", " "))

    def value(self, written: object) -> Any:
        """The value of the axis from a number, a truth value or a text in a config.

        >>> Axis("dropout", "", kind="rate").value(0.1)
        Fraction(1, 10)
        """
        if self.kind == "choice":
            return self._choice(written)
        if self.kind == "integer":
            return self._integer(written)
        if self.kind == "rate":
            return read_rate(written)
        if self.kind == "number":
            return read_decimal(written)
        if self.kind == "count":
            return self._count(written)
        if self.kind == "flag":
            return self._flag(written)
        return self.canonical(written)

    def _choice(self, written: object) -> str:
        if isinstance(written, str) and written in self.choices:
            return written
        hint = suggestion(str(written), list(self.choices))
        raise InputError(f"{quoted_value(written)} is not one of its values", hint=hint)

    def _integer(self, written: object) -> int:
        largest = (1 << 63) - 1 if self.most is None else self.most
        if type(written) is int and self.least <= written <= largest:
            return written
        bounds = f"from {self.least:,} to {largest:,}"
        raise InputError(f"{quoted_value(written)} is not a whole number {bounds}")

    def _count(self, written: object) -> int | None:
        if written is None or written == self.uncounted:
            return None
        if type(written) is int and self.least <= written <= (self.most or 0):
            return written
        raise InputError(
            f"{quoted_value(written)} is neither {self.uncounted} nor a whole number from {self.least:,} "
            f"to {self.most or 0:,}",
            hint=f"give {self.uncounted}, or a number such as 2000",
        )

    def _flag(self, written: object) -> bool | str:
        if isinstance(written, bool) or (isinstance(written, str) and written in self.choices):
            return written
        quoted = written in ("yes", "no")
        hint = f"write it without quotes: {written}" if quoted else "write yes"
        raise InputError(
            f"{quoted_value(written)} is not {either([True, False, *self.choices])}", hint=hint
        )

    def plain(self, value: T | None) -> bool | int | float | str | None:
        """A value as written in a config: a rate is a number, unless the number would not be exact.

        >>> axis = Axis("dropout", "", kind="rate")
        >>> axis.plain(Fraction(1, 10)), axis.plain(Fraction(1, 3))
        (0.1, '1/3')
        """
        if value is None:
            return self.uncounted if self.kind == "count" else None
        spelled = self.spell(value)
        return spelled if "/" in spelled else self.number(value)

    def spell(self, value: T | None) -> str:
        """The canonical spelling of a value, used in tables.

        >>> Axis("spaces", "", kind="flag").spell(True)
        'yes'
        """
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind == "count" and value is None:
            return self.uncounted
        return spell_rational(value) if isinstance(value, Fraction) else str(value)

    def read(self, text: str) -> Any:
        """Parse a spelling.

        >>> Axis("dropout", "", kind="rate").read("1/3")
        Fraction(1, 3)
        """
        if self.kind == "flag" and text not in self.choices:
            return text == "yes"
        if self.kind == "integer" or (self.kind == "count" and text != self.uncounted):
            return int(text)
        return text if self.kind == "text" else self.value(text)

    def has_effect(self, value: T | None) -> bool:
        """Whether a value has an effect: it is neither neutral nor None, for a segmentation without the
        axis."""
        return value is not None and value != self.neutral

    @property
    def absent(self) -> str:
        """The spelling in tables for a cell that does not have the axis: that of the neutral value."""
        if self.kind == "count" and self.uncounted == ALL:
            return ALL
        return "" if self.neutral is None else self.spell(self.neutral)

    def say(self, text: str) -> str:
        """The phrase in the label of a cell for a value, which is given by its spelling.

        >>> Axis("merges", "", kind="integer", phrase="{value:,}").say("1000")
        '1,000'
        """
        if text in self.phrases:
            return self.phrases[text]
        for prefix, phrase in self.prefixes.items():
            if text.startswith(prefix):
                return phrase.format(value=text.removeprefix(prefix))
        if text in ("", self.absent):
            return ""
        value = int(text) if self.kind in ("integer", "count") else text
        return self.phrase.format(label=self.label, value=value)

    def number(self, value: Any) -> Any:
        """Convert a value for a column of numbers: a rate becomes the nearest float."""
        if not isinstance(value, Fraction):
            return value
        return int(value) if value.denominator == 1 else float(value)


def read_rate(written: object) -> Fraction:
    """Parse a number from 0 to 1 in a config exactly."""
    if isinstance(written, bool) or not isinstance(written, int | float | str | Fraction):
        raise InputError(
            f"{quoted_value(written)} is not a number", hint="give 0 to 1, such as 0.1 or 1/3"
        )
    rate = read_rational(written)
    if rate > 1:
        raise InputError(f"{written} is out of range", hint="give 0 to 1, such as 0.1 or 1/3")
    return rate


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)
MAX_NAME = 100
"""The most characters of a name."""


def check_name(name: str) -> str:
    """Check a name given by the user that becomes part of paths; return it."""
    if not isinstance(name, str) or _NAME.fullmatch(name) is None or len(name) > MAX_NAME:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", str(name)).strip("-_.")[:MAX_NAME]
        raise InputError(
            f"{name!r} cannot be a name, which is part of paths",
            hint=f"use letters, digits, '_', '-' and '.'{f', such as {plain}' if plain else ''}",
        )
    return name


def escape(text: str) -> str:
    """A text as a part of a path between `=` and `+`: the slash of a fraction is spelled `of`, and any other
    character with a special meaning there is spelled by its code.

    >>> escape("alpha-1/3"), escape("a+b")
    ('alpha-1of3', 'a%2Bb')
    """
    text = re.sub(r"[^\w./-]|(?<=\d)o(?=f\d)|(?<!\d)/|/(?!\d)", _code, text)
    return text.replace("/", "of")


def unescape(text: str) -> str:
    """The text that `escape` spelled.

    >>> unescape("alpha-1of3"), unescape(escape("2of3 o/f"))
    ('alpha-1/3', '2of3 o/f')
    """
    text = re.sub(r"(?<=\d)of(?=\d)", "/", text)
    return unquote(text)


def _code(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def spell_part(axes: Mapping[str, Axis[Any]], values: Mapping[str, Any]) -> list[str]:
    """Spell values of axes, in their order, for a part of a path, `name=value`; None and neutral values are
    left out, and a value without an axis is spelled as text."""
    parts = []
    for name, value in values.items():
        axis = axes.get(name)
        if value is not None and (axis is None or value != axis.neutral):
            parts.append(f"{name}={escape(str(value) if axis is None else axis.spell(value))}")
    return parts


def read_part(axes: Mapping[str, Axis[Any]], parts: Iterable[str]) -> dict[str, Any]:
    """Parse what `spell_part` spelled; names that are not axes are left out."""
    named = (part.partition("=") for part in parts)
    return {name: axes[name].read(unescape(text)) for name, _, text in named if name in axes}


def required(value: T | None) -> T:
    """The value of an axis, which is not None since the segmenter or aligner reads it."""
    assert value is not None
    return value

"""The names of the ways to prune a tokenizer: the values of the axis `knockout`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seggrid.errors import InputError

_NUMBER = r"(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?"
_FORMS = {
    "none": "none",
    "blame": rf"blame-(?P<amount>{_NUMBER})(?P<tokens>-tokens)?",
    "cascade": rf"cascade-(?P<amount>{_NUMBER})(?P<tokens>-tokens)?",
    "iterate": rf"iterate-(?P<amount>{_NUMBER})x(?P<rounds>[1-9]\d?)(?P<tokens>-tokens)?",
    "dropout": rf"dropout-(?P<amount>{_NUMBER})(?P<tokens>-tokens)?",
    "random": rf"random-(?P<amount>{_NUMBER})(?:-seed(?P<seed>\d{{1,9}}))?",
    "latest": rf"latest-(?P<amount>{_NUMBER})",
    "trim": r"trim-(?P<amount>[1-9]\d{0,8})",
}
_EXAMPLES = (
    "none, blame-0.5, blame-0.5-tokens, cascade-0.5, iterate-0.5x3, dropout-0.5, random-0.08, "
    "random-0.08-seed1, latest-0.08 or trim-5"
)


@dataclass(frozen=True)
class Knockout:
    """One way to prune a tokenizer.

    Attributes:
        method: `none`;
            `blame`: BPE-knockout (Bauwens and Delobelle, NAACL 2024, sections 3.3 and 3.4);
            `cascade`: the same merges are deleted, and with them all that needs their results;
            `iterate`: knockout in rounds, between which pairs inside tuple merges become merges of
            their own (the paper's future work, section 8.2);
            `dropout`: no pruning, but BPE-dropout at the rate of those merges (section A.6);
            `random`, `latest`: knockout of a share of all merges (section A.2);
            `trim`: rare types are split after segmentation (Cognetta et al. 2024).
        amount: the threshold of the blame ratio, inclusive (`blame`, `cascade`, `iterate`,
            `dropout`); the share of merges (`random`, `latest`); the frequency below which a type
            is rare (`trim`); 0 for `none`.
        rounds: rounds of `iterate`, else 1.
        tokens: whether a word is blamed as often as it occurs, not once.
        seed: of `random`, if it fixes one.
    """

    method: str = "none"
    amount: float = 0.0
    rounds: int = 1
    tokens: bool = False
    seed: int | None = None

    @property
    def needs_reference(self) -> bool:
        """Whether it looks at morphemes."""
        return self.method in ("blame", "cascade", "iterate", "dropout")

    @property
    def is_random(self) -> bool:
        """Whether its result depends on a seed that is passed in."""
        return self.method == "random" and self.seed is None

    def __str__(self) -> str:
        """The canonical name, which may stand in a file name; `parse_knockout` reads it."""
        if self.method == "none":
            return "none"
        text = f"{self.method}-" + f"{self.amount:.6f}".rstrip("0").rstrip(".")
        if self.method == "iterate":
            text += f"x{self.rounds}"
        if self.seed is not None:
            text += f"-seed{self.seed}"
        return text + ("-tokens" if self.tokens else "")


def parse_knockout(text: str) -> Knockout:
    """Read the name of a variant.

    Raises:
        InputError: it is not one.

    >>> parse_knockout("blame-0.50")
    Knockout(method='blame', amount=0.5, rounds=1, tokens=False, seed=None)
    >>> str(parse_knockout("iterate-0.5x3-tokens"))
    'iterate-0.5x3-tokens'
    """
    for method, form in _FORMS.items():
        match = re.fullmatch(form, text, re.ASCII)
        if match is None:
            continue
        if method == "none":
            return Knockout()
        found = match.groupdict()
        amount = float(found["amount"])
        if method != "trim" and not 0 < amount <= 1:
            raise InputError(f"{text}: {found['amount']} is not above 0 and at most 1")
        seed = found.get("seed")
        return Knockout(
            method,
            amount,
            rounds=int(found.get("rounds") or 1),
            tokens=bool(found.get("tokens")),
            seed=None if seed is None else int(seed),
        )
    raise InputError(f"{text!r} is not a knockout", hint=f"such as {_EXAMPLES}")

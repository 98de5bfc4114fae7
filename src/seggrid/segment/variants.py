"""Names of variants, which have numbers in them: of sampling, the axis `sampling`, and of pruning, the axis
`knockout`."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from seggrid.base.errors import InputError
from seggrid.base.rational import read_rational, spell_rational

NONE = "none"
MOST = 1000
"""The largest limit of a way to sample, such as the number of best segmentations to draw from."""
_SAMPLING = re.compile(r"([a-z]+)-([0-9./]+)(?:-([a-z]+)-([0-9]{1,6}))?")
_WAYS = {"alpha": (100, "best"), "grampa": (1, "least"), "stochastok": (10, None)}
"""The largest amount of each way to sample, and the name of its limit, if it has one."""
REDRAWN = ("grampa", "stochastok")
"""The ways of `seggrid.segment.redraw`, which need only a vocabulary."""


@dataclass(frozen=True)
class Sampling:
    """A way to sample segmentations.

    Attributes:
        amount: of `alpha` (Kudo 2018, section 3.3), the exponent: a segmentation x of a word is drawn from a
            unigram language model with a probability proportional to P(x)^amount (of a BPE of sentencepiece,
            the rate of dropout); of `grampa`, the share of words that are drawn; of `stochastok`, the draws
            of a token to split, as a share of the tokens.
        limit: of `alpha`, the number of best segmentations to draw from; of `grampa`, the fewest symbols of a
            type, where possible.
        method: `alpha`, or one of `seggrid.segment.redraw`.
    """

    amount: Fraction
    limit: int | None = None
    method: str = "alpha"

    def __str__(self) -> str:
        """The canonical name."""
        text = f"{self.method}-{spell_rational(self.amount)}"
        return text + (f"-{_WAYS[self.method][1]}-{self.limit}" if self.limit else "")


def parse_sampling(name: str | None) -> Sampling | None:
    """Parse a name; None for `none`.

    >>> str(parse_sampling("alpha-0.50-best-08")), str(parse_sampling("grampa-1.0"))
    ('alpha-0.5-best-8', 'grampa-1')
    """
    if name is None or name == NONE:
        return None
    match = _SAMPLING.fullmatch(str(name))
    most, limited_by = _WAYS.get(match[1] if match else "", (0, None))
    if match is not None and match[3] in (None, limited_by):
        limit = int(match[4]) if match[4] else None
        with suppress(InputError):
            amount = read_rational(match[2])
            if 0 < amount <= most and (limit is None or 2 <= limit <= MOST):
                return Sampling(amount, limit, match[1])
    raise InputError(
        f"{name!r} is not a way to sample",
        hint=f"none, alpha-0.1, or alpha-0.1-best-64: α above 0 to 100, 2 to {MOST} best ones; "
        "grampa-0.5 or grampa-0.5-least-2: a share of words; stochastok-0.1",
    )


NUMBER = r"(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?"
_AMOUNT = rf"(?P<amount>{NUMBER})"
_FORMS = (
    rf"(?P<method>blame|cascade|dropout)-{_AMOUNT}(?P<tokens>-tokens)?",
    rf"(?P<method>iterate|reify)-{_AMOUNT}x(?P<rounds>[1-9]\d?)(?P<tokens>-tokens)?",
    rf"(?P<method>random|random-blame)-{_AMOUNT}(?:-seed(?P<seed>\d{{1,9}}))?",
    rf"(?P<method>latest|leaves|residues)-{_AMOUNT}",
    r"(?P<method>trim)-(?P<amount>[1-9]\d{0,8})",
)
_EXAMPLES = (
    "none, blame-0.5, blame-0.5-tokens, cascade-0.5, iterate-0.5x3, reify-0.5x1, dropout-0.5, random-0.08, "
    "random-0.08-seed1, random-blame-0.5, latest-0.08, leaves-0.08, residues-0.08 or trim-5"
)


@dataclass(frozen=True)
class Knockout:
    """One way to prune a tokenizer.

    - `blame`: BPE-knockout (Bauwens and Delobelle, NAACL 2024, sections 3.3 and 3.4);
    - `cascade`: the same merges are removed, and all merges that use their products;
    - `iterate`: knockout in rounds, between which pairs inside tuple merges become merges of their own (the
      paper's future work, section 8.2);
    - `reify`: as `iterate`, but pairs also become merges after the last round, so that few merges of three or
      more parts are left;
    - `dropout`: no pruning, but BPE-dropout at the rate of the blamed merges (section A.6);
    - `random`, `latest`: knockout of a share of all merges (section A.2);
    - `random-blame`: knockout of as many merges as `blame` removes, drawn at random;
    - `leaves`: knockout of a share of all merges: the latest ones whose products no merge uses (as in
      arXiv 2512.03989);
    - `residues`: knockout of a share of all merges: those whose products are most nearly only stages on the
      way to others (after Sun et al. 2026, "LiteToken", arXiv 2602.04706);
    - `trim`: rare types are split after segmentation (Cognetta et al. 2024).

    Attributes:
        method: one of these, or `none`.
        amount: the threshold of the blame ratio, inclusive; the share of merges; or the frequency below which
            a type is rare.
        rounds: rounds of `iterate` and `reify`.
        tokens: whether words are weighted by their occurrences in computing blame.
        seed: of the methods that draw merges at random; None takes that of the replicate.
    """

    method: str = "none"
    amount: Fraction = Fraction(0)
    rounds: int = 1
    tokens: bool = False
    seed: int | None = None

    @property
    def needs_reference(self) -> bool:
        """Whether the variant needs a morphological reference."""
        return self.method not in ("none", "random", "latest", "leaves", "residues", "trim")

    @property
    def needs_counts(self) -> bool:
        """Whether the variant needs the occurrences of types in a segmented text."""
        return self.method in ("residues", "trim")

    @property
    def is_random(self) -> bool:
        """Whether the result depends on a seed that is not part of the name."""
        return self.method in ("random", "random-blame") and self.seed is None

    def __str__(self) -> str:
        """The canonical name, which is valid in file names and is read by `parse_knockout`."""
        if self.method == "none":
            return "none"
        text = f"{self.method}-{spell_rational(self.amount)}"
        if self.method in ("iterate", "reify"):
            text += f"x{self.rounds}"
        if self.seed is not None:
            text += f"-seed{self.seed}"
        return text + ("-tokens" if self.tokens else "")


def parse_knockout(text: str) -> Knockout:
    """Parse the name of a variant.

    >>> parse_knockout("blame-0.50") == parse_knockout("blame-0.5")
    True
    >>> str(parse_knockout("iterate-0.5x3-tokens"))
    'iterate-0.5x3-tokens'
    """
    if text == NONE:
        return Knockout()
    matches = (re.fullmatch(form, str(text), re.ASCII) for form in _FORMS)
    if (match := next(filter(None, matches), None)) is None:
        raise InputError(f"{text!r} is not a knockout", hint=f"such as {_EXAMPLES}")
    found = match.groupdict()
    method, amount, seed = found["method"], Fraction(found["amount"]), found.get("seed")
    if method != "trim" and not 0 < amount <= 1:
        raise InputError(
            f"knockout {text}: {found['amount']} is not above 0 and at most 1",
            hint=f"give a share of 1, such as {method}-0.5",
        )
    return Knockout(
        method,
        amount,
        rounds=int(found.get("rounds") or 1),
        tokens=bool(found.get("tokens")),
        seed=None if seed is None else int(seed),
    )


def canonical_knockout(text: str) -> str:
    """The canonical name of a variant, on which paths and seeds depend.

    >>> canonical_knockout("random-0.10"), canonical_knockout("random-0.1-seed07")
    ('random-0.1', 'random-0.1-seed7')
    """
    return str(parse_knockout(text))

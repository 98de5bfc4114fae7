"""The registry of word aligners, the functions that each must have, and their axes.

An aligner is a module with the function of `Aligner`, or of `SeededAligner` if its registration says
`seeded`, and

    Options                                            its options, `seggrid.base.settings.Settings`;
                                                       `check()`, if it has one, is called before any job

`align` raises `InputError` if the sides differ in length, if there are no sentences, or if a sentence is
empty (the message gives its number).

An aligner that gives probabilities of links also has

    align_with_posteriors(..., priors, floor, keep) -> (forward, reverse), (forward, reverse), model

which takes the arguments of `align` too. It returns the links and, for each direction, the probabilities
of links as `Posteriors`. If the aligner also keeps a model, `priors` is a model or None, and the learned
model is returned if `keep` is true, otherwise None. An aligner that keeps a model also has

    score(model, source, target, options)              forward and reverse log-probability of each sentence
                                                       pair, float64, shape (S, 2)

and, if it also gives probabilities,

    join_models(models)                                the sum of models of several texts
    remark_on_model(model, source, target, options)    a line that says how much of it meets a text

To add an aligner, write the module and register it here. No other module names aligners, and the config
gets a key `aligners.NAME` for its options. Options hold for all cells. A setting in which cells may differ is
an axis: a row of `AlignerValues`, named in the registration of each aligner that reads it, and a keyword of
its `align`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from seggrid.base.axis import read_part, row, rows, spell_part

if TYPE_CHECKING:
    from seggrid.base.settings import Settings
    from seggrid.data.links import Links
    from seggrid.data.segmentation import Segmentation


class Aligner(Protocol):
    """The function of an aligner."""

    def align(
        self, source: Segmentation, target: Segmentation, *, options: Any, threads: int
    ) -> tuple[Links, Links]:
        """Link the tokens of parallel sentences, none of which is empty.

        Args:
            source, target: the tokens of the same sentences.
            options: the aligner's `Options`.
            threads: how many threads to use; the links must not depend on it.

        Returns:
            The links (i in source, j in target) of both directions: `forward` gives each target token at
            most one source token, `reverse` each source token at most one target token. An aligner without
            directions returns the same links twice.
        """


class SeededAligner(Protocol):
    """The function of an aligner that draws the same links for the same seed."""

    def align(
        self, source: Segmentation, target: Segmentation, *, options: Any, threads: int, seed: int
    ) -> tuple[Links, Links]:
        """As `Aligner.align`."""


@dataclass(frozen=True)
class Registered:
    """What the grid must know about an aligner without importing it.

    Attributes:
        module: name of the module with its functions.
        random: whether links are drawn at random. Then a cell may ask for several replicates, and
            its scores have a standard deviation.
        seeded: whether `align` takes a seed, with which it draws the same links on any machine.
        posteriors: whether it has `align_with_posteriors`. Then cells may ask for `posterior-T`.
        keeps: whether it keeps a model: `align_and_keep` returns `(forward, reverse), model`,
            `align_with_model(model, source, target, ...)` aligns other text with it, and there are
            `write_model(model, path)`, `read_model(path)` and `MODEL_SUFFIX`, the ending of file names.
        shares: whether the parts of a text are aligned twice, the second time with what was learned on all
            others. `write_counts(model, path)` writes what `align_and_keep` learned on a part,
            `sum_counts(paths, path)` adds such files, and `Others(sum, own)`, of two files, is a model.
        longest: the most tokens that a sentence may have; None if there is no limit.
        in_process: whether it consists only of code of this package, so that its kernels can be compiled in
            advance.
        options: name of the module with `Options`, if it is a separate one. The config imports it, so it must
            load fast, without numba.
        axes: the axes of a cell that it reads, from `AXES`.
        directed: whether its two directions differ, so that links depend on symmetrization.
        encodes: whether it aligns the output of the stage `encode` in place of segmentations. Each sentence
            pair is then aligned independently, and only the gold sentences are encoded.
    """

    module: str
    random: bool = False
    seeded: bool = False
    posteriors: bool = False
    keeps: bool = False
    shares: bool = False
    longest: int | None = None
    in_process: bool = True
    options: str | None = None
    axes: tuple[str, ...] = ()
    directed: bool = True
    encodes: bool = False

    def load(self) -> ModuleType:
        """Import the aligner."""
        return import_module(self.module)

    def load_options(self) -> type[Settings]:
        """Import the aligner's `Options`, and not the aligner itself if they are in a separate module."""
        options: type[Settings] = import_module(self.options or self.module).Options
        return options


ALIGNERS = {
    "fast_align": Registered(
        "seggrid.align.fast_align", keeps=True, options="seggrid.align.fast_align_options"
    ),
    "gibbs": Registered(
        "seggrid.align.gibbs",
        random=True,
        seeded=True,
        posteriors=True,
        keeps=True,
        shares=True,
        options="seggrid.align.gibbs_options",
    ),
    "eflomal": Registered("seggrid.align.eflomal", random=True, in_process=False),
    # Thot gives no links to sentences that are longer.
    "thot_hmm": Registered("seggrid.align.thot.hmm", longest=200, in_process=False),
    "thot_ibm4": Registered("seggrid.align.thot.ibm4", longest=200, in_process=False),
    "embeddings": Registered(
        "seggrid.align.embeddings",
        posteriors=True,
        in_process=False,
        options="seggrid.align.embeddings_options",
        axes=("layer", "extraction", "null_threshold", "temperature"),
        directed=False,
        encodes=True,
    ),
}

ENCODING = next(name for name, entry in ALIGNERS.items() if entry.encodes)
"""The one aligner that reads the vectors of an encoder in place of segmentations."""


def without_posteriors(aligner: str) -> tuple[str, str]:
    """Message and hint for the error that an aligner gives no probabilities."""
    others = [name for name, entry in ALIGNERS.items() if entry.posteriors]
    return (
        f"{aligner} gives no probabilities of links",
        f"use the aligner {' or '.join(others)}, or an aggregate that counts votes, such as 0.5",
    )


SYMMETRIZATIONS = ("intersect", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")
"""The heuristics of `seggrid.align.symmetrize`, by name."""

EXTRACTIONS = ("argmax", "itermax", "match")
"""Names of the methods by which `seggrid.align.embeddings` makes links from similarities."""

TEMPERATURE = Fraction(3, 100)
"""Temperature of the probabilities of `seggrid.align.embeddings`, chosen on development sentences
(docs/studies/neural.md)."""


@dataclass(frozen=True, order=True, kw_only=True)
class AlignerValues:
    """A value for each axis that only some aligners read; None if the cell's aligner does not read it."""

    layer: int | None = row(
        "layer",
        "For `embeddings`: the encoder's layer whose vectors are compared; 0 is the input of the first "
        "layer.",
        kind="integer",
        default=8,
        most=1000,
    )
    extraction: str | None = row(
        "extraction",
        "For `embeddings`: `argmax` links pieces that are each other's most similar; `itermax` repeats "
        "this once among the others; `match` takes the one-to-one links with the largest sum.",
        default="argmax",
        choices=EXTRACTIONS,
        phrase="{value}",
    )
    null_threshold: Fraction | None = row(
        "null threshold",
        "For `embeddings`: the share of links to keep, such as 0.95: the most certain ones; 1 keeps all.",
        kind="rate",
        default=Fraction(1),
        neutral=Fraction(1),
    )
    temperature: Fraction | None = row(
        "temperature",
        "For `embeddings`: probabilities of links are the softmax of cosines divided by this; lower is more "
        "certain.",
        kind="rate",
        default=TEMPERATURE,
        neutral=TEMPERATURE,
    )


AXES = rows(AlignerValues)
"""The axes of cells that only some aligners read, by name."""


def spell_alignment(aligner: str, values: AlignerValues) -> str:
    """An aligner and the values of the axes that it reads, as one part of a path."""
    return "+".join([aligner, *spell_part(AXES, {name: getattr(values, name) for name in AXES})])


def read_alignment(text: str) -> tuple[str, dict[str, Any]]:
    """The aligner's name and the values of the axes that it reads, from a part of a path (`spell_alignment`).

    >>> name, axes = read_alignment("embeddings+layer=7")
    >>> name, axes["layer"], axes["null_threshold"]
    ('embeddings', 7, Fraction(1, 1))
    """
    name, *rest = text.split("+")
    given = read_part(AXES, rest)
    return name, {axis: given.get(axis, AXES[axis].neutral) for axis in ALIGNERS[name].axes}

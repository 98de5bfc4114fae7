"""Word aligners, behind one small interface.

An aligner is a module with

    Options                                            its options, `seggrid.data.settings.Settings`;
                                                       `check()`, if it has one, is called before any job
    align(source, target, *, options, threads) -> (forward, reverse)

or, if it is seeded, `align(source, target, *, options, threads, seed)`. `source` and `target` are
`Segmentation`s of the same sentences; `threads` is how many threads to use. Both results are `Links`,
as (i in source, j in target): `forward` gives each target token at most one source token, `reverse`
each source token at most one target token. `align` raises `InputError` if the sides differ in length,
if there are no sentences, or if one is empty (the message names its number).

One that knows how probable links are also has

    align_with_posteriors(..., floor) -> (forward, reverse), (forward, reverse)

with the same arguments and links, and the probabilities of either direction's links, `Posteriors`.

To add an aligner, write the module and register it here: nothing else names aligners, and the config
has a key `aligners.NAME` for its options.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seggrid.data.settings import Settings


@dataclass(frozen=True)
class Registered:
    """What the grid must know of an aligner without importing it.

    Attributes:
        module: where its functions are.
        random: whether links are drawn at random. Then a cell may ask for several replicates, and
            its scores carry their spread.
        seeded: whether `align` takes a seed, given which it draws the same links on any machine.
        posteriors: whether it has `align_with_posteriors`. Then cells may ask for `posterior-T`.
        in_process: whether it is this package's own code, not another program.
        options: where `Options` is, if in a module of its own. The config reads it, so it must load
            fast: without numba.
    """

    module: str
    random: bool = False
    seeded: bool = False
    posteriors: bool = False
    in_process: bool = True
    options: str | None = None

    def load(self) -> ModuleType:
        """Import the aligner."""
        return import_module(self.module)

    def load_options(self) -> type[Settings]:
        """Import the model of the aligner's options alone."""
        return import_module(self.options or self.module).Options


ALIGNERS = {
    "fast_align": Registered(
        "seggrid.align.fast_align", options="seggrid.align.fast_align_options"
    ),
    "gibbs": Registered(
        "seggrid.align.gibbs",
        random=True,
        seeded=True,
        posteriors=True,
        options="seggrid.align.gibbs_options",
    ),
    "eflomal": Registered("seggrid.align.eflomal", random=True, in_process=False),
    "thot_hmm": Registered("seggrid.align.thot_hmm", in_process=False),
    "thot_ibm4": Registered("seggrid.align.thot_ibm4", in_process=False),
    "external_fast_align": Registered("seggrid.align.external", in_process=False),
}


def without_posteriors(aligner: str) -> tuple[str, str]:
    """What is said, and hinted, where the probabilities of an aligner are asked for that has none."""
    others = [name for name, entry in ALIGNERS.items() if entry.posteriors]
    return (
        f"{aligner} does not tell how probable links are",
        f"use the aligner {' or '.join(others)}, or an aggregate that counts votes, such as 0.5",
    )


SYMMETRIZATIONS = ("intersect", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")
"""The heuristics of `seggrid.align.symmetrize`, by name."""

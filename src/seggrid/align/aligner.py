"""What an aligner is: a class, with its options and its axes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from seggrid.base.axis import Axis
from seggrid.base.errors import of_result, one_line
from seggrid.base.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seggrid.text.links import Links, Posteriors
    from seggrid.text.segmentation import Segmentation


class AlignedSample(NamedTuple):
    """An alignment.

    Attributes:
        links: forward and reverse links between tokens.
        posteriors: probabilities of the links of each direction; None if not asked for.
        model: the learned model; None if not asked for.
    """

    links: tuple[Links, Links]
    posteriors: tuple[Posteriors, Posteriors] | None = None
    model: Any = None


class Aligner(ABC):
    """A word aligner.

    Options hold for all cells of a grid. A setting in which cells may differ is an axis: a row of `own_axes`;
    an instance has the cell's value as an attribute of its name. The module of the class must load fast: it
    imports kernels and libraries inside its methods.

    Args:
        options: the options; by default, the defaults.
        axes: values of the axes; by default, their defaults.

    Attributes:
        settings: the class of its options. The config gets a key `aligners.NAME` for them.
        own_axes: its axes, see `seggrid.base.axis.Axis`.
        random: whether links are drawn at random. Then a cell may ask for several replicates, and its scores
            have a standard deviation.
        seeded: whether the same links are drawn for the same seed, on any machine.
        directed: whether its two directions differ, so that links depend on symmetrization.
        longest: the most tokens that a sentence may have; None if there is no limit.
        in_process: whether it consists only of code of this package, so that its kernels can be compiled in
            advance.
        usual: values of axes of a cell, by axis, where neither an experiment nor a recipe sets them; those of
            other axes are in the table of axes. Grid, commands and Python all begin from them.
        encodes: whether it aligns the output of the stage `encode` in place of segmentations. Each sentence
            pair is then aligned independently, and only the gold sentences are encoded.
        tuned: whether it is first trained on the text, see `seggrid.score.tuning`.
    """

    settings: ClassVar[type[Settings]] = Settings
    own_axes: ClassVar[tuple[Axis[Any], ...]] = ()
    usual: ClassVar[Mapping[str, Any]] = {"case": "lower"}
    random: ClassVar[bool] = False
    seeded: ClassVar[bool] = False
    directed: ClassVar[bool] = True
    longest: ClassVar[int | None] = None
    in_process: ClassVar[bool] = True
    encodes: ClassVar[bool] = False
    tuned: bool = False

    def __init__(self, options: Any = None, **axes: Any) -> None:
        self.options = options or self.settings()
        vars(self).update({axis.name: axis.default for axis in self.own_axes} | axes)

    @classmethod
    def axes(cls) -> dict[str, Axis[Any]]:
        """Its own axes, by name."""
        return {axis.name: axis for axis in cls.own_axes}

    def check(self) -> None:
        """Refuse, before any job, options and axes that cannot work, such as for want of a package."""
        return

    @abstractmethod
    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """Link the tokens of parallel sentences, none of which is empty.

        Args:
            source, target: the tokens of the same sentences.
            threads: how many threads to use; the links must not depend on it.
            seed: determines all random numbers, if the aligner is `seeded`.

        Returns:
            The links (i in source, j in target) of both directions: `forward` gives each target token at
            most one source token, `reverse` each source token at most one target token. An aligner without
            directions returns the same links twice.

        Raises:
            InputError: the sides differ in length, there are no sentences, or one is empty (the message gives
                its number); `seggrid.align.parallel.check_parallel` checks this.
        """

    def align_sample(
        self,
        source: Segmentation,
        target: Segmentation,
        *,
        threads: int = 1,
        seed: int = 0,
        probabilities: bool = False,
        keep: bool = False,
        model: Any = None,
    ) -> AlignedSample:
        """As `align`, and what else an aligner gives that has `Probabilities` or `Keeps` a model.

        Args:
            source, target, threads, seed: see `align`.
            probabilities: whether to return probabilities of links; only if the aligner has `Probabilities`.
            keep, model: whether to return the learned model; a model that was learned on other text. Only if
                the aligner `Keeps` one.
        """
        found: Any = self.align(source, target, threads=threads, seed=seed)
        if wrong := self.wrong(found, source, target):
            hint = "return the links of both directions, as Links"
            raise of_result(type(self).align, f"align gives {wrong}", hint)
        return AlignedSample(found)

    def wrong(self, found: Any, source: Segmentation, target: Segmentation) -> str | None:
        """What is wrong with the links that an aligner, as that of a plug-in, gives; None if nothing is."""
        import numpy as np

        from seggrid.text.links import Links

        if not isinstance(found, tuple | list) or [*map(type, found)] != [Links, Links]:
            return one_line(repr(found), 80)
        for way, links, end in zip(("forward", "reverse"), found, (1, 0), strict=True):
            if len(links) != len(source):
                return f"{way} links of {len(links):,} sentence pairs, of {len(source):,}"
            lengths = np.column_stack([source.lengths, target.lengths])[links.sentence_of]
            if not ((links.pairs >= 0) & (links.pairs < lengths)).all():
                return f"a {way} link outside its sentence"
            token = (source, target)[end].offsets[links.sentence_of] + links.pairs[:, end]
            if self.directed and np.bincount(token, minlength=1).max() > 1:
                return f"several {way} links of one token"
        return None


class Probabilities(Aligner):
    """An aligner that gives probabilities of links. Then cells may ask for `posterior-T` and
    `mutual-T`."""


class Saves(Aligner):
    """An aligner whose model, if it learned one, can be written and applied to other text.

    Attributes:
        suffix: the ending of the names of its files.
    """

    suffix: ClassVar[str]

    @staticmethod
    @abstractmethod
    def write_model(model: Any, path: str | Path, /) -> None:
        """Write a model, for `read_model`."""

    @staticmethod
    @abstractmethod
    def read_model(path: str | Path, /) -> Any:
        """Read a model; refuse a damaged file by an `InputError`."""


class Keeps(Saves):
    """An aligner that always learns a model, which can also score sentence pairs."""

    @abstractmethod
    def score(self, model: Any, source: Segmentation, target: Segmentation) -> NDArray[np.float64]:
        """The forward and reverse log-probability of each sentence pair, float64, shape (S, 2)."""


class CountingAligner(Keeps):
    """An aligner whose model is the counts of its links.

    Counts of several texts can be added, so a model may be the prior of other text, and the parts of a large
    text are aligned twice: the second time with the counts of all other parts as model.
    """

    @staticmethod
    @abstractmethod
    def join_models(models: Sequence[Any], /) -> Any:
        """The sum of models of several texts."""

    @staticmethod
    def in_lower_case(model: Any, source: bool, target: bool, /) -> Any:
        """A model whose types are in lower case on the sides whose text is; by default, it stays."""
        return model

    @abstractmethod
    def remark(self, model: Any, source: Segmentation, target: Segmentation) -> str:
        """A line that says how much of a model meets a text."""

    @staticmethod
    @abstractmethod
    def write_counts(model: Any, path: Path, /) -> None:
        """Write the model of a part, for `sum_counts` and `others`."""

    @staticmethod
    @abstractmethod
    def sum_counts(files: Sequence[Path], path: Path) -> None:
        """Write the sum of the counts in one or more files."""

    @staticmethod
    @abstractmethod
    def others(every: Path, own: Path) -> Any:
        """The model with the counts of all other parts, from the file of their sum and that of one part."""

"""eflomal (Östling and Tiedemann 2016), from its Python package.

It takes its seed from the system, so its links vary from run to run (by about 0.003 F1 on the thesis's
corpus); use `replicates` if this matters. Types are passed to it as numbers, since it would split their text
at every Unicode space and lower-case it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import Field

from seggrid.align.aligner import Aligner
from seggrid.align.parallel import numbered, read_printed_links
from seggrid.base.extras import check_installed, variable
from seggrid.base.settings import Settings
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation


class Options(Settings):
    """Options of eflomal; the defaults are its own, except for `lowercase`."""

    model: Annotated[int, Field(ge=1, le=3)] = 3
    """1: IBM 1; 2: also an HMM; 3: also fertilities."""

    samplers: Annotated[int, Field(ge=1, le=1000)] = 3
    """Independent samplers, whose marginals are averaged."""

    relative_iterations: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Factor on the number of iterations that eflomal chooses itself."""

    null_prior: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Prior probability of NULL."""

    lowercase: bool = False
    """Treat types that differ only in case as one, as the program itself always does."""


class Eflomal(Aligner):
    """The program of its authors, in a process of its own."""

    settings = Options
    options: Options
    random, in_process = True, False

    def check(self) -> None:
        """Check that the package is installed."""
        check_installed("eflomal", user="the aligner eflomal", instead="use the aligner gibbs")

    def align(
        self, source: Segmentation, target: Segmentation, *, threads: int = 1, seed: int = 0
    ) -> tuple[Links, Links]:
        """See `Aligner.align`. The process takes its number of threads from the environment."""
        self.check()
        import eflomal

        options = self.options
        aligner = eflomal.Aligner(
            model=options.model,
            n_samplers=options.samplers,
            rel_iterations=options.relative_iterations,
            null_prior=options.null_prior,
        )
        source_lines, target_lines = numbered(source, target, lowercase=options.lowercase)
        with (
            tempfile.TemporaryDirectory(prefix="seggrid-eflomal-") as folder,
            variable("OMP_NUM_THREADS", str(threads)),
        ):
            files = [Path(folder, direction) for direction in ("forward", "reverse")]
            aligner.align(
                source_lines,
                target_lines,
                links_filename_fwd=str(files[0]),
                links_filename_rev=str(files[1]),
                quiet=True,
            )
            forward, reverse = (
                read_printed_links(file.read_text("ascii").splitlines(), len(source), "eflomal")
                for file in files
            )
        return forward, reverse
